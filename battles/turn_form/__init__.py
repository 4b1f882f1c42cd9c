"""What a person is asked in a battle, in words and on the drawing, for each of our books.

A module a book, named as the package of its engine, has `desk(state, side, unit)`: everything its
engine's options offer that side, with chances; `composed(state, said)`: the action that a form
with more than one answer comes to; and `view`, `overheard`: what a side may know.
"""

from functools import cache
from importlib import import_module
from types import ModuleType

from battles.contract.registry import OURS


@cache
def fighting(slug: str) -> ModuleType:
    """The module of one of our books. KeyError for any other."""
    engine, _, _ = OURS[slug].partition(":")
    return import_module(f"{engine}.turn_form")
