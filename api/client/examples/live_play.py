"""Live play: choose an answer to every question from the legal answers."""

from collections.abc import Callable, Iterator, Sequence

from api.client import answers as a
from api.client.documents import ChoicesPart, DecisionDocument, ReachPart, StackChoice
from api.client.examples.outlook import Outlook

TRIES = 3
"""The hexes that are tried before a march is given up."""
WORTH_SUPPLY = 6
"""The strength points that justify using a supply unit."""


class LivePlay:
    """The answers of one side; it remembers which stacks it has considered in a march phase."""

    def __init__(self) -> None:
        self._phase: tuple[str, str] = ("", "")
        self._thought: set[int] = set()

    def answers(self, asked: DecisionDocument, outlook: Outlook) -> Iterator[a.AnyAnswer]:
        """Yield answers, the best first: in the fog even a legal answer may be refused."""
        if asked.choices is None:
            raise ValueError(f"Nothing is asked of us: {asked.waiting_for}")
        if (asked.month, asked.phase) != self._phase:
            self._phase, self._thought = (asked.month, asked.phase), set()
        answers = _ANSWERS.get(str((asked.question or {}).get("asks")), self._marches)
        yield from answers(asked.choices, outlook)

    def _marches(self, may: ChoicesPart, outlook: Outlook) -> Iterator[a.AnyAnswer]:
        """Yield marches of stacks that have somewhere to go, then the end of the phase."""
        for stack in may.stacks:
            if stack.hex not in self._thought:
                self._thought.add(stack.hex)
                order = _set_out(stack, outlook)
                if order is not None:
                    yield order
        yield a.Done()


def _set_out(stack: StackChoice, outlook: Outlook) -> a.March | None:
    units = outlook.column(stack.hex, stack.units)
    goal = outlook.goal(stack.hex, units)
    fights = _target(outlook.ground.beside.get(stack.hex, ()), units, outlook)
    if goal is None and fights is None:
        return None
    return a.March(units, _guide(stack, units))


def _guide(stack: StackChoice, units: Sequence[int]) -> int:
    return next((one for one in stack.leaders if one in units), 0)


def _on_march(may: ChoicesPart, outlook: Outlook) -> Iterator[a.AnyAnswer]:
    """Yield answers for the marching stack: attack, go on, roll for another march, or halt."""
    (stack,) = may.stacks
    target = _target(may.targets, may.units, outlook)
    if target is not None:
        yield a.Attack(target)
    goal = outlook.goal(stack.hex, may.units)
    if goal is not None:
        for step in _steps(may.reach, stack.hex, goal, outlook):
            yield a.Move(tuple(step.path))
        if may.may_march and outlook.ground.steps(stack.hex, goal) > 1:
            yield a.March(tuple(may.units), _guide(stack, may.units))
    yield a.Halt()


def _target(near: Sequence[int], units: Sequence[int], outlook: Outlook) -> int | None:
    """Return the weakest adjacent enemy that the units should attack."""
    power = outlook.power(units)
    found = [one for one in near if outlook.enemy.get(one) and outlook.beats(power, one)]
    return min(found, key=lambda one: (outlook.enemy[one], one), default=None)


def _steps(reach: Sequence[ReachPart], here: int, goal: int, outlook: Outlook) -> list[ReachPart]:
    """Return the reachable hexes that are nearer to the goal, the nearest first."""
    left = outlook.ground.steps(here, goal)
    nearer = [one for one in reach if outlook.ground.steps(one.hex, goal) < left]
    nearer.sort(key=lambda one: (outlook.ground.steps(one.hex, goal), one.points))
    return nearer[:TRIES]


def _reinforce(may: ChoicesPart, outlook: Outlook) -> Iterator[a.AnyAnswer]:
    """Yield places for arrivals, beginning where most of our units are."""
    for group in may.arrivals[:1]:
        for here in sorted(group.hexes, key=lambda one: (-_friends(one, outlook), one)):
            yield a.Place(group.group, here)
    yield a.Done()


def _friends(here: int, outlook: Outlook) -> float:
    return outlook.power(one.id for one in outlook.own.get(here, ()))


def _retreat(may: ChoicesPart, outlook: Outlook) -> Iterator[a.AnyAnswer]:
    """Yield standing fast if it is allowed, then paths to the least threatened hexes."""
    if may.done:
        yield a.Retreat(())
    if may.back_along:
        yield a.Retreat(tuple(may.back_along[:1]))
    for one in sorted(may.reach, key=lambda one: (outlook.threat(one.hex), one.points)):
        yield a.Retreat(tuple(one.path))
    yield a.Retreat(())


def _supply(may: ChoicesPart, outlook: Outlook) -> Iterator[a.AnyAnswer]:
    """Yield a supply unit for a stack that is worth it."""
    worth = sum(_friends(here, outlook) for here in may.hexes)
    yield a.Supply(may.sources[0] if may.sources and worth >= WORTH_SUPPLY else 0)


def _pick(may: ChoicesPart, outlook: Outlook) -> Iterator[a.AnyAnswer]:
    """Yield the weakest units."""
    worth = {one: outlook.power([one]) for one in may.units}
    yield a.Pick(tuple(sorted(may.units, key=lambda one: (worth[one], one))[: may.count]))


def _share(may: ChoicesPart, outlook: Outlook) -> Iterator[a.AnyAnswer]:
    yield a.Share(tuple(may.eliminated), tuple(may.disrupted))


def _lead(may: ChoicesPart, outlook: Outlook) -> Iterator[a.AnyAnswer]:
    yield a.Lead(may.leaders[0], "melee") if may.leaders else a.Lead(0)


def _choose(may: ChoicesPart, outlook: Outlook) -> Iterator[a.AnyAnswer]:
    """Yield hexes, beginning where most of our units are."""
    for here in sorted(may.hexes, key=lambda one: (-_friends(one, outlook), one)):
        yield a.Choose(here)


def _as_it_is(may: ChoicesPart, outlook: Outlook) -> Iterator[a.AnyAnswer]:
    yield a.Done()


_ANSWERS: dict[str, Callable[[ChoicesPart, Outlook], Iterator[a.AnyAnswer]]] = {
    "ToSetUp": _as_it_is,
    "ToReinforce": _reinforce,
    "OnMarch": _on_march,
    "ToDisrupt": _pick,
    "ToShareLosses": _share,
    "ToLead": _lead,
    "ToRetreat": _retreat,
    "ToSupply": _supply,
    "ToShareAttrition": _pick,
    "ToChooseHex": _choose,
    "ToChooseUnits": _pick,
}
"""The answers by question; marches are missing, as they need the memory of LivePlay."""
