"""Numbers, lists, rolls and turns of phrase in words."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

from battles.core.dice import Modifier, Roll
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP

P = TypeVar("P")

_TO_SIX = ("no", "one", "two", "three", "four", "five", "six")
_SMALL = (*_TO_SIX, "seven", "eight", "nine", "ten", "eleven", "twelve")

_TEENS = ("thir", "four", "fif", "six", "seven", "eigh", "nine")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TWENTY, _HUNDRED = 20, 100
_SMALLEST = 0.005


def spell_number(number: int) -> str:
    """Return a number in words up to twelve, else in figures; 0 is `no`."""
    return _SMALL[number] if 0 <= number < len(_SMALL) else str(number)


def count_noun(number: int, singular: str, plural: str = "") -> str:
    """Return `one month`, `three months`."""
    return f"{spell_number(number)} {singular if number == 1 else plural or singular + 's'}"


def a_or_an(noun: str) -> str:
    """Return the noun with its article: `a gun`, `an Egyptian battalion`."""
    return f"{'an' if noun[0] in 'AEIOUaeio' else 'a'} {noun}"


def article_or_count(number: int, singular: str, plural: str = "") -> str:
    """Return `a battalion`, `three battalions`."""
    return a_or_an(singular) if number == 1 else count_noun(number, singular, plural)


def join_words(parts: Sequence[str], last: str = "and") -> str:
    """Return `a, b and c`; with semicolons where the parts have commas; `last`: `a, b or c`."""
    if len(parts) < 2:
        return "".join(parts)
    between = "; " if any("," in part for part in parts) else ", "
    return f"{between.join(parts[:-1])}{';' if between == '; ' else ''} {last} {parts[-1]}"


def capitalise(text: str) -> str:
    """Return the text with a capital first letter.

    A number below a hundred at its beginning is spelt out.
    """
    number, space, rest = text.partition(" ")
    if number.isdigit() and int(number) < _HUNDRED:
        text = f"{_spelt(int(number))}{space}{rest}"
    return text[:1].upper() + text[1:]


def full_stop(text: str) -> str:
    """Return the text with a full stop, unless it ends with a mark already."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _spelt(number: int) -> str:
    if number < len(_SMALL):
        return _SMALL[number]
    if number < _TWENTY:
        return f"{_TEENS[number - len(_SMALL)]}teen"
    tens, ones = divmod(number, 10)
    return f"{_TENS[tens - 2]}{'-' + _SMALL[ones] if ones else ''}"


def format_percent(chance: float | Fraction) -> str:
    """Return a chance as `67%`; never 0% or 100% when it is neither."""
    value = float(chance)
    if 0 < value < _SMALLEST:
        return "under 1%"
    if 1 > value > 1 - _SMALLEST:
        return "over 99%"
    return f"{value * 100:.0f}%"


_ALMOST_CERTAIN, _LIKELY = 0.9, 2 / 3
_SIZES = ((_ALMOST_CERTAIN, "Almost certain to"), (_LIKELY, "Likely to"), (1 / 3, "A gamble to"))


def judge_chance(chance: float | Fraction, verb: str) -> str:
    """Return how likely the deed is, by size: `Likely to win`, `A gamble to win`."""
    value = float(chance)
    if value > 1 - _SMALLEST:
        return f"Certain to {verb}" if value == 1 else f"Almost certain to {verb}"
    for least, words in _SIZES:
        if value >= least:
            return f"{words} {verb}"
    return f"Unlikely to {verb}" if value else f"No chance to {verb}"


_RISKS = ((_ALMOST_CERTAIN, "almost certain"), (_LIKELY, "likely"), (0.4, "as likely as not"))


def judge_risk(chance: float | Fraction, subject: str) -> str:
    """Return how likely a misfortune is, by size: `Thirst is likely`, `A wreck is unlikely`."""
    value = float(chance)
    if value == 1:
        return f"{subject} is certain"
    return f"{subject} is {next((words for least, words in _RISKS if value >= least), 'unlikely')}"


def ordinal(number: int) -> str:
    """Return a number as the day of a month is written: `1st`, `12th`, `23rd`."""
    teen = number // 10 % 10 == 1
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def format_signed(value: int) -> str:
    """Return `+2`, or with a true minus sign `−1`."""
    return f"+{value}" if value >= 0 else f"\N{MINUS SIGN}{-value}"


def pick_phrase(phrases: Sequence[P], *seeds: int) -> P:
    """Return one of the phrases, always the same for the same seeds."""
    # A multiplicative hash (Knuth): the same text on every machine and in every version.
    mixed = 0
    for seed in seeds:
        mixed = (mixed * 31 + seed * 2654435761) & 0xFFFFFFFF
    return phrases[(mixed >> 7) % len(phrases)]


_FACES = re.compile(r" on \d or \d(?= this turn)")
_UNTIL = re.compile(r"^Before \w+ \d{4} ")
_MODIFIER = re.compile(
    r"(?<!\w)([+-])\d+ (?:this turn )?to ([^.,:;]*?\b(rolls?)(?: (?:of|on|in|outside) [^.,:;]+?)?)"
    r"(?: this turn)?(?=[.,:;])"
)
"""A die modifier in the text of an event: the number stands behind each roll that it changes."""


def event_in_words(text: str) -> str:
    """Return the text of an event without die modifiers: `march rolls are worse this turn`.

    Of several sentences the one with the modifier is kept.
    """

    def in_words(match: re.Match[str]) -> str:
        verb = "are" if match[3] == "rolls" else "is"
        return f"{match[2]} {verb} {'better' if match[1] == '+' else 'worse'} this turn"

    parts = re.split(r"\.\s|; otherwise ", text)
    changed = next((part for part in parts if _MODIFIER.search(f"{part.rstrip('.')}.")), text)
    sentence = _MODIFIER.sub(in_words, f"{_UNTIL.sub('', changed).rstrip('.')}.")
    return capitalise(_FACES.sub(" more easily", sentence))


def describe_battle_method(resolution: str) -> str:
    """Return the way a battle is fought: `by the players`, `by the campaign’s own table`."""
    return _RESOLUTIONS.get(resolution, f"by the book {resolution!r}")


_RESOLUTIONS = {COMBAT_TABLE: "by the campaign’s own table", TABLETOP: "by the players"}


_EACH = "recovery"
_CODED = "events"


def describe_modifier(modifier: Modifier) -> str:
    """Return `−1 at least half of those who fire are Veteran (9.6)`."""
    return f"{format_signed(modifier.value)} {modifier.reason} ({modifier.clause})"


def describe_roll(roll: Roll) -> str:
    """Return `2D6: 3 + 4, +2 attacked in a town or mountain hex (9.6), makes 9: no effect`."""
    dice = f"{len(roll.dice)}D{roll.sides}: {_dice_in_words(roll)}"
    changes = "".join(f", {describe_modifier(modifier)}" for modifier in roll.modifiers)
    result = f": {roll.result.removeprefix(f'{_code(roll)}: ')}" if roll.result else ""
    result = _ONE.sub(r"1 \1", result)
    return f"{dice}{changes}{_total(roll)}{result}"


_ONE = re.compile(r"\b1 (hex|month|unit)(?:es|s)\b")
"""A result in the plural: results are recorded with the number in front of the noun."""


def _dice_in_words(roll: Roll) -> str:
    apart = roll.table in (_EACH, _CODED)
    return (", " if apart else " + ").join(map(str, roll.dice))


def _code(roll: Roll) -> str:
    """Return the dice as digits, read as tens and units."""
    return "".join(map(str, roll.dice))


def _total(roll: Roll) -> str:
    if roll.table == _CODED:
        return f", read as {_code(roll)}"
    if roll.table == _EACH:
        return ", each for itself" if len(roll.dice) > 1 else ""
    plain = len(roll.dice) == 1 and not roll.modifiers
    return "" if plain else f", makes {roll.total}"
