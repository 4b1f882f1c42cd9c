"""The index of addresses, the types of problem, the schema, and the answer to unknown addresses."""

import inspect
import re
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, ClassVar, NoReturn

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponsePermanentRedirect
from django.urls import get_resolver, resolve, reverse
from msgspec import Meta
from rest_framework.request import Request

from api.http.authentication import BearerToken
from api.http.endpoint import Listed, OpenEndpoint, PublicEndpoint, operation
from api.http.problems import TYPES, Problem, problem_address
from api.http.responses import ASK_AGAIN, EncodedDocument, respond
from api.openapi.info import stored_schema
from api.webhooks import API_VERSION

_VARIABLE = re.compile(r"<\w+:(\w+)>")


class AddressPart(msgspec.Struct, frozen=True):
    """An address as a template, with its methods and subject."""

    address: str
    methods: tuple[str, ...]
    description: str


class IndexLinks(msgspec.Struct, frozen=True):
    """The addresses that name nothing in particular."""

    self: str
    campaigns: str
    battles: str
    battle_offers: str
    battle_throws: str
    battles_historical: str
    deleted_campaigns: str
    imports: str
    maps: str
    table_sets: str
    scenarios: str
    own_scenarios: str
    deleted_own_scenarios: str
    rulings: str
    books: str
    simulations: str
    accounts: str
    account: str
    account_password: str
    account_notifications: str
    push_subscriptions: str
    password_resets: str
    tokens: str
    webhooks: str
    problems: str
    schema: str


class IndexDocument(msgspec.Struct, frozen=True):
    """The index of the interface."""

    title: str
    api_version: str
    links: IndexLinks
    addresses: tuple[AddressPart, ...]


class ProblemTypeDocument(msgspec.Struct, frozen=True):
    """A type of problem: its status, its title, and what it means to a client.

    `type` is its address, as problems have it.
    """

    type: Annotated[str, Meta(extra_json_schema={"format": "uri"})]
    name: str
    http_status: int
    title: str
    description: str


class Index(PublicEndpoint):
    """The index of the interface: start here."""

    @operation(IndexDocument)
    def get(self, request: Request) -> HttpResponse:
        """List every address of the interface."""
        return respond(request, _index(), ASK_AGAIN)


class Problems(PublicEndpoint):
    """The types of problem."""

    @operation(Listed[ProblemTypeDocument])
    def get(self, request: Request) -> HttpResponse:
        """List the types of problem."""
        return respond(request, _problems(), ASK_AGAIN)


class OneProblem(PublicEndpoint):
    """A type of problem."""

    @operation(ProblemTypeDocument, problems=("not-found",))
    def get(self, request: Request, name: str) -> HttpResponse:
        """Retrieve a type of problem: the page its `type` refers to."""
        if name not in TYPES:
            raise Problem("not-found", f"There is no type of problem {name!r}.")
        return respond(request, EncodedDocument(_problem(name)), ASK_AGAIN)


class Schema(PublicEndpoint):
    """The schema of the interface (OpenAPI 3.1)."""

    @operation("OpenAPI")
    def get(self, request: Request) -> HttpResponse:
        """Retrieve the schema of every operation, for programs."""
        return respond(request, _schema(), ASK_AGAIN)


class Nowhere(OpenEndpoint):
    """The fallback for unknown addresses: `not-found`, or a redirect to add a final slash."""

    authentication_classes: ClassVar[list[Any]] = [BearerToken]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if _misses_its_slash(request.path_info):
            path = request.get_full_path(force_append_slash=True)
            return HttpResponsePermanentRedirect(path, preserve_request=True)
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> NoReturn:
        self.perform_authentication(request)  # a wrong token is refused here too
        raise Problem(
            "not-found",
            f"Nothing has the address {request.path}; {reverse('api:index')} lists what there is.",
        )


def _misses_its_slash(path: str) -> bool:
    return not path.endswith("/") and resolve(f"{path}/").view_name != "api:nowhere"


@cache
def _index() -> EncodedDocument:
    names = [name for name in IndexLinks.__struct_fields__ if name != "self"]
    links = {name: reverse(f"api:{name.replace('_', '-')}") for name in names}
    own = reverse("api:index")
    return EncodedDocument(
        IndexDocument("Sirdar", API_VERSION, IndexLinks(self=own, **links), tuple(_addresses()))
    )


def _addresses() -> Iterator[AddressPart]:
    """Yield every address as a template, with its methods and subject."""
    _, resolver = get_resolver().namespace_dict["api"]
    patterns: Any = resolver.url_patterns
    for pattern in patterns:
        if pattern.name != "nowhere":
            view = pattern.callback.view_class
            yield AddressPart(
                address=reverse("api:index") + _VARIABLE.sub(r"{\1}", str(pattern.pattern)),
                methods=tuple(view().allowed_methods),
                description=inspect.cleandoc(view.__doc__),
            )


@cache
def _schema() -> EncodedDocument:
    return EncodedDocument(stored_schema())


@cache
def _problems() -> EncodedDocument:
    return EncodedDocument({"results": [_problem(name) for name in TYPES]})


def _problem(name: str) -> ProblemTypeDocument:
    problem_type = TYPES[name]
    return ProblemTypeDocument(
        problem_address(name), name, problem_type.status, problem_type.title, problem_type.meaning
    )
