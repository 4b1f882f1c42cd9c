"""A state as a document: bytes, hash, version, upgrades."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, TypeVar

import msgspec

from battles.core.reading import reader

S = TypeVar("S")
Upgrade = Callable[[dict[str, Any]], dict[str, Any]]

_encoder = msgspec.json.Encoder()


class DocumentError(ValueError):
    """A stored document that this program cannot read: says what and where."""


def encode(value: object) -> bytes:
    """The bytes of a state, action or event, fields and keys in the order they came to be."""
    return _encoder.encode(value)


def decode(data: bytes, kind: type[S]) -> S:
    """The value of `kind` that `data` holds; DocumentError names the field that is wrong."""
    try:
        found: S = reader(kind).decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        name = getattr(kind, "__name__", "document")
        raise DocumentError(f"not a readable {name}: {error}") from error
    return found


def digest(data: bytes) -> str:
    """The SHA-256 of a document's bytes, in hexadecimal."""
    return sha256(data).hexdigest()


def upgrade(data: bytes, version: int, upgrades: Mapping[int, Upgrade]) -> bytes:
    """The document brought to `version` step by step; `upgrades[n]` leads from n to n + 1.

    Raises DocumentError for a document without a version, or of one that no step leads from.
    """
    try:
        fields = reader(Any).decode(data)
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
