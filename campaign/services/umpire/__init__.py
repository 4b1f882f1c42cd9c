"""Services for umpires: seats, invitations, rulings, dice and rules versions."""
