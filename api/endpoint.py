"""What every endpoint has in common."""

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from django.http import HttpResponse, HttpResponseBase
from django.utils.cache import patch_vary_headers
from rest_framework.permissions import SAFE_METHODS, AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from api.answers import ASK_AGAIN_ALONE, Document, respond
from api.models import Scope, Token
from api.problems import invalid, not_in_scope, too_often
from api.repeats import REPLAYED

if TYPE_CHECKING:
    from api.throttles import MadeThrottle


class Endpoint(APIView):
    """A view that knows its query parameters and lets no shared cache keep what one may see.

    `scope` is what a token needs for its methods that write; to read, it needs `read`.
    """

    parameters: ClassVar[frozenset[str]] = frozenset()
    scope: ClassVar[str] = Scope.ORDERS

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.counters: list[MadeThrottle] = []

    def throttled(self, request: Request, wait: float | None) -> NoReturn:
        """Refuse a request that comes too often. Raises Problem."""
        raise too_often(wait)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self._check_scope(request)
        unknown = sorted(set(request.query_params) - self.parameters)
        if unknown:
            known = ", ".join(sorted(self.parameters)) or "none"
            raise invalid(**dict.fromkeys(unknown, f"No such parameter; known here: {known}."))

    def _check_scope(self, request: Request) -> None:
        token, needed = request.auth, self.scope_for(str(request.method))
        if isinstance(token, Token) and needed not in token.scopes:
            raise not_in_scope(needed)

    @classmethod
    def scope_for(cls, method: str) -> str:
        """The scope a token needs for this method."""
        return Scope.READ if method.upper() in SAFE_METHODS else cls.scope

    def tell(self, content: object) -> HttpResponse:
        """The content as it is for whoever asks now; 304 to one who has it already."""
        return respond(self.request, Document(content), ASK_AGAIN_ALONE)

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        response = super().finalize_response(request, response, *args, **kwargs)
        if response.status_code < 400 and REPLAYED not in response:
            for counter in self.counters:
                counter.count()
        response.headers.setdefault("Cache-Control", ASK_AGAIN_ALONE)
        if not response["Cache-Control"].startswith("public"):
            patch_vary_headers(response, ["Authorization", "Cookie"])
        return response


class OpenEndpoint(Endpoint):
    """Anybody may read it; what campaigns are seen there depends on who asks."""

    permission_classes = [AllowAny]


class OwnEndpoint(Endpoint):
    """Only for those who are logged in."""

    permission_classes = [IsAuthenticated]


class UmpireEndpoint(OwnEndpoint):
    """What it writes is for an umpire."""

    scope: ClassVar[str] = Scope.UMPIRE


class PublicEndpoint(OpenEndpoint):
    """The same for everybody, and ready: who asks, and how often, is not looked at."""

    authentication_classes: ClassVar[list[Any]] = []
    throttle_classes: ClassVar[list[Any]] = []
