"""How the paper's statements are measured and judged."""
