"""Battles on a real table by REST: the kit, what is left counted by the book, the books."""

from typing import Any

import pytest
from django.test import Client

from api.http.rule_json import identifier
from battles import replay, serialization, services
from battles.contract import Fate, Side
from battles.contract.book import books
from battles.models import Battle
from battles.services import NewFight
from battles.services.fights import ME
from battles.web.tabletop import kit_of
from campaign.rules.core.state import TABLETOP
from tests.api.problems import problem
from tests.api.test_fights import JSON
from tests.battles_web.field import small_brief
from tests.campaign.battlefield import before_battle
from tests.people import People, logged_in

BOOKS = list(books())


def waiting(people: People, book: str = "redcoats") -> Battle:
    """Return a battle of the stranger's that waits on a table."""
    return services.start(people.stranger, small_brief(), book, Battle.Way.TABLETOP)


def kit(client: Client, battle: Battle) -> Any:
    links = client.get(f"/api/v1/battles/{battle.uuid}/").json()["links"]
    answer = client.get(links["kit"])
    assert answer.status_code == 200, answer.json()
    return answer.json()


def everybody(told: Any) -> dict[str, dict[str, Any]]:
    """Return all as they came, by number."""
    return {
        str(unit["id"]): {"figures": unit["initial_strength"]}
        for roster in told["rosters"]
        for unit in roster["field_units"]
    }


@pytest.mark.parametrize("book", BOOKS)
def test_the_kit_has_what_its_page_is_drawn_from(people: People, book: str) -> None:
    battle = waiting(people, book)
    told, page = kit(logged_in(people.stranger), battle), kit_of(battle)
    assert (told["field_size"], told["book"]) == (page.measure, book)
    assert [tuple(one.values()) for one in told["placements"]] == page.laid
    units = [unit for roster in told["rosters"] for unit in roster["field_units"]]
    lines = {line.number: line for line in page.picture.roll}
    assert {one["id"]: one["initial_strength"] for one in units} == {
        number: line.came for number, line in lines.items()
    }
    assert [one["title"] for one in told["play_sheets"]] == [
        one.section.title for one in page.sheets
    ]
    assert any(
        table["printed_rows"] for one in told["play_sheets"] for table in one["printed_tables"]
    )


@pytest.mark.parametrize("book", BOOKS)
def test_everybody_stands_on_the_field_where_the_page_draws_him(people: People, book: str) -> None:
    told = kit(logged_in(people.stranger), waiting(people, book))
    field = told["field"]
    squares = field["type"] == "squares"
    size = (
        (field["column_count"] - 1, field["row_count"] - 1)
        if squares
        else (field["width"], field["height"])
    )
    standing = [
        unit
        for roster in told["rosters"]
        for unit in roster["field_units"]
        if unit["point"] is not None
    ]
    assert standing
    for unit in standing:
        assert all(0 <= at <= most for at, most in zip(unit["point"], size, strict=True)), unit
        assert 0 <= unit["bearing"] < 360
        if squares:
            column, row = unit["point"]
            assert unit["position_label"] == f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[column]}{row + 1}"


def test_water_walls_and_goals_are_on_the_field_as_in_words(people: People) -> None:
    client = logged_in(people.stranger)
    wish = {"type": "offer", "offer": "tamai", "book": "restless", "fought_by": "tabletop"}
    made = client.post("/api/v1/battles/", wish, content_type=JSON).json()
    field = client.get(made["links"]["kit"]).json()["field"]
    assert field["type"] == "table"
    assert {one["terrain"] for one in field["features"]}
    assert all(
        0 <= x <= field["width"] and 0 <= y <= field["height"]
        for one in field["features"]
        for x, y in one["outline"]
    )


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_left_comes_to_the_report_that_is_sent(people: People, book: str) -> None:
    client, battle = logged_in(people.stranger), waiting(people, book)
    told = kit(client, battle)
    left = everybody(told)
    (mahdist,) = [one for one in told["rosters"] if one["side"] == "mahdist"]
    left[str(mahdist["field_units"][0]["id"])] = {"figures": 0}
    sent = {"remainders": left, "winner": "egyptian", "turns": 6, "ending": "They went home."}
    counted = client.post(told["links"]["count"], sent, content_type=JSON)
    assert counted.status_code == 200, counted.json()
    fates = counted.json()["fates"]
    assert Fate.ELIMINATED in fates.values()
    assert sum(one["count"] for one in counted.json()["returned"]) == len(fates)
    assert Battle.objects.get(pk=battle.pk).reported is None
    report = {name: counted.json()[name] for name in ("fates", "winner", "ending", "turns")}
    taken = client.post(counted.json()["links"]["report"], report, content_type=JSON)
    assert taken.status_code == 200, taken.json()
    kept = serialization.report_of(Battle.objects.get(pk=battle.pk))
    assert kept is not None
    assert (
        kept.winner,
        kept.turns,
        {str(one): identifier(two) for one, two in kept.fates.items()},
    ) == (Side.EGYPTIAN, 6, fates)


def test_a_unit_that_is_shaken_goes_back_so(people: People) -> None:
    client, battle = logged_in(people.stranger), waiting(people)
    told = kit(client, battle)
    left = everybody(told)
    rub = replay.laid_out(serialization.brief_of(battle), battle.book).roll[-1]
    left[str(rub.number)]["shaken"] = True
    sent = {"remainders": left, "winner": None, "turns": 3}
    counted = client.post(told["links"]["count"], sent, content_type=JSON).json()
    assert list(counted["fates"].values()).count(Fate.DISRUPTED) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"1": {"figures": 99}}, "can be left"),
        ({"99": {"figures": 1}}, "has number 99"),
        ({"1": None}, "There is no count for number 1"),
    ],
)
def test_what_cannot_be_left_is_named(people: People, change: dict[str, Any], said: str) -> None:
    client, battle = logged_in(people.stranger), waiting(people)
    told = kit(client, battle)
    left = {one: two for one, two in (everybody(told) | change).items() if two is not None}
    sent = {"remainders": left, "winner": None, "turns": 3}
    refused = client.post(told["links"]["count"], sent, content_type=JSON)
    assert said in problem(refused, "unfit")["detail"]


def test_only_who_may_report_counts_and_only_who_sees_it_has_the_kit(people: People) -> None:
    battle = waiting(people)
    told = kit(logged_in(people.stranger), battle)
    here, count = told["links"]["self"], told["links"]["count"]
    sent = {"remainders": everybody(told), "winner": None, "turns": 3}
    for client in (logged_in(people.umpire), Client()):
        assert client.get(here).status_code == 404
    assert logged_in(people.umpire).post(count, sent, content_type=JSON).status_code == 404
    assert Client().post(count, sent, content_type=JSON).status_code == 401
    Battle.objects.update(public=True)
    links = Client().get(here).json()["links"]
    assert {name for name, to in links.items() if to} == {"self", "battle", "page"}
    assert logged_in(people.umpire).post(count, sent, content_type=JSON).status_code == 404


def test_a_battle_that_players_fight_has_no_kit(people: People) -> None:
    wanted = NewFight("redcoats", dict.fromkeys(Side, ME))
    fight = services.begin_fight(people.stranger, small_brief(), wanted)
    answer = logged_in(people.stranger).get(f"/api/v1/battles/{fight.uuid}/kit/")
    assert "is being fought" in problem(answer, "not-found")["detail"]


def test_a_campaigns_battle_is_counted_by_its_players(people: People) -> None:
    before_battle(people, TABLETOP)
    told = kit(logged_in(people.egyptian), Battle.objects.get())
    sent = {"remainders": everybody(told), "winner": None, "turns": 3}
    assert (
        logged_in(people.egyptian)
        .post(told["links"]["count"], sent, content_type=JSON)
        .json()["fates"]
    )
    assert logged_in(people.stranger).get(told["links"]["self"]).status_code == 404


def test_the_books_are_read_by_anybody(db: None) -> None:
    listed = Client().get("/api/v1/books/").json()["results"]
    assert [one["slug"] for one in listed] == BOOKS
    for line in listed:
        told = Client().get(line["links"]["self"]).json()
        assert told["printed_tables"]
        assert all(
            len(row) == len(one["column_names"])
            for one in told["printed_tables"]
            for row in one["printed_rows"]
        )
        assert told["rulings"]
        assert told["vocabulary"]["figure_term"]
        assert Client().get(line["links"]["page"]).status_code == 200
    assert "redcoats" in problem(Client().get("/api/v1/books/none/"), "not-found")["detail"]
