"""An issue of a newspaper: its leading article, telegrams of the fighting, and despatches."""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from battles.contract.brief import Side
from campaign.gazette.facts import CAUSES, CombatFact, Facts, is_town
from campaign.gazette.newspapers import Newspaper
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.map import HexId
from campaign.rules.prose.names import (
    about_hex,
    bearing_in_words,
    dateline,
    describe_hex,
    describe_own_units,
    near_hex,
    side_adjective,
)
from campaign.rules.prose.phase_report import HEADLINE, NEWS, DespatchSentence, Topic
from campaign.rules.prose.phrases import (
    capitalise,
    count_noun,
    join_words,
    pick_phrase,
    spell_number,
)

_TOLD_BY_THE_GOVERNMENT = {
    Side.EGYPTIAN: (
        "Our columns came into action here",
        "Our troops attacked",
        "The troops advanced to the attack",
    ),
    Side.MAHDIST: (
        "The Mahdi’s men attacked",
        "The Mahdist banners came on",
        "The Mahdists delivered an assault",
    ),
}
_TOLD_BY_THE_CAMP = {
    Side.EGYPTIAN: ("The Government’s troops attacked", "The soldiers of the Government came out"),
    Side.MAHDIST: ("Our banners went forward", "Our men attacked", "The believers closed in"),
}
_TOLD_ABROAD = {
    Side.EGYPTIAN: ("The Egyptian force attacked", "The troops of the Khedive advanced"),
    Side.MAHDIST: ("The Mahdists attacked", "The followers of the Mahdi fell upon the place"),
}
_VOICES: Mapping[Side | None, Mapping[Side, Sequence[str]]] = {
    Side.EGYPTIAN: _TOLD_BY_THE_GOVERNMENT,
    Side.MAHDIST: _TOLD_BY_THE_CAMP,
    None: _TOLD_ABROAD,
}
_HELD = ("The position was held", "The attack was beaten off", "The defenders stood their ground")
_CARRIED = ("The position was carried", "The attack succeeded", "The defenders gave way")
_WE_HELD = ("We held the position", "We beat them off", "Our men stood their ground")
_WE_CARRIED = ("We carried the position", "The enemy gave way", "The enemy was driven off")
_WE_FAILED = ("We were beaten off", "The enemy stood, and we drew back", "We did not carry it")
_WE_LOST_IT = ("We were driven from the position", "Our men gave way", "We lost the position")
_OPEN = ("Night ended it with nothing decided", "Neither party had the better of it")


def telegrams(edition: Newspaper, facts: Facts) -> Iterator[str]:
    """Yield a paragraph for each place where there was fighting, in the order of the days."""
    places = facts.by_importance().items()
    for hex_id, fights in sorted(places, key=lambda place: place[1][-1].day):
        yield _telegram(edition, facts.month, hex_id, fights)


def shares(*outcomes: tuple[int, str], noun: str = "") -> str:
    """Return counts as a sentence: `Two attacks succeeded and one failed.`, `Both failed.`."""
    counts = [(count, words) for count, words in outcomes if count]
    if len(counts) > 1:
        (first, words), *others = counts
        subject = count_noun(first, noun) if noun else spell_number(first)
        rest = [f"{spell_number(count)} {words}" for count, words in others]
        return capitalise(f"{join_words([f'{subject} {words}', *rest])}.")
    ((count, words),) = counts
    every = {1: "It", 2: "Both"}.get(count, "All")
    return f"{every} {words}."


def _telegram(edition: Newspaper, month: Month, hex_id: HexId, fights: Sequence[CombatFact]) -> str:
    outcome, toll = _outcome(edition, month, fights), _toll(edition, fights)
    lines = (*_attacks(edition, month, fights), outcome, toll)
    return " ".join((dateline(hex_id, month, fights[-1].day), *lines))


def _attacks(edition: Newspaper, month: Month, fights: Sequence[CombatFact]) -> Iterator[str]:
    phrases = _VOICES[edition.side]
    for side in Side:
        count = sum(fight.attacker is side for fight in fights)
        if count:
            phrase = pick_phrase(phrases[side], fights[0].hex, month)
            yield f"{phrase}{_so_often(count)}."


def _so_often(many: int) -> str:
    often = {1: "", 2: " twice", 3: " three times"}
    return often.get(many, f", {spell_number(many)} times in the month")


def _outcome(edition: Newspaper, month: Month, fights: Sequence[CombatFact]) -> str:
    failures = sum(fight.winner is fight.attacker.enemy for fight in fights)
    carried = sum(fight.winner is fight.attacker for fight in fights)
    if len(fights) == 1:
        return f"{pick_phrase(_phrases_for_end(edition, fights[0]), fights[0].hex, month)}."
    return shares(
        (carried, "succeeded"),
        (failures, "failed"),
        (len(fights) - failures - carried, "decided nothing"),
        noun="attack",
    )


def _phrases_for_end(edition: Newspaper, fight: CombatFact) -> Sequence[str]:
    """Return the phrases for the end of a fight, as that paper's side sees it."""
    if fight.winner is None:
        return _OPEN
    carried = fight.winner is fight.attacker
    if edition.side is None:
        return _CARRIED if carried else _HELD
    if fight.attacker is edition.side:
        return _WE_CARRIED if carried else _WE_FAILED
    return _WE_LOST_IT if carried else _WE_HELD


def _toll(edition: Newspaper, fights: Sequence[CombatFact]) -> str:
    fallen = [unit for fight in fights for unit in fight.fallen]
    lost = {side: [unit for unit in fallen if unit.side is side] for side in Side}
    own_side = edition.side
    if own_side is not None and fallen:
        we, they = (
            describe_own_units(lost[side]) if lost[side] else "nobody"
            for side in (own_side, own_side.enemy)
        )
        return f"We lost {we}; the enemy lost {they}."
    phrases = [
        f"the {side_adjective(side)} side lost {describe_own_units(units)}"
        for side, units in lost.items()
        if units
    ]
    return (
        capitalise(f"{' and '.join(phrases)}.") if phrases else "No unit was lost on either side."
    )


MOST_ROUTINE = 6
"""The routine paragraphs that a section prints; the rest are only counted."""


class Article(msgspec.Struct, frozen=True):
    """A heading and its paragraphs."""

    heading: str
    paragraphs: tuple[str, ...]


class LossesLine(msgspec.Struct, frozen=True):
    """One side's losses in units, by cause and in total."""

    side: Side
    by_cause: tuple[tuple[str, int], ...]
    total: int


class Gazette(msgspec.Struct, frozen=True):
    """An issue of a newspaper."""

    edition: Newspaper
    number: int
    month: Month
    date: str
    leader: tuple[str, ...]
    articles: tuple[Article, ...]
    losses: tuple[LossesLine, ...]
    close: str


def gazette(
    edition: Newspaper, number: int, facts: Facts, sentences: Sequence[DespatchSentence]
) -> Gazette:
    """Return the paper of a month, from its facts and the sentences its readers have had."""
    return Gazette(
        edition=edition,
        number=number,
        month=facts.month,
        date=month_name(facts.month),
        leader=tuple(_leader(edition, facts, sentences)),
        articles=tuple(_articles(edition, facts, sentences)),
        losses=tuple(_losses(facts)),
        close=pick_phrase(edition.close, facts.month, number),
    )


def _leader(
    edition: Newspaper, facts: Facts, sentences: Sequence[DespatchSentence]
) -> Iterator[str]:
    opening = edition.quiet
    if facts.busy:
        opening = edition.small if facts.small else edition.busy
    news = [
        *_fighting_paragraphs(edition, facts),
        *_sieges(facts),
        *_great_news(edition, facts, sentences),
    ]
    yield " ".join([pick_phrase(opening, facts.month), *news])
    deeds = [*_places(edition, facts), *_strength(edition, facts), *_ways(facts)]
    if deeds:
        yield " ".join(deeds)
    if any(facts.lost(side) for side in Side):
        mourners = list(Side) if edition.side is None else [edition.side]
        if all(facts.men_lost[side] for side in mourners):
            yield pick_phrase(edition.mourning, facts.month)
        elif edition.side is None or not facts.lost(edition.side):
            yield pick_phrase(edition.unhurt, facts.month)


def _great_news(
    edition: Newspaper, facts: Facts, sentences: Sequence[DespatchSentence]
) -> Iterator[str]:
    """Yield the month's other great events: hunger, arrivals, the death of a leader, the end."""
    for sentence in sentences:
        text = _in_its_words(edition, sentence).removeprefix(sentence.opening).strip()
        if not text or sentence.weight < HEADLINE or sentence.kind is Topic.COMBAT:
            continue
        if sentence.kind is Topic.ARRIVAL and sentence.hex is not None:
            yield f"{text.partition(':')[0].rstrip('.')} {about_hex(sentence.hex)}."
        elif sentence.kind in (Topic.NOTE, Topic.VICTORY):
            yield text
        elif sentence.hex is not None and sentence.hex not in facts.taken:
            grave = edition.side is None or sentence.side is edition.side
            comes = "Grave news comes from" if grave else "We hear from"
            yield f"{comes} {near_hex(sentence.hex)}: {text[:1].lower()}{text[1:]}"


def _fighting_paragraphs(edition: Newspaper, facts: Facts) -> Iterator[str]:
    fights = facts.fights
    if not fights:
        return
    places = join_words(list(dict.fromkeys(about_hex(hex_id) for hex_id in facts.by_importance())))
    yield capitalise(f"{count_noun(len(fights), 'engagement')} took place: {places}.")
    if edition.side is not None:
        yield _tally(edition.side, facts)


def _tally(side: Side, facts: Facts) -> str:
    """Return the side's wins and losses in words; wins with the greater loss are set apart."""
    won = [fight for fight in facts.fights if fight.winner is side]
    dear = sum(fight.lost[side] > fight.lost[side.enemy] for fight in won)
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
    return capitalise(join_words([describe_hex(hex_id) for hex_id in hexes]))


def _places(edition: Newspaper, facts: Facts) -> Iterator[str]:
    towns = {town: takers for town, takers in facts.taken.items() if is_town(town)}
    for side in Side:
        town_names = [describe_hex(town) for town, takers in towns.items() if takers == [side]]
        if town_names:
            yield capitalise(f"{edition.troops[side]} have taken {join_words(town_names)}.")
    for hex_id, takers in towns.items():
        if len(takers) > 1:
            troops = ", then by ".join(edition.troops[side] for side in takers)
            yield f"{describe_hex(hex_id)} was taken by {troops}."


def _strength(edition: Newspaper, facts: Facts) -> Iterator[str]:
    for side in Side:
        if facts.came[side]:
            units = count_noun(facts.came[side], "fresh unit")
            have = "have" if facts.came[side] > 1 else "has"
            yield capitalise(f"{units} {have} joined {edition.troops[side]}.")
        if facts.stacks_marched[side]:
            columns = count_noun(facts.stacks_marched[side], "column")
            yield capitalise(f"{columns} of {edition.troops[side]} took the field.")


def _ways(facts: Facts) -> Iterator[str]:
    wrecks = facts.wrecked.total()
    if wrecks:
        yield capitalise(f"{count_noun(wrecks, 'vessel')} came to grief on the river.")
    if facts.laid:
        yield f"The railway has been carried on by {count_noun(facts.laid, 'stage')}."
    if facts.lifted:
        gone = "has" if facts.lifted == 1 else "have"
        stages = count_noun(facts.lifted, "stage")
        yield capitalise(f"{stages} of the railway {gone} been torn up.")


def _articles(
    edition: Newspaper, facts: Facts, sentences: Sequence[DespatchSentence]
) -> Iterator[Article]:
    for heading, topics in edition.sections:
        section_sentences = [
            sentence for sentence in sentences if _topic(edition, sentence) in topics
        ]
        fights = telegrams(edition, facts) if Topic.COMBAT in topics else ()
        paragraphs = (*fights, *_paragraphs(edition, section_sentences))
        if paragraphs:
            yield Article(heading, paragraphs)


_OF_THE_ENEMY = frozenset({Topic.ATTRITION, Topic.RECOVERY, Topic.EVENT, Topic.NOTE})


def _topic(edition: Newspaper, sentence: DespatchSentence) -> Topic | None:
    """Return the topic under which a paper prints it: what the enemy does is intelligence.

    Combats have their own telegrams.
    """
    enemy = edition.side is not None and sentence.side is edition.side.enemy
    if enemy and sentence.kind in _OF_THE_ENEMY:
        return Topic.SIGHTING
    return None if sentence.kind is Topic.COMBAT else sentence.kind


def _paragraphs(edition: Newspaper, sentences: Sequence[DespatchSentence]) -> Iterator[str]:
    """Yield news in the order of the days, then routine paragraphs up to the limit."""
    printed = [sentence for sentence in sentences if sentence.prose]
    news = [sentence for sentence in printed if sentence.weight >= NEWS]
    yield from (_in_its_words(edition, sentence) for sentence in news)
    others = [sentence for sentence in printed if sentence.weight < NEWS]
    routine = list(dict.fromkeys(_in_its_words(edition, sentence) for sentence in others))
    yield from routine[:MOST_ROUTINE]
    left = len(routine) - MOST_ROUTINE
    if left > 0:
        yield capitalise(f"{count_noun(left, 'further report')} under this head came in.")


def _in_its_words(edition: Newspaper, sentence: DespatchSentence) -> str:
    """Return the despatch with the paper's own names for the sides."""
    text = _without_hexes(sentence.prose)
    if sentence.kind is Topic.VICTORY:
        # The clause by which it was won is for the despatches, not for a newspaper.
        text = f"{text.partition('. ')[0].rstrip('.')}."
    if sentence.side is edition.side:
        for phrase, own in edition.own:
            text = text.replace(phrase, own)
    for name, own in edition.sides:
        text = text.replace(name, own).replace(capitalise(name), capitalise(own))
    return text


_HEXES = re.compile(
    r"(?P<how>\b(?:from|to|near) )?\b(?P<far>[a-z-]+) hex(?:es)? (?P<way>[NSEW]{1,2}) of "
    r"(?P<place>[A-Z][\w’']*(?: [A-Z][\w’']*)*)"
)
_SHIFTED = re.compile(r"from (near [^.,;]+?) to \1(?=[.,;])")


def _without_hexes(text: str) -> str:
    """Return the text with its exact hexes as a newspaper has them: `near Duem`."""
    rough = _HEXES.sub(_roughly, text).replace(" hexes", " stages").replace(" hex ", " stage ")
    return _SHIFTED.sub(r"from one camp to another \1", rough)


def _roughly(match: re.Match[str]) -> str:
    prefix, place = match["how"] or "", match["place"]
    if match["far"] in ("one", "two"):
        return f"{prefix}near {place}"
    return f"{prefix or 'in '}the country {bearing_in_words(match['way'])} of {place}"


def _losses(facts: Facts) -> Iterator[LossesLine]:
    for side in Side:
        losses = facts.losses[side]
        yield LossesLine(side, tuple((cause, losses[cause]) for cause in CAUSES), losses.total())
