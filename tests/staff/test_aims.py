"""Aims of the staff, and what it spares, each in a position that asks for nothing else."""

import pytest

from battles.contract.brief import Side, TroopKind
from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.pieces import UnitId
from campaign.rules.supply import DRAW_ONLY
from campaign.staff import answer
from campaign.staff.mahdist import task
from campaign.staff.plans import under
from campaign.staff.scene import scene
from tests.positions import SIEGE, hex_of, position
from tests.staff.test_judgement import asked, numbers

HICKS, TOKAR = "hicks-in-kordofan", "tokar-and-souakim"


@pytest.mark.parametrize(("garrison", "entered"), [((), True), (("Khartoum: 1 gun",), False)])
def test_4_1_bands_that_sit_round_a_town_enter_it_when_nobody_is_left(
    garrison: tuple[str, ...], entered: bool
) -> None:
    below = dict.fromkeys(("Omdurman", "Shendi", "Metemmeh", "Berber"), "mahdist")
    held = {"Khartoum": "egyptian", **below}
    state = position("2043: 6 spears", *garrison, side="mahdist", held=held)
    view = scene(state, Side.MAHDIST, under(SIEGE, "starve-khartoum"))
    assert (task(view, hex_of("2043")).goals == (hex_of("Khartoum"),)) is entered


def test_4_2_bands_without_a_place_to_take_go_for_a_leader_who_scores_points() -> None:
    state = position(
        "Duem: 8 spears",
        "El Obeid: 8 spears",
        "Kawa: Hicks, 2 infantry egyptian R",
        scenario=HICKS,
        month="1883-11",
        side="mahdist",
    )
    assert task(scene(state, Side.MAHDIST), hex_of("Duem")).place == hex_of("Kawa")


def test_8_2_hosts_without_an_aim_stay_where_they_are() -> None:
    state = position(
        "Duem: 8 spears", "El Obeid: 2 spears", scenario=HICKS, month="1883-11", side="mahdist"
    )
    view = scene(state, Side.MAHDIST)
    assert task(view, hex_of("Duem")).hold
    assert task(view, hex_of("El Obeid")).place == hex_of("Duem")


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
