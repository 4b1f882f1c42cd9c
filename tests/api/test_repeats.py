"""Idempotency-Key: the first answer comes back, however far the campaign has gone on since."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from campaign.models import Campaign
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.core.state import TABLETOP
from campaign.services import battle_reports
from campaign.services.inquiries import FEWEST
from campaign.services.journal import creation
from campaign.services.turns import advance
from campaign.services.umpire import seat_control
from tests.api.conftest import As
from tests.api.problems import problem
from tests.campaign.battlefield import before_battle, brief
from tests.people import People

KEY = {"Idempotency_Key": "one"}
MINE: dict[str, Any] = {"orders": []}


@pytest.fixture
def written(seats: dict[str, User]) -> Campaign:
    """A campaign by order sheets that only those with a seat know of."""
    return creation.create_campaign(
        creation.NewCampaignTerms("siege-of-khartoum", slug="written", seats=seats, mode="orders")
    )


def sheet_of(written: Campaign) -> str:
    """Return where the Egyptian sheet of the present month is."""
    seat = written.seats.get(role="egyptian").pk
    return f"/campaigns/written/seats/{seat}/sheets/{month_slug(Month(written.month))}/"


def months_on(campaign: Campaign) -> None:
    """Two months later nobody writes that sheet any more."""
    advance.run_month(campaign.pk, until=campaign.month + 2)


def test_what_was_done_to_a_sheet_is_answered_again_after_its_month(
    as_: As, written: Campaign
) -> None:
    api, sheet = as_("egyptian"), sheet_of(written)

    def send_all(keys: str) -> list[Any]:
        """Write, submit, take back, make ready, make unready: each with a key of its own."""
        named = [{"If_Match": "*", "Idempotency_Key": f"{keys} {one}"} for one in range(5)]
        return [
            api.put(sheet, MINE, **named[0]),
            api.patch(sheet, {"submitted": True}, **named[1]),
            api.patch(sheet, {"submitted": False}, **named[2]),
            api.patch(sheet, {"ready": True}, **named[3]),
            api.patch(sheet, {"ready": False}, **named[4]),
        ]

    first = send_all("mine")
    assert {one.status_code for one in first} == {200}
    months_on(written)
    for one, again in zip(first, send_all("mine"), strict=True):
        assert (again.status_code, again.content) == (200, one.content)
        assert (again["Idempotency-Replayed"], again["ETag"]) == ("true", one["ETag"])
    for late in send_all("others"):
        problem(late, "unfit")


def test_a_rehearsal_is_answered_again_when_its_campaign_is_over(
    as_: As, written: Campaign
) -> None:
    api, seat = as_("egyptian"), written.seats.get(role="egyptian")
    body = {
        "type": "rehearsal",
        "campaign": written.slug,
        "seat_id": seat.pk,
        "draft": {},
        "runs": FEWEST,
    }
    first = api.post("/simulations/", body, **KEY)
    assert first.status_code == 202, first.json()
    Campaign.objects.filter(pk=written.pk).update(finished=True)
    assert api.post("/simulations/", body, **KEY).content == first.content
    problem(api.post("/simulations/", body, Idempotency_Key="another"), "campaign-over")


def test_an_answer_is_its_writers_alone_and_he_keeps_it_without_the_seat(
    as_: As, written: Campaign
) -> None:
    sheet = sheet_of(written)
    first = as_("egyptian").put(sheet, MINE, If_Match="*", **KEY)
    for name, kind in (("mahdist", "not-allowed"), ("stranger", "not-found")):
        problem(as_(name).put(sheet, MINE, If_Match="*", **KEY), kind)
    written.seats.filter(role="egyptian").update(user=None)
    assert as_("egyptian").put(sheet, MINE, If_Match="*", **KEY).content == first.content
    problem(as_("egyptian").get(sheet), "not-found")


def test_an_umpire_keeps_his_answers_when_he_is_umpire_no_more(
    people: People, as_: As, written: Campaign
) -> None:
    seat_control.second_umpire(written.pk, people.umpire, "stranger")
    seat = written.seats.get(role="mahdist").pk
    asked: dict[str, Any] = {
        "": {"adjourned": True, "dice_by_hand": True, "reason": "The club is shut."},
        f"seats/{seat}/": {"staff": True, "reason": "He is away."},
        "deadline/": {"policy": None},
    }

    def send_all(keys: str) -> list[Any]:
        api = as_("stranger")
        return [
            api.patch(f"/campaigns/written/{path}", body, Idempotency_Key=f"{keys} {path}")
            for path, body in asked.items()
        ]

    first = send_all("mine")
    assert {one.status_code for one in first} == {200}, [one.json() for one in first]
    written.seats.filter(user=people.stranger).delete()
    for one, again in zip(first, send_all("mine"), strict=True):
        assert (again.status_code, again.content) == (200, one.content)
    for late in send_all("others"):
        problem(late, "not-found")


def test_an_answer_that_comes_again_has_the_tag_of_what_it_says(as_: As, written: Campaign) -> None:
    api, sheet = as_("egyptian"), sheet_of(written)
    first = api.put(sheet, MINE, If_Match="*", **KEY)
    assert api.get(sheet)["ETag"] == first["ETag"]
    later = api.put(sheet, {**MINE, "salt": "00" * 16}, If_Match="*")
    again = api.put(sheet, MINE, If_Match="*", **KEY)
    assert first["ETag"] == again["ETag"] != later["ETag"]
    problem(api.put(sheet, MINE, If_Match=again["ETag"]), "precondition-failed")


def test_a_battle_taken_up_is_answered_again_when_it_is_no_more(people: People, as_: As) -> None:
    campaign = before_battle(people, TABLETOP)
    battle = brief(campaign).id
    waiting = as_("egyptian").get(f"/campaigns/{campaign.slug}/battles/{battle}/").json()
    address = f"{waiting['links']['battle']}fight/"
    first = as_("egyptian").put(address, {"book": "redcoats"}, **KEY)
    assert first.status_code == 200, first.json()
    battle_reports.choose_method(campaign.pk, people.umpire, battle, "combat-table")
    assert as_("egyptian").put(address, {"book": "redcoats"}, **KEY).content == first.content
    problem(as_("egyptian").put(address, {"book": "redcoats"}, Idempotency_Key="two"), "not-found")
    problem(as_("mahdist").put(address, {"book": "redcoats"}, **KEY), "not-found")


def test_the_members_of_a_body_that_is_sent_again_may_come_in_another_order(
    as_: As, written: Campaign
) -> None:
    api, address = as_("umpire"), "/campaigns/"
    wanted = {"scenario": "siege-of-khartoum", "title": "Once", "battles": {"signed": True}}
    first = api.post(address, wanted, **KEY)
    again = api.post(address, dict(reversed(wanted.items())), **KEY)
    assert again.json() == first.json()
    assert again["Idempotency-Replayed"] == "true"
    problem(api.post(address, {**wanted, "title": "Twice"}, **KEY), "key-used")


def test_a_webhook_that_is_made_again_by_one_key_is_one_with_one_secret(
    as_: As, written: Campaign
) -> None:
    """A program that missed the answer to a rotation would be without a secret that signs."""
    api, hook = as_("egyptian"), {"url": "https://93.184.216.34/"}
    made, again = (api.post("/webhooks/", hook, **KEY) for _ in range(2))
    assert made.content == again.content
    assert len(api.get("/webhooks/").json()["results"]) == 1
    link = made.json()["webhook"]["links"]["secret"]
    rotated, told = (api.post(link, Idempotency_Key="two") for _ in range(2))
    assert rotated.json()["secret"] == told.json()["secret"] != made.json()["secret"]
    assert {one["Cache-Control"] for one in (made, again, rotated, told)} == {"no-store"}


@pytest.mark.parametrize("made", ["webhook", "channel"])
def test_a_change_of_a_destination_that_is_sent_again_undoes_no_later_one(
    as_: As, written: Campaign, made: str
) -> None:
    api = as_("umpire")
    if made == "webhook":
        body = {"url": "https://93.184.216.34/"}
        link = api.post("/webhooks/", body).json()["webhook"]["links"]["self"]
    else:
        body = {"url": "https://discord.com/api/webhooks/1/a"}
        link = api.post("/campaigns/written/channels/", body).json()["links"]["self"]
    first = api.patch(link, {"enabled": False}, **KEY)
    assert (first.status_code, first.json()["enabled"]) == (200, False)
    assert api.patch(link, {"enabled": True}).json()["enabled"]
    again = api.patch(link, {"enabled": False}, **KEY)
    assert (again.content, again["Idempotency-Replayed"]) == (first.content, "true")
    assert api.get(link).json()["enabled"]


def test_a_strong_tag_names_the_bytes_as_they_were_packed(as_: As, written: Campaign) -> None:
    """RFC 9110, 8.8.3.3: what is encoded otherwise has another strong ETag."""
    api, sheet = as_("egyptian"), sheet_of(written)
    packed = {name: api.get(sheet, Accept_Encoding=name) for name in ("identity", "gzip", "br")}
    assert len({one["ETag"] for one in packed.values()}) == 3
    for name, one in packed.items():
        assert one.get("Content-Encoding", "identity") == name
        assert one["ETag"].startswith('"')
        same = api.get(sheet, Accept_Encoding=name, If_None_Match=one["ETag"])
        assert (same.status_code, same["ETag"]) == (304, one["ETag"])
    written_by = api.put(sheet, MINE, If_Match=packed["br"]["ETag"])
    assert written_by.status_code == 200
    problem(api.put(sheet, MINE, If_Match=packed["gzip"]["ETag"]), "precondition-failed")


def test_who_has_written_a_sheet_is_not_sent_it_again(as_: As, written: Campaign) -> None:
    """The answer to a write has the tag of its version, whatever a reading would be packed in."""
    api, sheet = as_("egyptian"), sheet_of(written)
    for encoding in ("identity", "gzip", "br"):
        tag = api.put(sheet, MINE, If_Match="*")["ETag"]
        assert tag
        known = api.get(sheet, Accept_Encoding=encoding, If_None_Match=tag)
        assert known.status_code == 304
        other = api.get(sheet, Accept_Encoding=encoding, If_None_Match='"0.00000000"')
        assert other.status_code == 200
