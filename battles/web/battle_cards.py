"""The cards of the ready battles: field, figures a side, and length, by one book each."""

from enum import StrEnum
from functools import cache
from typing import NamedTuple

from django.utils.safestring import SafeString, mark_safe

from battles.contract import Side
from battles.contract.book import book, books
from battles.contract.brief import month_in_words
from battles.contract.brief_files import ReadyBattle, find_ready_battle, ready_battles
from battles.drawing import thumb

FIRST = "first-el-teb"
"""The battle recommended to begin with: short, and three times in four the Anglo-Egyptians win."""

RECOMMENDED = {
    "form-square": "redcoats",
    "marching-across-the-sudan": "redcoats",
    "night-march-to-the-canal": "redcoats",
    "a-meeting-engagement": "restless",
    "a-set-piece-battle": "restless",
    "clearing-the-hills": "restless",
    "the-british-attack-a-fortified-village": "restless",
    "the-long-patrol": "restless",
    "the-mahdists-attack-a-fortified-village": "restless",
    "abu-kru": "redcoats",
    "abu-klea": "redcoats",
    "first-el-teb": "redcoats",
    "kirbekan": "fuzzy-wuzzy",
    "second-el-teb": "redcoats",
    "shekan": "restless",
    "tamai": "fuzzy-wuzzy",
    "tofrek": "restless",
}
"""The book recommended for each battle; for a book's own scenario, that book."""

HISTORY = frozenset(
    {
        *("shekan", "first-el-teb", "second-el-teb", "tamai"),
        *("abu-klea", "abu-kru", "kirbekan", "tofrek"),
    }
)
"""The battles of history; the others are scenarios of a book."""


def ready_battle_choices() -> list[tuple[str, str]]:
    """Return the battles that are ready to be fought, as choices of a form."""
    return [(battle.slug, battle.brief.title) for battle in ready_battles()]


MINUTES_A_UNIT = 2
"""A rough measure of a whole battle against the computer, for every unit on both sides."""


class BattleLength(StrEnum):
    """The lengths by which the list of new battles is filtered."""

    SHORT = "short"
    MEDIUM = "medium"
    LONG = "long"


LENGTHS = {
    BattleLength.SHORT: "up to half an hour",
    BattleLength.MEDIUM: "up to an hour",
    BattleLength.LONG: "longer",
}


class BattleCard(NamedTuple):
    """A ready battle by one book. `turns` is the most it lasts; 0 if the book sets no limit."""

    offer: ReadyBattle
    month: str
    book: str
    book_title: str
    picture: SafeString
    strengths: str
    turns: int
    turn_word: str
    minutes: int

    @property
    def slug(self) -> str:
        return self.offer.slug

    @property
    def is_first(self) -> bool:
        """Return whether it is recommended as a first battle."""
        return self.slug == FIRST

    @property
    def is_history(self) -> bool:
        """Return whether it was fought, rather than a scenario of a book."""
        return self.slug in HISTORY

    @property
    def length(self) -> BattleLength:
        if self.minutes <= 30:
            return BattleLength.SHORT
        return BattleLength.MEDIUM if self.minutes <= 60 else BattleLength.LONG


def recommended_book(slug: str) -> str:
    """Return the book recommended for a battle; the first installed if there is none."""
    book_slug = RECOMMENDED.get(slug, "")
    return book_slug if book_slug in books() else books()[0]


@cache
def card_of(slug: str, by: str) -> BattleCard:
    """Return the card of a ready battle, drawn up by a book.

    Raises NoSuchBook, and LookupError for an unknown battle.
    """
    offer = find_ready_battle(slug)
    if offer is None:
        raise LookupError(slug)
    rules = book(by)
    state = rules.engine.drawn_up(offer.brief)
    roll = rules.prose.muster_roll(state)
    scene = rules.drawing.scene(state, rules.drawing.marks(state))
    drawn = [line for line in roll if line.formation]
    strengths = (
        f"{sum(line.came for line in drawn if line.side is side)} {rules.words.side(side)}"
        for side in Side
    )
    return BattleCard(
        offer,
        month_in_words(offer.brief.month),
        by,
        rules.title,
        mark_safe(thumb(scene)),  # noqa: S308
        f"{' against '.join(strengths)} {rules.words.figure}s",
        getattr(state, "turns", 0),
        rules.words.turn,
        max(10, round(len(roll) * MINUTES_A_UNIT, -1)),
    )


def history_cards() -> tuple[BattleCard, ...]:
    """Return the battles of history, each by its recommended book, in order of date."""
    cards = (card_of(slug, recommended_book(slug)) for slug in HISTORY)
    return tuple(sorted(cards, key=lambda card: (card.offer.brief.month, card.slug)))
