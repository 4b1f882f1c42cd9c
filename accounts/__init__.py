"""Let people register, log in, and change their password or address."""
