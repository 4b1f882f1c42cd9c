"""The schema: complete, kept in the repository, and never changed without a note."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from standardwebhooks import Webhook as Signer
from standardwebhooks import WebhookVerificationError

from api.http.problems import TYPES
from api.openapi.components import descriptions, properties
from api.openapi.examples import EXAMPLES, recorded_answers
from api.openapi.info import CHANGELOG, OVERVIEW, SCHEMA_FILE, chapter_of, schema_digest
from api.openapi.schema import addresses
from api.webhooks import EVENTS
from tests.published_schema import resolve, schema_text

UNSHOWN = {"get-schema"}
"""What is too long for an example, and is this itself."""
OPEN_TO_ALL = {
    *("get-index", "get-schema", "get-problems", "get-problem", "get-maps", "get-map"),
    *("get-map-geojson", "get-rulings", "get-books", "get-book"),
    *("post-tokens", "post-accounts", "post-password-resets", "post-password-reset"),
}
"""The operations that need neither a token nor a session."""
METHODS = {"get", "post", "put", "patch", "delete"}


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    return schema


def operations(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        operation
        for path in schema["paths"].values()
        for method, operation in path.items()
        if method in METHODS
    ]


def test_the_schema_in_the_repository_is_the_one_the_program_has() -> None:
    assert schema_text() == SCHEMA_FILE.read_text(encoding="utf-8"), "Run `manage.py openapi`."


def test_the_schema_does_not_change_without_a_note_in_the_changelog() -> None:
    mark = schema_digest(SCHEMA_FILE.read_text(encoding="utf-8"))
    assert mark in CHANGELOG.read_text(encoding="utf-8"), f"Say what has changed, with ({mark})."


def test_the_page_names_every_address_that_requires_a_precondition(kept: dict[str, Any]) -> None:
    required = {
        next(part for part in reversed(path.split("/")) if part and not part.startswith("{"))
        for path, item in kept["paths"].items()
        for method, operation in item.items()
        if method in METHODS
        for parameter in operation.get("parameters", ())
        if (found := resolve(kept, parameter))["name"] == "If-Match" and found.get("required")
    }
    page = (SCHEMA_FILE.parent / "api.md").read_text(encoding="utf-8")
    sentence = re.search(r"It is required \(428 without it\)(.*?);", page, re.DOTALL)
    assert sentence is not None
    named = {part.split("/{")[0] for part in re.findall(r"`([\w/{}-]+)/`", sentence[1])}
    assert {name.rpartition("/")[2] for name in named} == required


def test_every_text_for_a_property_is_shown_at_one(kept: dict[str, Any]) -> None:
    texts, shown = descriptions(), set()
    for component, name, field in properties(kept["components"]["schemas"]):
        own = f"{component.removesuffix('Request')}.{name}"
        key = own if own in texts else name
        words = texts.get(key, "").partition("; null")[0].rstrip(".")
        if words and field["description"].startswith(words):
            shown.add(key)
    assert sorted(texts.keys() - shown) == []


def test_every_address_is_in_the_schema(kept: dict[str, Any]) -> None:
    assert set(kept["paths"]) == set(addresses())


def test_every_operation_says_what_it_does_and_who_may(kept: dict[str, Any]) -> None:
    for operation in operations(kept):
        assert operation["summary"]
        assert any(status.startswith("2") for status in operation["responses"])
    names = [operation["operationId"] for operation in operations(kept)]
    assert len(names) == len(set(names))
    open_to_all = {one["operationId"] for one in operations(kept) if not one.get("security")}
    assert open_to_all == OPEN_TO_ALL


def test_every_operation_tells_of_its_errors_with_an_example(kept: dict[str, Any]) -> None:
    for operation in operations(kept):
        for status, answer in operation["responses"].items():
            if status.startswith(("4", "5")):
                (content,) = resolve(kept, answer)["content"].values()
                assert content["examples"]
    told = {
        example["value"]["type"].split("/")[-2]
        for example in kept["components"]["examples"].values()
    }
    assert set(TYPES) - told == {"damaged", "unforeseen", "method-not-allowed"}


def test_every_body_that_is_json_has_an_example(kept: dict[str, Any]) -> None:
    bare = {
        operation["operationId"]
        for operation in operations(kept)
        for content in [operation.get("requestBody", {}).get("content", {}).get("application/json")]
        if content and content["schema"].get("$ref", "") != "#/components/schemas/EmptyBody"
        if "examples" not in content
    }
    assert not bare
    assert set(EXAMPLES) <= {operation["operationId"] for operation in operations(kept)}


def test_every_example_is_what_its_schema_says(kept: dict[str, Any]) -> None:
    wrong = [
        f"{name}: {error.message}"
        for name, schema, value in examples(kept)
        for error in Draft202012Validator({**schema, "components": kept["components"]}).iter_errors(
            value
        )
    ]
    assert not wrong, "Take them anew: python -m tests.api.answers"


def examples(schema: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield every example of a body or an answer, with whose it is and its schema; problems but
    once.
    """
    told = [*operations(schema), *operations({"paths": schema["webhooks"]})]
    for operation in told:
        for part in (operation.get("requestBody", {}), *operation["responses"].values()):
            for content in part.get("content", {}).values():
                for example in content.get("examples", {}).values():
                    if "value" in example:
                        yield operation["summary"], content["schema"], example["value"]
    problem = schema["components"]["schemas"]["Problem"]
    for name, example in schema["components"]["examples"].items():
        yield name, problem, example["value"]


def test_every_answer_in_json_is_shown(kept: dict[str, Any]) -> None:
    bare = {
        operation["operationId"]
        for operation in operations(kept)
        for status, answer in operation["responses"].items()
        for media, content in answer.get("content", {}).items()
        if status.startswith("2") and media.endswith("json") and not content.get("examples")
    }
    assert bare == UNSHOWN, "Take them anew: python -m tests.api.answers"
    named = {name.partition(" ")[0] for name in recorded_answers()}
    assert named <= {operation["operationId"] for operation in operations(kept)}


def test_what_is_sent_to_webhooks_is_described(kept: dict[str, Any]) -> None:
    content = kept["webhooks"]["event"]["post"]["requestBody"]["content"]
    assert set(content["application/json"]["examples"]) == set(EVENTS)


def test_answers_name_their_headers(kept: dict[str, Any]) -> None:
    sheet = kept["paths"]["/api/v1/campaigns/{slug}/seats/{id}/sheets/{month}/"]
    assert "ETag" in sheet["get"]["responses"]["200"]["headers"]
    assert "Retry-After" in resolve(kept, sheet["put"]["responses"]["429"])["headers"]
    advance = kept["paths"]["/api/v1/campaigns/{slug}/advance/"]["post"]["responses"]["202"]
    assert {"Location", "Idempotency-Replayed"} <= set(advance["headers"])


def test_what_nothing_is_done_without_is_required() -> None:
    schema = json.loads(schema_text())
    parameters = schema["components"]["parameters"].values()
    versions = [one for one in parameters if one["name"] == "If-Match"]
    assert any(one.get("required") for one in versions)
    assert all("`*`" in one["description"] for one in versions)
    needed = {one["name"]: one for one in parameters}
    assert needed["unit_ids"]["required"]
    assert not needed["leader_id"].get("required")


def test_a_file_that_is_made_anew_has_no_tag() -> None:
    export = json.loads(schema_text())["paths"]["/api/v1/campaigns/{slug}/export/"]["get"]
    headers = {"RateLimit", "RateLimit-Policy", "X-Request-ID"}
    assert set(export["responses"]["200"]["headers"]) == headers
    assert "304" not in export["responses"]
    assert "If-None-Match" not in json.dumps(export["parameters"])


def test_everything_stands_in_a_chapter_that_says_what_it_is_about(kept: dict[str, Any]) -> None:
    chapters = {one["name"]: one["description"] for one in kept["tags"]}
    assert all(chapters.values())
    told = [*operations(kept), *operations({"paths": kept["webhooks"]})]
    assert {tag for operation in told for tag in operation["tags"]} == set(chapters)
    assert chapter_of("/api/v1/campaigns/{slug}/months/{month}/state/") == "Map and state"
    assert chapter_of("/api/v1/campaigns/{slug}/months/{month}/papers/{perspective}/").endswith(
        "papers"
    )
    with pytest.raises(ValueError, match="stands in no chapter"):
        chapter_of("/api/v1/elsewhere/")


def test_what_many_operations_say_is_written_once(kept: dict[str, Any]) -> None:
    answers = [
        answer
        for operation in operations(kept)
        for status, answer in operation["responses"].items()
        if not status.startswith("2")
    ]
    told = {answer["$ref"] for answer in answers}
    assert len(answers) > 10 * len(told)
    assert all(resolve(kept, {"$ref": one})["description"] for one in told)


def test_a_program_may_check_a_request_as_the_overview_does() -> None:
    code = OVERVIEW.read_text(encoding="utf-8").partition("```python")[2].partition("```")[0]
    secret, body, now = "whsec_c2lyZGFyIGFuZCBoaXMgYm9hdHM=", '{"type": "x"}', timezone.now()
    signed = Signer(secret).sign("msg_1", now, body)
    headers = {"webhook-id": "msg_1", "webhook-timestamp": str(int(now.timestamp()))}
    known: dict[str, Any] = {"secret": secret, "body": body.encode()}
    known["headers"] = {**headers, "webhook-signature": signed}
    exec(code, known)  # noqa: S102  our own example
    assert known["event"] == {"type": "x"}
    known["headers"] = {**headers, "webhook-id": "msg_2", "webhook-signature": signed}
    with pytest.raises(WebhookVerificationError):
        exec(code, known)  # noqa: S102


def test_deleted_campaigns_and_scenarios_are_one_kind_of_document(kept: dict[str, Any]) -> None:
    found = set()
    for name in ("deleted-campaigns", "deleted-own-scenarios"):
        answer = kept["paths"][f"/api/v1/{name}/"]["get"]["responses"]["200"]
        listed = answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        schema = kept["components"]["schemas"][listed]
        found.add(schema["properties"]["results"]["items"]["$ref"])
    assert found == {"#/components/schemas/DeletedPart"}
