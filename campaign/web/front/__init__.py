"""The front page, and the form for a new campaign."""
