"""Template filters for dice, cards and clauses, and the tag for the key to a field."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django import template
from django.template.loader import get_template
from django.templatetags.static import static
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from battles.core.dice import JACK, KING, QUEEN, Card, Roll, Suit, card_in_words
from battles.drawing import key
from battles.prose import BookTerm, RosterLine, Sentence

register = template.Library()

_FACES = 6
_PIPS = {Suit.HEARTS: "♥", Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.SPADES: "♠"}
_RANKS = {1: "A", JACK: "J", QUEEN: "Q", KING: "K"}


@register.filter
def dice(roll: Roll) -> SafeString:
    """Return the dice of a roll as pictures; dice that are no cubes as an outlined number."""
    if roll.sides != _FACES:
        faces = ((roll.sides, face) for face in roll.dice)
        return format_html_join(
            "",
            '<span class="die d{0}" role="img" aria-label="{1} on a D{0}">'
            '<span aria-hidden="true">{1}</span></span>',
            faces,
        )
    address = static("campaign/dice.svg")
    cubes = ((address, face) for face in roll.dice)
    return format_html_join(
        "",
        '<svg class="die" role="img" aria-label="{1}" viewBox="0 0 24 24">'
        '<use href="{0}#d{1}"/></svg>',
        cubes,
    )


@register.filter
def signed(value: int) -> str:
    """Return a number with its sign, `+2` or `−1`, with a true minus."""
    return f"{value:+d}".replace("-", "−")


@register.filter
def card(shown: Card) -> SafeString:
    """Return a playing card, small: `5♥`."""
    face = f"{_RANKS.get(shown.rank, shown.rank)}{_PIPS[shown.suit]}" if shown.rank else "★"
    return format_html(
        '<span class="card-face {}" role="img" aria-label="{}">'
        '<span aria-hidden="true">{}</span></span>',
        "red" if shown.red else "black",
        card_in_words(shown),
        face,
    )


@register.filter
def clause_anchor(clause: str) -> str:
    """Return the anchor of a clause on the trace page: `hand_to_hand_2`."""
    return "_".join(clause.replace("-", " ").replace(".", " ").split()).lower()


@register.filter
def item(mapping: Mapping[Any, Any], key: Any) -> Any:
    """Return the value of a key; 0 without one."""
    return mapping.get(key, 0)


@register.filter
def explained(words: str, terms: Sequence[BookTerm]) -> SafeString:
    """Return a sentence in which the first of each term opens its explanation, `#term-rub`."""
    shown = str(escape(words))
    for term in terms:
        button = rf'<button type="button" class="term" popovertarget="term-{term.slug}">\1</button>'
        # A button is a box of its own, after which a line may break even before a full stop.
        button = rf'<span class="unbroken">{button}\2</span>'
        words = rf"\b({re.escape(term.word)}s?)\b([.,;:]?)(?![^<]*>)"
        shown = re.sub(words, button, shown, count=1)
    return mark_safe(shown)  # noqa: S308


@register.simple_tag
def hand_card(card: str, terms: Sequence[BookTerm]) -> SafeString | str:
    """Return a card in hand; where the book explains it, as a button that opens its meaning."""
    for term in terms:
        if term.word in card:
            return format_html(
                '<button type="button" class="term" popovertarget="term-{}">{}</button>',
                term.slug,
                card,
            )
    return card


@register.simple_tag
@lru_cache(maxsize=2048)
def log_sentence(sentence: Sentence, book: str) -> SafeString:
    """Return a sentence of the log with the dice behind it; the same one is rendered once."""
    return _rendered("battles/_sentence.html", {"sentence": sentence, "battle": {"book": book}})


@register.simple_tag
@lru_cache(maxsize=1024)
def result_sentence(sentence: Sentence, number: int, terms: tuple[BookTerm, ...]) -> SafeString:
    """Return a sentence of the last result, its step's number first if it has one."""
    context = {"sentence": sentence, "number": number, "terms": terms}
    return _rendered("battles/fight/_result_sentence.html", context)


@register.simple_tag
@lru_cache(maxsize=1024)
def roster_row(line: RosterLine) -> SafeString:
    """Return a unit's row in the table of the field in words."""
    return _rendered("battles/fight/_roster_row.html", {"line": line})


@register.simple_tag
def options(choices: Iterable[tuple[int, str]], chosen: str) -> SafeString:
    """Return the options of a list, with the chosen value selected."""
    return format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        (
            (value, mark_safe(" selected") if str(value) == chosen else "", words)
            for value, words in choices
        ),
    )


def _rendered(name: str, context: dict[str, Any]) -> SafeString:
    return mark_safe(get_template(name).render(context))  # noqa: S308


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
            tuple(ShownEntry(mark_safe(entry.sample), entry.words) for entry in part.entries),  # noqa: S308
        )
        for part in key.field_key(on_table=on_table, shaken=shaken)
    )
