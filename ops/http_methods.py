"""Addresses that only change something, and the page that each of them belongs to."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import reverse

ALLOWED = ("GET", "HEAD", "POST")
View = Callable[..., HttpResponse]


def posts_to(page: str, *names: str) -> Callable[[View], View]:
    """Let the view answer POST alone, and lead whoever only looks to the page it belongs to.

    An address that takes a form comes to be looked at: by reloading after a refusal, from the
    history, after logging in. `page` is the name of the page's address, `names` are those of the
    view's arguments that are in it.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            if request.method == "POST":
                return view(request, *args, **kwargs)
            if request.method in ALLOWED:
                return redirect(reverse(page, kwargs={name: kwargs[name] for name in names}))
            return HttpResponseNotAllowed(ALLOWED)

        return answer

    return decorate
