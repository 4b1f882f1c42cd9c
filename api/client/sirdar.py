"""A client for a Sirdar server: the account, tokens, rules, maps, campaigns and battles."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import httpx
import msgspec

from . import documents as d
from .campaign import Campaign
from .reading import reader
from .wire import Terms, Wire


class NewCampaign(msgspec.Struct, frozen=True, omit_defaults=True):
    """The settings of a new campaign; `egyptian` and `mahdist` are "player", "staff" or "me"."""

    scenario: str
    title: str = ""
    slug: str = ""
    public: bool = False
    mode: str = "staff"
    egyptian: str = "player"
    mahdist: str = "player"
    fog: bool = False
    dice_by_hand: bool = False
    when_ready: bool = False
    battles: str = "table"


class Left(msgspec.Struct, frozen=True, omit_defaults=True):
    """The figures or stands left of a unit, 1 for an unhurt Leader; `shaken` if it is."""

    figures: int
    shaken: bool = False


class Counted(msgspec.Struct, frozen=True):
    """The count of every unit in a kit, by number, and the battle's ending."""

    left: dict[int, Left]
    winner: str | None
    turns: int
    ending: str = ""


class Correction(msgspec.Struct, frozen=True, omit_defaults=True):
    """A correction of a unit in a battle: its figures or stands, its position, the reason.

    `place` names a square; on an open table use `x` and `y`. Fields that are None stay as they are.
    """

    unit: int
    left: int
    reason: str
    place: str | None = None
    x: float | None = None
    y: float | None = None
    facing: int | None = None
    shaken: bool = False


class Sirdar:
    """A server, used as the owner of the token; without one, anonymously.

    `transport` and `pause` replace the network and the waiting, for instance in tests.
    """

    def __init__(
        self,
        base: str,
        token: str = "",
        *,
        terms: Terms | None = None,
        transport: httpx.BaseTransport | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.wire = Wire(base, token, terms=terms, transport=transport, pause=pause)
        self._revokes = False

    @classmethod
    def logged_in(
        cls, base: str, username: str, password: str, *, scopes: Sequence[str] = (), **how: Any
    ) -> Self:
        """Return a server as that user, with a token that `close` revokes. Raises NotLoggedIn."""
        with cls(base, **how) as visitor:
            wanted = {"username": username, "password": password, "name": "A Python program"}
            opens = {"scopes": list(scopes)} if scopes else {}
            made = visitor.wire.write("POST", "tokens/", d.NewToken, wanted | opens)
        sirdar = cls(base, made.token, **how)
        sirdar._revokes = True
        return sirdar

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections and try to revoke a token that `logged_in` created."""
        if self._revokes:
            with suppress(httpx.HTTPError):  # tried once: closing must not wait
                self.wire.http.delete(self.wire.address("tokens/"))
        self.wire.close()

    def log_out(self) -> None:
        """Revoke the token."""
        self.wire.done("DELETE", "tokens/")
        self._revokes = False

    def tokens(self) -> list[d.TokenLine]:
        """Return your tokens, the newest first."""
        return self.wire.listed("tokens/", d.TokenLine)

    def account(self) -> d.AccountDocument:
        """Return your account."""
        return self.wire.get("account/", d.AccountDocument)

    def change_password(self, password: str, new: str, *, revoke_tokens: bool = True) -> None:
        """Change the password. With `revoke_tokens` all tokens end, this client's too."""
        wanted = {"password": password, "new_password": new, "revoke_tokens": revoke_tokens}
        self.wire.done("PUT", "account/password/", wanted)

    def change_address(self, email: str, password: str) -> None:
        """Request a new e-mail address, to be confirmed by a link; "" removes it."""
        self.wire.done("PUT", "account/address/", {"email": email, "password": password})

    def scenarios(self) -> list[d.ScenarioDocument]:
        return self.wire.listed("scenarios/", d.ScenarioDocument)

    def map(self, name: str = "sudan") -> d.MapDocument:
        """Return a map by its name, or by its digest."""
        return self.wire.get(f"maps/{name}/", d.MapDocument)

    def map_geojson(self, name: str = "sudan") -> dict[str, Any]:
        """Return a map as a FeatureCollection (RFC 7946)."""
        return self.wire.get(f"maps/{name}.geojson", dict[str, Any])

    def tables(self) -> list[d.TableLine]:
        """Return the tables of the book, in the order of its chapters."""
        return self.wire.listed("tables/", d.TableLine)

    def table(self, name: str) -> d.TableDocument:
        """Return a table of the book, such as "march"."""
        return self.wire.get(f"tables/{name}/", d.TableDocument)

    def campaigns(self, *, limit: int = 25) -> Iterator[d.CampaignLine]:
        """Yield the campaigns you may see, the newest first, read `limit` at a time."""
        return self.wire.pages("campaigns/", d.CampaignLine, limit=limit)

    def campaign(self, slug: str) -> Campaign:
        """Return a campaign by its slug, without a request to the server."""
        return Campaign(self.wire, slug)

    def begin(self, wanted: NewCampaign) -> Campaign:
        """Create a campaign, with you as its umpire."""
        told = self.wire.write("POST", "campaigns/", d.CampaignDocument, wanted, once=True)
        return self.campaign(told.slug)

    def bring_in(self, file: Path, *, slug: str = "") -> Campaign:
        """Import a campaign from a file of `Campaign.export`; you become its umpire."""
        kind = "application/vnd.sirdar.campaign"
        path = f"imports/?slug={slug}" if slug else "imports/"
        response = self.wire.send("POST", path, headers={}, content=file.read_bytes(), kind=kind)
        return self.campaign(reader(d.CampaignDocument).decode(response.content).slug)

    def invitation(self, secret: str) -> d.OfferDocument:
        """Return the seat that an invitation offers. Raises Gone if it is spent."""
        return self.wire.get(f"invitations/{secret}/", d.OfferDocument)

    def accept(self, secret: str) -> Campaign:
        """Accept an invitation and return the campaign of the seat."""
        offer = self.invitation(secret)
        self.wire.write("POST", f"invitations/{secret}/", d.SeatPart, once=True)
        return self.campaign(offer.campaign)

    def battles(self) -> Iterator[d.BattleLine]:
        """Yield the battles you may see, the newest first."""
        return self.wire.pages("battles/", d.BattleLine)

    def battle(self, uuid: str) -> dict[str, Any]:
        """Return a battle with its brief, and its report if there is one."""
        return self.wire.get(f"battles/{uuid}/", dict[str, Any])

    def kit(self, battle: str) -> dict[str, Any]:
        """Return the table kit of a battle."""
        return self.wire.get(f"battles/{battle}/kit/", dict[str, Any])

    def count(self, battle: str, counted: Counted) -> dict[str, Any]:
        """Return the report for the figures left on a table; nothing is reported yet."""
        path = f"battles/{battle}/count/"
        return self.wire.write("POST", path, dict[str, Any], counted)

    def correct(self, battle: str, wanted: Correction) -> dict[str, Any]:
        """Correct a unit in a battle that players fight and you umpire."""
        path = f"battles/{battle}/fight/corrections/"
        return self.wire.write("POST", path, dict[str, Any], wanted, once=True)
