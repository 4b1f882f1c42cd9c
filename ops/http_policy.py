"""The methods that a view answers, and the content policy of every answer."""

from collections.abc import Callable
from functools import wraps

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

DOCUMENT_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""The policy of a document for programs: it loads nothing, and is shown in no frame."""


class ContentPolicyMiddleware(CSPMiddleware):
    """The middleware of django-csp, which is spared where the answer has a policy of its own.

    Building the policy of the pages takes a sixth of the time of a small answer, and the middleware
    builds it before it looks whether the answer needs one.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Return the response, with the policy of the pages unless it has one."""
        if HEADER in response.headers:
            return response
        return super().process_response(request, response)


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
