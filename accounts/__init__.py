"""User accounts: registration, log-in, and changes of password and e-mail address."""
