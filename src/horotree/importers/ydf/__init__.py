"""YDF: models and their folders."""
