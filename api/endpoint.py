"""What every endpoint has in common."""

from typing import Any, ClassVar

from django.http import HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from api.answers import ASK_AGAIN_ALONE, Document, respond
from api.problems import invalid


class Endpoint(APIView):
    """A view that knows its query parameters and lets no shared cache keep what one may see."""

    parameters: ClassVar[frozenset[str]] = frozenset()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        unknown = sorted(set(request.query_params) - self.parameters)
        if unknown:
            known = ", ".join(sorted(self.parameters)) or "none"
            raise invalid(**dict.fromkeys(unknown, f"No such parameter; known here: {known}."))

    def tell(self, content: object) -> HttpResponse:
        """The content as it is for whoever asks now; 304 to one who has it already."""
        return respond(self.request, Document(content), ASK_AGAIN_ALONE)

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers.setdefault("Cache-Control", ASK_AGAIN_ALONE)
        if not response["Cache-Control"].startswith("public"):
            patch_vary_headers(response, ["Authorization", "Cookie"])
        return response


class OpenEndpoint(Endpoint):
    """Anybody may read it; what campaigns are seen there depends on who asks."""

    permission_classes = [AllowAny]


class PublicEndpoint(OpenEndpoint):
    """The same for everybody, and ready: who asks, and how often, is not looked at."""

    authentication_classes: ClassVar[list[Any]] = []
    throttle_classes: ClassVar[list[Any]] = []
