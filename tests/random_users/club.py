"""A club around one campaign: its people with browser and token, and a log of what they did."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from accounts.models import Scope
from accounts.tokens import create_token
from campaign.access import selectors
from campaign.models import Campaign, Seat
from campaign.services.journal import dice
from tests.people import logged_in
from tests.random_users.page_forms import PageForm, forms_on

NAMES = ("umpire", "deputy", "eve", "emil", "mary", "mark", "olga", "stranger")
NOBODY = "nobody"
FILE = "application/octet-stream"
LONGEST = 200
"""Characters of a request in the log."""


class Fault(AssertionError):
    """A fault that random play has found; the message ends with the acts that led to it."""


class Club:
    """The people, who act by the whims of a seed, and the campaign that they play."""

    def __init__(self, seed: int) -> None:
        self.seed, self.chance = seed, Random(seed)
        self.log: list[str] = []
        self.number = 0
        """The primary key of the campaign; 0 before it is begun."""
        self.links: list[str] = []
        self.users = {name: User.objects.create_user(name) for name in NAMES}
        self._tokens: dict[str, str] = {}
        self._clients = {name: logged_in(user) for name, user in self.users.items()}
        self._clients[NOBODY] = Client()

    @property
    def campaign(self) -> Campaign:
        """Return the campaign as it is now."""
        return Campaign.objects.get(pk=self.number)

    def people(self, *roles: str) -> list[str]:
        """Return the names of those with a seat, or with one of those roles."""
        seats = Seat.objects.filter(campaign=self.number, user__isnull=False).order_by("pk")
        held = seats.filter(role__in=roles) if roles else seats
        names = held.values_list("user__username", flat=True)
        return list(dict.fromkeys(name for name in names if name in self.users))

    def anybody(self, *roles: str) -> str:
        """Return somebody with one of the roles, or with any seat; else anybody."""
        return self.chance.choice(self.people(*roles) or NAMES)

    def register_again(self, name: str) -> None:
        """Let an account be deleted, and its owner register again."""
        self.users[name].delete()
        self.users[name] = User.objects.create_user(name)
        self._clients[name] = logged_in(self.users[name])
        self._tokens.pop(name, None)

    def note(self, line: str) -> None:
        """Write a line into the log."""
        self.log.append(line)

    def fault(self, what: str) -> Fault:
        """Return the fault with the seed and the log, to be raised."""
        return Fault("\n".join([f"seed {self.seed}: {what}", *self.log]))

    def get(self, name: str, address: str, *, follow: bool = False) -> Any:
        """Open a page. Raises Fault when it fails."""
        return self._ask(name, "get", address, follow=follow)

    def post(self, name: str, address: str, data: Mapping[str, Any]) -> Any:
        """Send a form. Raises Fault when it fails."""
        return self._ask(name, "post", address, data=data)

    def _ask(self, name: str, method: str, address: str, **sent: Any) -> Any:
        return self._heard(self._clients[name], name, method, address, sent)

    def rest(self, name: str, method: str, address: str, body: Any = None, tag: str = "") -> Any:
        """Send a request to the REST interface with the person's token. Raises Fault."""
        sent: dict[str, Any] = {"headers": self._token(name) | ({"If-Match": tag} if tag else {})}
        if body is not None:
            sent |= {"data": json.dumps(body), "content_type": "application/json"}
        return self._heard(Client(), name, method, address, sent)

    def send_file(self, name: str, address: str, content: bytes) -> Any:
        """Send a file to the REST interface. Raises Fault when it fails."""
        sent = {"headers": self._token(name), "data": content, "content_type": FILE}
        return self._heard(Client(), name, "post", address, sent)

    def _token(self, name: str) -> dict[str, str]:
        if name not in self._tokens:
            _, self._tokens[name] = create_token(self.users[name], "random", Scope.values)
        return {"Authorization": f"Bearer {self._tokens[name]}"}

    def _heard(
        self, client: Client, name: str, method: str, address: str, sent: dict[str, Any]
    ) -> Any:
        asked = f"{name} {method} {address} {sent.get('data', '')}"[:LONGEST]
        try:
            answer = getattr(client, method)(address, **sent)
        except Exception as error:
            raise self.fault(f"{asked}: {type(error).__name__}: {error}") from error
        if answer.status_code >= 500:
            raise self.fault(f"{asked}: {answer.status_code}")
        if method != "get":
            self.note(f"{asked} -> {answer.status_code}")
        return answer

    def forms(self, name: str, page: str) -> list[PageForm]:
        """Return the forms of a page, with their addresses; none if the person is refused it."""
        answer = self.get(name, page, follow=True)
        if answer.status_code != 200 or "html" not in answer["Content-Type"]:
            return []
        forms = [form for form in forms_on(answer.content.decode()) if form.method == "post"]
        for form in forms:
            form.address = form.address or answer.request["PATH_INFO"]
        return forms

    def press(self, name: str, page: str, button: tuple[str, str], **typed: str) -> bool:
        """Press a button of a page if it is there; return whether it is."""
        for form in self.forms(name, page):
            seat = typed.get("seat", "")
            is_seat = not seat or [field.value for field in form.fields.get("seat", [])] == [seat]
            if button in form.buttons and is_seat:
                self.post(name, form.address, form.press(button, **typed))
                return True
        return False

    def send(self, name: str, page: str, address: str) -> bool:
        """Send the form of a page that goes to this address, as it comes, if it is there."""
        for form in self.forms(name, page):
            if form.address.endswith(address):
                self.post(name, form.address, form.press(*form.buttons[:1]))
                return True
        return False

    def words(self) -> dict[str, str]:
        """Return what people type into the fields of these names."""
        state, throw = selectors.state_now(self.campaign), dice.waiting_throw(self.campaign)
        hexes = sorted({f"{unit.hex:04d}" for unit in state.units.values() if unit.hex})
        where = self.chance.choice(hexes or ["0641"])
        faces = [self.chance.randint(1, throw.sides) for _ in range(throw.count)] if throw else []
        return {
            **dict.fromkeys(("hex", "to", "field", "place"), where),
            **dict.fromkeys(("reason", "text", "ending", "title"), "So it was."),
            **dict.fromkeys(("days", "hours", "delay", "turns"), "2"),
            "username": self.chance.choice(NAMES),
            "faces": " ".join(map(str, faces)),
        }

    def address(self, name: str, *more: object) -> str:
        """Return an address of the campaign."""
        return reverse(name, args=[self.campaign.slug, *more])
