"""Weigh odds by the month's random event, exactly, by its table (5.2 I).

A side's event happens before it marches, so nobody who writes orders earlier knows it.
`enumerate_rolls` runs a function once for every way in which the dice can fall; the odds of these
runs are mixed here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeVar

from battles.contract.brief import Side
from battles.core.dice import Dice
from battles.core.game import Ledger, Step
from campaign.odds.combat import CombatEnding, CombatOdds, LossOdds
from campaign.odds.march import AttritionLosses, MarchOdds, MarchOutcome, ThirstOdds
from campaign.odds.voyage import VoyageOdds, VoyageOutcome
from campaign.rules.core.board import forget, random_events
from campaign.rules.core.evolve import evolve
from campaign.rules.core.play import STEPS
from campaign.rules.core.state import Phase, State

T = TypeVar("T")
Fall = tuple[int, ...]


class _MoreDiceNeeded(Exception):
    """More dice are needed than are fixed."""

    def __init__(self, count: int, sides: int) -> None:
        super().__init__(f"{count} dice of {sides}")
        self.falls = list(product(range(1, sides + 1), repeat=count))


class _FixedRolls:
    """Dice with fixed results."""

    def __init__(self, falls: tuple[Fall, ...]) -> None:
        self._falls = iter(falls)

    def throw(self, count: int, sides: int) -> Fall:
        """Return the next fixed result, as `Dice.throw` would. Raises _MoreDiceNeeded."""
        fall = next(self._falls, None)
        if fall is None:
            raise _MoreDiceNeeded(count, sides)
        return fall


def enumerate_rolls(
    do: Callable[[Dice], T], first: Iterable[tuple[Fall, Fraction]]
) -> Iterator[tuple[Fraction, T]]:
    """Yield the result of `do`, with its chance, for every way in which the dice can fall.

    `first` are the possible results of the first throw. `do` is run from its beginning each time.
    """
    still_open: list[tuple[tuple[Fall, ...], Fraction]] = [
        ((fall,), chance) for fall, chance in first
    ]
    while still_open:
        falls, chance = still_open.pop()
        try:
            yield chance, do(_FixedRolls(falls))
        except _MoreDiceNeeded as next_throw:
            # `do` cannot be resumed: queue a run from the beginning for each next throw.
            often = chance / len(next_throw.falls)
            still_open += [((*falls, fall), often) for fall in next_throw.falls]


FACES = range(1, 7)
K = TypeVar("K")
C = TypeVar("C", float, Fraction)


def event_to_come(state: State, side: Side) -> bool:
    """Return whether the random event before the side's next marches is still to be thrown for."""
    return state.phase is Phase.SET_UP or state.side is not side


def event_outcomes(state: State, side: Side) -> list[tuple[Fall, Fraction]]:
    """Return a throw for each row of the side's table of events, with the chance of the row."""
    events, rows = random_events(state, side), dict[tuple[int, int], list[Fall]]()
    for fall in product(FACES, repeat=2):
        row = events[10 * fall[0] + fall[1]]
        rows.setdefault((row.low, row.high), []).append(fall)
    return [(falls[0], Fraction(len(falls), len(FACES) ** 2)) for falls in rows.values()]


def begin_event(state: State, side: Side, dice: Dice) -> None:
    """Play the side's random event on the state, until a question is open or it is over."""
    state.side, state.phase, state.question = side, Phase.EVENT, None
    state.agenda, state.march, state.combat = [Step("random event", (side,))], None, None
    forget(state)
    Ledger(state, dice, evolve).advance(STEPS)


def mix_marches(parts: Sequence[tuple[Fraction, MarchOdds | None]]) -> MarchOdds | None:
    """Return the marches over all events; in events without the order no march is made."""
    marches = max((odds.wanted for _, odds in parts if odds), default=0)
    none = MarchOdds(marches, {MarchOutcome(0): Fraction(1)})
    spreads = ((chance, (odds or none).results) for chance, odds in parts)
    return MarchOdds(marches, _mix_chances(spreads)) if marches else None


def mix_voyages(parts: Sequence[tuple[Fraction, VoyageOdds | None]]) -> VoyageOdds | None:
    """Return the voyage over all events; in events without the order no hull leaves its port."""
    voyages = [(chance, odds) for chance, odds in parts if odds is not None]
    if not voyages:
        return None
    likeliest = max(voyages, key=lambda part: part[0])[1]
    none = likeliest._replace(results={VoyageOutcome(0, False): 1.0})
    results = _mix_chances((float(chance), (odds or none).results) for chance, odds in parts)
    hulls = max(odds.hulls for _, odds in voyages)
    return likeliest._replace(hulls=hulls, results=results)


def mix_combats(parts: Sequence[tuple[Fraction, CombatOdds]]) -> CombatOdds:
    """Return the combat over all events in which it is fought."""
    total = sum((chance for chance, _ in parts), Fraction(0))
    weighed = [(float(chance / total), odds) for chance, odds in parts]
    results: dict[CombatEnding, float] = _mix_chances(
        (chance, odds.results) for chance, odds in weighed
    )
    return CombatOdds(
        sum(chance * odds.win for chance, odds in weighed),
        sum(chance * odds.lose for chance, odds in weighed),
        sum(chance * odds.draw for chance, odds in weighed),
        _toll([(chance, odds.attacker) for chance, odds in weighed]),
        _toll([(chance, odds.defender) for chance, odds in weighed]),
        results,
        _mix_distributions((chance, odds.taken) for chance, odds in weighed),
        _mix_distributions((chance, odds.wrecked) for chance, odds in weighed),
    )


def mix_thirsts(parts: Sequence[tuple[Fraction, ThirstOdds]]) -> ThirstOdds:
    """Return the attrition over all events in which the stack ends there.

    Line, modifiers and sources are those of the likeliest event.
    """
    likeliest = max(parts, key=lambda part: part[0])[1]
    total = sum((chance for chance, _ in parts), Fraction(0))
    results: dict[AttritionLosses, Fraction] = _mix_chances(
        (chance / total, odds.results) for chance, odds in parts
    )
    size = max(odds.size for _, odds in parts)
    return likeliest._replace(size=size, results=results)


def _toll(parts: Sequence[tuple[float, LossOdds]]) -> LossOdds:
    return LossOdds(
        max(toll.units for _, toll in parts),
        _mix_distributions((chance, toll.gone) for chance, toll in parts),
        _mix_distributions((chance, toll.shaken) for chance, toll in parts),
        sum(chance * toll.wiped for chance, toll in parts),
        sum(chance * toll.destroyed for chance, toll in parts),
        sum(chance * toll.at_bay for chance, toll in parts),
    )


def _mix_distributions(parts: Iterable[tuple[float, Sequence[float]]]) -> tuple[float, ...]:
    """Return the chances of 0, 1, 2 and so on; shorter distributions are extended."""
    mixed = _mix_chances((chance, dict(enumerate(spread))) for chance, spread in parts)
    return tuple(mixed[number] for number in range(len(mixed)))


def _mix_chances(parts: Iterable[tuple[C, dict[K, C]]]) -> dict[K, C]:
    chances: dict[K, C] = {}
    for chance, spread in parts:
        for key, often in spread.items():
            chances[key] = chances[key] + chance * often if key in chances else chance * often
    return chances
