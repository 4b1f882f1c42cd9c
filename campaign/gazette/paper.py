"""A number of a gazette: a leading article from the facts, the despatches under their headings."""

from collections.abc import Iterator, Sequence

import msgspec

from campaign.gazette.editions import Edition
from campaign.gazette.facts import CAUSES, Facts
from campaign.gazette.telegrams import telegrams
from campaign.rules.english import NEWS, Sentence, Topic, where
from campaign.rules.english.names import side_name
from campaign.rules.english.words import capital, in_words, listed, pick, times
from campaign.rules.map import HexId, PlaceClass, sudan
from campaign.rules.pieces import Month, Side, month_name

MOST_ROUTINE = 6
"""Routine paragraphs that a section prints; of the rest it says how many there were."""


class Article(msgspec.Struct, frozen=True):
    """A heading and its paragraphs."""

    heading: str
    paragraphs: tuple[str, ...]


class Line(msgspec.Struct, frozen=True):
    """A line of the return of losses: units, by cause, and in all; None where it is not known."""

    side: Side
    by_cause: tuple[tuple[str, int], ...]
    total: int


class Gazette(msgspec.Struct, frozen=True):
    """A number of a paper."""

    edition: Edition
    number: int
    month: Month
    date: str
    leader: tuple[str, ...]
    articles: tuple[Article, ...]
    losses: tuple[Line, ...]
    close: str


def gazette(edition: Edition, number: int, facts: Facts, sentences: Sequence[Sentence]) -> Gazette:
    """The paper of a month, from its facts and the sentences its readers have had."""
    return Gazette(
        edition=edition,
        number=number,
        month=facts.month,
        date=month_name(facts.month),
        leader=tuple(_leader(edition, facts)),
        articles=tuple(_articles(edition, facts, sentences)),
        losses=tuple(_losses(facts)),
        close=pick(edition.close, facts.month, number),
    )


def _leader(edition: Edition, facts: Facts) -> Iterator[str]:
    opening = pick(edition.busy if facts.busy else edition.quiet, facts.month)
    yield " ".join([opening, *_fighting(edition, facts), *_sieges(facts)])
    deeds = [*_places(facts), *_strength(facts), *_ways(facts)]
    if deeds:
        yield " ".join(deeds)
    if any(facts.lost(side) for side in Side):
        yield pick(edition.dead, facts.month)


def _fighting(edition: Edition, facts: Facts) -> Iterator[str]:
    fights = facts.fights
    if not fights:
        return
    places = list(dict.fromkeys(where(fight.hex) for fight in fights))
    there = f"near {listed(places[:4])}" if len(places) > 1 else f"near {places[0]}"
    yield capital(f"{times(len(fights), 'engagement')} took place, {there}.")
    if edition.side is not None:
        yield from _tally(edition.side, facts)


def _tally(side: Side, facts: Facts) -> Iterator[str]:
    won = sum(fight.winner is side for fight in facts.fights)
    lost = sum(fight.winner is side.enemy for fight in facts.fights)
    drawn = len(facts.fights) - won - lost
    parts = [
        f"{in_words(count)} {words}"
        for count, words in (
            (won, "went in our favour"),
            (lost, "went against us"),
            (drawn, "decided nothing"),
        )
        if count
    ]
    yield capital(f"{listed(parts)}.") if len(facts.fights) > 1 else _single(won, lost)


def _single(won: int, lost: int) -> str:
    if won:
        return "It went in our favour."
    return "It went against us." if lost else "It decided nothing."


def _sieges(facts: Facts) -> Iterator[str]:
    if facts.begun:
        are = "are" if len(facts.begun) > 1 else "is"
        yield f"{_names(facts.begun)} {are} newly under siege."
    if facts.raised:
        are = "have" if len(facts.raised) > 1 else "has"
        yield f"{_names(facts.raised)} {are} been relieved."


def _names(hexes: Sequence[HexId]) -> str:
    return capital(listed([where(hex_id) for hex_id in hexes]))


def _places(facts: Facts) -> Iterator[str]:
    for side in Side:
        towns = [hex_id for hex_id, taker in facts.taken.items() if taker is side and _town(hex_id)]
        if towns:
            verb = "has" if side is Side.EGYPTIAN else "have"
            yield capital(f"{side_name(side)} {verb} taken {listed(list(map(where, towns)))}.")


def _town(hex_id: HexId) -> bool:
    name = sudan().hexes[hex_id].place
    return name is not None and sudan().places[name].kind is PlaceClass.TOWN


def _strength(facts: Facts) -> Iterator[str]:
    for side in Side:
        if facts.came[side]:
            units = times(facts.came[side], "fresh unit")
            have = "have" if facts.came[side] > 1 else "has"
            yield capital(f"{units} {have} joined {side_name(side)}.")
        if facts.stacks_marched[side]:
            columns = times(facts.stacks_marched[side], "column")
            yield capital(f"{columns} of {side_name(side)} took the field.")


def _ways(facts: Facts) -> Iterator[str]:
    wrecks = facts.wrecked.total()
    if wrecks:
        yield capital(f"{times(wrecks, 'vessel')} came to grief on the river.")
    if facts.laid:
        yield capital(f"{times(facts.laid, 'hex', 'hexes')} of railway were laid.")
    if facts.lifted:
        yield capital(f"{times(facts.lifted, 'hex', 'hexes')} of railway were torn up.")


def _articles(edition: Edition, facts: Facts, sentences: Sequence[Sentence]) -> Iterator[Article]:
    for heading, topics in edition.sections:
        found = [one for one in sentences if one.kind in topics and one.kind is not Topic.COMBAT]
        fights = telegrams(edition, facts) if Topic.COMBAT in topics else ()
        paragraphs = (*fights, *_paragraphs(found))
        if paragraphs:
            yield Article(heading, paragraphs)


def _paragraphs(found: Sequence[Sentence]) -> Iterator[str]:
    """News first, the weightiest leading; then the routine, as much of it as a column holds."""
    yield from (one.text for one in sorted(found, key=lambda one: -one.weight) if _is_news(one))
    routine = list(dict.fromkeys(one.text for one in found if not _is_news(one)))
    yield from routine[:MOST_ROUTINE]
    left = len(routine) - MOST_ROUTINE
    if left > 0:
        yield capital(f"{times(left, 'further report')} of the same kind came in.")


def _is_news(sentence: Sentence) -> bool:
    return sentence.weight >= NEWS


def _losses(facts: Facts) -> Iterator[Line]:
    for side in Side:
        counted = facts.losses[side]
        yield Line(side, tuple((cause, counted[cause]) for cause in CAUSES), counted.total())
