"""What students hand in, read without trusting it."""
