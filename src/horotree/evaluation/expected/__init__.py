"""The expected labels of rows at the nodes of trees, by the kind of model."""
