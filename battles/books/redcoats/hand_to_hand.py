"""Hand-to-hand combat and breaking off."""

from battles.books.redcoats import events as e
from battles.books.redcoats import formations
from battles.books.redcoats.actions import ToPlayCard
from battles.books.redcoats.board import at, foremost, leaders_with, on_field
from battles.books.redcoats.book import book
from battles.books.redcoats.casualties import Outcome, driven, looked_up, suffer
from battles.books.redcoats.charging import is_shaken, supports
from battles.books.redcoats.heroic import can_be_led
from battles.books.redcoats.leaders import at_risk, taken
from battles.books.redcoats.pieces import Heroic, Side
from battles.books.redcoats.squares import STEPS, Aspect, distance, opposite
from battles.books.redcoats.state import Combat, State, Unit
from battles.contract.events import BattleResult
from battles.core.dice import Modifier, Roll
from battles.core.game import Step
from battles.core.ledger import Ledger


def outcome(higher: int, lower: int, *, disorganised: bool = False) -> Outcome:
    """What two modified scores, the higher first, mean for the lower (Hand-to-hand 7, 8).

    `disorganised`: the loser was before, and then loses one figure more from 3 on.
    """
    return looked_up("combat", higher - lower, further=disorganised)


def modifiers(
    figures: int, friends_behind: int = 0, *, disorganised: bool = False, heroic: bool = False
) -> tuple[Modifier, ...]:
    """What is added to a unit's score (Hand-to-hand 3), and what a card adds."""
    found = [Modifier(figures, "figures", "Hand-to-hand 3")]
    if friends_behind:
        added = friends_behind * book().number("combat support")
        found.append(Modifier(added, "friends behind", "Hand-to-hand 3"))
    if disorganised:
        found.append(
            Modifier(book().number("combat disorganised"), "disorganised", "Hand-to-hand 3")
        )
    if heroic:
        added = book().heroic(Heroic.FIGHTING).adds
        found.append(Modifier(added, "Hand-to-hand fighting!", "Heroic Leadership 3"))
    return tuple(found)


def figures_fighting(state: State, unit: Unit, aspect: Aspect) -> int:
    """Return figures that fight: the unit's, and gunners' and Leaders' who share the square.

    A Leader counts where all bases of the formation fight; else he is one of those (ruling).
    """
    figures = formations.fighting(unit, aspect)
    for other in at(state, unit.square):
        if other is not unit and other.side is unit.side:
            figures += formations.fighting(other, aspect)
    if formations.bases(unit.formation, aspect) == "all":
        figures += len(leaders_with(state, unit))
    return figures


def combats(ledger: Ledger[State]) -> None:
    """The combats of the turn, one after the other (Turn sequence 4)."""
    ledger.then(
        *(
            Step("combat", (combat.charger, combat.charged))
            for combat in ledger.state.combats
            if combat.turn < ledger.state.turn
        )
    )


def combat(ledger: Ledger[State], charger: int, charged: int) -> None:
    """One combat: each side's Leader may play his card, then both throw."""
    if _found(ledger.state, charger, charged) is not None:
        ledger.then(
            Step("combat card", (charger,)),
            Step("combat card", (charged,)),
            Step("combat fought", (charger, charged)),
        )


def combat_card(ledger: Ledger[State], number: int) -> None:
    """A Leader in the fight is asked whether he plays his card."""
    unit = ledger.state.units[number]
    if can_be_led(ledger.state, unit, Heroic.FIGHTING):
        ledger.ask(ToPlayCard(unit.side, number, Heroic.FIGHTING))


def fought(ledger: Ledger[State], charger: int, charged: int) -> None:
    """Both throw, the lower gives way, and cards are turned for the Leaders."""
    state = ledger.state
    found = _found(state, charger, charged)
    if found is None:
        return
    one, other = state.units[charger], state.units[charged]
    ours = _throw(ledger, one, Aspect.FRONT)
    theirs = _throw(ledger, other, found.aspect)
    loser = None if ours == theirs else (other if ours > theirs else one)
    bad = loser is not None and (loser.disorganised or is_shaken(loser))
    result = outcome(max(ours, theirs), min(ours, theirs), disorganised=bad)
    ledger.amend(ledger.rolls[-1], result=result.words, table=str(result.difference))
    ledger.emit(
        e.CombatJudged(
            charger=charger,
            charged=charged,
            loser=loser.id if loser else 0,
            difference=result.difference,
        )
    )
    for unit in (one, other):
        at_risk(ledger, unit)
    if loser is not None:
        _give_way(ledger, found, loser, result)


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


def _give_way(ledger: Ledger[State], found: Combat, loser: Unit, result: Outcome) -> None:
    """The loser falls back; while it cannot, the two go on fighting.

    Where it is destroyed, gunners who shared its square fight on, and Leaders are taken.
    """
    state = ledger.state
    square = loser.square
    other = found.charged if loser.id == found.charger else found.charger
    winner = state.units[other]
    if loser.id == found.charger:
        away = opposite(loser.facing), loser.facing
    else:
        away = driven(loser, found.aspect, winner.facing)
    suffer(ledger, loser, result, away)
    if _found(state, found.charger, found.charged) is not None:
        if loser.square == square:
            return
        ledger.emit(e.CombatEnded(charger=found.charger, charged=found.charged))
    left = foremost(state, square, loser.side)
    if left is None:
        taken(ledger, square, winner.side)
    else:
        ledger.emit(e.CombatBegan(charger=winner.id, charged=left.id, aspect=found.aspect))


def _found(state: State, charger: int, charged: int) -> Combat | None:
    for combat_ in state.combats:
        if (combat_.charger, combat_.charged) == (charger, charged):
            return combat_
    return None


_NAMES = {Side.EGYPTIAN: "Anglo-Egyptian", Side.MAHDIST: "Dervish"}


def must_break_off(out: int, of: int) -> bool:
    """Return whether so many units disorganised or lost of so many are half or more (Break off 1)."""
    return 2 * out >= of


def out_of_action(state: State, side: Side) -> int:
    """Return a side's units that are disorganised, lost, or gone from the field."""
    here = sum(unit.side is side and unit.disorganised for unit in state.units.values())
    return here + sum(unit.side is side for unit in [*state.lost, *state.left])


def judge(ledger: Ledger[State]) -> None:
    """The end of a turn: who has to break off, and whether the battle is over (Turn 10)."""
    state = ledger.state
    for side in Side:
        out, of = out_of_action(state, side), state.strengths.get(side, 0)
        if side not in state.breaking_off and must_break_off(out, of):
            ledger.emit(e.BrokeOff(side=side, out=out, of=of))
    result = ended(state)
    if result is not None:
        ledger.emit(e.BattleEnded(result=result))


def ended(state: State) -> BattleResult | None:
    """Return how the battle has ended; None while it goes on."""
    return _emptied(state) or _taken(state) or _night(state)


def nearest_distance(state: State, square: int, side: Side) -> int:
    """Return squares to the side's nearest enemy unit; many when there is none."""
    return min(
        (distance(square, enemy.square) for enemy in on_field(state, side.enemy)), default=99
    )


def ways_off(state: State, unit: Unit) -> tuple[int, ...]:
    """Return the facings in which a unit at the edge goes off the field, away from the enemy."""
    here = nearest_distance(state, unit.square, unit.side)
    return tuple(
        way
        for way in state.field.edge(unit.square)
        if nearest_distance(state, unit.square + STEPS[way], unit.side) > here or here == 99
    )


def _emptied(state: State) -> BattleResult | None:
    """Return a side without units on the field or on their way to it has lost."""
    there = {unit.side for unit in state.units.values()}
    gone = [side for side in Side if side not in there]
    if len(gone) == 2:
        return BattleResult(None, "destroyed", "Neither side has a unit left on the field.")
    if not gone:
        return None
    side, name = gone[0], _NAMES[gone[0]]
    if side in state.breaking_off and any(unit.side is side for unit in state.left):
        return BattleResult(side.enemy, "broke off", f"The last of the {name} side has withdrawn.")
    return BattleResult(side.enemy, "destroyed", f"The {name} side has no unit left on the field.")


def _taken(state: State) -> BattleResult | None:
    """Return an objective held in good order, with no enemy in it, is won."""
    goal = state.objective
    if goal is None:
        return None
    holders = [unit for unit in state.units.values() if unit.square in goal.squares]
    held = any(unit.side is goal.side and not unit.disorganised for unit in holders)
    if held and all(unit.side is goal.side for unit in holders):
        return BattleResult(goal.side, "objective", "What was to be taken has been taken.")
    return None


def _night(state: State) -> BattleResult | None:
    if state.turn < state.turns:
        return None
    staying = [side for side in Side if side not in state.breaking_off]
    winner = staying[0] if len(staying) == 1 else None
    return BattleResult(winner, "nightfall", "Night has fallen.")
