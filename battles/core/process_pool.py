"""Run numbered tasks on several processes and yield the results in order."""

import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import TypeVar

Piece = TypeVar("Piece")
Begin = Callable[[], object]


class WorkerDied(Exception):
    """A worker process has died, most likely for lack of memory."""


def pool_map(
    work: Callable[[int], Piece],
    numbers: Sequence[int],
    workers: int,
    *,
    at_a_time: int = 1,
    begin: Begin | None = None,
) -> Iterator[Piece]:
    """Yield the result of `one` for each number, in order, from `workers` processes.

    A process takes up to `at_a_time` numbers at once, and calls `begin` before its first. With one
    worker the work runs in this process. Raises WorkerDied when a process dies. When the caller is
    interrupted or stops iterating, the processes are killed rather than waited for.
    """
    if workers == 1:
        yield from map(work, numbers)
        return
    others = set(active_children())
    pool = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(begin,)
    )
    # At least four chunks per worker, so that none waits long for the last ones.
    chunk_size = max(1, min(at_a_time, len(numbers) // (4 * workers)))
    pieces = deque(
        pool.submit(_all, work, numbers[start : start + chunk_size])
        for start in range(0, len(numbers), chunk_size)
    )
    try:
        while pieces:
            yield from pieces.popleft().result()
    except BrokenProcessPool as error:
        raise WorkerDied("A worker process has died; is there enough memory?") from error
    except BaseException:
        # Running tasks cannot be cancelled: kill the processes rather than wait for them. Leave the
        # others as they are: the pool fails on a cancelled future when its processes are dead.
        for process in set(active_children()) - others:
            process.kill()
        raise
    finally:
        pool.shutdown()


def _all(work: Callable[[int], Piece], numbers: Sequence[int]) -> list[Piece]:
    """Return the result of `one` for each of the numbers."""
    return list(map(work, numbers))


def _begin(begin: Begin | None) -> None:
    """Ignore Ctrl-C and SIGTERM, which reach the whole process group: the parent handles them.

    A parent that is killed handles nothing: the process ends as soon as it is gone.
    """
    Thread(target=_end_with_parent, name="parent", daemon=True).start()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if begin is not None:
        begin()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        signal.raise_signal(signal.SIGKILL)
