"""Play a side to the end of its campaign through the REST interface alone.

The program knows no more than a person in its seat, and plays live or by order sheets, as the
campaign requires. ::

    python -m api.client.examples.computer_player http://127.0.0.1:8000 SECRET --username bot

It takes the seat that the invitation with this secret offers, asks for the password (or takes it
from SIRDAR_PASSWORD), and plays it. With a slug in place of the secret it resumes a campaign.
"""

import argparse
import os
import sys
from collections.abc import Callable
from getpass import getpass

from api.client import NotFound, Refused, Sirdar
from api.client.documents import CampaignDocument
from api.client.examples.ground import Ground
from api.client.examples.live_play import LivePlay
from api.client.examples.outlook import Outlook
from api.client.examples.sheet_writing import without_impossible, write_sheet

PAUSE = 2.0
"""The seconds between two looks while others have to act."""

Say = Callable[[str], None]


class Player:
    """A program that plays one side of a campaign."""

    def __init__(self, sirdar: Sirdar, slug: str, say: Say = print) -> None:
        self.sirdar = sirdar
        self.campaign = sirdar.campaign(slug)
        self.say = say
        self.live = LivePlay()
        self.ground = Ground(sirdar.map())
        mine = next((one for one in self.campaign.seats() if one.yours), None)
        if mine is None or mine.role not in ("egyptian", "mahdist"):
            raise LookupError(f"You have no seat in {slug!r} that plays a side.")
        self.side = mine.role
        self.seat = self.campaign.seat(mine.number)

    def play(self) -> CampaignDocument:
        """Play until the campaign is over, and return its final status."""
        month, now = "", self.campaign.now()
        while not now.finished:
            if now.month.name != month:
                month = now.month.name
                self.say(f"{month}: {now.waiting_for}")
            if not self.step(now):
                self.sirdar.wire.pause(PAUSE)
            now = self.campaign.now()
        self.say(now.outcome or "")
        return now

    def step(self, now: CampaignDocument) -> bool:
        """Do what is due now; False if others have to act."""
        return self._live() if now.mode == "live" else self._by_sheet(now)

    def outlook(self) -> Outlook:
        """Return the side's current view of the campaign."""
        return Outlook(self.ground, self.campaign.state(), self.side)

    def _live(self) -> bool:
        """Answer our question, or let the staff answer for the enemy; False: wait."""
        asked = self.campaign.decision()
        if asked.staff:
            self.campaign.let_staff_answer()
            return True
        if not asked.yours or asked.choices is None:
            return False
        for answer in self.live.answers(asked, self.outlook()):
            try:
                return not self.campaign.answer(answer, asked.head).waits_for_dice
            except Refused as refused:
                self.say(f"{refused.detail} Something else, then.")
        raise LookupError(f"Nothing that we can answer will do: {asked.waiting_for}")

    def _by_sheet(self, now: CampaignDocument) -> bool:
        """Write this month's sheet and mark the seat ready; False if that is done."""
        desk = self.seat.sheet(now.month.month)
        kept = desk.read()
        if kept.ready or kept.begun or now.job:
            return False
        if not kept.submitted:
            desk.write(without_impossible(write_sheet(self.outlook(), self.seat), desk))
        desk.ready()
        return True


def main(arguments: list[str] | None = None) -> int:
    """Play as the command line says; return 0 when the campaign is over."""
    parser = argparse.ArgumentParser(description="Play a side of a campaign of Sirdar.")
    parser.add_argument("server", help="such as http://127.0.0.1:8000")
    parser.add_argument("seat", help="the secret of an invitation, or the slug of a campaign")
    parser.add_argument("--username", required=True)
    given = parser.parse_args(arguments)
    password = os.environ.get("SIRDAR_PASSWORD") or getpass("Password: ")
    with Sirdar.logged_in(given.server, given.username, password) as sirdar:
        Player(sirdar, campaign_of(sirdar, given.seat)).play()
    return 0


def campaign_of(sirdar: Sirdar, seat: str) -> str:
    """Return the slug of the campaign; a secret is accepted as an invitation first."""
    try:
        return sirdar.campaign(seat).now().slug
    except NotFound:
        return sirdar.accept(seat).slug


if __name__ == "__main__":
    sys.exit(main())
