"""Bound what requests reckon themselves, so that nobody's questions keep others from their pages.

A web process has a few threads. A reckoning that may take longer than half a second holds one of
them, and shares the processor with the rest. So a person has one such reckoning at a time on the
machine, a process works at two, and each has only so much of the processor's time.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User

from battles.history.journal import Busy, TooLong

AT_ONCE = 2
"""Reckonings that one process works at: half of its four threads stay free."""
MOST_SECONDS = 5.0
"""Of the processor's time for one reckoning: whole armies ordered to attack take one or two."""
AGAIN = 2  # seconds
OWN = "Your last request is still being worked at. Send this one when it has been answered."
OTHERS = "The site is working at other people’s requests. Send this again in a moment."
TOO_LONG = (
    "This is too much to reckon at once. Ask about fewer orders at a time: leave those out that "
    "have no bearing on what you want to know."
)

_places = BoundedSemaphore(AT_ONCE)


@contextmanager
def reckoning(user: User | AnonymousUser) -> Iterator[Callable[[], None]]:
    """Reckon something for the user: yields what is to be called now and then meanwhile.

    Raises Busy while the user has another reckoning, or the process as many as it can take. What
    is yielded raises TooLong once the reckoning has used up its time.
    """
    if not _places.acquire(blocking=False):
        raise Busy(OTHERS, AGAIN)
    try:
        with _alone(user):
            yield _budget(MOST_SECONDS)
    finally:
        _places.release()


@contextmanager
def _alone(user: User | AnonymousUser) -> Iterator[None]:
    """Hold the user's lock, which the system itself gives back when a process dies."""
    folder = settings.DATA / "reckonings"
    folder.mkdir(exist_ok=True)
    lock = os.open(folder / f"{user.pk}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as held:
        raise Busy(OWN, AGAIN) from held
    else:
        yield
    finally:
        os.close(lock)


def _budget(seconds: float) -> Callable[[], None]:
    """What raises TooLong once this thread has worked for so long."""
    end = time.thread_time() + seconds

    def spend() -> None:
        if time.thread_time() >= end:
            raise TooLong(TOO_LONG)

    return spend
