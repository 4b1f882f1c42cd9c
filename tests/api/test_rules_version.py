"""The umpire's choice of a version of the rules, by REST: shown, chosen once, his alone."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User

from campaign.models import Campaign
from campaign.rules.core.state import RULES
from campaign.services.transfer import archive
from tests.api.conftest import As
from tests.api.problems import problem

FILES = Path(__file__).parents[1] / "deploy" / "files"
PAGE = "/campaigns/old/rules-version/"
WHY = {"reason": "We all agree."}


def brought_in(name: str, umpire: User) -> Campaign:
    with (FILES / name).open("rb") as file:
        return archive.import_campaign(file, slug="old", umpire=umpire)


@pytest.fixture
def otherwise(people: dict[str, User]) -> Campaign:
    """A campaign that this program would have played otherwise."""
    return brought_in("first-day.zip", people["umpire"])


@pytest.fixture
def same(people: dict[str, User]) -> Campaign:
    """One of an older version that comes out the same here."""
    return brought_in("of-version-0.zip", people["umpire"])


def test_the_difference_is_told_and_only_what_can_be_is_offered(
    as_: As, otherwise: Campaign
) -> None:
    told = as_("umpire").get(PAGE).json()
    assert (told["version"], told["program"]) == ("0", RULES)
    assert "entry 2 of branch 0" in told["differs"]
    assert told["damaged"] is None
    assert told["ways"] == ["migrate", "pin"]
    refused = problem(as_("umpire").put(PAGE, {"way": "keep", **WHY}), "unfit")
    assert "entry 2 of branch 0" in refused["detail"]


def test_it_is_migrated_once_for_a_key_and_stands_in_the_umpire_log(
    as_: As, otherwise: Campaign
) -> None:
    umpire, wanted = as_("umpire"), {"way": "migrate", **WHY}
    first, again = (umpire.put(PAGE, wanted, Idempotency_Key="new") for _ in range(2))
    assert first.json() == again.json()
    assert (first.json()["version"], first.json()["differs"]) == (RULES, None)
    assert again["Idempotency-Replayed"] == "true"
    (said,) = umpire.get("/campaigns/old/umpire-log/").json()["results"]
    assert "Migrated from version 0" in said["said"]
    problem(umpire.put(PAGE, wanted), "unfit")


def test_it_is_kept_or_pinned(as_: As, same: Campaign) -> None:
    umpire = as_("umpire")
    assert umpire.get(PAGE).json()["ways"] == ["keep", "migrate", "pin"]
    kept = umpire.put(PAGE, {"way": "keep", **WHY}).json()
    assert (kept["version"], kept["kept"], kept["pinned"]) == ("0", True, False)
    pinned = umpire.put(PAGE, {"way": "pin", **WHY}).json()
    assert (pinned["kept"], pinned["pinned"]) == (True, True)


def test_a_campaign_of_our_version_has_nothing_to_migrate(as_: As, secret: Campaign) -> None:
    told = as_("umpire").get("/campaigns/secret/rules-version/").json()
    assert told["version"] == told["program"]
    assert told["ways"] == ["keep", "pin"]


def test_only_its_umpire_sees_or_chooses(as_: As, secret: Campaign) -> None:
    page = "/campaigns/secret/rules-version/"
    for who in ("egyptian", "mahdist", "spectator"):
        problem(as_(who).get(page), "not-allowed")
        problem(as_(who).put(page, {"way": "pin", **WHY}), "not-allowed")
    problem(as_("stranger").get(page), "not-found")
    secret.refresh_from_db()
    assert not secret.rules_pinned


@pytest.mark.parametrize("body", [{}, {"way": "pin"}, {"way": "newest", **WHY}, {"way": 1, **WHY}])
def test_a_way_and_a_reason_are_wanted(as_: As, secret: Campaign, body: dict[str, object]) -> None:
    problem(as_("umpire").put("/campaigns/secret/rules-version/", body), "invalid")
