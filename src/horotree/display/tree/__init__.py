"""A decision tree beside its monotonic tree."""
