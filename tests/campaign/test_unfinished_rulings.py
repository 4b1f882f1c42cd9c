"""A ruling that is not yet given: kept for its umpire, and honest when the campaign goes on."""

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from campaign.access import selectors
from campaign.models import Campaign, UnfinishedRuling
from campaign.rules import umpire_rulings as ruling_events
from campaign.rules.core.actions import Ruled
from campaign.rules.core.pieces import UnitId
from campaign.services.transfer import deletion
from campaign.services.umpire import rulings
from tests.people import People, logged_in


def at(campaign: Campaign) -> str:
    return reverse("ruling", args=[campaign.slug])


def unit_at_khartoum(campaign: Campaign) -> str:
    units = selectors.state_now(campaign).units.values()
    return str(min(unit.id for unit in units if unit.hex == 2042 and not unit.disrupted))


def press(client: Client, campaign: Campaign, do: str, **given: object) -> str:
    """Press a button of the page as it was last shown; the page that comes."""
    page = client.get(at(campaign)).content.decode()
    fields = re.findall(
        r'<input type="hidden" name="(events|effect|head|here)" value="(.*?)"', page
    )
    sent: dict[str, object] = {name: html.unescape(value) for name, value in fields}
    sent["effect"] = [html.unescape(value) for name, value in fields if name == "effect"]
    answer = client.post(at(campaign), sent | {"do": do} | given, follow=True)
    return html.unescape(answer.content.decode())


def remove(campaign: Campaign, people: People, unit: str) -> None:
    """Let the other umpire remove the unit."""
    state = selectors.state_now(campaign)
    ruling = Ruled("Counted twice.", ruling_events.remove(state, [UnitId(int(unit))]))
    rulings.rule(campaign.pk, people.umpire, ruling)


def test_a_ruling_not_yet_given_comes_back_with_a_deleted_campaign(
    played: Campaign, people: People, umpire: Client
) -> None:
    unit = unit_at_khartoum(played)
    press(umpire, played, "disrupt", here="2042", unit=unit, reason="Fever.", to=["egyptian"])
    deleted = deletion.delete_campaign(played.pk, people.umpire)
    restored = deletion.restore_campaign(deleted.pk, people.umpire)
    page = html.unescape(umpire.get(at(restored)).content.decode())
    assert "is disrupted at Khartoum." in page
    assert 'value="Fever."' in page
    press(umpire, restored, "rule", reason="Fever.")
    assert selectors.state_now(Campaign.objects.get()).units[UnitId(int(unit))].disrupted


def test_a_ruling_not_yet_given_outlives_the_session(
    played: Campaign, people: People, umpire: Client
) -> None:
    unit = unit_at_khartoum(played)
    press(umpire, played, "look", hex="Khartoum", reason="Fever.", to=["egyptian"])
    press(umpire, played, "disrupt", here="2042", unit=unit, reason="Fever.", to=["egyptian"])
    umpire.logout()
    answer = umpire.post(at(played), {"do": "rule", "reason": "Fever."})
    assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next={at(played)}")
    page = html.unescape(logged_in(people.umpire).get(at(played)).content.decode())
    assert "is disrupted at Khartoum." in page
    assert "You began this ruling on" in page
    assert 'name="reason" maxlength="300" value="Fever."' in page
    assert 'name="here" value="2042"' in page
    assert 'name="to" value="egyptian" checked' in page
    assert 'name="to" value="mahdist" checked' not in page


def test_a_ruling_that_is_given_or_discarded_is_kept_no_longer(
    played: Campaign, umpire: Client
) -> None:
    unit = unit_at_khartoum(played)
    press(umpire, played, "disrupt", here="2042", unit=unit)
    assert UnfinishedRuling.objects.count() == 1
    console = umpire.get(reverse("console", args=[played.slug])).content.decode()
    assert "One is begun and not given yet." in console
    press(umpire, played, "discard")
    assert not UnfinishedRuling.objects.exists()
    press(umpire, played, "disrupt", here="2042", unit=unit)
    assert "The ruling is given" in press(umpire, played, "rule", reason="Fever.")
    assert not UnfinishedRuling.objects.exists()
    assert "You began this ruling" not in umpire.get(at(played)).content.decode()


def test_each_umpire_has_a_ruling_of_their_own(
    played: Campaign, people: People, umpire: Client
) -> None:
    played.seats.create(user=people.stranger, role="umpire")
    press(umpire, played, "disrupt", here="2042", unit=unit_at_khartoum(played))
    page = logged_in(people.stranger).get(at(played)).content.decode()
    assert "disrupted" not in page.split("What it would change")[1].split("<section")[0]


def test_an_effect_that_is_no_longer_possible_is_named_and_the_others_stay(
    played: Campaign, people: People, umpire: Client
) -> None:
    unit = unit_at_khartoum(played)
    press(umpire, played, "disrupt", here="2042", unit=unit)
    press(umpire, played, "hand", here="2042", holder="mahdist")
    remove(played, people, unit)
    page = html.unescape(umpire.get(at(played)).content.decode())
    lost, kept = page.split('<section aria-labelledby="seen"')
    assert "this is left out because it is no longer possible" in lost
    assert re.search(rf"is disrupted at Khartoum\. .*There is no unit {unit}\.", lost)
    assert "is disrupted at Khartoum." not in kept
    assert "Khartoum passes" in kept or "Khartoum is" in kept
    assert "The ruling is given" in press(umpire, played, "rule", reason="Fever.")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"do": "move", "to-hex": "Bebrer"}, 'value="Bebrer"'),
        ({"do": "add", "kind": "gun", "nation": "british", "count": "99"}, 'value="99"'),
        ({"do": "look", "hex": "Bebrer"}, 'value="Bebrer"'),
    ],
)
def test_what_was_ticked_and_typed_stays_beside_a_refusal(
    played: Campaign, umpire: Client, given: dict[str, str], kept: str
) -> None:
    unit = unit_at_khartoum(played)
    answer = umpire.post(at(played), given | {"here": "2042", "unit": unit, "events": "[]"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert kept in page
    assert f'name="unit" value="{unit}" checked' in page
    assert UnfinishedRuling.objects.count() == 0


def test_nobody_is_notified_stays_so_while_the_ruling_is_composed(
    played: Campaign, umpire: Client
) -> None:
    sent = {"do": "look", "hex": "Khartoum", "events": "[]", "reason": "Secret."}
    page = umpire.post(at(played), sent).content.decode()
    assert 'name="to" value="egyptian" checked' not in page
    assert 'name="to" value="mahdist" checked' not in page


def test_a_form_that_cannot_be_read_leaves_the_stored_ruling(
    played: Campaign, umpire: Client
) -> None:
    press(umpire, played, "disrupt", here="2042", unit=unit_at_khartoum(played))
    answer = umpire.post(at(played), {"do": "undo", "events": "["})
    assert answer.status_code == 400
    assert "is disrupted at Khartoum." in answer.content.decode()
