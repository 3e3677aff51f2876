"""What training on a cluster takes: local workers, a model of its cost, and the page on it."""
