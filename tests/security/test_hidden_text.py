"""Control and invisible characters in what people write: refused, and the field is named."""

import json
from io import BytesIO
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Token
from battles.contract import Fate, Nation, Report, TroopKind, conserve
from battles.contract import Unfit as UnfitReport
from battles.contract.brief_files import read_brief
from battles.core.game import IllegalAction
from battles.core.tables import Source, TableError
from battles.core.validation import hidden_characters_in
from campaign.access import selectors
from campaign.models import Campaign, Invitation, OwnScenario, OwnTables
from campaign.rules import umpire_rulings
from campaign.rules.core.actions import Ruled
from campaign.rules.map import sudan
from campaign.rules.tables.editions import shipped_edition
from campaign.rules.tables.scenario_document import ScenarioFault, read_document
from campaign.rules.umpire_rulings import Recruit
from campaign.services.errors import UnfitRequest
from campaign.services.journal import own_scenarios
from campaign.services.transfer import bundle
from campaign.services.umpire import rulings
from tests import own_tables
from tests.battles_web.field import small_brief
from tests.people import SIEGE, People, sit_down
from tests.security.test_bombs import parts_of, with_hash

HIDDEN = ("\u202e", "\x07", "\u2066", "\u200b", "\x1b[31m")
BRIEF = """title = "Nowhere"
[attacker]
side = "mahdist"
troops = [{kind = "spears", nation = "mahdist"}]
[defender]
side = "egyptian"
troops = [{kind = "infantry", nation = "british"}]
"""
SEEN = "Gordon’s stand, حصار الخرطوم"


def sent(client: Client, path: str, body: dict[str, Any]) -> tuple[int, str]:
    answer = client.post(path, json.dumps(body), content_type="application/json")
    return answer.status_code, answer.content.decode()


@pytest.mark.parametrize("hidden", HIDDEN)
def test_no_title_holds_what_cannot_be_seen(umpire: Client, hidden: str) -> None:
    given = {"scenario": SIEGE, "title": f"Khartoum{hidden}moutrahK"}
    page = umpire.post(reverse("new"), given)
    assert page.status_code == 400
    assert (
        f"The title contains the invisible character U+{ord(hidden[0]):04X}"
        in page.content.decode()
    )
    status, said = sent(umpire, "/api/v1/campaigns/", given)
    assert status in (400, 422)
    assert "title" in said
    assert not Campaign.objects.exists()


def test_a_title_may_be_in_any_script(umpire: Client) -> None:
    umpire.post(reverse("new"), {"scenario": SIEGE, "title": SEEN})
    assert Campaign.objects.get().title == SEEN


@pytest.mark.parametrize("hidden", HIDDEN)
def test_no_name_holds_what_cannot_be_seen(campaign: Campaign, umpire: Client, hidden: str) -> None:
    name = f"a{hidden}b"
    office = {"role": "egyptian", "days": 14, "name": name, "command": "kordofan"}
    tables = {"name": name, "files": {"march": own_tables.halted()}}
    pages = {
        reverse("seats", args=[campaign.slug]): office,
        "/accounts/": {"name": name, "scopes": ["read"], "days": "30"},
    }
    for page, given in pages.items():
        said = umpire.post(page, given).content.decode()
        assert f"contains the invisible character U+{ord(hidden[0]):04X}" in said, page
    status, said = sent(umpire, "/api/v1/table-sets/", tables)
    assert status in (400, 422)
    assert "name of the set contains the invisible character" in said
    assert not Invitation.objects.exists()
    assert not Token.objects.exists()
    assert not OwnTables.objects.exists()


@pytest.mark.parametrize("hidden", [*HIDDEN, "\x00"])
def test_no_account_is_looked_for_by_a_name_that_cannot_be_seen(
    campaign: Campaign, umpire: Client, hidden: str
) -> None:
    """PostgreSQL cannot even look for a text with a NUL."""
    seat = campaign.seats.get(role="mahdist")
    sent = {"do": "replace", "seat": seat.pk, "username": f"a{hidden}b", "reason": "Absent."}
    refused = umpire.post(reverse("command", args=[campaign.slug]), sent)
    assert refused.status_code == 400
    assert "name of the account contains the invisible character" in refused.content.decode()


@pytest.mark.parametrize("hidden", HIDDEN)
def test_no_new_unit_has_a_name_that_cannot_be_seen_or_is_too_long(
    people: People, hidden: str
) -> None:
    """REST refuses a long one too; the form of the page can be sent without its limit."""
    campaign = sit_down(people, months=1)
    state = selectors.state_now(campaign)
    for name, said in (
        (f"a{hidden}b", f"contains the invisible character U\\+{ord(hidden[0]):04X}"),
        ("a" * 61, "60 characters at most"),
    ):
        recruit = Recruit(TroopKind.INFANTRY, Nation.BRITISH, name=name)
        events = umpire_rulings.add(state, recruit, sudan().place("Halfaya").hex)
        with pytest.raises(IllegalAction, match=said):
            rulings.preview(campaign, people.umpire, Ruled("Reserves.", events))


@pytest.mark.parametrize("hidden", HIDDEN)
def test_no_reason_holds_what_cannot_be_seen(
    campaign: Campaign, umpire: Client, hidden: str
) -> None:
    given = {"reason": f"Agreed{hidden} by letter."}
    asked = f"/api/v1/campaigns/{campaign.slug}/"
    sends = {
        "end": (umpire.patch, asked, {**given, "outcome": "draw"}),
        "rule": (umpire.post, f"{asked}rulings/", {**given, "toss": {"count": 1}}),
    }
    for name, (send, address, body) in sends.items():
        answer = send(address, body, content_type="application/json", headers={"If-Match": "*"})
        said = answer.content.decode()
        assert answer.status_code in (400, 409, 422), (name, said)
        assert f"contains the invisible character U+{ord(hidden[0]):04X}" in said, (name, said)
    assert not campaign.umpire_log.exists()
    assert not campaign.entries.exists()


@pytest.mark.parametrize("hidden", HIDDEN)
def test_no_file_of_a_campaign_holds_what_cannot_be_seen(campaign: Campaign, hidden: str) -> None:
    parts = parts_of(campaign)
    manifest = json.loads(parts[bundle.MANIFEST])
    for name, changed in {
        "title": {"title": f"a{hidden}b"},
        "reason": {"branches": [{**manifest["branches"][0], "reason": hidden}]},
        "name": {"seats": [{**manifest["seats"][0], "name": hidden}]},
    }.items():
        spoilt = json.dumps(manifest | changed).encode()
        with pytest.raises(UnfitRequest, match=rf"campaign\.json .*{name}"):
            bundle.read_bundle(BytesIO(with_hash({**parts}, bundle.MANIFEST, spoilt)))


@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize("escaped", [False, True])
def test_no_toml_holds_what_cannot_be_seen(hidden: str, *, escaped: bool) -> None:
    said = "".join(f"\\u{ord(one):04x}" for one in hidden) if escaped else hidden
    written = BRIEF.replace("Nowhere", f"No{said}where")
    with pytest.raises(TableError) as refused:
        read_brief(Source("brief.toml", written))
    assert refused.value.line == 1


@pytest.mark.parametrize("hidden", HIDDEN)
def test_no_report_of_a_battle_holds_what_cannot_be_seen(hidden: str) -> None:
    brief = small_brief()
    fates = {troop.id: Fate.GOOD for troop in brief.troops()}
    report = Report(brief.id, "table", fates, ending=f"Night{hidden} fell.")
    with pytest.raises(UnfitReport, match=r"U\+"):
        conserve(brief, report)
    conserve(brief, msgspec.structs.replace(report, ending="Night fell."))


@pytest.mark.parametrize(
    "field", ["title", "start", "description", "a name\x00"], ids=["title", "month", "text", "name"]
)
def test_no_scenario_holds_what_postgresql_cannot_store(umpire: Client, field: str) -> None:
    document = own_scenarios.blank_document()
    document["scenario"][field] = "1884\x00-01"
    status, said = sent(
        umpire, "/api/v1/own-scenarios/", {"type": "document", "document": document}
    )
    assert status == 422
    assert "contains U+0000" in said
    assert not OwnScenario.objects.exists()


@pytest.mark.parametrize("value", ['"a\\ud800b"', "NaN", "1e999"])
def test_no_file_of_a_scenario_holds_what_postgresql_cannot_store(value: str) -> None:
    file = json.dumps(own_scenarios.blank_document()).replace('"My scenario"', value)
    with pytest.raises(
        ScenarioFault, match=r"scenario\.title: it (contains U\+D800|is not a finite)"
    ):
        read_document(file)


def test_a_campaign_is_looked_for_by_no_text_that_postgresql_refuses(umpire: Client) -> None:
    status, _ = sent(umpire, "/api/v1/own-scenarios/", {"type": "campaign", "campaign": "a\x00b"})
    assert status == 404


def test_the_files_that_are_shipped_hold_nothing_of_the_kind() -> None:
    for text in shipped_edition().texts.values():
        assert not hidden_characters_in(text)
