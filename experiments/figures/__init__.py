"""One module a figure: ``python -m experiments fig-NAME``."""
