"""The page of a user's tokens: make one, see those in use, revoke them."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from accounts import tokens
from accounts.models import Scope, Token
from campaign.models import Campaign, Seat
from campaign.services.errors import Refused
from campaign.web.visitor import visitor
from ops.http_methods import posts_to

NEVER = "never"
_LIFETIMES = [
    *((str(days), f"{days} day{'s' if days > 1 else ''}") for days in tokens.LIFETIMES),
    (NEVER, "until it is revoked"),
]


class TokenForm(forms.Form):
    """The name, scopes, lifetime and campaign of a new token."""

    name = forms.CharField(max_length=60, label="What it is for")
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        initial=[Scope.READ, Scope.ORDERS],
        label="It may",
        widget=forms.CheckboxSelectMultiple,
    )
    days = forms.ChoiceField(
        choices=_LIFETIMES, initial=str(tokens.DEFAULT_LIFETIME), label="It is good for"
    )
    campaign = forms.ModelChoiceField(
        Campaign.objects.none(),
        required=False,
        to_field_name="slug",
        label="It opens",
        empty_label="all your campaigns",
    )

    def __init__(self, user: User, *told: Any) -> None:
        super().__init__(*told)
        sits_in = Seat.objects.filter(user=user).values("campaign")
        own = Campaign.objects.filter(pk__in=sits_in).defer("document", "secret_seed")
        self.fields["campaign"].queryset = own  # type: ignore[attr-defined]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_variables("secret")
def tokens_page(request: HttpRequest) -> HttpResponse:
    """Show the visitor's tokens; the secret of a new one is shown only once."""
    user = visitor(request)
    form = TokenForm(user, request.POST or None)
    made, secret = None, ""
    if form.is_valid():
        made, secret = _create_token(user, form)
    context = {
        "form": TokenForm(user) if made else form,
        "made": made,
        "secret": secret,
        "tokens": tokens.tokens_of(user),
    }
    status = 400 if form.errors else 200
    return render(request, "accounts/tokens.html", context, status=status)


def _create_token(user: User, form: TokenForm) -> tuple[Token | None, str]:
    """Return the token and its secret; None and "" if it is refused, with a form error."""
    wanted = form.cleaned_data
    days = None if wanted["days"] == NEVER else int(wanted["days"])
    try:
        return tokens.create_token(
            user, wanted["name"], wanted["scopes"], days=days, campaign=wanted["campaign"]
        )
    except Refused as refused:
        form.add_error(None, str(refused))
        return None, ""


@login_required
@posts_to("tokens")
def revoke_token(request: HttpRequest, number: int) -> HttpResponse:
    """Revoke a token of the visitor."""
    gone, _ = tokens.tokens_of(visitor(request)).filter(pk=number).delete()
    if gone:
        messages.success(request, "The token is revoked: requests with it are refused.")
    return redirect("tokens")
