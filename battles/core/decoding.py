"""Types that documents are read into, each learnt by one thread before any uses it.

msgspec learns a type, and those within it, when it is first read into. A second thread that does
so meanwhile finds it half learnt, and the process dies: so a club's web server lost a worker, with
the requests it had, when its first readers came together.

A state as a document: bytes, hash, version, upgrades.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from threading import Lock
from types import UnionType
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
Reader = msgspec.json.Decoder

_readers: dict[Any, Reader[Any]] = {}
_learning = Lock()


def decoder_for(kind: Any) -> Reader[Any]:
    """What reads JSON into that type. TypeError for a type that nothing can be read into."""
    found = _readers.get(kind)
    if found is None:
        with _learning:
            found = _readers[kind] = Reader(kind)
    return found


def convert_to(value: object, kind: type[T] | UnionType, *, str_keys: bool = False) -> T:
    """Return the value of that type which the builtins (as JSON or TOML give them) tell.

    `str_keys`: keys of any sort are told as text. msgspec.ValidationError says what is wrong.
    """
    decoder_for(kind)
    found: T = msgspec.convert(value, kind, str_keys=str_keys)
    return found


S = TypeVar("S")
Upgrade = Callable[[dict[str, Any]], dict[str, Any]]

_encoder = msgspec.json.Encoder()


class DocumentError(ValueError):
    """A stored document that this program cannot read: says what and where."""


def encode(value: object) -> bytes:
    """Return the bytes of a state, action or event, fields and keys in the order they came to be."""
    return _encoder.encode(value)


def decode(data: bytes, kind: type[S]) -> S:
    """Return the value of `kind` that `data` holds; DocumentError names the field that is wrong."""
    try:
        found: S = decoder_for(kind).decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        name = getattr(kind, "__name__", "document")
        raise DocumentError(f"not a readable {name}: {error}") from error
    return found


def digest(data: bytes) -> str:
    """Return the SHA-256 of a document's bytes, in hexadecimal."""
    return sha256(data).hexdigest()


def upgrade(data: bytes, version: int, upgrades: Mapping[int, Upgrade]) -> bytes:
    """Return the document brought to `version` step by step; `upgrades[n]` leads from n to n + 1.

    Raises DocumentError for a document without a version, or of one that no step leads from.
    """
    try:
        fields = decoder_for(Any).decode(data)
        found = int(fields["version"])
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise DocumentError(f"not a state document: {error}") from error
    if found == version:
        return data
    while found < version:
        if found not in upgrades:
            raise DocumentError(f"documents of version {found} cannot be read any more")
        fields = upgrades[found](fields)
        found += 1
    if found > version:
        raise DocumentError(f"version {found} is newer than this program's {version}: update it")
    return encode(fields | {"version": version})
