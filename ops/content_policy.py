"""Send a Content-Security-Policy with every answer: that of the pages, unless it has its own."""

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.http import HttpRequest
from django.http.response import HttpResponseBase

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
