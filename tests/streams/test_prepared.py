"""What is asked of the database on the short way is prepared there once."""

import psycopg
import pytest
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.utils import ConnectionHandler

from api.prepared import Prepared
from sirdar.environment import database
from tests.servers import Postgres

pytestmark = pytest.mark.django_db
QUESTION = Prepared("SELECT name FROM towns WHERE name > %s AND size < %s ORDER BY name")
TOWNS = [("Berber", 3), ("Khartoum", 9), ("Sennar", 2)]
ASKED = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s"


@pytest.fixture
def elsewhere(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> ConnectionHandler:
    """The program's connections, to a database on PostgreSQL with some towns in it."""
    url = postgres.fresh("towns")
    with psycopg.connect(url) as made:
        made.execute("CREATE TABLE towns (name text PRIMARY KEY, size integer)")
        made.cursor().executemany("INSERT INTO towns VALUES (%s, %s)", TOWNS)
    there = ConnectionHandler({DEFAULT_DB_ALIAS: database(url)})
    monkeypatch.setattr("api.prepared.connections", there)
    return there


def test_postgresql_prepares_it_once_for_all_that_may_be_asked(
    elsewhere: ConnectionHandler,
) -> None:
    asked = [QUESTION.rows("C", size) for size in (1, 3, 10)]
    assert asked == [[], [("Sennar",)], [("Khartoum",), ("Sennar",)]]
    with elsewhere[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(ASKED, ["SELECT name FROM towns%"])
        assert cursor.fetchone() == (1,)
    elsewhere.close_all()


def test_a_connection_that_was_cut_is_told_of_and_taken_anew(
    elsewhere: ConnectionHandler, postgres: Postgres
) -> None:
    QUESTION.rows("C", 3)
    with psycopg.connect(postgres.url("postgres")) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = 'towns'"
        )
    with pytest.raises(DatabaseError):
        QUESTION.rows("C", 3)
    elsewhere[DEFAULT_DB_ALIAS].close_if_unusable_or_obsolete()
    assert QUESTION.rows("C", 3) == [("Sennar",)]
    elsewhere.close_all()


@pytest.mark.django_db
def test_sqlite_answers_the_same() -> None:
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE towns (name text PRIMARY KEY, size integer)")
        cursor.executemany("INSERT INTO towns VALUES (%s, %s)", TOWNS)
    assert QUESTION.rows("C", 3) == [("Sennar",)]
