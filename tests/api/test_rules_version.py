"""The umpire's choice of a version of the rules, by REST: shown, chosen once, his alone."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User

from campaign.models import Campaign
from campaign.rules.core.state import RULES
from campaign.services.transfer import archive
from tests.api.conftest import As
from tests.api.problems import problem
from tests.people import People

FILES = Path(__file__).parents[1] / "deploy" / "files"
PAGE = "/campaigns/old/"
WHY = {"reason": "We all agree."}


def brought_in(name: str, umpire: User) -> Campaign:
    with (FILES / name).open("rb") as file:
        return archive.import_campaign(file, slug="old", umpire=umpire)


@pytest.fixture
def otherwise(people: People) -> Campaign:
    """A campaign that this program would have played otherwise."""
    return brought_in("first-day.zip", people.umpire)


@pytest.fixture
def same(people: People) -> Campaign:
    """One of an older version that comes out the same here."""
    return brought_in("of-version-0.zip", people.umpire)


def test_a_campaign_that_comes_out_otherwise_is_not_kept(as_: As, otherwise: Campaign) -> None:
    told = as_("umpire").get(PAGE).json()
    assert (told["rules_version"], told["program_rules_version"]) == ("0", RULES)
    refused = problem(as_("umpire").patch(PAGE, {"rules_version": "0", **WHY}), "unfit")
    assert "entry 2 of branch 0" in refused["detail"]


def test_it_is_migrated_once_for_a_key_and_stands_in_the_umpire_log(
    as_: As, otherwise: Campaign
) -> None:
    umpire, wanted = as_("umpire"), {"rules_version": RULES, **WHY}
    first, again = (umpire.patch(PAGE, wanted, Idempotency_Key="new") for _ in range(2))
    assert first.json() == again.json()
    assert first.json()["rules_version"] == RULES
    assert again["Idempotency-Replayed"] == "true"
    (entry,) = umpire.get("/campaigns/old/umpire-log/").json()["results"]
    assert "Migrated from version 0" in entry["text"]
    problem(umpire.patch(PAGE, {"rules_version": "0", **WHY}), "unfit")


def test_it_is_kept_or_pinned(as_: As, same: Campaign) -> None:
    umpire = as_("umpire")
    kept = umpire.patch(PAGE, {"rules_version": "0", **WHY}).json()
    assert (kept["rules_version"], kept["rules_kept"], kept["rules_pinned"]) == ("0", True, False)
    pinned = umpire.patch(PAGE, {"rules_pinned": True, **WHY}).json()
    assert (pinned["rules_version"], pinned["rules_pinned"]) == ("0", True)
    loose = umpire.patch(PAGE, {"rules_pinned": False, **WHY}).json()
    assert (loose["rules_kept"], loose["rules_pinned"]) == (True, False)


def test_a_campaign_of_our_version_is_pinned_to_it(as_: As, secret: Campaign) -> None:
    told = as_("umpire").get("/campaigns/secret/").json()
    assert told["rules_version"] == told["program_rules_version"]
    pinned = as_("umpire").patch("/campaigns/secret/", {"rules_pinned": True, **WHY}).json()
    assert (pinned["rules_version"], pinned["rules_pinned"]) == (RULES, True)


def test_only_its_umpire_chooses(as_: As, secret: Campaign) -> None:
    page = "/campaigns/secret/"
    for who in ("egyptian", "mahdist", "spectator"):
        problem(as_(who).patch(page, {"rules_pinned": True, **WHY}), "not-allowed")
    problem(as_("stranger").patch(page, {"rules_pinned": True, **WHY}), "not-found")
    secret.refresh_from_db()
    assert not secret.rules_pinned


@pytest.mark.parametrize(
    "body", [{"rules_pinned": True}, {"rules_version": 1, **WHY}, {"rules_version": RULES}]
)
def test_a_version_and_a_reason_are_wanted(
    as_: As, secret: Campaign, body: dict[str, object]
) -> None:
    kind = "invalid" if body.get("rules_version") == 1 else "unfit"
    problem(as_("umpire").patch("/campaigns/secret/", body), kind)
