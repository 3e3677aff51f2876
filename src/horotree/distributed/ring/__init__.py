"""How the workers of a fit add up their histograms: authenticated connections in a ring."""
