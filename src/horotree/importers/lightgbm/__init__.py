"""LightGBM: boosters, classifiers, and files."""
