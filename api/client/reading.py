"""Decoders for the server's answers, each built by one thread before any uses it.

msgspec inspects a type when it is first used, and the process crashes if a second thread does the
same meanwhile; a program may well call the client from several.
"""

from threading import Lock
from typing import Any

import msgspec

Reader = msgspec.json.Decoder

_readers: dict[Any, Reader[Any]] = {}
_learning = Lock()


def reader(kind: Any) -> Reader[Any]:
    """Return the decoder that reads JSON into that type."""
    found = _readers.get(kind)
    if found is None:
        with _learning:
            found = _readers[kind] = Reader(kind)
    return found
