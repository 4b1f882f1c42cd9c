"""Read campaigns, as far as a user may see them."""
