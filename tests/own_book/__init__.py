"""A club's own book of battles, "Hold or Charge": a whole book in a package outside the program."""
