"""The database: a month played and saved, and the saving by itself."""

from collections.abc import Iterator

import zstandard
from django.db import transaction

from battles.contract.brief import Side
from battles.core.decoding import encode
from campaign.models import Campaign, Entry
from campaign.services.journal.campaign_session import CampaignSession
from campaign.services.journal.creation import NewCampaignTerms, create_campaign
from campaign.services.turns.advance import play_phase, run_month
from campaign.services.turns.month_by_orders import StaffAnswerer
from tests.bench.measure import Row, Sizes, by_turns
from tests.bench.reference import march_graph, search_all, starts
from tests.bench.rules import SIEGE

ROWS = 100


def rows(sizes: Sizes) -> Iterator[Row]:
    """Yield the figures that need a database."""
    graph = march_graph()
    hexes = starts(graph)
    fresh: list[Campaign] = []

    def month() -> None:
        campaign = fresh.pop()
        run_month(campaign.pk, until=campaign.month + 1)

    yield by_turns(
        "a month of the siege by both staffs, everything saved",
        month,
        lambda: search_all(graph, hexes),
        aim="3 R",
        repeats=sizes.repeats,
        prepare=lambda: fresh.append(_campaign(sizes.months)),
    )
    yield _saving(sizes)


def _campaign(months: int) -> Campaign:
    """Return a campaign of the siege that is still going on after so many months."""
    while True:
        campaign = create_campaign(NewCampaignTerms(SIEGE))
        campaign = run_month(campaign.pk, until=campaign.first_month + months)
        if not campaign.finished:
            return campaign


def _saving(sizes: Sizes) -> Row:
    """State and a hundred journal rows by the writer, and the same bytes as bare rows."""
    campaign = _campaign(sizes.months)
    while (one := _sitting(campaign)).state.question is None:
        campaign = _campaign(sizes.months)
    unsaved: list[CampaignSession] = []

    def ours() -> None:
        with transaction.atomic():
            unsaved.pop().write(Campaign.objects.get(pk=campaign.pk))
            transaction.set_rollback(True)

    state, rows = one.state, len(one.entries)

    def bare() -> None:
        with transaction.atomic():
            blob = zstandard.compress(encode(state), 3)
            Campaign.objects.filter(pk=campaign.pk).update(document=blob)
            Entry.objects.bulk_create(list(_bare_rows(campaign, rows)))
            transaction.set_rollback(True)

    return by_turns(
        f"saving a turn (state and {rows} journal rows), by bare rows",
        ours,
        bare,
        aim="1.5",
        repeats=sizes.repeats,
        prepare=lambda: unsaved.append(_sitting(campaign)),
    )


def _sitting(campaign: Campaign) -> CampaignSession:
    """Return a sitting in which a hundred actions or a few more have been played and not been
    written; fewer if the campaign is over before.
    """
    sitting = CampaignSession(campaign)
    while len(sitting.entries) < ROWS and sitting.state.question is not None:
        play_phase(sitting, StaffAnswerer(tuple(Side)))
    return sitting


def _bare_rows(campaign: Campaign, rows: int) -> Iterator[Entry]:
    """As many rows as the writer makes, with contents as large."""
    written = campaign.entries.order_by("-number")[:rows]
    for number, entry in enumerate(written, start=1_000_000):
        entry.pk, entry.number, entry.key = None, number, None
        yield entry
