"""Say that the database cannot be used, or has the wrong encoding."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error
from django.db import OperationalError, ProgrammingError, connection

UNUSABLE = (OperationalError, ProgrammingError)
"""The errors of a database that is out of reach, refuses the user, or has not been migrated."""


def explain(error: Exception) -> str:
    """Return one line that says what is wrong with the database and what to do."""
    reason = " ".join(str(error).split())
    return (
        f"The database cannot be used ({reason}). Is DATABASE_URL right, and has "
        "`manage.py migrate` been run?"
    )


def check_encoding(
    *, databases: Sequence[str] | None = None, **_options: Any
) -> list[CheckMessage]:
    """Return an error for a PostgreSQL database that keeps bytes and not characters.

    Where no language was set when PostgreSQL was installed, its databases are SQL_ASCII: a name
    with accents is then longer than its column has room for, and its page fails.
    """
    if not databases or connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        (encoding,) = cursor.fetchone()
    if encoding == "UTF8":
        return []
    told = f"The encoding of the database is {encoding}, where UTF8 is needed."
    hint = (
        "Make it again with `createdb --encoding UTF8 --template template0`, and restore into it."
    )
    return [Error(told, hint=hint, id="sirdar.E001")]
