"""Forms that arrive twice at a real server, at once and one after the other, begin one thing."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPResponse
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

import pytest
from django.conf import settings as site
from django.contrib.auth.models import User
from django.db.models import Model
from django.urls import reverse

from accounts.models import Token
from api.models import CampaignChannel, Webhook
from battles import services
from battles.models import Battle
from campaign.models import (
    Bench,
    Branch,
    Campaign,
    CampaignLetter,
    Comparison,
    Inquiry,
    Invitation,
    OwnScenario,
    Seat,
)
from campaign.services.umpire import invitations
from tests.people import PASSWORD, SIEGE, People, gather, logged_in, sit_down

pytestmark = pytest.mark.django_db(transaction=True)

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


class Answer(NamedTuple):
    """The answer to a browser: the status, where it leads, the page, and the cookies."""

    status: int
    location: str
    page: str
    cookies: dict[str, str]


class Visitor:
    """A browser: its cookies, and requests that it sends to a real server."""

    def __init__(self, url: str, user: User | None = None) -> None:
        self.host = urlsplit(url).netloc
        self.cookies: dict[str, str] = {}
        if user is not None:
            session = logged_in(user).cookies[site.SESSION_COOKIE_NAME].value
            self.cookies[site.SESSION_COOKIE_NAME] = session

    def ask(self, method: str, path: str, form: dict[str, Any] | None = None) -> Answer:
        """Send a request with the cookies so far, without keeping those of the answer."""
        connection = HTTPConnection(self.host, timeout=60)
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, urlencode(form or {}, doseq=True), headers)
        response = connection.getresponse()
        page = response.read().decode()
        connection.close()
        return Answer(response.status, response.getheader("Location", ""), page, set_by(response))

    def form_on(self, path: str) -> dict[str, str]:
        """Return the token of the forms of a page, which the browser looks at."""
        seen = self.ask("GET", path)
        self.cookies |= seen.cookies
        token = TOKEN.search(seen.page)
        assert token, seen
        return {"csrfmiddlewaretoken": token[1]}


def set_by(response: HTTPResponse) -> dict[str, str]:
    lines = (value for name, value in response.getheaders() if name == "Set-Cookie")
    return dict(line.partition(";")[0].split("=", 1) for line in lines)


def at_once(visitor: Visitor, path: str, form: dict[str, Any]) -> list[Answer]:
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda _: visitor.ask("POST", path, form), range(2)))


def in_a_row(visitor: Visitor, path: str, form: dict[str, Any]) -> list[Answer]:
    return [visitor.ask("POST", path, form) for _ in range(2)]


Twice = Callable[[Visitor, str, dict[str, Any]], list[Answer]]


@pytest.fixture(params=[at_once, in_a_row])
def twice(request: pytest.FixtureRequest, no_worker: None) -> Twice:
    """Two ways in which a form arrives twice; no worker is there to finish what it begins."""
    way: Twice = request.param
    return way


class Scene(NamedTuple):
    """The people, their campaign, and the number of a thing of the umpire's that is copied."""

    people: People
    campaign: Campaign

    def path(self, name: str, *more: object) -> str:
        return reverse(name, args=[self.campaign.slug, *more])


@pytest.fixture
def scene(live_server: Any) -> Scene:
    people = gather()
    return Scene(people, sit_down(people, months=1))


FORMS: dict[str, tuple[type[Model], dict[str, Any]]] = {
    "seats": (Invitation, {"role": "egyptian", "command": "kordofan", "days": 14}),
    "new": (Campaign, {"scenario": SIEGE, "mode": "orders", "egyptian": "me", "mahdist": "staff"}),
    "letters": (CampaignLetter, {"text": "Hold on."}),
    "account": (Token, {"name": "bot", "scopes": ["read"], "days": "30"}),
    "webhooks": (
        Webhook,
        {"url": "https://club.example/told", "events": ["campaign.turn_started"]},
    ),
    "ladders": (Bench, {"scenario": SIEGE, "games": 2, "seed": 1}),
    "compare": (Comparison, {"battle": "kirbekan", "each": 20, "seed": 3}),
    "workshop": (OwnScenario, {"from": SIEGE}),
    "what-if": (OwnScenario, {}),
    "forecast": (Inquiry, {"runs": 2}),
    "channels": (
        CampaignChannel,
        {"url": "https://discord.com/api/webhooks/2/b", "topics": ["turn"]},
    ),
    "rewind": (Branch, {"entry": "0.5", "reason": "Wrong odds."}),
}


@pytest.mark.parametrize("name", FORMS)
def test_what_a_form_begins_is_begun_once(
    scene: Scene, live_server: Any, twice: Twice, name: str
) -> None:
    model, form = FORMS[name]
    of_campaign = name in {"seats", "letters", "what-if", "forecast", "channels", "rewind"}
    path = scene.path(name) if of_campaign else reverse(name)
    visitor = Visitor(live_server.url, scene.people.umpire)
    page = {"what-if": scene.path("console"), "forecast": scene.path("odds")}.get(name, path)
    before = model._default_manager.count()
    sent = visitor.form_on(page) | form
    if name == "rewind":
        sent["head"] = str(scene.campaign.head_id)
    if name == "letters":
        seats = dict(scene.campaign.seats.values_list("role", "pk"))
        sent |= {"sender": seats["umpire"], "recipients": [seats["egyptian"]]}
    first, second = twice(visitor, path, sent)
    assert model._default_manager.count() == before + 1, first.page[first.page.find("<main") :]
    assert first.status in (200, 302), first.page[-3000:]
    assert (first.status, first.location) == (second.status, second.location)
    if first.status == 200:
        assert first.page == second.page


@pytest.mark.parametrize(
    ("name", "model", "form"),
    [("play-alone", Campaign, {"side": "egyptian"}), ("fight-first-battle", Battle, {})],
)
def test_a_newcomer_begins_as_one_guest(
    live_server: Any, twice: Twice, name: str, model: type[Model], form: dict[str, str]
) -> None:
    visitor = Visitor(live_server.url)
    sent = visitor.form_on(reverse("front")) | form
    first, second = twice(visitor, reverse(name), sent)
    assert model._default_manager.count() == User.objects.count() == 1
    assert first.location == second.location
    for answer in (first, second):
        visitor.cookies |= answer.cookies
        assert visitor.ask("GET", answer.location).status == 200
        del visitor.cookies[site.SESSION_COOKIE_NAME]


def test_who_registers_twice_does_not_read_that_the_name_is_taken(
    live_server: Any, twice: Twice
) -> None:
    visitor = Visitor(live_server.url)
    form = {"username": "Wood", "password1": PASSWORD, "password2": PASSWORD, "next": "/help/"}
    sent = visitor.form_on(reverse("register")) | form
    for answer in twice(visitor, reverse("register"), sent):
        assert (answer.status, answer.location) == (302, "/help/")
        visitor.cookies |= answer.cookies
        assert "Wood" in visitor.ask("GET", "/help/").page


def test_who_takes_a_seat_twice_does_not_read_that_the_link_is_used(
    scene: Scene, live_server: Any, twice: Twice
) -> None:
    offer = invitations.SeatOffer("egyptian", "Governor", ("kordofan",))
    _, secret = invitations.invite(scene.campaign.pk, scene.people.umpire, offer)
    path = reverse("invitation", args=[secret])
    visitor = Visitor(live_server.url, scene.people.stranger)
    answers = twice(visitor, path, visitor.form_on(path))
    assert [answer.status for answer in answers] == [302, 302]
    assert Seat.objects.filter(user=scene.people.stranger).count() == 1


def test_a_battle_is_fought_again_once(scene: Scene, live_server: Any, twice: Twice) -> None:
    stranger = scene.people.stranger
    visitor = Visitor(live_server.url, stranger)
    begun = visitor.form_on(reverse("front"))
    visitor.ask("POST", reverse("fight-first-battle"), begun)
    fought = Battle.objects.get()
    services.finish(fought, stranger)
    page = reverse("battle", args=[fought.uuid])
    first, second = twice(
        visitor, reverse("fight-again", args=[fought.uuid]), visitor.form_on(page)
    )
    assert Battle.objects.count() == 2
    assert first.location == second.location
