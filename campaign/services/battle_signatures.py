"""Signatures of players on the result of a battle at a real table, and on declining the table.

A result that players agree on counts once every side that has a player has signed the same. The
staff signs nothing.
"""

from collections.abc import Iterable, Iterator

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from battles import journal
from battles.access import SignedReport, display_name
from battles.contract.brief import Side
from battles.contract.report import Report
from battles.core.decoding import decode, digest, encode
from campaign.access import selectors
from campaign.models import Campaign, Seat, Signature
from campaign.rules.core.state import TABLETOP
from campaign.services.errors import NotAllowed


def sides_of(campaign: Campaign, user: User) -> set[str]:
    """Return the sides the user plays. Raises NotAllowed if there is none."""
    sides = selectors.role_of(user, campaign) & set(Seat.SIDES)
    if not sides:
        raise NotAllowed("Only the umpire and the players of this campaign report its battles.")
    return sides


def signatures(campaign: Campaign, battle: str) -> QuerySet[Signature]:
    """Return the signatures on the battle so far."""
    return campaign.signatures.filter(battle=battle).select_related("by")


@transaction.atomic
def sign(campaign: Campaign, user: User, battle: str, report: Report | None) -> bool:
    """Record the user's signature; return whether every side with a player has signed the same.

    The staff signs nothing. The campaign is locked, so that of two simultaneous signatures the
    second sees the first.
    """
    journal.lock_record(Campaign.objects.all(), campaign.pk)
    content = encode(report) if report else b""
    for side in sides_of(campaign, user):
        Signature.objects.update_or_create(
            campaign=campaign, battle=battle, side=side, defaults={"report": content, "by": user}
        )
    signed = {
        signature.side: signed_report(signature) for signature in signatures(campaign, battle)
    }
    same = {side for side, other in signed.items() if _what_counts(other) == _what_counts(report)}
    return _sides_with_players(campaign) <= same


def _sides_with_players(campaign: Campaign) -> set[str]:
    seats = campaign.seats.filter(role__in=Seat.SIDES, staff=False).exclude(user=None)
    return set(seats.values_list("role", flat=True))


def agreed_signatures(campaign: Campaign, battle: str) -> list[Signature]:
    """Return the signatures of all sides that have a player, if these have signed the same.

    Return none otherwise, and where no player is left: nobody has agreed for either side then.
    """
    sides = _sides_with_players(campaign)
    signed = list(signatures(campaign, battle).filter(side__in=sides))
    if {signature.side for signature in signed} < sides:
        return []
    results = {_what_counts(signed_report(signature)) for signature in signed}
    return signed if len(results) == 1 else []


def _what_counts(report: Report | None) -> bytes:
    """Return what two players must agree on: the winner and the fate of every unit.

    None for a side that declines the table. The reason and the number of turns are left out,
    because two honest players may report them differently.
    """
    if report is None:
        return b""
    fates = dict(sorted(report.fates.items()))
    return encode(Report(report.battle, TABLETOP, fates, report.winner))


def complete_report(report: Report, signed: Iterable[Signature]) -> Report:
    """Return the last report that was signed, with its missing reason and turns filled in.

    They are taken from the other side's report of the same result.
    """
    reports = [report, *filter(None, map(signed_report, signed))]
    return msgspec.structs.replace(
        report,
        ending=next((candidate.ending for candidate in reports if candidate.ending), ""),
        turns=next((candidate.turns for candidate in reports if candidate.turns), 0),
    )


def signed_report(signature: Signature) -> Report | None:
    """Return the report under a signature; None where the side declined the table."""
    return decode(content, Report) if (content := bytes(signature.report)) else None


def signed_by_others(campaign: Campaign, user: User, battle: str) -> Iterator[SignedReport]:
    """Yield the reports that the other side has signed and the user may agree to."""
    roles = selectors.role_of(user, campaign)
    for signature in signatures(campaign, battle).exclude(side__in=roles):
        if report := signed_report(signature):
            mark = digest(bytes(signature.report))[:16]
            yield SignedReport(Side(signature.side), display_name(signature.by), report, mark)
