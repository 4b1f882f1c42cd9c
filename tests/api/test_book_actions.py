"""The actions of a battle that players fight, as the schema has them, and as the books do."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from api.http.rule_json import snake_case
from api.openapi.components import action_form
from api.openapi.examples import EXAMPLES
from api.openapi.schema import components
from battles.contract.book import book
from tests.api.test_fights import acting, at
from tests.battles_web.fights import BOOKS, advised, begun, step
from tests.people import People, logged_in

NAMES = dict(zip(BOOKS, ("Redcoats", "Restless", "FuzzyWuzzy"), strict=True))


def parts() -> dict[str, Any]:
    return components().parts


def faults(schema: dict[str, Any], action: object) -> list[str]:
    whole = {**schema, "components": {"schemas": parts()}}
    return [error.message for error in Draft202012Validator(whole).iter_errors(action)]


def part(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def sent_action() -> dict[str, Any]:
    """The schema of an action that is sent."""
    schema: dict[str, Any] = parts()["ActionBody"]["properties"]["action"]
    return schema


@pytest.mark.parametrize(("slug", "name"), list(NAMES.items()))
def test_every_action_of_a_book_is_in_the_schema_by_its_name(slug: str, name: str) -> None:
    kinds = {kind.__name__ for kind in book(slug).engine.actions.__args__}
    tags = {f"{slug.replace('-', '_')}_{snake_case(kind)}" for kind in kinds}
    for action in (f"{name}Action", f"{name}ActionRequest"):
        assert set(parts()[action]["discriminator"]["mapping"]) == tags
    assert {f"{name}{kind}" for kind in kinds} <= set(parts())


@pytest.mark.parametrize("slug", BOOKS)
def test_what_a_commander_does_and_is_offered_fits_the_schema(people: People, slug: str) -> None:
    battle = begun(people, slug)
    for _ in range(12):
        offered = acting(people, battle).get(at(battle)).json()["options"]["legal_actions"]
        done = action_form(slug).write(advised(battle))
        sent = [done, *(one["action"] for one in offered)]
        assert [action for action in sent if faults(sent_action(), action)] == []
        step(people, battle)


@pytest.mark.parametrize("slug", BOOKS)
def test_what_each_may_know_of_a_battle_is_a_state_of_its_book(people: People, slug: str) -> None:
    battle = begun(people, slug)
    everybody = (people.umpire, people.egyptian, people.mahdist)
    for _ in range(12):
        told = [logged_in(user).get(at(battle)).json()["state"] for user in everybody]
        assert [faults(part(f"{NAMES[slug]}State"), state) for state in told] == [[], [], []]
        known = parts()[f"{NAMES[slug]}State"]["properties"].keys()
        assert all(state.keys() == known for state in told)
        step(people, battle)


def test_what_no_book_knows_does_not_fit_the_schema() -> None:
    assert faults(sent_action(), {"type": "nonsense"})
    for action in (
        {"type": "fuzzy_wuzzy_order", "orders": [{"movement": "march"}]},
        {"type": "redcoats_order", "orders": []},
    ):
        assert faults(sent_action(), action)


def test_orders_are_put_together_from_what_is_asked(people: People) -> None:
    battle = begun(people, "fuzzy-wuzzy")
    while not acting(people, battle).get(at(battle)).json()["options"]["order_fields"]:
        step(people, battle)
    client = acting(people, battle)
    asked = client.get(at(battle)).json()["options"]
    wanted = {one["name"]: one["allowed_values"][0] for one in asked["order_fields"]}
    action = {"type": "fuzzy_wuzzy_order", "orders": [{"unit": asked["unit_id"], **wanted}]}
    assert faults(sent_action(), action) == []
    done = client.post(
        at(battle, "actions/"),
        {"action": action},
        content_type="application/json",
        headers={"If-Match": "*"},
    )
    assert done.status_code == 200, done.json()
    told = client.get(at(battle, f"?unit={asked['unit_id']}")).json()["options"]["order_fields"]
    assert {one["name"]: one["given"] for one in told} == wanted


def test_the_examples_of_actions_are_of_each_book() -> None:
    for example in EXAMPLES["post-fight-actions"].values():
        assert faults(sent_action(), example["action"]) == []
