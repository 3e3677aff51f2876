"""XGBoost: boosters, classifiers, and files."""
