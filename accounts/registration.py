"""Register users, with limits on their number, and log them in at once."""

from typing import Any

from django import forms
from django.contrib.auth import login
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.display_names import TAKEN, is_taken
from accounts.forms import LIKE_THIS, ONCE_MORE
from battles.access import is_guest
from campaign.web import guided_month, visitor

PASSWORDS = "django.contrib.auth.backends.ModelBackend"


class RegistrationForm(UserCreationForm):
    """A name and a password, and an optional e-mail address."""

    email = forms.EmailField(
        required=False,
        label="E-mail",
        help_text="To get an e-mail when it is your turn. Nobody else sees it.",
    )

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username", "email")
        labels = {"username": "Name"}
        help_texts = {"username": "Letters, figures and @ . + - _, at most 150 of them."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = LIKE_THIS
        self.fields["password2"].help_text = ONCE_MORE

    def clean_username(self) -> str:
        """Refuse a name that another user logs in with, or is called by."""
        name: str = super().clean_username()
        if name and is_taken(name, None):
            raise forms.ValidationError(TAKEN)
        return name


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@csrf_protect
@never_cache
def register(request: HttpRequest) -> HttpResponse:
    """Create a user, log them in, and redirect to the page they came from.

    A guest becomes that user, and keeps everything they have played.
    """
    onward = _onward(request)
    guest = request.user if isinstance(request.user, User) and is_guest(request.user) else None
    if request.user.is_authenticated and guest is None:
        return redirect(onward)
    form = RegistrationForm(request.POST or None, instance=_nameless(guest))
    seconds = wait_before(request, form) if request.method == "POST" else 0
    if not seconds and form.is_valid():
        guides = request.session.get(guided_month.KEPT, {})
        login(request, form.save(), backend=PASSWORDS)
        request.session[guided_month.KEPT] = guides
        request.session.set_expiry(None)
        return redirect(onward)
    context = {
        "form": form,
        "next": onward,
        "wait": visitor.duration_text(seconds),
        "here": "login",
    }
    status = 429 if seconds else 400 if form.errors else 200
    answer = render(request, "registration/register.html", context, status=status)
    if seconds:
        answer["Retry-After"] = str(seconds)
    return answer


def _nameless(guest: User | None) -> User | None:
    """Return the guest's user as a new account begins: without a name, joined today."""
    if guest is None:
        return None
    fresh = User.objects.get(pk=guest.pk)
    fresh.username, fresh.first_name, fresh.date_joined = "", "", timezone.now()
    return fresh


def wait_before(request: HttpRequest, form: RegistrationForm) -> int:
    """Return the seconds until registration is possible from that IP address; 0: go ahead.

    Tries are counted by IP address, successful ones by IP address and for the whole site.
    """
    address = visitor.address_of(request)
    if seconds := visitor.seconds_to_wait(request, ("register-try", address)):
        return seconds
    if not form.is_valid():
        return 0
    return visitor.seconds_to_wait(
        request, ("register", address), ("register-all", visitor.EVERYBODY)
    )


def _onward(request: HttpRequest) -> str:
    """Return the next page: an address of this site, else the front page."""
    next_url = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(
        next_url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return next_url if safe else reverse("front")
