"""What may be sent in a battle that players fight, as the schema has it, and as the books do."""

import json
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from api.openapi.battle_actions import ANY_ACTION, parts
from api.openapi.examples import EXAMPLES
from battles.contract.registry import book
from battles.core.decoding import encode
from tests.api.test_fights import acting, at, of
from tests.battles_web.fights import BOOKS, advised, begun, step
from tests.people import People, gather
from tests.referred import schema_text

COMPONENTS = {"components": {"schemas": parts()}}
NAMES = dict(zip(BOOKS, ("Redcoats", "Restless", "FuzzyWuzzy"), strict=True))


@pytest.fixture
def people(db: None) -> People:
    return gather()


def faults(schema: dict[str, Any], action: object) -> list[str]:
    found = Draft202012Validator({**schema, **COMPONENTS}).iter_errors(action)
    return [error.message for error in found]


def part(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


@pytest.mark.parametrize(("slug", "name"), list(NAMES.items()))
def test_every_action_of_a_book_is_in_the_schema_by_its_name(slug: str, name: str) -> None:
    mapping = parts()[f"{name}Action"]["discriminator"]["mapping"]
    kinds = {kind.__name__ for kind in book(slug).engine.actions.__args__}
    assert mapping == {kind: f"#/components/schemas/{name}{kind}" for kind in kinds}
    assert {f"{name}{kind}" for kind in kinds} <= set(parts())


@pytest.mark.parametrize("slug", BOOKS)
def test_what_a_commander_does_and_is_offered_fits_the_schema(people: People, slug: str) -> None:
    battle = begun(people, slug)
    for _ in range(12):
        offered = acting(people, battle).get(at(battle)).json()["asked"]["choices"]
        done = msgspec.json.decode(encode(advised(battle)))
        sent = [done, *(one["action"] for one in offered)]
        assert [action for action in sent if faults(ANY_ACTION, action)] == []
        step(people, battle)


@pytest.mark.parametrize("slug", BOOKS)
def test_what_each_may_know_of_a_battle_is_a_state_of_its_book(people: People, slug: str) -> None:
    battle = begun(people, slug)
    everybody = (people.umpire, people.egyptian, people.mahdist)
    for _ in range(12):
        told = [of(user).get(at(battle)).json()["state"] for user in everybody]
        assert [faults(part(f"{NAMES[slug]}State"), state) for state in told] == [[], [], []]
        known = parts()[f"{NAMES[slug]}State"]["properties"].keys()
        assert all(state.keys() <= known for state in told)
        step(people, battle)


def test_what_no_book_knows_does_not_fit_the_schema() -> None:
    assert faults(ANY_ACTION, {"do": "Nonsense"})
    assert faults(part("FuzzyWuzzyAction"), {"do": "Order", "orders": [{"movement": "march"}]})
    assert faults(part("RedcoatsAction"), {"do": "Order", "orders": []})


def test_orders_are_put_together_from_what_is_asked(people: People) -> None:
    battle = begun(people, "fuzzy-wuzzy")
    while not acting(people, battle).get(at(battle)).json()["asked"]["orders"]:
        step(people, battle)
    client = acting(people, battle)
    asked = client.get(at(battle)).json()["asked"]
    order = {"unit": asked["unit"], **{one["sort"]: one["values"][0] for one in asked["orders"]}}
    action = {"do": "Order", "orders": [order]}
    assert faults(part("FuzzyWuzzyAction"), action) == []
    done = client.post(
        at(battle, "actions/"),
        {"action": action},
        content_type="application/json",
        headers={"If-Match": "*"},
    )
    assert done.status_code == 200, done.json()
    told = client.get(at(battle, f"?unit={asked['unit']}")).json()["asked"]["orders"]
    assert {one["sort"]: one["given"] for one in told} == {
        one["sort"]: one["values"][0] for one in asked["orders"]
    }


def test_the_examples_of_actions_are_of_each_book() -> None:
    done, redcoats, restless, fuzzy = (
        one["action"] for one in EXAMPLES["post-fight-actions"].values()
    )
    for name, action in (("Redcoats", redcoats), ("Restless", restless), ("FuzzyWuzzy", fuzzy)):
        assert faults(part(f"{name}Action"), action) == faults(part(f"{name}Action"), done) == []


def test_the_schema_of_the_interface_has_them() -> None:
    assert '"FuzzyWuzzyOrder": {' in schema_text()
    told = json.loads(schema_text())["components"]["schemas"]
    sent, offered = (told[name]["properties"]["action"] for name in ("ActionInput", "ChoicePart"))
    assert sent["anyOf"] == offered["anyOf"] == ANY_ACTION["anyOf"]
    assert {"$ref": "#/components/schemas/RestlessState"} in told["FightDocument"]["properties"][
        "state"
    ]["anyOf"]
