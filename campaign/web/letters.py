"""The letters of a campaign: read those that have arrived, write one, route those on their way."""

import re
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from battles.access import display_name
from campaign.access import letters, permissions, selectors
from campaign.access.letters import ReadableLetter
from campaign.models import Campaign, Seat
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.map import HexId
from campaign.rules.prose.names import describe_hex
from campaign.services import letters as post
from campaign.services.attendance import office_of, takes_sheets
from campaign.services.errors import NotAllowed, UnfitRequest
from campaign.web.map.hex_pages import hex_named
from campaign.web.visitor import visitor
from ops.http_policy import posts_to
from ops.sent_once import sent_once
from ops.text_field import LinesField

LETTERS_SHOWN = 200


class LetterForm(forms.Form):
    """The form of a new letter. Places are names or hex numbers, divided by commas."""

    sender = forms.TypedChoiceField(coerce=int, label="From")
    recipients = forms.TypedMultipleChoiceField(
        coerce=int,
        label="To",
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Tick at least one reader."},
    )
    text = LinesField(
        max_length=post.LONGEST, label="Letter", widget=forms.Textarea(attrs={"rows": 8})
    )
    places = forms.CharField(
        required=False,
        max_length=400,
        label="Places on the map",
        help_text="Names or hex numbers, separated by commas: Khartoum, 2041.",
    )
    with_orders = forms.BooleanField(
        required=False, label="Attach my orders for this month as they stand"
    )

    def __init__(
        self, campaign: Campaign, own: list[Seat], others: list[Seat], *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        if not (takes_sheets(campaign) and any(seat.role in Seat.SIDES for seat in own)):
            del self.fields["with_orders"]
        self.fields["sender"].choices = [(seat.pk, office_of(seat)) for seat in own]  # type: ignore[attr-defined]
        self.fields["recipients"].choices = [(seat.pk, seat_label(seat)) for seat in others]  # type: ignore[attr-defined]
        if len(own) == 1:
            self.fields["sender"].initial = own[0].pk
            self.fields["sender"].widget = forms.HiddenInput()

    def clean_places(self) -> list[HexId]:
        """Return the hexes. Refuses a place that is not on the map, and names it."""
        places = re.split("[,;]", self.cleaned_data["places"])
        typed = [place.strip() for place in places if place.strip()]
        try:
            return [hex_named(place) for place in typed]
        except UnfitRequest as unknown:
            raise forms.ValidationError(str(unknown)) from unknown


def seat_label(seat: Seat) -> str:
    """Return the office of a seat with its holder's name."""
    holder = display_name(seat.user) if seat.user else "vacant"
    return f"{office_of(seat)} ({holder})"


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def letter_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the letters that the user may read, with a form for a new one; POST sends it."""
    campaign = selectors.campaign_for(request.user, slug)
    user = visitor(request)
    own = letters.seats_of(campaign, user)
    others = letters.correspondents(campaign, user)
    form = LetterForm(campaign, own, others, request.POST or None)
    if request.method == "POST":
        if not own:
            raise PermissionDenied("Only a player or an umpire of this campaign writes letters.")
        if form.is_valid() and _send_letter(request, campaign, form):
            return redirect("letters", slug)
    rows = [_row(campaign, letter) for letter in letters.letters_for(campaign, user)]
    context = {
        "campaign": campaign,
        "letters": rows[:LETTERS_SHOWN],
        "form": form if own and others else None,
        "alone": bool(own) and not others,
        "umpire": permissions.may_advance(user, campaign),
        "posts": Campaign.LetterPost.choices,
        "post_in_words": post.POST_IN_WORDS[Campaign.LetterPost(campaign.letter_post)],
    }
    status = 400 if request.method == "POST" else 200
    return render(request, "campaign/letters.html", context, status=status)


def _send_letter(request: HttpRequest, campaign: Campaign, form: LetterForm) -> bool:
    data = form.cleaned_data
    draft = post.LetterDraft(
        data["sender"],
        data["recipients"],
        data["text"],
        data["places"],
        data.get("with_orders", False),
    )
    try:
        letter = post.send_letter(campaign.pk, visitor(request), draft)
    except (UnfitRequest, NotAllowed) as refused:
        form.add_error(None, str(refused))
        return False
    late = [copy for copy in letter.copies.all() if copy.arrival_month > campaign.month]
    when = f" It arrives in {month_name(Month(late[0].arrival_month))}." if late else ""
    messages.success(request, f"Your letter is sent.{when}")
    return True


def _row(campaign: Campaign, readable_letter: ReadableLetter) -> dict[str, Any]:
    """Return what the list shows of a letter."""
    return {
        "letter": readable_letter.letter,
        "sent": readable_letter.sent,
        "unread": readable_letter.unread,
        "abandoned": readable_letter.abandoned,
        "by": seat_label(readable_letter.letter.sender),
        "to": [seat_label(copy.seat) for copy in readable_letter.copies],
        "month": month_name(Month(readable_letter.letter.month)),
        "places": [(hex_id, describe_hex(hex_id)) for hex_id in readable_letter.letter.hexes],
        "in_transit": [
            (copy, seat_label(copy.seat), month_name(Month(copy.arrival_month)))
            for copy in readable_letter.in_transit
        ]
        if not campaign.finished
        else [],
    }


@posts_to("letters", "slug")
@login_required
def read_letter(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Mark a letter as read, and go back to it in the list."""
    campaign = selectors.campaign_for(request.user, slug)
    letter = letters.letter_for(campaign, request.user, number)
    if letter is None:
        raise selectors.NotVisible("There is no letter of that number that you may read.")
    post.mark_read(campaign, visitor(request), letter)
    return redirect(f"{reverse('letters', args=[slug])}#letter-{number}")


@posts_to("letters", "slug")
@login_required
def letter_post(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose how letters travel, or hurry, delay or lose one on its way, as an umpire."""
    campaign = selectors.campaign_for(request.user, slug)
    if not permissions.may_advance(request.user, campaign):
        raise PermissionDenied("Only an umpire of this campaign decides about its letters.")
    copy, route = request.POST.get("copy", ""), request.POST.get("to", "")
    try:
        if copy.isdecimal():
            post.route_copy(campaign.pk, visitor(request), int(copy[:18]), to=route)
            messages.success(request, ROUTED[route])
        else:
            post.set_letter_post(campaign.pk, visitor(request), request.POST.get("post", ""))
            messages.success(request, "Saved. Everyone can read it in the umpire log.")
    except (UnfitRequest, NotAllowed) as refused:
        messages.error(request, str(refused))
    return redirect("letters", slug)


ROUTED = {
    "deliver": "The letter is delivered.",
    "delay": "The letter arrives a month later.",
    "lose": "The letter is lost on the way.",
}
