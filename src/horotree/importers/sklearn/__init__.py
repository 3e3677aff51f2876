"""scikit-learn: trees, forests, AdaBoost, and both kinds of gradient boosting."""
