"""Every wrong field of a body is named at once, with what may stand in its place."""

from enum import Enum
from typing import Any, get_args

import pytest
from django.urls import get_resolver
from msgspec import inspect, structs

from api.http.endpoint import operation_of
from api.http.field_errors import find_errors
from api.http.problems import MOST_NAMED
from api.http.rule_json import rule_form
from api.resources.tabletop import TableResultBody
from battles.core.validation import MOST_WRONG, shape_of
from campaign.models import Campaign
from tests.api.conftest import Api, As
from tests.api.problems import problem, wrong_places


def bodies() -> dict[str, Any]:
    """Return the types of all bodies of the interface, by operation."""
    _, resolver = get_resolver().namespace_dict["api"]
    patterns: Any = resolver.url_patterns
    found = {}
    for pattern in patterns:
        view = pattern.callback.view_class
        for method in view().allowed_methods:
            if hasattr(getattr(view, method.lower(), None), "operation"):
                takes = operation_of(view, method).takes
                if takes is not None and not isinstance(takes, str):
                    found[f"{method} {pattern.pattern}"] = takes
    return found


def structs_of(kind: Any) -> list[Any]:
    """Return the objects that a body may be, as msgspec types."""
    shape = rule_form(kind).type
    return [one for one in get_args(shape) or (shape,) if hasattr(one, "__struct_config__")]


@pytest.mark.parametrize("name", sorted(bodies()))
def test_every_field_of_every_body_is_named_at_once_with_what_it_takes(name: str) -> None:
    for shape in structs_of(bodies()[name]):
        fields = structs.fields(shape)
        wrong: dict[str, object] = {field.encode_name: {"": []} for field in fields}
        tag = {"type": shape.__struct_config__.tag} if shape.__struct_config__.tag else {}
        found = find_errors(shape, {**tag, **wrong, "colour": 1})
        details = {error.pointer.split("/")[1]: error.detail for error in found}
        open_fields = {
            field.encode_name
            for field in fields
            if isinstance(_bare(inspect.type_info(field.type)), inspect.AnyType | inspect.DictType)
        }
        assert details.keys() | open_fields == {*wrong, "colour"} | open_fields
        for field in fields:
            for word in _words(field.type):
                assert word in details[field.encode_name]


def _bare(info: Any) -> Any:
    return _bare(info.type) if isinstance(info, inspect.Metadata) else info


def _words(kind: Any) -> list[str]:
    """Return the words of an enumeration, which has no other form."""
    shape = shape_of(kind, None)
    if isinstance(shape, type) and issubclass(shape, Enum):
        return [str(member.value) for member in shape]
    return [str(value) for value in get_args(shape) if isinstance(value, str | int)]


SHEETS = "/campaigns/secret/seats/{id}/sheets/1884-02/"
MARCH = {
    "type": "march",
    "hex": 358,
    "unit_ids": [0, 80],
    "legs": [{"type": "fot"}, {"type": "foot", "to_hex": "358"}, {}],
    "contact": "stp",
    "marches": 4,
    "speed": 1,
}


@pytest.fixture
def sheet(secret: Campaign) -> str:
    """The address of the Egyptian sheet."""
    return SHEETS.format(id=secret.seats.get(role="egyptian").pk)


def test_all_errors_within_the_orders_of_a_sheet_are_told_at_once(as_: As, sheet: str) -> None:
    body = {"orders": [MARCH, {"type": "stay"}, 7], "standing": {"losses": "spare"}}
    told = problem(as_("egyptian").put(sheet, body, If_Match="*"), "invalid")
    said = {one["pointer"]: one["detail"] for one in told["errors"]}
    assert said == {
        "/orders/0/contact": "Expected one of stop, attack or go_round, got 'stp'. "
        "Did you mean stop?",
        "/orders/0/hex": 'Expected the four digits of a hex, such as "0358", got a whole number.',
        "/orders/0/legs/0/type": "Expected one of foot, rail, river or sea, got 'fot'. "
        "Did you mean foot?",
        "/orders/0/legs/1/to_hex": 'A hex has four digits, zeros included: write "0358".',
        "/orders/0/legs/2/type": "This field is required: one of foot, rail, river or sea.",
        "/orders/0/marches": "Expected a whole number from 1 to 3, got 4.",
        "/orders/0/speed": said["/orders/0/speed"],
        "/orders/0/unit_ids/0": "Expected a whole number from 1 to 999999, got 0.",
        "/orders/1/hex": 'This field is required: the four digits of a hex, such as "0358".',
        "/orders/2": "Expected an object whose `type` is one of march, stay, dismount, withdraw or "
        "deploy, got a whole number.",
        "/standing/losses": said["/standing/losses"],
    }
    assert said["/orders/0/speed"].startswith("No such field; known here: hex, unit_ids, legs,")
    assert list(said) == sorted(said)


def test_of_very_many_errors_a_hundred_are_told_and_ten_are_named(as_: As, sheet: str) -> None:
    body = {"orders": [{"type": "nonsense"}] * 300}
    told = problem(as_("egyptian").put(sheet, body, If_Match="*"), "invalid")
    assert len(told["errors"]) == MOST_WRONG
    assert told["errors"][-1]["pointer"] == "/orders/99/type"
    assert told["detail"].endswith(f"{MOST_WRONG - MOST_NAMED} more of `errors` and send it again.")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"url": "x" * 501}, "Expected text of 1 to 500 characters, got 501 characters."),
        ({"url": None}, "Expected text of 1 to 500 characters, got null."),
        ({"url": 1.5}, "Expected text of 1 to 500 characters, got a number with a fraction."),
        ({"url": "x", "campaign": "a b"}, "Expected a slug of at most 60 letters, digits, - and _"),
        ({"url": "x", "events": []}, "Expected a list of 1 to 8, each one of campaign.turn"),
        ({"url": "x", "events": ["campaign.rewond"]}, "Did you mean campaign.rewound?"),
        ({"urls": "x"}, "No such field; known here: url, campaign, events. Did you mean url?"),
    ],
)
def test_an_error_says_what_is_expected_and_what_was_sent(
    umpire: Api, body: dict[str, Any], said: str
) -> None:
    told = umpire.post("/webhooks/", body).json()
    assert said in " ".join(one["detail"] for one in told["errors"])


def test_a_name_within_an_object_is_wrong_by_itself_or_by_its_value(umpire: Api) -> None:
    """The fates of a battle are by the ids of its units."""
    fates = {"eighty": "captured", "80": "taken", "81": "captured"}
    shape = rule_form(TableResultBody).type
    found = find_errors(shape, {"fates": fates, "winner": None})
    assert {error.pointer: error.detail for error in found} == {
        "/fates/eighty": "Expected as a name the id of a unit, in digits.",
        "/fates/80": "Expected one of good_order, disrupted, eliminated or captured, got 'taken'.",
    }


def test_a_password_is_never_repeated_in_an_error(umpire: Api) -> None:
    secret = "correct horse" * 20
    told = umpire.post("/accounts/", {"username": 5, "password": secret})
    assert wrong_places(told.json()) == {"username", "password"}
    assert "horse" not in told.content.decode()
