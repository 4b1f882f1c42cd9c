"""`flush` as Django calls it after each test that commits."""

from functools import cache
from typing import Any

from django.core.cache import caches
from django.core.management.commands import flush
from django.db import connection, transaction

OF_THE_MIGRATIONS = ("django_migrations", "django_content_type", "auth_permission")
"""Tables of which no test writes a row."""


class Command(flush.Command):
    """Take away what a test has committed, and count rows from one again.

    Django's own command writes content types and permissions again each time, for a quarter of a
    second, and lets numbers of rows go on, so that no two tests that commit play the same. What is
    cached goes too: limits count the requests of a user by number, and the next test's user has it.
    """

    def handle(self, **options: Any) -> None:
        """Empty the tables of SQLite; leave any other database to Django."""
        caches["default"].clear()
        if connection.vendor != "sqlite":
            super().handle(**options)
            return
        with (
            connection.constraint_checks_disabled(),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            for table in _emptied():
                cursor.execute(f'DELETE FROM "{table}"')  # noqa: S608
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])


@cache
def _emptied() -> tuple[str, ...]:
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return tuple(table for table in tables if table not in OF_THE_MIGRATIONS)
