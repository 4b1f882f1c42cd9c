"""A campaign as a side may see it, and the events that a side learns of."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any

import msgspec

from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.rules_engine import Handlers
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.board import board, forget, scenario_of
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import Combat, HandOff, Phase, State, Unit, clone
from campaign.rules.map import HexId
from campaign.rules.set_up import vacant_towns
from campaign.rules.sight.knowledge import (
    SideKnowledge,
    Sighting,
    StackSize,
    Watch,
    sighting_in,
    watch,
)

# Visibility of events: which of them a side learns of.


PUBLIC = (
    e.MonthBegan
    | e.PhaseBegan
    | e.TurnEnded
    | e.BattlesArranged
    | e.RailBuilt
    | e.RailLost
    | e.Tallied
    | e.CampaignEnded
    | e.CombatBegan
    | e.Guided
    | e.Tested
    | e.HandedOver
    | e.Fought
    | e.CombatEnded
    | e.Captured
)
"""Events known to both sides: the calendar, the railways, and all combat."""

_OF_THE_TURN = (
    e.Settled | e.Postponed | e.ForceCalled | e.Stopped | e.MarchRolled | e.Flagged | e.DrawnOn
)
"""Events known only to the side whose turn it is."""


def learns_of(knowledge: SideKnowledge, state: State, event: e.AnyEvent) -> bool:
    """Return whether the side learns of an event that is about to happen to the state.

    It learns of all events of its own. Of the enemy it learns what it sees unit by unit from
    beginning to end, and what happens in a combat.
    """
    if isinstance(event, PUBLIC):
        return True
    if isinstance(event, _OF_THE_TURN):
        return state.side is knowledge.side
    return type(event) in _hears and _hears(state, event, knowledge.side)


def _units(side: Side, state: State, ids: Iterable[UnitId], *ends: HexId) -> bool:
    """Return whether each unit is its own, in its combat, or in a hex where it counts units."""
    return _seen(side, state, board(state).named(ids), *ends)


def _seen(side: Side, state: State, units: Iterable[Unit], *ends: HexId) -> bool:
    strange = [unit for unit in units if unit.side is not side]
    if not strange:
        return True
    near = _near(state, side)
    is_visible = all(unit.hex in near or _fights(state.combat, unit) for unit in strange)
    return is_visible and all(hex_id in near for hex_id in ends)


def _near(state: State, side: Side) -> frozenset[HexId]:
    """Return the hexes where the side sees unit by unit."""
    return watch(state, side).near


def _fights(combat: Combat | None, unit: Unit) -> bool:
    return combat is not None and unit.id in combat.force(unit.side).units


_hears = Handlers[State, [Side], bool]("hearsay")


@_hears.on(
    e.Removed,
    e.Disrupted,
    e.Recovered,
    e.Boarded,
    e.DroppedOff,
    e.Mustered,
    e.MarchEnded,
    e.Wrecked,
)
def _of_units(state: State, event: Any, side: Side) -> bool:
    return _units(side, state, event.units)


@_hears.on(e.Arrived)
def _arrived(state: State, event: e.Arrived, side: Side) -> bool:
    return all(unit.side is side or unit.hex in _near(state, side) for unit in event.units)


@_hears.on(e.Moved, e.WentByRail, e.Sailed)
def _goes(state: State, event: Any, side: Side) -> bool:
    """Return whether the side sees the march that goes on, from its first hex to its last."""
    if state.march is None:
        return state.side is side
    return _units(side, state, state.march.units, *event.path)


@_hears.on(e.MarchBegan)
def _begins(state: State, event: e.MarchBegan, side: Side) -> bool:
    return _units(side, state, event.march.units)


@_hears.on(e.Retreated)
def _retreats(state: State, event: e.Retreated, side: Side) -> bool:
    return _units(side, state, event.units, event.path[-1])


@_hears.on(e.Deployed, e.SailedAway)
def _put(state: State, event: Any, side: Side) -> bool:
    return _units(side, state, event.units, event.hex)


@_hears.on(e.ControlChanged)
def _of_place(state: State, event: e.ControlChanged, side: Side) -> bool:
    """Return whether the place is gained or lost by the side, or in its sight."""
    held_before = state.control.get(event.place) is side
    return event.side is side or held_before or event.place in watch(state, side).seen


@_hears.on(e.Supplied)
def _of_stack(state: State, event: Any, side: Side) -> bool:
    return bool(board(state).stack(side, event.hex))


@_hears.on(e.EventRolled)
def _of_side(state: State, event: e.EventRolled, side: Side) -> bool:
    return event.side is side


@_hears.on(e.Lapsed)
def _lapsed(state: State, event: e.Lapsed, side: Side) -> bool:
    return state.in_force[event.place].side is side


@_hears.on(e.CameIntoForce)
def _in_force(state: State, event: e.CameIntoForce, side: Side) -> bool:
    return event.effect.side is side


@_hears.on(e.Waited)
def _waited(state: State, event: e.Waited, side: Side) -> bool:
    return all(unit.side is side for unit in event.due.units)


@_hears.on(e.Improved)
def _one(state: State, event: e.Improved, side: Side) -> bool:
    return _units(side, state, [event.unit])


@_hears.on(e.Thirsted)
def _thirsted(state: State, event: e.Thirsted, side: Side) -> bool:
    return event.side is side


@_hears.on(e.RulingGiven)
def _ruled(state: State, event: e.RulingGiven, side: Side) -> bool:
    """Return whether the umpire's ruling is addressed to the side."""
    return side in event.to


# Views of a campaign: the state as a viewer may see it, with hidden parts removed.


class Onlooker(StrEnum):
    """A viewer who plays neither side: the umpire, who sees all, or the public."""

    UMPIRE = "umpire"
    PUBLIC = "public"


Viewer = Side | Onlooker


STAND_IN = "unknown"
"""Name of the placeholder units in a stack of which only the size is known."""

_STANDING_IN = {
    Side.EGYPTIAN: (Nation.EGYPTIAN, TroopKind.INFANTRY),
    Side.MAHDIST: (Nation.MAHDIST, TroopKind.SPEARS),
}
_FEWEST = {StackSize.HANDFUL: 1, StackSize.BODY: 4, StackSize.FORCE: 10, StackSize.HOST: 20}
_OPENLY_ASKED = q.ToSetUp | q.ToReinforce | q.ToMarch


class View(msgspec.Struct):
    """The campaign for a viewer: the known part of the state, and stacks seen from afar.

    `sightings` are enemy stacks in sight of which the size alone is known; `markers` are stacks
    last seen elsewhere. Neither is in `state`. `fogged` is False where nothing is hidden.
    """

    viewer: Viewer
    state: State
    fogged: bool = False
    sightings: tuple[Sighting, ...] = ()
    markers: tuple[Sighting, ...] = ()

    @property
    def counted(self) -> tuple[Side, ...]:
        """Return the sides that have all their units in `state`: only they can be counted."""
        return tuple(side for side in Side if not self.fogged or self.viewer is side)


def visible_campaign(state: State, viewer: Viewer, knowledge: SideKnowledge | None = None) -> View:
    """Return a copy of the campaign for the viewer; all of it when `knowledge` is None.

    The umpire sees all of it too. A viewer without a side sees the holders of known places, the
    railways, and no units.
    """
    copy = clone(state)
    if knowledge is None or viewer is Onlooker.UMPIRE:
        return View(viewer, copy)
    if not isinstance(viewer, Side):
        _blank(copy, knowledge)
        return View(viewer, copy, fogged=True)
    seeing = watch(state, viewer)
    _hide(copy, viewer, knowledge, seeing)
    return View(
        viewer,
        copy,
        fogged=True,
        sightings=tuple(_in_sight(state, viewer, seeing)),
        markers=tuple(_remembered_sightings(knowledge, seeing)),
    )


def supposed_state(view: View) -> State:
    """Return the view as a state for the rules, with placeholder units for unknown stacks.

    The placeholders have negative numbers and no strength; there are as many as the size class has
    at least.
    """
    state = clone(view.state)
    numbers = iter(range(-1, -100_000, -1))
    for seen in view.sightings:
        nation, kind = _STANDING_IN[seen.side]
        for _ in range(_FEWEST[seen.size]):
            number = UnitId(next(numbers))
            state.units[number] = Unit(
                number, kind, nation, Quality.RABBLE, 0, seen.hex, name=STAND_IN
            )
    forget(state)
    return state


def _in_sight(state: State, viewer: Side, seeing: Watch) -> Iterator[Sighting]:
    for hex_id in board(state).hexes(viewer.enemy):
        if hex_id in seeing.seen and hex_id not in seeing.near:
            yield sighting_in(state, hex_id, viewer, seeing)


def _remembered_sightings(knowledge: SideKnowledge, seeing: Watch) -> Iterator[Sighting]:
    for hex_id in sorted(knowledge.sightings):
        if hex_id not in seeing.seen:
            yield knowledge.sightings[hex_id]
    for hex_id in sorted(knowledge.passed):
        yield knowledge.passed[hex_id]


def _hide(state: State, viewer: Side, knowledge: SideKnowledge, seeing: Watch) -> None:
    """Remove from the copy all that the side does not know."""
    state.units = {
        unit.id: unit
        for unit in state.units.values()
        if unit.side is viewer or unit.hex in seeing.near
    }
    state.due = [due for due in state.due if all(unit.side is viewer for unit in due.units)]
    state.in_force = [effect for effect in state.in_force if effect.side is viewer]
    if viewer is not Side.MAHDIST:
        state.pool, state.box = {}, {}
    if state.march is not None and not _is_own(state, state.march.units, viewer):
        state.march = None
    state.question = _question(state, viewer)
    _forget_hidden(state, knowledge)
    if viewer is not Side.EGYPTIAN:
        _forget_visits(state)


def _blank(state: State, knowledge: SideKnowledge) -> None:
    """Remove all that a side might want to hide."""
    state.units, state.due, state.in_force, state.pool, state.box = {}, [], [], {}, {}
    state.march = state.combat = None
    state.question = _openly(state)
    _forget_hidden(state, knowledge)
    _forget_visits(state)


def _forget_hidden(state: State, knowledge: SideKnowledge) -> None:
    state.control = {
        place: knowledge.held[place] for place in state.control if place in knowledge.held
    }
    state.agenda = []
    state.marched = _only(state, state.marched)
    state.hulls_used = _only(state, state.hulls_used)
    state.drawn_on = _only(state, state.drawn_on)
    # The true number would reveal how many units have come into play.
    numbers_due = (unit.id for due in state.due for unit in due.units)
    state.next_unit = max((*state.units, *numbers_due), default=0) + 1
    if state.hand_off is not None:
        state.hand_off = _told_of(state.hand_off, state)


def _forget_visits(state: State) -> None:
    """Hide which of the towns that the set-up left empty the Egyptian player has visited (3.2)."""
    empty = vacant_towns(scenario_of(state))
    state.vacant = [hex_id for hex_id in empty if state.control.get(hex_id) is Side.EGYPTIAN]


def _told_of(agreed: HandOff, state: State) -> HandOff:
    moved = {unit_id: turn for unit_id, turn in agreed.moved.items() if unit_id in state.units}
    return msgspec.structs.replace(agreed, moved=moved)


def _only(state: State, ids: Iterable[UnitId]) -> list[UnitId]:
    return [unit_id for unit_id in ids if unit_id in state.units]


def _is_own(state: State, ids: Iterable[UnitId], viewer: Side) -> bool:
    units = board(state).named(ids)
    return bool(units) and all(unit.side is viewer for unit in units)


def _question(state: State, viewer: Side) -> q.Question | None:
    """Return the viewer's own question whole; of the enemy's only the public part."""
    if state.question is None or state.question.side is viewer:
        return state.question
    both = q.ToFight
    return state.question if isinstance(state.question, both) else _openly(state)


def _openly(state: State) -> q.Question | None:
    """Return the public part of the open question: its side and its phase."""
    if state.question is None or isinstance(state.question, _OPENLY_ASKED):
        return state.question
    kind = q.ToReinforce if state.phase is Phase.REINFORCEMENT else q.ToMarch
    return kind(state.question.side)
