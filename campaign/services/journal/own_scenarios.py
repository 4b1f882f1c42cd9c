"""Save, copy, share and delete users' own scenarios, and take a campaign's position as a start."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from itertools import count, groupby
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from battles.contract.brief import Side, TroopKind
from battles.core.decoding import decode, encode
from battles.journal import Stale
from campaign.access import permissions, saved_work, selectors
from campaign.access.selectors import first_visible
from campaign.models import Campaign, OwnScenario, TableSet
from campaign.rules import scenario_files
from campaign.rules.core.board import board, scenario_of
from campaign.rules.core.pieces import month_name, month_slug
from campaign.rules.core.state import OFF_MAP, State, Unit
from campaign.rules.map import NamesInPlay, map_of_draft, names_in_play
from campaign.rules.tables.editions import Edition, edition, remember
from campaign.rules.tables.scenario_document import (
    FORMAT,
    LARGEST_DOCUMENT,
    ScenarioFault,
    document_of,
    edition_of_document,
    fault_in_part,
    faults_of_document,
    source_of,
    upgrade_document,
)
from campaign.services.errors import NotAllowed, UnfitRequest
from campaign.services.journal.rules_edition import keep_tables
from campaign.staff.plans import own_plan_faults

MOST_OF_ONE = 100
LONGEST_TITLE, LONGEST_SLUG = 100, 60


def faults_in(document: object) -> list[ScenarioFault]:
    """Return every fault of the document that does not follow from another; none if it plays."""
    try:
        return _faults(upgrade_document(document))
    except ScenarioFault as fault:
        return [fault]


def names_in_play_of(document: object) -> NamesInPlay:
    """Return what is in play on a scenario's map, as far as its layer can be read."""
    try:
        layer = upgrade_document(document)["scenario"].get("map")
    except ScenarioFault:
        layer = None
    return names_in_play(map_of_draft(layer))


def _faults(document: Mapping[str, Any]) -> list[ScenarioFault]:
    """Return the faults that the loaders of the scenario and of its staff's plans find."""
    read, faults = faults_of_document(document)
    if read is None:
        return faults
    plans = own_plan_faults(source_of(document), read)
    return faults + [fault_in_part(document, error) for error in plans]


@transaction.atomic
def save_scenario(
    owner: User,
    document: object,
    existing: OwnScenario | None = None,
    *,
    expected: int | None = None,
) -> tuple[OwnScenario, list[ScenarioFault]]:
    """Save the document as a scenario of the owner; return it with its faults.

    A draft is saved whatever is wrong in it, but for its frame: then ScenarioFault is raised, and
    Stale if it was changed since the `expected` revision.
    """
    read = upgrade_document(document)
    own = (
        _lock_scenario(owner, existing, expected)
        if existing
        else OwnScenario(owner=owner, revision=0)
    )
    if existing is None and saved_work.own_scenarios(owner).count() >= MOST_OF_ONE:
        raise UnfitRequest(f"You have {MOST_OF_ONE} scenarios already; delete one first.")
    own.title = str(read["scenario"].get("title") or "Without a title")[:LONGEST_TITLE]
    own.revision += 1
    slug = str(read["scenario"].get("slug") or slugify(own.title) or "scenario")
    while True:
        own.slug = _free_slug(owner, slugify(slug)[:LONGEST_SLUG] or "scenario", own)
        read["scenario"]["slug"] = own.slug
        faults = _faults(read)
        own.document = read
        own.tables = None if faults else keep_tables(remember(edition_of_document(read)))
        try:
            with transaction.atomic():
                own.save()
        except IntegrityError:
            # Another scenario of the owner has taken the slug since it was looked for.
            if own.slug not in _taken_slugs(owner, own):
                raise
        else:
            return own, faults


def _lock_scenario(owner: User, scenario: OwnScenario, expected: int | None) -> OwnScenario:
    """Return the row, locked. Raise NotAllowed to others, and Stale for another revision."""
    if scenario.owner_id != owner.pk:
        raise NotAllowed("Only its owner may change a scenario.")
    # Of the scenario alone: PostgreSQL locks no row that may be missing, as a draft's tables are.
    rows = OwnScenario.objects.select_for_update(of=("self",)).select_related("tables")
    locked = rows.get(pk=scenario.pk)
    if expected is not None and expected != locked.revision:
        raise Stale(
            "This scenario has been changed in another window since you opened it (revision "
            f"{locked.revision}, not {expected}); nothing was overwritten. Load it again."
        )
    return locked


def _free_slug(owner: User, slug: str, scenario: OwnScenario) -> str:
    taken_slugs = _taken_slugs(owner, scenario)
    names = (slug if n == 1 else f"{slug[: LONGEST_SLUG - 4]}-{n}" for n in count(1))
    return next(name for name in names if name not in taken_slugs)


def _taken_slugs(owner: User, scenario: OwnScenario) -> set[str]:
    others = OwnScenario.objects.filter(owner=owner).exclude(pk=scenario.pk)
    return set(others.values_list("slug", flat=True))


def copy_scenario(owner: User, source: OwnScenario) -> OwnScenario:
    """Save a copy of a scenario, of the owner's own or shared with them."""
    title = f"{source.title}, copied"[:LONGEST_TITLE]
    scenario = {**source.document["scenario"], "title": title, "slug": f"{source.slug[:54]}-copy"}
    return save_scenario(owner, {**source.document, "scenario": scenario})[0]


@transaction.atomic
def share_scenario(
    owner: User, scenario: OwnScenario, *, shared: bool, expected: int | None = None
) -> OwnScenario:
    """Let anybody with the link read and copy the scenario, or stop sharing it.

    Raise NotAllowed to others, and Stale if it was changed since the `expected` revision.
    """
    locked = _lock_scenario(owner, scenario, expected)
    locked.shared = shared
    locked.revision += 1
    locked.save(update_fields=["shared", "revision", "changed"])
    return locked


@transaction.atomic
def delete_scenario(owner: User, scenario: OwnScenario, *, expected: int | None = None) -> None:
    """Delete the scenario; its owner can restore it for a time.

    Campaigns that were begun from it keep it. Raise NotAllowed to others, and Stale if it was
    changed since the `expected` revision.
    """
    locked = _lock_scenario(owner, scenario, expected)
    locked.deleted = timezone.now()
    locked.save(update_fields=["deleted"])
    for oldest in saved_work.deleted_scenarios(owner)[MOST_OF_ONE:]:
        oldest.delete()


@transaction.atomic
def restore_scenario(owner: User, number: int) -> OwnScenario:
    """Put a deleted scenario back into its owner's list.

    Raise NotVisible when there is none, and UnfitRequest when the list is full.
    """
    deleted = saved_work.deleted_scenarios(owner).select_for_update().filter(pk=number)
    own = first_visible(
        deleted, "You have no such deleted scenario. It may have been restored already."
    )
    if saved_work.own_scenarios(owner).count() >= MOST_OF_ONE:
        raise UnfitRequest(f"You have {MOST_OF_ONE} scenarios already; delete one first.")
    own.deleted = None
    own.save(update_fields=["deleted"])
    return own


def playable(owner: User, number: int, slug: str) -> TableSet:
    """Return the tables of the owner's scenario of that number and slug. Raise UnfitRequest."""
    own = scenario_called(owner, number, slug)
    if own.tables is None:
        message = "The scenario still has a fault: correct it in the workshop first."
        raise UnfitRequest(message, "own_scenario_id")
    return own.tables


def scenario_called(owner: User, number: int, slug: str) -> OwnScenario:
    """Return the owner's scenario of that number. Raise UnfitRequest if its slug is another."""
    own = saved_work.own_scenario(owner, number)
    if own.slug != slug:
        raise UnfitRequest(f"The scenario {number} is {own.slug!r}, not {slug!r}.", "scenario")
    return own


def blank_document() -> dict[str, Any]:
    """Return a document to begin from: two months, nobody on the map."""
    scenario = {
        "slug": "my-scenario",
        "title": "My scenario",
        "start": "1884-01",
        "end": "1884-03",
        "description": "",
        "events": {"egyptian": ["events_egyptian_relief"], "mahdist": ["events_mahdist"]},
        "replaced": {"at": []},
        "stack": [],
        "reinforcement": [],
        "victory": [],
    }
    return {"format": FORMAT, "scenario": scenario, "event_tables": {}}


def document_from_scenario(slug: str, edition: Edition) -> dict[str, Any]:
    """Return a scenario of an edition as a document for its user: another slug, no clause.

    Its staff keeps the plans that it has in a file.
    """
    document = document_of(edition, slug)
    plans = scenario_files.optional_source(slug, scenario_files.PLANS)
    if plans is not None:
        document["scenario"].setdefault("plans", deepcopy(plans.document()))
    scenario = {key: value for key, value in document["scenario"].items() if key != "clause"}
    scenario |= {"slug": f"{slug[:54]}-own", "title": f"{scenario['title']}, my own"}
    scenario["victory"] = [
        {key: value for key, value in condition.items() if key != "clause"}
        for condition in scenario["victory"]
    ]
    return {**document, "scenario": scenario}


def document_from_campaign(user: User, campaign: Campaign) -> dict[str, Any]:
    """Return a document that begins with the campaign's position, for a user who sees all of it.

    Raise NotAllowed to others, and UnfitRequest for a campaign that is over.
    """
    if not permissions.may_take_position(user, campaign):
        raise NotAllowed("In a fog only the umpire sees the whole position.")
    return document_from_state(selectors.state_now(campaign))


def document_from_state(state: State) -> dict[str, Any]:
    """Return a document that begins with this campaign's position: "what if from here".

    It has the units with their disruption, what is still to come, who holds which place, railways,
    forces called, counts, and effects of events in force. The month begins again: a march or battle
    under way, and the orders of its turn, are left out.
    """
    if state.result is not None:
        raise UnfitRequest("The campaign is over: rewind it first.")
    base = scenario_of(state)
    document = document_from_scenario(base.slug, edition(state.edition))
    stacks = [
        {
            "id": f"{side}-{hex_id:04d}",
            "at": [f"{hex_id:04d}"],
            "posts": [
                {"nearest": f"{hex_id:04d}", "units": _specs(board(state).stack(side, hex_id))}
            ],
        }
        for side in Side
        for hex_id in board(state).hexes(side)
    ]
    later = [
        {
            "id": f"due-{n}",
            "title": due.reason,
            "month": month_slug(due.month),
            "at": [f"{hex_id:04d}" for hex_id in due.at],
            "units": _specs(due.units),
        }
        for n, due in enumerate(state.due, 1)
        if due.units and due.at and due.month <= base.last_month
    ]
    scenario = document["scenario"] | {
        "title": f"{base.title} from {month_name(state.month)}"[:LONGEST_TITLE],
        "slug": f"{base.slug[:48]}-{month_slug(state.month)}",
        "start": month_slug(state.month),
        "departs": f"Begins where a campaign of {base.title} stood in {month_name(state.month)}.",
        "stack": stacks,
        "reinforcement": later,
        "taken_up": _taken_up(state),
    }
    return {**document, "scenario": scenario}


def _taken_up(state: State) -> dict[str, Any]:
    """Return the part of the position that the units do not show, in the document's form."""
    return {
        "control": {f"{hex_id:04d}": side.value for hex_id, side in state.control.items()},
        "vacant": [f"{hex_id:04d}" for hex_id in state.vacant],
        "railheads": dict(state.railheads),
        "called": list(state.called),
        "flags": list(state.flags),
        "tallies": dict(state.tallies),
        "pool": {kind.value: count for kind, count in state.pool.items()},
        "box": {kind.value: count for kind, count in state.box.items()},
        "in_force": [
            {
                "side": lasting.side.value,
                "title": lasting.title,
                # Through JSON, which has lists alone: a document has no tuples.
                "effect": decode(encode(lasting.effect), dict),
            }
            | ({} if lasting.hex == OFF_MAP else {"hex": f"{lasting.hex:04d}"})
            for lasting in state.in_force
        ],
    }


def _specs(units: Iterable[Unit]) -> list[dict[str, Any]]:
    """Return the units as lines of counters, equal ones together."""
    lines = []
    for likeness, alike in groupby(sorted(units, key=_likeness), key=_likeness):
        kind, nation, quality, strength, name, disrupted, origin = likeness
        line: dict[str, Any] = {"kind": kind, "nation": nation, "count": len(list(alike))}
        if kind != TroopKind.LEADER and quality:
            line |= {"quality": quality, "strength": strength}
        line |= {"name": name} if name else {}
        line |= {"disrupted": True} if disrupted else {}
        lines.append(line | ({"origin": origin} if origin else {}))
    return lines


def _likeness(unit: Unit) -> tuple[str, str, str, int, str, bool, str]:
    kind = unit.kind.value, unit.nation.value, unit.quality.value, unit.strength, unit.name
    return *kind, unit.disrupted, unit.origin


__all__ = [
    "LARGEST_DOCUMENT",
    "blank_document",
    "copy_scenario",
    "delete_scenario",
    "document_from_campaign",
    "document_from_scenario",
    "document_from_state",
    "faults_in",
    "playable",
    "save_scenario",
    "scenario_called",
    "share_scenario",
]
