"""9.9, 8.23: what is captured and what the water takes, beside every throw of the rules."""

from collections.abc import Mapping
from math import sqrt

import numpy as np
import pytest

from battles.contract.brief import Side, TroopKind
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, derive_key
from battles.core.game import Ledger
from campaign import rules
from campaign.odds.meeting import CombatParty, spare, taken_by
from campaign.odds.voyage import Homeward
from campaign.rules.combat.losses import capture
from campaign.rules.combat.retreat import marchers_retreat
from campaign.rules.core import events as e
from campaign.rules.core.board import board, laws
from campaign.rules.core.evolve import evolve
from campaign.rules.core.state import InForce, State
from campaign.rules.map import HexId
from campaign.rules.tables.event_effects import ModifiableRoll, RerollWreck, RollModifier
from campaign.staff import answer
from tests.odds.by_the_rules import Fray, begun, events_of, odds
from tests.odds.every_throw import every_throw
from tests.positions import position

HERE, THERE = HexId(641), HexId(640)
BANK, FOE = HexId(1623), HexId(1624)
UPRIVER = (HexId(1722), HexId(1723), BANK)
"""A way up the unnavigable Nile, which is dangerous going back."""
EXACT = 1e-12


def took(events) -> int:
    """Return how many counters the Mahdists have for what they have captured."""
    arrived = (one for one in events if isinstance(one, e.Arrived) and one.cause == "capture")
    return sum(len(one.units) for one in arrived)


def sank(events) -> int:
    return sum(len(one.units) for one in events if isinstance(one, e.Wrecked))


def same(found: Mapping[int, float], wanted: Mapping[int, float]) -> None:
    assert {one for one, chance in found.items() if chance} == set(wanted)
    assert max(abs(found[one] - wanted[one]) for one in wanted) < EXACT


def field(guns: int, rifles: int) -> State:
    """Mahdists beside guns and rifles of two nations; so many of their own counters are free."""
    state: State = position(
        "0641: 5 spears 2F, infantry mahdist",
        "0640: 2 guns egyptian, infantry egyptian L, infantry british V, camel",
        side="mahdist",
    )
    state.pool |= {TroopKind.GUN: guns, TroopKind.INFANTRY: rifles}
    state.box |= {TroopKind.GUN: 0, TroopKind.INFANTRY: 0}
    return state


@pytest.mark.parametrize("free", [(5, 5), (1, 5), (0, 1), (0, 0)])
def test_9_9_what_is_taken_of_the_dead_is_that_of_all_the_throws(free):
    """A die for each gun and rifle unit, and counters as far as there are any."""
    state = field(*free)
    came, own = (board(state).stack(side, at) for side, at in zip(Side, (THERE, HERE), strict=True))

    def play(dice) -> int:
        ledger = Ledger(decode(encode(state), State), dice, evolve)
        capture(ledger, came, HERE)
        return took(ledger.events)

    sides = CombatParty(own, [own]), CombatParty(came, [()])
    (taken,) = taken_by(laws(state), spare(state), *sides, np.ones((1, 1)))
    found = dict.fromkeys(map(sum, taken), 0.0)
    for one, chance in taken.items():
        found[sum(one)] += chance
    same(found, every_throw(play))


def voyage(*craft: str, in_force: tuple[object, ...] = ()) -> Fray:
    """Spearmen who have come up the Nile in these craft, before a stronger stack."""
    state: State = position(
        f"{BANK}: 4 spears egyptian, {', '.join(craft)}", f"{FOE}: 8 spears 2F", month="1885-05"
    )
    state.in_force = [InForce(Side.EGYPTIAN, one, "A test") for one in in_force]  # type: ignore[arg-type]
    return Fray(state, UPRIVER, FOE, sailed=True)


WORN = RollModifier(roll_kind=ModifiableRoll.GUNBOAT_WRECK, value=1)
VOYAGES = {
    "a gunboat and a boat": voyage("gunboat egyptian", "boat egyptian"),
    "worn boilers": voyage("2 gunboats egyptian", in_force=(WORN,)),
    "one roll again": voyage(
        "2 gunboats egyptian", in_force=(RerollWreck(kind=TroopKind.GUNBOAT),)
    ),
    "two rolls again": voyage(
        "2 gunboats egyptian", in_force=(RerollWreck(kind=TroopKind.GUNBOAT, times=2),)
    ),
    "a roll again for another craft": voyage(
        "gunboat egyptian", "boat egyptian", in_force=(RerollWreck(kind=TroopKind.BOAT),)
    ),
}


@pytest.mark.parametrize("of", VOYAGES.values(), ids=VOYAGES)
def test_8_23_what_the_way_back_takes_of_craft_is_that_of_all_its_throws(of):
    state = begun(of)
    state.question = None

    def play(dice) -> int:
        copy = decode(encode(state), State)
        ledger = Ledger(copy, dice, evolve)
        marchers_retreat(ledger)
        return sank(rules.play(copy, answer(copy), dice).events)

    units = board(state).stack(Side.EGYPTIAN, BANK)
    found = Homeward(state, tuple(units), answer).wrecked(units)
    same(dict(enumerate(found)), every_throw(play))


def test_9_8_craft_that_came_by_land_or_rail_run_no_dangers():
    of = voyage("gunboat egyptian", "boat egyptian")
    assert odds(of).wrecked[0] < 1
    assert odds(of._replace(sailed=False)).wrecked == (1.0,)


FRAYS = {
    "the train of a column": Fray(
        position(
            "0641: 9 spears 2F",
            "0640: infantry egyptian R, gun egyptian, 2 camels, supply",
            side="mahdist",
        ),
        (HexId(642), HERE),
        THERE,
    ),
    "an attack thrown back": Fray(
        position("0641: 3 infantry egyptian R, gun egyptian", "0640: 9 spears 2F"),
        (HexId(642), HERE),
        THERE,
    ),
    "a voyage": VOYAGES["a gunboat and a boat"],
}


@pytest.mark.parametrize("of", FRAYS.values(), ids=FRAYS)
@pytest.mark.parametrize("number", [150, pytest.param(5_000, marks=pytest.mark.long)])
def test_9_9_simulated_combats_capture_and_wreck_as_the_odds_have_it(of, number):
    dice, opening = ChainedDice(derive_key(b"spoils", number)), encode(begun(of))
    told = [events_of(decode(opening, State), of, dice) for _ in range(number)]
    found = odds(of)
    _near(found.taken, [took(events) for events in told])
    _near(found.wrecked, [sank(events) for events in told])


def _near(chances: tuple[float, ...], counted: list[int]) -> None:
    assert sum(chances) == pytest.approx(1, abs=EXACT)
    assert max(counted) < len(chances)
    for number, chance in enumerate(chances):
        error = sqrt(max(0.0, chance * (1 - chance)) / len(counted))
        share = counted.count(number) / len(counted)
        assert abs(share - chance) <= 5 * error + 3 / len(counted)


RAIDS = {
    "a lone gun": Fray(
        position("0641: 6 spears 2F", "0640: gun egyptian", side="mahdist"),
        (HexId(642), HERE),
        THERE,
    ),
    "riflemen who attack": Fray(
        position("0641: 2 infantry egyptian R", "0640: 5 spears 2F"), (HexId(642), HERE), THERE
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("of", RAIDS.values(), ids=RAIDS)
def test_9_9_captures_in_a_combat_are_those_of_all_its_throws(of):
    opening = encode(begun(of))
    wanted = every_throw(lambda dice: took(events_of(decode(opening, State), of, dice)))
    same(dict(enumerate(odds(of).taken)), wanted)
