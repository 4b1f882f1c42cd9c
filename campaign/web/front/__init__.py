"""Show the front page and begin a campaign."""
