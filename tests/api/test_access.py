"""Every address, asked by every role and by a stranger, of a secret and of a public campaign."""

import re
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from api.urls import urlpatterns
from campaign.models import Campaign
from tests.api.conftest import EVERYBODY, SEATS, As

METHODS = {"get", "post", "put", "patch", "delete"}
READ = dict.fromkeys(EVERYBODY, 200)
HIDDEN = READ | {"stranger": 404, "anonymous": 404}
WITH_SEAT = dict.fromkeys(EVERYBODY, 403) | {"umpire": 202, "anonymous": 401}
ADVANCED_IN_SECRET = WITH_SEAT | {"stranger": 404}
LOGGED_IN = dict.fromkeys(EVERYBODY, 201) | {"anonymous": 401}
ONLY_WITH_TOKEN = dict.fromkeys(EVERYBODY, 204) | {"anonymous": 401}


class Case(NamedTuple):
    """A request, and the status each of the cast gets."""

    method: str
    name: str
    path: str
    statuses: dict[str, int]
    body: dict[str, object] | None = None


CAMPAIGN_PATHS = {
    "campaign": "/campaigns/{}/",
    "campaign-months": "/campaigns/{}/months/",
    "month-state": "/campaigns/{}/months/current/state/",
    "month-map": "/campaigns/{}/months/set-up/map.geojson",
    "month-despatches": "/campaigns/{}/months/current/despatches/",
    "month-hex": "/campaigns/{}/months/current/hexes/2042/",
    "campaign-timeline": "/campaigns/{}/timeline.geojson",
    "campaign-events": "/campaigns/{}/events/",
    "campaign-dice": "/campaigns/{}/dice/",
    "campaign-seats": "/campaigns/{}/seats/",
    "campaign-decision": "/campaigns/{}/decision/",
    "campaign-deadline": "/campaigns/{}/deadline/",
    "campaign-umpire-log": "/campaigns/{}/umpire-log/",
    "campaign-branches": "/campaigns/{}/branches/",
    "campaign-battles": "/campaigns/{}/battles/",
    "campaign-papers": "/campaigns/{}/papers/",
    "campaign-proof": "/campaigns/{}/dice/proof/",
}
BOOK_PATHS = {
    "index": "/",
    "problems": "/problems/",
    "problem": "/problems/not-found/",
    "maps": "/maps/",
    "map": "/maps/sudan/",
    "map-geojson": "/maps/sudan.geojson",
    "table-sets": "/table-sets/",
    "table-set": "/table-sets/shipped/",
    "table": "/table-sets/shipped/tables/march/",
    "scenarios": "/scenarios/",
    "scenario": "/scenarios/siege-of-khartoum/",
    "campaigns": "/campaigns/",
    "battles": "/battles/",
    "battle-offers": "/battles/offers/",
    "schema": "/schema/",
}
OWN_PATHS = {"tokens": "/tokens/", "simulations": "/simulations/"}
OWN = READ | {"anonymous": 401}
CASES = [
    *(Case("get", name, path, READ) for name, path in BOOK_PATHS.items()),
    *(Case("get", name, path.format("shown"), READ) for name, path in CAMPAIGN_PATHS.items()),
    *(Case("get", name, path.format("secret"), HIDDEN) for name, path in CAMPAIGN_PATHS.items()),
    *(Case("get", name, path, OWN) for name, path in OWN_PATHS.items()),
    Case("post", "campaign-advance", "/campaigns/shown/advance/", WITH_SEAT),
    Case("post", "campaign-advance", "/campaigns/secret/advance/", ADVANCED_IN_SECRET),
    Case("post", "campaigns", "/campaigns/", LOGGED_IN, {"scenario": "siege-of-khartoum"}),
    Case("delete", "tokens", "/tokens/", ONLY_WITH_TOKEN),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.method} {case.path}")
def test_every_role_gets_what_it_may(
    case: Case, as_: As, secret: Campaign, shown: Campaign
) -> None:
    statuses = {}
    for name in EVERYBODY:
        api = as_(name)
        response = (
            api.post(case.path, case.body)
            if case.method == "post"
            else api.ask(case.method, case.path)
        )
        statuses[name] = response.status_code
        assert ("WWW-Authenticate" in response) == (response.status_code == 401)
    assert statuses == case.statuses


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


def within(pattern: Any, campaign: Campaign) -> str:
    """Return the address of the pattern for that campaign."""
    seat = campaign.seats.get(role="egyptian").pk
    known = {
        "slug": campaign.slug,
        "number": seat,
        "id": seat,
        "month": "1884-02",
        "battle": "none",
        "receipt": 1,
        "perspective": "public",
        "uuid": uuid4(),
        "hex": "0101",
        "branch": 0,
        "side": "egyptian",
    }
    return "/" + re.sub(r"<\w+:(\w+)>", lambda part: str(known[part[1]]), str(pattern.pattern))


def test_no_method_of_any_address_lets_an_outsider_near_a_secret_campaign(
    as_: As, secret: Campaign
) -> None:
    stranger, nobody = as_("stranger"), as_("anonymous")
    told: dict[tuple[str, str], tuple[int, int]] = {}
    for pattern in urlpatterns:
        if "<slug:slug>" not in str(pattern.pattern) or "scenarios" in str(pattern.pattern):
            continue
        for method in METHODS & set(dir(pattern.callback.view_class)):
            address = within(pattern, secret)
            asked = (stranger.write(method, address), nobody.write(method, address))
            told[method, address] = asked[0].status_code, asked[1].status_code
    assert len(told) > 50
    hidden = {(404, 404), (404, 401)}
    # What is no body, or does not fit together, is refused before anything is looked for.
    unread = {(400, 401), (422, 401)}
    assert set(told.values()) <= hidden | unread, told


def test_a_secret_campaign_and_none_cannot_be_told_apart(as_: As, secret: Campaign) -> None:
    for name in ("stranger", "anonymous"):
        there, nowhere = (
            as_(name).get(f"/campaigns/{slug}/", X_Request_ID="the-same").json()
            for slug in ("secret", "absent")
        )
        assert str(there).replace("secret", "absent") == str(nowhere)


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
