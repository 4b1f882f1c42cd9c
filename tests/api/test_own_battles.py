"""Battles of one's own by REST: open sides taken, tables reported, and where links lead."""

from typing import Any

import pytest
from django.test import Client

from api.openapi.examples import EXAMPLES
from battles.contract import Fate
from battles.models import Battle
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.state import TABLETOP
from tests.api.problems import problem, wrong_places
from tests.api.test_fights import JSON, at
from tests.campaign.battlefield import before_battle
from tests.people import People, logged_in

BATTLES = "/api/v1/battles/"
EL_TEB = {"type": "offer", "offer": "second-el-teb", "book": "redcoats"}
OWN = next(one["toml"] for one in EXAMPLES["post-battles"].values() if "toml" in one)


def made(client: Client, **wish: Any) -> Any:
    answer = client.post(BATTLES, {**EL_TEB, **wish}, content_type=JSON)
    assert answer.status_code == 201, answer.json()
    return answer.json()


def open_battle(people: People) -> Battle:
    """Return a battle that the umpire of the tests has begun, with its Mahdist side open."""
    told = made(logged_in(people.umpire), fought_by="players", egyptian="me", mahdist="open")
    return Battle.objects.get(uuid=told["uuid"])


def invitation(people: People, battle: Battle) -> Any:
    (found,) = logged_in(people.umpire).get(at(battle)).json()["invitations"]
    return found


def test_an_open_side_is_offered_by_whoever_began_the_battle_and_taken(people: People) -> None:
    battle = open_battle(people)
    offered = invitation(people, battle)
    guest = logged_in(people.stranger)
    assert guest.get(at(battle)).status_code == 404
    told = guest.get(offered["links"]["self"]).json()
    assert (told["side"], told["book"], told["title"]) == ("mahdist", "redcoats", battle.title)
    taken = guest.post(told["links"]["self"], {}, content_type=JSON)
    assert taken.status_code == 200, taken.json()
    assert taken.json()["perspective"] == "mahdist"
    assert [one["is_yours"] for one in taken.json()["side_commanders"]] == [False, True]
    assert logged_in(people.umpire).get(at(battle)).json()["invitations"] == []


def test_a_side_is_taken_once_for_a_key_and_by_nobody_after(people: People) -> None:
    offer = invitation(people, open_battle(people))["links"]["self"]
    guest, other = logged_in(people.stranger), logged_in(people.egyptian)
    for _ in range(2):
        answer = guest.post(offer, {}, content_type=JSON, headers={"Idempotency-Key": "mine"})
        assert answer.status_code == 200
    assert answer["Idempotency-Replayed"] == "true"
    assert other.post(offer, {}, content_type=JSON).status_code == 409
    nobody_made = f"{offer.rstrip('/').rpartition('/')[0]}/{'x' * 32}/"
    assert other.post(nobody_made, {}, content_type=JSON).status_code == 404
    assert Client().post(offer, {}, content_type=JSON).status_code == 401


def test_a_side_is_not_ignored_because_nobody_said_that_players_fight(people: People) -> None:
    wish = {"type": "offer", "offer": "abu-klea", "book": "redcoats", "mahdist": "open"}
    answer = logged_in(people.umpire).post("/api/v1/battles/", wish, content_type=JSON)
    refused = problem(answer, "unfit")
    assert wrong_places(refused) == {"fought_by"}
    assert 'Send "players" if mahdist is to be led so' in refused["detail"]
    assert not Battle.objects.exists()
    sent = {**wish, "fought_by": "commanders"}
    assert (
        logged_in(people.umpire).post("/api/v1/battles/", sent, content_type=JSON).status_code
        == 201
    )


def test_invitations_are_told_to_nobody_else(people: People) -> None:
    wish = {"fought_by": "players", "egyptian": "open", "mahdist": "open", "public": True}
    told = made(logged_in(people.umpire), **wish)
    both = logged_in(people.umpire).get(told["links"]["fight"]).json()["invitations"]
    assert [one["side"] for one in both] == ["egyptian", "mahdist"]
    logged_in(people.mahdist).post(both[1]["links"]["self"], {}, content_type=JSON)
    for user in (people.mahdist, people.stranger):
        assert logged_in(user).get(told["links"]["fight"]).json()["invitations"] == []


def fates(told: Any, fate: Fate, side: str) -> dict[str, str]:
    """That fate for the units of a side that may have it; for others the first there is."""
    return {
        str(one["unit_id"]): fate
        if one["side"] == side and fate in one["possible_fates"]
        else one["possible_fates"][0]
        for one in told["report_form"]
    }


def test_a_battle_on_a_table_is_reported_once(people: People) -> None:
    owner = logged_in(people.umpire)
    told = made(owner, fought_by="tabletop")
    body = {
        "fates": fates(told, Fate.ELIMINATED, "mahdist"),
        "winner": "egyptian",
        "ending": "They broke.",
        "turns": 7,
    }
    report = told["links"]["report"]
    for _ in range(2):
        answer = owner.post(report, body, content_type=JSON, headers={"Idempotency-Key": "once"})
        assert answer.status_code == 200, answer.json()
    now = answer.json()
    assert (now["winner"], now["ending"], now["turns"]) == ("egyptian", "They broke.", 7)
    assert now["report"]["fates"] == body["fates"]
    assert (now["status"], now["report_form"], now["links"]["report"]) == ("reported", [], None)
    assert owner.get(now["links"]["self"]).json() == now
    assert owner.post(report, body, content_type=JSON).status_code == 409


def test_a_report_that_does_not_add_up_or_is_not_ours_is_refused(people: People) -> None:
    told = made(logged_in(people.umpire), fought_by="tabletop", public=True)
    all_fates = fates(told, Fate.ELIMINATED, "mahdist")
    body = {"fates": all_fates, "winner": "egyptian"}
    report = told["links"]["report"]
    assert logged_in(people.stranger).post(report, body, content_type=JSON).status_code == 409
    short = {**body, "fates": dict([*all_fates.items()][:1])}
    unfit = logged_in(people.umpire).post(report, short, content_type=JSON)
    assert (unfit.status_code, "Nothing is said of" in unfit.json()["detail"]) == (422, True)
    assert Battle.objects.get(uuid=told["uuid"]).reported is None


def open_links(links: dict[str, str | None]) -> set[str]:
    """The links that lead somewhere."""
    return {name for name, address in links.items() if address is not None}


def test_the_list_has_the_battles_of_a_status_or_a_campaign(people: People, awaited: Any) -> None:
    owner = logged_in(people.umpire)
    for way in ("commanders", "tabletop", "players"):
        made(owner, fought_by=way)
    for status, way in (("reported", "commanders"), ("fighting", "players")):
        (found,) = owner.get(f"{BATTLES}?status={status}").json()["results"]
        assert (found["status"], found["fought_by"]) == (status, way)
    assert len(owner.get(f"{BATTLES}?status=waiting").json()["results"]) == 2
    slug = Campaign.objects.get().slug
    (found,) = owner.get(f"{BATTLES}?campaign={slug}").json()["results"]
    assert found["uuid"] == awaited["uuid"]
    problem(owner.get(f"{BATTLES}?status=lost"), "invalid")


def test_a_battle_is_led_to_only_where_it_is_fought_or_reported(people: People) -> None:
    owner = logged_in(people.umpire)
    by_commanders, on_table, by_players = (
        made(owner, fought_by=way)["links"] for way in ("commanders", "tabletop", "players")
    )
    assert open_links(by_commanders) == {"self", "replay", "page", "proof", "trace"}
    assert open_links(on_table) == {"self", "replay", "page", "kit", "count", "report"}
    assert open_links(by_players) == {"self", "replay", "page", "fight"}
    lines = owner.get(BATTLES).json()["results"]
    assert [one["links"] for one in lines] == [by_players, on_table, by_commanders]
    for links in (by_commanders, on_table, by_players):
        for name in {"self", "replay", "fight"} & open_links(links):
            assert owner.get(links[name]).status_code == 200


@pytest.fixture
def awaited(people: People) -> Any:
    """The battle that a campaign waits for, as its player reads it."""
    waiting = selectors.battle_awaited(before_battle(people, TABLETOP))
    assert waiting is not None
    battle = Battle.objects.get(brief_id=waiting.brief.id)
    return logged_in(people.egyptian).get(f"{BATTLES}{battle.uuid}/").json()


def test_a_campaigns_battle_that_waits_leads_to_its_beginning(people: People, awaited: Any) -> None:
    client = logged_in(people.egyptian)
    waits = {"kit", "count", "report", "fight"}
    assert open_links(awaited["links"]) == {"self", "replay", "page"} | waits
    begun = client.put(awaited["links"]["fight"], {"book": "redcoats"}, content_type=JSON)
    assert begun.status_code == 200, begun.json()
    now = client.get(awaited["links"]["self"]).json()
    assert open_links(now["links"]) == {"self", "replay", "page", "fight"}
    assert now["links"]["fight"] == begun.json()["links"]["self"]


def test_a_campaigns_battle_is_reported_at_its_own_address_too(
    people: People, awaited: Any
) -> None:
    body = {"fates": fates(awaited, Fate.ELIMINATED, "mahdist"), "winner": "egyptian"}
    report = awaited["links"]["report"]
    signed = logged_in(people.egyptian).post(report, body, content_type=JSON)
    assert (signed.status_code, signed.json()["reported_at"]) == (200, None)
    assert logged_in(people.stranger).post(report, body, content_type=JSON).status_code == 404
    short = {**body, "fates": {}}
    assert logged_in(people.umpire).post(report, short, content_type=JSON).status_code == 409
    settled = logged_in(people.umpire).post(report, body, content_type=JSON)
    assert (settled.status_code, settled.json()["winner"]) == (200, "egyptian")


def test_a_battle_of_ones_own_is_written_as_the_page_takes_it(people: People) -> None:
    owner = logged_in(people.umpire)
    wish = {"type": "brief", "toml": OWN, "book": "redcoats", "fought_by": "tabletop"}
    told = owner.post(BATTLES, wish, content_type=JSON)
    assert told.status_code == 201, told.json()
    assert (told.json()["title"], len(told.json()["report_form"])) == ("At the wells", 9)
    wish = {"type": "brief", "toml": OWN, "book": "redcoats"}
    fought = owner.post(BATTLES, wish, content_type=JSON).json()
    assert fought["report"]["fates"]


def test_a_brief_that_is_wrong_is_refused_with_its_line(people: People) -> None:
    owner = logged_in(people.umpire)
    wish = {"type": "brief", "toml": OWN.replace('"spears"', '"elephants"'), "book": "redcoats"}
    refused = problem(owner.post(BATTLES, wish, content_type=JSON), "table-wrong")
    assert (refused["file"], bool(refused["line_number"])) == ("brief.toml", True)
    for wish in ({"book": "redcoats"}, {**EL_TEB, "toml": OWN}, {**EL_TEB, "type": "brief"}):
        problem(owner.post(BATTLES, wish, content_type=JSON), "invalid")


def test_a_battle_is_fought_again_and_holds(people: People) -> None:
    owner = logged_in(people.umpire)
    links = made(owner)["links"]
    proof = owner.get(links["proof"]).json()
    assert (proof["verified"], len(proof["key"])) == (True, 64)
    assert proof["die_count"] >= proof["roll_count"] > 0
    Battle.objects.update(key=b"another key of thirty-two bytes!")
    proof = owner.get(links["proof"]).json()
    assert (proof["verified"], bool(proof["fault"])) == (False, True)
    assert logged_in(people.stranger).get(links["proof"]).status_code == 404


def test_a_battle_tells_the_clauses_it_has_used(people: People) -> None:
    owner = logged_in(people.umpire)
    links = made(owner)["links"]
    used = owner.get(links["trace"]).json()["results"]
    assert used
    assert all(one["applied_count"] > 0 for one in used)
    assert logged_in(people.stranger).get(links["trace"]).status_code == 404


def test_of_a_battle_that_is_still_fought_nothing_is_proved(people: People) -> None:
    battle = open_battle(people)
    for name in ("proof", "trace"):
        answer = logged_in(people.umpire).get(f"{BATTLES}{battle.uuid}/{name}/")
        assert "is being fought" in problem(answer, "not-found")["detail"]
    on_table = made(logged_in(people.umpire), fought_by="tabletop")
    told = logged_in(people.umpire).get(f"{on_table['links']['self']}proof/").json()
    assert (told["verified"], told["key"]) == (None, None)


def test_a_replay_has_the_field_and_where_everybody_stood_turn_by_turn(people: People) -> None:
    owner = logged_in(people.umpire)
    told = made(owner)
    replay = owner.get(told["links"]["replay"]).json()
    assert replay["field"]["type"] == "squares"
    first, last = replay["replay_turns"][0], replay["replay_turns"][-1]
    assert {one["id"] for one in last["field_units"]} <= {one["id"] for one in first["field_units"]}
    assert all(one["strength"] == one["initial_strength"] for one in first["field_units"])
    assert any(one["strength"] < one["initial_strength"] for one in last["field_units"])
    assert any(one["point"] is None for one in last["field_units"])
