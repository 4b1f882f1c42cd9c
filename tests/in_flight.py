"""The requests that threads of this process are answering.

A live server's threads go on when a test is over. What they write then would come into the emptied
database, where the next test's campaign has the same address and the same numbers.
"""

import threading
from typing import Any

from django.core.signals import request_finished, request_started

_paths: dict[int, str] = {}


def _begin(environ: dict[str, Any] | None = None, **_: object) -> None:
    if environ is not None and threading.current_thread() is not threading.main_thread():
        _paths[threading.get_ident()] = str(environ.get("PATH_INFO", ""))


def _end(**_: object) -> None:
    _paths.pop(threading.get_ident(), None)


def count_requests() -> None:
    """Begin to count; to be called once in a process."""
    request_started.connect(_begin)
    request_finished.connect(_end)


def in_flight() -> list[str]:
    """Return the paths of the requests that are not answered yet, but for those of this thread."""
    alive = {thread.ident for thread in threading.enumerate()} - {threading.get_ident()}
    return [path for ident, path in list(_paths.items()) if ident in alive]
