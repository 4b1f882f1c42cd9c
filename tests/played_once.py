"""Make folders and campaigns once in a run, and lay the campaigns into the database again.

With known dice the same beginning leads to the same rows, so playing it again for every test would
show nothing new. A test gets rows of its own, which are gone after it. The rows are kept in a
folder that all processes of the run share.
"""

import fcntl
import pickle
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, transaction

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


_RECORDINGS: dict[str, Recording] = {}
_SHARED: list[Path] = []


def share_in(folder: Path) -> None:
    """Keep what is played in that folder too, for the other processes of the run."""
    folder.mkdir(exist_ok=True)
    _SHARED[:] = [folder]


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that `make` has filled, by whichever process of the run needed it first.

    The others wait for it, and only read it or copy it.
    """
    (shared,) = _SHARED
    made, unfinished = shared / name, shared / f"{name}.unfinished"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(made)
    return made


def play_once(name: object, play: Callable[[], Campaign], *, wholly: bool = True) -> Campaign:
    """Return the campaign that `play` makes, from the rows it has made before where it can be.

    `name` tells apart what is played, by its `repr`. It is played indeed only once for the same
    people, dice and other rows, and once more where the test commits, for what follows a commit
    writes rows too: published pages, which are made when they are asked for if `wholly` is False
    and there are none. It is played always where it changes rows that were there, where the dice
    are not known, and on PostgreSQL, whose sequences would not follow the rows.
    """
    sources = known_sources()
    if connection.vendor != "sqlite" or len(sources) < len(MODULES):
        return play()
    drawn = tuple((source.seed, source.given) for source in sources)
    users = tuple(User.objects.order_by("pk").values_list("pk", "username"))
    before = _contents()
    commits = wholly and not connection.in_atomic_block
    about = (name, commits, drawn, users, before)
    key = sha256(repr(about).encode()).hexdigest()
    recording = _known(key)
    if recording is not None:
        return _lay_down(recording)
    campaign = play()
    given = [source.given for source in sources]
    after = _contents()
    if all(rows == after[table][: len(rows)] for table, rows in before.items()):
        added = {table: rows[len(before[table]) :] for table, rows in after.items()}
        _keep(key, Recording(campaign.pk, added, given))
    return campaign


def _known(key: str) -> Recording | None:
    for folder in _SHARED:
        if key not in _RECORDINGS and (folder / key).exists():
            _RECORDINGS[key] = pickle.loads((folder / key).read_bytes())  # noqa: S301  our own
    return _RECORDINGS.get(key)


def _keep(key: str, recording: Recording) -> None:
    _RECORDINGS[key] = recording
    for folder in _SHARED:
        with NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(pickle.dumps(recording))
        Path(file.name).rename(folder / key)


def begin_once(wanted: creation.NewCampaignTerms, months: int) -> Campaign:
    """Return that campaign so many months after its beginning, as `play_once` does."""

    def play() -> Campaign:
        campaign = creation.create_campaign(wanted)
        return advance.run_month(campaign.pk, until=campaign.month + months)

    return play_once((repr(wanted), months), play)


def _lay_down(recording: Recording) -> Campaign:
    with transaction.atomic(), connection.cursor() as cursor:
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
