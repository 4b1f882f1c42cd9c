"""Play a campaign at random as its users do."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from sirdar.celery import app
from tests.random_users.acts import ACTS, restore_deleted, rewind
from tests.random_users.begin import begin
from tests.random_users.club import Club
from tests.random_users.holds import check, check_records, look_around
from tests.random_users.moves import move_on

MOVES = 0.35
"""The share of acts by the person for whom the campaign waits."""
EVERY = 20
"""Acts between two looks at all the records and at many pages."""


def play(seed: int, acts: int) -> Club:
    """Play a campaign of some kind by so many acts, and return the club. Raises Fault."""
    club = Club(seed)
    with _as_on_a_site():
        begin(club)
        check(club)
        for number in range(1, acts + 1):
            _act(club)
            restore_deleted(club)
            check(club)
            if number % EVERY == 0:
                look_around(club)
        check_records(club)
    return club


def _act(club: Club) -> None:
    if club.campaign.finished and club.chance.random() < 0.5:
        rewind(club)
    elif club.chance.random() < MOVES:
        move_on(club)
    else:
        (act,) = club.chance.choices(list(ACTS), list(ACTS.values()))
        club.note(f"[{act.__name__}]")
        act(club)


@contextmanager
def _as_on_a_site() -> Iterator[None]:
    """Let a job that is refused fail alone, as a worker's does, and log nothing."""
    raised = app.conf.task_eager_propagates
    app.conf.task_eager_propagates = False
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        app.conf.task_always_eager, app.conf.task_eager_propagates = True, raised
        logging.disable(logging.NOTSET)
