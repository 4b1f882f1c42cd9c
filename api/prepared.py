"""A question that is put to the database again and again, by a statement it prepares but once.

Django writes what is asked for into the text; PostgreSQL then plans every text anew, which takes it
several times as long as to answer. SQLite keeps its statements by itself.
"""

from collections.abc import Callable
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

Rows = list[Any]


class Prepared:
    """The question, with `%s` for each value; prepared once for every connection."""

    def __init__(self, sql: str) -> None:
        self._sql = sql

    def rows(self, *values: object) -> Rows:
        """The rows as the driver has them. Raises DatabaseError.

        The connection is not asked before whether it answers: this shows it too.
        """
        database: Any = connections[DEFAULT_DB_ALIAS]
        database.health_check_done = True
        database.ensure_connection()
        with database.wrap_database_errors:
            return _ASKED[database.vendor](database, self._sql, values)


def _postgresql(database: Any, sql: str, values: tuple[object, ...]) -> Rows:
    """By a cursor that sends the values beside the statement, which Django's own do not."""
    cursor = database.Database.Cursor(database.connection)
    found: Rows = cursor.execute(sql, values, prepare=True).fetchall()
    return found


def _sqlite(database: Any, sql: str, values: tuple[object, ...]) -> Rows:
    found: Rows = database.connection.execute(sql.replace("%s", "?"), values).fetchall()
    return found


_ASKED: dict[str, Callable[[Any, str, tuple[object, ...]], Rows]] = {
    "postgresql": _postgresql,
    "sqlite": _sqlite,
}
