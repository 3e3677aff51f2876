"""One module a table: ``python -m experiments tab-NAME``."""
