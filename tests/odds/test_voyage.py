"""8.23: what a voyage brings, beside every throw of the rules."""

import pytest

from battles.contract.brief import Nation, Side, TroopKind
from battles.core.decoding import decode, encode
from campaign import rules
from campaign.odds.voyage import REACH, VoyageOdds, VoyageOutcome, voyage_odds
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.board import board
from campaign.rules.core.state import InForce, State
from campaign.rules.map import HexId
from campaign.rules.tables.event_effects import ModifiableRoll, RerollWreck, RollModifier
from campaign.staff import answer
from tests.odds.every_throw import every_throw
from tests.positions import hex_of, position

EXACT = 1e-12
ABOVE_THE_FOURTH = (2020, 1921, 1821, 1722, 1723, 1623)
DOWN_FROM_DONGOLA = (HexId(518), HexId(517), HexId(516))
UP_THE_WHITE_NILE = (1943, 1944, 1945, 1946)
REROLL = RerollWreck(kind=TroopKind.GUNBOAT)
ON_FIVE = RollModifier(roll_kind=ModifiableRoll.GUNBOAT_WRECK, value=1)


def ready(where: str, stack: str, month: str, *in_force: object) -> State:
    state: State = position(f"{where}: {stack}", month=month)
    state.in_force = [InForce(Side.EGYPTIAN, one, "A test") for one in in_force]  # type: ignore[arg-type]
    return state


def foretold(state: State, where: str, way: tuple[HexId, ...]) -> VoyageOdds:
    return voyage_odds(state, board(state).stack(Side.EGYPTIAN, hex_of(where)), way)


def by_the_rules(state: State, where: str, way: tuple[HexId, ...]) -> dict[VoyageOutcome, float]:
    """Return the chance of every result, from a voyage by the rules for every fall of the dice."""
    units = tuple(unit.id for unit in board(state).stack(Side.EGYPTIAN, hex_of(where)))
    opening = encode(state)

    def play(dice: object) -> VoyageOutcome:
        now = decode(opening, State)
        events = list(rules.play(now, a.Sail(units, way), dice).events)  # type: ignore[arg-type]
        while isinstance(now.question, q.ToChooseUnits):
            events += rules.play(now, answer(now), dice).events  # type: ignore[arg-type]
        wrecked = sum(len(one.units) for one in events if isinstance(one, e.Wrecked))
        afloat = [
            one
            for one in board(now).named(units)
            if one.kind in (TroopKind.GUNBOAT, TroopKind.BOAT)
        ]
        return VoyageOutcome(wrecked, any(one.hex == way[-1] for one in afloat))

    return every_throw(play)


@pytest.mark.parametrize(
    ("where", "stack", "month", "way", "in_force"),
    [
        ("Dongola", "gunboat egyptian, infantry egyptian L", "1884-05", DOWN_FROM_DONGOLA, ()),
        ("Dongola", "gunboat egyptian", "1884-05", DOWN_FROM_DONGOLA, (ON_FIVE,)),
        ("Dongola", "2 gunboats egyptian", "1884-05", DOWN_FROM_DONGOLA, (REROLL,)),
        ("Dongola", "gunboat egyptian, boat egyptian", "1884-12", DOWN_FROM_DONGOLA, ()),
        ("1920", "boat egyptian, gunboat egyptian", "1884-05", ABOVE_THE_FOURTH, ()),
        ("Khartoum", "boat egyptian, infantry egyptian L", "1884-05", UP_THE_WHITE_NILE, ()),
    ],
)
def test_8_23_a_voyage_has_the_odds_of_all_its_throws(where, stack, month, way, in_force):
    state = ready(where, stack, month, *in_force)
    wanted = by_the_rules(state, where, way)
    found = {one: chance for one, chance in foretold(state, where, way).results.items() if chance}
    assert set(found) == set(wanted)
    assert max(abs(found[one] - wanted[one]) for one in wanted) < EXACT


def test_8_23_the_dangers_of_a_voyage_are_named():
    found = foretold(ready("Dongola", "gunboat egyptian", "1884-05"), "Dongola", DOWN_FROM_DONGOLA)
    assert found.perils == ("Third Cataract (Hannek)", REACH)
    assert found.wreck == pytest.approx(sum(found.wrecked[1:]))
    assert 0 < found.wreck < 1
    assert found.to == DOWN_FROM_DONGOLA[-1]
    assert (
        REACH
        not in foretold(
            ready("Khartoum", "gunboat egyptian", "1884-12"), "Khartoum", (HexId(1943),)
        ).perils
    )


def test_8_23_a_voyage_on_smooth_water_is_certain():
    state = ready("Khartoum", f"gunboat {Nation.EGYPTIAN}", "1884-12")
    found = foretold(state, "Khartoum", (HexId(1943), HexId(1944)))
    assert (found.wreck, found.arrives) == (0, pytest.approx(1))
