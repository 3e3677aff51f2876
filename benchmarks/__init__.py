"""How fast things are, as ratios measured in one alternating run: ``python -m benchmarks.NAME``."""
