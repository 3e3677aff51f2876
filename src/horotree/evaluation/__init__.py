"""What data say of a model: quality, agreement with its pictures, held-out positions of nodes."""
