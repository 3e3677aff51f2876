"""CatBoost: classifiers, and files in binary or JSON."""
