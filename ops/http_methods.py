"""Restrict views to HTTP methods."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import reverse

ALLOWED = ("GET", "HEAD", "POST")
View = Callable[..., HttpResponse]


def posts_to(page: str, *names: str) -> Callable[[View], View]:
    """Let the view answer POST only, and redirect GET to the page it belongs to.

    The address of a form is also visited: by reloading after a refusal, from the history, after
    logging in. `page` is the name of the page's URL, `names` are the view's arguments in it.
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
