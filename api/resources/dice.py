"""A campaign's dice: their seals, and the proof that they were thrown as sealed."""

from django.http import HttpResponse
from rest_framework.request import Request

from api.documents.campaigns import DiceDocument, ProofDocument, dice_document
from api.http.endpoint import OpenEndpoint, operation
from battles import journal
from campaign.access import fog_of_war, journal_events, selectors
from campaign.services.journal import audit


class DiceSeals(OpenEndpoint):
    """The public part of a campaign's dice."""

    @operation(DiceDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve the anchor of a campaign's dice and the seal of every month."""
        campaign = selectors.campaign_for(request.user, slug)
        return self.answer(dice_document(campaign, journal_events.seals_of(campaign)))


class CampaignProof(OpenEndpoint):
    """A check of a campaign's dice."""

    @operation(ProofDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Verify a campaign's dice.

        Every die of the closed months is recomputed, and the first difference named. Under fog only
        viewers who see everything get a verdict.
        """
        campaign = selectors.campaign_for(request.user, slug)
        if not fog_of_war.may_see_all(request.user, campaign):
            return self.answer(ProofDocument(None, None, 0, 0, 0, 0))
        try:
            dice_audit = audit.verify_dice(campaign)
        except journal.Damaged as damaged:
            return self.answer(ProofDocument(False, str(damaged), 0, 0, 0, 0))
        counts = dice_audit.months, dice_audit.rolls, dice_audit.dice, dice_audit.sealed_entries
        return self.answer(ProofDocument(True, None, *counts))
