"""Rulings by an umpire: their effects, checks and events."""

from collections.abc import Mapping, Sequence

import msgspec

from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.decoding import decode, encode
from battles.core.dice import MOST_FACES, Roll
from battles.core.game import IllegalAction, Ledger, Step
from battles.core.rules_engine import Handlers
from battles.core.validation import hidden_characters_in
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.board import board, chart, is_land, laws, random_events
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import CampaignResult, Phase, State, Unit
from campaign.rules.invariants import check_position
from campaign.rules.map import HexId
from campaign.rules.railways import lines
from campaign.rules.random_events.running_effect import EFFECT, RunningEffect
from campaign.rules.stacks import capitalise_first, describe_unit
from campaign.rules.supply import supply_choices

# Rulings of the umpire: events that happen by decision, if the resulting position is valid.
#
# A ruling changes the position and answers no question. It has no consequences beyond its own
# events: a place that changes hands wins no campaign, a leader removed has no successor.


CLAUSE = "5.0"
CAUSE = "ruling"
LONGEST_REASON = 300
LONGEST_NAME = 60
"""The characters of a new unit's name."""
MOST_DICE = 20
_STEP_TO_RESUME: Mapping[type, str] = {q.ToReinforce: "place arrivals", q.ToMarch: "march goes on"}
"""Step that asks the open question again after a random event."""


def check_ruling(state: State, action: a.Ruled) -> None:
    """Raise IllegalAction for a ruling without reason or change, or with an invalid position."""
    if not action.reason.strip() or len(action.reason) > LONGEST_REASON:
        raise IllegalAction(CLAUSE, f"A ruling needs a reason of 1 to {LONGEST_REASON} characters.")
    if hidden := hidden_characters_in(action.reason):
        raise IllegalAction(CLAUSE, f"The reason contains the invisible character {hidden}.")
    if not (action.events or action.toss or action.random_event):
        raise IllegalAction(CLAUSE, "This ruling changes nothing.", "Say what it changes.")
    _check_toss(action.toss)
    _check_random_event(state, action.random_event)
    check_position(after(state, action.events))


def after(state: State, events: tuple[e.AnyEvent, ...]) -> State:
    """Return the state after these events. Raise IllegalAction for one that cannot happen."""
    copy = decode(encode(state), State)
    untouchable = _units_in_question(state)
    for event in events:
        if type(event) not in _check_event:
            raise IllegalAction(
                CLAUSE,
                f"{type(event).__name__} is nothing an umpire rules.",
                f"There are {', '.join(kind.__name__ for kind in _check_event)}.",
            )
        _check_untouched(copy, event, untouchable)
        _check_event(copy, event)
        evolve(copy, event)
    return copy


def rule(ledger: Ledger[State], action: a.Ruled) -> None:
    """Record the ruling and its events; the open question stays open."""
    if action.toss is not None:
        ledger.roll(
            Roll(action.reason, CLAUSE, (0,) * action.toss.count, action.toss.sides, table=CAUSE)
        )
    ledger.emit(e.RulingGiven(action.reason.strip(), action.to, action.toss))
    for event in action.events:
        ledger.emit(event)
    _ask_again_about_supply(ledger)
    if action.random_event is not None:
        _schedule_random_event(ledger, action.random_event)
    if ledger.state.result is not None:
        ledger.state.agenda.clear()
        ledger.answered()


def _ask_again_about_supply(ledger: Ledger[State]) -> None:
    """Ask about the stacks and supply units that there are now, if that is the open question."""
    question = ledger.state.question
    if isinstance(question, q.ToSupply):
        choices = supply_choices(ledger.state, question.side)
        ledger.ask(q.ToSupply(question.side, choices))


def _schedule_random_event(ledger: Ledger[State], event: e.RandomEvent) -> None:
    """Schedule the effects of the random event, then the open question again."""
    question = ledger.state.question
    row = RunningEffect(event.side, event.code, "").row(ledger.state)
    ledger.emit(e.EventRolled(event.side, event.code, row.title))
    effects = (Step(EFFECT, (event.side, event.code, str(n))) for n in range(len(row.effects)))
    ledger.answered()
    ledger.then(*effects, Step(_STEP_TO_RESUME[type(question)], (ledger.state.side,)))


def _check_toss(toss: e.Toss | None) -> None:
    if toss is None:
        return
    if not (1 <= toss.count <= MOST_DICE and 2 <= toss.sides <= MOST_FACES):
        raise IllegalAction(
            CLAUSE, f"Throw 1 to {MOST_DICE} dice of 2 to {MOST_FACES} faces for a ruling."
        )


def _check_random_event(state: State, event: e.RandomEvent | None) -> None:
    if event is None:
        return
    if type(state.question) not in _STEP_TO_RESUME or state.side is not event.side:
        raise IllegalAction(
            "5.2",
            f"No random event of the {event.side} side can be ruled just now.",
            "Wait for its own reinforcement phase, or until no stack of its is on the march.",
        )
    try:
        random_events(state, event.side)[event.code]
    except KeyError as error:
        raise IllegalAction(
            "5.2",
            f"The {event.side} side has no random event {event.code}.",
            "Name a throw of its table: 11 to 66, by both dice.",
        ) from error


def _units_in_question(state: State) -> frozenset[UnitId]:
    """Return the units that a march, a combat or the open question is about."""
    units = set(getattr(state.question, "units", ()))
    hex_id = getattr(state.question, "hex", None)
    if hex_id is not None:
        units |= {unit.id for unit in state.units.values() if unit.hex == hex_id}
    if state.march is not None:
        units |= set(state.march.units)
    if state.combat is not None:
        units |= {*state.combat.attacker.units, *state.combat.defender.units}
    return frozenset(units)


def _check_untouched(state: State, event: e.AnyEvent, being_decided: frozenset[UnitId]) -> None:
    touched = set(getattr(event, "units", ())) if not isinstance(event, e.Arrived) else set()
    touched |= {event.unit} if isinstance(event, e.Improved) else set()
    for unit in board(state).named(sorted(touched & being_decided)):
        raise IllegalAction(
            CLAUSE,
            f"{capitalise_first(describe_unit(unit))} is on the march, in a combat, or in "
            "what is asked just now.",
            "Let that be settled first, or go back to before it.",
        )


def _check_units(state: State, units: tuple[UnitId, ...]) -> None:
    unknown = [unit_id for unit_id in units if unit_id not in state.units]
    if unknown or not units:
        reason = f"There is no unit {unknown[0]}." if unknown else "No unit is named."
        raise IllegalAction(CLAUSE, reason, "Name units that are in play.")
    if len(set(units)) < len(units):
        raise IllegalAction(CLAUSE, "A unit is named twice.", "Name each unit once.")


_check_event = Handlers[State, [], None]("ruling")


@_check_event.on(e.Deployed)
def _deployed(state: State, event: e.Deployed) -> None:
    _check_units(state, event.units)


@_check_event.on(e.Arrived)
def _arrived(state: State, event: e.Arrived) -> None:
    if state.phase is Phase.SET_UP:
        raise IllegalAction("2.1", "Units are not added before play has begun.", "Begin it first.")
    numbers = [unit.id for unit in event.units]
    expected = list(range(state.next_unit, state.next_unit + len(numbers)))
    if not numbers or numbers != expected:
        raise IllegalAction(CLAUSE, f"The next new unit is number {state.next_unit}.")
    for unit in event.units:
        if not _has_pieces(state, unit.kind, unit.nation):
            reason = f"Among the {unit.nation.capitalize()} pieces there is no {unit.kind}."
            raise IllegalAction("2.2", reason, "Choose another kind or nation.")
        if len(unit.name) > LONGEST_NAME:
            raise IllegalAction(CLAUSE, f"A name has {LONGEST_NAME} characters at most.")
        if hidden := hidden_characters_in(unit.name):
            raise IllegalAction(CLAUSE, f"The name contains the invisible character {hidden}.")


def _has_pieces(state: State, kind: TroopKind, nation: Nation) -> bool:
    """Return whether the nation has such pieces; pieces without a quality fit any nation."""
    law = laws(state)
    fights = any(law.default(kind, candidate).quality for candidate in Nation)
    return not fights or bool(law.default(kind, nation).quality)


@_check_event.on(e.Removed)
def _removed(state: State, event: e.Removed) -> None:
    _check_units(state, event.units)


@_check_event.on(e.Disrupted)
def _disrupted(state: State, event: e.Disrupted) -> None:
    _check_units(state, event.units)
    for unit in board(state).named(event.units):
        if unit.disrupted:
            raise IllegalAction(
                "9.7", f"{capitalise_first(describe_unit(unit))} is disrupted already."
            )


@_check_event.on(e.Recovered)
def _recovered(state: State, event: e.Recovered) -> None:
    _check_units(state, event.units)
    for unit in board(state).named(event.units):
        if not unit.disrupted:
            raise IllegalAction(
                "5.2", f"{capitalise_first(describe_unit(unit))} is in good order already."
            )


@_check_event.on(e.Improved)
def _improved(state: State, event: e.Improved) -> None:
    _check_units(state, (event.unit,))
    if not _has_pieces(state, event.kind, state.units[event.unit].nation):
        raise IllegalAction("2.2", f"That nation has no {event.kind}.", "Choose another kind.")


@_check_event.on(e.ControlChanged)
def _control(state: State, event: e.ControlChanged) -> None:
    if event.place not in state.control:
        raise IllegalAction("3.2", "Only a place of the map is held by somebody.", "Name a place.")


@_check_event.on(e.RailBuilt, e.RailLost)
def _rails(state: State, event: e.RailBuilt | e.RailLost) -> None:
    hexes = lines(state).get(event.track)
    if hexes is None:
        raise IllegalAction(
            "3.4",
            f"There is no railway {event.track!r} in this scenario.",
            f"Name one of {', '.join(lines(state))}.",
        )
    change = event.hexes if isinstance(event, e.RailBuilt) else -event.hexes
    if event.hexes < 1 or not 0 <= state.railheads.get(event.track, 0) + change <= len(hexes):
        raise IllegalAction(
            "3.4",
            f"That railway has 0 to {len(hexes)} hexes.",
            "Lay or take up fewer, at least one.",
        )


@_check_event.on(e.Tallied)
def _tallied(state: State, event: e.Tallied) -> None:
    if event.name not in state.tallies or event.count < 0:
        raise IllegalAction(
            "4.1",
            f"Nothing is counted under {event.name!r}.",
            f"Name one of {', '.join(state.tallies)}, and a count of 0 or more.",
        )


@_check_event.on(e.CampaignEnded)
def _ended(state: State, event: e.CampaignEnded) -> None:
    if not event.result.reason.strip():
        raise IllegalAction("4", "Say why the campaign is over.")


# Changes that an umpire may make to a position, as events.
#
# The resulting position is checked when the ruling is given.


MOST_ADDED = 20
"""Limit of units added at once."""


class Recruit(msgspec.Struct, frozen=True):
    """Units to be added; without `quality` they are of the book's; leaders have a name."""

    kind: TroopKind
    nation: Nation
    count: int = 1
    quality: Quality = Quality.NONE
    name: str = ""


def move(state: State, units: Sequence[UnitId], hex_id: HexId) -> tuple[e.AnyEvent, ...]:
    """Return the events that move the units to that hex and give them control of its place."""
    moved = board(state).named(units)
    deployed = e.Deployed(tuple(units), hex_id)
    sides = {unit.side for unit in moved if is_land(unit)}
    new_holders = [side for side in sorted(sides) if _takes(state, side, hex_id)]
    return (deployed, *(e.ControlChanged(hex_id, side) for side in new_holders))


def _takes(state: State, side: Side, hex_id: HexId) -> bool:
    return hex_id in state.control and state.control[hex_id] is not side


def add(state: State, recruit: Recruit, hex_id: HexId) -> tuple[e.AnyEvent, ...]:
    """Return the events that add new units to that hex, in good order.

    Raise IllegalAction for more than twenty at once.
    """
    if not 1 <= recruit.count <= MOST_ADDED:
        raise IllegalAction(CLAUSE, f"Add 1 to {MOST_ADDED} units at a time.")
    standard = laws(state).default(recruit.kind, recruit.nation)
    quality = recruit.quality or standard.quality
    units = tuple(
        Unit(
            UnitId(state.next_unit + place),
            recruit.kind,
            recruit.nation,
            quality,
            standard.strength,
            hex_id,
            name=recruit.name.strip(),
        )
        for place in range(recruit.count)
    )
    is_taken = is_land(units[0]) and _takes(state, units[0].side, hex_id)
    control = (e.ControlChanged(hex_id, units[0].side),) if is_taken else ()
    return (e.Arrived(units, CAUSE), *control)


def remove(state: State, units: Sequence[UnitId]) -> tuple[e.AnyEvent, ...]:
    """Return the event that removes the units; Mahdist counters return to the pool (3.2)."""
    return (e.Removed(tuple(units), CAUSE),)


def disrupt(state: State, units: Sequence[UnitId]) -> tuple[e.AnyEvent, ...]:
    """Return the event that disrupts the units."""
    return (e.Disrupted(tuple(units), CAUSE),)


def recover(state: State, units: Sequence[UnitId]) -> tuple[e.AnyEvent, ...]:
    """Return the event that restores the units to good order."""
    return (e.Recovered(tuple(units)),)


def make(state: State, units: Sequence[UnitId], quality: Quality) -> tuple[e.AnyEvent, ...]:
    """Return the events that change the units' quality."""
    chosen = board(state).named(units)
    return tuple(e.Improved(unit.id, quality, unit.kind) for unit in chosen)


def give_place(state: State, hex_id: HexId, side: Side) -> tuple[e.AnyEvent, ...]:
    """Return the event that gives the place to the side. Raise IllegalAction without a place."""
    if hex_id not in state.control:
        raise IllegalAction("3.2", f"There is no place in {chart(state).describe(hex_id)}.")
    return (e.ControlChanged(hex_id, side),)


def lay_rails(state: State, track: str, hexes: int) -> tuple[e.AnyEvent, ...]:
    """Return the event that sets the length of the railway to `hexes`.

    Raise IllegalAction when there is no such railway, or no change.
    """
    if track not in lines(state):
        raise IllegalAction("3.4", f"There is no railway {track!r} in this scenario.")
    change = hexes - state.railheads.get(track, 0)
    if not change:
        raise IllegalAction("3.4", f"That railway is of that length already: {hexes}.")
    return (e.RailBuilt(track, change) if change > 0 else e.RailLost(track, -change),)


def end(state: State, winner: Side | None, reason: str) -> tuple[e.AnyEvent, ...]:
    """Return the event that ends the campaign; it is drawn where `winner` is None."""
    return (e.CampaignEnded(CampaignResult(winner, reason.strip(), CLAUSE)),)
