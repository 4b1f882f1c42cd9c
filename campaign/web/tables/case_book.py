"""The case book: all cases, and each with its position on the map and its result."""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import NamedTuple

import msgspec
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from campaign import trace_report
from campaign.cartography import chart
from campaign.cartography.sheet import COLUMN, ROW, MapSheet
from campaign.rules import State
from campaign.rules.case_positions import stack_of
from campaign.rules.casebook import Case, PlayedCase, cases, differences, find, run
from campaign.rules.core.board import chart as ground
from campaign.rules.core.pieces import month_name
from campaign.rules.core.play import fold
from campaign.rules.core.state import OFF_MAP, Unit
from campaign.rules.map import HexId, sudan
from campaign.rules.prose.despatches import chronicle
from campaign.rules.prose.names import label
from campaign.rules.prose.phase_report import DespatchSentence
from campaign.rules.prose.questions import describe_action, describe_phase, describe_question
from campaign.rules.tables.scenario_loader import scenario
from campaign.rules.trace import parts, rulings
from campaign.web.map import printed_map

NARROWEST, LOWEST = 13, 8
"""Minimum columns and rows of hexes in an extract of the map."""
_STANDING = '<g id="standing"'
"""The start of the counters in the SVG; paths are drawn below them."""


class CaseChapter(NamedTuple):
    number: int
    title: str
    cases: tuple[Case, ...]


class LikeUnits(NamedTuple):
    """Consecutive units that look alike: their number, one of them, their ids."""

    many: int
    unit: Unit
    label: str
    numbers: str


class CaseStack(NamedTuple):
    """The units in a hex of the position."""

    hex: HexId
    groups: list[LikeUnits]


class CaseAction(NamedTuple):
    """An action in words and as JSON; the last may be refused."""

    words: str
    written: str
    refused: bool


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    return render(
        request,
        "campaign/tables/case_book.html",
        {"here": "rules", "chapters": chapters(), "all": cases()},
    )


@require_safe
def document(request: HttpRequest) -> HttpResponse:
    """Return the whole book as JSON."""
    return HttpResponse(_as_json(), content_type="application/json")


@require_safe
def case(request: HttpRequest, number: str) -> HttpResponse:
    shown = _case(number)
    played = run(shown)
    place = cases().index(shown)
    clause, part = parts()[shown.clause]
    return render(
        request,
        "campaign/tables/case.html",
        {
            "here": "rules",
            "case": shown,
            "clause": clause,
            "part": part,
            "rulings": [ruling for ruling in rulings() if ruling.number in shown.rulings],
            "earlier": cases()[place - 1] if place else None,
            "later": cases()[place + 1] if place + 1 < len(cases()) else None,
            "when": when(played.beginning()),
            "map": extract(shown, played),
            "stacks": list(stacks(shown, played)),
            "deeds": list(actions_of(shown, played)),
            "sentences": narrate(played),
            "refusal": played.refusal,
            "asked": describe_question(played.state) if played.state.question else "",
            "differences": list(differences(shown, played)),
            "written": msgspec.json.format(msgspec.json.encode(shown), indent=2).decode(),
        },
    )


@cache
def chapters() -> tuple[CaseChapter, ...]:
    """Return the cases by the book's chapters."""
    return tuple(
        CaseChapter(number, title, tuple(case for case in cases() if case.chapter == number))
        for number, title in trace_report.CHAPTERS.items()
    )


def when(state: State) -> str:
    """Return scenario, month and phase of a position."""
    return f"{scenario(state.scenario).title}, {month_name(state.month)}. {describe_phase(state)}."


def stacks(shown: Case, played: PlayedCase) -> Iterator[CaseStack]:
    """Yield the stacks of the position; of a whole set-up, only those the case is about."""
    state = played.beginning()
    hexes = _hexes(shown, played) if shown.position.stacks is None else None
    for hex_id in sorted({unit.hex for unit in state.units.values()} - {OFF_MAP}):
        if hexes is None or hex_id in hexes:
            units = [unit for unit in state.units.values() if unit.hex == hex_id]
            yield CaseStack(hex_id, list(_alike(units)))


def _alike(units: list[Unit]) -> Iterator[LikeUnits]:
    for words, group in groupby(units, key=label):
        members = list(group)
        last = f" to {members[-1].id}" if len(members) > 1 else ""
        yield LikeUnits(len(members), members[0], words, f"{members[0].id}{last}")


def actions_of(shown: Case, played: PlayedCase) -> Iterator[CaseAction]:
    """Yield the actions in the order of execution."""
    state = played.beginning()
    entries = [entry for entry in played.entries if entry.action is None]
    for entry in entries:
        fold(state, entry.outcome.events)
    done = [entry for entry in played.entries if entry.action is not None]
    for place, action in enumerate(shown.actions):
        written = msgspec.json.encode(action).decode()
        yield CaseAction(describe_action(state, action), written, place >= len(done))
        if place < len(done):
            fold(state, done[place].outcome.events)


def narrate(played: PlayedCase) -> list[DespatchSentence]:
    """Return the events as despatches."""
    entries = [(entry.outcome.events, entry.outcome.rolls) for entry in played.entries]
    return list(chronicle(played.beginning(), entries))


def extract(shown: Case, played: PlayedCase) -> SafeString:
    """Return the map round the case, with its position and its marches."""
    drawn = chart(ground(played.beginning()), played.beginning(), printed_map.address())
    ways = "".join(map(_line, _ways(played)))
    drawn = drawn.replace(_sheet().view_box, _view_box(_hexes(shown, played)), 1)
    return mark_safe(drawn.replace(_STANDING, ways + _STANDING, 1))  # noqa: S308


def _ways(played: PlayedCase) -> Iterator[tuple[HexId, ...]]:
    """Yield the path of each march, its start first."""
    state = played.beginning()
    for event in played.events:
        path, units = getattr(event, "path", ()), getattr(event, "units", ())
        if path:
            mover = state.units[units[0]].hex if units else None
            start = state.march.route[-1] if mover is None and state.march else mover
            yield (path[0] if start is None else start, *path)
        fold(state, [event])


def _line(way: Iterable[HexId]) -> str:
    points = " ".join(f"{x},{y}" for x, y in map(_sheet().centre, way))
    return f'<polyline class="way" points="{points}"/>'


def _hexes(shown: Case, played: PlayedCase) -> set[HexId]:
    """Return the hexes that the case is about."""
    written = [*(shown.position.stacks or ()), *shown.result.stands]
    hexes = {stack_of(words)[0] for words in written}
    for item in (*shown.actions, *played.events):
        hexes |= {getattr(item, name) for name in ("hex", "place", "at") if hasattr(item, name)}
        hexes |= set(getattr(item, "path", ()))
    return hexes & set(sudan().hexes) or {sudan().place("Khartoum").hex}


def _view_box(hexes: set[HexId]) -> str:
    """Return the SVG view box round these hexes."""
    points = [_sheet().centre(hex_id) for hex_id in hexes]
    west, east = min(x for x, _ in points), max(x for x, _ in points)
    north, south = min(y for _, y in points), max(y for _, y in points)
    wide = max(east - west + 4 * COLUMN, NARROWEST * COLUMN)
    high = max(south - north + 4 * ROW, LOWEST * ROW)
    return f"{(west + east - wide) // 2} {(north + south - high) // 2} {wide} {high}"


@lru_cache(maxsize=1)
def _sheet() -> MapSheet:
    return MapSheet(sudan())


@cache
def _as_json() -> bytes:
    return msgspec.json.format(msgspec.json.encode({"case": cases()}), indent=1)


def _case(number: str) -> Case:
    try:
        return find(number)
    except KeyError as error:
        raise Http404(f"There is no case {number}; the case book lists them all.") from error
