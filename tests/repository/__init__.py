"""Tests of the repository itself: its folders, maps, documents and tools."""
