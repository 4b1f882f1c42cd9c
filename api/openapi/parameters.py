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
    "type": "object",
    "description": "What is wrong (RFC 9457), by which field or rule, and what to do.",
    "properties": {
        "type": {"type": "string", "description": "an address that says what it means"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
        "fields": {
            "type": "object",
            "description": "what is wrong, by field of the body or parameter",
            "additionalProperties": {"$ref": REFERENCE.format(name="Faults")},
        },
        "clause": {"type": "string", "description": "the clause of the book that forbids it"},
        "remedy": {"type": ["string", "null"], "description": "what to do instead"},
        "job": {"type": ["string", "null"], "description": "the job that is in the way"},
        "cursor": {"type": "string", "description": "the last cursor that still holds"},
        "scope": {"type": "string", "description": "what a token would need"},
        "file": {"type": "string", "description": "the table that cannot be played by"},
        "line": {"type": "integer", "description": "the line of it that is wrong"},
    },
    "required": ["type", "title", "status", "detail", "instance"],
}

FAULTS: Schema = {
    "description": (
        "What is wrong with a field, in sentences; of a list or of an object, by what stands "
        "where in it, counted from 0."
    ),
    "anyOf": [
        {"type": "array", "items": {"type": "string"}},
        {
            "type": "object",
            "additionalProperties": {"$ref": REFERENCE.format(name="Faults")},
        },
    ],
}

FILE: Schema = {"type": "string", "format": "binary", "description": "A file."}

TOLD_IN_STREAMS = (
    "EventPart",
    "LogPart",
    "CampaignStatusDocument",
    "FightStatusDocument",
    "JobStatusDocument",
)
EVENT_STREAM: Schema = {
    "type": "object",
    "description": (
        "A message (text/event-stream). Those without a name are events, as `results` of the feed "
        "has them, or `entries` of a battle's log; `status` is its status, `rewound` that it "
        "has gone back."
    ),
    "properties": {
        "event": {"type": "string", "description": "the name of the message"},
        "id": {"type": "string", "description": "where to go on from, as Last-Event-ID"},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {
                "anyOf": [
                    *({"$ref": REFERENCE.format(name=name)} for name in TOLD_IN_STREAMS),
                    {
                        "type": "object",
                        "description": "`rewound`: where to go on from, and why in words",
                        "properties": {"cursor": {"type": "string"}, "words": {"type": "string"}},
                        "required": ["cursor", "words"],
                    },
                ]
            },
            "description": (
                "A JSON document: an event (of a campaign) or an entry (of a battle) where the "
                "message has no name; the status of the campaign, battle or job (`status`); "
                "where to go on from (`rewound`)."
            ),
        },
        "retry": {"type": "integer", "description": "milliseconds before coming back"},
    },
    "examples": [
        {
            "id": "0.3",
            "data": '{"cursor":"0.3","month":"1884-02","side":"egyptian","actor":"staff:egyptian",'
            '"event":{"type":"phase_began","side":"egyptian","phase":"march"},"rolls":[]}',
        },
        {
            "event": "status",
            "id": "0.309",
            "data": '{"version":"1f0c","campaign":"winter-at-the-club","cursor":"0.309",'
            '"position":309,"month":"1884-06","month_name":"June 1884","side":"egyptian",'
            '"phase":"march","waiting_for":null,"adjourned":false,"finished":false,'
            '"outcome":null,"running_job":null,"order_statuses":[]}',
        },
    ],
}

OPENAPI: Schema = {
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
    "Faults": FAULTS,
    "File": FILE,
    "EventStream": EVENT_STREAM,
    "OpenAPI": OPENAPI,
}
"""The schemas that operations refer to by name."""
