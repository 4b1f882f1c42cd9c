"""Explain on the command line that the database cannot be used."""

from django.db import OperationalError, ProgrammingError

UNUSABLE = (OperationalError, ProgrammingError)
"""The errors of a database that is out of reach, refuses the user, or has not been migrated."""


def explain(error: Exception) -> str:
    """Return one line that says what is wrong with the database and what to do."""
    reason = " ".join(str(error).split())
    return (
        f"The database cannot be used ({reason}). Is DATABASE_URL right, and has "
        "`manage.py migrate` been run?"
    )
