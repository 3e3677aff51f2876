"""Damaged model files of every format: ``python -m tests.fuzz --files 100000``."""
