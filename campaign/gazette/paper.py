"""A number of a gazette: a leading article from the facts, the despatches under their headings."""

from collections.abc import Iterator, Sequence

import msgspec

from campaign.gazette.editions import Edition
from campaign.gazette.facts import CAUSES, Facts, is_town
from campaign.gazette.telegrams import shares, telegrams
from campaign.rules.english import NEWS, Sentence, Topic, where
from campaign.rules.english.names import about
from campaign.rules.english.words import capital, listed, pick, times
from campaign.rules.map import HexId
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
    deeds = [*_places(edition, facts), *_strength(edition, facts), *_ways(facts)]
    if deeds:
        yield " ".join(deeds)
    if any(facts.lost(side) for side in Side):
        mourners = list(Side) if edition.side is None else [edition.side]
        mourning = all(facts.lost(side) for side in mourners)
        yield pick(edition.mourning if mourning else edition.unhurt, facts.month)


def _fighting(edition: Edition, facts: Facts) -> Iterator[str]:
    fights = facts.fights
    if not fights:
        return
    there = listed(list(dict.fromkeys(about(hex_id) for hex_id in facts.by_importance())))
    yield capital(f"{times(len(fights), 'engagement')} took place: {there}.")
    if edition.side is not None:
        yield _tally(edition.side, facts)


def _tally(side: Side, facts: Facts) -> str:
    """How the fighting went for the side; a fight won with the greater loss is told as such."""
    won = [fight for fight in facts.fights if fight.winner is side]
    dear = sum(fight.lost.get(side, 0) > fight.lost.get(side.enemy, 0) for fight in won)
    lost = sum(fight.winner is side.enemy for fight in facts.fights)
    drawn = len(facts.fights) - len(won) - lost
    return shares(
        (len(won) - dear, "went in our favour"),
        (dear, "went in our favour, though with the greater loss"),
        (lost, "went against us"),
        (drawn, "decided nothing"),
    )


def _sieges(facts: Facts) -> Iterator[str]:
    if facts.begun:
        are = "are" if len(facts.begun) > 1 else "is"
        yield f"{_names(facts.begun)} {are} newly under siege."
    if facts.raised:
        are = "have" if len(facts.raised) > 1 else "has"
        yield f"{_names(facts.raised)} {are} been relieved."


def _names(hexes: Sequence[HexId]) -> str:
    return capital(listed([where(hex_id) for hex_id in hexes]))


def _places(edition: Edition, facts: Facts) -> Iterator[str]:
    for side in Side:
        taken = [hex_id for hex_id, taker in facts.taken.items() if taker is side]
        towns = [where(hex_id) for hex_id in taken if is_town(hex_id)]
        if towns:
            yield capital(f"{edition.troops[side]} have taken {listed(towns)}.")


def _strength(edition: Edition, facts: Facts) -> Iterator[str]:
    for side in Side:
        if facts.came[side]:
            units = times(facts.came[side], "fresh unit")
            have = "have" if facts.came[side] > 1 else "has"
            yield capital(f"{units} {have} joined {edition.troops[side]}.")
        if facts.stacks_marched[side]:
            columns = times(facts.stacks_marched[side], "column")
            yield capital(f"{columns} of {edition.troops[side]} took the field.")


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
        paragraphs = (*fights, *_paragraphs(edition, found))
        if paragraphs:
            yield Article(heading, paragraphs)


def _paragraphs(edition: Edition, found: Sequence[Sentence]) -> Iterator[str]:
    """News first, the weightiest leading; then the routine, as much of it as a column holds."""
    printed = [one for one in found if one.prose]
    news = [one for one in printed if one.weight >= NEWS]
    yield from (_in_its_words(edition, one) for one in sorted(news, key=lambda one: -one.weight))
    others = [one for one in printed if one.weight < NEWS]
    routine = list(dict.fromkeys(_in_its_words(edition, one) for one in others))
    yield from routine[:MOST_ROUTINE]
    left = len(routine) - MOST_ROUTINE
    if left > 0:
        yield capital(f"{times(left, 'further report')} under this head came in.")


def _in_its_words(edition: Edition, sentence: Sentence) -> str:
    """Return the despatch with the sides called as the paper calls them."""
    text = sentence.prose
    for name, own in edition.sides:
        text = text.replace(name, own).replace(capital(name), capital(own))
    return text


def _losses(facts: Facts) -> Iterator[Line]:
    for side in Side:
        counted = facts.losses[side]
        yield Line(side, tuple((cause, counted[cause]) for cause in CAUSES), counted.total())
