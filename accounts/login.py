"""Register and log in, with limits against mass registration and password guessing.

At log-in two things are counted: every try from an IP address, right or wrong (the rates in the
settings), and the wrong ones for a name from an IP address, by django-axes, on this page, the
admin's and the interface alike. The first slows a search through many names, the second one
through passwords.
"""

from ipaddress import ip_address
from math import ceil
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm, UserCreationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django.views.generic import FormView

from accounts.display_names import KEPT_BACK, TAKEN, is_reserved, is_taken
from accounts.guests import hand_over
from battles.access import is_guest
from campaign.web import help_pages, visitor
from campaign.web.front_page import url_after_login
from ops.sent_once import sent_once

PASSWORDS = "django.contrib.auth.backends.ModelBackend"
LEADS_ELSEWHERE = {"here": "login"}
"""The context of the pages to which nobody wants to return after logging in or registering."""
LONGEST_PASSWORD = 200
"""The most characters of a new password; a longer one from before still logs in."""
LIKE_THIS = (
    f"8 to {LONGEST_PASSWORD} characters; not only digits, not a common word, not your name."
)
ONCE_MORE = "The same password again."


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
        """Refuse a name that another user logs in with or is called by, and a reserved one."""
        name: str = super().clean_username()
        if name and is_taken(name, None):
            raise forms.ValidationError(TAKEN)
        if name and is_reserved(name):
            raise forms.ValidationError(KEPT_BACK.format(name))
        return name

    def save_unless_taken(self) -> User | None:
        """Save the user; return None, with an error, if somebody else has just taken the name."""
        try:
            with transaction.atomic():
                user: User = self.save()
        except IntegrityError:
            self.add_error("username", TAKEN)
            return None
        return user


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@csrf_protect
@never_cache
@sent_once
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
    user = form.save_unless_taken() if not seconds and form.is_valid() else None
    if user is not None:
        guides = request.session.get(help_pages.KEPT_GUIDES, {})
        login(request, user, backend=PASSWORDS)
        request.session[help_pages.KEPT_GUIDES] = guides
        request.session.set_expiry(None)
        return redirect(onward)
    context = {
        "form": form,
        "next": onward,
        "wait": visitor.duration_text(seconds),
        **LEADS_ELSEWHERE,
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


class ThrottledFormView(FormView):
    """A page on which a password is given, with a limit of tries from an IP address."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        seconds = visitor.seconds_to_wait(request, ("log-in-page", visitor.address_of(request)))
        return too_often(request, seconds) if seconds else super().post(request, *args, **kwargs)


class LoginPage(ThrottledFormView, LoginView):
    """The log-in page, for users and the admin.

    Users who asked for no page in particular go on to the one that waits for them.
    """

    extra_context = LEADS_ELSEWHERE

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Log in; what a guest has begun in this browser passes to the account."""
        request = self.request
        guest = request.user if isinstance(request.user, User) else None
        guides = request.session.get(help_pages.KEPT_GUIDES, {})
        answer = super().form_valid(form)
        if guest is not None and is_guest(guest):
            request.session[help_pages.KEPT_GUIDES] = guides
            request.session.set_expiry(None)
            if count := hand_over(guest, form.get_user()):
                games = "The game" if count == 1 else f"The {count} games"
                verb = "is" if count == 1 else "are"
                messages.success(request, f"{games} that you began as a guest {verb} now yours.")
                return redirect(self.get_success_url())
        return answer

    def get_success_url(self) -> str:
        """Return the next page; the front page, where everybody starts, does not count."""
        next_url, user = self.get_redirect_url(), self.request.user
        if isinstance(user, User) and next_url in ("", reverse("front")):
            return url_after_login(user)
        return super().get_success_url()


def locked_out(request: HttpRequest, *_: object) -> HttpResponse:
    """Return django-axes' answer once a name has been tried too often from an IP address."""
    return too_often(request, int(settings.AXES_COOLOFF_TIME.total_seconds()))


def too_often(request: HttpRequest, seconds: int) -> HttpResponse:
    """Return the page that says when to try again."""
    context = {"minutes": ceil(seconds / 60), **LEADS_ELSEWHERE}
    response = render(request, "registration/too_often.html", context, status=429)
    response["Retry-After"] = str(seconds)
    add_never_cache_headers(response)
    return response


def address_of(request: HttpRequest) -> str | None:
    """Return the client's IP address as the throttles know it, or None if it is not valid."""
    try:
        return str(ip_address(visitor.address_of(request)))
    except ValueError:
        return None
