"""Of two campaigns or scenarios begun at once, neither fails for the name of the other."""

from io import BytesIO

import pytest

from battles.contract import Side
from campaign.models import Campaign, OwnScenario
from campaign.services.errors import NameTaken
from campaign.services.journal import creation, own_scenarios
from campaign.services.transfer import archive
from tests.people import SIEGE, People, sit_down
from tests.races.interruption import meanwhile

LOOKED_FOR = 'SELECT .*"campaign_campaign"."slug"'
SAVED = 'SAVEPOINT|INSERT INTO "campaign_campaign"'
COLUMN = "desert-column"


def test_two_who_begin_to_play_alone_get_a_campaign_each(people: People) -> None:
    def begin() -> None:
        creation.create_solo_campaign(people.mahdist, Side.EGYPTIAN, COLUMN)

    with meanwhile(begin, before=SAVED, after=LOOKED_FOR):
        created = creation.create_solo_campaign(people.egyptian, Side.EGYPTIAN, COLUMN)
    assert {other.slug for other in Campaign.objects.exclude(pk=created.pk)} == {
        "the-desert-column"
    }
    assert created.slug == "the-desert-column-2"
    assert created.seats.get(user=people.egyptian).role == "egyptian"


def test_an_imported_campaign_gets_a_number_too(people: People) -> None:
    file, campaign = BytesIO(), sit_down(people)
    archive.export_campaign(campaign, file, with_secret=True)
    campaign.delete()

    def bring_in() -> Campaign:
        return archive.import_campaign(BytesIO(file.getvalue()))

    with meanwhile(bring_in, before=SAVED, after=LOOKED_FOR):
        assert bring_in().slug == f"{campaign.slug}-2"


def test_of_two_who_want_the_same_slug_the_second_is_told_that_it_is_taken(people: People) -> None:
    terms = creation.NewCampaignTerms(SIEGE, slug="war", seats={"umpire": people.umpire})

    def begin() -> Campaign:
        return creation.create_campaign(terms)

    with (
        pytest.raises(NameTaken),
        meanwhile(begin, before=SAVED, after=LOOKED_FOR),
    ):
        begin()


@pytest.mark.parametrize("written", ["first", "before"])
def test_of_two_scenarios_of_one_title_saved_at_once_the_second_gets_a_number(
    people: People, written: str
) -> None:
    def save(existing: OwnScenario | None = None) -> OwnScenario:
        document = own_scenarios.blank_document()
        return own_scenarios.save_scenario(people.umpire, document, existing)[0]

    own = None
    if written == "before":
        own = save()
        OwnScenario.objects.update(slug="another")
    looked_for = 'SELECT "campaign_ownscenario"."slug"'
    saved = 'SAVEPOINT|(INSERT INTO|UPDATE) "campaign_ownscenario"'
    with meanwhile(save, before=saved, after=looked_for):
        own = save(own)
    assert own.slug == own.document["scenario"]["slug"] == "my-scenario-2"
    assert own.revision == (2 if written == "before" else 1)
    assert set(OwnScenario.objects.values_list("slug", flat=True)) == {
        "my-scenario",
        "my-scenario-2",
    }
