"""Template tag for the key to a field."""

from functools import lru_cache
from typing import NamedTuple

from django import template
from django.utils.safestring import SafeString, mark_safe

from battles.drawing import key

register = template.Library()


class ShownEntry(NamedTuple):
    """A sample as markup, and its meaning."""

    sample: SafeString
    words: str


class ShownPart(NamedTuple):
    """The entries of one heading."""

    title: str
    entries: tuple[ShownEntry, ...]


@register.simple_tag
@lru_cache(maxsize=32)
def field_key(on_table: bool, shaken: str) -> tuple[ShownPart, ...]:
    """Return the key to a field of squares or an open table, by headings."""
    return tuple(
        ShownPart(
            part.title,
            tuple(ShownEntry(mark_safe(one.sample), one.words) for one in part.entries),  # noqa: S308
        )
        for part in key.field_key(on_table=on_table, shaken=shaken)
    )
