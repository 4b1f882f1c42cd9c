"""The base classes of endpoints, and the operations they declare for the schema."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, NoReturn, TypedDict, TypeVar, Unpack

import msgspec
from csp.constants import HEADER as POLICY_HEADER
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from rest_framework.exceptions import APIException
from rest_framework.permissions import SAFE_METHODS, AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.models import Scope, Token
from api.http.authentication import NOBODY, BearerToken, check_token
from api.http.idempotency import REPLAYED, Handler, idempotent
from api.http.preconditions import CHANGES, unless_changed
from api.http.problems import Problem, invalid_parameters, too_often
from api.http.responses import ASK_AGAIN_ALONE, Deprecation, EncodedDocument, respond
from api.http.throttles import MadeThrottle, rate_limit_headers
from campaign.services.errors import OUT_OF_REACH
from campaign.web.visitor import is_allowed
from ops.http_policy import DOCUMENT_POLICY


class Endpoint(APIView):
    """A view that checks its query parameters and the token's scope.

    `scope` is what a token needs for methods that write; methods that read need `read`. Answers
    that depend on the user are never kept by a shared cache.
    """

    parameters: ClassVar[frozenset[str]] = frozenset()
    """The query parameters of GET; of the other methods too if the endpoint has no GET."""
    write_parameters: ClassVar[frozenset[str]] = frozenset()
    scope: ClassVar[str] = Scope.ORDERS
    has_secrets: ClassVar[bool] = False
    """Answers to POST hold a secret, which nothing may store."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.limits: list[Any] = []

    def check_throttles(self, request: Request) -> None:
        """Raise the problem `throttled` if a limit is reached; keep all for the answer's header."""
        self.limits = self.get_throttles()
        waits = [limit.wait() for limit in self.limits if not is_allowed(limit, request, self)]
        if waits:
            self.throttled(request, max(wait or 0 for wait in waits))

    def throttled(self, request: Request, wait: float | None) -> NoReturn:
        """Raise the problem `throttled`; `wait` is in seconds."""
        raise too_often(wait)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.check_token(request)
        parameters = self.parameters_of(str(request.method))
        unknown = sorted(set(request.query_params) - parameters)
        if unknown:
            names = ", ".join(sorted(parameters)) or "none"
            raise invalid_parameters(
                **dict.fromkeys(unknown, f"No such parameter; known here: {names}.")
            )
        repeated = sorted(name for name, values in request.query_params.lists() if len(values) > 1)
        if repeated:
            raise invalid_parameters(**dict.fromkeys(repeated, "Send this parameter once."))

    def check_token(self, request: Request) -> None:
        """Raise the problem `not-in-scope` if the request's token does not open this."""
        if isinstance(request.auth, Token):
            check_token(request.auth, self, self.scope_for(str(request.method)))

    @classmethod
    def parameters_of(cls, method: str) -> frozenset[str]:
        """Return the names of the method's query parameters."""
        reads = method.upper() in SAFE_METHODS or not hasattr(cls, "get")
        return cls.parameters if reads else cls.write_parameters

    @classmethod
    def scope_for(cls, method: str) -> str:
        """Return the scope a token needs for this method."""
        return Scope.READ if method.upper() in SAFE_METHODS else cls.scope

    def answer(self, content: object) -> HttpResponse:
        """Return the content as the caller may see it; 304 if their copy is current."""
        return respond(self.request, EncodedDocument(content), ASK_AGAIN_ALONE)

    def answer_list(self, results: Iterable[object]) -> HttpResponse:
        """Return a whole list as the caller may see it."""
        return self.answer({"results": list(results)})

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        response = super().finalize_response(request, response, *args, **kwargs)
        if response.status_code < 400 and REPLAYED not in response:
            for limit in self.limits:
                if isinstance(limit, MadeThrottle):
                    limit.count()
        for name, value in rate_limit_headers(self.limits).items():
            response.headers[name] = value
        handler = getattr(self, str(request.method).lower(), None)
        operation: Operation | None = getattr(handler, "operation", None)
        if operation is not None and operation.deprecation is not None:
            reference = request.build_absolute_uri(reverse("schema-page"))
            operation.deprecation.announce(response, reference)
        response.headers.setdefault("Cache-Control", ASK_AGAIN_ALONE)
        response.headers.setdefault(POLICY_HEADER, DOCUMENT_POLICY)
        if not response["Cache-Control"].startswith("public"):
            patch_vary_headers(response, ["Authorization", "Cookie"])
        if self.has_secrets and request.method == "POST":
            response["Cache-Control"] = "no-store"
        return response


def is_true(request: Request, name: str) -> bool:
    """Return the value of a boolean query parameter, False without it; else Problem `invalid`."""
    value: str = request.query_params.get(name, "false")
    if value not in ("true", "false"):
        raise invalid_parameters(**{name: f"{value!r} is neither: write true or false."})
    return value == "true"


def slug_parameter(request: Request, name: str) -> str | None:
    """Return the value of a query parameter that takes a slug, None without it; else Problem
    `invalid`.
    """
    text: str | None = request.query_params.get(name)
    if text is not None and not re.fullmatch(r"[-a-zA-Z0-9_]{1,60}", text):
        raise invalid_parameters(
            **{name: f"{text!r} is no slug: give letters, digits, - and _, 60 at most."}
        )
    return text


class OpenEndpoint(Endpoint):
    """An endpoint that anyone may read; the campaigns it shows depend on the caller."""

    permission_classes = [AllowAny]


class OwnEndpoint(Endpoint):
    """An endpoint for users who are logged in."""

    permission_classes = [IsAuthenticated]


class UmpireEndpoint(OwnEndpoint):
    """An endpoint whose methods that write need the scope `umpire`."""

    scope: ClassVar[str] = Scope.UMPIRE


class ReadyEndpoint(OpenEndpoint, ABC):
    """An endpoint whose documents are often in memory; it looks there before anything else.

    For a document in memory, what the framework does for every request (wrapping, negotiation,
    initial checks) takes longer than the check of access and the answer. A plain GET is therefore
    answered without it. Every other request, and each one that fails, takes the framework's way,
    the only one that answers errors.
    """

    @abstractmethod
    def ready(self, request: HttpRequest, **kwargs: str) -> tuple[EncodedDocument, str] | None:
        """Return a document in memory that the caller may read, and its Cache-Control, else None.

        None also where the framework has to decide.
        """

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer from memory, or as the framework does."""
        try:
            answer = self.ready(request, **kwargs) if _is_plain(request.META) else None
        except (APIException, Http404, Problem, *OUT_OF_REACH):
            answer = None  # the framework answers errors
        if answer is None:
            usual: HttpResponseBase = super().dispatch(request, *args, **kwargs)
            return usual
        document, caching = answer
        vary = "Accept-Encoding" if len(self.renderer_classes) == 1 else "Accept-Encoding, Accept"
        if caching is ASK_AGAIN_ALONE:
            vary += ", Authorization, Cookie"
        media = self.renderer_classes[0].media_type
        return respond(request, document, caching, media=media, vary=vary)


def _is_plain(sent: Mapping[str, Any]) -> bool:
    """Return whether a request is a GET without query, chosen media type or precondition."""
    return (
        sent["REQUEST_METHOD"] == "GET"
        and not sent.get("QUERY_STRING")
        and sent.get("HTTP_ACCEPT", "*/*") == "*/*"
        and "HTTP_IF_MATCH" not in sent
        and "HTTP_IF_UNMODIFIED_SINCE" not in sent
    )


def reader_of(request: HttpRequest) -> User | AnonymousUser | None:
    """Return the user of a request that reads, by its token or else its session.

    Return None for a token that does not read everything its user may read, because its access
    depends on the address. Raises AuthenticationFailed for an invalid token. A request without a
    session cookie costs no query.
    """
    user_auth = BearerToken().authenticate(request)
    if user_auth is None:
        return request.user if settings.SESSION_COOKIE_NAME in request.COOKIES else NOBODY
    user, token = user_auth
    return user if token.campaign_id is None and Scope.READ in token.scopes else None


class PublicEndpoint(OpenEndpoint):
    """An endpoint for everyone, by default without throttling; a token is checked but not needed.

    A session is not looked at: the answer is the same for everyone.
    """

    authentication_classes: ClassVar[list[Any]] = [BearerToken]
    throttle_classes: ClassVar[list[Any]] = []

    def check_token(self, request: Request) -> None:
        """Do nothing: every token opens what everyone may see."""


T = TypeVar("T")


class Listed(msgspec.Struct, Generic[T], frozen=True):
    """A complete list."""

    results: tuple[T, ...]


class Paged(msgspec.Struct, Generic[T], frozen=True):
    """A page of a list; `next` and `previous` are the addresses of its neighbours."""

    results: list[T]
    next: str | None
    previous: str | None


class OperationTerms(TypedDict, total=False):
    """The options of an operation besides its answer."""

    status: int
    takes: Any
    also: Mapping[int, Any]
    problems: tuple[str, ...]
    once: bool
    match: bool
    may_match: bool
    media: str
    deprecation: Deprecation


@dataclass(frozen=True)
class Operation:
    """The answer of a method, and the terms on which it is given.

    `answers` is a msgspec type, the name of a schema of `api.openapi.parameters`, or None for an
    answer without a body; `takes` is the type of the body or a union of types, or the media type
    of one that is not JSON. `also` maps further statuses to their answers. With `once`, the method
    honours Idempotency-Key and returns a WriteResult; with `match`, it requires If-Match, with
    `may_match` it heeds it where it is sent, as every PUT, PATCH and DELETE of what can be read
    does. With a `deprecation`, every answer announces the end of the operation.
    """

    answers: Any
    status: int = 200
    takes: Any = None
    also: Mapping[int, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    once: bool = False
    match: bool = False
    may_match: bool = False
    media: str = "application/json"
    deprecation: Deprecation | None = None


def operation(answers: Any = None, **terms: Unpack[OperationTerms]) -> Callable[[Handler], Handler]:
    """Declare what a method answers; without `answers`, the `answers` of its class apply."""

    def decorate(handler: Handler) -> Handler:
        own_lock = terms.get("match") or terms.get("may_match")
        checked = (
            unless_changed(handler) if handler.__name__ in CHANGES and not own_lock else handler
        )
        method = idempotent(checked) if terms.get("once") else checked
        method.operation = Operation(answers, **terms)  # type: ignore[attr-defined]
        return method

    return decorate


def operation_of(view: type, method: str) -> Operation:
    """Return the operation that the view declares for the method."""
    operation: Operation = getattr(view, method.lower()).operation
    if method.lower() in CHANGES and hasattr(view, "get") and not operation.match:
        operation = replace(operation, may_match=True)
    if operation.answers is not None or operation.status == 204:
        return operation
    media = getattr(view, "media", operation.media)
    return replace(operation, answers=view.answers, media=media)  # type: ignore[attr-defined]
