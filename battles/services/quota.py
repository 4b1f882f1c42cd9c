"""Limit the CPU time that requests use, so that one user cannot block the pages of others.

A web process has a few threads. A computation of more than half a second occupies one of them and
competes for the processor. So a user gets one such computation at a time on the machine, a process
runs two, and each has a budget of CPU seconds.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User

from battles.journal import Busy, TooLong

AT_ONCE = 2
"""Computations of one process at a time: half of its four threads stay free."""
MOST_SECONDS = 5.0
"""CPU seconds of one computation: an attack by whole armies takes one or two."""
AGAIN = 2  # seconds
OWN = "Your last request is still in progress. Send this one when it has been answered."
OTHERS = "The site is busy with other people’s requests. Send this again in a moment."
TOO_LONG = (
    "This is too much to compute at once. Ask about fewer orders at a time: leave those out that "
    "have no bearing on what you want to know."
)

_places = BoundedSemaphore(AT_ONCE)


@contextmanager
def limit_cpu(user: User | AnonymousUser) -> Iterator[Callable[[], None]]:
    """Reserve a computation for the user; yield a function to call now and then within it.

    Raises Busy while the user has another computation, or the process too many. The yielded
    function raises TooLong when the CPU budget is used up.
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
    """Hold the user's lock, which the operating system releases if the process dies."""
    folder = settings.DATA / "reckonings"
    folder.mkdir(exist_ok=True)
    lock = os.open(folder / f"{user.pk}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Busy(OWN, AGAIN) from error
    else:
        yield
    finally:
        os.close(lock)


def _budget(seconds: float) -> Callable[[], None]:
    """Return a function that raises TooLong after so many CPU seconds of this thread."""
    end = time.thread_time() + seconds

    def spend() -> None:
        if time.thread_time() >= end:
            raise TooLong(TOO_LONG)

    return spend
