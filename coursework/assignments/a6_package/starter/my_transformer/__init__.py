"""Your own modules go here; adapters.py calls them."""
