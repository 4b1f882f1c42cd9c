"""Of two campaigns that are begun at once, neither fails for the name of the other."""

from io import BytesIO

import pytest

from battles.contract import Side
from campaign.models import Campaign
from campaign.services.errors import NameTaken
from campaign.services.journal import creation
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
