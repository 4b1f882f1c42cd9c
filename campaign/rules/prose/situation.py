"""The situation of a campaign, and an umpire's rulings, in words."""

from collections.abc import Iterable, Iterator

from battles.contract.brief import Quality, Side
from battles.core.rules_engine import Handlers
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, random_events, scenario_of
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import Month, UnitId, month_name
from campaign.rules.core.state import CampaignResult, DueUnits, Score, State, Unit
from campaign.rules.map import HexId, PlaceClass
from campaign.rules.prose.names import (
    about_hex,
    adjective,
    at_hex,
    describe_force,
    describe_hex,
    describe_stack,
    is_plural,
    leader_name,
    line_name,
    side_adjective,
    side_name,
    side_with_verb,
)
from campaign.rules.prose.phase_report import (
    NEWS,
    ROUTINE,
    DespatchSentence,
    SentenceDraft,
    Topic,
    describe_toss,
    moment,
)
from campaign.rules.prose.phrases import (
    capitalise,
    count_noun,
    join_words,
    pick_phrase,
    spell_number,
)
from campaign.rules.sight import SideKnowledge, Sighting, StackSize
from campaign.rules.tables import scenario_blocks as b
from campaign.rules.tables import scenario_data as v

# State of a campaign in words: result, counts towards victory, sieges, sightings.


Sieges = dict[HexId, Side]


def sieges(state: State) -> Sieges:
    """Return the places whose troops are under siege, with the besieged side (9.12)."""
    position = board(state)
    return {
        hex_id: side
        for side in Side
        for hex_id in position.hexes(side)
        if chart(state).hexes[hex_id].place
        and position.land(side, hex_id)
        and position.besieged(side, hex_id)
    }


_WAITING = ("repair", "replacement", "monthly supply")
_MOST = 4


def describe_result(result: CampaignResult, score: Score | None) -> str:
    """Return the result of the campaign with the points that decided it, its reason and clause."""
    return f"{describe_ending(result, score)} {result.reason.rstrip('.')} ({result.clause})."


def describe_ending(result: CampaignResult, score: Score | None) -> str:
    """Return the winner of the campaign in words, with the points that decided it."""
    if result.winner is None:
        drawn = "The campaign is drawn"
        if score is None:
            return f"{drawn}."
        stand = f"the Egyptians have {_points(score.egyptian)}, the Mahdists {score.mahdist}"
        return f"{drawn}: {stand}."
    wins = f"{capitalise(side_with_verb(result.winner, 'wins', 'win'))} the campaign"
    if score is None:
        return f"{wins}."
    won, lost = score.egyptian, score.mahdist
    if result.winner is Side.MAHDIST:
        won, lost = lost, won
    return f"{wins} by {_points(won)} to {lost}."


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def describe_tally(state: State, name: str, count: int) -> str:
    """Return how long a condition of victory has held; empty when it no longer does."""
    conditions = scenario_of(state).victory
    lasting = [
        condition
        for condition in conditions
        if isinstance(condition, v.Unbesieged | v.SiegeMaintained)
    ]
    meant = [condition for condition in lasting if name == f"turns:{condition.winner}"]
    return _held_for(meant[0], count) if meant and 0 < count < meant[0].turns else ""


def _held_for(condition: v.Unbesieged | v.SiegeMaintained, count: int) -> str:
    turns = "an Egyptian turn" if count == 1 else f"{spell_number(count)} Egyptian turns running"
    if isinstance(condition, v.SiegeMaintained):
        sentence = f"{condition.place} has been under siege at the end of {turns}"
    else:
        sentence = f"{join_words(condition.places)} have been free of siege at the end of {turns}"
    wins = side_with_verb(condition.winner, "wins", "win")
    return f"{sentence}; {spell_number(condition.turns - count)} more, and {wins} the campaign."


def describe_award(award: b.Award) -> str:
    """Return what an award of points is for: `Khartoum held at the end`."""
    if isinstance(award, b.PlaceAward):
        return f"{award.place} held at the end"
    if isinstance(award, b.UnitsAward):
        words = [adjective(award.nation)] if award.nation else []
        words.append(award.kind.value if award.kind else "fighting")
        units = count_noun(award.least, f"{' '.join(words)} unit")
        return f"{units} in {join_words(award.places, 'or')} at the end"
    if isinstance(award, b.LeaderAward):
        return f"{leader_name(award.leader)} {'lost' if award.lost else 'in play at the end'}"
    if isinstance(award, b.LossesAward):
        losers = adjective(award.nation) if award.nation else side_adjective(award.side.enemy)
        so_many = f"{losers} strength point"
        if award.every > 1:
            so_many = count_noun(award.every, so_many)
        return f"every {so_many} destroyed in combat"
    return "a handicap, for balance"


def situation(state: State, sides: Iterable[Side] = tuple(Side)) -> tuple[str, ...]:
    """Return a few lines about the position.

    `sides` are the sides whose units are all in `state`; a viewer's state may lack enemy units.
    """
    strengths = list(_strengths(state, sides))
    if state.result is not None:
        return (describe_result(state.result, state.score), *strengths)
    return (*_sieges(state), *_towns(state), *strengths, *_counts(state), *_due(state))


def _sieges(state: State) -> Iterator[str]:
    side_by_hex = sieges(state)
    towns = [hex_id for hex_id, side in side_by_hex.items() if side is Side.EGYPTIAN]
    for hex_id in towns:
        garrison = describe_stack(board(state).stack(Side.EGYPTIAN, hex_id))
        yield f"{describe_hex(hex_id)} is under siege. Within: {garrison}."
    blockaded = [hex_id for hex_id, side in side_by_hex.items() if side is Side.MAHDIST]
    if blockaded:
        places = join_words([describe_hex(hex_id) for hex_id in blockaded])
        yield f"The Egyptian side stands before {places}."


def _towns(state: State) -> Iterator[str]:
    places = chart(state).places.values()
    towns = [place for place in places if place.kind is PlaceClass.TOWN and place.in_rules]
    for side in Side:
        names = [place.name for place in towns if state.control.get(place.hex) is side]
        if names:
            yield f"{capitalise(side_with_verb(side, 'holds', 'hold'))} {join_words(names)}."


def _strengths(state: State, sides: Iterable[Side]) -> Iterator[str]:
    for side in sides:
        units = [unit for unit in board(state).units if unit.side is side]
        hurt = sum(unit.disrupted for unit in units)
        on_map = (
            f"{side_with_verb(side, 'has', 'have')} {count_noun(len(units), 'unit')} on the map"
        )
        yield f"{capitalise(on_map)}, {spell_number(hurt) if hurt else 'none'} of them disrupted."


def _counts(state: State) -> Iterator[str]:
    for name, count in state.tallies.items():
        text = describe_tally(state, name, count)
        if text:
            yield text


def _due(state: State) -> Iterator[str]:
    waiting = sorted(state.due, key=lambda due: due.month)
    for due in waiting[:_MOST]:
        yield describe_due_units(state, due)
    if len(waiting) > _MOST:
        yield f"{capitalise(count_noun(len(waiting) - _MOST, 'more group'))} will come later."


def describe_due_units(state: State, due: DueUnits) -> str:
    """Return a group that is still to come: units, places and month."""
    places = "one of several places"
    if len(due.at) <= _MOST:
        places = join_words([describe_hex(hex_id) for hex_id in due.at], "or")
    when = "this month" if due.month <= state.month else f"in {month_name(due.month)}"
    title = "" if due.reason in _WAITING else f"{due.reason}: "
    return f"{capitalise(title + describe_force(due.units))}, expected at {places} {when}."


_SEEN = (
    "Scouts report {size} of the enemy{place}.",
    "The enemy is seen{place}: {size}.",
    "Word comes in of {size} of the enemy{place}.",
)
_COUNTED = (
    "Our men have counted the enemy{place}: {size}.",
    "The enemy stands close by{place}: {size}.",
)

_PASSING = (
    "Scouts have seen {size} of the enemy pass{place}.",
    "The enemy has passed{place}: {size}.",
)


class Sightings:
    """Reports of new enemy stacks in one side's sight, at the end of each phase."""

    def __init__(self, knowledge: SideKnowledge) -> None:
        self._known = knowledge
        self._told = self._seen()

    def tell(self, state: State, day: int) -> Iterator[DespatchSentence]:
        """Yield the stacks that are new, or of another size, since the last call."""
        before, self._told = self._told, self._seen()
        for place, size in sorted(self._told.items()):
            if before.get(place) is not size:
                hex_id, passing = place
                seen = self._known.passed if passing else self._known.sightings
                yield self._sentence(
                    SentenceDraft(Topic.SIGHTING, moment(state), day), seen[hex_id]
                )

    def _seen(self) -> dict[tuple[HexId, bool], StackSize]:
        sightings = (*self._known.sightings.values(), *self._known.passed.values())
        return {(seen.hex, seen.passing): seen.size for seen in sightings}

    def _sentence(self, draft: SentenceDraft, seen: Sighting) -> DespatchSentence:
        large = seen.size in (StackSize.FORCE, StackSize.HOST)
        draft.about(hex_id=seen.hex, side=seen.side).weigh(NEWS if large else ROUTINE)
        line = pick_phrase(_lines(seen), seen.hex, seen.month)
        size = describe_force(seen.units) if seen.units else f"{seen.size} ({seen.size.words})"
        place = "" if large else f" {about_hex(seen.hex)}"
        return draft.say(line.format(size=size, place=place)).finished()


def _lines(seen: Sighting) -> tuple[str, ...]:
    if seen.passing:
        return _PASSING
    return _COUNTED if seen.units else _SEEN


def describe_marker(seen: Sighting, now: Month) -> str:
    """Return a stack by size: `a body (4 to 9 units) of Mahdist troops near Shendy`.

    A stack seen in an earlier month has the month.
    """
    words = f"{seen.size} ({seen.size.words}) of {side_adjective(seen.side)} troops"
    when = "" if seen.month == now else f", last seen in {month_name(seen.month)}"
    when = f", seen passing in {month_name(seen.month)}" if seen.passing else when
    return f"{capitalise(words)} {about_hex(seen.hex)}{when}"


# Rulings of an umpire in words: the changes that each event makes to the position.


QUALITIES = {
    Quality.VETERAN: "of veteran quality",
    Quality.LINE: "of line quality",
    Quality.RABBLE: "of the quality of rabble",
    Quality.FANATIC: "of fanatic quality",
    Quality.NONE: "of no quality",
}


def describe_ruling(state: State, ruling: a.Ruled) -> Iterator[str]:
    """Yield a sentence for each event of the ruling, and apply the events to `state`."""
    for event in ruling.events:
        yield f"{capitalise(_describe(state, event))}."
        evolve(state, event)
    if ruling.random_event is not None:
        yield _event_in_words(state, ruling.random_event)
    if ruling.toss is not None:
        yield f"{capitalise(describe_toss(ruling.toss))} for it."


def _event_in_words(state: State, event: e.RandomEvent) -> str:
    title = random_events(state, event.side)[event.code].title
    return f"The random event of {side_name(event.side)} is “{title}” ({event.code})."


def _units(state: State, ids: tuple[UnitId, ...]) -> list[Unit]:
    return board(state).named(ids)


def _be(units: list[Unit]) -> str:
    return f"{describe_stack(units)} {'are' if is_plural(units) else 'is'}"


_describe = Handlers[State, [], str]("rulings in words")


@_describe.on(e.Deployed)
def _deployed(state: State, event: e.Deployed) -> str:
    units = _units(state, event.units)
    return f"{_be(units)} moved from {_from(units)} to {describe_hex(event.hex)}"


def _from(units: list[Unit]) -> str:
    places = dict.fromkeys(describe_hex(unit.hex) for unit in units)
    return next(iter(places)) if len(places) == 1 else "several hexes"


@_describe.on(e.Arrived)
def _arrived(state: State, event: e.Arrived) -> str:
    return f"{_be(list(event.units))} added {at_hex(event.units[0].hex)}"


@_describe.on(e.Removed)
def _removed(state: State, event: e.Removed) -> str:
    units = _units(state, event.units)
    return f"{_be(units)} removed from {_from(units)}"


@_describe.on(e.Disrupted)
def _disrupted(state: State, event: e.Disrupted) -> str:
    units = _units(state, event.units)
    return f"{_be(units)} disrupted {_at(units)}"


@_describe.on(e.Recovered)
def _recovered(state: State, event: e.Recovered) -> str:
    units = _units(state, event.units)
    recover = "recover" if is_plural(units) else "recovers"
    return f"{describe_stack(units)} {recover} {_at(units)}"


def _at(units: list[Unit]) -> str:
    places = dict.fromkeys(at_hex(unit.hex) for unit in units)
    return next(iter(places)) if len(places) == 1 else "in several hexes"


@_describe.on(e.Improved)
def _improved(state: State, event: e.Improved) -> str:
    units = _units(state, (event.unit,))
    return f"{_be(units)} {QUALITIES[event.quality]} from now on, {_at(units)}"


@_describe.on(e.ControlChanged)
def _control(state: State, event: e.ControlChanged) -> str:
    return f"{describe_hex(event.place)} is held by {side_name(event.side)}"


@_describe.on(e.RailBuilt)
def _built(state: State, event: e.RailBuilt) -> str:
    hexes = count_noun(event.hexes, "hex", "hexes")
    return f"{line_name(state, event.track)} is built on by {hexes}"


@_describe.on(e.RailLost)
def _lost(state: State, event: e.RailLost) -> str:
    hexes = count_noun(event.hexes, "hex", "hexes")
    return f"{line_name(state, event.track)} is torn up for {hexes}"


@_describe.on(e.Tallied)
def _tallied(state: State, event: e.Tallied) -> str:
    return f"{count_noun(event.count, 'turn')} are counted as “{event.name}”"


@_describe.on(e.CampaignEnded)
def _ended(state: State, event: e.CampaignEnded) -> str:
    return describe_result(event.result, event.score).rstrip(".")
