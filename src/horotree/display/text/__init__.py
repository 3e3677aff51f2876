"""Texts in pictures: fonts, labels, names, and what is said of nodes and models."""
