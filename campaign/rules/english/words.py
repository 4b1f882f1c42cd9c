"""Numbers, lists and turns of phrase."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from campaign.rules.state import BY_HAND, TABLE

P = TypeVar("P")

_TO_SIX = ("no", "one", "two", "three", "four", "five", "six")
_SMALL = (*_TO_SIX, "seven", "eight", "nine", "ten", "eleven", "twelve")

_TEENS = ("thir", "four", "fif", "six", "seven", "eigh", "nine")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TWENTY, _HUNDRED = 20, 100
_SMALLEST = 0.005


def in_words(number: int) -> str:
    """A number as a person writes it: in words up to twelve; none is `no`."""
    return _SMALL[number] if 0 <= number < len(_SMALL) else str(number)


def times(number: int, one: str, many: str = "") -> str:
    """`one month`, `three months`."""
    return f"{in_words(number)} {one if number == 1 else many or one + 's'}"


def a_or_an(noun: str) -> str:
    """The noun with its article: `a gun`, `an Egyptian battalion`."""
    return f"{'an' if noun[0] in 'AEIOUaeio' else 'a'} {noun}"


def some(number: int, one: str, many: str = "") -> str:
    """`a battalion`, `three battalions`."""
    return a_or_an(one) if number == 1 else times(number, one, many)


def listed(parts: Sequence[str]) -> str:
    """`a, b and c`; semicolons where the parts have commas of their own."""
    if len(parts) < 2:
        return "".join(parts)
    between = "; " if any("," in part for part in parts) else ", "
    return f"{between.join(parts[:-1])}{';' if between == '; ' else ''} and {parts[-1]}"


def capital(text: str) -> str:
    """The text as a sentence begins: a large letter, and no number in figures below a hundred."""
    number, space, rest = text.partition(" ")
    if number.isdigit() and int(number) < _HUNDRED:
        text = f"{_spelt(int(number))}{space}{rest}"
    return text[:1].upper() + text[1:]


def full_stop(text: str) -> str:
    """The text as a sentence ends: with a full stop, if it has no mark of its own."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _spelt(number: int) -> str:
    if number < len(_SMALL):
        return _SMALL[number]
    if number < _TWENTY:
        return f"{_TEENS[number - len(_SMALL)]}teen"
    tens, ones = divmod(number, 10)
    return f"{_TENS[tens - 2]}{'-' + _SMALL[ones] if ones else ''}"


def percent(chance: float | Fraction) -> str:
    """Return a chance as `67%`; never as certain or impossible when it is neither."""
    value = float(chance)
    if 0 < value < _SMALLEST:
        return "under 1%"
    if 1 > value > 1 - _SMALLEST:
        return "over 99%"
    return f"{value * 100:.0f}%"


def signed(value: int) -> str:
    """`+2`, or with a true minus sign `−1`."""
    return f"+{value}" if value >= 0 else f"\N{MINUS SIGN}{-value}"


def pick(phrases: Sequence[P], *seeds: int) -> P:
    """One of the phrases, always the same for the same numbers."""
    mixed = 0
    for seed in seeds:
        mixed = (mixed * 31 + seed * 2654435761) & 0xFFFFFFFF
    return phrases[(mixed >> 7) % len(phrases)]


def by_what(way: str) -> str:
    """How a battle is fought: `by hand`, `by the campaign's own table`."""
    return _WAYS.get(way, f"by the book {way!r}")


_WAYS = {TABLE: "by the campaign's own table", BY_HAND: BY_HAND}
