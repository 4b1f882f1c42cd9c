"""Campaigns that are played once in a process, and laid into the database again for other tests.

With known dice the same beginning leads to the same rows, so playing it again for every test would
show nothing new. A test gets rows of its own, which its transaction takes away again.
"""

from collections.abc import Callable, Hashable
from hashlib import sha256
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection

from campaign.models import Campaign
from campaign.services.journal import creation
from campaign.services.turns import advance
from tests.known_dice import MODULES, known_sources

OWN_APPS = ("battles", "campaign", "api")

Row = tuple[Any, ...]


class Recording(NamedTuple):
    """The rows that a campaign brought to each table, and how often dice had been drawn then."""

    campaign: int
    rows: dict[str, list[Row]]
    given: list[int]


_RECORDINGS: dict[Hashable, Recording] = {}


def play_once(name: Hashable, play: Callable[[], Campaign]) -> Campaign:
    """Return the campaign that `play` makes, from the rows it has made before where it can be.

    `name` tells apart what is played. It is played indeed only once for the same people, dice and
    other rows; and always where it changes one of those, where the dice are not known, where the
    test commits, so that what follows a commit has to happen, and on PostgreSQL, whose sequences
    would not follow the rows.
    """
    sources = known_sources()
    repeatable = connection.vendor == "sqlite" and connection.in_atomic_block
    if not repeatable or len(sources) < len(MODULES):
        return play()
    drawn = tuple((source.seed, source.given) for source in sources)
    users = tuple(User.objects.order_by("pk").values_list("pk", "username"))
    before = _contents()
    key = (name, drawn, users, sha256(repr(before).encode()).digest())
    if key in _RECORDINGS:
        return _lay_down(_RECORDINGS[key])
    campaign = play()
    given = [source.given for source in sources]
    after = _contents()
    if all(rows == after[table][: len(rows)] for table, rows in before.items()):
        added = {table: rows[len(before[table]) :] for table, rows in after.items()}
        _RECORDINGS[key] = Recording(campaign.pk, added, given)
    return campaign


def begin_once(wanted: creation.NewCampaignTerms, months: int) -> Campaign:
    """Return that campaign so many months after its beginning, as `play_once` does."""

    def play() -> Campaign:
        campaign = creation.create_campaign(wanted)
        return advance.run_month(campaign.pk, until=campaign.month + months)

    return play_once((repr(wanted), months), play)


def _lay_down(recording: Recording) -> Campaign:
    with connection.cursor() as cursor:
        for table, rows in recording.rows.items():
            if rows:
                values = ", ".join(["%s"] * len(rows[0]))
                cursor.executemany(f'INSERT INTO "{table}" VALUES ({values})', rows)  # noqa: S608
    for source, given in zip(known_sources(), recording.given, strict=True):
        source.given = given
    return Campaign.objects.get(pk=recording.campaign)


def _contents() -> dict[str, list[Row]]:
    """Return all rows of the program's own tables, those between two models included."""
    found = {}
    with connection.cursor() as cursor:
        for label in OWN_APPS:
            for model in apps.get_app_config(label).get_models(include_auto_created=True):
                table = model._meta.db_table
                cursor.execute(f'SELECT * FROM "{table}" ORDER BY 1')  # noqa: S608
                found[table] = cursor.fetchall()
    return found
