"""Types that answers are read into, each learnt by one thread before any uses it.

msgspec learns a type when it is first read into, and a process dies of a second thread that does so
meanwhile; a program may well ask from several.
"""

from threading import Lock
from typing import Any

import msgspec

Reader = msgspec.json.Decoder

_readers: dict[Any, Reader[Any]] = {}
_learning = Lock()


def reader(kind: Any) -> Reader[Any]:
    """What reads JSON into that type."""
    found = _readers.get(kind)
    if found is None:
        with _learning:
            found = _readers[kind] = Reader(kind)
    return found
