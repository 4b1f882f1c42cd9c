"""What may stand where a word in a body is none of those that are known there."""

import re
from collections import defaultdict
from functools import cache
from typing import Any

import msgspec

_OFF_LIST = re.compile(
    r"^Invalid (?:enum )?value .*?(?:- at `\$(?:.*?\.(\w+))?(?:\[[^\]]*\])*`)?$", re.DOTALL
)
"""What is said of a word that is not on the list, with the last field on the way to it."""


def allowed(struct: Any, fault: str) -> str:
    """The words that may stand where that fault of the type is, as a sentence; else nothing."""
    place = _OFF_LIST.search(fault)
    words = _lists(struct).get(place[1] or "", ()) if place else ()
    return f" Known here: {', '.join(words)}." if words else ""


@cache
def _lists(struct: Any) -> dict[str, tuple[str, ...]]:
    """The words each field of the type, or of a part of it, takes that takes only such of a list.

    Of a name that several parts have it is the words of all of them.
    """
    (about,), parts = msgspec.json.schema_components([struct])
    found: dict[str, dict[str, None]] = defaultdict(dict)
    _gather("", about, parts, found)
    for part in parts.values():
        _gather("", part, parts, found)
    return {name: tuple(words) for name, words in found.items()}


def _gather(
    name: str, about: Any, parts: dict[str, Any], found: dict[str, dict[str, None]]
) -> None:
    """Note the words of a field and of what it is made of."""
    referred = parts.get(about.get("$ref", "").rpartition("/")[2], {})
    for word in (*about.get("enum", ()), *referred.get("enum", ())):
        if isinstance(word, str):
            found[name][word] = None
    for word in about.get("discriminator", {}).get("mapping", {}):
        found[about["discriminator"]["propertyName"]][word] = None
    for within in (*about.get("anyOf", ()), *_held(about)):
        _gather(name, within, parts, found)
    for key, value in about.get("properties", {}).items():
        _gather(key, value, parts, found)


def _held(about: Any) -> list[Any]:
    """What a list holds, of whatever length."""
    items = about.get("items")
    return [*about.get("prefixItems", ()), *([items] if isinstance(items, dict) else [])]
