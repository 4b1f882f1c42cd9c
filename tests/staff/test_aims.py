"""What the staff goes for and what it spares, each in a position that asks for nothing else."""

import pytest

from battles.contract.brief import Side, TroopKind
from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.pieces import UnitId
from campaign.rules.supply import DRAW_ONLY
from campaign.staff import answer
from campaign.staff.scene import scene
from tests.positions import SIEGE, hex_of, position
from tests.staff.test_judgement import asked, numbers

HICKS, TOKAR = "hicks-in-kordofan", "tokar-and-souakim"


@pytest.mark.parametrize(
    ("scenario", "month", "flagged", "leaves"),
    [
        (TOKAR, "1884-03", False, True),
        (SIEGE, "1884-03", False, False),
        (SIEGE, "1884-03", True, True),
    ],
)
def test_4_2_british_without_supply_leave_a_place_unless_a_loss_would_bar_the_victory(
    scenario: str, month: str, flagged: bool, leaves: bool
) -> None:
    state = position(
        "El Teb: Graham, 6 infantry british 3V",
        "Tokar: 1 infantry egyptian R",
        "5725: 4 spears",
        "Sinkat: 4 spears",
        scenario=scenario,
        month=month,
    )
    if flagged:
        state.flags.append(DRAW_ONLY)
    assert scene(state, Side.EGYPTIAN).bars_victory is (scenario == SIEGE and not flagged)
    assert isinstance(answer(state), a.March) is leaves


@pytest.mark.parametrize(("supply", "drawn"), [("1 supply", False), ("2 supply", True)])
def test_10_1_the_more_supply_there_is_the_sooner_it_is_used_up(supply: str, drawn: bool) -> None:
    state = position(f"Souakim: 7 infantry egyptian R, {supply}", "5420: 6 spears", scenario=TOKAR)
    sources = numbers(state, Side.EGYPTIAN, "Souakim", TroopKind.SUPPLY)
    question = q.ToSupply(Side.EGYPTIAN, (q.SupplyChoice(hex_of("Souakim"), tuple(sources)),))
    assert (asked(state, question) != a.Supply(UnitId(0))) is drawn
