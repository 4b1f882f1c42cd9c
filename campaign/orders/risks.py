"""The risks of an order, each in a sentence: throws, river, combats, attrition, stakes.

Stakes are ways in which losing the stack, or leaving a place, may end the campaign: they follow
from the scenario's conditions of victory (4.1, 4.2) as the rules apply them. Every sentence speaks
of the future, so that none reads as if it had happened.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from battles.contract.brief import Side, TroopKind
from campaign.odds.combat import LossOdds, mean_of
from campaign.odds.march import MarchOdds, ThirstOdds
from campaign.odds.voyage import REACH, VoyageOdds
from campaign.orders.dry_run import ExpectedCombat
from campaign.orders.findings import Finding, Severity, SheetSection
from campaign.orders.march_start import destination, leg_target
from campaign.orders.order_sheet import MarchOrder, MarchProgress
from campaign.rules.combat.procedure import is_afloat
from campaign.rules.combat.retreat import WayBehind
from campaign.rules.core.board import board, chart
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.prose.names import (
    adjective,
    at_hex,
    describe_hex,
    leader_name,
    side_name,
    side_with_verb,
)
from campaign.rules.prose.phrases import (
    capitalise,
    count_noun,
    format_percent,
    join_words,
    judge_chance,
    judge_risk,
)
from campaign.rules.stacks import countable_units
from campaign.rules.supply import DRAW_ONLY
from campaign.rules.tables import scenario_data as v
from campaign.rules.unit_losses import is_replaced
from campaign.rules.victory import conditions, counted_by_turns, turns_counted, units_needed


class Stake(NamedTuple):
    """Something that may end the campaign or decide it, with its winner and a sentence.

    `winner` is None where the side's own victory is lost. `chance` is that in the order's own
    combats, or by attrition where it ends; None where it is not known.
    """

    winner: Side | None
    said: str
    clause: str
    chance: float | None = None


class StackAtStake(NamedTuple):
    """A stack that an order sends: as it sets out, its combats, and the position in the end.

    `thirst` is the attrition of all units of its side where it ends, if it marches.
    """

    units: Sequence[Unit]
    fights: Sequence[ExpectedCombat]
    end: State
    thirst: ThirstOdds | None


def stakes(state: State, staked: StackAtStake) -> tuple[Stake, ...]:
    """Return the stakes of the order with that stack; `state` is what its side knows."""
    if not staked.units:
        return ()
    return (
        *_of_the_stack(state, staked),
        *_of_leaders(state, staked),
        *_of_places(state, staked),
        *_of_ways_to_win(state, staked),
        *_of_thirst(state, staked),
    )


def _of_the_stack(state: State, staked: StackAtStake) -> Iterator[Stake]:
    """Yield stakes that the enemy wins by wiping out a stack with such a leader (4.2)."""
    side = staked.units[0].side
    for condition in conditions(state, v.StackDestroyed):
        led = any(
            unit.kind is TroopKind.LEADER and unit.nation is condition.leader_nation
            for unit in staked.units
        )
        if not led or side is not condition.winner.enemy:
            continue
        message = f"If this stack is destroyed in combat, {_win_at_once(condition.winner)}."
        if any(unit.kind is TroopKind.CIVILIANS for unit in staked.units):
            message += " Civilians do not keep it alive."
        chance = _chance_destroyed(staked.fights)
        if chance is not None:
            risked = f"The chance of that in its own attack is {format_percent(chance)}."
            message += f" {risked if chance else 'Its own attack hardly risks that.'}"
        yield Stake(condition.winner, message, condition.clause, chance)


def _win_at_once(side: Side) -> str:
    return f"{side_with_verb(side, 'wins', 'win')} at once"


def _chance_destroyed(fights: Sequence[ExpectedCombat]) -> float | None:
    """Return the greatest chance in one of its combats that it is destroyed; None if unknown."""
    chances = [fight.odds.attacker.destroyed for fight in fights if fight.odds is not None]
    return max(chances, default=None)


def _of_leaders(state: State, staked: StackAtStake) -> Iterator[Stake]:
    """Yield leaders by whose loss the enemy wins (4.1)."""
    names = {unit.name for unit in staked.units if unit.kind is TroopKind.LEADER}
    side = staked.units[0].side
    for condition in conditions(state, v.LeaderEliminated):
        if condition.leader in names and condition.winner is side.enemy:
            message = (
                f"If {leader_name(condition.leader)} is lost, {_win_at_once(condition.winner)}."
            )
            yield Stake(condition.winner, message, condition.clause)


def _of_places(state: State, staked: StackAtStake) -> Iterator[Stake]:
    """Yield places that the order leaves empty and by whose capture the enemy wins."""
    side, position = staked.units[0].side, staked.units[0].hex
    for condition in conditions(state, v.PlaceCaptured):
        place = chart(state).place(condition.place).hex
        left = position == place and not board(staked.end).land(side, place)
        if left and condition.winner is side.enemy:
            message = (
                f"It leaves nobody to hold {condition.place}: if {side_name(condition.winner)} "
                f"{'enters' if condition.winner is Side.EGYPTIAN else 'enter'} it, "
                f"{_win_at_once(condition.winner)}."
            )
            yield Stake(condition.winner, message, condition.clause)


def _of_ways_to_win(state: State, staked: StackAtStake) -> Iterator[Stake]:
    """Yield ways to win that need units which are all in this stack (4.2)."""
    side, unit_ids = staked.units[0].side, {unit.id for unit in staked.units}
    for condition in conditions(state, v.UnitArrived):
        needed = units_needed(state, condition)
        last = needed and unit_ids.issuperset(unit.id for unit in needed)
        if last and condition.winner is side and not any(map(is_replaced, needed)):
            message = f"If the {condition.kind} are lost, this way to win is lost: {condition.text}"
            yield Stake(None, message, condition.clause)


def _of_thirst(state: State, staked: StackAtStake) -> Iterator[Stake]:
    """Yield stakes by units whose loss by attrition leaves their side a draw at best (4.2)."""
    odds = staked.thirst
    if odds is None or odds.safe or DRAW_ONLY in state.flags:
        return
    side = staked.units[0].side
    for condition in conditions(state, v.OnlyADraw):
        mourned = [
            unit
            for unit in countable_units(staked.units)
            if unit.nation is condition.nation and unit.kind not in condition.not_counted
        ]
        if mourned and condition.side is side:
            message = (
                f"If attrition eliminates one of its {adjective(condition.nation)} units, "
                f"{side_name(side)} can at best draw."
            )
            units = countable_units(board(staked.end).stack(side, odds.hex))
            others = {unit.id for unit in units}.difference(unit.id for unit in mourned)
            chance = None if others else float(odds.costs_a_unit)
            if chance:
                likelihood = "certain" if chance == 1 else f"{format_percent(chance)} likely"
                message += f" Without supply that is {likelihood}."
            yield Stake(None, message, condition.clause, chance)


def stakes_at_turn_end(state: State) -> Iterator[Stake]:
    """Yield results due at the end of the next Egyptian turn if the position stays as it is."""
    for condition in counted_by_turns(state):
        counted_so_far = turns_counted(state, condition)
        if counted_so_far and counted_so_far + 1 >= condition.turns:
            turns = count_noun(counted_so_far, "turn")
            message = (
                f"{capitalise(side_name(condition.winner))} may win at the end of the "
                "next Egyptian "
                f"turn: {condition.text} {capitalise(turns)} running "
                f"{'has' if counted_so_far == 1 else 'have'} been counted."
            )
            yield Stake(condition.winner, message, condition.clause)


CERTAIN = 0.9995
"""The chance from which an outcome is called certain."""
SAFE = 0.95
"""The chance of success from which an order is not called uncertain for it."""


def risk(
    number: int, message: str, clause: str = "", remedy: str = "", *, hex_id: HexId
) -> Finding:
    """Return a finding that the order is uncertain."""
    return Finding(SheetSection.ORDER, number, Severity.UNCERTAIN, message, clause, remedy, hex_id)


def note(number: int, message: str, clause: str = "", *, hex_id: HexId) -> Finding:
    """Return a finding that is worth knowing, and no risk by itself."""
    return Finding(SheetSection.ORDER, number, Severity.NOTE, message, clause, "", hex_id)


def of_marches(number: int, order: MarchOrder, odds: MarchOdds | None) -> Iterator[Finding]:
    """Yield the chance that every throw for a march lets the stack go on (8.31)."""
    if odds is None or odds.whole >= CERTAIN:
        return
    chance, full_chance = odds.made(odds.wanted), format_percent(odds.whole)
    single = odds.wanted == 1
    if chance >= CERTAIN:
        message = (
            f"It is certain to make {'the march' if single else 'the marches'} it needs; "
            f"the chance that nobody falls out on the way is {full_chance}."
        )
        yield note(number, message, "8.31", hex_id=order.hex)
        return
    message = (
        f"{judge_chance(chance, 'arrive')}: it needs "
        f"{count_noun(odds.wanted, 'march', 'marches')}; the chance to make "
        f"{'it' if single else 'them'} is {format_percent(chance)}, "
        f"and {full_chance} that nobody falls out."
    )
    tell = note if chance >= SAFE else risk
    yield tell(number, message, "8.31", hex_id=order.hex)


def of_stopping(
    state: State, number: int, order: MarchOrder, halt: MarchProgress | None, odds: MarchOdds | None
) -> Finding:
    """Return a finding on a stack that cannot reach its goal: how far it gets, and why (8.3)."""
    end = _end(state, order)
    goal = leg_target(state, destination(order.legs[-1]) if order.legs else order.hex)
    if halt is not None and halt.reason:
        message = f"It gets no further than {describe_hex(end)}. {halt.reason}"
    else:
        message = (
            f"It cannot come {goal} this month: even with the best throws it gets no further than "
            f"{describe_hex(end)}."
        )
    if odds is not None and odds.made(odds.wanted) < CERTAIN:
        message += f" The chance to get so far is {format_percent(odds.made(odds.wanted))}."
    clause = halt.clause if halt is not None and halt.clause else "8.3"
    remedy = halt.remedy if halt is not None else ""
    return risk(number, message, clause, remedy, hex_id=order.hex)


def _end(state: State, order: MarchOrder) -> HexId:
    """Return the hex where the stack stands in the end, without units left behind."""
    stayed = {unit for drop in order.drops for unit in drop.units}
    left = board(state).named(unit for unit in order.units if unit not in stayed)
    return (left or board(state).named(order.units))[0].hex


def of_voyage(number: int, order: MarchOrder, odds: VoyageOdds | None) -> Iterator[Finding]:
    """Yield the chance that craft are wrecked on the way, and that they arrive (8.23)."""
    if odds is None:
        return
    messages = []
    if odds.wreck:
        messages.append(
            f"{judge_risk(odds.wreck, 'A wreck')}: by river it passes {describe_perils(odds)}; "
            f"{describe_wrecks(odds)}."
        )
    if odds.arrives < CERTAIN:
        messages.append(
            f"The chance to come by river to {describe_hex(odds.to)} is "
            f"{format_percent(odds.arrives)}."
        )
    if messages:
        yield risk(number, " ".join(messages), "8.23", hex_id=order.hex)


def describe_perils(odds: VoyageOdds) -> str:
    """Return the dangers of a voyage: `the Fifth Cataract, the cataract of Dal and so on`."""
    return join_words(list(map(_peril, odds.perils)))


def _peril(name: str) -> str:
    if name == REACH:
        return name
    return f"the {name}" if " " in name else f"the cataract of {name}"


def describe_wrecks(odds: VoyageOdds) -> str:
    """Return the chance of a wreck: `the chance that one or more of its five craft ... is 40%`."""
    if odds.hulls == 1:
        return f"the chance that its craft is wrecked is {format_percent(odds.wreck)}"
    craft = count_noun(odds.hulls, "craft", "craft")
    return (
        f"the chance that one or more of its {craft} are wrecked is {format_percent(odds.wreck)}, "
        f"{mean_of(odds.wrecked):.1f} on average"
    )


def of_fight(state: State, side: Side, number: int, fight: ExpectedCombat) -> Iterator[Finding]:
    """Yield the chances of an attack, and what is behind the stack if it is beaten (9.6, 9.8)."""
    enemies = board(state).stack(side.enemy, fight.hex)
    if is_afloat(enemies):
        message = f"Its gunboats attack the craft {at_hex(fight.hex)}, which answer with theirs."
        yield risk(number, message, "6.1", hex_id=fight.hex)
    elif fight.odds is None:
        message = f"It attacks {at_hex(fight.hex)}, where the enemy’s strength is not known."
        yield risk(number, message, "9.6", hex_id=fight.hex)
    else:
        odds = fight.odds
        message = (
            f"{judge_chance(odds.win, 'win')}: it attacks {at_hex(fight.hex)}; the chance to win "
            f"is {format_percent(odds.win)}, to lose {format_percent(odds.lose)}; "
            f"of its {count_noun(odds.attacker.units, 'unit')} "
            f"{_pays(odds.attacker)}, of the enemy’s {count_noun(odds.defender.units, 'unit')} "
            f"{_pays(odds.defender)}, on average."
        )
        tell = note if odds.win >= SAFE else risk
        yield tell(number, message, "9.6", hex_id=fight.hex)
    if fight.behind is not None:
        toll = fight.odds.attacker if fight.odds else None
        message = describe_way_behind(fight.behind, toll)
        if not fight.behind.blocked and message:
            yield note(number, message, "9.8", hex_id=fight.hex)
        elif message:
            remedy = "Attack from a hex that it can go back from."
            yield risk(number, message, "9.8", remedy, hex_id=fight.hex)


def describe_way_behind(behind: WayBehind, toll: LossOdds | None = None) -> str:
    """Return what is behind a stack that attacks: a river at its back, or no way back at all.

    `toll` gives the chance that it has no way back, where it is known. Empty when nothing bars or
    hinders its retreat.
    """
    if not behind.blocked:
        return _describe_crossing(behind.river) if behind.river else ""
    if toll is not None and not toll.at_bay:
        return ""
    reason = "The enemy bars the way it came"
    if behind.set_out:
        reason = "The enemy stands all round the hex it attacks from"
    elif behind.river:
        reason = f"The {behind.river} is at its back, and the enemy bars the crossing"
    message = (
        f"{reason}: beaten, it has no way back; its units that are disrupted by then are "
        "destroyed, and the others disrupted."
    )
    if toll is not None:
        message += (
            f" The chance of that is {format_percent(toll.at_bay)}, and that the whole stack is "
            f"destroyed {format_percent(toll.destroyed)}."
        )
    return message


def _describe_crossing(river: str) -> str:
    return (
        f"The {river} is at its back: beaten, it goes back over it, which takes movement points "
        "from its retreat."
    )


def _pays(toll: LossOdds) -> str:
    return f"{toll.mean_gone:.1f} are lost and {toll.mean_shaken:.1f} disrupted"


def of_thirst(number: int, odds: ThirstOdds | None) -> Iterator[Finding]:
    """Yield the attrition by thirst where the stack ends, if no supply is spent (10.3)."""
    if odds is None or odds.safe:
        return
    most = max(losses.gone + losses.shaken for losses in odds.results)
    suffer = "lost" if not odds.shaken else "disrupted" if not odds.gone else "disrupted or lost"
    message = judge_risk(odds.strikes, "Thirst")
    where, certain = at_hex(odds.hex), odds.strikes == 1
    if not certain:
        message += f" ({format_percent(odds.strikes)})"
    if odds.size > 1:
        message += (
            f": of the {odds.size} units {where} "
            f"{float(odds.gone + odds.shaken):.1f} are {suffer} on average, at most {most}"
        )
    else:
        message += f": the unit {where} {'is' if certain else 'may be'} {suffer}"
    if odds.sources:
        message += ". A supply unit, if it is spent, prevents that"
    yield risk(number, f"{message}.", "10.3", hex_id=odds.hex)


def of_stake(number: int, order: MarchOrder, stake: Stake) -> Finding:
    """Return the stake as a risk where its attack or attrition may cause it, else as a note."""
    tell = risk if stake.chance else note
    return tell(number, stake.said, stake.clause, hex_id=order.hex)
