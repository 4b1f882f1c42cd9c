"""Documents and files spoilt in every way a few dice think of; the same again for the same seed."""

import json
import zipfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from hashlib import sha256
from io import BytesIO
from random import Random
from typing import Any

import msgspec

from battles import journal
from battles.core.decoding import encode
from campaign.services.transfer.bundle import ENTRIES, MANIFEST, ArchivedEntry

NASTY: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63) - 1, 10**30, 0.5, 1e308, -0.0),
    *("", " ", "\0", "\ud7ff", "\u202e", "a" * 5000, "<script>", "../../etc/passwd", "%s%n", "NaN"),
    *([], {}, [[]], [None], {"": ""}, {"type": "Done"}, ["set-up"], 2042, "2042", "egyptian"),
)
Place = tuple[Any, Any]


def mutated(document: Any, random: Random) -> Any:
    """Return a copy of the document with one to three places in it spoilt."""
    copy = {"": json.loads(json.dumps(document))}
    for _ in range(random.randint(1, 3)):
        places = list(_places(copy))
        if places:
            random.choice(SPOILING)(*random.choice(places), random)
    return copy.get("")


def _places(within: Any) -> Iterator[Place]:
    keys = list(within) if isinstance(within, dict) else range(len(within))
    for key in keys:
        yield within, key
        if isinstance(within[key], dict | list):
            yield from _places(within[key])


def _replace(within: Any, key: Any, random: Random) -> None:
    within[key] = deepcopy(random.choice(NASTY))


def _drop(within: Any, key: Any, random: Random) -> None:
    del within[key]


def _add(within: Any, key: Any, random: Random) -> None:
    inner = within[key]
    if isinstance(inner, list):
        inner.insert(random.randint(0, len(inner)), deepcopy(random.choice([*NASTY, *inner[:3]])))
    elif isinstance(inner, dict):
        inner[random.choice(["x", "do", "__class__", *inner])] = deepcopy(random.choice(NASTY))
    else:
        within[key] = [inner]


def _repeat(within: Any, key: Any, random: Random) -> None:
    if isinstance(within[key], list):
        within[key] = within[key] * random.randint(2, 50)
    elif isinstance(within[key], str):
        within[key] = within[key] * 3
    elif isinstance(within[key], int):
        within[key] = within[key] + random.choice([-1, 1, 1000])


def _nest(within: Any, key: Any, random: Random) -> None:
    for _ in range(random.choice([1, 5, 60])):
        within[key] = [within[key]]


SPOILING: tuple[Callable[[Any, Any, Random], None], ...] = (_replace, _drop, _add, _repeat, _nest)


def spoilt_bytes(data: bytes, random: Random) -> bytes:
    """Return the bytes with some of them changed, lost or said twice."""
    spoilt = bytearray(data)
    for _ in range(random.randint(1, 8)):
        place = random.randrange(len(spoilt) or 1)
        kind = random.randrange(4)
        if kind == 0 and spoilt:
            spoilt[place] = random.randrange(256)
        elif kind == 1:
            del spoilt[place : place + random.randint(1, 200)]
        elif kind == 2:
            spoilt[place:place] = spoilt[place : place + random.randint(1, 200)]
        else:
            spoilt[place:place] = random.randbytes(random.randint(1, 20))
    return bytes(spoilt)


def spoilt_file(file: bytes, random: Random) -> bytes:
    """Return a campaign's file, spoilt as a zip, or in a part whose hash is made to fit again."""
    if random.random() < 0.2:
        return spoilt_bytes(file, random)
    with zipfile.ZipFile(BytesIO(file)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = random.choice([*parts, MANIFEST, ENTRIES, ENTRIES])
    parts[name] = _spoilt_part(parts[name], random, lines=name.endswith("l"))
    if name == ENTRIES and random.random() < 0.7:
        parts[name] = _chained(parts[name])
    if random.random() < 0.9 and name != MANIFEST:
        manifest = json.loads(parts[MANIFEST])
        manifest["sha256"][name] = sha256(parts[name]).hexdigest()
        parts[MANIFEST] = json.dumps(manifest).encode()
    return packed(parts)


def _spoilt_part(data: bytes, random: Random, *, lines: bool) -> bytes:
    if random.random() < 0.1:
        return spoilt_bytes(data, random)
    if not lines:
        return json.dumps(mutated(json.loads(data), random)).encode()
    written = data.splitlines()
    if not written:
        return random.randbytes(9)
    place = random.randrange(len(written))
    written[place] = json.dumps(mutated(json.loads(written[place]), random)).encode()
    return b"\n".join(written) + b"\n"


def _chained(lines: bytes) -> bytes:
    """Return the entries, each hashed anew onto the one before; as they are if one cannot be
    read.
    """
    try:
        parts = [_entry.decode(line) for line in lines.splitlines()]
    except (msgspec.DecodeError, UnicodeDecodeError):
        return lines
    anew: dict[str, str] = {}
    for part in parts:
        part.parent = anew.get(part.parent, part.parent)
        heading = [part.parent, part.branch, part.number, part.actor, part.rules]
        under = map(bytes, (part.action, part.events, part.rolls))
        hash_ = journal.digest([*heading, part.month, part.side], under)
        anew[part.hash], part.hash = hash_, hash_
    return b"".join(encode(part) + b"\n" for part in parts)


_entry = msgspec.json.Decoder(ArchivedEntry)


def packed(parts: dict[str, bytes]) -> bytes:
    """Return the parts as a zip file."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()
