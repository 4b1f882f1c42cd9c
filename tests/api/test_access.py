"""The jobs, the list and the roles of campaigns, as everybody has them."""

import pytest

from campaign.models import Campaign
from tests.api.conftest import EVERYBODY, SEATS, As

READ = dict.fromkeys(EVERYBODY, 200)
HIDDEN = READ | {"stranger": 404, "anonymous": 404}


@pytest.mark.parametrize(
    ("slug", "statuses"), [("shown", READ), ("secret", HIDDEN)], ids=["shown", "secret"]
)
def test_a_job_is_seen_by_those_who_see_its_campaign(
    slug: str, statuses: dict[str, int], as_: As, secret: Campaign, shown: Campaign
) -> None:
    job = as_("umpire").post(f"/campaigns/{slug}/advance/")["Location"]
    assert {name: as_(name).get(job).status_code for name in EVERYBODY} == statuses
    refused = [as_(name).get(job) for name in EVERYBODY if statuses[name] == 404]
    assert not any(b"secret" in response.content for response in refused)


def test_the_list_shows_each_what_he_may_see(as_: As, secret: Campaign, shown: Campaign) -> None:
    seen = {
        name: {line["slug"] for line in as_(name).get("/campaigns/").json()["results"]}
        for name in EVERYBODY
    }
    both = {"secret", "shown"}
    assert seen == dict.fromkeys(EVERYBODY, both) | {"stranger": {"shown"}, "anonymous": {"shown"}}


def test_a_campaign_says_what_you_are_in_it(as_: As, shown: Campaign) -> None:
    told = {name: as_(name).get("/campaigns/shown/").json() for name in EVERYBODY}
    roles = {name: document["roles"] for name, document in told.items()}
    assert roles == {name: [role] for name, role in SEATS.items()} | {
        "stranger": [],
        "anonymous": [],
    }
    assert [name for name in EVERYBODY if told[name]["may_advance"]] == ["umpire"]
