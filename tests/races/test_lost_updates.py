"""Two changes of different fields that are sent at once are both kept."""

from django.test import Client

from accounts.models import Scope
from accounts.tokens import create_token
from campaign.access import selectors
from campaign.services.mail_messages import mailing_of
from tests.people import People, sit_down
from tests.races.interruption import meanwhile


def umpire(people: People) -> Client:
    token = create_token(people.umpire, "test", Scope.values)[1]
    return Client(headers={"Authorization": f"Bearer {token}"})


def change(client: Client, address: str, **fields: object) -> None:
    answer = client.patch(f"/api/v1/{address}", fields, content_type="application/json")
    assert answer.status_code == 200, answer.content


def test_two_changes_of_how_battles_are_fought(people: People) -> None:
    campaign, client = sit_down(people), umpire(people)
    address = f"campaigns/{campaign.slug}/"

    def sign() -> None:
        change(client, address, battles={"signed": False})

    with meanwhile(sign, after='SELECT "campaign_campaign"'):
        change(client, address, battles={"timeout_days": 3})
    campaign.refresh_from_db()
    agreed = selectors.state_now(campaign).hand_off
    assert agreed is not None
    assert (agreed.signed, agreed.timeout_days) == (False, 3)


def test_two_changes_of_which_mail_one_wants(people: People) -> None:
    client, address = umpire(people), "account/notifications/"
    mailing_of(people.umpire)

    def want_no_gazette() -> None:
        change(client, address, on_gazette=False)

    with meanwhile(want_no_gazette, before='UPDATE "campaign_mailing"'):
        change(client, address, on_turn=False)
    mailing = mailing_of(people.umpire)
    assert (mailing.turn, mailing.gazette) == (False, False)
