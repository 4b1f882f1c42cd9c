"""A site on PostgreSQL and Redis, migrated once and copied for each test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.servers import Postgres, Redis, own_postgres, own_redis, postgres, redis_server
from tests.torture.club import Club, Hand

__all__ = ["own_postgres", "own_redis", "postgres", "redis_server"]


@pytest.fixture(scope="session")
def migrated(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database with every table and nothing in it."""
    name = "torture_template"
    folder = tmp_path_factory.mktemp("migrated")
    Club(folder, postgres.fresh(name), "").manage("migrate", "-v0")
    return name


@pytest.fixture
def club(tmp_path: Path, postgres: Postgres, migrated: str, redis_server: Redis) -> Iterator[Club]:
    """A site of its own database and Redis database, on the servers that all tests share."""
    found = Club(tmp_path, postgres.fresh("torture_club", migrated), redis_server.fresh())
    yield found
    found.end()


@pytest.fixture
def fragile(tmp_path: Path, own_postgres: Postgres, own_redis: Redis) -> Iterator[Club]:
    """A site on servers of its own, which the test may stop and kill."""
    found = Club(tmp_path, own_postgres.fresh("torture_club"), own_redis.url())
    found.manage("migrate", "-v0")
    yield found
    found.end()


@pytest.fixture
def hand(club: Club) -> Hand:
    return Hand(club)


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Return a function that prints a line at the end of the run: figures for docs/figures.md."""
    return lambda line: request.node.user_properties.append(("figure", line))
