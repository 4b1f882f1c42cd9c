"""Go through all that is due, so that the trouble of one thing keeps no other waiting."""

import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

logger = logging.getLogger(__name__)
Thing = TypeVar("Thing")
Result = TypeVar("Result")


def sweep(things: Iterable[Thing], act: Callable[[Thing], Result]) -> list[Result]:
    """Act on each thing and return the results; one that fails is logged, and the rest go on.

    A thing may have been deleted since it was listed.
    """
    results = []
    for thing in things:
        try:
            results.append(act(thing))
        except Exception:
            logger.exception("A sweep goes on without %r.", thing)
    return results
