"""Change campaigns: every change to a campaign is made by one of these services."""
