"""Battles that players fight, by REST: what is asked, acting once and on what was read, powers."""

from typing import Any

import pytest
from django.test import Client

from battles import serialization, services
from battles.contract import Side
from battles.contract.brief_files import find_ready_battle
from battles.models import Battle
from battles.services.fights import COMPUTER, ME
from tests.battles_web.fights import BOOKS, EL_TEB, asked, begun, player, step
from tests.people import People, logged_in

JSON = "application/json"
ANY = {"If-Match": "*"}
ON_SQUARE = {"type": "square", "square": "C5"}
ON_TABLE = {"type": "point", "x": 3, "y": 4}


def at(battle: Battle, path: str = "") -> str:
    return f"/api/v1/battles/{battle.uuid}/fight/{path}"


def acting(people: People, battle: Battle) -> Client:
    side = asked(battle)
    assert side is not None
    return logged_in(player(people, side))


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_offered_is_taken(people: People, book: str) -> None:
    battle = begun(people, book)
    for _ in range(10):
        client = acting(people, battle)
        told = client.get(at(battle))
        offered = told.json()["options"]
        assert offered["legal_actions"]
        done = client.post(
            at(battle, "actions/"),
            {"action": offered["legal_actions"][-1]["action"]},
            content_type=JSON,
            headers={"If-Match": told["ETag"]},
        )
        assert done.status_code == 200, done.json()
        assert done.json()["cursor"] != told.json()["cursor"]
        assert done["ETag"].startswith(f'"{done.json()["cursor"]}.')


def test_the_other_side_is_asked_nothing(people: People) -> None:
    battle = begun(people, "redcoats")
    side = asked(battle)
    assert side is not None
    told = logged_in(player(people, side.enemy)).get(at(battle)).json()
    assert (told["options"], told["awaited_side"]) == (None, side)
    assert told["perspective"] == side.enemy


def test_what_a_unit_has_not_is_null(people: People) -> None:
    battle = begun(people, "redcoats")
    state = acting(people, battle).get(at(battle)).json()["state"]
    assert state["queue_leader"] is None
    pieces = [*state["units_by_id"].values(), *state["leaders_by_id"].values()]
    for name in ("shots", "aboard", "brigade"):
        values = {piece[name] for piece in pieces if name in piece}
        assert None in values
        assert not values & {-1, 0}, name


def test_acting_needs_the_place_that_was_read(people: People) -> None:
    battle = begun(people, "redcoats")
    client = acting(people, battle)
    body = {"action": client.get(at(battle)).json()["options"]["legal_actions"][-1]["action"]}

    def post(**headers: str) -> Any:
        return client.post(at(battle, "actions/"), body, content_type=JSON, headers=headers)

    assert post().status_code == 428
    assert post(**{"If-Match": '"0.77.abc"'}).status_code == 412
    no_etag = post(**{"If-Match": client.get(at(battle)).json()["version"]})
    assert no_etag.status_code == 412
    assert "names none of the ETags" in no_etag.json()["detail"]
    first = post(**{"If-Match": '"0.3.abc"', "Idempotency-Key": "one"})
    again = post(**{"If-Match": '"0.3.abc"', "Idempotency-Key": "one"})
    assert first.status_code == again.status_code == 200
    assert again["Idempotency-Replayed"] == "true"
    assert battle.entries.count() == 4


def test_what_is_wrong_is_said(people: People) -> None:
    battle = begun(people, "redcoats")
    client = acting(people, battle)

    def post(action: Any) -> Any:
        return client.post(
            at(battle, "actions/"), {"action": action}, content_type=JSON, headers={"If-Match": "*"}
        )

    (fault,) = post({"type": "nonsense"}).json()["errors"]
    assert "redcoats_deploy" in fault["detail"]
    assert "redcoats_coordinate" in fault["detail"]
    assert post(3).status_code == 422
    (unknown,) = post({"type": "redcoats_done", "in_haste": True}).json()["errors"]
    assert unknown["pointer"] == "/action/in_haste"
    beyond = post({"type": "redcoats_coordinate", "unit_ids": [10**20]})
    assert beyond.status_code == 422
    (large,) = beyond.json()["errors"]
    assert large["detail"].startswith("A number beyond 1,000,000,000 names no unit")
    illegal = post({"type": "redcoats_pursue"}).json()
    assert illegal["clause"]
    assert illegal["remedy"]


def test_the_log_is_read_on_from_an_entry(people: People) -> None:
    battle = begun(people, "redcoats")
    client = acting(people, battle)
    whole = client.get(at(battle, "log/")).json()
    assert whole["last_entry_number"] == 3
    rest = client.get(at(battle, "log/?after=3")).json()
    assert rest["entries"] == []
    assert client.get(at(battle, "log/?after=x")).status_code == 400


def test_powers_are_the_umpires(people: People) -> None:
    battle = begun(people, "redcoats")
    asks = [
        ("patch", "", {"paused": True}),
        ("patch", "", {"finished": True}),
        ("post", "rewinds/", {"entry_number": 1, "reason": "Why not."}),
        ("post", "corrections/", {"unit_id": 1, "strength": 1, "reason": "Mine is better."}),
    ]
    for method, path, body in asks:
        send = getattr(logged_in(people.egyptian), method)
        assert send(at(battle, path), body, content_type=JSON, headers=ANY).status_code == 403
    assert (
        logged_in(people.umpire).patch(at(battle), {"paused": 1}, content_type=JSON).status_code
        == 400
    )
    paused = logged_in(people.umpire).patch(at(battle), {"paused": True}, content_type=JSON).json()
    assert (paused["paused"], paused["paused_by"]) == (True, "umpire")
    both = {"paused": False, "finished": True}
    over = logged_in(people.umpire).patch(at(battle), both, content_type=JSON)
    assert over.status_code == 200
    assert (over.json()["awaited_side"], over.json()["paused_by"]) == (None, None)


def test_the_umpire_goes_back_to_an_entry(people: People) -> None:
    battle = begun(people, "redcoats")
    first = logged_in(people.egyptian).get(at(battle)).json()["cursor"]
    for _ in range(2):
        step(people, battle)
    body = {"entry_number": 3, "reason": "A card was misread."}
    umpire = logged_in(people.umpire)
    assert umpire.post(at(battle, "rewinds/"), body, content_type=JSON).status_code == 428
    stale = {"If-Match": f'"{first}.0123abcd"'}
    assert (
        umpire.post(at(battle, "rewinds/"), body, content_type=JSON, headers=stale).status_code
        == 412
    )
    seen = {"If-Match": umpire.get(at(battle)).headers["ETag"]}
    back = umpire.post(at(battle, "rewinds/"), body, content_type=JSON, headers=seen)
    assert back.status_code == 200, back.json()
    assert (first, back.json()["cursor"]) == ("0.3", "1.3")
    assert back.json()["paused"]
    assert logged_in(people.egyptian).get(at(battle, "log/")).json()["last_entry_number"] == 3


def alone(people: People) -> Battle:
    """Return a battle that the umpire of the tests fights against the computer."""
    chosen = find_ready_battle(EL_TEB)
    assert chosen is not None
    sides = {Side.EGYPTIAN: ME, Side.MAHDIST: COMPUTER}
    return services.begin_fight(people.umpire, chosen.brief, services.NewFight("redcoats", sides))


def act(client: Client, battle: Battle) -> Any:
    """Take the last legal action; return the battle after it."""
    action = client.get(at(battle)).json()["options"]["legal_actions"][-1]["action"]
    headers = {"If-Match": "*"}
    body = {"action": action}
    return client.post(at(battle, "actions/"), body, content_type=JSON, headers=headers).json()


def take_back(client: Client, address: str, tag: str = "*", **headers: str) -> Any:
    return client.delete(address, headers={"If-Match": tag, **headers})


def test_alone_any_decision_is_taken_back_with_all_after_it(people: People) -> None:
    battle, client = alone(people), logged_in(people.umpire)
    before = client.get(at(battle)).json()
    assert client.get(at(battle, "actions/")).json()["results"] == []
    for _ in range(3):
        act(client, battle)
    told = client.get(at(battle, "actions/"))
    mine = told.json()["results"]
    assert len(mine) == 3
    numbers = [one["entry_number"] for one in mine]
    assert numbers == sorted(numbers, reverse=True)
    first = mine[-1]["links"]["self"]
    assert client.delete(first).status_code == 428
    assert take_back(client, first, '"0.1.abc"').status_code == 412
    back = take_back(client, first, told["ETag"], **{"Idempotency-Key": "back"})
    assert back.status_code == 200, back.json()
    assert back.json()["state"] == before["state"]
    assert back.json()["cursor"].startswith("1.")
    again = take_back(client, first, told["ETag"], **{"Idempotency-Key": "back"})
    assert (again["Idempotency-Replayed"], again.content) == ("true", back.content)
    assert client.get(at(battle, "actions/")).json()["results"] == []
    for nothing in (first, at(battle, "actions/0/")):
        refused = take_back(client, nothing, back["ETag"])
        assert (refused.status_code, refused.json()["detail"]) == (409, "There is nothing to undo.")


def test_against_a_player_only_the_last_decision_is_taken_back_by_who_made_it(
    people: People,
) -> None:
    battle = begun(people, "fuzzy-wuzzy")
    side = asked(battle)
    assert side is not None
    client, other = (logged_in(player(people, one)) for one in (side, side.enemy))
    before = client.get(at(battle)).json()["state"]
    step(people, battle)
    (last,) = client.get(at(battle, "actions/")).json()["results"]
    assert other.get(at(battle, "actions/")).json()["results"] == []
    assert take_back(other, last["links"]["self"]).status_code == 409
    back = take_back(client, last["links"]["self"])
    assert (back.status_code, back.json()["state"]) == (200, before)


def test_nothing_is_taken_back_while_the_battle_is_paused(people: People) -> None:
    battle, client = alone(people), logged_in(people.umpire)
    act(client, battle)
    (last,) = client.get(at(battle, "actions/")).json()["results"]
    client.patch(at(battle), {"paused": True}, content_type=JSON)
    assert client.get(at(battle, "actions/")).json()["results"] == []
    refused = take_back(client, last["links"]["self"])
    assert refused.status_code == 409
    assert "has paused the battle" in refused.json()["detail"]
    over = client.patch(at(battle), {"paused": False, "finished": True}, content_type=JSON)
    assert over.status_code == 200
    assert client.get(at(battle, "actions/")).json()["results"] == []


def test_a_side_is_left_to_the_computer(people: People) -> None:
    battle = begun(people, "redcoats")
    body = {"mahdist_lead": "computer"}
    told = logged_in(people.mahdist).patch(at(battle), body, content_type=JSON)
    assert [one["lead"] for one in told.json()["side_commanders"]] == ["player", "computer"]
    assert logged_in(people.egyptian).patch(at(battle), body, content_type=JSON).status_code == 403


def test_a_battle_for_its_own_sake_is_begun(people: People) -> None:
    body = {"type": "offer", "offer": "abu-klea", "book": "restless", "fought_by": "players"}
    made = logged_in(people.stranger).post(
        "/api/v1/battles/", {**body, "egyptian": "computer", "mahdist": "me"}, content_type=JSON
    )
    assert made.status_code == 201
    told = logged_in(people.stranger).get(made.json()["links"]["fight"]).json()
    assert told["perspective"] == "mahdist"
    assert made.json()["brief"] is None


def test_a_battle_that_nobody_fights_here_is_none(people: People) -> None:
    body = {"type": "offer", "offer": "abu-klea", "book": "redcoats"}
    made = logged_in(people.umpire).post("/api/v1/battles/", body, content_type=JSON).json()
    assert made["links"]["fight"] is None
    assert logged_in(people.umpire).get(f"{made['links']['self']}fight/").status_code == 404


@pytest.mark.parametrize("book", BOOKS)
def test_the_umpire_sets_a_unit_right(people: People, book: str) -> None:
    battle = begun(people, book)
    umpire = logged_in(people.umpire)
    state = serialization.state_of(Battle.objects.get(pk=battle.pk))
    unit = next(one for one in state.units.values() if one.side is Side.MAHDIST)

    def post(left: int, **more: Any) -> Any:
        body = {"unit_id": unit.id, "strength": left, "reason": "Two were never there.", **more}
        return umpire.post(at(battle, "corrections/"), body, content_type=JSON, headers=match)

    match = {"If-Match": umpire.get(at(battle)).headers["ETag"]}
    refused = post(99)
    assert refused.status_code == 422
    assert "at most" in refused.content.decode()
    assert post(1, square="", bearing=400).status_code == 400
    assert post(1).status_code == 200
    now = serialization.state_of(Battle.objects.get(pk=battle.pk)).units[unit.id]
    assert getattr(now, "figures", getattr(now, "stands", 0)) == 1
    assert "Two were never there." in umpire.get(at(battle, "log/")).content.decode()
    assert post(2).status_code == 412
    match = {}
    assert post(2).status_code == 428


@pytest.mark.parametrize(
    ("book", "measure", "other"),
    [
        ("redcoats", ON_SQUARE, ON_TABLE),
        ("restless", ON_TABLE, ON_SQUARE),
        ("fuzzy-wuzzy", ON_TABLE, ON_SQUARE),
    ],
)
def test_a_unit_is_not_set_down_by_the_measure_of_another_field(
    people: People, book: str, measure: dict[str, Any], other: dict[str, Any]
) -> None:
    battle = begun(people, book)
    body = {"unit_id": 1, "strength": 1, "reason": "It was moved too far."}
    for wrong, status in ((other, 422), ({**other, **measure, "type": other["type"]}, 400)):
        sent = {**body, "moved_to": wrong}
        answer = logged_in(people.umpire).post(
            at(battle, "corrections/"), sent, content_type=JSON, headers=ANY
        )
        assert answer.status_code == status
        assert {one["pointer"].split("/")[1] for one in answer.json()["errors"]} == {"moved_to"}
    assert battle.entries.count() == 3
    right = logged_in(people.umpire).post(
        at(battle, "corrections/"), {**body, "moved_to": measure}, content_type=JSON, headers=ANY
    )
    named = {one["pointer"] for one in right.json().get("errors", ())}
    assert "/moved_to" not in named


@pytest.mark.parametrize("book", BOOKS)
def test_a_program_places_a_unit_before_the_battle_and_puts_all_back(
    people: People, book: str
) -> None:
    battle = begun(people, book, as_drawn_up=False)
    client = acting(people, battle)
    tag = book.replace("-", "_")

    def post(action: dict[str, Any]) -> Any:
        sent = {"action": {"type": f"{tag}_{action.pop('type')}", **action}}
        address = at(battle, "actions/")
        return client.post(address, sent, content_type=JSON, headers={"If-Match": "*"})

    told = client.get(at(battle)).json()
    unit, units = str(told["options"]["unit_id"]), told["state"]["units_by_id"]
    assert told["state"]["line_up_by_unit"][unit]["facing"] == units[unit]["facing"]
    if book == "redcoats":
        where = told["options"]["place_numbers"]
        free = next(one for one in where if one != units[unit]["square_index"])
        placed = post({"type": "deploy", "unit": int(unit), "square_index": free, "facing": 0})
    else:
        assert told["options"]["may_go_anywhere"]
        there = {name: units[unit][name] for name in ("at", "formation", "facing")}
        placed = post({"type": "deploy", "unit": int(unit), **there})
    assert placed.status_code == 200, placed.json()
    far = {"square_index": 9999} if book == "redcoats" else {"at": {"x": 1, "y": 1}}
    shape = {} if book == "redcoats" else {"formation": units[unit]["formation"]}
    wrong = post({"type": "deploy", "unit": int(unit), "facing": 0, **far, **shape})
    assert wrong.status_code == 409, wrong.json()
    assert wrong.json()["remedy"]
    back = post({"type": "restore"})
    assert back.status_code == 200
    assert client.get(at(battle)).json()["state"]["units_by_id"] == units


def test_a_document_reads_the_battle_once(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    battle = begun(people, "redcoats")
    client, state_of = acting(people, battle), serialization.state_of
    read: list[int] = []

    def counted(found: Battle) -> Any:
        read.append(found.pk)
        return state_of(found)

    monkeypatch.setattr(serialization, "state_of", counted)
    assert client.get(at(battle)).json()["version"].startswith("0.3-")
    assert read == [battle.pk]
