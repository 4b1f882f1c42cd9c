"""Resolution of fire: dice target by target, losses and morale (Firing 4 to 6)."""

from typing import NamedTuple

from battles.books.restless_natives import close_combat, firing
from battles.books.restless_natives import events as e
from battles.books.restless_natives.pieces import Special
from battles.books.restless_natives.state import State, Unit, acting
from battles.core.dice import Roll
from battles.core.game import IllegalAction
from battles.core.ledger import Ledger

CAUSE = "fire"


class Volley(NamedTuple):
    """The dice that some stands of a unit throw at one target in all.

    `open_dice` are thrown at stands in the open, of which `open` can be destroyed; `covered_dice`
    and `covered` are the same for stands in cover.
    """

    target: int
    stands: int
    open_dice: int
    open: int
    covered_dice: int
    covered: int


def plan(state: State, unit: Unit, targets: tuple[int, ...], volleys: int) -> list[Volley]:
    """Return the volleys: each stand fires at the first target that it can engage (ruling)."""
    card = acting(state).card if state.acting is not None else None
    aims = {aim.target: aim for aim in firing.targets(state, unit)}
    spoken_for: set[int] = set()
    found = []
    for number in targets:
        if number not in aims:
            continue
        shots = [shot for shot in aims[number].shots if shot.stand not in spoken_for]
        spoken_for.update(shot.stand for shot in shots)
        if shots:
            found.append(_volley(aims[number], shots, volleys, card))
    return found


def check(state: State, unit: Unit, targets: tuple[int, ...], volleys: int) -> None:
    """Raise IllegalAction where a target cannot be engaged, or no stand is left for it."""
    found = [volley.target for volley in plan(state, unit, targets, volleys)]
    if not targets or found != list(targets):
        raise IllegalAction(
            "Firing 2",
            "The unit cannot fire at that, or has no stand left that can.",
            "Choose enemies in range, in the arc of its stands, and in sight.",
        )


def fire(ledger: Ledger[State], unit: Unit, targets: tuple[int, ...], volleys: int) -> None:
    """Resolve a unit's fire, in one or two volleys; targets with losses test morale at once."""
    state = ledger.state
    for volley in plan(state, unit, targets, volleys):
        target = state.units[volley.target]
        fallen = _judge(ledger, unit, volley)
        ledger.emit(
            e.Fired(
                unit=unit.id,
                target=target.id,
                firing=volley.stands,
                volleys=volleys,
                destroyed=fallen,
            )
        )
        close_combat.lose(ledger, target, fallen, CAUSE)
        close_combat.test_morale_after_losses(ledger, target, fallen)
    ledger.emit(e.FireOver(unit=unit.id, volleys=volleys))


def _volley(
    aim: firing.Aim, shots: list[firing.Shot], volleys: int, card: Special | None
) -> Volley:
    thrown = [
        (shot.covered, firing.dice(shot.weapon, 1, shot.gap, volleys=volleys, card=card))
        for shot in shots
    ]
    in_open = sum(dice for covered, dice in thrown if not covered)
    covered = sum(dice for covered, dice in thrown if covered)
    return Volley(aim.target, len(shots), in_open, aim.open, covered, aim.covered)


def _judge(ledger: Ledger[State], unit: Unit, volley: Volley) -> int:
    """Roll a volley, and return the stands destroyed in the open and in cover together."""
    in_open = _throw(ledger, unit, volley.open_dice, cover=False)
    covered = _throw(ledger, unit, volley.covered_dice, cover=True)
    return min(in_open, volley.open) + min(covered, volley.covered)


def _throw(ledger: Ledger[State], unit: Unit, dice: int, *, cover: bool) -> int:
    if not dice:
        return 0
    clause = "Firing 5" if cover else "Firing 4"
    roll = ledger.roll(Roll(CAUSE, clause, (0,) * dice, table="weapons", side=unit.side))
    fallen = firing.destroyed(roll.dice, cover=cover)
    ledger.amend(roll, total=fallen, result=f"{fallen} destroyed")
    return fallen
