"""Pages for people about their webhooks: made, tried, their log, revoked."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_safe

from api.hand_over import TELL, hand_over
from api.hooks import keeping
from api.hooks.happenings import EVENTS
from api.models import Webhook
from campaign.models import Campaign, Seat
from campaign.services.errors import Refused
from campaign.web.visitor import visitor
from ops.http_methods import posts_to

SHOWN = 100


class NewWebhook(forms.Form):
    """A webhook to be made: its address, of which campaigns, and what it is told."""

    url = forms.CharField(
        max_length=500, label="Address", widget=forms.URLInput(attrs={"placeholder": "https://"})
    )
    campaign = forms.ModelChoiceField(
        Campaign.objects.none(),
        required=False,
        label="Of",
        empty_label="all your campaigns, what you may know",
    )
    events = forms.MultipleChoiceField(
        choices=list(EVENTS.items()),
        initial=list(EVENTS),
        label="It is told when",
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, user: User, *told: Any) -> None:
        super().__init__(*told)
        umpired = Campaign.objects.filter(seats__user=user, seats__role=Seat.Role.UMPIRE)
        self.fields["campaign"].queryset = umpired.distinct()  # type: ignore[attr-defined]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_variables("secret")
def webhooks(request: HttpRequest) -> HttpResponse:
    """The visitor's webhooks; the secret of a new one is shown here this once."""
    user = visitor(request)
    form = NewWebhook(user, request.POST or None)
    made = _made(user, form) if form.is_valid() else None
    context = {
        "form": NewWebhook(user) if made else form,
        "made": made,
        "webhooks": keeping.of_user(user),
    }
    return render(request, "api/webhooks.html", context, status=400 if form.errors else 200)


def _made(user: User, form: NewWebhook) -> Webhook | None:
    """The webhook; None, with the reason in the form, when it is refused."""
    wanted = form.cleaned_data
    campaign = wanted["campaign"]
    events = [one for one in wanted["events"] if not campaign or one in keeping.OF_ALL]
    try:
        return keeping.make(user, wanted["url"], campaign=campaign, events=events)
    except Refused as refused:
        form.add_error("url", str(refused))
        return None


@login_required
@require_safe
@never_cache
def webhook(request: HttpRequest, number: int) -> HttpResponse:
    """One of them, and the log of what was told to it."""
    found = _mine(request, number)
    context = {"webhook": found, "log": keeping.log_of(found)[:SHOWN], "events": EVENTS}
    return render(request, "api/webhook.html", context)


@login_required
@posts_to("webhook", "number")
def try_out(request: HttpRequest, number: int) -> HttpResponse:
    """Send it a test."""
    found = _mine(request, number)
    keeping.try_out(found)
    if hand_over(TELL):
        messages.success(request, "The test is on its way: the log tells what comes of it.")
    else:
        messages.error(request, "No worker can be asked now; the test is sent when one is there.")
    return redirect("webhook", number)


@login_required
@posts_to("webhook", "number")
def revoke(request: HttpRequest, number: int) -> HttpResponse:
    """Nothing more is sent there."""
    _mine(request, number).delete()
    messages.success(request, "The webhook is revoked: nothing more is sent there.")
    return redirect("webhooks")


def _mine(request: HttpRequest, number: int) -> Webhook:
    return get_object_or_404(keeping.of_user(visitor(request)), pk=number)
