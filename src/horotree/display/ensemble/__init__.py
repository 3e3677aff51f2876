"""All trees of a model on one page."""
