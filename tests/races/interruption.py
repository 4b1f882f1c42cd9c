"""Changes that happen between any two reads of a request."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from django.db import connection, connections, transaction

Change = Callable[[], object]
Ask = Callable[[dict[str, str]], Any]
DRAWN_FOR_EACH = (
    rb'name="csrfmiddlewaretoken" value="[^"]*"',
    rb'name="key" value="[^"]*"',
    rb'data-csrf="[^"]*"',
    rb'data-key="[^"]*"',
)
"""Random values that every rendering of the same page draws for itself."""


class Interruption:
    """Makes a change just before the `number`-th query of whatever is asked."""

    def __init__(self, number: int, change: Change) -> None:
        self.number, self.change = number, change
        self.queries, self.busy, self.made = 0, False, False

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not self.busy and sql.lstrip().upper().startswith("SELECT"):
            self.queries += 1
            if self.queries == self.number and not self.made:
                self.busy = True
                self.change()
                self.busy, self.made = False, True
        return execute(sql, params, many, context)


@contextmanager
def undone() -> Iterator[None]:
    """Take back whatever is written inside."""
    point = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(point)


def interruptions(ask: Ask, change: Change) -> Iterator[tuple[int, Any]]:
    """Yield what is answered when the change comes before the first query, the second, ...

    Ends with the number of queries the request makes. Each answer is yielded with the change in
    place, and what was changed is taken back afterwards.
    """
    number = 0
    while True:
        number += 1
        interruption = Interruption(number, change)
        with undone():
            with connection.execute_wrapper(interruption):
                response = ask({})
            if not interruption.made:
                return
            yield number, response


def shown(response: Any) -> bytes:
    """Return the body without what is drawn afresh at every rendering."""
    body: bytes = response.content
    for pattern in DRAWN_FOR_EACH:
        body = re.sub(pattern, b"", body)
    return body


def assert_no_stale_page_is_current(ask: Ask, change: Change, compare: Ask | None = None) -> int:
    """Hold that a page which counts as current shows what there is; return the races tried.

    The page is asked for while the change comes before each of its queries in turn. If the tag it
    gives is answered with 304 afterwards, it must be the page that is there now. Another tag is
    answered with the page that is there now, unless tags are compared at an address of their own.
    """
    races = 0
    for races, response in interruptions(ask, change):
        assert response.status_code == 200, response.content
        again = (compare or ask)({"If-None-Match": response["ETag"]})
        now = again if compare is None and again.status_code == 200 else ask({})
        if again.status_code == 304 or now["ETag"] == response["ETag"]:
            assert shown(response) == shown(now), f"stale when changed before query {races}"
    assert races, "the request asks the database nothing"
    return races


class Meanwhile:
    """Makes a change once, just before the first query that begins like `before`.

    Queries count from one on that begins like `after`. Before a SAVEPOINT that is just before a
    transaction of a service: in a test that has a transaction around it every further one begins
    so.
    """

    def __init__(self, change: Change, before: str, after: str) -> None:
        self.change, self.before, self.after = change, re.compile(before), re.compile(after)
        self.begun, self.made = not after, False

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if self.begun and not self.made and self.before.match(sql):
            self.made = True
            self.change()
        self.begun = self.begun or bool(self.after.match(sql))
        return execute(sql, params, many, context)


@contextmanager
def meanwhile(change: Change, before: str = "SAVEPOINT", after: str = "") -> Iterator[None]:
    """Make the change in the middle of whatever is done inside, which must come that far."""
    interruption = Meanwhile(change, before, after)
    with connection.execute_wrapper(interruption):
        yield
    assert interruption.made, f"nothing begins like {before}"


@contextmanager
def written_beside(write: Change, before: str) -> Iterator[None]:
    """Let another thread write in the middle of whatever is done inside; neither may fail.

    It begins just before the first query that begins like `before`. Two seconds later what is done
    inside goes on, for the thread may have to wait for its transaction.
    """
    failures = list[Exception]()

    def run() -> None:
        try:
            write()
        except Exception as failed:
            failures.append(failed)
        finally:
            connections.close_all()

    thread = Thread(target=run)

    def begin() -> None:
        thread.start()
        thread.join(2)

    with meanwhile(begin, before):
        yield
    thread.join()
    assert failures == []
