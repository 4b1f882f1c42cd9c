"""Battles that players fight, by REST: what is asked, acting once and on what was read, powers."""

from typing import Any

import pytest
from django.test import Client

from battles.contract import Side
from battles.history import serialization
from battles.models import Battle
from tests.battles_web.fights import BOOKS, asked, begun, player, step
from tests.people import People, gather

JSON = "application/json"


@pytest.fixture
def people(db: None) -> People:
    return gather()


def at(battle: Battle, path: str = "") -> str:
    return f"/api/v1/battles/{battle.uuid}/fight/{path}"


def of(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def acting(people: People, battle: Battle) -> Client:
    side = asked(battle)
    assert side is not None
    return of(player(people, side))


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_offered_is_taken(people: People, book: str) -> None:
    battle = begun(people, book)
    for _ in range(10):
        client = acting(people, battle)
        told = client.get(at(battle))
        offered = told.json()["asked"]
        assert offered["choices"]
        done = client.post(
            at(battle, "actions/"),
            {"action": offered["choices"][-1]["action"]},
            content_type=JSON,
            headers={"If-Match": told["ETag"]},
        )
        assert done.status_code == 200, done.json()
        assert done.json()["place"] != told.json()["place"]
        assert done["ETag"].startswith(f'"{done.json()["place"]}.')


def test_the_other_side_is_asked_nothing(people: People) -> None:
    battle = begun(people, "redcoats")
    side = asked(battle)
    assert side is not None
    told = of(player(people, side.enemy)).get(at(battle)).json()
    assert (told["asked"], told["waits_for"], told["eyes"]) == (None, side, side.enemy)


def test_acting_needs_the_place_that_was_read(people: People) -> None:
    battle = begun(people, "redcoats")
    client = acting(people, battle)
    body = {"action": client.get(at(battle)).json()["asked"]["choices"][-1]["action"]}

    def post(**headers: str) -> Any:
        return client.post(at(battle, "actions/"), body, content_type=JSON, headers=headers)

    assert post().status_code == 428
    assert post(**{"If-Match": '"0.77.abc"'}).status_code == 412
    first = post(**{"If-Match": '"0.1.abc"', "Idempotency-Key": "one"})
    again = post(**{"If-Match": '"0.1.abc"', "Idempotency-Key": "one"})
    assert first.status_code == again.status_code == 200
    assert again["Idempotency-Replayed"] == "true"
    assert battle.entries.count() == 2


def test_what_is_wrong_is_said(people: People) -> None:
    battle = begun(people, "redcoats")
    client = acting(people, battle)

    def post(action: Any) -> Any:
        return client.post(
            at(battle, "actions/"),
            {"action": action},
            content_type=JSON,
            headers={"If-Match": "*"},
        )

    (fault,) = post({"do": "Nonsense"}).json()["fields"]["action"]
    assert "Known here: Deploy, Done, Coordinate" in fault
    assert post(3).status_code == 400
    (unknown,) = post({"do": "Done", "in_haste": True}).json()["fields"]["action"]
    assert unknown == "No such field - at `$.in_haste`; known here: none."
    (large,) = post({"do": "Coordinate", "units": [10**20]}).json()["fields"]["action"]
    assert large.startswith("A number beyond 1,000,000,000 names no unit")
    illegal = post({"do": "Pursue"}).json()
    assert illegal["clause"]
    assert illegal["remedy"]


def test_the_log_is_read_on_from_an_entry(people: People) -> None:
    battle = begun(people, "redcoats")
    client = acting(people, battle)
    whole = client.get(at(battle, "log/")).json()
    assert whole["after"] == 1
    rest = client.get(at(battle, "log/?after=1")).json()
    assert rest["entries"] == []
    assert client.get(at(battle, "log/?after=x")).status_code == 400


def test_powers_are_the_umpires(people: People) -> None:
    battle = begun(people, "redcoats")
    asks = [
        ("put", "pause/", {"paused": True}),
        ("post", "finish/", {}),
        ("post", "rewinds/", {"entry": 1, "reason": "Why not."}),
        ("post", "corrections/", {"unit": 1, "left": 1, "reason": "Mine is better."}),
    ]
    for method, path, body in asks:
        send = getattr(of(people.egyptian), method)
        assert send(at(battle, path), body, content_type=JSON).status_code == 403
    over = of(people.umpire).post(at(battle, "finish/"), {}, content_type=JSON)
    assert over.status_code == 200
    assert over.json()["waits_for"] is None


def test_the_umpire_goes_back_to_an_entry(people: People) -> None:
    battle = begun(people, "redcoats")
    first = of(people.egyptian).get(at(battle)).json()["place"]
    for _ in range(2):
        step(people, battle)
    body = {"entry": 1, "reason": "A card was misread."}
    back = of(people.umpire).post(at(battle, "rewinds/"), body, content_type=JSON)
    assert back.status_code == 200, back.json()
    assert (first, back.json()["place"]) == ("0.1", "1.1")
    assert back.json()["paused"]
    assert of(people.egyptian).get(at(battle, "log/")).json()["after"] == 1


def test_a_side_is_left_to_the_computer(people: People) -> None:
    battle = begun(people, "redcoats")
    body = {"side": Side.MAHDIST.value, "computer": True}
    told = of(people.mahdist).put(at(battle, "lead/"), body, content_type=JSON)
    assert [one["computer"] for one in told.json()["led"]] == [False, True]
    assert of(people.egyptian).put(at(battle, "lead/"), body, content_type=JSON).status_code == 403


def test_a_battle_for_its_own_sake_is_begun(people: People) -> None:
    body = {"battle": "abu-klea", "book": "restless", "way": "players", "egyptian": "computer"}
    made = of(people.stranger).post(
        "/api/v1/battles/", {**body, "mahdist": "me"}, content_type=JSON
    )
    assert made.status_code == 201
    told = of(people.stranger).get(made.json()["links"]["fight"]).json()
    assert told["eyes"] == "mahdist"
    assert made.json()["brief"] is None


def test_a_battle_that_nobody_fights_here_is_none(people: People) -> None:
    body = {"battle": "abu-klea", "book": "redcoats"}
    made = of(people.umpire).post("/api/v1/battles/", body, content_type=JSON).json()
    assert "fight" not in made["links"]
    assert of(people.umpire).get(f"{made['links']['self']}fight/").status_code == 404


@pytest.mark.parametrize("book", BOOKS)
def test_the_umpire_sets_a_unit_right(people: People, book: str) -> None:
    battle = begun(people, book)
    umpire = of(people.umpire)
    state = serialization.state_of(Battle.objects.get(pk=battle.pk))
    unit = next(one for one in state.units.values() if one.side is Side.MAHDIST)

    def post(left: int, **more: Any) -> Any:
        body = {"unit": unit.id, "left": left, "reason": "Two were never there.", **more}
        return umpire.post(at(battle, "corrections/"), body, content_type=JSON)

    refused = post(99)
    assert refused.status_code == 400
    assert "at most" in refused.content.decode()
    assert post(1, place="", facing=400).status_code == 400
    assert post(1).status_code == 200
    now = serialization.state_of(Battle.objects.get(pk=battle.pk)).units[unit.id]
    assert getattr(now, "figures", getattr(now, "stands", 0)) == 1
    assert "Two were never there." in umpire.get(at(battle, "log/")).content.decode()


@pytest.mark.parametrize(
    ("book", "measure", "other"),
    [
        ("redcoats", {"place": "C5"}, {"x": 3, "y": 4}),
        ("restless", {"x": 3, "y": 4}, {"place": "C5"}),
        ("fuzzy-wuzzy", {"x": 3, "y": 4}, {"place": "C5"}),
    ],
)
def test_a_unit_is_not_set_down_by_the_measure_of_another_field(
    people: People, book: str, measure: dict[str, Any], other: dict[str, Any]
) -> None:
    battle = begun(people, book)
    body = {"unit": 1, "left": 1, "reason": "It was moved too far."}
    for wrong in (other, {**measure, **other}):
        sent = {**body, **wrong}
        answer = of(people.umpire).post(at(battle, "corrections/"), sent, content_type=JSON)
        assert (answer.status_code, set(answer.json()["fields"])) == (400, set(other))
    assert battle.entries.count() == 1
    right = of(people.umpire).post(
        at(battle, "corrections/"), {**body, **measure}, content_type=JSON
    )
    assert not {"x", "y", "place"} & set(right.json().get("fields", {}))
