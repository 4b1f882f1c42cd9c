"""An order sheet as it is written: what is impossible, what has no point, what is a risk.

The sheet is gone through by the very code that carries it out, on the position as its side knows
it, so what is refused here would be refused there, by the same clause.
"""

from collections.abc import Iterator, Sequence
from math import prod

from campaign.orders.commands import Commander, Headquarters, commander_of
from campaign.orders.document import Came, IfBattle, MarchOrder, Order, StayOrder
from campaign.orders.findings import Finding, Part, Verdict
from campaign.orders.pointless import pointless_arrival, pointless_order
from campaign.orders.progress import Outcome, Told
from campaign.orders.rehearsal import Fight, Rehearsed, Throw, rehearse
from campaign.rules.board import board
from campaign.rules.combat.afloat import is_afloat
from campaign.rules.english.names import at
from campaign.rules.english.words import times
from campaign.rules.map import HexId
from campaign.rules.march.marching import may_march
from campaign.rules.pieces import Side
from campaign.rules.questions import ToFight
from campaign.rules.sight import STAND_IN
from campaign.rules.stacking import counted
from campaign.rules.state import State
from campaign.staff.thirst import tolls

__all__ = ["Finding", "Part", "Verdict", "check", "without_orders"]

CERTAIN = 0.9995


def check(state: State, commander: Commander, headquarters: Headquarters) -> tuple[Finding, ...]:
    """What is to be said of the commander's sheet, in the order of its parts.

    `state` is the campaign as his side knows it, `headquarters` has the seats of his side; what
    he orders counts as the sheet of his seat there.
    """
    if state.result is not None:
        said = "The campaign is over; nothing is carried out any more."
        return (Finding(Part.SHEET, 0, Verdict.IMPOSSIBLE, said, "4.0"),)
    runs = _Rehearsals(state, commander, headquarters)
    findings: list[Finding] = []
    for number, order in enumerate(commander.sheet.orders):
        findings += _of_order(runs, number, order)
    for number, placed in enumerate(commander.sheet.reinforcements):
        findings += pointless_arrival(state, commander.side, number, placed)
    return tuple(findings)


def without_orders(
    state: State, commander: Commander, headquarters: Headquarters
) -> tuple[HexId, ...]:
    """The hexes of his stacks that could march and that his sheet does not speak of."""
    orders = commander.sheet.orders
    spoken_of = {order.hex for order in orders if isinstance(order, MarchOrder | StayOrder)}
    seats = headquarters.of(commander.side)
    found = []
    for hex_id, units in may_march(state, commander.side).items():
        whose = commander_of(state, seats, hex_id, units)
        if hex_id not in spoken_of and whose is not None and whose.seat == commander.seat:
            found.append(hex_id)
    return tuple(found)


class _Rehearsals:
    """The sheet gone through, once for each way in which the battles it supposes may end."""

    def __init__(self, state: State, commander: Commander, headquarters: Headquarters) -> None:
        self.state = state
        self.commander = commander
        self.headquarters = headquarters
        self._known: dict[Came, Rehearsed] = {}

    def of(self, order: Order) -> Rehearsed:
        """The rehearsal in which the order counts."""
        condition = _condition(order)
        came = condition.came if condition is not None else Came.WON
        if came not in self._known:
            self._known[came] = self._rehearse(came)
        return self._known[came]

    def _rehearse(self, came: Came) -> Rehearsed:
        side = self.commander.side
        winner = {Came.WON: side, Came.LOST: side.enemy, Came.DRAWN: None}[came]
        named = (_condition(order) for order in self.commander.sheet.orders)
        supposed = {one.battle: winner for one in named if one is not None}
        return rehearse(self.state, self.headquarters._replace(battles=supposed), side)


def _condition(order: Order) -> IfBattle | None:
    return getattr(order, "if_battle", None)


def _of_order(runs: _Rehearsals, number: int, order: Order) -> Iterator[Finding]:
    yield from _of_condition(runs, number, order)
    yield from pointless_order(runs.state, number, order)
    run, key = runs.of(order), (runs.commander.seat, number)
    told = run.progress.account(runs.commander.seat).orders.get(number)
    if told is not None and told.outcome is Outcome.NOT:
        yield _impossible(number, order, told)
        return
    if not isinstance(order, MarchOrder):
        return
    fights = run.fights.get(key, [])
    if told is not None and told.outcome is Outcome.PARTLY and not fights:
        said = f"Even if every throw falls well: {told.said}"
        yield _risk(number, said, told.clause, told.remedy, hex_id=order.hex)
    yield from _of_throws(number, order, run.throws.get(key, []))
    for fight in fights:
        yield _of_fight(run.state, runs.commander.side, number, fight)
    yield from _of_thirst(run.state, number, order)


def _impossible(number: int, order: Order, told: Told) -> Finding:
    where = getattr(order, "hex", HexId(0))
    return Finding(
        Part.ORDER, number, Verdict.IMPOSSIBLE, told.said, told.clause, told.remedy, where
    )


def _risk(number: int, said: str, clause: str = "", remedy: str = "", *, hex_id: HexId) -> Finding:
    return Finding(Part.ORDER, number, Verdict.RISKY, said, clause, remedy, hex_id)


def _of_condition(runs: _Rehearsals, number: int, order: Order) -> Iterator[Finding]:
    """An order for after a battle that is neither open nor has come so will not count."""
    condition, question = _condition(order), runs.state.question
    if condition is None:
        return
    over = condition.battle in runs.headquarters.battles
    is_open = isinstance(question, ToFight) and question.battle.id == condition.battle
    if over and not runs.headquarters.counts(runs.commander.side, condition):
        said = "The battle has ended otherwise, so the order does not count."
    elif over or is_open:
        return
    else:
        said = f"No battle {condition.battle!r} is open or has been fought."
    yield Finding(
        Part.ORDER, number, Verdict.POINTLESS, said, remedy="Leave the condition out, or the order."
    )


def _of_throws(number: int, order: MarchOrder, throws: Sequence[Throw]) -> Iterator[Finding]:
    """The chance that every throw for a march lets the stack go on (8.31)."""
    march = prod(throw.march for throw in throws)
    whole = prod(throw.whole for throw in throws)
    if march >= CERTAIN and whole >= CERTAIN:
        return
    marches = times(len(throws), "march", "marches")
    yield _risk(
        number,
        f"It needs {marches}: the chance to make {'it' if len(throws) == 1 else 'them'} is "
        f"{_percent(march)}, and {_percent(whole)} that nobody falls out.",
        "8.31",
        hex_id=order.hex,
    )


def _percent(chance: float) -> str:
    """A chance in a hundred; never certain when it is not."""
    hundredths = round(chance * 100)
    if chance < CERTAIN:
        hundredths = min(hundredths, 99)
    return f"{max(hundredths, 1) if chance > 0 else 0} in a hundred"


def _of_fight(state: State, side: Side, number: int, fight: Fight) -> Finding:
    enemies = board(state).stack(side.enemy, fight.hex)
    if is_afloat(enemies):
        said = f"Its gunboats attack the craft {at(fight.hex)}, which answer with theirs."
        return _risk(number, said, "6.1", hex_id=fight.hex)
    if any(unit.name == STAND_IN for unit in enemies):
        said = f"It attacks {at(fight.hex)}, where the enemy's strength is not known."
        return _risk(number, said, "9.6", hex_id=fight.hex)
    odds = fight.odds
    return _risk(
        number,
        f"It attacks {at(fight.hex)}: the chance to win is {_percent(odds.win)}, to lose "
        f"{_percent(odds.lose)}; {_percent(odds.cost)} of its units may be expected to suffer.",
        "9.6",
        hex_id=fight.hex,
    )


def _of_thirst(state: State, number: int, order: MarchOrder) -> Iterator[Finding]:
    """What thirst may cost the stack where it ends, if no supply is spent (10.3)."""
    dropped = {unit for drop in order.drops for unit in drop.units}
    marchers = board(state).named(unit for unit in order.units if unit not in dropped)
    if not marchers or marchers[0].hex == order.hex:
        return
    here, side = marchers[0].hex, marchers[0].side
    size = len(counted(board(state).stack(side, here)))
    hit = tolls(state, side, here, size)
    expected = sum(lost * chance for lost, chance in hit)
    if expected:
        yield _risk(
            number,
            f"Thirst may cost the {times(size, 'unit')} {at(here)} up to "
            f"{times(max(lost for lost, _ in hit), 'unit')}, {expected:.1f} on average, if no "
            "supply is spent.",
            "10.3",
            hex_id=here,
        )
