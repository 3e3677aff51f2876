"""One fit on a cluster: the client plans and waits, the workers bin rows and grow trees."""
