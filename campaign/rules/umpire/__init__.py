"""Rulings of the umpire, and the limits that the rules set to them."""
