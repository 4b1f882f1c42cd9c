"""A client for one campaign: its state, events, seats, decisions and jobs."""

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
"""The seconds between two polls of a job."""


class Campaign:
    """A campaign of a server, by its slug."""

    def __init__(self, wire: Wire, slug: str) -> None:
        self.wire = wire
        self.slug = slug
        self.at = f"campaigns/{slug}/"

    def now(self) -> d.CampaignDocument:
        """Return its status, what it waits for, and your roles in it."""
        return self.wire.get(self.at, d.CampaignDocument)

    def state(self, month: str = "") -> d.StateDocument:
        """Return the state as far as you may know it; now, or at the end of a month."""
        return self.wire.get(self._of(month, "state/"), d.StateDocument)

    def geojson(self, month: str = "") -> dict[str, Any]:
        """Return the state as a FeatureCollection (RFC 7946)."""
        return self.wire.get(self._of(month, "map.geojson"), dict[str, Any])

    def despatches(self, month: str = "") -> d.DespatchesDocument:
        """Return the despatches of a month, by default of the current one."""
        return self.wire.get(self._of(month, "despatches/"), d.DespatchesDocument)

    def months(self) -> list[d.MonthDocument]:
        """Return the set-up and the months so far, the oldest first."""
        return self.wire.listed(f"{self.at}months/", d.MonthDocument)

    def _of(self, month: str, what: str) -> str:
        return f"{self.at}months/{month}/{what}" if month else f"{self.at}{what}"

    def events(self, since: str = "", limit: int = 200) -> d.EventsDocument:
        """Return the events since that cursor. Raises Gone if it was rewound past."""
        asked = since or None
        return self.wire.get(f"{self.at}events/", d.EventsDocument, since=asked, limit=limit)

    def follow(self, since: str = "") -> Following:
        """Return all events since that cursor, and new ones as they come, by polling."""
        return Following(self.wire, self.at, since)

    def stream(self, place: str | None = None) -> Stream:
        """Return the stream of events from that place on; "" is the beginning, None is now."""
        return Stream(self.wire, self.at, place)

    def tables(self) -> list[d.TableLine]:
        """Return the tables of the campaign."""
        return self.wire.listed(f"{self.at}tables/", d.TableLine)

    def table(self, name: str) -> d.TableDocument:
        """Return a table as it applies here: its umpire may have changed it."""
        return self.wire.get(f"{self.at}tables/{name}/", d.TableDocument)

    def papers(self) -> list[d.PaperLine]:
        """Return the issues of newspapers that you may read."""
        return self.wire.listed(f"{self.at}papers/", d.PaperLine)

    def paper(self, month: str, whose: str = "public") -> dict[str, Any]:
        return self.wire.get(f"{self.at}months/{month}/papers/{whose}/", dict[str, Any])

    def seats(self) -> list[d.SeatPart]:
        """Return every seat; `yours` marks your own."""
        return self.wire.listed(f"{self.at}seats/", d.SeatPart)

    def seat(self, number: int) -> Seat:
        """Return one of your seats, to write its orders."""
        return Seat(self.wire, self.slug, number)

    def invite(self, role: str, *, days: int = 14, email: str = "") -> d.NewInvitation:
        """Create an invitation to a seat; pass its secret on yourself."""
        wanted = {"role": role, "days": days, "email": email}
        return self.wire.write("POST", f"{self.at}invitations/", d.NewInvitation, wanted)

    def invite_by_letter(self, role: str, email: str, *, days: int = 14) -> d.InvitationPart:
        """Create an invitation and send it by e-mail; nobody else learns the secret.

        Raises Busy if too many e-mails have been sent, or none can be sent just now.
        """
        wanted = {"role": role, "days": days, "email": email}
        return self.wire.write(
            "POST", f"{self.at}invitations/letters/", d.InvitationPart, wanted, once=True
        )

    def rules(self) -> d.RulesDocument:
        """Return its rules version, and the choices about it (umpire)."""
        return self.wire.get(f"{self.at}rules-version/", d.RulesDocument)

    def choose_rules(self, way: str, reason: str) -> d.RulesDocument:
        """Keep its version, migrate it or pin it: one of the `ways` of `rules` (umpire)."""
        wanted = {"way": way, "reason": reason}
        return self.wire.write(
            "PUT", f"{self.at}rules-version/", d.RulesDocument, wanted, once=True
        )

    def decision(self) -> d.DecisionDocument:
        """Return the open question, with the legal answers if it is yours (live play)."""
        return self.wire.get(f"{self.at}decision/", d.DecisionDocument)

    def answer(self, given: AnyAnswer, head: int) -> d.AnsweredDocument:
        """Answer the decision of that head. Raises IllegalAction with its clause, or Stale."""
        wanted = {"answer": given, "head": head}
        return self.wire.write(
            "POST", f"{self.at}decision/answers/", d.AnsweredDocument, wanted, once=True
        )

    def let_staff_answer(self) -> d.DecisionDocument:
        """Let the staff answer for the side it plays, and return the next question."""
        return self.wire.write(
            "POST", f"{self.at}decision/staff-answers/", d.DecisionDocument, once=True
        )

    def advance(self, months: int = 1, *, since: str = "") -> d.JobDocument:
        """Start playing months (umpire), the first of them `since`; see `wait`."""
        wanted: dict[str, Any] = {"months": months} | ({"from": since} if since else {})
        return self.wire.write("POST", f"{self.at}advance/", d.JobDocument, wanted, once=True)

    def wait(self, job: d.JobDocument) -> d.JobDocument:
        """Wait until the job is done. Raises JobFailed."""
        for told in self.watch(job):
            job = told
        if job.status == "failed":
            raise JobFailed(job.message)
        return job

    def watch(self, job: d.JobDocument) -> Iterator[d.JobDocument]:
        """Yield the job at each poll, until it is finished."""
        while job.finished is None:
            yield job
            self.wire.pause(PAUSE)
            job = self.wire.get(job.links["self"], d.JobDocument)
        yield job

    def worklist(self) -> dict[str, Any]:
        """Return the open questions and the seats that are not ready (umpire)."""
        return self.wire.get(f"{self.at}worklist/", dict[str, Any])

    def export(self, file: Path) -> None:
        """Write the campaign to a file (umpire)."""
        file.write_bytes(self.wire.bytes_of(f"{self.at}export/").body)
