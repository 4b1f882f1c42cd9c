"""The hand-written parts of the schema: parameters, headers and problems."""

from typing import Any

from api.documents.scalars import UNIT_KEY

Schema = dict[str, Any]
REFERENCE = "#/components/schemas/{name}"
"""The reference to a named schema."""

NUMBER: Schema = {"type": "integer", "minimum": 1, "maximum": 2**31 - 1}
SLUG: Schema = {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$", "maxLength": 60}
MONTH: Schema = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"}
HEX: Schema = {"type": "string", "pattern": "^[0-9]{4}$"}

PLACES: dict[str, tuple[Schema, str]] = {
    "id": ({"type": "string", "format": "uuid"}, "its `id`, from the list"),
    "months/month": (
        {"type": "string", "pattern": "^([0-9]{4}-[0-9]{2}|set-up|current)$"},
        "A month such as 1884-03, `set-up` for the time before the first, or `current`.",
    ),
    "table-sets/id": (
        {"type": "string", "pattern": "^(shipped|[1-9][0-9]{0,9})$"},
        "The `id` of a set of tables, or `shipped`.",
    ),
    "tables/table": (SLUG, "The `slug` of a table."),
    "maps/name": (
        {"type": "string", "pattern": "^[-a-z0-9]+$", "maxLength": 64},
        "The `name` of a map, such as sudan, or its `digest`.",
    ),
    "problems/name": (SLUG, "The `name` of a type of problem."),
    "books/book": (SLUG, "The `slug` of a book of battles, such as redcoats."),
    "scenarios/slug": (SLUG, "The `slug` of a scenario, one of those that `scenarios/` lists."),
    "own-scenarios/id": (NUMBER, "the `id` of the scenario"),
    "hexes/hex": (HEX, "A hex such as 2042."),
    "briefs/side": ({"type": "string", "enum": ["egyptian", "mahdist"]}, "The side."),
    "papers/perspective": (
        {"type": "string", "enum": ["egyptian", "mahdist", "public"]},
        "The readers of the paper: a side or the public.",
    ),
    "slug": (
        SLUG,
        "the short name of the campaign, or of the scenario, such as the-siege-of-khartoum",
    ),
    "month": (
        {"type": "string", "pattern": "^([0-9]{4}-[0-9]{2}|set-up)$"},
        "a month such as 1884-03, or set-up for the time before the first",
    ),
    "jobs/id": ({"type": "string", "format": "uuid"}, "the `id` of the job or simulation"),
    "seats/id": (NUMBER, "the `id` of the seat"),
    "invitations/id": (NUMBER, "the `id` of the invitation"),
    "tokens/id": (NUMBER, "the `id` of the token"),
    "webhooks/id": (NUMBER, "the `id` of the webhook"),
    "channels/id": (NUMBER, "the `id` of the channel"),
    "receipt": (NUMBER, "the `id` of the receipt"),
    "battle": (
        {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$", "maxLength": 120},
        "the name of the battle",
    ),
    "secret": (
        {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$", "maxLength": 60},
        "the last part of an invitation's link",
    ),
    "invitation": (
        {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$", "maxLength": 60},
        "the secret of an invitation to a battle",
    ),
    "entry_number": (NUMBER, "the first entry of the decision"),
    "branch": ({"type": "integer", "minimum": 0, "maximum": 2**31 - 1}, "the branch"),
    "uid": (SLUG, "the last part but one of the link in the e-mail"),
    "token": (
        {"type": "string", "pattern": "^[-a-zA-Z0-9_:]+$", "maxLength": 800},
        "the last part of the link in the e-mail",
    ),
}
"""The path parameters, each with its schema and description; first those of one noun alone."""

QUERIES: dict[str, tuple[Schema, str]] = {
    "type": (
        {
            "type": "string",
            "enum": ["battle", "rehearsal", "forecast", "bench", "ladder", "comparison"],
        },
        "only those of this type",
    ),
    "campaign": (SLUG, "only those of this campaign"),
    "campaign-events/limit": (
        {"type": "integer", "minimum": 1, "maximum": 1000},
        (
            "How many events to aim at, by default 200. Entries of the journal come whole: there "
            "are fewer events if the next entry would not fit, and more if the first has more."
        ),
    ),
    "campaign-events/since": (
        {"type": "string", "maxLength": 19},
        "The last cursor that was read; without it, empty or 0.0: from the beginning.",
    ),
    "campaign-events/branch": (
        {"type": "integer", "minimum": 0, "maximum": 2**31 - 1},
        (
            "The branch to read, by default the current one; only viewers who see the whole "
            "campaign may read an abandoned one."
        ),
    ),
    "table_set": (
        {"type": "string", "pattern": "^([1-9][0-9]{0,9}|[a-z][a-z0-9-]*)$", "maxLength": 60},
        (
            "The `id` of a set of tables: one of yours, or that of a campaign that you may see; or "
            "the `edition` of one that comes with the program, by default the shipped one."
        ),
    ),
    "scenario": (SLUG, "only those of this scenario, by its `slug`"),
    "role": (
        {"type": "string", "enum": ["umpire", "egyptian", "mahdist", "observer"]},
        "only those in which you have a seat of this role",
    ),
    "campaigns/status": (
        {"type": "string", "enum": ["set_up", "running", "over"]},
        "only those that are set up, running or over",
    ),
    "dry_run": (
        {"type": "string", "enum": ["true", "false"]},
        "`true` previews the result and changes nothing",
    ),
    "page": ({"type": "string"}, "the page, as it stands in `next` or `previous`"),
    "limit": ({"type": "integer", "minimum": 1, "maximum": 100}, "the most results to return"),
    "since": ({"type": "string"}, "the last cursor that was read; empty: from the beginning"),
    "unit_ids": (
        {"type": "string", "pattern": "^[1-9][0-9]{0,5}(,[1-9][0-9]{0,5})*$"},
        "the ids of units that stand together, separated by commas",
    ),
    "leader_id": (
        {"type": "integer", "minimum": 1, "maximum": 999_999},
        "the leader of the march, one of these units; by default the one who helps most",
    ),
    "without_leader": (
        {"type": "string", "enum": ["true", "false"]},
        "`true` for a march without a leader",
    ),
    "unit": ({"type": "string", "pattern": UNIT_KEY}, "the unit whose actions are listed"),
    "status": (
        {"type": "string", "enum": ["waiting", "fighting", "reported"]},
        "only battles of this status",
    ),
    "after": ({"type": "string", "pattern": "^[0-9]{1,6}$"}, "the last entry that was read"),
    "slug": (SLUG, "the short name of the campaign here; by default the one in the file"),
    "with_secret": (
        {"type": "string", "enum": ["true", "false"]},
        "`true` includes the secret of the dice: anyone who has it knows all future throws",
    ),
    "public": ({"type": "string", "enum": ["true", "false"]}, "`true` lets anybody watch"),
}
"""The query parameters; first those of one operation alone."""

HEADERS: dict[str, tuple[Schema, str]] = {
    "If-None-Match": (
        {"type": "string"},
        "the ETag of your copy; the answer is 304 if it is current",
    ),
    "Last-Event-ID": ({"type": "string"}, "the id of the last message that was received"),
    "If-Match": (
        {"type": "string"},
        "the ETag of the version you have read; 412 if it has changed; `*` is any version",
    ),
    "Idempotency-Key": (
        {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[!-~]+$"},
        "a key of your choice; repeating the request with it within a day has no effect",
    ),
}

NEEDED = frozenset({"unit_ids", "If-Match"})
"""The query parameters and headers that are required wherever they are accepted."""

PROBLEM: Schema = {
    "title": "Problem",
    "type": "object",
    "description": "An error (RFC 9457): what is wrong, by which field or rule, and what to do.",
    "properties": {
        "type": {
            "type": "string",
            "format": "uri",
            "description": "The address of the type of problem; its page explains it.",
        },
        "title": {"type": "string", "description": "The type of problem in words."},
        "status": {"type": "integer", "description": "The HTTP status of the answer."},
        "detail": {"type": "string", "description": "What is wrong with this request."},
        "instance": {"type": "string", "description": "The path of the request."},
        "request_id": {
            "type": ["string", "null"],
            "description": "The id of the request (`X-Request-ID`), by which the site's "
            "administrator finds it in the logs.",
        },
        "errors": {
            "type": "array",
            "description": "Every error that was found in the body or the query.",
            "items": {"$ref": REFERENCE.format(name="ProblemError")},
        },
        "clause": {"type": "string", "description": "the clause of the book that forbids it"},
        "remedy": {"type": ["string", "null"], "description": "what to do instead"},
        "job": {"type": ["string", "null"], "description": "the job to wait for"},
        "cursor": {"type": "string", "description": "the last cursor that still counts"},
        "scope": {"type": "string", "description": "the scope that the token lacks"},
        "campaign": {"type": "string", "description": "the only campaign that the token opens"},
        "file": {"type": "string", "description": "the table that has an error"},
        "line_number": {"type": "integer", "description": "The line with the error."},
    },
    "required": ["type", "title", "status", "detail", "instance", "request_id"],
}

PROBLEM_ERROR: Schema = {
    "title": "ProblemError",
    "type": "object",
    "description": "An error in a request: where it is, and what is wrong there.",
    "properties": {
        "pointer": {
            "type": "string",
            "description": "A JSON Pointer into the body (RFC 6901), such as /orders/0/hex; empty "
            "for the body as a whole.",
        },
        "parameter": {"type": "string", "description": "A query parameter or a header."},
        "detail": {"type": "string", "description": "What is wrong with it, and what to send."},
    },
    "required": ["detail"],
}

FILE: Schema = {"title": "File", "type": "string", "format": "binary", "description": "A file."}

EVENT_STREAM: Schema = {
    "title": "EventStream",
    "type": "string",
    "description": (
        "Server-sent events, each with JSON as its data. A message without a name is an event of a "
        "campaign (EventPart) or an entry of a battle's log (LogPart); `status` is the status of "
        "the campaign (CampaignStatusDocument), the battle (FightStatusDocument) or the job "
        "(JobStatusDocument); `letters` says how many letters of the campaign you have not read "
        "(LetterStatusDocument); `rewound` says where to continue from (RewoundPart). The id of a "
        "message is its place: send the last one as Last-Event-ID to resume."
    ),
    "examples": [
        (
            "id: 0.3\n"
            'data: {"cursor":"0.3","month":"1884-02","side":"egyptian","actor":"staff:egyptian",'
            '"event":{"type":"phase_began","side":"egyptian","phase":"march"},"rolls":[]}\n\n'
        )
    ],
}

OPENAPI: Schema = {
    "title": "OpenAPI",
    "type": "object",
    "description": "A document of OpenAPI 3.1.",
    "properties": {
        "openapi": {"type": "string", "description": "its version"},
        "paths": {"type": "object", "description": "every address, in the form of OpenAPI 3.1"},
    },
    "required": ["openapi", "paths"],
}

SHAPES: dict[str, Schema] = {
    "Problem": PROBLEM,
    "ProblemError": PROBLEM_ERROR,
    "File": FILE,
    "EventStream": EVENT_STREAM,
    "OpenAPI": OPENAPI,
}
"""The schemas that operations refer to by name."""
