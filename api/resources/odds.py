"""What may come of it: odds of a sheet and of a battle, rehearsals, forecasts."""

from typing import Any

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from api.documents.odds import (
    CombatPart,
    InquiryDocument,
    SheetOdds,
    combat_part,
    inquiry_document,
    sheet_odds,
)
from api.http.endpoint import Endpoint, OwnEndpoint, UmpireEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Input, StructField
from api.http.problems import Problem
from api.http.throttles import LongThrottle
from api.resources.order_sheets import SheetDraftInput, SheetEndpoint
from battles.contract import Brief
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Inquiry
from campaign.odds.combat import combat_odds
from campaign.odds.meeting import as_begun
from campaign.orders.order_sheet import MonthOrders, as_builtins
from campaign.rules.core.board import laws
from campaign.services.jobs import inquiries
from campaign.services.jobs.inquiries import FEWEST, MOST
from campaign.services.orders.order_odds import brief_of_order, odds_of_sheet


class Runs(Input):
    """How often it is played."""

    runs = serializers.IntegerField(min_value=FEWEST, max_value=MOST, default=200)


class WishedRuns(Runs):
    """A sheet, and how often the month is played by it; nothing is kept of the sheet."""

    sheet = StructField(MonthOrders)


class WishedBattle(WishedRuns):
    """A sheet, its order that leads to a battle (from 0), and the book that fights it."""

    order = serializers.IntegerField(min_value=0, max_value=999)
    way = serializers.CharField(max_length=40)


class ByBook(Runs):
    """The book that fights the battle, and how often."""

    way = serializers.CharField(max_length=40)


class OddsOfSheet(SheetEndpoint):
    """The odds of a sheet."""

    @operation(SheetOdds, takes=SheetDraftInput, problems=("unfit",))
    def post(self, request: Request, slug: str, number: int, month: str) -> HttpResponse:
        """Return the chances of marches, combats and attrition of every order; nothing is kept.

        You can ask one such question at a time (429 for a second one meanwhile).
        """
        asked = self.asked(slug, number, month)
        document = as_builtins(SheetDraftInput.read(request)["sheet"])
        found = odds_of_sheet(asked.campaign, request.user, asked.seat.pk, document)
        return self.tell(sheet_odds(found.orders, found.assaults))


class Rehearsals(SheetEndpoint):
    """Rehearsals of the month."""

    throttle_classes = [*OwnEndpoint.throttle_classes, LongThrottle]

    @operation(InquiryDocument, status=202, takes=WishedRuns, once=True, problems=("unfit",))
    def post(self, request: Request, slug: str, number: int, month: str) -> WriteResult:
        """Have the month played by a sheet against enemies drawn from what your side knows."""
        asked, given = self.asked(slug, number, month), WishedRuns.read(request)
        about = asked.campaign, request.user, asked.seat.pk, as_builtins(given["sheet"])
        return _begun(inquiries.rehearse_month(*about, runs=given["runs"]))


class BattlesOfSheet(SheetEndpoint):
    """Battles that a sheet leads to."""

    throttle_classes = [*OwnEndpoint.throttle_classes, LongThrottle]

    @operation(InquiryDocument, status=202, takes=WishedBattle, once=True, problems=("unfit",))
    def post(self, request: Request, slug: str, number: int, month: str) -> WriteResult:
        """Have the battle that an order leads to fought by a book many times over."""
        asked, given = self.asked(slug, number, month), WishedBattle.read(request)
        about, document = (asked.campaign, request.user), as_builtins(given["sheet"])
        brief = brief_of_order(*about, asked.seat.pk, document, given["order"])
        return _begun(inquiries.try_battle(*about, brief, way=given["way"], runs=given["runs"]))


class OddsOfBattle(OwnEndpoint):
    """The odds of the battle that the campaign waits for."""

    throttle_classes = [*OwnEndpoint.throttle_classes, LongThrottle]

    @operation(CombatPart)
    def get(self, request: Request, slug: str, battle: str) -> HttpResponse:
        """Return the exact odds of a battle, were it left to the campaign's own table and both
        staffs.
        """
        campaign = selectors.campaign_for(request.user, slug)
        _awaited(self, campaign, battle)
        state = selectors.state_now(campaign)
        return self.tell(combat_part(combat_odds(laws(state), as_begun(state))))

    @operation(InquiryDocument, status=202, takes=ByBook, once=True, problems=("unfit",))
    def post(self, request: Request, slug: str, battle: str) -> WriteResult:
        """Have the battle that waits fought by a book many times over."""
        campaign = selectors.campaign_for(request.user, slug)
        given = ByBook.read(request)
        about = campaign, request.user, _awaited(self, campaign, battle)
        return _begun(inquiries.try_battle(*about, way=given["way"], runs=given["runs"]))


class Forecasts(UmpireEndpoint):
    """Forecasts of the campaign."""

    throttle_classes = [*OwnEndpoint.throttle_classes, LongThrottle]

    @operation(InquiryDocument, status=202, takes=Runs, once=True)
    def post(self, request: Request, slug: str) -> WriteResult:
        """Have the campaign played on to its end by the computer's staff, many times over."""
        campaign = selectors.campaign_for(request.user, slug)
        runs = Runs.read(request)["runs"]
        return _begun(inquiries.forecast_campaign(campaign, request.user, runs=runs))


class OneInquiry(OwnEndpoint):
    """Something you have had played many times over."""

    @operation(InquiryDocument)
    def get(self, request: Request, slug: str, uuid: Any) -> HttpResponse:
        """Return how far an inquiry is, and what has come of it so far."""
        return self.tell(inquiry_document(self._inquiry(slug, uuid)))

    @operation(InquiryDocument)
    def delete(self, request: Request, slug: str, uuid: Any) -> HttpResponse:
        """Stop an inquiry; what has been played is kept."""
        inquiries.stop_inquiry(request.user, self._inquiry(slug, uuid))
        return self.tell(inquiry_document(self._inquiry(slug, uuid)))

    def _inquiry(self, slug: str, uuid: Any) -> Inquiry:
        campaign = selectors.campaign_for(self.request.user, slug)
        found = inquiries.inquiry_for(self.request.user, campaign, uuid)
        if found is None:
            raise Problem("not-found", "You have asked nothing of that number in this campaign.")
        return found


def _begun(inquiry: Inquiry) -> WriteResult:
    told = inquiry_document(inquiry)
    return WriteResult(202, told, told.links["self"])


def _awaited(endpoint: Endpoint, campaign: Campaign, battle: str) -> Brief:
    """Return the battle awaited, if it is that one and whoever asks may know of it."""
    viewer = fog_of_war.viewer_of(endpoint.request.user, campaign)
    waiting = fog_of_war.battle_awaited(campaign, viewer)
    if waiting is None or waiting.brief.id != battle:
        raise Problem("not-found", "The campaign does not wait for that battle.")
    return waiting.brief
