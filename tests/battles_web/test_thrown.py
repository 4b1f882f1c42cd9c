"""Battles that dice decide: the choice of sides, then armies and scenario, on pages and by REST."""

import re

import pytest

from battles import services
from battles.books.restless_natives.generator import computers_side, generate_brief, higher_die
from battles.contract import Side
from battles.core.dice import ScriptedDice
from battles.models import Battle
from tests.people import People, logged_in

JSON = "application/json"


def thrown(*, won: bool, opponent: str = "computer") -> services.SideThrow:
    """Return a throw that the user has won or lost."""
    while True:
        found = services.throw_for_sides("restless", opponent)
        if found.won is won:
            return found


def test_one_off_battles_3_equal_dice_are_thrown_again_and_the_higher_chooses() -> None:
    assert higher_die(ScriptedDice(4, 4, 2, 2, 6, 1)) == ((4, 4), (2, 2), (6, 1))


@pytest.mark.parametrize(("die", "side"), [(1, Side.EGYPTIAN), (4, Side.MAHDIST)])
def test_one_off_battles_3_a_computer_chooses_by_a_die(die: int, side: Side) -> None:
    assert computers_side(ScriptedDice(die)) is side


def test_a_token_gives_the_same_throw_again_and_a_forged_one_none() -> None:
    throw = services.throw_for_sides("restless")
    again = services.read_throw(throw.token)
    assert (again.rounds, again.chosen) == (throw.rounds, throw.chosen)
    with pytest.raises(services.Refused, match="not thrown here"):
        services.read_throw(throw.token[:-2] + "xx")


def test_the_side_that_the_computer_has_chosen_is_not_to_be_had(people: People) -> None:
    throw = thrown(won=False)
    assert throw.chosen is not None
    with pytest.raises(services.Refused, match="has chosen this side"):
        services.begin_thrown(people.egyptian, throw, throw.chosen)
    battle = services.begin_thrown(people.egyptian, throw, throw.chosen.enemy).battle
    assert battle.commands.get(side=throw.chosen).computer


@pytest.mark.parametrize("side", list(Side))
def test_the_winner_leads_either_side_of_a_battle_that_the_dice_have_made(
    people: People, side: Side
) -> None:
    begun = services.begin_thrown(people.egyptian, thrown(won=True), side)
    battle = begun.battle
    assert battle.commands.get(side=side).user == people.egyptian
    british, natives = (int(word) for word in re.findall(r"[1-6](?=[,:])", begun.words))
    assert battle.title == generate_brief(british, natives).title


def test_only_a_book_with_tables_for_it_throws_for_a_battle() -> None:
    assert [slug for slug, _ in services.generating_books()] == ["restless"]
    with pytest.raises(services.Refused):
        services.throw_for_sides("redcoats")


def test_the_page_throws_offers_the_sides_and_begins_the_battle(people: People) -> None:
    client = logged_in(people.egyptian)
    listed = client.get("/battles/").content.decode()
    assert "/battles/throw/" in listed
    shown = client.post("/battles/throw/", {"throw": "1", "book": "restless", "opponent": "open"})
    assert shown.status_code == 200
    token = shown.context["thrown"].token
    begun = client.post("/battles/throw/", {"token": token, "side": "mahdist"})
    battle = Battle.objects.get()
    assert begun.headers["Location"] == f"/battles/{battle.uuid}/fight/"
    assert battle.commands.get(side="mahdist").user == people.egyptian
    assert battle.commands.get(side="egyptian").invitation


def test_the_page_refuses_a_forged_token_and_says_so(people: People) -> None:
    answer = logged_in(people.egyptian).post(
        "/battles/throw/", {"token": "x:y:z", "side": "mahdist"}
    )
    assert answer.status_code == 400
    assert "were not thrown here" in answer.content.decode()
    assert not Battle.objects.exists()


def test_a_program_throws_and_begins_by_rest(people: People) -> None:
    client = logged_in(people.egyptian)
    answer = client.post("/api/v1/battles/throws/", {"book": "restless"}, content_type=JSON)
    assert answer.status_code == 201, answer.json()
    throw = answer.json()
    taken = throw["computer_side"]
    side = "egyptian" if taken != "egyptian" else "mahdist"
    wish = {"type": "throw", "throw_token": throw["throw_token"], "side": side}
    told = client.post("/api/v1/battles/", wish, content_type=JSON)
    assert told.status_code == 201, told.json()
    assert Battle.objects.get(uuid=told.json()["uuid"]).commands.get(side=side).user is not None
    for wrong in (
        {**wish, "throw_token": "x:y:z"},
        {**wish, "book": "redcoats"},
        {"type": "throw", "throw_token": throw["throw_token"]},
    ):
        refused = client.post("/api/v1/battles/", wrong, content_type=JSON)
        assert 400 <= refused.status_code < 500, wrong
