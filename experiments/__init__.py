"""One script per table or figure of the paper; run ``python -m experiments list``."""
