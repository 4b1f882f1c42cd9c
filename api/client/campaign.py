"""A campaign: where it stands, what has happened, what is asked, and what is done about it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from . import documents as d
from .answers import AnyAnswer
from .feed import Following, Stream
from .problems import JobFailed
from .seat import Seat
from .wire import Wire

PAUSE = 1.0
"""Seconds between one question how a job is doing and the next."""


class Campaign:
    """A campaign of a server, by its slug."""

    def __init__(self, wire: Wire, slug: str) -> None:
        self.wire = wire
        self.slug = slug
        self.at = f"campaigns/{slug}/"

    def now(self) -> d.CampaignDocument:
        """Return where it stands, what it waits for, and what you are in it."""
        return self.wire.get(self.at, d.CampaignDocument)

    def state(self, month: str = "") -> d.StateDocument:
        """Who stands where, as far as you may know; now, or at the end of a month."""
        return self.wire.get(self._of(month, "state/"), d.StateDocument)

    def geojson(self, month: str = "") -> dict[str, Any]:
        """Return the same as a FeatureCollection (RFC 7946)."""
        return self.wire.get(self._of(month, "map.geojson"), dict[str, Any])

    def despatches(self, month: str = "") -> d.DespatchesDocument:
        """What happened in a month, in sentences."""
        return self.wire.get(self._of(month, "despatches/"), d.DespatchesDocument)

    def months(self) -> list[d.MonthDocument]:
        """Return the set-up and the months so far, the oldest first."""
        return self.wire.listed(f"{self.at}months/", d.MonthDocument)

    def _of(self, month: str, what: str) -> str:
        return f"{self.at}months/{month}/{what}" if month else f"{self.at}{what}"

    def events(self, since: str = "", limit: int = 200) -> d.EventsDocument:
        """What has happened since that cursor. Raises Gone for one that is rewound past."""
        asked = since or None
        return self.wire.get(f"{self.at}events/", d.EventsDocument, since=asked, limit=limit)

    def follow(self, since: str = "") -> Following:
        """Return everything that has happened since that cursor, and goes on happening."""
        return Following(self.wire, self.at, since)

    def stream(self, place: str | None = None) -> Stream:
        """What happens, as it happens; from that place on, "" is the beginning."""
        return Stream(self.wire, self.at, place)

    def tables(self) -> list[d.TableLine]:
        """Return the tables it is played by."""
        return self.wire.listed(f"{self.at}tables/", d.TableLine)

    def table(self, name: str) -> d.TableDocument:
        """Return a table as it holds here: its umpire may have changed it."""
        return self.wire.get(f"{self.at}tables/{name}/", d.TableDocument)

    def papers(self) -> list[d.PaperLine]:
        """Return the numbers of the papers that have come out for you."""
        return self.wire.listed(f"{self.at}papers/", d.PaperLine)

    def paper(self, month: str, whose: str = "public") -> dict[str, Any]:
        return self.wire.get(f"{self.at}months/{month}/papers/{whose}/", dict[str, Any])

    def seats(self) -> list[d.SeatPart]:
        """Every seat; `yours` says which is yours."""
        return self.wire.listed(f"{self.at}seats/", d.SeatPart)

    def seat(self, number: int) -> Seat:
        """One of your seats, to write its orders."""
        return Seat(self.wire, self.slug, number)

    def invite(self, role: str, *, days: int = 14, email: str = "") -> d.NewInvitation:
        """Offer a seat to whoever is given the secret."""
        wanted = {"role": role, "days": days, "email": email}
        return self.wire.write("POST", f"{self.at}invitations/", d.NewInvitation, wanted)

    def invite_by_letter(self, role: str, email: str, *, days: int = 14) -> d.InvitationPart:
        """Offer a seat to whoever reads the mail of that address; the secret is told nobody else.

        Raises Busy where too many letters have gone out, or none can be sent just now.
        """
        wanted = {"role": role, "days": days, "email": email}
        return self.wire.write(
            "POST", f"{self.at}invitations/letters/", d.InvitationPart, wanted, once=True
        )

    def rules(self) -> d.RulesDocument:
        """By which version of the rules it is played, and what can be chosen (umpire)."""
        return self.wire.get(f"{self.at}rules-version/", d.RulesDocument)

    def choose_rules(self, way: str, reason: str) -> d.RulesDocument:
        """Keep it on its version, migrate it or pin it: one of the `ways` of `rules` (umpire)."""
        wanted = {"way": way, "reason": reason}
        return self.wire.write(
            "PUT", f"{self.at}rules-version/", d.RulesDocument, wanted, once=True
        )

    def decision(self) -> d.DecisionDocument:
        """What is waited for, and the lawful answers where they are yours to give (live play)."""
        return self.wire.get(f"{self.at}decision/", d.DecisionDocument)

    def answer(self, given: AnyAnswer, head: int) -> d.AnsweredDocument:
        """Answer the decision of that head. Raises IllegalAction with its clause, or Stale."""
        wanted = {"answer": given, "head": head}
        return self.wire.write(
            "POST", f"{self.at}decision/answers/", d.AnsweredDocument, wanted, once=True
        )

    def let_staff_answer(self) -> d.DecisionDocument:
        """Have the computer's staff answer for the side it holds; what is waited for then."""
        return self.wire.write(
            "POST", f"{self.at}decision/staff-answers/", d.DecisionDocument, once=True
        )

    def advance(self, months: int = 1, *, since: str = "") -> d.JobDocument:
        """Ask for so many months to be played (umpire), from the month `since`; see `wait`."""
        wanted: dict[str, Any] = {"months": months} | ({"from": since} if since else {})
        return self.wire.write("POST", f"{self.at}advance/", d.JobDocument, wanted, once=True)

    def wait(self, job: d.JobDocument) -> d.JobDocument:
        """Come back when the job is done. Raises JobFailed."""
        for told in self.watch(job):
            job = told
        if job.status == "failed":
            raise JobFailed(job.message)
        return job

    def watch(self, job: d.JobDocument) -> Iterator[d.JobDocument]:
        """Yield the job as it comes on, until it is finished."""
        while job.finished is None:
            yield job
            self.wire.pause(PAUSE)
            job = self.wire.get(job.links["self"], d.JobDocument)
        yield job

    def worklist(self) -> dict[str, Any]:
        """What is open, and who is not ready (umpire)."""
        return self.wire.get(f"{self.at}worklist/", dict[str, Any])

    def export(self, file: Path) -> None:
        """Write the campaign to a file (umpire)."""
        file.write_bytes(self.wire.bytes_of(f"{self.at}export/").body)
