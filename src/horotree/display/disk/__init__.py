"""One tree in the Poincaré disk."""
