"""The hand-written parts of the schema: parameters, headers and problems."""

from typing import Any

Schema = dict[str, Any]
REFERENCE = "#/components/schemas/{name}"
"""The reference to a named schema."""

NUMBER: Schema = {"type": "integer", "minimum": 1, "maximum": 2**31 - 1}
SLUG: Schema = {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$", "maxLength": 60}
MONTH: Schema = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}$"}
HEX: Schema = {"type": "string", "pattern": "^[0-9]{4}$"}

PLACES: dict[str, tuple[Schema, str]] = {
    "id": ({"type": "string", "format": "uuid"}, "its `id`, as the list has it"),
    "slug": (
        SLUG,
        "the short name of the campaign, or of the scenario, such as the-siege-of-khartoum",
    ),
    "name": (SLUG, "the name, or the digest, of the map; the name of the type of problem"),
    "table": (SLUG, "the table, by its `id`"),
    "book": (SLUG, "the book of battles, such as redcoats"),
    "month": (
        {"type": "string", "pattern": "^([0-9]{4}-[0-9]{2}|set-up)$"},
        "a month such as 1884-03, or set-up for the time before the first",
    ),
    "job": ({"type": "string", "format": "uuid"}, "the job, by its `id`"),
    "number": (NUMBER, "its `number`, or its `id`, as the list has it"),
    "receipt": (NUMBER, "the receipt, by its `number`"),
    "battle": (
        {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$", "maxLength": 120},
        "the battle, by its `battle`",
    ),
    "uuid": ({"type": "string", "format": "uuid"}, "its `uuid`, as the list has it"),
    "secret": (
        {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$", "maxLength": 60},
        "the last part of an invitation's link",
    ),
    "invitation": (
        {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$", "maxLength": 60},
        "the secret of an invitation to a battle",
    ),
    "branch": ({"type": "integer", "minimum": 0, "maximum": 2**31 - 1}, "the line of play"),
    "uid": (SLUG, "whose letter it is, as its link has it"),
    "letter": (
        {"type": "string", "pattern": "^[-a-zA-Z0-9_:]+$", "maxLength": 800},
        "the last part of the link in a letter",
    ),
    "hex": (HEX, "a hex such as 2042"),
    "role": ({"type": "string", "enum": ["egyptian", "mahdist"]}, "the side"),
    "whose": (
        {"type": "string", "enum": ["egyptian", "mahdist", "public", "umpire"]},
        "whose paper",
    ),
}
"""The path parameters, each with its schema and description."""

QUERIES: dict[str, tuple[Schema, str]] = {
    "type": ({"type": "string"}, "only those of this type"),
    "campaign": (SLUG, "only those of this campaign"),
    "cursor": ({"type": "string"}, "as `next` and `previous` have it"),
    "limit": ({"type": "integer", "minimum": 1}, "how many at most"),
    "since": ({"type": "string"}, "the cursor that was read last; empty: from the beginning"),
    "units": (
        {"type": "string", "pattern": "^[0-9]+(,[0-9]+)*$"},
        "the numbers of units that stand together, by commas",
    ),
    "leader": (
        {"type": "integer"},
        "the leader among them who leads them; 0 the best there is, -1 nobody",
    ),
    "unit": ({"type": "string", "pattern": "^[0-9]{1,6}$"}, "the unit whose choices are wanted"),
    "after": ({"type": "string", "pattern": "^[0-9]{1,6}$"}, "the entry that was read last"),
    "slug": (SLUG, "the short name it will have here; otherwise that of the file"),
    "secret": (
        {"type": "string", "enum": ["true", "false"]},
        "true includes the secret of the dice: anyone who has it knows every throw to come",
    ),
    "public": ({"type": "string", "enum": ["true", "false"]}, "true lets anybody look on"),
}
"""The query parameters."""

HEADERS: dict[str, tuple[Schema, str]] = {
    "If-None-Match": ({"type": "string"}, "the ETag of what you have: 304 if it is still so"),
    "Last-Event-ID": ({"type": "string"}, "the id of the last message that has come"),
    "If-Match": (
        {"type": "string"},
        "the ETag of what you have read: 412 if it is not so now; `*` is any version",
    ),
    "Idempotency-Key": (
        {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[!-~]+$"},
        "of your choice; the request sent again with it within a day does nothing more",
    ),
}

NEEDED = frozenset({"units", "If-Match"})
"""The query parameters and headers that are required where they are known."""

PROBLEM: Schema = {
    "title": "Problem",
    "type": "object",
    "description": "What is wrong (RFC 9457), by which field or rule, and what to do.",
    "properties": {
        "type": {"type": "string", "description": "an address that says what it means"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "errors": {
            "type": "array",
            "description": "what is wrong, by place in the body or by parameter",
            "items": {"$ref": REFERENCE.format(name="ProblemError")},
        },
        "clause": {"type": "string", "description": "the clause of the book that forbids it"},
        "remedy": {"type": ["string", "null"], "description": "what to do instead"},
        "job": {"type": ["string", "null"], "description": "the job that is in the way"},
        "cursor": {"type": "string", "description": "the last cursor that still holds"},
        "scope": {"type": "string", "description": "what a token would need"},
        "campaign": {"type": "string", "description": "the only campaign that the token opens"},
        "file": {"type": "string", "description": "the table that cannot be played by"},
        "line": {"type": "integer", "description": "the line of it that is wrong"},
    },
    "required": ["type", "title", "status", "detail", "instance"],
}

PROBLEM_ERROR: Schema = {
    "title": "ProblemError",
    "type": "object",
    "description": "An error in a request: where it is, and what is wrong there.",
    "properties": {
        "pointer": {
            "type": "string",
            "description": "the place in the body, as a JSON Pointer; empty for the whole body",
        },
        "parameter": {"type": "string", "description": "the query parameter or header"},
        "detail": {"type": "string", "description": "what is wrong, and what to send"},
    },
    "required": ["detail"],
}

FILE: Schema = {
    "title": "File",
    "type": "string",
    "format": "binary",
    "description": "A file.",
}

EVENT_STREAM: Schema = {
    "title": "EventStream",
    "type": "string",
    "description": (
        "Server-sent events, each with JSON as its data. A message without a name is an event of a "
        "campaign (EventPart) or an entry of a battle's log (LogPart); `status` is the status of "
        "the campaign (CampaignStatusDocument), the battle (FightStatusDocument) or the job "
        "(JobStatusDocument); `rewound` says where to go on from (RewoundPart). The id of a "
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
        "paths": {"type": "object", "description": "every address, as OpenAPI 3.1 has it"},
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
