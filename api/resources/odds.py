"""Odds of sheets and battles, rehearsals of months, and forecasts of campaigns."""

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
from campaign.odds.meeting import combat_setup_of
from campaign.orders.order_sheet import MonthOrders, sheet_to_builtins
from campaign.rules.core.board import laws
from campaign.services.jobs import inquiries
from campaign.services.jobs.inquiries import FEWEST, MOST
from campaign.services.orders.order_odds import brief_of_order, odds_of_sheet


class Runs(Input):
    """The number of runs."""

    runs = serializers.IntegerField(min_value=FEWEST, max_value=MOST, default=200)


class WishedRuns(Runs):
    """A draft sheet, which is not stored, and the number of runs."""

    sheet = StructField(MonthOrders)


class WishedBattle(WishedRuns):
    """A draft sheet, the index of the order that leads to a battle (from 0), and the book."""

    order = serializers.IntegerField(min_value=0, max_value=999)
    way = serializers.CharField(max_length=40)


class ByBook(Runs):
    """The book that fights the battle, and the number of runs."""

    way = serializers.CharField(max_length=40)


class OddsOfSheet(SheetEndpoint):
    """The odds of a sheet."""

    @operation(SheetOdds, takes=SheetDraftInput, problems=("unfit",))
    def post(self, request: Request, slug: str, number: int, month: str) -> HttpResponse:
        """Calculate the odds of a sheet.

        The answer has the chances of every order's marches, combats and attrition; nothing is
        stored. Only one such request may run at a time; a second one gets 429.
        """
        asked = self.asked(slug, number, month)
        document = sheet_to_builtins(SheetDraftInput.read(request)["sheet"])
        found = odds_of_sheet(asked.campaign, request.user, asked.seat.pk, document)
        return self.tell(sheet_odds(found.orders, found.assaults))


class Rehearsals(SheetEndpoint):
    """Rehearsals of a month."""

    throttle_classes = [*OwnEndpoint.throttle_classes, LongThrottle]

    @operation(InquiryDocument, status=202, takes=WishedRuns, once=True, problems=("unfit",))
    def post(self, request: Request, slug: str, number: int, month: str) -> WriteResult:
        """Start a rehearsal of the month.

        The month is played many times by the sheet, against enemies drawn from what your side
        knows.
        """
        asked, given = self.asked(slug, number, month), WishedRuns.read(request)
        about = asked.campaign, request.user, asked.seat.pk, sheet_to_builtins(given["sheet"])
        return _begun(inquiries.rehearse_month(*about, runs=given["runs"]))


class BattlesOfSheet(SheetEndpoint):
    """Battles to which a sheet leads."""

    throttle_classes = [*OwnEndpoint.throttle_classes, LongThrottle]

    @operation(InquiryDocument, status=202, takes=WishedBattle, once=True, problems=("unfit",))
    def post(self, request: Request, slug: str, number: int, month: str) -> WriteResult:
        """Start a trial of the battle that an order leads to.

        The book fights it many times.
        """
        asked, given = self.asked(slug, number, month), WishedBattle.read(request)
        about, document = (asked.campaign, request.user), sheet_to_builtins(given["sheet"])
        brief = brief_of_order(*about, asked.seat.pk, document, given["order"])
        return _begun(inquiries.try_battle(*about, brief, way=given["way"], runs=given["runs"]))


class OddsOfBattle(OwnEndpoint):
    """The odds of the waiting battle."""

    throttle_classes = [*OwnEndpoint.throttle_classes, LongThrottle]

    @operation(CombatPart)
    def get(self, request: Request, slug: str, battle: str) -> HttpResponse:
        """Calculate the exact odds of the waiting battle.

        They are those of the campaign's own table, with the computer's staff on both sides.
        """
        campaign = selectors.campaign_for(request.user, slug)
        _awaited(self, campaign, battle)
        state = selectors.state_now(campaign)
        return self.tell(combat_part(combat_odds(laws(state), combat_setup_of(state))))

    @operation(InquiryDocument, status=202, takes=ByBook, once=True, problems=("unfit",))
    def post(self, request: Request, slug: str, battle: str) -> WriteResult:
        """Start a trial of the waiting battle.

        The book fights it many times.
        """
        campaign = selectors.campaign_for(request.user, slug)
        given = ByBook.read(request)
        about = campaign, request.user, _awaited(self, campaign, battle)
        return _begun(inquiries.try_battle(*about, way=given["way"], runs=given["runs"]))


class Forecasts(UmpireEndpoint):
    """Forecasts of a campaign."""

    throttle_classes = [*OwnEndpoint.throttle_classes, LongThrottle]

    @operation(InquiryDocument, status=202, takes=Runs, once=True)
    def post(self, request: Request, slug: str) -> WriteResult:
        """Start a forecast of the campaign (umpire).

        The staff plays it to its end many times.
        """
        campaign = selectors.campaign_for(request.user, slug)
        runs = Runs.read(request)["runs"]
        return _begun(inquiries.forecast_campaign(campaign, request.user, runs=runs))


class OneInquiry(OwnEndpoint):
    """A rehearsal, trial or forecast."""

    @operation(InquiryDocument)
    def get(self, request: Request, slug: str, uuid: Any) -> HttpResponse:
        """Retrieve a rehearsal, trial or forecast.

        The answer has its progress and its results so far.
        """
        return self.tell(inquiry_document(self._inquiry(slug, uuid)))

    @operation(InquiryDocument)
    def delete(self, request: Request, slug: str, uuid: Any) -> HttpResponse:
        """Stop a rehearsal, trial or forecast.

        The runs so far are kept.
        """
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
    """Return the waiting battle if it has this name and the caller may know of it."""
    viewer = fog_of_war.viewer_of(endpoint.request.user, campaign)
    waiting = fog_of_war.battle_awaited(campaign, viewer)
    if waiting is None or waiting.brief.id != battle:
        raise Problem("not-found", "The campaign does not wait for that battle.")
    return waiting.brief
