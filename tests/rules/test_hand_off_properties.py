"""Whatever a battle reports, the campaign keeps count: units in are units out, kind by kind."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.contract import (
    Brief,
    Fate,
    Nation,
    Party,
    Report,
    Side,
    Troop,
    TroopKind,
    Unfit,
    conserve,
)
from battles.contract.brief import CANNOT_MELEE
from battles.contract.report import TAKEN
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice
from campaign import rules
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import HandOff, State
from campaign.staff import answer
from tests.positions import OPEN, RELIEF, SIEGE, hex_of, position
from tests.rules.helpers import refused
from tests.rules.invariants import check_action

TARGET = "0640"
MOST_BATTLES = 8
EGYPTIAN = (
    "infantry egyptian L", "infantry british 3V", "gun egyptian", "cavalry egyptian", "supply",
    "camel", "camel corps british 2V", "infantry egyptian R disrupted", "Graham",
)  # fmt: skip
MAHDIST = ("spears", "rifles mahdist", "gun mahdist", "cavalry mahdist", "spears disrupted")


def stacks(words: tuple[str, ...]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(words), min_size=1, max_size=8)


@st.composite
def battles(draw: st.DrawFn) -> Any:
    """Return a state in which a battle is asked for."""
    british = ["2 infantry egyptian L", *_each_once(draw(stacks(EGYPTIAN)))]
    ours, theirs = ", ".join(british), ", ".join(["2 spears", *draw(stacks(MAHDIST))])
    mahdists_attack = draw(st.booleans())
    here, there = (theirs, ours) if mahdists_attack else (ours, theirs)
    side = "mahdist" if mahdists_attack else "egyptian"
    state = position(f"{OPEN}: {here}", f"{TARGET}: {there}", side=side)
    state.hand_off = HandOff("redcoats")
    units = tuple(unit.id for unit in state.units.values() if unit.hex == hex_of(OPEN))
    dice = ChainedDice(draw(st.binary(min_size=32, max_size=32)))
    rules.play(state, a.March(units), dice)
    while isinstance(state.question, q.ToDisrupt):
        rules.play(state, a.Pick(state.question.units[: state.question.count]), dice)
    if isinstance(state.question, q.OnMarch):
        rules.play(state, a.Attack(hex_of(TARGET)), dice)
    return state


def _each_once(words: list[str]) -> list[str]:
    return [word for word in words if word != "Graham"] + ["Graham"] * ("Graham" in words)


@st.composite
def reports(draw: st.DrawFn, brief: Brief) -> Report:
    winner = draw(st.sampled_from([None, *Side]))
    fates = {one.id: draw(st.sampled_from(_fates(one, winner))) for one in brief.troops()}
    return Report(brief.id, "redcoats", fates, winner)


def _fates(troop: Troop, winner: Side | None) -> list[Fate]:
    if troop.kind is TroopKind.FLEET:
        return [Fate.GOOD]
    if troop.kind is TroopKind.LEADER:
        return [Fate.GOOD, Fate.ELIMINATED]
    unhurt = [] if troop.disrupted else [Fate.GOOD]
    fates = [*unhurt, Fate.DISRUPTED, Fate.ELIMINATED]
    prize = troop.kind in TAKEN and winner is Side.MAHDIST and troop.nation.side is Side.EGYPTIAN
    return [*fates, Fate.CAPTURED] if prize else fates


@settings(max_examples=80)
@given(st.data())
def test_9_4_whatever_is_reported_units_in_are_units_out(data):
    state = data.draw(battles())
    if not isinstance(state.question, q.ToFight):
        return
    brief = state.question.brief
    report = data.draw(reports(brief))
    conserve(brief, report)
    before = decode(encode(state), State)
    dice = ChainedDice(bytes(32))
    if report.winner and _is_wiped_out(brief.party(report.winner), report):
        refused(state, a.Reported(report), "9.8")
        return
    outcome = rules.play(state, a.Reported(report), dice)
    check_action(encode(before), state, outcome)
    _check_fates(before, state, report)
    _check_prizes(brief, report, outcome)


def _is_wiped_out(party: Party, report: Report) -> bool:
    gone = (Fate.ELIMINATED, Fate.CAPTURED)
    fighters = [one for one in party.troops if one.kind not in CANNOT_MELEE]
    return all(report.fates[one.id] in gone for one in fighters)


def _check_fates(before: State, after: State, report: Report) -> None:
    """Everybody is where his fate has put him; nobody else has been touched in the battle."""
    for number, fate in report.fates.items():
        gone = fate in (Fate.ELIMINATED, Fate.CAPTURED)
        unit = after.units.get(UnitId(number))
        if gone:
            assert unit is None
        elif unit is not None and fate is Fate.DISRUPTED:
            assert unit.disrupted
        elif unit is None:
            was = before.units[UnitId(number)]
            assert was.kind is TroopKind.LEADER or was.disrupted or fate is Fate.DISRUPTED, was
    untouched = before.units.keys() - report.fates.keys()
    assert untouched <= after.units.keys()


def _check_prizes(brief: Brief, report: Report, outcome: Any) -> None:
    """Prizes are as many as were captured, never more than were destroyed."""
    came = [unit for one in outcome.events if isinstance(one, e.Arrived) for unit in one.units]
    prizes = [unit for unit in came if unit.side is Side.MAHDIST]
    lost = Counter(
        troop.kind
        for troop in brief.party(Side.EGYPTIAN).troops
        if report.fates[troop.id] in (Fate.ELIMINATED, Fate.CAPTURED)
    )
    captured = sum(fate is Fate.CAPTURED for fate in report.fates.values())
    assert len(prizes) <= sum(lost[kind] for kind in TAKEN)
    if captured:
        assert len(prizes) <= captured


@settings(max_examples=100)
@given(st.data())
def test_9_4_a_report_that_forgets_somebody_never_adds_up(data):
    kinds = [(TroopKind.INFANTRY, Nation.BRITISH), (TroopKind.SPEARS, Nation.MAHDIST)]
    drawn = data.draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=12))
    troops = [Troop(number, *alike) for number, alike in enumerate(drawn)]
    brief = Brief("b", "b", Party(Side.EGYPTIAN, tuple(troops)), Party(Side.MAHDIST, ()))
    fates = {one.id: Fate.GOOD for one in troops}
    conserve(brief, Report("b", "tabletop", fates))
    forgotten = data.draw(st.sampled_from(troops)).id
    short = {number: fate for number, fate in fates.items() if number != forgotten}
    with pytest.raises(Unfit, match=f"unit {forgotten}"):
        conserve(brief, Report("b", "tabletop", short))


@pytest.mark.parametrize(("scenario", "seed"), [(SIEGE, 1), (RELIEF, 2)])
def test_9_4_a_campaign_stands_whatever_its_battles_report(scenario, seed):
    """The staff plays, battles end as chance will have it, and what must hold holds after each."""
    chance = Random(seed)
    state = rules.new_game(scenario, None, HandOff("redcoats"))
    dice, battles = ChainedDice(bytes([seed]) * 32), 0
    while state.question is not None and battles < MOST_BATTLES:
        if not isinstance(state.question, q.ToFight):
            rules.play(state, answer(state), dice)
            continue
        battles += 1
        before, report = encode(state), _by_chance(state.question.brief, chance)
        check_action(before, state, rules.play(state, a.Reported(report), dice))
    assert battles > 1


def _by_chance(brief: Brief, chance: Random) -> Report:
    winner = chance.choice([None, *Side])
    fates = {one.id: chance.choice(_fates(one, winner)) for one in brief.troops()}
    report = Report(brief.id, "redcoats", fates, winner)
    if winner and _is_wiped_out(brief.party(winner), report):
        return Report(brief.id, "redcoats", fates | _taken_back(fates))
    return report


def _taken_back(fates: dict[int, Fate]) -> dict[int, Fate]:
    """Return where nobody has won nothing has been captured."""
    return {
        number: Fate.ELIMINATED if fate is Fate.CAPTURED else fate for number, fate in fates.items()
    }
