"""Hand-to-hand combat, breaking off, and the end of the battle."""

from battles.books.redcoats import events as e
from battles.books.redcoats import movement
from battles.books.redcoats.actions import ToPlayCard
from battles.books.redcoats.board import at, foremost, leaders_with, on_field
from battles.books.redcoats.book import book
from battles.books.redcoats.casualties import CasualtyOutcome, outcome_of, retreat_direction, suffer
from battles.books.redcoats.charging import is_shaken, supports
from battles.books.redcoats.field import APART, STEPS, Aspect, opposite
from battles.books.redcoats.leaders import at_risk, can_be_led, capture_leaders
from battles.books.redcoats.pieces import Heroic
from battles.books.redcoats.state import Combat, State, Unit
from battles.contract.brief import Side
from battles.contract.report import BattleResult
from battles.core.dice import Modifier, Roll
from battles.core.game import Ledger, Step


def outcome(higher: int, lower: int, *, disorganised: bool = False) -> CasualtyOutcome:
    """Return the outcome of two modified scores for the lower (Hand-to-hand 7, 8).

    `disorganised`: the loser already was; it loses one figure more from 3 on.
    """
    return outcome_of("combat", higher - lower, further=disorganised)


def modifiers(
    figures: int, friends_behind: int = 0, *, disorganised: bool = False, heroic: bool = False
) -> tuple[Modifier, ...]:
    """Return the modifiers of a unit's score (Hand-to-hand 3), with that of a card."""
    terms = [Modifier(figures, "figures", "Hand-to-hand 3")]
    if friends_behind:
        added = friends_behind * book().number("combat support")
        terms.append(Modifier(added, "friends behind", "Hand-to-hand 3"))
    if disorganised:
        terms.append(
            Modifier(book().number("combat disorganised"), "disorganised", "Hand-to-hand 3")
        )
    if heroic:
        added = book().heroic(Heroic.FIGHTING).adds
        terms.append(Modifier(added, "Hand-to-hand fighting!", "Heroic Leadership 3"))
    return tuple(terms)


def figures_fighting(state: State, unit: Unit, aspect: Aspect) -> int:
    """Return the figures that fight: the unit's, its gunners' and its Leaders'.

    A Leader counts where all bases of the formation fight; otherwise he is one of them (ruling).
    """
    figures = movement.figures_that_fight(unit, aspect)
    for other in at(state, unit.square):
        if other is not unit and other.side is unit.side:
            figures += movement.figures_that_fight(other, aspect)
    if movement.bases(unit.formation, aspect) == "all":
        figures += len(leaders_with(state, unit))
    return figures


def combats(ledger: Ledger[State]) -> None:
    """Put the combats of the turn on the agenda (Turn sequence 4)."""
    ledger.then(
        *(
            Step("combat", (combat.charger, combat.charged))
            for combat in ledger.state.combats
            if combat.turn < ledger.state.turn
        )
    )


def combat(ledger: Ledger[State], charger: int, charged: int) -> None:
    """Fight one combat: each side's Leader may play a card, then both throw."""
    if _find_combat(ledger.state, charger, charged) is not None:
        ledger.then(
            Step("combat card", (charger,)),
            Step("combat card", (charged,)),
            Step("combat fought", (charger, charged)),
        )


def combat_card(ledger: Ledger[State], number: int) -> None:
    """Ask a Leader in the combat whether he plays his card."""
    unit = ledger.state.units[number]
    if can_be_led(ledger.state, unit, Heroic.FIGHTING):
        ledger.ask(ToPlayCard(unit.side, number, Heroic.FIGHTING))


def fight_combat(ledger: Ledger[State], charger: int, charged: int) -> None:
    """Throw for both, drive the lower back, and turn cards for the Leaders."""
    state = ledger.state
    combat = _find_combat(state, charger, charged)
    if combat is None:
        return
    attacker, other = state.units[charger], state.units[charged]
    attack_score = _throw(ledger, attacker, Aspect.FRONT)
    defence_score = _throw(ledger, other, combat.aspect)
    loser = (
        None
        if attack_score == defence_score
        else (other if attack_score > defence_score else attacker)
    )
    bad = loser is not None and (loser.disorganised or is_shaken(loser))
    result = outcome(
        max(attack_score, defence_score), min(attack_score, defence_score), disorganised=bad
    )
    ledger.amend(ledger.rolls[-1], result=result.words, table=str(result.difference))
    ledger.emit(
        e.CombatJudged(
            charger=charger,
            charged=charged,
            loser=loser.id if loser else 0,
            difference=result.difference,
        )
    )
    for unit in (attacker, other):
        at_risk(ledger, unit)
    if loser is not None:
        _give_way(ledger, combat, loser, result)


def _throw(ledger: Ledger[State], unit: Unit, aspect: Aspect) -> int:
    state = ledger.state
    added = modifiers(
        figures_fighting(state, unit, aspect),
        supports(state, unit),
        disorganised=unit.disorganised or is_shaken(unit),
        heroic=unit.id in state.inspired,
    )
    faces = book().faces("hand-to-hand", unit)
    roll = Roll("hand-to-hand", "Hand-to-hand 2", (0,), faces, modifiers=added, side=unit.side)
    return ledger.roll(roll).total


def _give_way(ledger: Ledger[State], combat: Combat, loser: Unit, result: CasualtyOutcome) -> None:
    """Make the loser fall back; if it cannot, the combat goes on.

    If it is destroyed, gunners in its square fight on, and Leaders are captured.
    """
    state = ledger.state
    square = loser.square
    other = combat.charged if loser.id == combat.charger else combat.charger
    winner = state.units[other]
    if loser.id == combat.charger:
        away = opposite(loser.facing), loser.facing
    else:
        away = retreat_direction(loser, combat.aspect, winner.facing)
    suffer(ledger, loser, result, away)
    if _find_combat(state, combat.charger, combat.charged) is not None:
        if loser.square == square:
            return
        ledger.emit(e.CombatEnded(charger=combat.charger, charged=combat.charged))
    left = foremost(state, square, loser.side)
    if left is None:
        capture_leaders(ledger, square, winner.side)
    else:
        ledger.emit(e.CombatBegan(charger=winner.id, charged=left.id, aspect=combat.aspect))


def _find_combat(state: State, charger: int, charged: int) -> Combat | None:
    for combat_ in state.combats:
        if (combat_.charger, combat_.charged) == (charger, charged):
            return combat_
    return None


_NAMES = {Side.EGYPTIAN: "Anglo-Egyptian", Side.MAHDIST: "Dervish"}


def must_break_off(out: float, strength: float) -> bool:
    """Return whether half of a side's units or more are disorganised or lost (Break off 1)."""
    return 2 * out >= strength


def weight(unit: Unit) -> float:
    """Return what a unit counts for breaking off: a small body of foot or horse in proportion."""
    if not unit.can_fight:
        return 1.0
    return min(1.0, unit.full / book().number("battalion"))


def out_of_action(state: State, side: Side) -> float:
    """Return how many of a side's units are disorganised, lost, or off the field, by weight.

    It is cached until a unit changes its order or is gone (`board.forget_losses`).
    """
    weights: dict[Side, float] = state.__dict__.setdefault("out of action", {})
    if side not in weights:
        out = [unit for unit in state.units.values() if unit.disorganised and unit.side is side]
        out += [unit for unit in (*state.lost, *state.left) if unit.side is side]
        weights[side] = sum(map(weight, out))
    return weights[side]


def judge(ledger: Ledger[State]) -> None:
    """End a turn: make sides break off, and end the battle if it is decided (Turn 10)."""
    state = ledger.state
    for side in Side:
        out, strength = out_of_action(state, side), state.strengths.get(side, 0)
        if side not in state.breaking_off and must_break_off(out, strength):
            ledger.emit(e.BrokeOff(side=side, out=out, of=strength))
    result = battle_result(state)
    if result is not None:
        ledger.emit(e.BattleEnded(result=result))


def battle_result(state: State) -> BattleResult | None:
    """Return the result of the battle; None while it goes on."""
    return _result_by_empty_field(state) or _result_by_objective(state) or _night(state)


def nearest_distance(state: State, square: int, side: Side) -> int:
    """Return the distance to the side's nearest enemy unit; 99 without one."""
    return min([APART[square - enemy.square] for enemy in on_field(state, side.enemy)], default=99)


def ways_off(state: State, unit: Unit) -> tuple[int, ...]:
    """Return the facings that lead a unit off the field, away from the enemy."""
    nearest = nearest_distance(state, unit.square, unit.side)
    return tuple(
        way
        for way in state.field.edge(unit.square)
        if nearest_distance(state, unit.square + STEPS[way], unit.side) > nearest or nearest == 99
    )


def _result_by_empty_field(state: State) -> BattleResult | None:
    """Return the result when a side has no unit left on the field or on its way to it."""
    sides = {unit.side for unit in state.units.values()}
    gone = [side for side in Side if side not in sides]
    if len(gone) == 2:
        return BattleResult(None, "destroyed", "Neither side has a unit left on the field.")
    if not gone:
        return None
    side, name = gone[0], _NAMES[gone[0]]
    if side in state.breaking_off and any(unit.side is side for unit in state.left):
        return BattleResult(side.enemy, "broke off", f"The last of the {name} side has withdrawn.")
    return BattleResult(side.enemy, "destroyed", f"The {name} side has no unit left on the field.")


def _result_by_objective(state: State) -> BattleResult | None:
    """Return the result when the objective is held in good order, with no enemy in it."""
    goal = state.objective
    if goal is None:
        return None
    holders = [unit for unit in state.units.values() if unit.square in goal.squares]
    is_held = any(unit.side is goal.side and not unit.disorganised for unit in holders)
    if is_held and all(unit.side is goal.side for unit in holders):
        return BattleResult(goal.side, "objective", "The objective has been taken.")
    return None


def _night(state: State) -> BattleResult | None:
    if state.turn < state.turns:
        return None
    staying = [side for side in Side if side not in state.breaking_off]
    winner = staying[0] if len(staying) == 1 else None
    return BattleResult(winner, "nightfall", "Night has fallen.")
