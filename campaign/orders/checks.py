"""An order sheet as it is written: what is impossible, what has no point, what is a risk.

The sheet is gone through by the very code that carries it out, on the position as its side knows
it, so what is refused here would be refused there, by the same clause.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from campaign.odds.assault import unbounded
from campaign.odds.march import MarchOdds
from campaign.odds.random_event import mix_combats, mix_marches, mix_thirsts, mix_voyages
from campaign.odds.thirst import ThirstOdds, thirst
from campaign.odds.voyage import VoyageOdds
from campaign.orders import risks
from campaign.orders.dry_run import (
    DryRun,
    ExpectedCombat,
    RunOptions,
    has_marched,
    rehearse,
    rehearse_events,
)
from campaign.orders.findings import (
    Finding,
    Severity,
    SheetSection,
    goes_nowhere,
    pointless_arrival,
    pointless_order,
)
from campaign.orders.headquarters import Headquarters, SeatCommand, commander_of
from campaign.orders.march_start import locate_hex
from campaign.orders.order_sheet import (
    Came,
    IfBattle,
    Marching,
    MarchOrder,
    Order,
    OrderOutcome,
    OrderReport,
    Progress,
    SeatOrderReport,
    StayOrder,
)
from campaign.orders.risks import StackAtStake, Stake, at_the_turn, stakes
from campaign.orders.sheet_prose import name_units
from campaign.orders.standing_instructions import suffering_of
from campaign.rules.core.board import board
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToFight
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.march.phase import may_march
from campaign.rules.prose.phrases import capitalise, join_words

__all__ = [
    "Finding",
    "OrderChances",
    "Severity",
    "SheetSection",
    "chances",
    "check",
    "without_orders",
]

VOYAGE = "8.23"
NO_THROW = "No throw for a march takes it into the next hex."


class OrderChances(NamedTuple):
    """The odds of one order to march, if it is carried out as far as can be known.

    `thirst` is that of the stack where it ends, with whoever stands there, by the present month.
    `stakes` are what it puts at stake (4.1, 4.2).
    """

    number: int
    marches: MarchOdds | None
    fights: tuple[ExpectedCombat, ...]
    thirst: ThirstOdds | None
    voyage: VoyageOdds | None = None
    stakes: tuple[Stake, ...] = ()


def chances(
    state: State,
    commander: SeatCommand,
    headquarters: Headquarters,
    spend: Callable[[], None] = unbounded,
) -> tuple[OrderChances, ...]:
    """Return the odds of every order to march on the commander's sheet; `state` is what his side
    knows.

    `spend` is called again and again meanwhile, and may raise something to end it.
    """
    if state.result is not None:
        return ()
    runs = _Rehearsals(state, commander, headquarters, RunOptions(spend=spend))
    found = []
    for number, order in enumerate(commander.sheet.orders):
        if isinstance(order, MarchOrder):
            found.append(_chances(runs, number, order))
    return tuple(found)


def _chances(runs: "_Rehearsals", number: int, order: MarchOrder) -> OrderChances:
    """Return the odds of the order, whatever the random event before it brings."""
    runs.options.spend()
    parts, key = runs.by_event(order), (runs.commander.seat, number)
    marches = [(chance, run.marches.get(key)) for chance, run in parts]
    thirsts = [(chance, _thirst(run.state, runs.commander, order)) for chance, run in parts]
    ends = [(chance, thirst) for chance, thirst in thirsts if thirst is not None]
    here = runs.of(order)
    likely = _thirst(here.state, runs.commander, order)
    there = [(chance, thirst) for chance, thirst in ends if likely and thirst.hex == likely.hex]
    fights = tuple(
        _fights(here.fights.get(key, ()), [(c, r.fights.get(key, ())) for c, r in parts])
    )
    end = mix_thirsts(there) if there else likely
    return OrderChances(
        number,
        mix_marches(marches),
        fights,
        end,
        mix_voyages([(chance, run.voyages.get(key)) for chance, run in parts]),
        _stakes(runs, order, fights, end),
    )


def _stakes(
    runs: "_Rehearsals", order: MarchOrder, fights: Sequence[ExpectedCombat], end: ThirstOdds | None
) -> tuple[Stake, ...]:
    """What the stack of the order puts at stake, as it stands when the sheet is written."""
    units = [unit for unit in board(runs.state).named(order.units) if unit.hex == order.hex]
    thirsts = end is not None and not end.safe
    return stakes(runs.state, StackAtStake(units, fights, runs.of(order).state, thirsts))


def _fights(
    here: Sequence[ExpectedCombat], parts: Sequence[tuple[Fraction, Sequence[ExpectedCombat]]]
) -> Iterator[ExpectedCombat]:
    """Yield the combats of an order, each with its odds over all events that let it come to it."""
    for fight in here:
        same = [
            (chance, other.odds)
            for chance, fights in parts
            for other in fights
            if other.hex == fight.hex and other.odds is not None
        ]
        known = fight.odds is not None and same
        yield fight._replace(odds=mix_combats(same)) if known else fight


def _thirst(state: State, commander: SeatCommand, order: MarchOrder) -> ThirstOdds | None:
    """Return the thirst of the stack where it ends, should it have marched at all (10.3)."""
    dropped = {unit for drop in order.drops for unit in drop.units}
    marchers = board(state).named(unit for unit in order.units if unit not in dropped)
    if not marchers or marchers[0].hex == order.hex:
        return None
    here = marchers[0].hex
    return thirst(state, commander.side, here, suffering_of(commander.sheet.standing))


def check(
    state: State,
    commander: SeatCommand,
    headquarters: Headquarters,
    progress: Progress | None = None,
) -> tuple[Finding, ...]:
    """What is to be said of the commander's sheet, in the order of its parts.

    `state` is the campaign as his side knows it, `headquarters` has the seats of his side; what
    he orders counts as the sheet of his seat there. Chances in it are those of the month as it
    stands, no random event weighed in. Of a sheet that is being carried out `progress` says how
    far: only orders still to come are judged.
    """
    if state.result is not None:
        said = "The campaign is over; nothing is carried out any more."
        return (Finding(SheetSection.SHEET, 0, Severity.IMPOSSIBLE, said, "4.0"),)
    if progress is not None and has_marched(state, commander.side):
        return ()
    runs = _Rehearsals(state, commander, headquarters, RunOptions(progress))
    findings = [
        Finding(SheetSection.SHEET, 0, Severity.NOTE, stake.said, stake.clause)
        for stake in at_the_turn(state)
    ]
    for number, order in enumerate(commander.sheet.orders):
        if not runs.has_begun(number):
            findings += _of_order(runs, number, order)
    for number, placed in enumerate(commander.sheet.reinforcements):
        findings += pointless_arrival(state, commander.side, number, placed)
    return tuple(findings)


def without_orders(
    state: State, commander: SeatCommand, headquarters: Headquarters
) -> tuple[HexId, ...]:
    """Return the hexes of his stacks that could march and that his sheet does not speak of."""
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

    def __init__(
        self,
        state: State,
        commander: SeatCommand,
        headquarters: Headquarters,
        options: RunOptions,
    ) -> None:
        self.options = options
        self.state = state
        self.commander = commander
        self.headquarters = headquarters
        self.progress = options.progress or Progress()
        self._known: dict[Came, DryRun] = {}
        self._by_event: dict[Came, tuple[tuple[Fraction, DryRun], ...]] = {}
        self._senders: dict[Came, dict[UnitId, list[int]]] = {}

    def of(self, order: Order) -> DryRun:
        """Return the rehearsal in which the order counts, and no random event happens."""
        came = _came(order)
        if came not in self._known:
            supposing = self._supposing(came)
            self._known[came] = rehearse(self.state, supposing, self.commander.side, self.options)
        return self._known[came]

    def has_begun(self, number: int) -> bool:
        """Return whether the order of that number has been carried out, or is being."""
        account = self.progress.seats.get(self.commander.seat, SeatOrderReport())
        going = self.progress.marching
        marches = going is not None and (going.seat, going.order) == (self.commander.seat, number)
        return number in account.orders or marches

    def by_event(self, order: Order) -> tuple[tuple[Fraction, DryRun], ...]:
        """Return the rehearsals in which the order counts, one for each thing the event may bring."""
        came = _came(order)
        if came not in self._by_event:
            self._by_event[came] = rehearse_events(
                self.state, self._supposing(came), self.commander.side, self.options.spend
            )
        return self._by_event[came]

    def senders(self, order: Order) -> dict[UnitId, list[int]]:
        """Return, for each unit, the numbers of the orders that take it away, first to last."""
        came = _came(order)
        if came not in self._senders:
            self._senders[came] = self._send(self.of(order))
        return self._senders[came]

    def _send(self, run: DryRun) -> dict[UnitId, list[int]]:
        found: dict[UnitId, list[int]] = {}
        seat, told = self.commander.seat, run.progress.account(self.commander.seat).orders
        for number, order in enumerate(self.commander.sheet.orders):
            if number in told and told[number].outcome is not OrderOutcome.NOT:
                absent = run.absent.get((seat, number), ())
                for unit in set(getattr(order, "units", ())).difference(absent):
                    found.setdefault(unit, []).append(number)
        return found

    def _supposing(self, came: Came) -> Headquarters:
        """Return the headquarters, to whom the battles that orders speak of have ended so."""
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
    if told is not None and told.outcome is OrderOutcome.NOT:
        yield _impossible(run, number, order, told, run.halts.get(key))
        return
    if isinstance(order, MarchOrder) and not goes_nowhere(order):
        yield from _of_march(runs, number, order, told)


def _of_march(
    runs: _Rehearsals, number: int, order: MarchOrder, told: OrderReport | None
) -> Iterator[Finding]:
    """Yield the risks of a march that can be begun."""
    run, key = runs.of(order), (runs.commander.seat, number)
    fights, halt, marches = run.fights.get(key, []), run.halts.get(key), run.marches.get(key)
    partly = told is not None and told.outcome is OrderOutcome.PARTLY and not fights
    voyage = run.voyages.get(key)
    by_river = halt is not None and halt.clause == VOYAGE
    if partly and not (by_river and voyage is not None and voyage.arrives):
        yield risks.of_stopping(run.state, number, order, halt, marches)
    else:
        yield from risks.of_marches(number, order, marches)
    yield from risks.of_voyage(number, order, voyage)
    for fight in fights:
        yield from risks.of_fight(run.state, runs.commander.side, number, fight)
    end = _thirst(run.state, runs.commander, order)
    yield from risks.of_thirst(number, end)
    for stake in _stakes(runs, order, fights, end):
        yield risks.of_stake(number, order, stake)


def _of_absent(runs: _Rehearsals, number: int, order: Order) -> Iterator[Finding]:
    """Yield units of an order that will have been sent away, or never were where it takes them
    from.
    """
    absent = runs.of(order).absent.get((runs.commander.seat, number), ())
    if not (absent and isinstance(order, MarchOrder)):
        return
    senders = _senders(runs, number, order)
    if not senders and len(absent) == len(order.units):
        return
    orders = "order" if len(senders) == 1 else "orders"
    why = f": sent away by {orders} {join_words(senders)}" if senders else ""
    who = capitalise(name_units(runs.state, absent, order.hex))
    yield Finding(
        SheetSection.ORDER,
        number,
        Severity.POINTLESS,
        f"{who} will not stand {locate_hex(runs.state, order.hex)} when its turn comes{why}.",
        "8.3",
        "Leave them out, or strike out one of the orders." if senders else "Leave them out.",
        order.hex,
    )


def _senders(runs: _Rehearsals, number: int, order: MarchOrder) -> list[str]:
    """Return the numbers of the orders before it that take away those who are absent from it."""
    absent, senders = runs.of(order).absent[runs.commander.seat, number], runs.senders(order)
    earlier = {one for unit in absent for one in senders.get(unit, ()) if one < number}
    return [str(one + 1) for one in sorted(earlier)]


def _impossible(
    run: DryRun, number: int, order: Order, told: OrderReport, halt: Marching | None
) -> Finding:
    """Return an order that will not be carried out, and why."""
    where = getattr(order, "hex", HexId(0))
    said = told.said
    if halt is not None:
        said = f"It stays {locate_hex(run.state, where)}. {halt.reason or NO_THROW}"
    return Finding(
        SheetSection.ORDER, number, Severity.IMPOSSIBLE, said, told.clause, told.remedy, where
    )


def _of_condition(runs: _Rehearsals, number: int, order: Order) -> Iterator[Finding]:
    """Yield an order for after a battle that is neither open nor has come so will not count."""
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
        SheetSection.ORDER,
        number,
        Severity.POINTLESS,
        said,
        remedy="Leave the condition out, or the order.",
    )
