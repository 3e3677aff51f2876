"""Sums over the workers of a fit, on authenticated connections in a ring."""
