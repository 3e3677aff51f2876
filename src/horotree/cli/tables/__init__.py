"""Tables in files, as models read them."""
