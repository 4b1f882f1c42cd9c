"""The workshop: users write scenarios of their own on the map, share them, and begin campaigns."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from battles import journal
from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.decoding import convert_to
from campaign.access import permissions, saved_work, selectors
from campaign.cartography import chart as draw_chart
from campaign.cartography import overlay
from campaign.models import OwnScenario
from campaign.rules.core.pieces import UnitId, month_from_text, month_name
from campaign.rules.core.state import State
from campaign.rules.map import Map, MapError, map_of_draft, names_in_play, sudan
from campaign.rules.prose.names import side_name
from campaign.rules.set_up import as_unit, new_game
from campaign.rules.tables.editions import shipped_edition
from campaign.rules.tables.scenario_data import UnitSpec
from campaign.rules.tables.scenario_document import (
    LARGEST_DOCUMENT,
    ScenarioFault,
    read_document,
    upgrade_document,
)
from campaign.rules.tables.scenario_loader import UnknownScenario, scenarios
from campaign.services.errors import NotAllowed, UnfitRequest
from campaign.services.journal import own_scenarios
from campaign.web.map import printed_map
from campaign.web.visitor import is_number, visitor
from ops.http_policy import posts_to
from ops.sent_once import sent_once

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

BLANK = "blank"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sent_once
def index(request: HttpRequest) -> HttpResponse:
    """List the user's scenarios; on POST begin one, from a scenario or a file."""
    refused = ""
    if "restore" in request.POST:
        return _restore(request)
    if request.method == "POST":
        try:
            document = _begin_document(request)
            own, faults = own_scenarios.save_scenario(visitor(request), document)
        except ScenarioFault as fault:
            refused = f"{fault}."
        except journal.Refused as refusal:
            refused = str(refusal)
        else:
            if faults and "file" in request.FILES:
                count = "a fault" if len(faults) == 1 else f"{len(faults)} faults"
                message = f"The file is here, with {count}: see the fields marked below."
                messages.warning(request, message)
            return redirect("own-scenario", own.pk)
    context = {
        "here": "rules",
        "own": saved_work.own_scenarios(request.user),
        "deleted": saved_work.deleted_scenarios(request.user),
        "kept_for": saved_work.KEPT_FOR,
        "scenarios": scenarios(),
        "refused": refused,
    }
    status = 400 if refused else 200
    return render(request, "campaign/workshop/index.html", context, status=status)


def _restore(request: HttpRequest) -> HttpResponse:
    """Restore the deleted scenario whose button was pressed."""
    number = request.POST["restore"]
    if not is_number(number):
        raise Http404("You have no such deleted scenario.")
    try:
        own = own_scenarios.restore_scenario(visitor(request), int(number))
        messages.success(request, f"{own.title} is restored.")
    except journal.Refused as refused:
        messages.error(request, str(refused))
    return redirect("workshop")


def _begin_document(request: HttpRequest) -> dict[str, Any]:
    """Return the document that the form asks for. Raise ScenarioFault or UnfitRequest."""
    upload: UploadedFile[bytes] | None = request.FILES.get("file")
    if "import" in request.POST:
        if upload is None:
            raise UnfitRequest("Choose the file of a scenario first.")
        if (upload.size or 0) > LARGEST_DOCUMENT:
            raise UnfitRequest(
                f"{upload.name} is larger than {LARGEST_DOCUMENT // 1000} KB: no scenario is."
            )
        return read_document(upload.read())
    slug = request.POST.get("from", BLANK)
    if slug == BLANK:
        return own_scenarios.blank_document()
    try:
        return own_scenarios.document_from_scenario(slug, shipped_edition())
    except UnknownScenario as error:
        raise UnfitRequest(f"{error}.") from error


@login_required
@require_safe
@never_cache
def editor(request: HttpRequest, number: int) -> HttpResponse:
    """Show a scenario of the user's own, to be written on the map."""
    own = saved_work.own_scenario(request.user, number)
    ground, state = _sketch(own.document)
    context = {
        "here": "rules",
        "own": own,
        "kept_for": saved_work.KEPT_FOR,
        "data": {
            "document": own.document,
            "errors": [  # in the form of the REST interface
                {"pointer": fault.pointer, "detail": fault.sentence}
                for fault in own_scenarios.faults_in(own.document)
            ],
            "known": _known_words(),
            "in_play": names_in_play(ground)._asdict(),
            "version": own.revision,
            "link": str(own.link),
        },
        "drawing": mark_safe(  # noqa: S308  our own drawing
            draw_chart(ground, state, printed_map.address())
        ),
        "shared_url": request.build_absolute_uri(reverse("shared-scenario", args=[own.link])),
    }
    return render(request, "campaign/workshop/editor.html", context)


def _known_words() -> dict[str, Any]:
    """Return the words that the forms of the editor offer, whatever country is in play."""
    book = shipped_edition().book
    tables = [name for name in book.names if name.startswith("events_")]
    return {
        "places": {place.name: f"{place.hex:04d}" for place in sudan().places.values()},
        "titles": {f"{h.id:04d}": h.place for h in sudan().hexes.values() if h.place},
        "regions": sudan().regions,
        "leaders": [
            {"name": leader.name, "nation": leader.nation.value} for leader in book.leaders()
        ],
        "event_tables": {name: book.event_table(name).title for name in tables},
        "events": [
            {"title": row["title"], "text": row["text"], "effects": row["effects"]}
            for name in tables
            for row in book.sources[name].document()["row"]
            if row.get("effects")
        ],
        "units": [kind.value for kind in TroopKind],
        "nations": {nation.value: nation.side.value for nation in Nation},
        "qualities": [quality.value for quality in Quality if quality],
    }


@login_required
@posts_to("workshop")
def drawing_view(request: HttpRequest) -> HttpResponse:
    """Return the overlay of a document's map and units as SVG; what cannot be read is left out."""
    if len(request.body) > LARGEST_DOCUMENT:
        return HttpResponse(status=413)
    try:
        document = upgrade_document(json.loads(request.body))
    except (ScenarioFault, ValueError):
        return HttpResponse(status=422)
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg">{overlay(*_sketch(document))}</svg>'
    return HttpResponse(drawing, content_type="image/svg+xml")


def _sketch(document: dict[str, Any]) -> tuple[Map, State]:
    """Return the map and the units of a scenario; what cannot be read yet is left out."""
    scenario = document["scenario"]
    ground = map_of_draft(scenario.get("map"))
    state = new_game(scenarios()[0].slug)
    state.units, state.control, state.railheads = {}, {}, {}
    with suppress(ValueError, TypeError):
        state.month = month_from_text(str(scenario.get("start")))
    for spot, line in _lines(scenario):
        with suppress(MapError, msgspec.ValidationError, KeyError):
            hex_id = ground.spot(spot)
            for counter in convert_to(line, UnitSpec).counters(shipped_edition().book):
                number = UnitId(len(state.units) + 1)
                state.units[number] = as_unit(counter, number, hex_id)
    return ground, state


def _lines(scenario: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """Yield every line of units on the map, with the place or hex of its post."""
    for stack in _list_of_objects(scenario.get("stack")):
        for post in _list_of_objects(stack.get("posts")):
            if isinstance(post.get("nearest"), str):
                yield from ((post["nearest"], line) for line in _list_of_objects(post.get("units")))


def _list_of_objects(value: object) -> list[dict[str, Any]]:
    """Return the objects of a list; of anything else none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


@login_required
@require_safe
def file(request: HttpRequest, number: int) -> HttpResponse:
    """Return the scenario as one file to download."""
    return _as_file(saved_work.own_scenario(request.user, number))


def _as_file(scenario: OwnScenario) -> HttpResponse:
    text = json.dumps(scenario.document, ensure_ascii=False, indent=1)
    headers = {"Content-Disposition": f'attachment; filename="{scenario.slug}.sirdar.json"'}
    return HttpResponse(text, "application/json; charset=utf-8", headers=headers)


@login_required
@posts_to("own-scenario", "number")
@sent_once
def copy(request: HttpRequest, number: int) -> HttpResponse:
    """Copy a scenario of the user's own."""
    own = saved_work.own_scenario(request.user, number)
    return _copy(request, own) or redirect("own-scenario", number)


def _copy(request: HttpRequest, own: OwnScenario) -> HttpResponse | None:
    """Copy the scenario and lead to the copy; return None if it is refused, with a message."""
    try:
        own_copy = own_scenarios.copy_scenario(visitor(request), own)
    except journal.Refused as refused:
        messages.error(request, str(refused))
        return None
    messages.success(request, f"{own_copy.title} is among your scenarios.")
    return redirect("own-scenario", own_copy.pk)


@login_required
@posts_to("own-scenario", "number")
def delete(request: HttpRequest, number: int) -> HttpResponse:
    """Delete a scenario of the user's own."""
    own = saved_work.own_scenario(request.user, number)
    own_scenarios.delete_scenario(visitor(request), own)
    messages.success(
        request, f"{own.title} is deleted; you can restore it here. Campaigns begun by it keep it."
    )
    return redirect("workshop")


@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def shared_scenario_page(request: HttpRequest, link: UUID) -> HttpResponse:
    """Show a shared scenario to anybody who has its link; on POST copy it to the user's own."""
    own = saved_work.shared_scenario(link)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        return _copy(request, own) or redirect("shared-scenario", link)
    if "file" in request.GET:
        return _as_file(own)
    scenario = own.document["scenario"]
    context = {"here": "rules", "own": own, "said": scenario, "when": _months(scenario)}
    context["counted"] = _counted(scenario)
    return render(request, "campaign/workshop/shared.html", context)


def _months(scenario: dict[str, Any]) -> str:
    """Return the months of a scenario in words, as far as they are written yet."""
    with suppress(ValueError, TypeError):
        first, last = (month_from_text(str(scenario.get(name))) for name in ("start", "end"))
        return month_name(first) if first == last else f"{month_name(first)} to {month_name(last)}"
    return "Its months are not written yet"


def _counted(scenario: dict[str, Any]) -> list[tuple[str, int]]:
    """Return each side with the number of its counters on the map."""
    state = _sketch({"scenario": scenario})[1]
    sides = [unit.side for unit in state.units.values()]
    return [(side_name(side), sides.count(side)) for side in Side]


@login_required
@posts_to("campaign", "slug")
@sent_once
def what_if(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the campaign's position as the start of a scenario of the user's own."""
    campaign = selectors.campaign_for(request.user, slug)
    try:
        document = own_scenarios.document_from_campaign(visitor(request), campaign)
        own, _ = own_scenarios.save_scenario(visitor(request), document)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except journal.Refused as refused:
        messages.error(request, str(refused))
        is_umpire = permissions.may_advance(request.user, campaign)
        return redirect("console" if is_umpire else "campaign", slug)
    messages.success(request, f"{own.title} begins where the campaign stands.")
    return redirect("own-scenario", own.pk)
