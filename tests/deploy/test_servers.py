"""The servers that the tests bring up are the real ones, and lose and keep what real ones do."""

import psycopg
import redis


def test_postgresql_keeps_over_a_crash_what_was_committed(own_postgres):
    url = own_postgres.fresh("club")
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1884 AS year")
    own_postgres.kill()
    own_postgres.start()
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT year FROM kept").fetchone() == (1884,)


def test_redis_comes_back_empty_on_the_same_address(own_redis):
    with redis.Redis.from_url(own_redis.url()) as connection:
        connection.set("month", 3)
        own_redis.restart()
        assert connection.get("month") is None
