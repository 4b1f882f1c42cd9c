"""The odds of a draft sheet, and of the waiting battle."""

from django.http import HttpResponse
from rest_framework.request import Request

from api.documents.odds import (
    CombatOddsDocument,
    SheetOddsDocument,
    combat_odds_document,
    sheet_odds,
)
from api.http.endpoint import Endpoint, OwnEndpoint, operation
from api.http.problems import Problem
from api.http.throttles import LongThrottle
from api.resources.order_sheets import OrdersBody, SheetEndpoint
from battles.contract import Brief
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign
from campaign.odds.combat import combat_odds
from campaign.odds.meeting import combat_setup_of
from campaign.rules.core.board import laws
from campaign.services.orders.order_odds import odds_of_sheet


class OddsOfSheet(SheetEndpoint):
    """The odds of a sheet."""

    @operation(SheetOddsDocument, takes=OrdersBody, problems=("unfit",))
    def post(self, request: Request, slug: str, id: int, month: str) -> HttpResponse:
        """Calculate the odds of a sheet.

        The answer has the chances of every order's marches, combats and attrition; nothing is
        stored. Only one such request may run at a time; a second one gets 429.
        """
        asked = self.asked(slug, id, month)
        orders = OrdersBody.read(request).month_orders
        found = odds_of_sheet(asked.campaign, request.user, asked.seat.pk, orders)
        return self.tell(sheet_odds(found.orders, found.assaults))


class OddsOfBattle(OwnEndpoint):
    """The odds of the waiting battle."""

    throttle_classes = [*OwnEndpoint.throttle_classes, LongThrottle]

    @operation(CombatOddsDocument)
    def get(self, request: Request, slug: str, battle: str) -> HttpResponse:
        """Calculate the exact odds of the waiting battle.

        They are those of the campaign's own table, with the computer's staff on both sides.
        """
        campaign = selectors.campaign_for(request.user, slug)
        _awaited(self, campaign, battle)
        state = selectors.state_now(campaign)
        return self.tell(combat_odds_document(combat_odds(laws(state), combat_setup_of(state))))


def _awaited(endpoint: Endpoint, campaign: Campaign, battle: str) -> Brief:
    """Return the waiting battle if it has this name and the caller may know of it."""
    viewer = fog_of_war.viewer_of(endpoint.request.user, campaign)
    waiting = fog_of_war.battle_awaited(campaign, viewer)
    if waiting is None or waiting.brief.id != battle:
        raise Problem("not-found", "The campaign does not wait for that battle.")
    return waiting.brief
