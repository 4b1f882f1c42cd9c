"""Let an umpire rule, within what the rules hold possible."""
