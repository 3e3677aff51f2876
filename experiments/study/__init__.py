"""What the experiments share: domains, folds, models, and the numbers that the paper prints."""
