"""Example programs for the client: a computer player, and a drawing of a month's map."""
