"""The reference of the interface as pages: chapters, operations and components of the schema."""

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from api.openapi.info import stored_schema

Schema = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete")
_LIMITS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "pattern": "matches {}",
    "format": "{}",
}
"""The limits of a schema, in words."""
_COMPONENT = re.compile(r'"#/components/schemas/([^"]+)"')
_OPTIONS = {"html": False, "typographer": True, "quotes": '""‘’'}
"""Double quotes stay as they are: in a text about documents they are those of JSON."""
_MARKDOWN = MarkdownIt("commonmark", _OPTIONS).enable("smartquotes")


class Property(NamedTuple):
    """A property of an object, or a parameter of an operation, as a row of a table."""

    name: str
    kind: SafeString
    needed: bool
    about: SafeString
    limits: str


class Content(NamedTuple):
    """The content of a request or an answer: its type, its properties, and examples."""

    kind: SafeString
    rows: list[Property]
    examples: list[tuple[str, str]]


class Answer(NamedTuple):
    """An answer of an operation, by its status."""

    status: str
    about: SafeString
    content: Content | None


class OperationPage(NamedTuple):
    """An operation with everything that a client must know of it."""

    name: str
    method: str
    path: str
    chapter: str
    summary: str
    about: SafeString
    access: list[str]
    parameters: list[Property]
    headers: list[Property]
    body: Content | None
    answers: list[Answer]
    problems: list[Answer]


class Chapter(NamedTuple):
    """A chapter of the interface with its operations."""

    title: str
    about: str
    operations: list[OperationPage]


class ComponentPage(NamedTuple):
    """A component of the schema: an object with its properties, or a choice of others."""

    name: str
    about: SafeString
    content: Content
    used_by: list[OperationPage]


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the chapters of the interface with their operations."""
    context = {"chapters": chapters(), "overview": _overview()}
    return render(request, "api/reference.html", context)


@require_safe
def operation(request: HttpRequest, name: str) -> HttpResponse:
    """Show an operation: what it takes, what it answers, and what can go wrong."""
    page = _operations().get(name)
    if page is None:
        raise Http404(f"The interface has no operation {name!r}.")
    return render(request, "api/operation.html", {"operation": page})


@require_safe
def component(request: HttpRequest, name: str) -> HttpResponse:
    """Show a component of the schema with its properties."""
    page = _component(name)
    if page is None:
        raise Http404(f"The interface has no component {name!r}.")
    return render(request, "api/component.html", {"component": page})


@cache
def chapters() -> list[Chapter]:
    """Return the chapters in reading order, each with its operations."""
    schema = stored_schema()
    pages: dict[str, list[OperationPage]] = {tag["name"]: [] for tag in schema["tags"]}
    for path, item in schema["paths"].items():
        for method in METHODS:
            if method in item:
                page = _operation_page(method, path, item[method])
                pages[page.chapter].append(page)
    return [
        Chapter(tag["name"], tag["description"].replace("'", "’"), pages[tag["name"]])
        for tag in schema["tags"]
        if pages[tag["name"]]
    ]


@cache
def _operations() -> dict[str, OperationPage]:
    return {page.name: page for chapter in chapters() for page in chapter.operations}


@cache
def _overview() -> SafeString:
    return _html(stored_schema()["info"]["description"])


@cache
def _component(name: str) -> ComponentPage | None:
    part = stored_schema()["components"]["schemas"].get(name)
    if part is None:
        return None
    about = _html(part.get("description", ""))
    return ComponentPage(name, about, _content(part, ()), _users().get(name, []))


@cache
def _users() -> dict[str, list[OperationPage]]:
    """Return the operations that name each component."""
    found: dict[str, list[OperationPage]] = {}
    paths = stored_schema()["paths"]
    for page in _operations().values():
        named = _COMPONENT.findall(json.dumps(paths[page.path][page.method.lower()]))
        for name in dict.fromkeys(named):
            found.setdefault(name, []).append(page)
    return found


def _operation_page(method: str, path: str, operation: Schema) -> OperationPage:
    parameters = [_resolve_reference(parameter) for parameter in operation.get("parameters", ())]
    answers = [
        _answer(status, _resolve_reference(answer))
        for status, answer in operation["responses"].items()
    ]
    body = operation.get("requestBody")
    return OperationPage(
        name=operation["operationId"],
        method=method.upper(),
        path=path,
        chapter=operation["tags"][0],
        summary=operation["summary"].replace("`", "").replace("'", "’"),
        about=_html(operation.get("description", "").partition("\n")[2].strip()),
        access=[*_access(operation.get("security", ()))],
        parameters=[
            _parameter(parameter) for parameter in parameters if parameter["in"] != "header"
        ],
        headers=[_parameter(parameter) for parameter in parameters if parameter["in"] == "header"],
        body=_first_content(body["content"]) if body else None,
        answers=[answer for answer in answers if answer.status < "400"],
        problems=[answer for answer in answers if answer.status >= "400"],
    )


def _access(ways: Iterable[Schema]) -> Iterator[str]:
    """Yield who may call the operation, in words."""
    for way in ways:
        if not way:
            yield "anyone, without logging in"
        for kind, scopes in way.items():
            if kind == "token":
                yield f"a token with the scope {', '.join(scopes)}" if scopes else "a token"
            else:
                yield "a browser that is logged in"


def _parameter(parameter: Schema) -> Property:
    schema = parameter["schema"]
    about = _html(parameter.get("description", ""))
    needed = parameter.get("required", False)
    return Property(parameter["name"], _type(schema), needed, about, _limits(schema))


def _answer(status: str, answer: Schema) -> Answer:
    content = _first_content(answer["content"]) if answer.get("content") else None
    return Answer(status, _html(answer.get("description", "")), content)


def _first_content(content: Schema) -> Content:
    (_, media) = next(iter(content.items()))
    examples = media.get("examples", {})
    shown = (
        (example.get("summary", title), example.get("value"))
        for title, example in (
            (title, _resolve_reference(example)) for title, example in examples.items()
        )
    )
    return _content(media.get("schema", {}), shown)


def _content(schema: Schema, examples: Iterable[tuple[str, Any]]) -> Content:
    part = _resolve_reference(schema)
    needed = set(part.get("required", ()))
    rows = [
        Property(
            name,
            _type(field),
            name in needed,
            _html(
                str(field.get("description") or _resolve_reference(field).get("description", ""))
            ),
            _limits(field),
        )
        for name, field in part.get("properties", {}).items()
    ]
    example_texts = [
        (title, json.dumps(value, indent=2, ensure_ascii=False)) for title, value in examples
    ]
    return Content(_type(schema if rows or "$ref" in schema else part), rows, example_texts)


def _resolve_reference(node: Schema) -> Schema:
    """Return what a reference names; anything else as it is."""
    if "$ref" not in node:
        return node
    schema: Any = stored_schema()
    for part in node["$ref"].removeprefix("#/").split("/"):
        schema = schema[part]
    return schema  # type: ignore[no-any-return]


def _type(schema: Schema) -> SafeString:  # noqa: PLR0911  a return for each kind of type
    """Return a type in words, with links to the components it names."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return format_html('<a href="{}">{}</a>', reverse("api-component", args=[name]), name)
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return _join_types(schema[several])
    if "const" in schema:
        return format_html("<code>{}</code>", json.dumps(schema["const"]))
    if "enum" in schema:
        words = ((json.dumps(value),) for value in schema["enum"])
        return format_html_join(" or ", "<code>{}</code>", words)
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return _join_types([{**schema, "type": type_name} for type_name in kind])
    if kind == "array":
        return format_html("list of {}", _type(schema.get("items", {})))
    values = schema.get("additionalProperties")
    if kind == "object" and isinstance(values, dict):
        return format_html("object of {}", _type(values))
    return format_html("{}", kind)


def _join_types(kinds: Iterable[Schema]) -> SafeString:
    return format_html_join(" or ", "{}", ((_type(kind),) for kind in kinds))


def _limits(schema: Schema) -> str:
    return "; ".join(
        words.format(schema[name]) for name, words in _LIMITS.items() if name in schema
    )


@cache
def _html(text: str) -> SafeString:
    """Return Markdown of our own as HTML; HTML within it is shown as text.

    Every operation describes the same refusals: of 25,000 texts 650 differ.
    """
    html: SafeString = mark_safe(_MARKDOWN.render(text))  # noqa: S308  the renderer escapes it
    return html
