"""The ladder: who plays whom, shares with their intervals, ratings, and a short run of it."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from battles.contract.brief import Side
from battles.core.dice import ChainedDice
from battles.core.tables import TableError
from campaign.rules import new_game, play_trusted
from campaign.rules.core import events as e
from campaign.rules.core.board import chart, forget
from campaign.rules.core.pieces import Month, month_from_text
from campaign.rules.core.questions import ToMarch
from campaign.rules.core.state import CampaignResult
from campaign.rules.tables.editions import Edition
from campaign.rules.tables.scenario_document import edition_of_document, read_document
from campaign.simulations import ladder
from campaign.simulations.ladder import Contestant, LadderGame, LadderTerms, WinShare
from campaign.simulations.milestones import Milestones, beside_the_record
from campaign.staff import answer
from campaign.staff.levels import Level
from campaign.staff.plans import TAKEN, plans_in, plans_of, portfolio, record_of
from campaign.staff.rivals import RandomPlayer, Rival, rivals_in
from tests.positions import RELIEF, SIEGE, position

GOLDEN = Path(__file__).parents[1] / "golden" / "scenarios" / "format-1.json"
OWN = "two-months-at-tokar"
TOKAR, HICKS = "tokar-and-souakim", "hicks-in-kordofan"
M, E = Side.MAHDIST, Side.EGYPTIAN
SHORT = ("club", "mahdist:random", "egyptian:sit-tight")
"""A ladder for every run of the suite: three pairs."""


def game(mahdist: str, egyptian: str, winner: Side | None, number: int = 1) -> LadderGame:
    return LadderGame(mahdist, egyptian, number, 5, winner, "for a test")


def own_edition(**plans: object) -> Edition:
    """Return the edition of the golden scenario of one's own, with these plans besides its own."""
    document = read_document(GOLDEN.read_bytes())
    document["scenario"]["plans"] |= plans
    return edition_of_document(document)


def player(name: str, side: Side, kind: str = "plan") -> Contestant:
    return Contestant(name, name, side, kind, lambda key: answer)


def ran(*words: str, **options: object) -> str:
    out = io.StringIO()
    call_command("ladder", SIEGE, "--workers", "1", "--only", *SHORT, *words, stdout=out, **options)
    return out.getvalue()


@pytest.mark.parametrize("slug", [SIEGE, RELIEF])
def test_everybody_is_on_the_ladder_once_and_no_two_rivals_meet(slug: str) -> None:
    every = ladder.contestants(slug)
    assert len({(one.side, one.name) for one in every}) == len(every)
    for side in Side:
        kinds = [one.kind for one in every if one.side is side]
        assert kinds.count("plan") == len(portfolio(slug, side))
        assert kinds.count("level") == 3
        assert kinds.count("rival") >= 4
    met = ladder.pairs(every)
    assert all((one.side, other.side) == (M, E) for one, other in met)
    assert not any(one.kind == other.kind == "rival" for one, other in met)
    assert {one.name for one in every} == {one.name for pair in met for one in pair}


def test_a_name_may_be_of_one_side_and_a_wrong_one_is_named() -> None:
    found = {(one.side, one.name) for one in ladder.find_contestants(SIEGE, SHORT)}
    assert found == {(M, "club"), (E, "club"), (M, "random"), (E, "sit-tight")}
    with pytest.raises(ValueError, match="no contestant 'egyptian:raid'"):
        ladder.find_contestants(SIEGE, ["egyptian:raid"])


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(27, 60, 0.33, 0.58), (0, 30, 0.0, 0.11), (30, 30, 0.89, 1.0), (0, 0, 0.0, 1.0)],
)
def test_an_interval_is_by_wilson(won: int, games: int, low: float, high: float) -> None:
    share = ladder.win_share(won, games)
    assert (round(share.low, 2), round(share.high, 2)) == (low, high)


def test_who_wins_more_is_rated_higher_and_ten_to_one_is_400_points() -> None:
    of = (player("strong", M), player("weak", M), player("other", E))
    games = [game("strong", "other", M, number) for number in range(100)]
    games += [game("weak", "other", M if number % 11 == 0 else E, number) for number in range(110)]
    rated = {one.contestant.name: one for one in ladder.ratings(of, games)}
    assert [*rated] == ["strong", "other", "weak"]
    assert rated["weak"].score == pytest.approx(1 / 11)
    assert rated["other"].rating - rated["weak"].rating == pytest.approx(400, abs=25)


def test_a_broken_off_game_counts_for_nobody() -> None:
    broken = LadderGame("club", "club", 1, 3, None, "", error="no end")
    assert ladder.cells([broken]) == {}
    assert ladder.ratings((player("club", M), player("club", E)), [broken]) == []


def test_a_rival_that_wins_too_often_is_named_the_worst_first() -> None:
    of = (
        player("plan", M),
        player("plan", E),
        player("rush", M, "rival"),
        player("sit", E, "rival"),
    )
    games = [game("rush", "plan", M), game("plan", "sit", E), game("plan", "sit", M, 2)]
    found = ladder.perilous_rivals(of, games, 0.35)
    assert [(one.rival, one.against, one.share.won) for one in found] == [
        ("rush", "plan", 1),
        ("sit", "plan", 1),
    ]
    assert ladder.perilous_rivals(of, games, 1.0) == []


def test_the_same_seed_and_number_play_the_same_game() -> None:
    rush = next(one for one in ladder.contestants(RELIEF) if one.name == "besiege-khartoum")
    club = next(one for one in ladder.contestants(RELIEF) if (one.side, one.name) == (E, "club"))
    one, again = (ladder.play_game(LadderTerms(RELIEF, 3), rush, club, 1) for _ in range(2))
    assert one == again
    assert one.winner is M
    assert not one.error
    other = ladder.play_game(LadderTerms(RELIEF, 3, "relief-first"), rush, club, 1)
    assert other.winner is not M


def test_a_short_ladder_goes_on_where_it_was_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, file = tmp_path / "games.jsonl", tmp_path / "games.json"
    ran("--games", "1", resume=kept)
    first = kept.read_text()
    assert len(first.splitlines()) == 4
    capsys.readouterr()
    ran("--games", "2", resume=kept, json=file)
    assert kept.read_text().startswith(first)
    assert "Going on after 3 of 6 games." in capsys.readouterr().err
    games = [LadderGame(**one) for one in json.loads(file.read_text())]
    assert [one.number for one in games] == [1, 1, 1, 2, 2, 2]
    for one in games:
        assert (one.mahdist, one.egyptian) in {
            ("club", "club"),
            ("club", "sit-tight"),
            ("random", "club"),
        }
    assert all(one.winner != "mahdist" for one in games if one.mahdist == "random")


def test_a_strict_ladder_fails_for_a_rival_without_an_answer() -> None:
    words = ("--games", "1", "--workers", "1", "--seed", "3", "--strict", "--only")
    with pytest.raises(CommandError, match="besiege-khartoum wins 100% against club"):
        call_command("ladder", RELIEF, *words, "egyptian:club", "mahdist:besiege-khartoum")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--only", "nobody"), "no contestant 'nobody'"),
        (("--only", "mahdist:club"), "all of one side"),
        (("--games", "0"), "from 1 to"),
        (("--edition", "wet"), "no edition 'wet'"),
    ],
)
def test_a_ladder_that_cannot_be_is_refused(words: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("ladder", SIEGE, *words)


@pytest.mark.parametrize("rival", rivals_in(SIEGE) + rivals_in(RELIEF), ids=lambda one: one.name)
def test_a_rival_plays_a_month_lawfully(rival: Rival) -> None:
    slug = RELIEF if rival in rivals_in(RELIEF) else SIEGE
    state, mine = new_game(slug), rival.make(b"a month")
    first, dice = state.month, ChainedDice(b"0" * 32)
    while state.question is not None and state.month == first:
        chosen = mine if state.question.side is rival.side else answer
        play_trusted(state, chosen(state), dice)
    assert state.month == first + 1


def test_a_scenario_without_rivals_of_its_own_has_those_without_a_place() -> None:
    assert {one.name for one in rivals_in("desert-column")} == {"random", "sit-tight"}


def test_random_marches_are_the_same_for_the_same_key() -> None:
    state = new_game(SIEGE)
    while not isinstance(state.question, ToMarch):
        play_trusted(state, answer(state), ChainedDice(b"1" * 32))
    keys = [bytes([number]) * 32 for number in range(8)]
    first, again = ([RandomPlayer(key)(state) for key in keys] for _ in range(2))
    assert first == again
    assert len(set(map(repr, first))) > 1


def test_events_of_history_are_noted_once_and_set_beside_the_record() -> None:
    state = position("Khartoum: Gordon, 2 infantry egyptian L", "Berber: 3 spears", month="1884-09")
    noted = Milestones(state)
    noted.note(state)
    assert noted.months == {"Berber falls": month_from_text("1884-08")}
    gordon = next(unit for unit in state.units.values() if unit.name == "Gordon")
    del state.units[gordon.id]
    state.month += 1
    forget(state)
    noted.note(state)
    assert noted.months["Gordon falls"] == month_from_text("1884-09")
    lines = beside_the_record(record_of(SIEGE), [noted.months, {}])
    fell = next(line for line in lines if line.title == "Gordon falls")
    assert (fell.record, fell.happened, fell.campaigns) == ("January 1885", 1, 2)
    assert fell.first == fell.middle == fell.last == "September 1884"
    assert next(line for line in lines if line.title == "Khartoum falls").first == "–"


def test_a_campaign_that_ends_with_a_garrison_counts_its_leader_and_its_place() -> None:
    state = position("Khartoum: Gordon", "Omdurman: 3 spears", month="1884-09")
    noted = Milestones(state)
    noted.note(state)
    assert not {"Gordon falls", "Khartoum falls"} & noted.months.keys()
    state.result = CampaignResult(Side.MAHDIST, "A stack with a British leader is gone.", "4.2")
    noted.note(state)
    assert {"Gordon falls", "Khartoum falls"} <= noted.months.keys()


def test_a_leader_whose_troops_stand_with_him_has_not_fallen_when_it_ends() -> None:
    state = position("Khartoum: Gordon, 2 infantry egyptian L", "Omdurman: 3 spears")
    noted = Milestones(state)
    state.result = CampaignResult(Side.MAHDIST, "Another stack is gone.", "4.2")
    noted.note(state)
    assert not {"Gordon falls", "Khartoum falls"} & noted.months.keys()


def test_a_leader_is_near_a_place_within_eight_hexes() -> None:
    state = position("Bara: Hicks, 2 infantry egyptian R", scenario=RELIEF, month="1883-09")
    noted = Milestones(state)
    noted.note(state)
    assert "Hicks near El Obeid" in noted.months
    assert record_of(own_edition().scenario(OWN)) == ()


def test_a_combat_of_a_leader_is_noted_with_its_month_and_its_place() -> None:
    state = position(
        "Trinkitat: Graham, 2 infantry british V",
        "El Teb: Osman Digma, 3 spears",
        scenario=TOKAR,
        month="1884-02",
    )
    noted = Milestones(state)
    graham, osman = (
        next(unit for unit in state.units.values() if unit.name == name)
        for name in ("Graham", "Osman Digma")
    )
    began = e.CombatBegan(graham.hex, osman.hex, (graham.id,), (osman.id,), Side.EGYPTIAN)
    noted.watch(state, [began, e.CombatEnded(None, graham.hex, osman.hex)])
    assert noted.months == {}
    won = e.CombatEnded(Side.EGYPTIAN, graham.hex, osman.hex)
    noted.watch(state, [e.MonthBegan(Month(state.month + 1)), began, won])
    assert noted.months == {"Graham wins near El Teb": state.month + 1}
    noted.watch(state, [e.Retreated((osman.id,), (osman.hex,))])
    assert noted.months["Osman withdraws"] == state.month + 1
    tamai = chart(state).place("Tamai").hex
    noted.watch(state, [began, e.CombatEnded(Side.MAHDIST, graham.hex, tamai)])
    assert "Graham wins at Tamai" not in noted.months
    noted.watch(state, [began, e.CombatEnded(Side.EGYPTIAN, graham.hex, tamai)])
    assert "Graham wins at Tamai" in noted.months


def test_a_place_that_is_retaken_and_a_leader_beaten_before_it_are_noted() -> None:
    state = position("El Obeid: Hicks, 2 infantry egyptian R", scenario=HICKS, month="1883-10")
    noted = Milestones(state)
    noted.note(state)
    assert {"El Obeid retaken", "Hicks near El Obeid"} <= noted.months.keys()
    hicks = next(unit for unit in state.units.values() if unit.name == "Hicks")
    for place, happened in (("Duem", False), ("Shekan", True)):
        at = chart(state).place(place).hex
        began = e.CombatBegan(at, at, (), (hicks.id,), Side.MAHDIST)
        noted.watch(state, [began, e.CombatEnded(Side.MAHDIST, at, at)])
        assert ("Hicks beaten before El Obeid" in noted.months) is happened


def test_a_share_without_games_is_nothing() -> None:
    assert WinShare(0, 0, 0.0, 1.0).share == 0


def test_a_scenario_of_ones_own_is_put_on_the_ladder_by_its_file(tmp_path: Path) -> None:
    file = tmp_path / "tokar.sirdar.json"
    file.write_bytes(GOLDEN.read_bytes())
    out = io.StringIO()
    call_command("ladder", str(file), "--games", "1", "--workers", "1", stdout=out)
    assert "usual" in out.getvalue()
    with pytest.raises(CommandError, match="leave --edition out"):
        call_command("ladder", str(file), "--edition", "harsh-desert", stdout=out)
    file.write_text('{"format": 99}')
    with pytest.raises(CommandError, match="it is of format 99"):
        call_command("ladder", str(file), stdout=out)
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("ladder", str(tmp_path / "none.json"), stdout=out)


@pytest.mark.parametrize("slug", ["desert-column", "tokar-and-souakim", "hicks-in-kordofan"])
def test_short_scenarios_are_on_the_ladder(slug: str) -> None:
    names = {one.name for one in ladder.contestants(slug) if one.kind == "plan"}
    assert len(names) == 4
    assert all(len(portfolio(slug, side)) == 2 for side in Side)


def test_plans_of_a_scenario_of_ones_own_are_on_the_ladder_and_chosen_by_its_staff() -> None:
    plan = {"side": "egyptian", "name": "fall-back", "title": "To Souakim"}
    made = own_edition(plan=[plan | {"objectives": ["Souakim"]}], rivals=["raid"])
    found = {(one.side, one.name) for one in ladder.quick_to_play(made.scenario(OWN))}
    assert found == {
        *((E, name) for name in ("fall-back", "club", "learner", "random", "sit-tight")),
        *((M, name) for name in ("usual", "raid", "random", "sit-tight")),
    }
    state = new_game(OWN, made)
    assert plans_of(state, E).objectives == ("Souakim",)
    assert plans_of(state, M).objectives == ("Tokar",)


@pytest.mark.parametrize(
    ("plans", "told"),
    [
        ({"plan": [{"side": "egyptian", "name": "raid", "title": "R"}]}, "'raid' is a level or a"),
        ({"plan": [{"side": "mahdist", "name": "club", "title": "C"}]}, "'club' is a level or a"),
        ({"shrewd": True}, "the level of the staff decides it"),
    ],
)
def test_a_plan_is_called_like_no_rival_and_says_nothing_of_the_level(
    plans: dict[str, object], told: str
) -> None:
    assert plans_in(own_edition(rivals=["raid"]).scenario(OWN)).rivals == ("raid",)
    with pytest.raises(TableError, match=told):
        plans_in(own_edition(rivals=["raid"], **plans).scenario(OWN))


def test_no_plan_may_have_the_name_of_anybody_who_is_on_every_ladder() -> None:
    assert {*Level, *(one.name for one in rivals_in("desert-column")), "usual"} == TAKEN
