"""One battle fought by every book and by the campaign's own table, a few at a time."""

from dataclasses import dataclass
from functools import partial

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from battles import journal
from battles.contract import Brief
from battles.core.document import decode, encode
from campaign import compared
from campaign.compared import Bout
from campaign.models import Comparison
from campaign.services.errors import NotAllowed, UnderWay, Unfit
from campaign.services.slices import Sliced
from campaign.services.work import abandoned, fail, send

COMPARISON = "campaign.tasks.comparison"
FEWEST, MOST = 2, 500


@dataclass(frozen=True)
class Wish:
    """What is to be compared: a battle, how often it is fought by each; `offer` if it is one."""

    brief: Brief
    each: int
    offer: str = ""
    seed: int = 1


def request_comparison(user: User, wish: Wish) -> Comparison:
    """Ask the workers for it. Raises Unfit, and UnderWay while the user's last one lasts."""
    if not FEWEST <= wish.each <= MOST:
        raise Unfit(f"{wish.each} battles cannot be fought: ask for {FEWEST} to {MOST}.")
    ways = compared.ways()
    try:
        with transaction.atomic():
            _make_way(user)
            asked = Comparison.objects.create(
                asked_by=user,
                title=wish.brief.title[:200],
                offer=wish.offer,
                brief=journal.pack(encode(wish.brief)),
                ways=list(ways),
                each=wish.each,
                seed=wish.seed,
                total=wish.each * len(ways),
            )
            transaction.on_commit(partial(send, COMPARISON, asked, 0))
    except IntegrityError as error:
        raise UnderWay(
            "Your last comparison is still at work: wait until it is done, or stop it."
        ) from error
    asked.refresh_from_db()
    return asked


def _make_way(user: User) -> None:
    """End a comparison of the user's that no worker is about any more."""
    for asked in Comparison.objects.filter(asked_by=user, status__in=Comparison.UNFINISHED):
        if abandoned(asked):
            fail(asked, "No worker was about it any more, and another was asked for.")


def stop_comparison(user: User, comparison: Comparison) -> None:
    """End the user's comparison; what has been fought is kept."""
    if comparison.asked_by_id != user.pk:
        raise NotAllowed("Only whoever asked for a comparison may stop it.")
    fail(comparison, "Stopped; what was fought is kept.")


def _fight(comparison: Comparison, place: int) -> Bout:
    way, number = compared.at(place, comparison.ways)
    brief = decode(journal.unpack(comparison.brief), Brief)
    return compared.bout(brief, way, comparison.seed, number)


COMPARISONS = Sliced(
    Comparison, COMPARISON, "bouts", list[Bout], _fight, "All battles have been fought."
)
run_comparison = COMPARISONS.run
resume_comparisons = COMPARISONS.resume
take_up_comparisons = COMPARISONS.take_up
bouts_of = COMPARISONS.pieces_of
