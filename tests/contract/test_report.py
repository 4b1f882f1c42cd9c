"""The door a report comes through: what adds up, and what is said of what does not."""

import pytest

from battles.contract import (
    Brief,
    Fate,
    Nation,
    Party,
    Quality,
    Report,
    Side,
    SideResult,
    Troop,
    TroopKind,
    Unfit,
    conserve,
)

RIFLES = Troop(1, TroopKind.INFANTRY, Nation.BRITISH, Quality.VETERAN, strength=3)
SHAKEN = Troop(2, TroopKind.INFANTRY, Nation.EGYPTIAN, Quality.LINE, strength=2, disrupted=True)
GORDON = Troop(3, TroopKind.LEADER, Nation.BRITISH, name="Gordon", tactical=1)
FLEET = Troop(4, TroopKind.FLEET, Nation.BRITISH)
SPEARS = Troop(5, TroopKind.SPEARS, Nation.MAHDIST, Quality.FANATIC, strength=1)
BRIEF = Brief(
    "b1",
    "The battle of Nowhere",
    Party(Side.MAHDIST, (SPEARS,)),
    Party(Side.EGYPTIAN, (RIFLES, SHAKEN, GORDON, FLEET)),
)
UNHURT = {1: Fate.GOOD, 2: Fate.DISRUPTED, 3: Fate.GOOD, 4: Fate.GOOD, 5: Fate.GOOD}


def reported(winner: Side | None = None, **fates: Fate) -> Report:
    changed = {int(number.lstrip("u")): fate for number, fate in fates.items()}
    return Report("b1", "tabletop", UNHURT | changed, winner)


def test_a_battle_in_which_nothing_happens_adds_up():
    conserve(BRIEF, reported())


def test_a_report_of_another_battle_is_unfit():
    with pytest.raises(Unfit, match="of the battle b2, not of b1"):
        conserve(BRIEF, Report("b2", "tabletop", UNHURT))


def test_everybody_missing_and_everybody_unknown_is_named_at_once():
    fates = {number: fate for number, fate in UNHURT.items() if number not in (1, 3)}
    with pytest.raises(Unfit) as refused:
        conserve(BRIEF, Report("b1", "tabletop", fates | {77: Fate.GOOD}))
    assert "british infantry 3V (unit 1), Gordon (unit 3)" in str(refused.value)
    assert "No unit 77" in str(refused.value)


@pytest.mark.parametrize(
    ("winner", "fates", "why"),
    [
        (None, {"u2": Fate.GOOD}, "recovers in the campaign alone"),
        (None, {"u3": Fate.DISRUPTED}, "leaders are not disrupted"),
        (Side.MAHDIST, {"u3": Fate.CAPTURED}, "cannot be captured"),
        (Side.EGYPTIAN, {"u5": Fate.CAPTURED}, "cannot be captured"),
        (Side.EGYPTIAN, {"u1": Fate.CAPTURED}, "cannot be captured"),
        (None, {"u1": Fate.CAPTURED}, "cannot be captured"),
        (None, {"u4": Fate.ELIMINATED}, "nothing can happen to it"),
    ],
)
def test_a_fate_that_cannot_be_is_unfit(winner, fates, why):
    with pytest.raises(Unfit, match=why):
        conserve(BRIEF, reported(winner, **fates))


def test_9_9_the_mahdists_may_capture_rifles_where_they_have_won():
    conserve(BRIEF, reported(Side.MAHDIST, u1=Fate.CAPTURED))


def test_9_8_one_side_has_won_and_the_other_lost_or_both_have_drawn():
    assert reported(Side.MAHDIST).standing(Side.EGYPTIAN) is SideResult.LOST
    assert reported(Side.MAHDIST).standing(Side.MAHDIST) is SideResult.WON
    assert reported().standing(Side.EGYPTIAN) is SideResult.DREW
