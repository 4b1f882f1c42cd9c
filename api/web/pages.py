"""Pages for people about the API: its schema and their tokens."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from api.http import authentication
from api.models import Scope, Token
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
