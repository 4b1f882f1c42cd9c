"""A player that does anything lawful, and knows the options and the map alone.

Actions straight from the options are certain to be allowed. The player asks about those that it
makes up from them (a voyage, a part of a stack, a way of its own to share losses) before it acts.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from battles.contract import Fate, Report, Troop
from battles.contract.brief import RIVER_CRAFT, Side, TroopKind
from battles.contract.report import TAKEN
from battles.core.game import IllegalAction
from campaign import rules
from campaign.rules.core import actions as a
from campaign.rules.core.options import MovableStack, Options
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import CombatRound, ToFight
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP, State, open_question
from campaign.rules.map import HexId, sudan

NOBODY = UnitId(0)
DRAWS = 8
"""The units drawn at random before those of a side are sorted out."""
_BATTLES = (TABLETOP, "redcoats", COMBAT_TABLE)


class Choice(NamedTuple):
    """An action, and whether the options promise that it is allowed."""

    action: a.AnyAction
    promised: bool


class RandomPlayer:
    """Answers every question at random; the same seed and the same states give the same answers.

    A `trusting` player does not ask about actions that the options promise: `play` checks them.
    """

    def __init__(self, seed: int, *, trusting: bool = False) -> None:
        self._random = Random(seed)
        self._trusting = trusting

    def choose(self, state: State) -> a.AnyAction:
        """Return a lawful answer to the open question;

        AssertionError when the options promised wrong.
        """
        offered = rules.options(state)
        assert offered is not None, "the campaign is over"
        for choice in self._ideas(state, offered):
            if choice.promised and self._trusting:
                return choice.action
            refusal = refusal_of(state, choice.action)
            if refusal is None:
                return choice.action
            assert not choice.promised, f"{choice.action} is offered and refused: {refusal}"
        raise AssertionError(f"a dead end: {offered}")

    def _ideas(self, state: State, offered: Options) -> Iterator[Choice]:
        wild, certain = _WAYS.get(offered.asks, (_nothing, _choose_hex_or_units))
        for _ in range(2):
            yield from wild(self._random, state, offered)
        yield from certain(self._random, state, offered)


def refusal_of(state: State, action: a.AnyAction) -> IllegalAction | None:
    """Return why the action may not be done; None when it may."""
    try:
        rules.check(state, action)
    except IllegalAction as refusal:
        return refusal
    return None


def _nothing(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    yield from ()


def _some(random: Random, units: Sequence[UnitId], least: int = 1) -> tuple[UnitId, ...]:
    """Return all of the units half of the time, otherwise some of them, in order."""
    if len(units) <= least or random.random() < 0.5:
        return tuple(units)
    return tuple(sorted(random.sample(list(units), random.randint(least, len(units)))))


def _deploys(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    if state.hand_off is None and random.random() < 0.02:
        yield Choice(a.HandOver(random.choice(_BATTLES)), promised=True)
    if not offered.deployments or random.random() < 0.4:
        return
    chosen = random.choice(sorted(offered.deployments))
    there = random.choice(offered.deployments[chosen])
    yield Choice(a.Deploy((chosen,), there), promised=True)
    here = state.units[chosen].hex
    stack = [unit.id for unit in state.units.values() if unit.hex == here]
    yield Choice(a.Deploy(_some(random, sorted(stack)), there), promised=False)


def _done(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    if offered.done:
        yield Choice(a.Done(), promised=True)


def _changes(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    """Part of a group placed, a unit withdrawn now and then, Camel Corps dismounted."""
    if offered.arrivals and random.random() < 0.5:
        group = random.choice(offered.arrivals)
        yield Choice(
            a.Place(
                group.group, random.choice(group.hexes or (HexId(0),)), _some(random, group.units)
            ),
            promised=False,
        )
    if offered.withdraw and random.random() < 0.02:
        yield Choice(a.Withdraw((random.choice(offered.withdraw),)), promised=True)
    yield from _dismounts(random, state, offered)


def _dismounts(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    """Yield two who stand together; or now and then any two, who may be far apart or have
    marched.
    """
    if offered.riders and random.random() < 0.2:
        together = random.choice(offered.riders)
        yield Choice(a.Dismount(tuple(random.sample(together, 2))), promised=True)
    riders = sorted(unit.id for unit in state.units.values() if unit.kind is TroopKind.CAMEL_CORPS)
    if len(riders) > 1 and random.random() < 0.02:
        yield Choice(a.Dismount(tuple(random.sample(riders, 2))), promised=False)


def _places(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    if offered.arrivals:
        group = random.choice(offered.arrivals)
        assert group.hexes, f"arrivals without a hex: {group}"
        yield Choice(a.Place(group.group, random.choice(group.hexes)), promised=True)
    yield from _done(random, state, offered)


def _sets_out(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    if random.random() < 0.1:
        yield from _dismounts(random, state, offered)
    if offered.stacks and random.random() < 0.9:
        yield from _starts(random, state, random.choice(offered.stacks))


def _starts(random: Random, state: State, stack: MovableStack) -> Iterator[Choice]:
    if stack.hulls and random.random() < 0.5:
        yield _voyage(random, state, stack.hex, (*_some(random, stack.hulls), *stack.units))
        hulls = _some(random, stack.hulls)
        aboard = random.sample(list(stack.units), min(len(stack.units), len(hulls)))
        yield _voyage(random, state, stack.hex, (*hulls, *aboard))
    if not stack.units:
        return
    leader = random.choice((NOBODY, *stack.leaders))
    if random.random() < 0.3:
        yield Choice(a.March(_some(random, stack.units), leader), promised=False)
    yield Choice(a.March(stack.units, leader), promised=True)


def _voyage(random: Random, state: State, here: HexId, units: Sequence[UnitId]) -> Choice:
    """Up or down the river, or to its other bank, as far as whim goes."""
    moves = sudan().river_moves
    course = random.choice((-1, 1))
    path: list[HexId] = []
    for _ in range(random.randint(1, 15)):
        ways = [move.to for move in moves.get(here, ()) if move.direction in (course, 0)]
        fresh = [there for there in ways if there not in path]
        if not fresh:
            break
        here = random.choice(fresh)
        path.append(here)
    return Choice(a.Sail(tuple(units), tuple(path)), promised=False)


def _goes_on(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    if random.random() < 0.5:
        yield from _attacks(random, state, offered)
    yield from random.choice(_MARCHING)(random, state, offered)


def _moves(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    reach = offered.reach
    if reach is None or not reach.before:
        return
    if random.random() < 0.5:
        there = min(reach.before, key=_far_from(_somebody(random, state, offered.side.enemy)))
    else:
        # In the order in which they were reached, which is the same for the same state.
        there = random.choice(list(reach.before))
    yield Choice(a.Move(reach.path(there)), promised=True)


def _somebody(random: Random, state: State, side: Side) -> HexId:
    """Return the hex of some unit of that side, or of anybody when it has none."""
    units = list(state.units.values())
    # Mostly the first or the second is of that side, so that nobody is sorted out.
    for _ in range(DRAWS):
        unit = random.choice(units)
        if unit.side is side:
            return unit.hex
    theirs = sorted({unit.hex for unit in units if unit.side is side})
    return random.choice(theirs or sorted({unit.hex for unit in units}))


def _far_from(goal: HexId) -> Callable[[HexId], tuple[int, HexId]]:
    distance = sudan().distance
    return lambda hex_id: (distance(hex_id, goal), hex_id)


def _attacks(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    if offered.targets:
        yield Choice(a.Attack(random.choice(offered.targets)), promised=True)


def _again(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    if offered.may_march:
        (stack,) = offered.stacks
        leader = random.choice((NOBODY, *offered.leaders))
        yield Choice(a.March(offered.units, leader), promised=False)
        hulls = sorted(
            unit.id
            for unit in state.units.values()
            if unit.hex == stack.hex and unit.kind in RIVER_CRAFT and unit.id not in offered.units
        )
        yield _voyage(random, state, stack.hex, (*offered.units, *_some(random, hulls)))


def _train(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    if offered.stations:
        promised = offered.side is Side.EGYPTIAN
        yield Choice(a.Rail(offered.units, random.choice(offered.stations)), promised)


def _drops(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    if random.random() < 0.2:
        yield Choice(a.DropOff(_some(random, offered.units)), promised=True)


def _halts(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    yield Choice(a.Halt(), promised=True)


def _picks(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    picked = random.sample(list(offered.units), offered.count)
    yield Choice(a.Pick(tuple(picked)), promised=True)


def _picks_for_thirst(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    """Civilians suffer last."""
    units = [unit for unit in offered.units if state.units[unit].kind is not TroopKind.CIVILIANS]
    civilians = [unit for unit in offered.units if unit not in units]
    random.shuffle(units)
    yield Choice(a.Pick((*units, *civilians)[: offered.count]), promised=True)


def _shares(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    units = random.sample(list(offered.units), len(offered.units))
    lost = len(offered.eliminated)
    hurt = units[lost : lost + len(offered.disrupted)]
    yield Choice(a.Share(tuple(units[:lost]), tuple(hurt)), promised=False)


def _shares_as_offered(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    yield Choice(a.Share(offered.eliminated, offered.disrupted), promised=True)


def _fights(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    """Any report that adds up, or another way to fight the battle."""
    if random.random() < 0.6:
        brief = open_question(state, ToFight).brief
        winner = random.choice((None, *Side))
        fates = {troop.id: _fate(random, troop, winner) for troop in brief.troops()}
        yield Choice(a.Reported(Report(brief.id, "tabletop", fates, winner)), promised=False)
    elif random.random() < 0.2:
        yield Choice(a.Fight(random.choice(_BATTLES)), promised=True)


def _fate(random: Random, troop: Troop, winner: Side | None) -> Fate:
    if troop.kind is TroopKind.FLEET or (troop.kind is TroopKind.LEADER and random.random() < 0.9):
        return Fate.GOOD
    if troop.kind is TroopKind.LEADER:
        return Fate.ELIMINATED
    least = Fate.DISRUPTED if troop.disrupted else Fate.GOOD
    prize = troop.kind in TAKEN and winner is Side.MAHDIST is not troop.nation.side
    worst = Fate.CAPTURED if prize else Fate.ELIMINATED
    return random.choice((least, least, least, Fate.DISRUPTED, Fate.ELIMINATED, worst))


def _fights_by_the_table(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    yield Choice(a.Fight(COMBAT_TABLE), promised=True)


def _leads(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    leader = random.choice((NOBODY, *offered.leaders))
    combat_round = random.choice(tuple(CombatRound)) if leader else None
    yield Choice(a.Lead(leader, combat_round), promised=True)


def _retreats(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    if offered.done and random.random() < 0.5:
        yield Choice(a.Retreat(()), promised=True)
    elif offered.back_along:
        length = random.randint(1, len(offered.back_along))
        yield Choice(a.Retreat(offered.back_along[:length]), promised=True)
    elif offered.reach is not None and offered.reach.before:
        refuge = random.choice(sorted(offered.reach.before))
        yield Choice(a.Retreat(offered.reach.path(refuge)), promised=True)


def _draws_supply(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    yield Choice(a.Supply(random.choice((NOBODY, *offered.sources))), promised=True)


def _choose_hex_or_units(random: Random, state: State, offered: Options) -> Iterator[Choice]:
    if offered.hexes:
        yield Choice(a.Choose(random.choice(offered.hexes)), promised=True)
    else:
        yield from _picks(random, state, offered)


Way = Callable[[Random, State, Options], Iterator[Choice]]

_MARCHING: tuple[Way, ...] = (
    _moves,
    _moves,
    _moves,
    _attacks,
    _attacks,
    _again,
    _train,
    _drops,
    _halts,
)

_WAYS: dict[str, tuple[Way, Way]] = {
    "set up": (_deploys, _done),
    "reinforce": (_changes, _places),
    "march": (_sets_out, _done),
    "on march": (_goes_on, _halts),
    "disrupt": (_nothing, _picks),
    "share losses": (_shares, _shares_as_offered),
    "lead": (_nothing, _leads),
    "fight": (_fights, _fights_by_the_table),
    "retreat": (_nothing, _retreats),
    "supply": (_nothing, _draws_supply),
    "share attrition": (_nothing, _picks_for_thirst),
}
