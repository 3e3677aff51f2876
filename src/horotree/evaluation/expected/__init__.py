"""What a model's trees lead to expect of the rows at their nodes."""
