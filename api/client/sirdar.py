"""A server of Sirdar: what it has for everybody, its campaigns, and one's tokens."""

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
    """What a new campaign shall be; `egyptian` and `mahdist` are "player", "staff" or "me"."""

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
    """Figures or stands that are left of a unit, 1 for a Leader who is well; is it shaken?"""

    figures: int
    shaken: bool = False


class Counted(msgspec.Struct, frozen=True):
    """What is left of everybody in a kit, by number, and how the battle ended."""

    left: dict[int, Left]
    winner: str | None
    turns: int
    ending: str = ""


class Correction(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is left of a unit in a battle, figures or stands, where it stands now, and why.

    `place` names a square; on an open table `x` and `y` say where. What is None stays as it is.
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
    """A server, used as whoever the token belongs to; without one, as anybody.

    `transport` and `pause` are for those who bring their own network, or their own patience.
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
        """Return a server as that user, with a token made for it and revoked by `close`.

        Raises NotLoggedIn.
        """
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
        """Close the connections; a token that `logged_in` has made is revoked, if it can be."""
        if self._revokes:
            with suppress(httpx.HTTPError):  # tried once: whoever leaves does not wait
                self.wire.http.delete(self.wire.address("tokens/"))
        self.wire.close()

    def log_out(self) -> None:
        """Revoke the token: it opens nothing any more."""
        self.wire.done("DELETE", "tokens/")
        self._revokes = False

    def tokens(self) -> list[d.TokenLine]:
        """Your tokens, the newest first."""
        return self.wire.listed("tokens/", d.TokenLine)

    def account(self) -> d.AccountDocument:
        """Who you are there."""
        return self.wire.get("account/", d.AccountDocument)

    def change_password(self, password: str, new: str, *, revoke_tokens: bool = True) -> None:
        """Have another password. With `revoke_tokens` all tokens end, this client's as well."""
        wanted = {"password": password, "new_password": new, "revoke_tokens": revoke_tokens}
        self.wire.done("PUT", "account/password/", wanted)

    def change_address(self, email: str, password: str) -> None:
        """Have a letter sent by which the address becomes yours; an empty one is forgotten."""
        self.wire.done("PUT", "account/address/", {"email": email, "password": password})

    def scenarios(self) -> list[d.ScenarioDocument]:
        return self.wire.listed("scenarios/", d.ScenarioDocument)

    def map(self, name: str = "sudan") -> d.MapDocument:
        """Return a map by its name, or by its digest."""
        return self.wire.get(f"maps/{name}/", d.MapDocument)

    def map_geojson(self, name: str = "sudan") -> dict[str, Any]:
        """Return the same as a FeatureCollection (RFC 7946)."""
        return self.wire.get(f"maps/{name}.geojson", dict[str, Any])

    def tables(self) -> list[d.TableLine]:
        """Return the tables of the book, in the order of its chapters."""
        return self.wire.listed("tables/", d.TableLine)

    def table(self, name: str) -> d.TableDocument:
        """Return a table of the book, such as "march"."""
        return self.wire.get(f"tables/{name}/", d.TableDocument)

    def campaigns(self, *, limit: int = 25) -> Iterator[d.CampaignLine]:
        """The campaigns you may see, the newest first, read `limit` at a time."""
        return self.wire.pages("campaigns/", d.CampaignLine, limit=limit)

    def campaign(self, slug: str) -> Campaign:
        """Return a campaign by its slug; nothing is asked of the server yet."""
        return Campaign(self.wire, slug)

    def begin(self, wanted: NewCampaign) -> Campaign:
        """Begin a campaign, with you as its umpire."""
        told = self.wire.write("POST", "campaigns/", d.CampaignDocument, wanted, once=True)
        return self.campaign(told.slug)

    def bring_in(self, file: Path, *, slug: str = "") -> Campaign:
        """Bring a campaign in from a file of `Campaign.export`; you are its umpire."""
        kind = "application/vnd.sirdar.campaign"
        path = f"imports/?slug={slug}" if slug else "imports/"
        response = self.wire.send("POST", path, headers={}, content=file.read_bytes(), kind=kind)
        return self.campaign(reader(d.CampaignDocument).decode(response.content).slug)

    def invitation(self, secret: str) -> d.OfferDocument:
        """What an invitation offers. Raises Gone for one that opens nothing any more."""
        return self.wire.get(f"invitations/{secret}/", d.OfferDocument)

    def accept(self, secret: str) -> Campaign:
        """Take the seat that an invitation offers, in the campaign that is given back."""
        offer = self.invitation(secret)
        self.wire.write("POST", f"invitations/{secret}/", d.SeatPart, once=True)
        return self.campaign(offer.campaign)

    def battles(self) -> Iterator[d.BattleLine]:
        """The battles you may see, page after page."""
        return self.wire.pages("battles/", d.BattleLine)

    def battle(self, uuid: str) -> dict[str, Any]:
        """Return a battle's brief, and its report once there is one."""
        return self.wire.get(f"battles/{uuid}/", dict[str, Any])

    def kit(self, battle: str) -> dict[str, Any]:
        """What it takes to fight the battle of that number on a real table."""
        return self.wire.get(f"battles/{battle}/kit/", dict[str, Any])

    def count(self, battle: str, counted: Counted) -> dict[str, Any]:
        """Return the report that figures left on a table come to; nothing is reported yet."""
        path = f"battles/{battle}/count/"
        return self.wire.write("POST", path, dict[str, Any], counted)

    def correct(self, battle: str, wanted: Correction) -> dict[str, Any]:
        """Set a unit right in the battle of that number, which players fight and you umpire."""
        path = f"battles/{battle}/fight/corrections/"
        return self.wire.write("POST", path, dict[str, Any], wanted, once=True)
