"""Deadlines as arithmetic: the hour on the wall, summer time, grace, extensions, pauses."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.services.turns import timetable as d
from campaign.services.turns.timetable import Clock, Policy, PolicyError, Stage

WEEKLY = Policy("Europe/London", hour=20, days=7)
ZONES = ("Europe/London", "America/New_York", "Australia/Lord_Howe", "Africa/Khartoum", "UTC")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def wall(moment: datetime, policy: Policy) -> str:
    return moment.astimezone(ZoneInfo(policy.zone)).isoformat()[:16]


def test_a_month_is_due_at_the_hour_so_many_days_on() -> None:
    assert d.clock_of_month(WEEKLY, at("2026-06-01T19:00")).due == at("2026-06-08T19:00")


def test_a_month_that_runs_late_keeps_to_its_day_of_the_week() -> None:
    late = d.clock_of_month(WEEKLY, at("2026-06-07T19:00:41")).due
    assert wall(late, WEEKLY) == "2026-06-14T20:00"


def test_a_month_that_begins_just_before_the_hour_is_not_due_a_minute_later() -> None:
    daily = Policy("UTC", hour=0, days=1)
    assert d.clock_of_month(daily, at("2026-06-01T23:59")).due == at("2026-06-03T00:00")


def test_the_hour_on_the_wall_stays_when_summer_time_begins() -> None:
    due = d.clock_of_month(WEEKLY, at("2026-03-25T20:00")).due
    assert wall(due, WEEKLY) == "2026-04-01T20:00"
    assert due - at("2026-03-25T20:00") == timedelta(days=7, hours=-1)


def test_the_hour_on_the_wall_stays_when_summer_time_ends() -> None:
    due = d.clock_of_month(WEEKLY, at("2026-10-21T19:00")).due
    assert wall(due, WEEKLY) == "2026-10-28T20:00"
    assert due - at("2026-10-21T19:00") == timedelta(days=7, hours=1)


def test_an_hour_that_the_clock_leaps_over_is_read_as_the_one_after_it() -> None:
    leapt = d.moment(datetime(2026, 3, 29, 1, 0), "Europe/London")  # noqa: DTZ001
    assert leapt == at("2026-03-29T01:00")
    assert leapt.astimezone(ZoneInfo("Europe/London")).hour == 2


def test_an_hour_that_the_clock_shows_twice_is_the_second_one() -> None:
    twice = d.moment(datetime(2026, 10, 25, 1, 0), "Europe/London")  # noqa: DTZ001
    assert twice == at("2026-10-25T01:00")


def test_a_leap_of_half_an_hour_is_no_exception() -> None:
    leapt = d.moment(datetime(2026, 10, 4, 2, 0), "Australia/Lord_Howe")  # noqa: DTZ001
    assert leapt.astimezone(ZoneInfo("Australia/Lord_Howe")).isoformat()[11:16] == "02:30"


@given(
    st.sampled_from(ZONES),
    st.integers(0, 23),
    st.integers(1, 60),
    st.datetimes(datetime(2025, 1, 1), datetime(2035, 1, 1)),  # noqa: DTZ001
)
def test_a_deadline_is_within_half_a_day_of_the_days_asked_for(
    zone: str, hour: int, days: int, began: datetime
) -> None:
    policy = Policy(zone, hour=hour, days=days)
    clock = d.clock_of_month(policy, began.replace(tzinfo=UTC))
    away = clock.due - began.replace(tzinfo=UTC) - timedelta(days=days)
    assert abs(away) <= timedelta(hours=14)
    shown = clock.due.astimezone(ZoneInfo(zone)).hour
    assert (shown - hour) % 24 in (0, 1)
    assert clock.grace_until - clock.due == timedelta(hours=24)


@given(st.sampled_from(ZONES), st.integers(0, 23))
def test_month_by_month_deadlines_never_drift(zone: str, hour: int) -> None:
    policy = Policy(zone, hour=hour, days=7)
    due = d.clock_of_month(policy, at("2026-01-05T12:00")).due
    all_year = [due := d.clock_of_month(policy, due + timedelta(seconds=30)).due for _ in range(60)]
    days = {moment.astimezone(ZoneInfo(zone)).weekday() for moment in all_year}
    assert len(days) == 1
    assert all(earlier < later for earlier, later in pairwise(all_year))


CLOCK = Clock(at("2026-06-08T19:00"), at("2026-06-09T19:00"))


@pytest.mark.parametrize(
    ("now", "stage"),
    [
        ("2026-06-07T18:59", Stage.OPEN),
        ("2026-06-07T19:00", Stage.NEAR),
        ("2026-06-08T18:59", Stage.NEAR),
        ("2026-06-08T19:00", Stage.GRACE),
        ("2026-06-09T18:59", Stage.GRACE),
        ("2026-06-09T19:00", Stage.OVER),
    ],
)
def test_a_deadline_nears_is_in_grace_and_is_over(now: str, stage: Stage) -> None:
    assert d.stage(WEEKLY, CLOCK, at(now)) is stage


def test_without_grace_a_deadline_is_over_at_once() -> None:
    strict = Policy(grace_hours=0)
    clock = d.clock_of_month(strict, at("2026-06-01T19:00"))
    assert d.stage(strict, clock, clock.due) is Stage.OVER


def test_extensions_add_up_to_the_ceiling_and_no_further() -> None:
    policy = Policy(extension_ceiling_hours=48)
    later = d.extend_deadline(policy, d.extend_deadline(policy, CLOCK, 24 * 60), 24 * 60)
    assert later.due == CLOCK.due + timedelta(hours=48)
    assert d.left_to_extend(policy, later) == 0
    with pytest.raises(PolicyError, match=r"48 hours in all \(left: 0"):
        d.extend_deadline(policy, later, 60)


def test_an_extension_beyond_the_ceiling_changes_nothing_of_it() -> None:
    with pytest.raises(PolicyError, match="96 hours in all"):
        d.extend_deadline(WEEKLY, CLOCK, 85 * 24 * 60)


def test_a_ceiling_of_one_hour_is_one_hour() -> None:
    with pytest.raises(PolicyError, match=r"by 1 hour in all \(left: 1\)"):
        d.extend_deadline(Policy(extension_ceiling_hours=1), CLOCK, 120)


@pytest.mark.parametrize("minutes", [0, -60])
def test_a_deadline_is_never_moved_forward(minutes: int) -> None:
    with pytest.raises(PolicyError, match="never moved forward"):
        d.extend_deadline(WEEKLY, CLOCK, minutes)


def test_grace_moves_with_an_extension() -> None:
    later = d.extend_deadline(WEEKLY, CLOCK, 120)
    assert later.grace_until - later.due == timedelta(hours=24)


def test_a_clock_that_stands_still_goes_on_standing_when_it_is_extended() -> None:
    stopped = d.pause_deadline(CLOCK, at("2026-06-06T19:00"))
    later = d.extend_deadline(WEEKLY, stopped, 300)
    assert (later.paused, later.due) == (stopped.paused, CLOCK.due + timedelta(hours=5))


def test_a_clock_that_is_paused_stands_still() -> None:
    stopped = d.pause_deadline(CLOCK, at("2026-06-06T19:00"))
    assert d.stage(WEEKLY, stopped, at("2027-01-01T00:00")) is Stage.PAUSED
    assert d.pause_deadline(stopped, at("2026-06-07T19:00")) == stopped


def test_after_a_pause_as_much_time_is_left_as_there_was() -> None:
    stopped = d.pause_deadline(CLOCK, at("2026-06-06T19:00"))
    going = d.resume_deadline(WEEKLY, stopped, at("2026-07-01T09:30"))
    assert wall(going.due, WEEKLY) == "2026-07-03T20:00"
    assert going.paused is None


def test_who_was_overdue_when_the_clock_stopped_has_half_a_day_when_it_goes_on() -> None:
    stopped = d.pause_deadline(CLOCK, at("2026-06-09T03:00"))
    going = d.resume_deadline(WEEKLY, stopped, at("2026-07-01T18:55"))
    assert wall(going.due, WEEKLY) == "2026-07-02T20:00"


@pytest.mark.parametrize("since", ["2026-06-01T19:30", "2026-06-08T18:30"])
def test_a_pause_of_less_than_an_hour_moves_nothing(since: str) -> None:
    stopped, hour = d.pause_deadline(CLOCK, at(since)), timedelta(hours=1)
    just_before = at(since) + hour - timedelta(seconds=1)
    moved = d.resume_deadline(WEEKLY, stopped, at(since) + hour).due
    assert (d.resume_deadline(WEEKLY, stopped, just_before) == CLOCK) is (just_before < CLOCK.due)
    assert moved > CLOCK.due
    assert d.local_time_text(moved, WEEKLY.zone).endswith(", 20:00 (Europe/London)")


def test_stopped_again_and_again_for_a_moment_it_is_due_when_it_was() -> None:
    clock = CLOCK
    for day in range(1, 8):
        stopped = d.pause_deadline(clock, at(f"2026-06-0{day}T09:00"))
        clock = d.resume_deadline(WEEKLY, stopped, at(f"2026-06-0{day}T09:10"))
    assert clock == CLOCK


def test_a_pause_takes_nothing_from_what_may_be_extended() -> None:
    stopped = d.pause_deadline(d.extend_deadline(WEEKLY, CLOCK, 60), at("2026-06-06T19:00"))
    assert d.resume_deadline(WEEKLY, stopped, at("2026-06-07T19:00")).extended == 60


def test_a_clock_that_was_not_paused_goes_on_as_it_is() -> None:
    assert d.resume_deadline(WEEKLY, CLOCK, at("2026-06-07T19:00")) == CLOCK


def test_a_policy_is_read_back_as_it_was_written() -> None:
    assert d.policy_in(msgspec.to_builtins(WEEKLY)) == WEEKLY
    assert d.policy_in({}) is None


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        ("zone", "Atlantis/Capital", "no time zone"),
        ("hour", 24, "`hour` must be at most 23"),
        ("days", 0, "`days` must be at least 1"),
        ("grace_hours", -1, "grace_hours"),
        ("no_show", "shoot", "cannot be read"),
        ("moon", "full", "cannot be read"),
    ],
)
def test_a_policy_that_cannot_be_kept_is_refused_by_name(
    part: str, value: object, said: str
) -> None:
    with pytest.raises(PolicyError, match=said):
        d.policy_in({**msgspec.to_builtins(WEEKLY), part: value})
