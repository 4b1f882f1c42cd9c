"""Pieces of work over several processes, given back in the order in which they were numbered."""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

Piece = TypeVar("Piece")
Begin = Callable[[], object]


class WorkerDied(Exception):
    """A worker process has died, most likely for want of memory."""


def spread(
    one: Callable[[int], Piece],
    numbers: Sequence[int],
    workers: int,
    *,
    at_a_time: int = 1,
    begin: Begin | None = None,
) -> Iterator[Piece]:
    """What `one` gives for each of the numbers, in their order, worked out by so many processes.

    A process takes up to `at_a_time` numbers at once, and calls `begin` before its first. One
    worker is this process itself. Raises WorkerDied when a process dies.
    """
    if workers == 1:
        yield from map(one, numbers)
        return
    pool = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(begin,)
    )
    each = max(1, min(at_a_time, len(numbers) // (4 * workers)))
    try:
        yield from pool.map(one, numbers, chunksize=each)
    except BrokenProcessPool as error:
        raise WorkerDied("A worker process has died; is there enough memory?") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(begin: Begin | None) -> None:
    """Leave Ctrl-C to the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if begin is not None:
        begin()
