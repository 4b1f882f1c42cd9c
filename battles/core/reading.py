"""Types that documents are read into, each learnt by one thread before any uses it.

msgspec learns a type, and those within it, when it is first read into. A second thread that does
so meanwhile finds it half learnt, and the process dies: so a club's web server lost a worker, with
the requests it had, when its first readers came together.
"""

from threading import Lock
from types import UnionType
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
Reader = msgspec.json.Decoder

_readers: dict[Any, Reader[Any]] = {}
_learning = Lock()


def reader(kind: Any) -> Reader[Any]:
    """What reads JSON into that type. TypeError for a type that nothing can be read into."""
    found = _readers.get(kind)
    if found is None:
        with _learning:
            found = _readers[kind] = Reader(kind)
    return found


def shaped(value: object, kind: type[T] | UnionType, *, str_keys: bool = False) -> T:
    """The value of that type which the builtins (as JSON or TOML give them) tell.

    `str_keys`: keys of any sort are told as text. msgspec.ValidationError says what is wrong.
    """
    reader(kind)
    found: T = msgspec.convert(value, kind, str_keys=str_keys)
    return found
