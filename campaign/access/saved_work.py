"""Read users' saved work: their tables, benches, comparisons and inquiries.

Only their owner sees them, except comparisons of ready battles, which are public.
"""

from datetime import timedelta
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from campaign import serialization
from campaign.access.selectors import Anybody, campaigns_for, first_visible
from campaign.models import Bench, Comparison, Inquiry, OwnScenario, OwnTables, TableSet
from campaign.rules.tables.editions import Edition, shipped_edition

KEPT_FOR = timedelta(days=14)
"""The time for which users can restore what they have deleted."""


def own_tables(user: Anybody) -> QuerySet[OwnTables]:
    """Return the user's sets, the newest first; none for an anonymous user."""
    if not isinstance(user, User):
        return OwnTables.objects.none()
    return OwnTables.objects.filter(owner=user).select_related("tables")


def own_set(user: Anybody, number: int) -> OwnTables:
    """Return the user's name for the set of that id. Raises NotVisible when there is none."""
    return first_visible(
        own_tables(user).filter(tables=number), f"You have no set of tables {number}."
    )


def own_name(user: Anybody, number: int) -> OwnTables:
    """Return the user's named set by the number of the name. Raises NotVisible without one."""
    return first_visible(own_tables(user).filter(pk=number), f"You have no set of tables {number}.")


def table_set_for(user: Anybody, number: int) -> TableSet:
    """Return a set by its id: the user's, the shipped, or that of a campaign they may see.

    Raises NotVisible when there is none.
    """
    played = Q(pk__in=campaigns_for(user).values("tables"))
    seen = played | Q(pk__in=own_tables(user).values("tables")) | Q(digest=shipped_edition().digest)
    seen |= Q(pk__in=own_scenarios(user).exclude(tables=None).values("tables"))
    table_sets = TableSet.objects.filter(seen, pk=number).defer("texts")
    return first_visible(table_sets, f"There is no set of tables {number} that you may see.")


def own_scenarios(user: Anybody) -> QuerySet[OwnScenario]:
    """Return the user's own scenarios, the last changed first; none for an anonymous user."""
    if not isinstance(user, User):
        return OwnScenario.objects.none()
    return OwnScenario.objects.filter(owner=user, deleted=None).select_related("tables")


def deleted_scenarios(user: Anybody) -> QuerySet[OwnScenario]:
    """Return the scenarios that the user has deleted and can restore, the last deleted first."""
    if not isinstance(user, User):
        return OwnScenario.objects.none()
    recent = OwnScenario.objects.filter(owner=user, deleted__gt=timezone.now() - KEPT_FOR)
    return recent.order_by("-deleted")


def own_scenario(user: Anybody, number: int) -> OwnScenario:
    """Return the user's own scenario of that number. Raises NotVisible when there is none."""
    return first_visible(own_scenarios(user).filter(pk=number), f"You have no scenario {number}.")


def shared_scenario(link: UUID) -> OwnScenario:
    """Return the scenario that is shared by this link. Raises NotVisible when none is."""
    shared = OwnScenario.objects.filter(link=link, shared=True, deleted=None)
    return first_visible(
        shared.select_related("tables"),
        "There is no scenario behind this link, or it is not shared any more.",
    )


def edition_of(own_tables: OwnTables) -> Edition:
    """Return the edition under that name. Raises Damaged when it cannot be played any more."""
    return serialization.edition_of(own_tables.tables.digest)


def benches(user: Anybody) -> QuerySet[Bench]:
    """Return the user's benches, the newest first; none for an anonymous user."""
    if not isinstance(user, User):
        return Bench.objects.none()
    return Bench.objects.filter(asked_by=user).defer("runs")


def bench_for(user: User, number: UUID) -> Bench:
    """Return the user's bench of that number. Raises NotVisible when there is none."""
    return first_visible(
        Bench.objects.filter(asked_by=user, uuid=number), f"You have no bench {number}."
    )


def comparisons(user: Anybody) -> QuerySet[Comparison]:
    """Return the comparisons the user asked for, the newest first; none for an anonymous user."""
    if not isinstance(user, User):
        return Comparison.objects.none()
    return Comparison.objects.filter(asked_by=user).defer("brief", "bouts")


def comparison_for(user: Anybody, number: UUID) -> Comparison:
    """Return the comparison of that number. Raises NotVisible unless the user may see it."""
    visible = comparisons_seen(user).filter(uuid=number)
    return first_visible(visible, f"There is no comparison {number} that you may see.")


def comparisons_seen(user: Anybody) -> QuerySet[Comparison]:
    """Return the comparisons the user may see: their own, and those of ready battles."""
    visible = ~Q(offer="")
    if isinstance(user, User):
        visible |= Q(asked_by=user)
    return Comparison.objects.filter(visible)


def inquiries(user: Anybody) -> QuerySet[Inquiry]:
    """Return the user's inquiries into campaigns they may still see; none for an anonymous user."""
    if not isinstance(user, User):
        return Inquiry.objects.none()
    seen = Inquiry.objects.filter(asked_by=user, campaign__in=campaigns_for(user).values("pk"))
    return seen.select_related("campaign")


def best_comparison(offer: str) -> Comparison | None:
    """Return the comparison of that battle by the most books, then with the most battles fought."""
    comparisons = Comparison.objects.filter(offer=offer, progress__gt=0)
    return max(
        comparisons,
        key=lambda comparison: (len(comparison.ways), comparison.progress, comparison.pk),
        default=None,
    )
