"""An order sheet as it is written: what is impossible, what has no point, what is a risk.

The sheet is gone through by the very code that carries it out, on the position as its side knows
it, so what is refused here would be refused there, by the same clause.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from campaign.odds.combat import Toll
from campaign.odds.march import MarchOdds
from campaign.odds.month import combats_mixed, marches_mixed, thirsts_mixed
from campaign.odds.thirst import Thirst, thirst
from campaign.orders.commands import Commander, Headquarters, commander_of
from campaign.orders.document import Came, IfBattle, MarchOrder, Order, StayOrder
from campaign.orders.findings import Finding, Part, Verdict
from campaign.orders.marching import in_words
from campaign.orders.plans import suffering_of
from campaign.orders.pointless import pointless_arrival, pointless_order
from campaign.orders.progress import Outcome, Told
from campaign.orders.reading import the_units
from campaign.orders.rehearsal import Fight, Rehearsed, rehearse, rehearse_events
from campaign.rules.board import board
from campaign.rules.combat.afloat import is_afloat
from campaign.rules.english.names import at
from campaign.rules.english.words import capital, listed, times
from campaign.rules.map import HexId
from campaign.rules.march.marching import may_march
from campaign.rules.pieces import Side
from campaign.rules.questions import ToFight
from campaign.rules.state import State

__all__ = ["Chances", "Finding", "Part", "Verdict", "chances", "check", "without_orders"]

CERTAIN = 0.9995


class Chances(NamedTuple):
    """The odds of one order to march, if it is carried out as far as can be known.

    `thirst` is that of the stack where it ends, with whoever stands there, by the present month.
    """

    number: int
    marches: MarchOdds | None
    fights: tuple[Fight, ...]
    thirst: Thirst | None


def chances(state: State, commander: Commander, headquarters: Headquarters) -> tuple[Chances, ...]:
    """The odds of every order to march on the commander's sheet; `state` is what his side knows."""
    if state.result is not None:
        return ()
    runs = _Rehearsals(state, commander, headquarters)
    found = []
    for number, order in enumerate(commander.sheet.orders):
        if isinstance(order, MarchOrder):
            found.append(_chances(runs, number, order))
    return tuple(found)


def _chances(runs: "_Rehearsals", number: int, order: MarchOrder) -> Chances:
    """The odds of the order, whatever the random event before it brings."""
    parts, key = runs.by_event(order), (runs.commander.seat, number)
    marches = [(chance, run.marches.get(key)) for chance, run in parts]
    thirsts = [(chance, _thirst(run.state, runs.commander, order)) for chance, run in parts]
    ends = [(chance, thirst) for chance, thirst in thirsts if thirst is not None]
    here = runs.of(order)
    likely = _thirst(here.state, runs.commander, order)
    there = [(chance, thirst) for chance, thirst in ends if likely and thirst.hex == likely.hex]
    return Chances(
        number,
        marches_mixed(marches),
        tuple(_fights(here.fights.get(key, ()), [(c, r.fights.get(key, ())) for c, r in parts])),
        thirsts_mixed(there) if there else likely,
    )


def _fights(
    here: Sequence[Fight], parts: Sequence[tuple[Fraction, Sequence[Fight]]]
) -> Iterator[Fight]:
    """The combats of an order, each with its odds over all events that let it come to it."""
    for fight in here:
        same = [
            (chance, other.odds)
            for chance, fights in parts
            for other in fights
            if other.hex == fight.hex and other.odds is not None
        ]
        known = fight.odds is not None and same
        yield fight._replace(odds=combats_mixed(same)) if known else fight


def _thirst(state: State, commander: Commander, order: MarchOrder) -> Thirst | None:
    """The thirst of the stack where it ends, should it have marched at all (10.3)."""
    dropped = {unit for drop in order.drops for unit in drop.units}
    marchers = board(state).named(unit for unit in order.units if unit not in dropped)
    if not marchers or marchers[0].hex == order.hex:
        return None
    here = marchers[0].hex
    return thirst(state, commander.side, here, suffering_of(commander.sheet.standing))


def check(state: State, commander: Commander, headquarters: Headquarters) -> tuple[Finding, ...]:
    """What is to be said of the commander's sheet, in the order of its parts.

    `state` is the campaign as his side knows it, `headquarters` has the seats of his side; what
    he orders counts as the sheet of his seat there. Chances in it are those of the month as it
    stands, no random event weighed in.
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
        self._by_event: dict[Came, tuple[tuple[Fraction, Rehearsed], ...]] = {}

    def of(self, order: Order) -> Rehearsed:
        """The rehearsal in which the order counts, and no random event happens."""
        came = _came(order)
        if came not in self._known:
            self._known[came] = rehearse(self.state, self._supposing(came), self.commander.side)
        return self._known[came]

    def by_event(self, order: Order) -> tuple[tuple[Fraction, Rehearsed], ...]:
        """The rehearsals in which the order counts, one for each thing the event may bring."""
        came = _came(order)
        if came not in self._by_event:
            self._by_event[came] = rehearse_events(
                self.state, self._supposing(came), self.commander.side
            )
        return self._by_event[came]

    def _supposing(self, came: Came) -> Headquarters:
        """The headquarters, to whom the battles that orders speak of have ended so."""
        side = self.commander.side
        winner = {Came.WON: side, Came.LOST: side.enemy, Came.DRAWN: None}[came]
        named = (_condition(order) for order in self.commander.sheet.orders)
        supposed = {one.battle: winner for one in named if one is not None}
        return self.headquarters._replace(battles=supposed)


def _came(order: Order) -> Came:
    condition = _condition(order)
    return condition.came if condition is not None else Came.WON


def _condition(order: Order) -> IfBattle | None:
    return getattr(order, "if_battle", None)


def _of_order(runs: _Rehearsals, number: int, order: Order) -> Iterator[Finding]:
    yield from _of_condition(runs, number, order)
    yield from pointless_order(runs.state, number, order)
    yield from _of_absent(runs, number, order)
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
    yield from _of_throws(number, order, run.marches.get(key))
    for fight in fights:
        yield _of_fight(run.state, runs.commander.side, number, fight)
    yield from _of_thirst(number, _thirst(run.state, runs.commander, order))


def _of_absent(runs: _Rehearsals, number: int, order: Order) -> Iterator[Finding]:
    """Units of an order that will have been sent away, or never were where it takes them from."""
    absent = runs.of(order).absent.get((runs.commander.seat, number), ())
    if not (absent and isinstance(order, MarchOrder)):
        return
    senders = _senders(runs, number, order)
    if not senders and len(absent) == len(order.units):
        return
    orders = "order" if len(senders) == 1 else "orders"
    why = f": sent away by {orders} {listed(senders)}" if senders else ""
    who = capital(the_units(runs.state, absent, order.hex))
    yield Finding(
        Part.ORDER,
        number,
        Verdict.POINTLESS,
        f"{who} will not stand {in_words(runs.state, order.hex)} when its turn comes{why}.",
        "8.3",
        "Leave them out, or strike out one of the orders." if senders else "Leave them out.",
        order.hex,
    )


def _senders(runs: _Rehearsals, number: int, order: MarchOrder) -> list[str]:
    """The numbers of the orders before it that take away those who are absent from it."""
    run, seat = runs.of(order), runs.commander.seat
    absent = set(run.absent[seat, number])
    found = []
    for earlier, one in enumerate(runs.commander.sheet.orders[:number]):
        taken = set(getattr(one, "units", ())) - set(run.absent.get((seat, earlier), ()))
        told = run.progress.account(seat).orders.get(earlier)
        if absent & taken and told is not None and told.outcome is not Outcome.NOT:
            found.append(str(earlier + 1))
    return found


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


def _of_throws(number: int, order: MarchOrder, odds: MarchOdds | None) -> Iterator[Finding]:
    """The chance that every throw for a march lets the stack go on (8.31)."""
    if odds is None or odds.whole >= CERTAIN:
        return
    marches = times(odds.wanted, "march", "marches")
    yield _risk(
        number,
        f"It needs {marches}: the chance to make {'it' if odds.wanted == 1 else 'them'} is "
        f"{_percent(float(odds.made(odds.wanted)))}, and {_percent(float(odds.whole))} that nobody "
        "falls out.",
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
    odds = fight.odds
    if odds is None:
        said = f"It attacks {at(fight.hex)}, where the enemy's strength is not known."
        return _risk(number, said, "9.6", hex_id=fight.hex)
    return _risk(
        number,
        f"It attacks {at(fight.hex)}: the chance to win is {_percent(odds.win)}, to lose "
        f"{_percent(odds.lose)}; of its {times(odds.attacker.units, 'unit')} {_pays(odds.attacker)}"
        f", of the enemy’s {odds.defender.units} {_pays(odds.defender)}, on average.",
        "9.6",
        hex_id=fight.hex,
    )


def _pays(toll: Toll) -> str:
    return f"{toll.mean_gone:.1f} are lost and {toll.mean_shaken:.1f} disrupted"


def _of_thirst(number: int, found: Thirst | None) -> Iterator[Finding]:
    """What thirst may cost the stack where it ends, if no supply is spent (10.3)."""
    if found is None or found.safe:
        return
    most = max(one.gone + one.shaken for one in found.results)
    expected = float(found.gone + found.shaken)
    yield _risk(
        number,
        f"Thirst may cost the {times(found.size, 'unit')} {at(found.hex)} up to "
        f"{times(most, 'unit')}, {expected:.1f} on average, if no supply is spent.",
        "10.3",
        hex_id=found.hex,
    )
