"""The staff's plans for a scenario, from its file `plans.toml`, and a stack's task by them."""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Annotated, Literal, NamedTuple

import msgspec

from battles.core.tables import Source
from campaign.rules import scenario_files
from campaign.rules.core.board import scenario_of
from campaign.rules.core.pieces import Month, month_from_text
from campaign.rules.core.state import State
from campaign.rules.map import HexId, MapError, sudan
from campaign.rules.tables import scenario_data as v
from campaign.rules.tables.scenario_data import Scenario


class PlanObjective(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place for the Mahdists to take, the factors it needs, and the theatre they come from.

    `after`: another place has to be theirs first; `since`: not before this month. `lure`: the
    movement points it is worth. `open`: bands that have nothing better to do join.
    """

    place: str
    theatre: Literal["nile", "coast"]
    want: float = 0
    lure: float = 0
    open: bool = False
    after: str = ""
    since: str = ""

    @property
    def first_month(self) -> Month:
        """Return the month from which it is an aim; 0 for any."""
        return month_from_text(self.since) if self.since else Month(0)


class Garrison(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place of the Egyptian player that can spare all but `keep` fighters.

    They leave in columns of at most `column` units, their train among them, and of at least `least`
    factors of fire and melee.
    """

    place: str
    keep: int
    column: int = 6
    least: float = 16


class RecordedEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of history, by which the campaigns of the ladder are measured.

    `taken`: the Mahdists hold the place; `lost`: the leader has fallen; `arrives`: he is on the
    map; `near`: he is within reach of the place; `still`: he and the leader `also` are on the map
    when the month is over. `month` is that of the record, "" if it never happened.
    """

    title: str
    event: Literal["taken", "lost", "arrives", "near", "still"]
    place: str = ""
    leader: str = ""
    also: str = ""
    month: str = ""


class Plans(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, eq=False):
    """The plans of both sides' staff in one scenario, compared by identity.

    Egyptian columns march on the first of `objectives` that is lost or besieged, else on the last;
    small bodies, supply and gunboats gather in `gather_at`; native troops on the coast go to
    `from_coast_by`, if given, while it is theirs and free; garrisons of `never_yielded` stand fast.
    The Mahdists go for their aims, the most wanted first. `caution` warns players and judges of the
    scenario what these plans miss.
    """

    objectives: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    gather_at: str
    from_coast_by: str = ""
    never_yielded: tuple[str, ...] = ()
    aim: tuple[PlanObjective, ...] = ()
    garrison: tuple[Garrison, ...] = ()
    record: tuple[RecordedEvent, ...] = ()
    caution: str = ""


def plans_of(state: State) -> Plans:
    """Return the plans for the campaign's scenario: those of its file, else the usual ones."""
    if state.scenario in slugs():
        return plans(state.scenario)
    return usual_plans(scenario_of(state))


def caution(scenario: str) -> str:
    """Return the known flaws of the plans in a scenario; empty where there are none."""
    return plans(scenario).caution if scenario in slugs() else ""


@cache
def slugs() -> frozenset[str]:
    """Return the slugs of the scenarios that have a directory."""
    return frozenset(scenario_files.slugs())


@cache
def plans(slug: str) -> Plans:
    """Return the plans in the scenario's file. Raises TableError with file and line of a fault."""
    return read_plans(scenario_files.source(slug, scenario_files.PLANS))


def read_plans(source: Source) -> Plans:
    """Return the plans in a file. Raises TableError with the line of a fault."""
    read = source.convert(source.document(), Plans)
    for where, name in _places(read):
        try:
            sudan().place(name)
        except MapError as error:
            raise source.error(where, str(error).rstrip("."), "correct its spelling") from error
    for place, aim in enumerate(read.aim):
        if aim.since:
            _check_month(source, f"$.aim[{place}].since", aim.since)
    for place, event in enumerate(read.record):
        if event.month:
            _check_month(source, f"$.record[{place}].month", event.month)
    return read


def _check_month(source: Source, where: str, text: str) -> None:
    try:
        month_from_text(text)
    except ValueError as error:
        raise source.error(where, f"{text!r} is not a month", "write it like 1884-02") from error


def _places(read: Plans) -> Iterator[tuple[str, str]]:
    """Yield every place that the plans name, with its path in the file."""
    yield from (("$.objectives", name) for name in read.objectives)
    yield "$.gather_at", read.gather_at
    if read.from_coast_by:
        yield "$.from_coast_by", read.from_coast_by
    yield from (("$.never_yielded", name) for name in read.never_yielded)
    for place, aim in enumerate(read.aim):
        yield f"$.aim[{place}].place", aim.place
        if aim.after:
            yield f"$.aim[{place}].after", aim.after
    yield from ((f"$.garrison[{n}].place", one.place) for n, one in enumerate(read.garrison))
    yield from (
        (f"$.record[{n}].place", one.place) for n, one in enumerate(read.record) if one.place
    )


WANTED = 20.0
"""The factors with which the usual plans go for a place."""


@lru_cache(maxsize=16)
def usual_plans(here: Scenario) -> Plans:
    """Return plans for a scenario without a file: all go for the places that win it."""
    named = [name for one in here.victory for name in _named(one)]
    places = tuple(dict.fromkeys(named)) or here.replaced.at
    coast = sudan().region("souakim_extension")
    return Plans(
        objectives=places,
        gather_at=places[0],
        never_yielded=places,
        aim=tuple(
            PlanObjective(
                name, "coast" if sudan().place(name).hex in coast else "nile", WANTED, open=True
            )
            for name in places
        ),
        garrison=tuple(Garrison(name, keep=2) for name in places),
    )


def _named(one: v.Condition) -> tuple[str, ...]:
    """Return the places that a condition of victory names."""
    if isinstance(one, v.PlaceCaptured | v.SiegeMaintained):
        return (one.place,)
    return one.places if isinstance(one, v.Unbesieged | v.UnitArrived) else ()


NOBODY = Garrison("", keep=0, least=0)


@lru_cache(maxsize=64)
def garrisons(of: Plans) -> dict[str, Garrison]:
    """Return the garrisons of the plans by place."""
    return {one.place: one for one in of.garrison}


class Task(NamedTuple):
    """A stack's task: `place` is its subject, `goals` are the hexes to stand in.

    `hold`: the stack may attack neighbours, but does not leave its hex.
    """

    place: HexId
    goals: tuple[HexId, ...]
    hold: bool = False


def record_of(scenario: str) -> tuple[RecordedEvent, ...]:
    """Return the record of history in the scenario's file, if it has one."""
    return plans(scenario).record if scenario in slugs() else ()
