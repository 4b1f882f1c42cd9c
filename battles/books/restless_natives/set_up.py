"""The set-up of a battle: a deployment, and the state it becomes."""

from collections.abc import Iterator

import msgspec

from battles.books.restless_natives import events as e
from battles.books.restless_natives import sequence
from battles.books.restless_natives.board import post_of, stands_of
from battles.books.restless_natives.book import book
from battles.books.restless_natives.evolve import evolve
from battles.books.restless_natives.pieces import Goal, Hold, Remain
from battles.books.restless_natives.sequence import STEPS
from battles.books.restless_natives.state import PACK_ONCE, VERSION, Commander, State, Unit
from battles.contract.brief import Brief, Side
from battles.core.dice import Dice
from battles.core.game import Ledger, Outcome, Step
from battles.tabletop.deployment import Outline
from battles.tabletop.field import OpenField, on_table
from battles.tabletop.geometry import overlap


class Deployment(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A battle ready to begin, made from a scenario or a brief.

    Each side has one Commander-in-Chief among its commanders; every unit names its commander.
    `late` units stand where they will come on when first activated. `zones` are where a side may
    set its units up before play. A campaign battle ends after `cards`, a `one_off` one with the
    second joker. `drawn_from` has the units of the brief.
    """

    title: str
    field: OpenField
    units: tuple[Unit, ...]
    commanders: tuple[Commander, ...]
    late: tuple[int, ...] = ()
    zones: dict[Side, tuple[Outline, ...]] = {}
    goal: Goal = Remain()
    one_off: bool = False
    cards: int = PACK_ONCE
    brief: Brief | None = None
    drawn_from: dict[int, tuple[int, ...]] = {}


def new_game(deployment: Deployment, dice: Dice) -> tuple[State, Outcome]:
    """Return the battle at its first question, and the outcome that led there.

    Raises ValueError for an invalid deployment.
    """
    state = drawn_up(deployment)
    return state, start_battle(state, dice)


def drawn_up(deployment: Deployment) -> State:
    """Return the battle before its first event, as the first state of a journal.

    Raises ValueError for an invalid deployment.
    """
    faults = list(_faults(deployment))
    if faults:
        raise ValueError(" ".join(faults))
    units = {unit.id: msgspec.structs.replace(unit) for unit in deployment.units}
    goal = deployment.goal
    return State(
        version=VERSION,
        title=deployment.title,
        field=deployment.field,
        units={number: unit for number, unit in units.items() if number not in deployment.late},
        waiting={number: unit for number, unit in units.items() if number in deployment.late},
        commanders={
            commander.id: msgspec.structs.replace(commander, hand=list(commander.hand))
            for commander in deployment.commanders
        },
        began={
            side: sum(unit.stands for unit in deployment.units if unit.side is side)
            for side in Side
        },
        one_off=deployment.one_off,
        cards=deployment.cards,
        goal=goal,
        holders=[goal.side.enemy] * len(goal.areas) if isinstance(goal, Hold) else [],
        brief=deployment.brief,
        drawn_from=dict(deployment.drawn_from),
        zones=dict(deployment.zones),
        line_up={
            unit.id: post_of(unit)
            for unit in deployment.units
            if deployment.zones.get(unit.side) and unit.id not in deployment.late
        },
    )


def start_battle(state: State, dice: Dice) -> Outcome:
    """Play up to the first question: the set-up, or shuffling, dealing and the first card."""
    ledger = Ledger(state, dice, evolve)
    ledger.then(sequence.SET_UP.step(state), Step("battle begins"))
    ledger.advance(STEPS)
    return ledger.recorded(e.AgendaRecorded)


def _faults(deployment: Deployment) -> Iterator[str]:
    numbers = [unit.id for unit in deployment.units]
    if len(set(numbers)) != len(numbers) or min(numbers, default=1) < 1:
        yield "Units need numbers of their own, from 1 on."
    for side in Side:
        chiefs = sum(
            commander.side is side and commander.chief for commander in deployment.commanders
        )
        if chiefs != 1:
            yield f"The {side} side has {chiefs} Commanders-in-Chief instead of one."
    commanders = {commander.id: commander.side for commander in deployment.commanders}
    for unit in deployment.units:
        if commanders.get(unit.command) is not unit.side:
            yield f"{_label(unit)} is under no commander of its side."
        yield from _faults_of(deployment, unit)
    yield from _crowds(deployment)


def _faults_of(deployment: Deployment, unit: Unit) -> Iterator[str]:
    if not 1 <= unit.stands <= unit.full:
        yield f"{_label(unit)} has {unit.stands} of {unit.full} stands."
    permitted = book().formations(book().style(unit.troops), unit.kind)
    if unit.formation not in permitted:
        yield f"{_label(unit)} cannot be in {unit.formation}: {', '.join(permitted)}."
    elif unit.id not in deployment.late and not on_table(deployment.field, stands_of(unit)):
        yield f"{_label(unit)} stands outside the field."


def _crowds(deployment: Deployment) -> Iterator[str]:
    units = [unit for unit in deployment.units if unit.id not in deployment.late]
    for place, unit in enumerate(units):
        for other in units[place + 1 :]:
            if overlap(stands_of(unit), stands_of(other)):
                yield f"{_label(unit)} and {_label(other)} stand upon one another."


def _label(unit: Unit) -> str:
    return f"Unit {unit.id} ({unit.name or unit.kind})"
