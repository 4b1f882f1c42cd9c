"""A campaign's dice: seals, the proof that they were thrown as sealed, and dice by hand."""

from typing import Annotated

from django.http import HttpResponse
from msgspec import Meta
from rest_framework.request import Request

from api.documents.campaigns import DiceDocument, ProofDocument, dice_document
from api.documents.umpire import DiceByHandDocument, dice_by_hand_document
from api.http.encoding import RequestBody
from api.http.endpoint import OpenEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.preconditions import check_unchanged, unless_stale
from api.http.responses import EncodedDocument
from api.resources.umpire import UmpirePowers
from battles import journal
from campaign.access import fog_of_war, journal_events, selectors
from campaign.models import Campaign
from campaign.services.journal import audit, dice
from campaign.services.umpire import rulings

Face = Annotated[int, Meta(ge=1, le=100)]


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


class FacesBody(RequestBody, frozen=True):
    """The dice of the awaited throw, in the order in which they fell."""

    faces: Annotated[tuple[Face, ...], Meta(min_length=1, max_length=100)]


class ManualDice(UmpirePowers):
    """Dice by hand: the umpire types in the dice."""

    @operation(DiceByHandDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve the awaited throw, if dice are thrown by hand (umpire)."""
        return self.answer(dice_by_hand_document(self.campaign(slug)))

    @operation(
        DiceByHandDocument,
        takes=FacesBody,
        once=True,
        match=True,
        problems=("not-awaited", "illegal-action"),
    )
    def post(self, request: Request, slug: str) -> WriteResult:
        """Type in the dice of the awaited throw as they fell (umpire).

        `If-Match` names the throw. The answer is the next throw.
        """
        campaign, user = self.campaign(slug), request.user
        faces, throw = FacesBody.read(request).faces, dice.waiting_throw(campaign)
        check_unchanged(request, dice_by_hand_document(campaign))
        typed = len(throw.faces) if throw else None
        unless_stale(lambda: rulings.type_in(campaign.pk, user, faces, expected=typed))
        document = dice_by_hand_document(Campaign.objects.get(pk=campaign.pk))
        return WriteResult(200, document, tag=lambda _: EncodedDocument(document).etag)
