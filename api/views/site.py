"""Pages for people about the interface for programs: its schema, and their tokens."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_safe

from api import keys
from api.models import Scope, Token
from campaign.services.errors import Refused
from campaign.web.visitor import visitor
from ops.http_methods import posts_to


class NewToken(forms.Form):
    """A token to be made: what it is for, and what it opens."""

    name = forms.CharField(max_length=60, label="What it is for")
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices,
        initial=[Scope.READ, Scope.ORDERS],
        label="It may",
        widget=forms.CheckboxSelectMultiple,
    )


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """The schema, to be read and tried."""
    return render(request, "api/schema.html")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_variables("secret")
def tokens(request: HttpRequest) -> HttpResponse:
    """The visitor's tokens; a new one is shown here this once."""
    form = NewToken(request.POST or None)
    made, secret = None, ""
    if form.is_valid():
        made, secret = _made(visitor(request), form)
    context = {
        "form": NewToken() if made else form,
        "made": made,
        "secret": secret,
        "tokens": keys.tokens_of(visitor(request)),
    }
    status = 400 if form.errors else 200
    return render(request, "api/tokens.html", context, status=status)


def _made(user: User, form: NewToken) -> tuple[Token | None, str]:
    """The token and its secret; nothing, with the reason in the form, when it is refused."""
    try:
        return keys.make(user, form.cleaned_data["name"], form.cleaned_data["scopes"])
    except Refused as refused:
        form.add_error(None, str(refused))
        return None, ""


@login_required
@posts_to("tokens")
def revoke(request: HttpRequest, number: int) -> HttpResponse:
    """The visitor's token opens nothing any more."""
    gone, _ = keys.tokens_of(visitor(request)).filter(pk=number).delete()
    if gone:
        messages.success(request, "The token is revoked: whoever sends it is refused.")
    return redirect("tokens")
