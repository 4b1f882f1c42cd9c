"""9.4 to 9.8: the odds of a combat beside every throw of the rules, and beside thrown dice."""

from collections import Counter
from math import sqrt

import pytest

from battles.contract.brief import Side
from battles.core.dice import ChainedDice, derive_key
from campaign.rules.map import HexId
from tests.odds.by_the_rules import Fray, enumerated, odds, ruins, simulated
from tests.positions import position

HERE, THERE = "0641", "0640"
CAME, SET_OUT = ("0642", "0641"), ("0641",)
RING = tuple(f"{there}: spears" for there in ("0642", "0541", "0542", "0741", "0742"))
"""Enemies on every side of HERE but THERE."""
EXACT = 1e-12


def fray(*stacks, side="egyptian", route=CAME, target=THERE, **more):
    """An attack from the last hex of the route on the target, in flat desert unless told."""
    return Fray(position(*stacks, side=side, **more), tuple(map(_hex, route)), _hex(target))


def _hex(words: str) -> HexId:
    return HexId(int(words))


def agrees(of: Fray) -> None:
    """The odds are what every throw of the rules comes to, result by result."""
    wanted, found = enumerated(of), odds(of).results
    assert set(wanted) == {result for result, chance in found.items() if chance}
    assert max(abs(wanted[one] - found[one]) for one in wanted) < EXACT


MELEES = {
    "spears against spearmen": fray(
        f"{HERE}: 5 cavalry, 2 spears egyptian", f"{THERE}: 6 spears 2F, 3 spears 1R"
    ),
    "with nowhere to go back to": fray(
        f"{HERE}: 3 cavalry, 2 cavalry disrupted", f"{THERE}: 5 spears 2F", *RING, route=SET_OUT
    ),
    "where it set out": fray(
        f"{HERE}: 3 cavalry, 2 cavalry disrupted", f"{THERE}: 5 spears 2F", route=SET_OUT
    ),
    "led, and civilians among them": fray(
        f"{HERE}: Mahdi, 8 spears 2F, 2 spears 2F disrupted",
        f"{THERE}: 3 spears egyptian, 2 civilians, supply",
        side="mahdist",
    ),
}
FIRES = {
    "rifles and a gun attack spears": fray(
        f"{HERE}: 4 infantry egyptian L, gun", f"{THERE}: 6 spears 2F"
    ),
    "spears rush rifles and the train": fray(
        f"{HERE}: 7 spears 2F",
        f"{THERE}: Gordon, 3 infantry british V, infantry egyptian R, camel, supply",
        side="mahdist",
    ),
}
BOTH_FIRE = {
    "a mixed force attacks another": fray(
        f"{HERE}: Wolseley, 4 infantry british V, 2 infantry egyptian L disrupted, gun, cavalry",
        f"{THERE}: Mahdi, 6 spears 2F, 2 infantry mahdist R, gun mahdist",
    )
}


@pytest.mark.parametrize("of", MELEES.values(), ids=MELEES)
def test_9_6_the_odds_of_a_melee_are_those_of_all_its_throws(of):
    agrees(of)


AT_BAY = {
    "where it set out": fray(
        f"{HERE}: H. Stewart, 3 cavalry, 2 cavalry disrupted",
        f"{THERE}: 5 spears 2F",
        route=SET_OUT,
    ),
    "surrounded where it set out": fray(
        f"{HERE}: H. Stewart, 3 cavalry, 2 cavalry disrupted",
        f"{THERE}: 5 spears 2F",
        *RING,
        route=SET_OUT,
    ),
    "with the Blue Nile at its back": fray(
        "2043: Mahdi, 2 spears 2F disrupted, 2 spears 2F",
        "2042: 6 spears egyptian",
        side="mahdist",
        route=("2143", "2043"),
        target="2042",
    ),
    "with a gunboat on the Blue Nile at its back": fray(
        "2043: Mahdi, 2 spears 2F disrupted, 2 spears 2F",
        "2042: 6 spears egyptian",
        "2144: gunboat",
        side="mahdist",
        route=("2143", "2043"),
        target="2042",
    ),
    "with civilians, who do not save it": fray(
        f"{HERE}: Gordon, cavalry disrupted, civilians", f"{THERE}: 5 spears 2F"
    ),
    "with a way back": fray(f"{HERE}: H. Stewart, 3 cavalry", f"{THERE}: 5 spears 2F"),
}


@pytest.mark.parametrize("of", AT_BAY.values(), ids=AT_BAY)
def test_9_8_the_odds_of_standing_at_bay_are_those_of_all_its_throws(of):
    wanted, found = ruins(of), odds(of).attacker
    assert found.at_bay == pytest.approx(
        sum(p for one, p in wanted.items() if one.at_bay), abs=EXACT
    )
    assert found.wiped == pytest.approx(sum(p for one, p in wanted.items() if one.wiped), abs=EXACT)
    if of.side is Side.EGYPTIAN:
        over = sum(p for one, p in wanted.items() if one.over)
        assert found.destroyed == pytest.approx(over, abs=EXACT)


def test_9_8_a_beaten_stack_is_at_bay_only_without_a_way_back():
    for what in ("surrounded where it set out", "with a gunboat on the Blue Nile at its back"):
        assert odds(AT_BAY[what]).attacker.at_bay > 0.1
    for what in ("where it set out", "with the Blue Nile at its back", "with a way back"):
        assert odds(AT_BAY[what]).attacker.at_bay == 0


@pytest.mark.long
@pytest.mark.parametrize("of", [*FIRES.values(), *BOTH_FIRE.values()], ids=[*FIRES, *BOTH_FIRE])
def test_9_6_the_odds_of_fire_and_melee_are_those_of_all_their_throws(of):
    agrees(of)


@pytest.mark.parametrize("of", FIRES.values(), ids=FIRES)
def test_9_4_simulated_combats_fall_as_the_odds_have_it(of):
    near(of, 400)


@pytest.mark.long
def test_9_4_a_hundred_thousand_simulated_combats_fall_as_the_odds_have_it():
    for of in (*FIRES.values(), *BOTH_FIRE.values(), *MELEES.values()):
        near(of, 100_000 // 6 + 1)


def near(of: Fray, number: int) -> None:
    """Of so many combats as many come to each result as the odds have it, within five errors."""
    counted = Counter(simulated(of, number, ChainedDice(derive_key(b"odds", number))))
    found = odds(of).results
    assert set(counted) <= set(found)
    for result, chance in found.items():
        error = sqrt(chance * (1 - chance) / number)
        assert abs(counted[result] / number - chance) <= 5 * error + 3 / number


@pytest.mark.parametrize(
    "of",
    [*MELEES.values(), *FIRES.values(), *BOTH_FIRE.values()],
    ids=[*MELEES, *FIRES, *BOTH_FIRE],
)
def test_the_chances_of_a_combat_add_up(of):
    found = odds(of)
    assert found.win + found.lose + found.draw == pytest.approx(1, abs=EXACT)
    for toll in (found.attacker, found.defender):
        assert sum(toll.gone) == pytest.approx(1, abs=EXACT)
        assert sum(toll.shaken) == pytest.approx(1, abs=EXACT)


def test_9_8_a_stack_that_cannot_go_back_pays_for_it():
    """The beaten attacker stays where it set out; surrounded there it is disrupted once more."""
    stacks = f"{HERE}: 3 cavalry", f"{THERE}: 5 spears 2F"
    free, cornered = (odds(fray(*stacks, *ring, route=SET_OUT)) for ring in ((), RING))
    assert (free.win, free.lose) == (cornered.win, cornered.lose)
    assert cornered.attacker.mean_gone > free.attacker.mean_gone


def test_9_6_the_ground_helps_who_is_attacked():
    """A town adds two to both of the defender's tests."""
    attackers, defenders = "9 spears 2F", "4 infantry egyptian L"
    town = fray(
        f"2043: {attackers}",
        f"Khartoum: {defenders}",
        side="mahdist",
        route=("2043",),
        target="2042",
    )
    desert = fray(f"{HERE}: {attackers}", f"{THERE}: {defenders}", side="mahdist")
    assert odds(town).win < odds(desert).win
