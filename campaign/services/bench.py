"""The balance bench: campaigns by two editions, played by a worker a few at a time.

A worker gives way after each slice, so that a month which somebody waits for comes first. Every
campaign is written as it is finished: killed anywhere, the bench goes on from there, and with the
same seed it comes to the same.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import monotonic
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from battles import journal
from battles.core.document import encode
from campaign import simulation, stored
from campaign.models import Bench, OwnTables, TableSet
from campaign.rules.editions import shipped
from campaign.services.create import known_scenario
from campaign.services.errors import NotAllowed, UnderWay, Unfit
from campaign.services.tables import keep_tables
from campaign.services.work import (
    Claim,
    TakenOver,
    abandoned,
    claimed,
    fail,
    note,
    send,
)
from campaign.simulation import Run

BENCH = "campaign.tasks.bench"
SLICE = 2.0
"""Seconds after which a worker gives way to other work."""
FEWEST, MOST = 2, 500
SHIPPED = "as shipped"
_runs = msgspec.json.Decoder(list[Run])


@dataclass(frozen=True)
class Trial:
    """What is tried: so many campaigns of a scenario by each of two sets; None for the shipped."""

    scenario: str
    campaigns: int
    before: OwnTables | None = None
    after: OwnTables | None = None
    seed: int = 1


def request_bench(user: User, trial: Trial) -> Bench:
    """Ask the workers for a trial. Raises Unfit, and UnderWay while the user's last one lasts."""
    scenario = known_scenario(trial.scenario).slug
    if not FEWEST <= trial.campaigns <= MOST:
        raise Unfit(f"{trial.campaigns} campaigns cannot be played: ask for {FEWEST} to {MOST}.")
    before, after = _tables(trial.before), _tables(trial.after)
    if before == after:
        raise Unfit("Both sides of the bench are the same: choose a set of tables of your own.")
    try:
        with transaction.atomic():
            _make_way(user)
            bench = Bench.objects.create(
                asked_by=user,
                scenario=scenario,
                before=before,
                after=after,
                before_name=_name(trial.before),
                after_name=_name(trial.after),
                seed=trial.seed,
                total=2 * trial.campaigns,
            )
            transaction.on_commit(partial(send, BENCH, bench, 0))
    except IntegrityError as error:
        raise UnderWay(
            "Your last bench is still at work: wait until it is done, or stop it."
        ) from error
    bench.refresh_from_db()
    return bench


def _tables(own: OwnTables | None) -> TableSet:
    return own.tables if own else keep_tables(shipped())


def _name(own: OwnTables | None) -> str:
    return own.name if own else SHIPPED


def _make_way(user: User) -> None:
    """End a bench of the user's that no worker is about any more."""
    for bench in Bench.objects.filter(asked_by=user, status__in=Bench.UNFINISHED):
        if abandoned(bench):
            fail(bench, "No worker was about it any more, and another was asked for.")


def stop_bench(user: User, bench: Bench) -> None:
    """End the user's bench; what has been played is kept."""
    if bench.asked_by_id != user.pk:
        raise NotAllowed("Only whoever asked for a bench may stop it.")
    fail(bench, "Stopped; what was played is kept.")


def resume_benches() -> int:
    """Hand over again every bench that is not finished; gives back how many. Harmless twice."""
    unfinished = list(Bench.objects.filter(status__in=Bench.UNFINISHED))
    for bench in unfinished:
        send(BENCH, bench, bench.progress)
    return len(unfinished)


def run_bench(
    uuid: str | UUID,
    told: Callable[[Bench], None] = lambda bench: None,
    *,
    expected: int | None = None,
) -> Claim:
    """Claim the bench and play a slice of it; MORE when it has been handed over again.

    `told` is called with the bench after every campaign. `expected`: campaigns played when it was
    handed over; NOTHING if there are more by now, for then the same order has come twice.
    """
    bench = Bench.objects.filter(uuid=uuid, status__in=Bench.UNFINISHED).first()
    if bench is None or _is_repeated(bench, expected):
        return Claim.NOTHING
    if not claimed(bench):
        return Claim.BUSY
    try:
        return _play_slice(bench, told)
    except TakenOver:
        return Claim.BUSY
    except Exception as error:
        fail(bench, f"The staff failed ({type(error).__name__}: {error}); tell its keeper.")
        raise


def _is_repeated(bench: Bench, expected: int | None) -> bool:
    """Whether the bench has been handed on since: a lost worker's order is not repeated."""
    return bench.status == Bench.Status.ASKED and expected not in (None, bench.progress)


def _play_slice(bench: Bench, told: Callable[[Bench], None]) -> Claim:
    runs, began = runs_of(bench), monotonic()
    while len(runs) < bench.total and monotonic() - began < SLICE:
        runs.append(_play(bench, len(runs)))
        bench.progress, bench.runs = len(runs), journal.pack(encode(runs))
        note(bench, progress=bench.progress, runs=bench.runs)
        told(bench)
    if len(runs) < bench.total:
        note(bench, status=Bench.Status.ASKED)
        send(BENCH, bench, len(runs))
        return Claim.MORE
    note(bench, status=Bench.Status.DONE, finished=timezone.now(), message="The bench is done.")
    return Claim.DONE


def _play(bench: Bench, place: int) -> Run:
    """Campaigns before and after by turns; of each pair both have the same dice."""
    tables = bench.after if place % 2 else bench.before
    stored.edition_of(tables.digest)
    return simulation.play_campaign(
        bench.scenario, bench.seed, place // 2 + 1, edition=tables.digest
    )


def runs_of(bench: Bench) -> list[Run]:
    """Every campaign played so far, before and after by turns."""
    return _runs.decode(journal.unpack(bench.runs)) if bench.progress else []
