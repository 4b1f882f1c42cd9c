"""Template filters for dice, cards and clauses."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from battles.core.cards import JACK, KING, QUEEN, Card, Suit, card_in_words
from battles.core.dice import Roll

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
def card(of: Card) -> SafeString:
    """Return a playing card, small: `5♥`."""
    face = f"{_RANKS.get(of.rank, of.rank)}{_PIPS[of.suit]}" if of.rank else "★"
    return format_html(
        '<span class="card-face {}" role="img" aria-label="{}">'
        '<span aria-hidden="true">{}</span></span>',
        "red" if of.red else "black",
        card_in_words(of),
        face,
    )


@register.filter
def clause_anchor(clause: str) -> str:
    """Return the anchor of a clause on the trace page: `hand_to_hand_2`."""
    return "_".join(clause.replace("-", " ").replace(".", " ").split()).lower()
