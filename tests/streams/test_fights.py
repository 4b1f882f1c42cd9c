"""A battle followed as it is fought: each side is told its own, and nothing twice."""

from typing import Any

import pytest

from battles import serialization, services
from battles.contract import Side
from battles.models import Battle
from battles.web.fight_view import OVER
from tests.api.conftest import Api, As
from tests.battles_web.fights import begun, step
from tests.people import People
from tests.streams.test_telling import messages

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast(people: People) -> People:
    return people


@pytest.fixture
def fight(cast: People) -> Battle:
    return begun(cast, "redcoats")


def stream(api: Api, battle: Battle, since: str | None = None) -> list[tuple[str, str, Any]]:
    """Return the messages about the battle since a cursor: kind, id and data."""
    asked = "" if since is None else f"?since={since}"
    answer = api.get(f"/battles/{battle.uuid}/fight/stream/{asked}")
    assert answer.status_code == 200
    return messages(answer.content)


def now(battle: Battle) -> Battle:
    return Battle.objects.get(pk=battle.pk)


def test_each_side_is_told_its_log_and_how_the_battle_stands(
    fight: Battle, cast: People, as_: As
) -> None:
    for _ in range(6):
        step(cast, fight)
    for who in ("egyptian", "mahdist", "umpire"):
        told = stream(as_(who), fight, "")
        log = as_(who).get(f"/battles/{fight.uuid}/fight/log/").json()
        entries = [data for kind, _, data in told if not kind]
        assert entries == log["entries"]
        kind, place, stands = told[-1]
        assert (kind, place) == ("status", serialization.cursor_of(now(fight)))
        page = as_(who).get(f"/battles/{fight.uuid}/fight/").json()
        assert stands["cursor"] == serialization.cursor_of(now(fight))
        assert stands["awaited_side"] == page["awaited_side"]
        assert stands["version"] == page["version"]
        assert (stands["uuid"], stands["status"]) == (page["uuid"], "fighting")


def test_who_comes_back_with_his_last_place_is_told_what_came_after_it(
    fight: Battle, cast: People, as_: As
) -> None:
    step(cast, fight)
    first = stream(as_("umpire"), fight, "")
    for _ in range(5):
        step(cast, fight)
    told = stream(as_("umpire"), fight, first[-1][1])
    whole = stream(as_("umpire"), fight, "")
    assert first[:-1] + told == whole
    assert [kind for kind, _, _ in stream(as_("umpire"), fight)] == ["status"]


def test_going_back_is_told_and_leads_to_the_place_that_still_stands(
    fight: Battle, cast: People, as_: As
) -> None:
    for _ in range(5):
        step(cast, fight)
    before = serialization.cursor_of(now(fight))
    services.rewind(now(fight), cast.umpire, 3, "A wrong throw.")
    kinds = [(kind, place) for kind, place, _ in stream(as_("egyptian"), fight, before)]
    assert kinds == [("rewound", "1.3"), ("status", "1.3")]
    assert stream(as_("egyptian"), fight, "1.3")[-1][2]["paused_by"]


def test_another_leader_changes_the_version_and_the_end_is_told(
    fight: Battle, cast: People, as_: As
) -> None:
    before = stream(as_("egyptian"), fight)[-1][2]["version"]
    services.pause(now(fight), cast.umpire, paused=True)
    services.lead(now(fight), cast.egyptian, Side.EGYPTIAN, computer=True)
    assert stream(as_("egyptian"), fight)[-1][2]["version"] != before
    services.finish(now(fight), cast.umpire)
    stands = stream(as_("egyptian"), fight)[-1][2]
    assert (stands["status"], stands["version"]) == ("reported", OVER)
    assert stands["awaited_side"] is None


def test_strangers_and_unknown_places_are_refused(fight: Battle, as_: As) -> None:
    address = f"/battles/{fight.uuid}/fight/stream/"
    assert as_("stranger").get(address).status_code == 404
    for since in ("7.1", "0.9", "x", "0.1.1", "0." + "9" * 30):
        assert as_("egyptian").get(f"{address}?since={since}").status_code == 422
