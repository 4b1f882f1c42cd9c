"""Log in, with limits against password guessing.

Two things are counted: every try from an IP address, right or wrong (the rates in the settings),
and the wrong ones for a name from an IP address, by django-axes, on this page, the admin's and the
interface alike. The first slows a search through many names, the second one through passwords.
"""

from ipaddress import ip_address
from math import ceil
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.views.generic import FormView

from accounts.guests import hand_over
from battles.access import is_guest
from campaign.web import guided_month, visitor
from campaign.web.front_page import url_after_login


class ThrottledFormView(FormView):
    """A page on which a password is given, with a limit of tries from an IP address."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        seconds = visitor.seconds_to_wait(request, ("log-in-page", visitor.address_of(request)))
        return too_often(request, seconds) if seconds else super().post(request, *args, **kwargs)


class LoginPage(ThrottledFormView, LoginView):
    """The log-in page, for users and the admin.

    Users who asked for no page in particular go on to the one that waits for them.
    """

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Log in; what a guest has begun in this browser passes to the account."""
        request = self.request
        guest = request.user if isinstance(request.user, User) else None
        guides = request.session.get(guided_month.KEPT, {})
        answer = super().form_valid(form)
        if guest is not None and is_guest(guest):
            request.session[guided_month.KEPT] = guides
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
    context = {"minutes": ceil(seconds / 60), "here": "login"}
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
