"""Check an order sheet while it is written: impossible orders, pointless ones and risks.

The sheet is run through the code that carries it out, on the position as its side knows it. So an
order refused here would be refused there, by the same clause.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from campaign.odds.assault import spend_nothing
from campaign.odds.march import MarchOdds, ThirstOdds, thirst
from campaign.odds.random_event import (
    event_to_come,
    mix_combats,
    mix_marches,
    mix_thirsts,
    mix_voyages,
)
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
    BattleOutcome,
    IfBattle,
    MarchOrder,
    MarchProgress,
    Order,
    OrderOutcome,
    OrderReport,
    Progress,
    SeatOrderReport,
    StayOrder,
)
from campaign.orders.risks import StackAtStake, Stake, stakes, stakes_at_turn_end
from campaign.orders.sheet_prose import name_units
from campaign.orders.standing_instructions import suffering_of
from campaign.rules.core.board import board
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToFight
from campaign.rules.core.state import State
from campaign.rules.effects_in_force import CLAUSES
from campaign.rules.map import HexId
from campaign.rules.march.phase import may_march
from campaign.rules.prose.phrases import capitalise, join_words

VOYAGE = "8.23"
WITHOUT_EVENT = (
    "The chances in these findings assume that no random event happens; the odds weigh in what "
    "your random event may bring, and so differ a little."
)
NO_THROW = "No throw for a march takes it into the next hex."


class OrderChances(NamedTuple):
    """The odds of one order to march, if it is carried out as far as can be known.

    `thirst` is the attrition of all units of its side in the hex where the march ends, in the
    present month. `stakes` are the risks to the campaign's result (4.1, 4.2).
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
    spend: Callable[[], None] = spend_nothing,
) -> tuple[OrderChances, ...]:
    """Return the odds of every order to march on the commander's sheet.

    `state` is what the commander's side knows. `spend` is called repeatedly; it may raise an
    exception to stop the work.
    """
    if state.result is not None:
        return ()
    runs = _Rehearsals(state, commander, headquarters, RunOptions(spend=spend))
    chances_of_orders = []
    for number, order in enumerate(commander.sheet.orders):
        if isinstance(order, MarchOrder):
            chances_of_orders.append(_chances(runs, number, order))
    return tuple(chances_of_orders)


def _chances(runs: "_Rehearsals", number: int, order: MarchOrder) -> OrderChances:
    """Return the odds of the order, weighted over the outcomes of the random event before it."""
    runs.options.spend()
    parts, key = runs.by_event(order), (runs.commander.seat, number)
    marches = [(chance, run.marches.get(key)) for chance, run in parts]
    thirsts = [(chance, _thirst(run.state, runs.commander, order)) for chance, run in parts]
    ends = [(chance, thirst) for chance, thirst in thirsts if thirst is not None]
    runs_of_order = runs.of(order)
    likely = _thirst(runs_of_order.state, runs.commander, order)
    likely_ends = [
        (chance, thirst) for chance, thirst in ends if likely and thirst.hex == likely.hex
    ]
    fights = tuple(
        _fights(runs_of_order.fights.get(key, ()), [(c, r.fights.get(key, ())) for c, r in parts])
    )
    end = mix_thirsts(likely_ends) if likely_ends else likely
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
    """Return the stakes of the order's stack, as it stands when the sheet is written."""
    units = [unit for unit in board(runs.state).named(order.units) if unit.hex == order.hex]
    return stakes(runs.state, StackAtStake(units, fights, runs.of(order).state, end))


def _fights(
    expected: Sequence[ExpectedCombat], parts: Sequence[tuple[Fraction, Sequence[ExpectedCombat]]]
) -> Iterator[ExpectedCombat]:
    """Yield an order's combats, with odds over all random events that allow each of them."""
    for fight in expected:
        same = [
            (chance, other.odds)
            for chance, fights in parts
            for other in fights
            if other.hex == fight.hex and other.odds is not None
        ]
        has_odds = fight.odds is not None and same
        yield fight._replace(odds=mix_combats(same)) if has_odds else fight


def _thirst(state: State, commander: SeatCommand, order: MarchOrder) -> ThirstOdds | None:
    """Return the attrition by thirst where the stack ends; None if it has not marched (10.3)."""
    dropped = {unit for drop in order.drops for unit in drop.units}
    marchers = board(state).named(unit for unit in order.units if unit not in dropped)
    if not marchers or marchers[0].hex == order.hex:
        return None
    position = marchers[0].hex
    return thirst(state, commander.side, position, suffering_of(commander.sheet.standing))


def check(
    state: State,
    commander: SeatCommand,
    headquarters: Headquarters,
    progress: Progress | None = None,
) -> tuple[Finding, ...]:
    """Return the findings on the commander's sheet, in the order of its parts.

    `state` is the campaign as the commander's side knows it; `headquarters` holds the seats of that
    side, with this sheet for the commander's seat. Chances assume that no random event happens; a
    finding says so where one is still to come, which `chances` weighs. `progress` says how far a
    sheet has been carried out: only orders still to come are judged.
    """
    if state.result is not None:
        message = "The campaign is over; nothing is carried out any more."
        return (Finding(SheetSection.SHEET, 0, Severity.IMPOSSIBLE, message, "4.0"),)
    if progress is not None and has_marched(state, commander.side):
        return ()
    runs = _Rehearsals(state, commander, headquarters, RunOptions(progress))
    findings = [
        Finding(SheetSection.SHEET, 0, Severity.NOTE, stake.said, stake.clause)
        for stake in stakes_at_turn_end(state)
    ]
    for number, order in enumerate(commander.sheet.orders):
        if not runs.has_begun(number):
            findings += _of_order(runs, number, order)
    for number, placed in enumerate(commander.sheet.reinforcements):
        findings += pointless_arrival(state, commander.side, number, placed)
    if event_to_come(state, commander.side) and any("%" in finding.said for finding in findings):
        clause = CLAUSES[commander.side]
        findings.append(Finding(SheetSection.SHEET, 0, Severity.NOTE, WITHOUT_EVENT, clause))
    return tuple(findings)


def stacks_without_orders(
    state: State, commander: SeatCommand, headquarters: Headquarters
) -> tuple[HexId, ...]:
    """Return the hexes of the commander's stacks that could march and have no order."""
    orders = commander.sheet.orders
    spoken_of = {order.hex for order in orders if isinstance(order, MarchOrder | StayOrder)}
    seats = headquarters.of(commander.side)
    stacks = []
    for hex_id, units in may_march(state, commander.side).items():
        owner = commander_of(state, seats, hex_id, units)
        if hex_id not in spoken_of and owner is not None and owner.seat == commander.seat:
            stacks.append(hex_id)
    return tuple(stacks)


class _Rehearsals:
    """The dry runs of a sheet, cached by the battle result that an order supposes."""

    def __init__(
        self, state: State, commander: SeatCommand, headquarters: Headquarters, options: RunOptions
    ) -> None:
        self.options = options
        self.state = state
        self.commander = commander
        self.headquarters = headquarters
        self.progress = options.progress or Progress()
        self._known: dict[BattleOutcome, DryRun] = {}
        self._by_event: dict[BattleOutcome, tuple[tuple[Fraction, DryRun], ...]] = {}
        self._senders: dict[BattleOutcome, dict[UnitId, list[int]]] = {}

    def of(self, order: Order) -> DryRun:
        """Return the dry run in which the order counts and no random event happens."""
        outcome = _supposed_outcome(order)
        if outcome not in self._known:
            supposing = self._supposing(outcome)
            self._known[outcome] = rehearse(
                self.state, supposing, self.commander.side, self.options
            )
        return self._known[outcome]

    def has_begun(self, number: int) -> bool:
        """Return whether the order of that number is being carried out or has been."""
        account = self.progress.seats.get(self.commander.seat, SeatOrderReport())
        march_progress = self.progress.marching
        marches = march_progress is not None and (march_progress.seat, march_progress.order) == (
            self.commander.seat,
            number,
        )
        return number in account.orders or marches

    def by_event(self, order: Order) -> tuple[tuple[Fraction, DryRun], ...]:
        """Return the dry runs in which the order counts, one for each random event."""
        outcome = _supposed_outcome(order)
        if outcome not in self._by_event:
            self._by_event[outcome] = rehearse_events(
                self.state, self._supposing(outcome), self.commander.side, self.options.spend
            )
        return self._by_event[outcome]

    def senders(self, order: Order) -> dict[UnitId, list[int]]:
        """Return, for each unit, the numbers of the orders that take it away, first to last."""
        outcome = _supposed_outcome(order)
        if outcome not in self._senders:
            self._senders[outcome] = self._send(self.of(order))
        return self._senders[outcome]

    def _send(self, run: DryRun) -> dict[UnitId, list[int]]:
        senders: dict[UnitId, list[int]] = {}
        seat, reports = self.commander.seat, run.progress.account(self.commander.seat).orders
        for number, order in enumerate(self.commander.sheet.orders):
            if number in reports and reports[number].outcome is not OrderOutcome.NOT:
                absent = run.absent.get((seat, number), ())
                for unit in set(getattr(order, "units", ())).difference(absent):
                    senders.setdefault(unit, []).append(number)
        return senders

    def _supposing(self, outcome: BattleOutcome) -> Headquarters:
        """Return the headquarters with every battle that an order names ended as `outcome` says."""
        side = self.commander.side
        winner = {
            BattleOutcome.WON: side,
            BattleOutcome.LOST: side.enemy,
            BattleOutcome.DRAWN: None,
        }[outcome]
        conditions = (_condition(order) for order in self.commander.sheet.orders)
        supposed = {condition.battle: winner for condition in conditions if condition is not None}
        return self.headquarters._replace(battles=supposed)


def _supposed_outcome(order: Order) -> BattleOutcome:
    condition = _condition(order)
    return condition.came if condition is not None else BattleOutcome.WON


def _condition(order: Order) -> IfBattle | None:
    return getattr(order, "if_battle", None)


def _of_order(runs: _Rehearsals, number: int, order: Order) -> Iterator[Finding]:
    yield from _of_condition(runs, number, order)
    yield from pointless_order(runs.state, number, order)
    yield from _of_absent(runs, number, order)
    run, key = runs.of(order), (runs.commander.seat, number)
    report = run.progress.account(runs.commander.seat).orders.get(number)
    if report is not None and report.outcome is OrderOutcome.NOT:
        yield _impossible(run, number, order, report, run.halts.get(key))
        return
    if isinstance(order, MarchOrder) and not goes_nowhere(order):
        yield from _of_march(runs, number, order, report)


def _of_march(
    runs: _Rehearsals, number: int, order: MarchOrder, report: OrderReport | None
) -> Iterator[Finding]:
    """Yield the risks of a march that can be begun."""
    run, key = runs.of(order), (runs.commander.seat, number)
    fights, halt, marches = run.fights.get(key, []), run.halts.get(key), run.marches.get(key)
    partly = report is not None and report.outcome is OrderOutcome.PARTLY and not fights
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
    """Yield a finding on units that will not be in the order's hex when its turn comes."""
    absent = runs.of(order).absent.get((runs.commander.seat, number), ())
    if not (absent and isinstance(order, MarchOrder)):
        return
    senders = _senders(runs, number, order)
    if not senders and len(absent) == len(order.units):
        return
    orders = "order" if len(senders) == 1 else "orders"
    reason = f": sent away by {orders} {join_words(senders)}" if senders else ""
    names = capitalise(name_units(runs.state, absent, order.hex))
    yield Finding(
        SheetSection.ORDER,
        number,
        Severity.POINTLESS,
        f"{names} will not stand {locate_hex(runs.state, order.hex)} when its turn comes{reason}.",
        "8.3",
        "Leave them out, or delete one of the orders." if senders else "Leave them out.",
        order.hex,
    )


def _senders(runs: _Rehearsals, number: int, order: MarchOrder) -> list[str]:
    """Return the numbers of the earlier orders that take away the absent units."""
    absent, senders = runs.of(order).absent[runs.commander.seat, number], runs.senders(order)
    earlier = {sender for unit in absent for sender in senders.get(unit, ()) if sender < number}
    return [str(sender + 1) for sender in sorted(earlier)]


def _impossible(
    run: DryRun, number: int, order: Order, report: OrderReport, halt: MarchProgress | None
) -> Finding:
    """Return the finding that an order will not be carried out, and why."""
    where = getattr(order, "hex", HexId(0))
    message = report.said
    if halt is not None:
        message = f"It stays {locate_hex(run.state, where)}. {halt.reason or NO_THROW}"
    return Finding(
        SheetSection.ORDER,
        number,
        Severity.IMPOSSIBLE,
        message,
        report.clause,
        report.remedy,
        where,
    )


def _of_condition(runs: _Rehearsals, number: int, order: Order) -> Iterator[Finding]:
    """Yield a finding if the order depends on a battle that is unknown or ended otherwise."""
    condition, question = _condition(order), runs.state.question
    if condition is None:
        return
    over = condition.battle in runs.headquarters.battles
    is_open = isinstance(question, ToFight) and question.brief.id == condition.battle
    if over and not runs.headquarters.counts(runs.commander.side, condition):
        message = "The battle has ended otherwise, so the order does not count."
    elif over or is_open:
        return
    else:
        message = f"No battle {condition.battle!r} is open or has been fought."
    yield Finding(
        SheetSection.ORDER,
        number,
        Severity.POINTLESS,
        message,
        remedy="Leave the condition out, or the order.",
    )
