"""What is measured: our classifier, its peers, and what other viewers write."""
