"""Tables in files, and how they become what models read."""
