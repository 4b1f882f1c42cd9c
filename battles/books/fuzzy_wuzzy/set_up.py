"""The set-up of a battle: the layout of a brief, a deployment, and the state it becomes."""

from functools import lru_cache

import msgspec

from battles.books.fuzzy_wuzzy import board, observing, sequence
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.book import book, is_regular
from battles.books.fuzzy_wuzzy.evolve import evolve
from battles.books.fuzzy_wuzzy.muster import Army, muster
from battles.books.fuzzy_wuzzy.pieces import Arm, Purpose
from battles.books.fuzzy_wuzzy.play import rules
from battles.books.fuzzy_wuzzy.state import VERSION, State, Unit
from battles.contract.brief import Brief, Side
from battles.core.dice import Dice
from battles.core.game import Ledger, Outcome, Step
from battles.tabletop import deployment as common
from battles.tabletop.deployment import Outline, Post
from battles.tabletop.deployment_lines import DeploymentBand, Role
from battles.tabletop.field import OpenField
from battles.tabletop.formations import TableFormation
from battles.tabletop.ground import TableScale


class Deployment(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A battle ready to begin, made from a brief.

    `late` are the numbers of units that wait off the field; `homes` the bearings of the sides' own
    edges; `zones` where the sides may place their units instead; `plans` say which side is to
    "attack" and which to "hold"; `turns` until nightfall, 0 for
    the usual number.
    """

    title: str
    field: OpenField
    units: tuple[Unit, ...]
    homes: dict[Side, int]
    zones: dict[Side, tuple[Outline, ...]] = {}
    plans: dict[Side, str] = {}
    late: tuple[int, ...] = ()
    turns: int = 0
    brief: Brief | None = None
    drawn_from: dict[int, tuple[int, ...]] = {}


def new_game(deployment: Deployment, dice: Dice) -> tuple[State, Outcome]:
    """Return the battle at its first question, and the outcome that led there."""
    state = drawn_up(deployment)
    return state, start_battle(state, dice)


def drawn_up(deployment: Deployment) -> State:
    """Return the battle before its first event, as the first state of a journal."""
    units = {unit.id: msgspec.structs.replace(unit) for unit in deployment.units}
    return State(
        version=VERSION,
        title=deployment.title,
        field=deployment.field,
        units=units,
        homes=dict(deployment.homes),
        zones=dict(deployment.zones),
        line_up={
            unit.id: sequence.post_of(unit)
            for unit in deployment.units
            if deployment.zones.get(unit.side) and unit.id not in deployment.late
        },
        plans=dict(deployment.plans),
        strengths={
            side: sum(observing.count_stands(unit) for unit in units.values() if unit.side is side)
            for side in Side
        },
        turns=deployment.turns or book().number("turns"),
        brief=deployment.brief,
        drawn_from=dict(deployment.drawn_from),
        waiting={
            number: Post(units[number].at, units[number].facing, units[number].formation)
            for number in deployment.late
        },
        next_id=max(units, default=0) + 1,
    )


def start_battle(state: State, dice: Dice) -> Outcome:
    """Begin the first move; a battle without an enemy is over before it."""
    ledger = Ledger(state, dice, evolve)
    beaten = [side for side in Side if observing.wavers(state, side)]
    if beaten:
        ledger.emit(e.BattleEnded(result=observing.over(state, beaten)))
    else:
        ledger.then(sequence.SET_UP.step(state), Step("turn begins"))
    return rules.advance(ledger)


TABLES = ((14, 12000, 9000), (26, 15000, 12000), (40, 18000, 15000), (80, 24000, 18000))
"""Units, width and height: the table for up to so many units, in hundredths of a centimetre."""
GAP = 4500
"""The distance between the lines at the beginning: out of range of single-shot rifles."""
ROOM = 200
ROLES = {
    Arm.COMMAND: Role.LEADER,
    Arm.INFANTRY: Role.FOOT,
    Arm.CAVALRY: Role.HORSE,
    Arm.ARTILLERY: Role.GUN,
    Arm.MACHINE_GUN: Role.GUN,
    Arm.TRANSPORT: Role.TRAIN,
}
_SQUARE_OF = 4


@lru_cache(maxsize=8)
def lay_out(brief: Brief) -> Deployment:
    """Return the battle of the brief before it begins."""
    army = muster(brief)
    laid = common.lay_out(brief, [band(unit) for unit in army.units], scale())
    return Deployment(
        title=brief.title,
        field=laid.field,
        units=_place_army(army, laid),
        homes=dict(laid.homes),
        zones=laid.zones,
        plans=plans(brief),
        late=tuple(sorted(laid.late)),
        turns=brief.turns,
        brief=brief,
        drawn_from=army.drawn_from,
    )


def plans(brief: Brief) -> dict[Side, str]:
    """Return each side's plan: as the brief orders it; by default the attacker attacks."""
    usual = {brief.attacker.side: "attack", brief.defender.side: "hold"}
    return {side: brief.party(side).orders or usual[side] for side in Side}


def scale() -> TableScale:
    """Return the measures of this book's tables."""
    return TableScale("cm", TABLES, GAP, ROOM, board.STAND)


def band(unit: Unit) -> DeploymentBand:
    """Return the unit for the layout; regular foot among stronger enemies form square."""
    regular = is_regular(unit.troops, Purpose.MOVE)
    able = regular and unit.moves_as is Arm.INFANTRY and unit.stands >= _SQUARE_OF
    return DeploymentBand(
        unit.id,
        unit.side,
        Role.FOOT if unit.moves_as is Arm.INFANTRY else ROLES[unit.arm],
        unit.stands,
        board.STAND,
        unit.formation,
        TableFormation.SQUARE if able else None,
        regular=regular,
        steady=not unit.casualties,
        strength=unit.stands,
        spears=unit.weapon == "none",
    )


def _place_army(army: Army, laid: common.LaidOut) -> tuple[Unit, ...]:
    posts = laid.posts | laid.late
    return tuple(
        msgspec.structs.replace(
            unit,
            at=posts[unit.id].at,
            facing=posts[unit.id].facing % 360,
            formation=posts[unit.id].formation,
        )
        for unit in army.units
    )
