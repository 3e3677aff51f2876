"""What all importers share: trees as arrays, values to draw, classes, and notes."""
