"""Bounded readers of the formats that model files are written in."""
