"""Live play: choose an answer to every question from the legal answers."""

from collections.abc import Callable, Iterator

from outlook import Outlook
from sirdar_client.models import (
    Attack,
    ChoicesPart,
    Choose,
    DecisionDocument,
    Done,
    Halt,
    Lead,
    March,
    Move,
    OnMarch,
    Pick,
    Place,
    ReachableHexPart,
    Retreat,
    Share,
    StackChoice,
    Supply,
    ToChooseHex,
    ToChooseUnits,
    ToDisrupt,
    ToLead,
    ToReinforce,
    ToRetreat,
    ToSetUp,
    ToShareAttrition,
    ToShareLosses,
    ToSupply,
)

TRIES = 3
"""The hexes that are tried before a march is given up."""
WORTH_SUPPLY = 6
"""The strength points that justify using a supply unit."""

Answer = (
    Attack | Choose | Done | Halt | Lead | March | Move | Pick | Place | Retreat | Share | Supply
)


class LivePlay:
    """The answers of one side; it remembers which stacks it has considered in a march phase."""

    def __init__(self) -> None:
        self._phase: tuple[str, str] = ("", "")
        self._considered: set[str] = set()

    def answers(self, decision: DecisionDocument, outlook: Outlook) -> Iterator[Answer]:
        """Yield answers, the best first: in the fog even a legal answer may be refused."""
        if decision.choices is None:
            raise ValueError(f"Nothing is asked of us: {decision.waiting_for}")
        if (decision.month, decision.phase) != self._phase:
            self._phase, self._considered = (decision.month, decision.phase), set()
        answer = _ANSWERS.get(type(decision.question), self._marches)
        yield from answer(decision.choices, outlook)

    def _marches(self, choices: ChoicesPart, outlook: Outlook) -> Iterator[Answer]:
        """Yield marches of stacks that have somewhere to go, then the end of the phase."""
        for stack in choices.stacks:
            if stack.hex_ not in self._considered:
                self._considered.add(stack.hex_)
                units = outlook.column(stack.hex_, stack.unit_ids)
                near = outlook.ground.beside.get(stack.hex_, ())
                if outlook.goal(stack.hex_, units) or outlook.target(near, units):
                    yield _march(stack, units)
        yield Done(type_="done")


def _march(stack: StackChoice, units: list[int]) -> March:
    """Return a march of these units, with a leader of theirs to help."""
    leader = next((number for number in stack.leader_ids if number in units), None)
    return March(type_="march", unit_ids=units, leader_id=leader)


def _on_march(choices: ChoicesPart, outlook: Outlook) -> Iterator[Answer]:
    """Yield answers for the marching stack: attack, go on, roll for another march, or halt."""
    (stack,) = choices.stacks
    target = outlook.target(choices.target_hexes, choices.unit_ids)
    if target is not None:
        yield Attack(type_="attack", hex_=target)
    goal = outlook.goal(stack.hex_, choices.unit_ids)
    if goal is not None:
        for step in _steps(choices.reachable_hexes, stack.hex_, goal, outlook):
            yield Move(type_="move", path=step.path)
        if choices.may_march and outlook.ground.steps(stack.hex_, goal) > 1:
            yield _march(stack, choices.unit_ids)
    yield Halt(type_="halt")


def _steps(
    reachable: list[ReachableHexPart], here: str, goal: str, outlook: Outlook
) -> list[ReachableHexPart]:
    """Return the reachable hexes that are nearer to the goal, the nearest first."""
    steps = {each.hex_: outlook.ground.steps(each.hex_, goal) for each in reachable}
    left = outlook.ground.steps(here, goal)
    nearer = [each for each in reachable if steps[each.hex_] < left]
    return sorted(nearer, key=lambda each: (steps[each.hex_], each.march_points))[:TRIES]


def _reinforce(choices: ChoicesPart, outlook: Outlook) -> Iterator[Answer]:
    """Yield places for arrivals, beginning where most of our units are."""
    for arrival in choices.arrivals[:1]:
        for here in _by_friends(arrival.hexes, outlook):
            yield Place(type_="place", group=arrival.group, hex_=here)
    yield Done(type_="done")


def _by_friends(hexes: list[str], outlook: Outlook) -> list[str]:
    return sorted(hexes, key=lambda here: (-outlook.friends(here), here))


def _retreat(choices: ChoicesPart, outlook: Outlook) -> Iterator[Answer]:
    """Yield standing fast if it is allowed, then paths to the least threatened hexes."""
    stand = Retreat(type_="retreat", path=[])
    if choices.may_end:
        yield stand
    if choices.retreat_path:
        yield Retreat(type_="retreat", path=choices.retreat_path[:1])
    for each in sorted(
        choices.reachable_hexes, key=lambda each: (outlook.threat(each.hex_), each.march_points)
    ):
        yield Retreat(type_="retreat", path=each.path)
    yield stand


def _supply(choices: ChoicesPart, outlook: Outlook) -> Iterator[Answer]:
    """Yield a supply unit for each stack that is worth it."""
    for stack in choices.supplies:
        if outlook.friends(stack.hex_) >= WORTH_SUPPLY:
            yield Supply(type_="supply", source_id=stack.source_ids[0])
    yield Supply(type_="supply", source_id=None)


def _pick(choices: ChoicesPart, outlook: Outlook) -> Iterator[Answer]:
    """Yield the weakest units."""
    units = sorted(choices.unit_ids, key=lambda number: (outlook.power([number]), number))
    yield Pick(type_="pick", unit_ids=units[: choices.pick_count or 0])


def _share(choices: ChoicesPart, outlook: Outlook) -> Iterator[Answer]:
    yield Share(
        type_="share", eliminated_ids=choices.eliminated_ids, disrupted_ids=choices.disrupted_ids
    )


def _lead(choices: ChoicesPart, outlook: Outlook) -> Iterator[Answer]:
    if choices.leader_ids:
        yield Lead(type_="lead", leader_id=choices.leader_ids[0], combat_round="melee")
    yield Lead(type_="lead", leader_id=None)


def _choose(choices: ChoicesPart, outlook: Outlook) -> Iterator[Answer]:
    """Yield hexes, beginning where most of our units are."""
    for here in _by_friends(choices.hexes, outlook):
        yield Choose(type_="choose", hex_=here)


def _leave(choices: ChoicesPart, outlook: Outlook) -> Iterator[Answer]:
    """Yield the end of the set-up: the units stay as they are."""
    yield Done(type_="done")


_ANSWERS: dict[type, Callable[[ChoicesPart, Outlook], Iterator[Answer]]] = {
    ToSetUp: _leave,
    ToReinforce: _reinforce,
    OnMarch: _on_march,
    ToDisrupt: _pick,
    ToShareLosses: _share,
    ToLead: _lead,
    ToRetreat: _retreat,
    ToSupply: _supply,
    ToShareAttrition: _pick,
    ToChooseHex: _choose,
    ToChooseUnits: _pick,
}
"""The answers by question; marches are missing, as they need the memory of LivePlay."""
