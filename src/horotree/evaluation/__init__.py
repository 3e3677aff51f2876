"""What data say of a model."""
