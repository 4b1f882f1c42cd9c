"""The balance bench: campaigns by two editions, played by a worker a few at a time.

With the same seed it comes to the same, wherever it was broken off.
"""

from dataclasses import dataclass
from functools import partial

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from campaign import simulation, stored
from campaign.models import Bench, OwnTables, TableSet
from campaign.rules.tables.editions import shipped
from campaign.services.create import known_scenario
from campaign.services.errors import NotAllowed, UnderWay, Unfit
from campaign.services.slices import Sliced
from campaign.services.tables import keep_tables
from campaign.services.work import abandoned, fail, send
from campaign.simulation import Run

BENCH = "campaign.tasks.bench"
FEWEST, MOST = 2, 500
SHIPPED = "as shipped"


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


def _play(bench: Bench, place: int) -> Run:
    """Campaigns before and after by turns; of each pair both have the same dice."""
    tables = bench.after if place % 2 else bench.before
    stored.edition_of(tables.digest)
    return simulation.play_campaign(
        bench.scenario, bench.seed, place // 2 + 1, edition=tables.digest
    )


BENCHES = Sliced(Bench, BENCH, "runs", list[Run], _play, "The bench is done.")
run_bench = BENCHES.run
resume_benches = BENCHES.resume
take_up_benches = BENCHES.take_up
runs_of = BENCHES.pieces_of
