"""Keep order sheets, from draft to receipt."""
