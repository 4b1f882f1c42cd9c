"""Pages for people about the API: its schema, their tokens and their webhooks."""

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

from api.http import authentication
from api.models import Scope, Token, Webhook
from api.receivers import DELIVER_TASK, dispatch_task
from api.webhooks import registry
from api.webhooks.events import EVENTS, OF_ALL
from campaign.models import Campaign, Seat
from campaign.services.errors import Refused
from campaign.web.visitor import visitor
from ops.http_methods import posts_to


class TokenForm(forms.Form):
    """The name and scopes of a new token."""

    name = forms.CharField(max_length=60, label="What it is for")
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        initial=[Scope.READ, Scope.ORDERS],
        label="It may",
        widget=forms.CheckboxSelectMultiple,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_variables("secret")
def tokens(request: HttpRequest) -> HttpResponse:
    """Show the visitor's tokens; the secret of a new one is shown only once."""
    form = TokenForm(request.POST or None)
    made, secret = None, ""
    if form.is_valid():
        made, secret = _create_token(visitor(request), form)
    context = {
        "form": TokenForm() if made else form,
        "made": made,
        "secret": secret,
        "tokens": authentication.tokens_of(visitor(request)),
    }
    status = 400 if form.errors else 200
    return render(request, "api/tokens.html", context, status=status)


def _create_token(user: User, form: TokenForm) -> tuple[Token | None, str]:
    """Return the token and its secret; None and "" if it is refused, with a form error."""
    try:
        return authentication.create_token(
            user, form.cleaned_data["name"], form.cleaned_data["scopes"]
        )
    except Refused as refused:
        form.add_error(None, str(refused))
        return None, ""


@login_required
@posts_to("tokens")
def revoke_token(request: HttpRequest, number: int) -> HttpResponse:
    """Revoke a token of the visitor."""
    gone, _ = authentication.tokens_of(visitor(request)).filter(pk=number).delete()
    if gone:
        messages.success(request, "The token is revoked: requests with it are refused.")
    return redirect("tokens")


SHOWN = 100


class WebhookForm(forms.Form):
    """The address, campaign and events of a new webhook."""

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
        label="Notify it when",
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
    """Show the visitor's webhooks; the secret of a new one is shown only once."""
    user = visitor(request)
    form = WebhookForm(user, request.POST or None)
    made = _create_webhook(user, form) if form.is_valid() else None
    context = {
        "form": WebhookForm(user) if made else form,
        "made": made,
        "webhooks": registry.webhooks_of(user),
    }
    return render(request, "api/webhooks.html", context, status=400 if form.errors else 200)


def _create_webhook(user: User, form: WebhookForm) -> Webhook | None:
    """Return the webhook; None if it is refused, with a form error."""
    wanted = form.cleaned_data
    campaign = wanted["campaign"]
    events = [one for one in wanted["events"] if not campaign or one in OF_ALL]
    try:
        return registry.create_webhook(user, wanted["url"], campaign=campaign, events=events)
    except Refused as refused:
        form.add_error("url", str(refused))
        return None


@login_required
@require_safe
@never_cache
def webhook(request: HttpRequest, number: int) -> HttpResponse:
    """Show a webhook and its log."""
    found = _mine(request, number)
    context = {"webhook": found, "log": registry.delivery_log(found)[:SHOWN], "events": EVENTS}
    return render(request, "api/webhook.html", context)


@login_required
@posts_to("webhook", "number")
def try_webhook(request: HttpRequest, number: int) -> HttpResponse:
    """Send a test to a webhook."""
    found = _mine(request, number)
    registry.send_test_event(found)
    if dispatch_task(DELIVER_TASK):
        messages.success(request, "The test is on its way: the log shows the result.")
    else:
        messages.error(request, "No worker can be asked now; the test is sent when one is there.")
    return redirect("webhook", number)


@login_required
@posts_to("webhook", "number")
def revoke_webhook(request: HttpRequest, number: int) -> HttpResponse:
    """Delete a webhook."""
    _mine(request, number).delete()
    messages.success(request, "The webhook is revoked: nothing more is sent there.")
    return redirect("webhooks")


def _mine(request: HttpRequest, number: int) -> Webhook:
    return get_object_or_404(registry.webhooks_of(visitor(request)), pk=number)
