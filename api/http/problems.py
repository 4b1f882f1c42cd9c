"""Convert errors to problem documents (RFC 9457), with the field or clause and a remedy."""

import logging
from collections.abc import Callable, Iterable, Mapping
from math import ceil
from typing import Any, NamedTuple

from django.conf import settings
from django.core.signals import got_request_exception
from django.http import Http404, UnreadablePostError
from django.urls import reverse
from rest_framework import exceptions
from rest_framework.response import Response

from api.http.remedies import describe_remedy
from battles.core.game import IllegalAction
from battles.core.tables import TableError
from battles.journal import Busy, Damaged, RecordGone, Refused, Stale, TooLong
from campaign.services.errors import (
    OUT_OF_REACH,
    CampaignOver,
    NotAllowed,
    NotAwaited,
    UnderWay,
    UnfitRequest,
    describe_trouble,
)
from campaign.services.umpire.invitations import InvitationSpent, UnknownInvitation
from campaign.web.error_pages import AGAIN, CAMPAIGN_GONE, is_deleted
from campaign.web.visitor import duration_text as in_time
from ops.logging_setup import log_context

MEDIA_TYPE = "application/problem+json"
log = logging.getLogger("sirdar.api")


class ProblemType(NamedTuple):
    """A type of problem: its status, its title, and what it means to a client."""

    status: int
    title: str
    meaning: str


TYPES: dict[str, ProblemType] = {
    "malformed": ProblemType(
        400, "The body cannot be read", "It is not valid JSON in UTF-8; `detail` says where."
    ),
    "invalid": ProblemType(
        400,
        "The request has errors",
        "`errors` lists each error with its place in the body, or the parameter or header.",
    ),
    "not-authenticated": ProblemType(
        401,
        "Log in first",
        "Nobody is logged in, or the name, password or token is wrong. Send a token from "
        "POST /api/v1/tokens/ as `Authorization: Bearer TOKEN`.",
    ),
    "not-allowed": ProblemType(
        403, "You may not do that", "It exists, but your seat does not allow the request."
    ),
    "not-in-scope": ProblemType(
        403,
        "The token does not allow that",
        "`scope` is the scope that is needed, `campaign` the only campaign that the token opens.",
    ),
    "not-found": ProblemType(
        404, "Not found", "There is nothing at that address, or nothing that you may see."
    ),
    "method-not-allowed": ProblemType(
        405, "Method not allowed", "The header `Allow` lists the methods of this address."
    ),
    "not-acceptable": ProblemType(
        406, "Not available in that format", "Ask for application/json, or leave `Accept` out."
    ),
    "precondition-failed": ProblemType(
        412,
        "The version does not match",
        "Nothing was done: `If-Match` names an old or unknown version.",
    ),
    "precondition-required": ProblemType(
        428,
        "If-Match is required",
        "Nothing was done: send `If-Match` with the ETag of the version that you have read.",
    ),
    "stale": ProblemType(
        409,
        "It has changed since you looked",
        "Nothing was done. Look at the campaign as it stands now and decide again.",
    ),
    "under-way": ProblemType(
        409,
        "Another job is in progress",
        "Nothing was done. `job`, if given, is the job to wait for.",
    ),
    "campaign-over": ProblemType(
        409, "The campaign is over", "Nothing more can happen in it; it can still be read."
    ),
    "illegal-action": ProblemType(
        409,
        "The rules do not allow that",
        "Nothing was done. `clause` is the clause that forbids it, `remedy` what to do instead.",
    ),
    "not-awaited": ProblemType(
        409,
        "The campaign does not wait for that",
        "Nothing was done: it has been settled, or was never asked.",
    ),
    "invitation-spent": ProblemType(
        410,
        "The invitation is not valid",
        "`detail` says whether it was used, revoked or has expired.",
    ),
    "refused": ProblemType(409, "Refused", "Nothing was done; `detail` says why."),
    "cursor-lost": ProblemType(
        410,
        "The campaign has been rewound",
        "Discard what came after `cursor`, the last event that still counts, and read on from it.",
    ),
    "too-large": ProblemType(413, "The body is too long", "`detail` gives the limit."),
    "unsupported-media-type": ProblemType(
        415, "Unsupported media type", "Send `Content-Type: application/json`."
    ),
    "unfit": ProblemType(
        422,
        "A value cannot be used",
        "The request is well formed, but a name or number does not fit.",
    ),
    "table-wrong": ProblemType(
        422,
        "A table has an error",
        "`file` and `line_number` say where it is, `remedy` what to do.",
    ),
    "key-used": ProblemType(
        422,
        "The idempotency key belongs to another request",
        "The Idempotency-Key was sent before with another body or to another address.",
    ),
    "throttled": ProblemType(
        429,
        "Too many requests",
        "The header `Retry-After` says after how many seconds to try again.",
    ),
    "damaged": ProblemType(
        500, "The stored data is inconsistent", "An umpire should check the campaign."
    ),
    "unavailable": ProblemType(
        503,
        "Temporarily unavailable",
        "The database, the message queue or the mail server is out of reach, full or busy; "
        "`detail` says which. A change is stored whole or not at all: after `Retry-After` seconds "
        "check, or send it again with the same Idempotency-Key.",
    ),
    "unforeseen": ProblemType(
        500, "Internal error", "The error is on our side, and it has been logged."
    ),
}


class Problem(Exception):
    """An error of one of the TYPES; `members` are added to its document."""

    def __init__(
        self, type_: str, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any
    ) -> None:
        super().__init__(detail)
        self.type = type_
        self.detail = detail
        self.headers = headers or {}
        self.members = members

    def document(self, instance: str) -> dict[str, Any]:
        """Return the problem document; `instance` is the path of the request."""
        problem_type = TYPES[self.type]
        return {
            "type": problem_address(self.type),
            "title": problem_type.title,
            "status": problem_type.status,
            "detail": self.detail,
            "instance": instance,
            "request_id": log_context()["request"] or None,
            **self.members,
        }


def problem_address(name: str) -> str:
    """Return the absolute address of a type of problem (RFC 9457, 3.1.1)."""
    return f"{settings.SITE_URL.rstrip('/')}{reverse('api:problem', args=[name])}"


class InvalidField(NamedTuple):
    """An error in a request: where it is in the body (a JSON Pointer), and what is wrong."""

    pointer: str
    detail: str

    def document(self) -> dict[str, str]:
        return {"pointer": self.pointer, "detail": self.detail}


def invalid(**fields: str) -> Problem:
    """Return the problem `invalid` for wrong fields of a body; `body` is the body as a whole."""
    return invalid_fields(
        InvalidField("" if name == "body" else f"/{name}", text) for name, text in fields.items()
    )


def invalid_fields(errors: Iterable[InvalidField]) -> Problem:
    """Return the problem `invalid` for errors anywhere in a body."""
    fields = sorted(errors, key=_place)
    places = [field.pointer.lstrip("/") or "the body" for field in fields]
    if len(places) > MOST_NAMED:
        places[MOST_NAMED:] = [f"{len(places) - MOST_NAMED} more of `errors`"]
    listed = [field.document() for field in fields]
    return Problem("invalid", f"Correct {', '.join(places)} and send it again.", errors=listed)


MOST_NAMED = 10
"""The wrong places that are named in `detail`; `errors` has all of them."""


def _place(field: InvalidField) -> list[tuple[int, str]]:
    """Return a key that sorts pointers by their parts, numbers by their size."""
    parts = field.pointer.split("/")
    return [(int(part) if part.isdecimal() and len(part) < 9 else 0, part) for part in parts]


def unfit(**fields: str) -> Problem:
    """Return the problem of fields that fit the schema but not each other, or not the state (422).

    `body` is the body as a whole.
    """
    return unfit_fields(
        InvalidField("" if name == "body" else f"/{name}", text) for name, text in fields.items()
    )


def unfit_fields(errors: Iterable[InvalidField]) -> Problem:
    """Return the problem `unfit` for values anywhere in a body that fits the schema."""
    fields = list(errors)
    detail = " ".join(field.detail for field in fields[:MOST_NAMED])
    return Problem("unfit", detail, errors=[field.document() for field in fields])


def invalid_parameters(**parameters: str) -> Problem:
    """Return the problem `invalid` for wrong query parameters or headers."""
    listed = [{"parameter": name, "detail": text} for name, text in parameters.items()]
    return Problem("invalid", f"Correct {', '.join(parameters)} and send it again.", errors=listed)


def unfit_parameters(**parameters: str) -> Problem:
    """Return the problem of parameters that fit the schema but name nothing there is (422)."""
    listed = [{"parameter": name, "detail": text} for name, text in parameters.items()]
    return Problem("unfit", " ".join(parameters.values()), errors=listed)


def not_in_scope(needed: str) -> Problem:
    """Return the problem of a token that lacks a scope; it names the scope needed."""
    scope = str(needed)
    detail = f"This token does not open that: it would need the scope `{scope}`."
    return Problem("not-in-scope", detail, scope=scope)


def too_often(wait: float | None) -> Problem:
    """Return the problem of a throttled request; `wait` is in seconds."""
    seconds = ceil(wait or 1)
    left = f"{seconds} seconds" if 1 < seconds < 60 else in_time(seconds)
    detail = f"Too many requests of this kind: nothing was done. Send it again in {left}."
    return Problem("throttled", detail, headers={"Retry-After": str(seconds)})


FAILURES = ("unforeseen", "damaged")
"""The problems of a request that finds no campaign where it has just read it."""


def answer(error: Exception, context: Mapping[str, Any]) -> Response:
    """Handle an exception for Django REST framework: return it as a problem document."""
    request = context["request"]
    problem = problem_of(error)
    if problem.type in FAILURES and is_deleted(request.resolver_match):
        problem = problem_of(CAMPAIGN_GONE)
    problem.detail += describe_remedy(problem.type, problem.detail, request, context["view"])
    if TYPES[problem.type].status >= 500:
        log.error("%s %s failed", request.method, request.path, exc_info=error)
        got_request_exception.send(sender=None, request=request)
    return Response(
        problem.document(request.path),
        status=TYPES[problem.type].status,
        headers={"Cache-Control": "no-store", **problem.headers},
        content_type=MEDIA_TYPE,
    )


def problem_of(error: Exception) -> Problem:
    """Return the problem that an exception stands for; `unforeseen` for an unknown one."""
    if isinstance(error, Problem):
        return error
    for kind, problem in _PROBLEMS.items():
        if isinstance(error, kind):
            return problem(error)
    return Problem("unforeseen", "The request could not be answered; try again, or tell us.")


_REFUSALS: dict[type[Refused], str] = {
    Stale: "stale",
    RecordGone: "not-found",
    UnderWay: "under-way",
    CampaignOver: "campaign-over",
    NotAllowed: "not-allowed",
    NotAwaited: "not-awaited",
    UnknownInvitation: "not-found",
    InvitationSpent: "invitation-spent",
    UnfitRequest: "unfit",
    TooLong: "unfit",
    Damaged: "damaged",
}

NOT_LOGGED_IN = (
    "Send `Authorization: Bearer TOKEN` with a token of POST /api/v1/tokens/, or log in with the "
    "browser."
)
_BY_STATUS = {
    400: "malformed",
    401: "not-authenticated",
    403: "not-allowed",
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    415: "unsupported-media-type",
    429: "throttled",
}


def _illegal(error: Any) -> Problem:
    return Problem("illegal-action", error.reason, clause=error.clause, remedy=error.remedy or None)


def _busy(error: Any) -> Problem:
    return Problem("throttled", str(error), headers={"Retry-After": str(error.seconds)})


def _refusal_problem(error: Any) -> Problem:
    if field := getattr(error, "field", ""):
        return unfit(**{field: str(error)})
    names = (name for kind, name in _REFUSALS.items() if isinstance(error, kind))
    return Problem(next(names, "refused"), str(error))


def _table(error: Any) -> Problem:
    return Problem(
        "table-wrong", error.reason, file=error.path, line_number=error.line, remedy=error.remedy
    )


def _cut_short(error: Any) -> Problem:
    return Problem("malformed", "The body did not come whole, or too slowly.")


def _unavailable(error: Any) -> Problem:
    return Problem("unavailable", describe_trouble(error), headers={"Retry-After": AGAIN})


def _of_the_framework(error: Any) -> Problem:
    type_ = _BY_STATUS.get(error.status_code, "unforeseen")
    detail = NOT_LOGGED_IN if isinstance(error, exceptions.NotAuthenticated) else str(error.detail)
    return Problem(type_, detail, headers=_headers(error))


def _headers(error: Any) -> dict[str, str]:
    headers = {}
    if getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = error.auth_header
    if getattr(error, "wait", None):
        headers["Retry-After"] = str(ceil(error.wait))
    return headers


def _not_found(error: Any) -> Problem:
    return Problem("not-found", str(error) or "There is nothing here.")


_PROBLEMS: dict[type[Exception], Callable[[Any], Problem]] = {
    IllegalAction: _illegal,
    Busy: _busy,
    Refused: _refusal_problem,
    TableError: _table,
    exceptions.APIException: _of_the_framework,
    Http404: _not_found,
    UnreadablePostError: _cut_short,
    **dict.fromkeys(OUT_OF_REACH, _unavailable),
}
