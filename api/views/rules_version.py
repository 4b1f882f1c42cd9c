"""By which version of the rules a campaign is played, and what its umpire chooses about it."""

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request

from api.contract import operation
from api.inputs import Reason
from api.repeats import Done
from api.views.umpire import Powers
from campaign.models import Campaign
from campaign.rules.core.state import RULES
from campaign.services.umpire import rules_version


class RulesDocument(msgspec.Struct, frozen=True):
    """The version a campaign is played by, and that of this program (`program`).

    `kept`: it goes on by its own though the program plays another; `pinned`: only a program of its
    version goes on with it. Of its `entries`, `differs` names the first that comes out otherwise
    here, and `damaged` says what is wrong with the journal itself; both are null where all is as
    written. `ways` are what can be chosen.
    """

    campaign: str
    version: str
    program: str
    kept: bool
    pinned: bool
    entries: int
    differs: str | None
    damaged: str | None
    ways: tuple[str, ...]
    links: dict[str, str]


class Choice(Reason):
    """How it goes on, and why: `keep` its version, `migrate` to that of this program, or `pin` it.

    What is pinned only a program of its own version goes on with.
    """

    way = serializers.ChoiceField([way.value for way in rules_version.MigrationChoice])


class RulesVersion(Powers):
    """The version of the rules."""

    @operation(RulesDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """What this program makes of the campaign, which is replayed for it, and what to choose."""
        return self.tell(_document(self.campaign(slug)))

    @operation(RulesDocument, takes=Choice, once=True, problems=("under-way", "unfit"))
    def put(self, request: Request, slug: str) -> Done:
        """Keep the campaign on its version where all comes out the same, migrate it, or pin it."""
        campaign, given = self.campaign(slug), Choice.read(request)
        way, why = rules_version.MigrationChoice(given["way"]), given["reason"]
        return Done(
            200, _document(rules_version.choose(campaign.pk, request.user, way, reason=why))
        )


def _document(campaign: Campaign) -> RulesDocument:
    verdict = rules_version.check_replay(campaign)
    return RulesDocument(
        campaign=campaign.slug,
        version=campaign.rules,
        program=RULES,
        kept=bool(campaign.rules_kept),
        pinned=campaign.rules_pinned,
        entries=verdict.entries,
        differs=verdict.differs or None,
        damaged=verdict.damaged or None,
        ways=tuple(way.value for way in rules_version.migration_choices(verdict)),
        links={"campaign": reverse("api:campaign", args=[campaign.slug])},
    )
