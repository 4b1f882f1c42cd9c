"""Compose a ruling effect by effect, preview it on the map and in words, and give it."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from battles import journal
from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.decoding import decoder_for, encode
from battles.core.game import IllegalAction
from campaign.access import selectors
from campaign.cartography.overlay import changed_hexes, difference
from campaign.models import Campaign, Seat, UnfinishedRuling
from campaign.rules import umpire_rulings as ruling_events
from campaign.rules.core.actions import Ruled
from campaign.rules.core.board import board, chart, laws, random_events
from campaign.rules.core.events import AnyEvent, RandomEvent, Toss
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State
from campaign.rules.map import HexId, map_in_play
from campaign.rules.prose.names import describe_hex, describe_stack, labels, side_name
from campaign.rules.prose.situation import QUALITIES
from campaign.rules.railways import lines
from campaign.rules.tables.rows import EventRow
from campaign.rules.umpire_rulings import Recruit, after
from campaign.services import errors
from campaign.services.umpire import rulings
from campaign.web.console.console import campaign_of
from campaign.web.console.umpire_forms import faces_in
from campaign.web.map import printed_map
from campaign.web.map.hex_pages import hex_named
from campaign.web.visitor import head_seen, visitor
from ops.sent_once import sent_once

LONGEST = 200_000
STORED = ("effect", "reason", "to", "dice", "faces-of", "fallen", "event")
"""Fields of the form that are stored with the effects while the ruling is not yet given."""
Events = tuple[AnyEvent, ...]


class RulingDraft(NamedTuple):
    """A ruling in progress: its effects so far, the hex to which they apply, and its form."""

    form: QueryDict
    events: Events = ()
    hex: HexId | None = None


class HexChange(NamedTuple):
    """A hex in words, before and after."""

    hex: HexId
    place: str
    before: str
    after: str


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sent_once
def rulings_page(request: HttpRequest, slug: str) -> HttpResponse:
    campaign, user, do = campaign_of(request, slug), visitor(request), request.POST.get("do")
    if request.method != "POST":
        return _open(request, campaign)
    if do == "discard":
        rulings.discard_unfinished(campaign, user)
        return redirect("console", slug)
    try:
        draft = _draft(request.POST)
    except errors.UnfitRequest as refused:
        return _open(request, campaign, wrong=refused)
    try:
        if do == "rule":
            _give(request, campaign, draft)
            rulings.discard_unfinished(campaign, user)
            return redirect("console", slug)
        return _show(request, campaign, _change_draft(campaign, request, draft))
    except (journal.Refused, IllegalAction) as refused:
        return _show(request, campaign, draft, wrong=refused)


def _open(
    request: HttpRequest, campaign: Campaign, *, wrong: journal.Refused | None = None
) -> HttpResponse:
    """Show the ruling that the umpire has begun, or an empty one, at the hex in the address."""
    stored = rulings.find_unfinished(campaign, visitor(request))
    draft = RulingDraft(QueryDict())
    try:
        draft = _draft(QueryDict(stored.form)) if stored else draft
        hex_name = request.GET.get("hex", "")
        draft = draft._replace(hex=hex_named(hex_name)) if hex_name else draft
    except errors.UnfitRequest as refused:
        wrong = wrong or refused
    return _show(request, campaign, draft, wrong=wrong, begun=stored)


def _draft(form_data: QueryDict) -> RulingDraft:
    """Return the ruling in the form. Raises UnfitRequest when it cannot be read."""
    text = form_data.get("events", "") or "[]"
    if len(text) > LONGEST:
        raise errors.UnfitRequest("The ruling is too long: give it in two.")
    try:
        events = decoder_for(tuple[AnyEvent, ...]).decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise errors.UnfitRequest("The ruling cannot be read: begin it again.") from error
    looked = form_data.get("here", "")
    return RulingDraft(form_data, events, hex_named(looked) if looked else None)


def _change_draft(campaign: Campaign, request: HttpRequest, draft: RulingDraft) -> RulingDraft:
    """Return the draft after the pressed button. Raises IllegalAction for an impossible one."""
    do = request.POST.get("do", "")
    if do == "look":
        return draft._replace(hex=hex_named(request.POST.get("hex", "")))
    if do == "undo":
        return draft._replace(events=draft.events[:-1])
    if do not in _POWERS:
        raise errors.UnfitRequest("The form does not say what to do: load the page again.")
    so_far = after(selectors.state_now(campaign), draft.events)
    events = (*draft.events, *_POWERS[do](so_far, EffectFields(request.POST, draft.hex)))
    rulings.preview(campaign, visitor(request), Ruled(rulings.UNSAID, events))
    return draft._replace(events=events)


def _give(request: HttpRequest, campaign: Campaign, draft: RulingDraft) -> None:
    """Give the ruling, and write it to the journal."""
    data = request.POST
    toss, event = _toss(data), _event(data)
    sides = tuple(side for side in Side if side.value in data.getlist("to"))
    rulings.rule(
        campaign.pk,
        visitor(request),
        Ruled(data.get("reason", "").strip(), draft.events, sides, toss, event),
        expected_head=head_seen(data),
        faces=_faces(data),
    )
    messages.success(request, "The ruling is given and kept in the journal.")


def _toss(form_data: QueryDict) -> Toss | None:
    count, sides = form_data.get("dice", ""), form_data.get("faces-of", "6")
    if not count:
        return None
    if not (count.isdecimal() and sides.isdecimal() and len(count + sides) < 8):
        raise errors.UnfitRequest("Say how many dice to throw, in figures.")
    return Toss(int(count), int(sides))


def _faces(form_data: QueryDict) -> tuple[int, ...]:
    text = form_data.get("fallen", "").strip()
    if not all(word.isdecimal() for word in text.replace(",", " ").split()):
        raise errors.UnfitRequest("Give the dice as they were thrown, such as 3 5 1.")
    return faces_in(text)


def _event(form_data: QueryDict) -> RandomEvent | None:
    side, _, code = form_data.get("event", "").partition(":")
    if not side:
        return None
    if side not in {member.value for member in Side} or not code.isdecimal():
        raise errors.UnfitRequest("Choose the random event from the list.")
    return RandomEvent(Side(side), int(code))


class EffectFields:
    """The form's fields, parsed one by one. Raises UnfitRequest for meaningless ones."""

    def __init__(self, form_data: QueryDict, hex_id: HexId | None) -> None:
        self._given, self._here = form_data, hex_id

    @property
    def here(self) -> HexId:
        """Return the chosen hex."""
        if self._here is None:
            raise errors.UnfitRequest("Look at a hex first.")
        return self._here

    @property
    def units(self) -> tuple[UnitId, ...]:
        chosen = self._given.getlist("unit")
        if not chosen or not all(number.isdecimal() and len(number) < 9 for number in chosen):
            raise errors.UnfitRequest("Tick some units first.")
        return tuple(UnitId(int(number)) for number in chosen)

    @property
    def there(self) -> HexId:
        return hex_named(self._given.get("to-hex", ""))

    @property
    def recruit(self) -> Recruit:
        data = self._given
        try:
            return Recruit(
                TroopKind(data.get("kind", "")),
                Nation(data.get("nation", "")),
                self.number("count"),
                Quality(data.get("new-quality", "")),
                data.get("name", ""),
            )
        except ValueError as error:
            raise errors.UnfitRequest(
                "Choose a kind of unit and its nation from the lists."
            ) from error

    @property
    def quality(self) -> Quality:
        try:
            return Quality(self._given.get("quality", ""))
        except ValueError as error:
            raise errors.UnfitRequest("Choose a quality from the list.") from error

    @property
    def side(self) -> Side:
        try:
            return Side(self._given.get("holder", ""))
        except ValueError as error:
            raise errors.UnfitRequest("Choose the side that will hold the place.") from error

    @property
    def track(self) -> str:
        return self._given.get("track", "")

    def number(self, name: str) -> int:
        text = self._given.get(name, "")
        if not text.isdecimal() or len(text) > 4:
            raise errors.UnfitRequest("Say how many, in figures.")
        return int(text)


_POWERS: dict[str, Callable[[State, EffectFields], Events]] = {
    "move": lambda state, wish: ruling_events.move(state, wish.units, wish.there),
    "remove": lambda state, wish: ruling_events.remove(state, wish.units),
    "disrupt": lambda state, wish: ruling_events.disrupt(state, wish.units),
    "recover": lambda state, wish: ruling_events.recover(state, wish.units),
    "make": lambda state, wish: ruling_events.make(state, wish.units, wish.quality),
    "add": lambda state, wish: ruling_events.add(state, wish.recruit, wish.here),
    "hand": lambda state, wish: ruling_events.give_place(state, wish.here, wish.side),
    "rails": lambda state, wish: ruling_events.lay_rails(state, wish.track, wish.number("rails")),
}


def _show(
    request: HttpRequest,
    campaign: Campaign,
    draft: RulingDraft,
    *,
    wrong: journal.Refused | IllegalAction | None = None,
    begun: UnfinishedRuling | None = None,
) -> HttpResponse:
    state = selectors.state_now(campaign)
    possible = rulings.preview_possible(campaign, visitor(request), draft.events)
    seen, sentences = possible.seen, draft.form.getlist("effect")
    draft = draft._replace(events=possible.events)
    if request.method == "POST" and begun is None:
        _store(request, campaign, draft, seen)
    now = seen.after if seen else state
    retyped = request.POST if wrong else QueryDict()
    form = draft.form
    context = {
        "campaign": campaign,
        "draft": draft,
        "events": encode(draft.events).decode(),
        "head": campaign.head_id or 0,
        "wrong": wrong,
        "begun": begun,
        "left_out": [
            ("".join(sentences[number : number + 1]), reason)
            for number, reason in possible.left_out
        ],
        "seen": seen,
        "drawing": draw_changes(seen.before, seen.after) if seen else "",
        "changes": list(changes(seen.before, seen.after)) if seen else [],
        "here": draft.hex,
        "title": describe_hex(draft.hex) if draft.hex else "",
        "units": _units(now, draft.hex),
        "ticked": retyped.getlist("unit"),
        "retyped": retyped,
        "to_hex": retyped.get("to-hex", ""),
        "holder": now.control.get(draft.hex) if draft.hex else None,
        "choices": _choices(state),
        "given": form,
        "faces_of": form.get("faces-of") or "6",
        "told": form.getlist("to") if "events" in form else Seat.SIDES,
        "places": sorted(place.name for place in map_in_play().places_in_play),
    }
    status = 400 if wrong and request.method == "POST" else 200
    return render(request, "campaign/console/ruling.html", context, status=status)


def _store(
    request: HttpRequest,
    campaign: Campaign,
    draft: RulingDraft,
    seen: rulings.PreviewedRuling | None,
) -> None:
    """Store the form with the effects as they are now, or forget it where it says nothing."""
    form = QueryDict(mutable=True)
    for name in STORED:
        form.setlist(name, draft.form.getlist(name))
    form["events"] = encode(draft.events).decode()
    form["here"] = f"{draft.hex:04d}" if draft.hex else ""
    if seen:
        form.setlist("effect", list(seen.effects))
    if draft.events or any(form.get(name) for name in ("reason", "dice", "event")):
        rulings.save_unfinished(campaign, visitor(request), form.urlencode())
    else:
        rulings.discard_unfinished(campaign, visitor(request))


def draw_changes(before: State, after: State) -> SafeString:
    """Return the map of `before`, with the hexes marked that differ in `after`."""
    drawn = difference(chart(before), before, after, printed_map.address())
    return mark_safe(drawn)  # noqa: S308  our own drawing


def changes(before: State, after: State) -> Iterator[HexChange]:
    """Yield every hex that differs between the states, in words."""
    for hex_id in changed_hexes(before, after):
        yield HexChange(
            hex_id,
            describe_hex(hex_id),
            _stacks_in_words(before, hex_id),
            _stacks_in_words(after, hex_id),
        )


def _stacks_in_words(state: State, hex_id: HexId) -> str:
    """Return the units in the hex and its holder, in a line."""
    stacks = [board(state).stack(side, hex_id) for side in Side]
    parts = [describe_stack(stack) for stack in stacks if stack]
    hurt = sum(unit.disrupted for stack in stacks for unit in stack)
    words = " against ".join(parts) or "nobody"
    words += f", {hurt} disrupted" if hurt else ""
    holder = state.control.get(hex_id)
    return f"{words}; held by {side_name(holder)}" if holder else words


def _units(state: State, hex_id: HexId | None) -> list[tuple[str, Side, str]]:
    """Return number, side and words of each unit in the hex."""
    units = [unit for side in Side for unit in board(state).stack(side, hex_id)] if hex_id else []
    return [
        (str(unit.id), unit.side, words) for unit, words in zip(units, labels(units), strict=True)
    ]


def _choices(state: State) -> dict[str, object]:
    """Return the choices of the form: kinds, nations, qualities, railways, random events."""
    return {
        "kinds": list(TroopKind),
        "nations": list(Nation),
        "qualities": [
            (quality.value, words) for quality, words in QUALITIES.items() if quality.value
        ],
        "sides": list(Side),
        "rails": [
            (slug, describe_hex(hexes[0]), state.railheads.get(slug, 0), len(hexes))
            for slug, hexes in lines(state).items()
        ],
        "leaders": [leader.name for leader in laws(state).leaders()],
        "events": [
            (f"{state.side}:{result}", f"{result} {row.title} ({state.side.title()})")
            for result, row in _first_results(random_events(state, state.side))
        ],
    }


def _first_results(events: Mapping[int, EventRow]) -> Iterator[tuple[int, EventRow]]:
    """Yield each event once, with its lowest result on two dice."""
    seen: set[int] = set()
    for result, row in events.items():
        if id(row) not in seen:
            seen.add(id(row))
            yield result, row
