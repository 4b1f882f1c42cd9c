"""The staff's plans for a scenario, from its file `plans.toml`, and a stack's task by them."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Annotated, Literal, NamedTuple

import msgspec

from battles.contract.brief import Side
from battles.core.tables import Source, TableError
from battles.core.validation import PartialReader, WrongPart
from campaign.rules import scenario_files
from campaign.rules.core.board import scenario_of
from campaign.rules.core.pieces import month_from_text
from campaign.rules.core.state import State
from campaign.rules.map import HexId, Map, MapError, is_printed, sudan
from campaign.rules.tables import scenario_data as v
from campaign.rules.tables.scenario_blocks import places_in
from campaign.rules.tables.scenario_data import Scenario


class PlanObjective(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place for the Mahdists to take, the factors it needs, and the theatre they come from.

    `after`: another place has to be theirs first. `lure`: the movement points it is worth. `open`:
    bands that have nothing better to do join. `sit`: they lie round the place, and storm it only
    when they are likely to take it. `leader`: they go for this enemy, wherever he is seen, instead
    of a place.
    """

    place: str = ""
    theatre: Literal["nile", "coast"] = "nile"
    want: float = 0
    lure: float = 0
    open: bool = False
    after: str = ""
    sit: bool = False
    leader: str = ""


class Garrison(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place of the Egyptian player that can spare all but `keep` fighters.

    They leave in columns of at most `column` units, their train among them, and of at least `least`
    factors of fire and melee. From a garrison that is `led` native columns take the leaders along.
    """

    place: str
    keep: int
    column: int = 6
    least: float = 16
    led: bool = False


TAKEN = frozenset({"learner", "club", "strong", "usual", "random", "sit-tight"})
"""Names on the ladder that no plan may have: levels, and rivals of every scenario."""


class CampaignPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One plan of a side's portfolio: what it changes in the plans of the scenario.

    Its aims come before the others, and its garrisons instead of those of the same places.
    """

    side: Side
    name: Annotated[str, msgspec.Meta(pattern="^[a-z0-9-]{1,40}$")]
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    aim: tuple[PlanObjective, ...] = ()
    objectives: tuple[str, ...] = ()
    gather_at: str = ""
    garrison: tuple[Garrison, ...] = ()
    ring: str = ""
    alarm: float = 0.0
    leave: str = ""
    refuge: str = ""


class RecordedEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of history, by which the campaigns of the ladder are measured.

    `taken`: the Mahdists hold the place; `lost`: the leader has fallen; `arrives`: the leader is on
    the map; `near`: the leader is within `hexes` of the place; `still`: the leader and the one that
    `also` names are on the map when the month begins; `retaken`: the Egyptian side holds the place.
    `wins` and `beaten`: the leader's stack wins or loses a combat, within `hexes` of the place if
    one is named; `withdraws`: the leader retreats from a combat. `month` is that of the record, ""
    if it never happened.
    """

    title: str
    event: Literal[
        "taken", "lost", "arrives", "near", "still", "retaken", "wins", "beaten", "withdraws"
    ]
    place: str = ""
    leader: str = ""
    also: str = ""
    month: str = ""
    hexes: Annotated[int, msgspec.Meta(ge=0, le=60)] = 8


class Plans(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, eq=False):
    """The plans of both sides' staff in one scenario, compared by identity.

    Egyptian columns march on the first of `objectives` that is lost or besieged, else on the last;
    small bodies, supply and gunboats gather in `gather_at`; native troops on the coast go to
    `from_coast_by`, if given, while it is theirs and free; garrisons of `never_yielded` stand fast.
    The Mahdists go for their aims, the most wanted first. `alarm` is the least weight, from 0 to 1,
    of a siege that counts for the victory; `ring` a town round which outposts stand, so that nobody
    can besiege it; `leave` a town whose garrison, leaders and townsfolk go to `refuge` together;
    a staff that `overlooks` forgets half of its stacks every month; one that is `shrewd` betters
    the set-up that comes with the scenario, and sends the townsfolk of a siege away.
    `plan` is the portfolio, `rivals` are the simple rivals of the ladder that make sense here;
    `caution` warns players and judges of the scenario what the plans miss.
    """

    objectives: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    gather_at: str
    from_coast_by: str = ""
    never_yielded: tuple[str, ...] = ()
    aim: tuple[PlanObjective, ...] = ()
    garrison: tuple[Garrison, ...] = ()
    alarm: float = 0.0
    ring: str = ""
    leave: str = ""
    refuge: str = ""
    overlooks: bool = False
    shrewd: bool = False
    plan: tuple[CampaignPlan, ...] = ()
    record: tuple[RecordedEvent, ...] = ()
    rivals: tuple[str, ...] = ()
    caution: str = ""


def plans_of(state: State, side: Side | None = None) -> Plans:
    """Return the usual plans in the campaign: of a side, the first of its portfolio."""
    scenario = scenario_of(state)
    own_plans = portfolio(scenario, side) if side is not None else ()
    return under(scenario, own_plans[0].name) if own_plans else plans_in(scenario)


def plans_in(scenario: str | Scenario) -> Plans:
    """Return a scenario's plans: its own, those of its file, else all go for what wins it.

    By its slug they are those of the file.
    """
    if isinstance(scenario, str):
        return plans(scenario)
    if scenario.plans is not None:
        return own_plans(scenario)
    return plans(scenario.slug) if scenario.slug in slugs() else usual_plans(scenario)


def portfolio(scenario: str | Scenario, side: Side) -> tuple[CampaignPlan, ...]:
    """Return the plans that a side may choose from, the usual one first."""
    if isinstance(scenario, str) and scenario not in slugs():
        return ()
    return tuple(plan for plan in plans_in(scenario).plan if plan.side is side)


def under(scenario: str | Scenario, name: str) -> Plans:
    """Return the scenario's plans as one of the portfolio changes them. Raises KeyError."""
    return _under(plans_in(scenario), name)


@lru_cache(maxsize=256)
def _under(usual: Plans, name: str) -> Plans:
    plan = {candidate.name: candidate for candidate in usual.plan}[name]
    first = {(aim.place, aim.leader) for aim in plan.aim}
    posts = {post.place: post for post in (*usual.garrison, *plan.garrison)}
    return msgspec.structs.replace(
        usual,
        aim=(*plan.aim, *(aim for aim in usual.aim if (aim.place, aim.leader) not in first)),
        garrison=tuple(posts.values()),
        objectives=plan.objectives or usual.objectives,
        gather_at=plan.gather_at or usual.gather_at,
        ring=plan.ring,
        alarm=plan.alarm,
        leave=plan.leave,
        refuge=plan.refuge,
    )


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
    return _read_plans(source, source.document(), "$", sudan())


def own_plan_faults(source: Source, scenario: Scenario) -> list[TableError]:
    """Return every fault of the plans that a scenario has in its own file, with its field."""
    if scenario.plans is None:
        return []
    reader = PartialReader()
    read: Plans | None = reader.read({"plans": scenario.plans}, _OwnPlans).plans
    wrong = [source.error(*part) for part in reader.wrong]
    if read is None:
        return wrong
    faults = _faults(read, "$.plans", scenario.chart)
    return wrong + [source.error(reader.original(where), *details) for where, *details in faults]


class _OwnPlans(msgspec.Struct, frozen=True):
    """The part of a scenario's file that has the plans."""

    plans: Plans


@lru_cache(maxsize=16)
def own_plans(scenario: Scenario) -> Plans:
    """Return the plans that a scenario has in its own file; raises TableError if they are wrong."""
    return _read_plans(
        Source(f"{scenario.slug}.toml", ""), scenario.plans, "$.plans", scenario.chart
    )


def _read_plans(source: Source, document: object, at: str, ground: Map) -> Plans:
    read = source.convert(document, Plans, at)
    for where, reason, remedy in _faults(read, at, ground):
        raise source.error(where, reason, remedy)
    return read


def _faults(read: Plans, at: str, ground: Map) -> Iterator[WrongPart]:
    """Yield every fault of the plans that their types allow."""
    for inner, name in _places(read):
        if reason := _why_not(ground, name):
            where = at + inner.removeprefix("$")
            yield WrongPart(where, reason, "correct its spelling, or name another place")
    for field in ("overlooks", "shrewd"):
        if getattr(read, field):
            yield WrongPart(f"{at}.{field}", "the level of the staff decides it", "leave it out")
    names = [plan.name for plan in read.plan]
    for place, name in enumerate(names):
        where = f"{at}.plan[{place}].name"
        if name in names[:place]:
            yield WrongPart(where, f"{name!r} is named twice", "rename it")
        elif name in TAKEN or name in read.rivals:
            yield WrongPart(where, f"{name!r} is a level or a rival", "rename it")
    for place, event in enumerate(read.record):
        try:
            month_from_text(event.month or "1884-02")
        except ValueError:
            where = f"{at}.record[{place}].month"
            yield WrongPart(where, f"{event.month!r} is not a month", "write it like 1884-02")


def _why_not(ground: Map, name: str) -> str:
    """Return why the plans cannot name this place, or nothing."""
    try:
        closed = ground.hexes[ground.place(name).hex].closed
    except MapError as error:
        return str(error).rstrip(".")
    layered = not is_printed(ground)
    return f"{name} is closed to play in this scenario" if closed and layered else ""


def _places(read: Plans) -> Iterator[tuple[str, str]]:
    """Yield every place that the plans name, with its path in the file."""
    yield from ((f"$.objectives[{n}]", name) for n, name in enumerate(read.objectives))
    yield "$.gather_at", read.gather_at
    if read.from_coast_by:
        yield "$.from_coast_by", read.from_coast_by
    yield from ((f"$.never_yielded[{n}]", name) for n, name in enumerate(read.never_yielded))
    yield from _places_of_aims("$", read.aim)
    for number, plan in enumerate(read.plan):
        where = f"$.plan[{number}]"
        yield from _places_of_aims(where, plan.aim)
        names = (*plan.objectives, plan.gather_at, plan.ring, plan.leave, plan.refuge)
        yield from ((where, name) for name in names if name)
        yield from ((where, post.place) for post in plan.garrison)
    yield from ((f"$.garrison[{n}].place", post.place) for n, post in enumerate(read.garrison))
    yield from (
        (f"$.record[{n}].place", event.place) for n, event in enumerate(read.record) if event.place
    )


def _places_of_aims(where: str, aims: Sequence[PlanObjective]) -> Iterator[tuple[str, str]]:
    for place, aim in enumerate(aims):
        if aim.place or not aim.leader:
            yield f"{where}.aim[{place}].place", aim.place
        if aim.after:
            yield f"{where}.aim[{place}].after", aim.after


WANTED = 20.0
"""The factors with which the usual plans go for a place."""


@lru_cache(maxsize=16)
def usual_plans(scenario: Scenario) -> Plans:
    """Return plans for a scenario without a file: all go for the places that win it."""
    names = [
        name
        for condition in scenario.victory
        for name in (*_places_named(condition), *places_in(condition))
    ]
    posts = [post.nearest for stack in scenario.stack for post in stack.posts]
    place_names = [name for name in (*names, *posts) if not name.isdigit()]
    places = tuple(dict.fromkeys(names or place_names[:1])) or tuple(scenario.chart.places)[:1]
    coast = scenario.chart.region("souakim_extension")
    return Plans(
        objectives=places,
        gather_at=places[0],
        never_yielded=places,
        aim=tuple(
            PlanObjective(
                name,
                "coast" if scenario.chart.place(name).hex in coast else "nile",
                WANTED,
                open=True,
            )
            for name in places
        ),
        garrison=tuple(Garrison(name, keep=2) for name in places),
    )


def _places_named(condition: v.Condition) -> tuple[str, ...]:
    """Return the places that a condition of victory names."""
    if isinstance(condition, v.PlaceCaptured | v.SiegeMaintained):
        return (condition.place,)
    return condition.places if isinstance(condition, v.Unbesieged | v.UnitArrived) else ()


NOBODY = Garrison("", keep=0, least=0)


@lru_cache(maxsize=64)
def garrisons(of: Plans) -> dict[str, Garrison]:
    """Return the garrisons of the plans by place."""
    return {garrison.place: garrison for garrison in of.garrison}


class Task(NamedTuple):
    """A stack's task: `place` is its subject, `goals` are the hexes to stand in.

    `hold`: the stack may attack neighbours, but does not leave its hex. `patient`: it lies round
    the place, and storms it only when it is likely to take it.
    """

    place: HexId
    goals: tuple[HexId, ...]
    hold: bool = False
    patient: bool = False


def record_of(scenario: str | Scenario) -> tuple[RecordedEvent, ...]:
    """Return the record of history in the scenario's plans, if it has one."""
    return plans_in(scenario).record
