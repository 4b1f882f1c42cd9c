"""Programs that use the client: a computer player, and one that draws a month's map."""
