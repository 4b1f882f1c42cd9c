"""Play a side to the end of its campaign through the REST interface alone.

The program knows no more than a person in its seat, and plays live or by order sheets, as the
campaign requires. ::

    python examples/computer_player.py http://127.0.0.1:8000 SECRET --username bot

It takes the seat that the invitation with this secret offers, asks for the password (or takes it
from SIRDAR_PASSWORD), and plays it. With a slug in place of the secret it resumes a campaign.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from getpass import getpass

from live_play import Answer, LivePlay
from outlook import Ground, Outlook
from sirdar_client import AuthenticatedClient, Refused, body, logged_in, new_key, tagged
from sirdar_client.api.campaigns import get_campaign
from sirdar_client.api.decisions import get_campaign_decision, post_campaign_answers
from sirdar_client.api.map_and_state import get_month_state
from sirdar_client.api.order_sheets import (
    get_seat_reach,
    get_sheet,
    patch_sheet,
    post_sheet_check,
    put_sheet,
)
from sirdar_client.api.rules_and_maps import get_map
from sirdar_client.api.seats_and_invitations import (
    get_campaign_seats,
    get_invitation,
    post_invitation,
)
from sirdar_client.models import (
    CampaignDocument,
    DeployOrder,
    DismountOrderRequest,
    FootLegRequest,
    MarchOrderRequest,
    OrdersBody,
    SheetBody,
    SheetChange,
    StaffAnswers,
    StandingInstructionsRequest,
    StayOrderRequest,
    WithdrawOrderRequest,
)

PAUSE = 2.0
"""The seconds between two looks while others have to act."""
LEAST_ODDS = 60
"""The least chance of winning, in percent, with which a stack attacks."""
LEAST_CHANCE = 0.5
"""The least chance of one march with which a stack sets out."""
CRAFT = ("boat", "gunboat")

Order = (
    MarchOrderRequest | StayOrderRequest | DismountOrderRequest | WithdrawOrderRequest | DeployOrder
)


class Player:
    """A program that plays one side of a campaign."""

    def __init__(self, client: AuthenticatedClient, slug: str) -> None:
        self.client = client
        self.slug = slug
        self.live = LivePlay()
        self.ground = Ground(body(get_map.sync("sudan", client=client)))
        seats = body(get_campaign_seats.sync(slug, client=client)).results
        mine = next((seat for seat in seats if seat.is_yours), None)
        if mine is None or mine.role not in ("egyptian", "mahdist"):
            sys.exit(f"You have no seat in {slug!r} that plays a side.")
        self.seat = mine.id
        self.side = mine.role

    def play(self) -> None:
        """Play until the campaign is over."""
        month = ""
        while (now := self.campaign()).status != "over":
            if now.month_name != month:
                month = now.month_name
                print(f"{month}: {now.waiting_for}", flush=True)
            if not (self.answer() if now.mode == "live" else self.write_sheet(now)):
                time.sleep(PAUSE)
        print(now.outcome_text)

    def campaign(self) -> CampaignDocument:
        return body(get_campaign.sync(self.slug, client=self.client))

    def outlook(self) -> Outlook:
        """Return the side's current view of the campaign."""
        state = body(get_month_state.sync(self.slug, "current", client=self.client))
        return Outlook(self.ground, state, self.side)

    def answer(self) -> bool:
        """Answer our question, or let the staff answer for the enemy; False if others must act."""
        decision, tag = tagged(get_campaign_decision.sync_detailed(self.slug, client=self.client))
        if decision.staff_is_asked:
            self.send(StaffAnswers(type_="staff"), tag)
            return True
        if not decision.is_yours:
            return False
        for answer in self.live.answers(decision, self.outlook()):
            try:
                return self.send(answer, tag)
            except Refused as refused:
                print(f"{refused} Something else, then.", flush=True)
        sys.exit(f"Nothing that we can answer is allowed: {decision.waiting_for}")

    def send(self, answer: Answer | StaffAnswers, tag: str) -> bool:
        """Send the answer to the question with that ETag; False if it waits for dice."""
        given = body(
            post_campaign_answers.sync(
                self.slug, client=self.client, body=answer, if_match=tag, idempotency_key=new_key()
            )
        )
        return not given.waits_for_dice

    def write_sheet(self, now: CampaignDocument) -> bool:
        """Write this month's sheet and mark the seat ready; False if that is done."""
        at = (self.slug, self.seat, now.month)
        sheet, tag = tagged(get_sheet.sync_detailed(*at, client=self.client))
        if sheet.ready or sheet.started_at or now.job:
            return False
        if not sheet.submitted:
            outlook = self.outlook()
            orders = self.possible(list(self.orders(outlook)), now.month)
            near = sorted(outlook.held)[:20]
            standing = StandingInstructionsRequest(arrive_hexes=near, near_hexes=near)
            wanted = SheetBody(orders=orders, standing=standing)
            _, tag = tagged(
                put_sheet.sync_detailed(*at, client=self.client, body=wanted, if_match=tag)
            )
        ready = SheetChange(submitted=True, ready=True)
        body(patch_sheet.sync(*at, client=self.client, body=ready, if_match=tag))
        return True

    def orders(self, outlook: Outlook) -> Iterator[Order]:
        """Yield a march for every stack that has a goal; the others stay."""
        for here, stack in sorted(outlook.own.items()):
            units = outlook.column(here, [unit.id for unit in stack if unit.kind not in CRAFT])
            goal = outlook.goal(here, units)
            to_hex = self.stage(outlook, units, goal) if goal is not None else None
            if to_hex is None:
                yield StayOrderRequest(type_="stay", hex_=here)
            else:
                yield MarchOrderRequest(
                    type_="march",
                    hex_=here,
                    unit_ids=units,
                    legs=[FootLegRequest(type_="foot", to_hex=to_hex)],
                    contact="attack",
                    least_odds=LEAST_ODDS,
                )

    def stage(self, outlook: Outlook, units: list[int], goal: str) -> str | None:
        """Return the hex within one march that is best on the way; None to stay."""
        numbers = ",".join(map(str, units))
        reach = body(
            get_seat_reach.sync(self.slug, self.seat, unit_ids=numbers, client=self.client)
        )
        if reach.march_chances is None or reach.march_chances.made_chances[0] < LEAST_CHANCE:
            return None
        left = outlook.ground.steps(reach.start_hex, goal)
        if left == 1:
            return goal
        steps = {
            each.hex_: (outlook.ground.steps(each.hex_, goal), each.attrition_share)
            for each in reach.reached
            if each.march_number == 1
        }
        best = min(steps, key=lambda here: steps[here], default=None)
        return best if best is not None and steps[best][0] < left else None

    def possible(self, orders: list[Order], month: str) -> list[Order]:
        """Return the orders without those that the server calls impossible."""
        checked = body(
            post_sheet_check.sync(
                self.slug, self.seat, month, client=self.client, body=OrdersBody(orders=orders)
            )
        )
        bad = {
            finding.index
            for finding in checked.findings
            if finding.section == "order" and finding.verdict == "impossible"
        }
        return [order for index, order in enumerate(orders) if index not in bad]


def campaign_of(client: AuthenticatedClient, seat: str) -> str:
    """Return the slug of the campaign; a secret is accepted as an invitation first."""
    try:
        return body(get_campaign.sync(seat, client=client)).slug
    except Refused as refused:
        if refused.status != 404:
            raise
    offer = body(get_invitation.sync(seat, client=client))
    body(post_invitation.sync(seat, client=client, idempotency_key=new_key()))
    return offer.campaign


def main() -> None:
    """Play as the command line says, until the campaign is over."""
    parser = argparse.ArgumentParser(description="Play a side of a campaign of Sirdar.")
    parser.add_argument("server", help="such as http://127.0.0.1:8000")
    parser.add_argument("seat", help="the secret of an invitation, or the slug of a campaign")
    parser.add_argument("--username", required=True)
    given = parser.parse_args()
    password = os.environ.get("SIRDAR_PASSWORD") or getpass("Password: ")
    with logged_in(given.server, given.username, password) as client:
        Player(client, campaign_of(client, given.seat)).play()


if __name__ == "__main__":
    main()
