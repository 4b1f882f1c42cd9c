"""What fails outside of any view, such as the session in its middleware, is told in words too."""

import sys

from django.http import HttpRequest, HttpResponse
from django.views.defaults import server_error

from api.encoding import encode
from api.problems import MEDIA_TYPE, TYPES, problem_of
from campaign.services.errors import OUT_OF_REACH
from campaign.web.error_pages import out_of_reach


def failed(request: HttpRequest) -> HttpResponse:
    """Django's handler of last resort: a problem document for programs, a page for people."""
    failure = sys.exc_info()[1]
    if request.path.startswith("/api/"):
        return _problem(request, failure)
    if isinstance(failure, OUT_OF_REACH):
        return out_of_reach(failure)
    return server_error(request)


def _problem(request: HttpRequest, failure: BaseException | None) -> HttpResponse:
    problem = problem_of(failure if isinstance(failure, Exception) else Exception())
    return HttpResponse(
        encode(problem.document(request.path)),
        status=TYPES[problem.type].status,
        headers={"Cache-Control": "no-store", **problem.headers},
        content_type=MEDIA_TYPE,
    )
