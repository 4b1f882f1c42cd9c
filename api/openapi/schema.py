"""Generate the OpenAPI 3.1 schema from the operations that endpoints declare.

Parts that many operations repeat are moved to the components.
"""

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Literal, get_origin

from django.urls import get_resolver, reverse
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly

from api.documents.battles import BRIEF_FORM, REPORT_FORM
from api.documents.decisions import QUESTION_FORM
from api.documents.events import EVENT_FORM
from api.http.endpoint import Operation, PublicEndpoint, operation_of
from api.http.problems import MEDIA_TYPE, TYPES, Problem
from api.http.rule_json import rule_form
from api.openapi.components import (
    Components,
    JsonObject,
    Union,
    action_form,
    draw_components,
    prose,
    share_repeated_parts,
    state_form,
)
from api.openapi.examples import EXAMPLES, recorded_answers
from api.openapi.info import WAYS_IN, chapter_of, contents, name_headers, overview, webhooks
from api.openapi.parameters import HEADERS, NEEDED, PLACES, QUERIES, REFERENCE, SHAPES, Schema
from api.streams.battle_stream import FightStatusDocument
from api.streams.campaign_stream import CampaignStatusDocument, LetterStatusDocument
from api.streams.followers import RewoundPart
from api.streams.job_stream import JobStatusDocument
from api.webhooks import WebhookPayload
from battles.contract.book import book, books
from campaign.orders.order_sheet import Order, PlaceOrder, StandingInstructions

EXTRA_TYPES = (
    WebhookPayload,
    CampaignStatusDocument,
    LetterStatusDocument,
    FightStatusDocument,
    JobStatusDocument,
    RewoundPart,
)
"""The types that no operation names: webhook requests and messages of streams."""
Where = Literal["query", "path", "header", "cookie"]
Endpoints = list[tuple[str, str, str, Any]]
VARIABLE = re.compile(r"<\w+:(\w+)>")
ALWAYS = ("invalid", "not-acceptable", "not-authenticated", "unavailable")
OF_SOMEBODY = ("not-in-scope", "throttled")
OF_READING = ("not-found", "not-allowed", "precondition-failed")
OF_WRITING = (
    "malformed",
    "not-allowed",
    "not-found",
    "refused",
    "stale",
    "under-way",
    "campaign-over",
    "too-large",
    "unsupported-media-type",
    "unfit",
)
UNTAGGED = ("EventStream", "File")
"""The answers that are generated for each request and have no ETag."""
OF_VERSIONS = ("precondition-required", "precondition-failed")


class Described(AutoSchema):
    """The schema of an operation, from what its endpoint declares."""

    method: str
    path: str
    view: Any

    def get_operation_id(self) -> str:
        return f"{self.method.lower()}-{addresses()[self.path]}"

    def get_tags(self) -> list[str]:
        return [chapter_of(self.path)]

    def get_summary(self) -> str:
        return self._prose().partition("\n")[0].rstrip(".")

    def get_description(self) -> str:
        return self._prose()

    def _prose(self) -> str:
        handler = getattr(self.view, self.method.lower())
        text = prose(handler.__doc__ or type(self.view).__doc__ or "")
        end = self._promise().deprecation
        if end is None:
            return text
        return f"{text}\n\nDeprecated; ends on {end.sunset.isoformat()}. Use {end.instead}."

    def is_deprecated(self) -> bool:
        return self._promise().deprecation is not None

    def get_auth(self) -> list[dict[str, list[str]]]:
        """Return who may call the operation.

        Operations that take no session need no token either: by one of them a client gets its
        first token.
        """
        ways_in = self.view.get_authenticators()
        if not any(isinstance(authenticator, SessionAuthentication) for authenticator in ways_in):
            return []
        scope = str(self.view.scope_for(self.method))
        ways: list[dict[str, list[str]]] = [{"token": [scope]}, {"session": []}]
        return [*ways, {}] if self._is_open() else ways

    def _is_open(self) -> bool:
        kinds = [type(permission) for permission in self.view.get_permissions()]
        return AllowAny in kinds or (self.method == "GET" and IsAuthenticatedOrReadOnly in kinds)

    def get_override_parameters(self) -> list[Any]:
        parameters = [
            _parameter(name, "path", _find_parameter(PLACES, noun, name))
            for noun, name in _variables(self.path)
        ]
        parameters += [
            _parameter(name, "query", _find_parameter(QUERIES, addresses()[self.path], name))
            for name in sorted(self.view.parameters_of(self.method))
        ]
        headers = [_parameter(name, "header", HEADERS[name]) for name in self._headers()]
        for header in headers:
            header.required = header.required and not self._promise().may_match
        return parameters + headers

    def _headers(self) -> Iterator[str]:
        operation = self._promise()
        if operation.answers == "EventStream":
            yield "Last-Event-ID"
        if self._has_tag():
            yield "If-None-Match"
        if operation.once:
            yield "Idempotency-Key"
        if operation.match or operation.may_match:
            yield "If-Match"

    def _has_tag(self) -> bool:
        """Return whether the answer has an ETag, and If-None-Match can save sending it."""
        operation = self._promise()
        return (
            self.method == "GET" and operation.status == 200 and operation.answers not in UNTAGGED
        )

    def _promise(self) -> Operation:
        return operation_of(type(self.view), self.method)

    def get_request_serializer(self) -> Any:
        takes = self._promise().takes
        if isinstance(takes, str):
            return {(takes): SHAPES["File"]}
        if takes is None:
            return None
        return {"application/json": components_of()[takes]}

    def map_parsers(self) -> list[str]:
        takes = self._promise().takes
        return [takes] if isinstance(takes, str) else ["application/json"]

    def get_response_serializers(self) -> Any:
        operation = self._promise()
        responses: dict[Any, Any] = {}
        for status, answers in {operation.status: operation.answers, **operation.also}.items():
            responses |= _answer(status, answers, operation.media)
        if self._has_tag():
            responses[304] = OpenApiResponse(description="The version that you have is current.")
        return {**responses, **_refusals(self._problems())}

    def _problems(self) -> set[str]:
        operation = self._promise()
        problems = {*ALWAYS, *operation.problems}
        if not isinstance(self.view, PublicEndpoint):
            problems.update(OF_SOMEBODY)
        problems.update(OF_READING if self.method == "GET" else OF_WRITING)
        problems.update(OF_VERSIONS if operation.match else ())
        problems.update(("precondition-failed",) if operation.may_match else ())
        if self.method == "GET" and {"page", "since"} & self.view.parameters:
            problems.add("unfit")
        return problems | ({"key-used"} if operation.once else set())

    def get_examples(self) -> list[OpenApiExample]:
        sent = EXAMPLES.get(self.get_operation_id(), {})
        request_examples = [
            OpenApiExample(name, value=body, request_only=True) for name, body in sent.items()
        ]
        return [*request_examples, *self._answer_examples(), *_problem_examples(self._problems())]

    def _answer_examples(self) -> Iterator[OpenApiExample]:
        operation = self._promise()
        for status in (operation.status, *operation.also):
            answer = recorded_answers().get(f"{self.get_operation_id()} {status}")
            if answer is not None:
                yield OpenApiExample(
                    "shortened",
                    value=answer,
                    response_only=True,
                    status_codes=[str(status)],
                    media_type=operation.media,
                )


def _variables(path: str) -> Iterator[tuple[str, str]]:
    """Yield the variables of an address template, each with the noun in front of it."""
    noun = ""
    for part in path.split("/"):
        if match := re.match(r"{(\w+)}", part):
            yield noun, match[1]
        else:
            noun = part


def _find_parameter(
    parameters: Mapping[str, tuple[Schema, str]], kind: str, name: str
) -> tuple[Schema, str]:
    """Return the parameter of that noun or operation, or the general one of that name."""
    return parameters.get(f"{kind}/{name}") or parameters[name]


def _parameter(name: str, where: Where, definition: tuple[Schema, str]) -> OpenApiParameter:
    schema, words = definition
    needed = where == "path" or name in NEEDED
    return OpenApiParameter(name, schema, where, required=needed, description=words)


def _answer(status: int, answers: Any, media: str) -> dict[Any, Any]:
    if answers is None:
        return {status: OpenApiResponse(description="Done. The answer has no body.")}
    described = OpenApiResponse(_schema_of(answers), description=_description(answers))
    return {(status, media): described}


def _description(answers: Any) -> str:
    if isinstance(answers, str):
        schema = SHAPES.get(answers) or components().parts[answers]
        return str(schema["description"]).partition("\n")[0]
    return prose(inspect.getdoc(get_origin(answers) or answers) or "").partition("\n")[0]


def _schema_of(answers: Any) -> Schema:
    if isinstance(answers, str):
        return {"$ref": REFERENCE.format(name=answers)}
    return components_of()[answers]


def _refusals(names: Iterable[str]) -> dict[Any, Any]:
    """Return a response for each status of the problems, described by their titles."""
    titles: dict[int, list[str]] = {}
    for name in sorted(names):
        titles.setdefault(TYPES[name].status, []).append(TYPES[name].title)
    return {
        (status, MEDIA_TYPE): OpenApiResponse(
            _schema_of("Problem"), description="; ".join(status_titles)
        )
        for status, status_titles in sorted(titles.items())
    }


def _problem_examples(names: Iterable[str]) -> list[OpenApiExample]:
    return [
        OpenApiExample(
            name,
            value=_example(name),
            response_only=True,
            status_codes=[str(TYPES[name].status)],
            media_type=MEDIA_TYPE,
        )
        for name in sorted(names)
    ]


@cache
def addresses() -> dict[str, str]:
    """Return the name of every address of the interface, by its template."""
    _, resolver = get_resolver().namespace_dict["api"]
    patterns: Any = resolver.url_patterns
    return {
        reverse("api:index") + VARIABLE.sub(r"{\1}", str(pattern.pattern)): pattern.name
        for pattern in patterns
        if pattern.name != "nowhere"
    }


@cache
def components() -> Components:
    """Return the schema of every answer and of every body, and the components they refer to."""
    unions = {
        "Event": Union(EVENT_FORM.type, "An event, by its `type`."),
        "Question": Union(QUESTION_FORM.type, "A question of the rules, by its `type`."),
        "Order": Union(rule_form(Order).type, "An order of a sheet, by its `type`."),
    }
    states = [BRIEF_FORM.type, REPORT_FORM.type]
    states += [rule_form(kind).type for kind in (PlaceOrder, StandingInstructions)]
    for slug in books():
        engine, prefix = book(slug).engine, slug.title().replace("-", "")
        about = f"An action in a battle by {engine.title}. {book(slug).measures}"
        unions[f"{prefix}Action"] = Union(action_form(slug).type, about)
        states.append(state_form(slug).type)
    answers = [*_answered_types(), *EXTRA_TYPES, *states]
    return draw_components(answers, [rule_form(kind).type for kind in _body_types()], unions)


@cache
def components_of() -> dict[Any, Schema]:
    """Return the schema of every answer and of every body, by its type."""
    drawn = components()
    return {
        **dict(zip(_answered_types(), drawn.answers, strict=False)),
        **dict(zip(_body_types(), drawn.bodies, strict=True)),
    }


def _operations() -> Iterator[Operation]:
    _, resolver = get_resolver().namespace_dict["api"]
    patterns: Any = resolver.url_patterns
    for view in (pattern.callback.view_class for pattern in patterns if pattern.name != "nowhere"):
        for method in ("get", "post", "put", "patch", "delete"):
            if hasattr(view, method):
                yield operation_of(view, method)


def _answered_types() -> list[Any]:
    """Return every msgspec type that an operation answers, once."""
    seen: dict[Any, None] = {}
    for operation in _operations():
        seen |= dict.fromkeys((operation.answers, *operation.also.values()))
    return [kind for kind in seen if kind is not None and not isinstance(kind, str)]


def _body_types() -> list[Any]:
    """Return every body that an operation takes, once."""
    seen: dict[Any, None] = {}
    for operation in _operations():
        if operation.takes is not None and not isinstance(operation.takes, str):
            seen[operation.takes] = None
    return [*seen]


def own_addresses(endpoints: Endpoints) -> Endpoints:
    """Keep only the addresses of this interface; runs before the schema is generated."""
    return [endpoint for endpoint in endpoints if endpoint[0] in addresses()]


def postprocess(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the overview, tags, webhooks and components; runs after the schema is generated."""
    schemas = dict(sorted({**components().parts, **SHAPES}.items()))
    result.setdefault("components", {})["schemas"] = schemas
    result["components"]["securitySchemes"] = WAYS_IN
    result["info"]["description"] = overview()
    result["webhooks"] = webhooks()
    result["tags"] = contents()
    for path in result["paths"].values():
        for method, operation in path.items():
            name_headers(operation)
            _require_body(method, operation, schemas)
    share_repeated_parts(result)
    return result


def _require_body(method: str, operation: JsonObject, component_schemas: dict[str, Schema]) -> None:
    """Say that a body is required: of every PUT, and where a field may not be left out."""
    body = operation.get("requestBody")
    if body is None:
        return
    schemas = [content["schema"] for content in body["content"].values()]
    names = [schema.get("$ref", "").rpartition("/")[2] for schema in schemas]
    body["required"] = method == "put" or any(
        name not in component_schemas or component_schemas[name].get("required") for name in names
    )


def _example(name: str) -> dict[str, Any]:
    problem = Problem(name, TYPES[name].meaning).document(reverse("api:campaigns"))
    address = f"https://sirdar.example.org{reverse('api:problem', args=[name])}"
    return problem | {"type": address, "request_id": "0d6a5c9b3f2e4f0f9b1c8a7d6e5f4a3b"}
