"""Play the months of a campaign by order sheets, by the staff or live."""
