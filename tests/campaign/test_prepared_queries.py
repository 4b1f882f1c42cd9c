"""Queries that Django builds once: the same objects as by the queryset, for any parameters."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import F, Q
from django.test.utils import CaptureQueriesContext

from campaign.access import selectors
from campaign.models import Campaign
from campaign.services.journal import creation
from ops.prepared_queries import PreparedQuery

pytestmark = pytest.mark.django_db


def named(name: str, least: int = 0) -> Any:
    """Return the users of that name from a number on, and all of the staff."""
    return User.objects.filter(Q(username=name, pk__gte=least) | Q(is_staff=True)).order_by("pk")


@pytest.fixture
def users() -> list[User]:
    return [
        User.objects.create_user("gordon"),
        User.objects.create_user("o'neill; --"),
        User.objects.create_user("staff", is_staff=True),
    ]


def test_it_finds_what_the_queryset_finds_whatever_the_parameters(users: list[User]) -> None:
    query = PreparedQuery(User, named, str, int)
    for name in ("gordon", "o'neill; --", "%s", "nobody"):
        for least in (0, users[1].pk, 2**31 - 1):
            found = query.run(name, least)
            assert found == list(named(name, least))
            assert [vars(one)["date_joined"] for one in found] == [
                one.date_joined for one in named(name, least)
            ]


def test_a_percent_sign_of_the_statement_stays_one(users: list[User]) -> None:
    query = PreparedQuery(
        User, lambda name: named(name).annotate(odd=F("pk") % 2).values_list("pk", "odd"), str
    )
    for _ in range(2):
        assert query.rows("gordon") == [(one.pk, one.pk % 2) for one in named("gordon")]


def test_after_the_first_time_it_is_one_statement(
    users: list[User], django_assert_num_queries: Any
) -> None:
    query = PreparedQuery(User, named, str, int)
    query.run("gordon", 0)
    with django_assert_num_queries(1) as ran:
        assert isinstance(ran, CaptureQueriesContext)
        assert query.run("o'neill; --", 0) == [users[1], users[2]]


@pytest.mark.parametrize(
    "make",
    [
        lambda name: User.objects.none(),
        lambda name: User.objects.order_by("pk"),
        lambda name: User.objects.filter(username="gordon" + name),
    ],
)
def test_a_queryset_that_does_not_take_its_parameters_as_values_is_refused(
    users: list[User], make: Any
) -> None:
    query = PreparedQuery(User, make, str)
    with pytest.raises(ValueError, match="every parameter as a value"):
        query.run("x")


def test_the_version_of_a_campaign_comes_by_the_rule_of_access(users: list[User]) -> None:
    with pytest.raises(selectors.NotVisible):
        selectors.version_for(users[0], "nowhere")


def test_its_rows_are_those_of_the_queryset_with_booleans_as_booleans(users: list[User]) -> None:
    query = PreparedQuery(
        User, lambda name: named(name).values_list("pk", "username", "is_staff"), str
    )
    for name in ("gordon", "o'neill; --", "%s", "nobody"):
        found = query.rows(name)
        assert found == list(named(name).values_list("pk", "username", "is_staff"))
        assert {type(staff) for *_, staff in found} == {bool}


def test_the_version_read_in_rows_is_that_of_the_campaign(users: list[User]) -> None:
    gordon, oneill, _ = users
    seats = {"egyptian": gordon, "mahdist": gordon, "umpire": oneill}
    wanted = creation.NewCampaignTerms("siege-of-khartoum", slug="siege", seats=seats, fog=True)
    campaign = creation.create_campaign(wanted)
    read = selectors.version_for(gordon, "siege")
    found = read.campaign
    assert found.version == Campaign.objects.get(pk=campaign.pk).version
    assert (found.pk, read.roles) == (campaign.pk, {"egyptian", "mahdist"})
    with pytest.raises(selectors.NotVisible):
        selectors.version_for(AnonymousUser(), "siege")
    Campaign.objects.update(public=True)
    open_to_all = selectors.version_for(AnonymousUser(), "siege")
    assert (open_to_all.campaign.version, open_to_all.roles) == (found.version, set())
