"""Campaign files and order sheets by the thousand, each spoilt: never a 500, nothing changed."""

import json
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client

from api.documents.order_sheets import ORDERS_FORM
from api.openapi.examples import EXAMPLES
from battles import journal
from campaign.models import Campaign, Entry, OrderSheet, Snapshot
from campaign.orders.order_sheet import EMPTY
from campaign.rules.core.pieces import Month, month_slug
from campaign.services import order_submission
from campaign.services.journal import audit, creation
from campaign.services.transfer import archive
from campaign.services.turns import advance
from campaign.services.umpire.rulings import log_entry
from tests.people import People
from tests.security.mutations import mutated, spoilt_bytes, spoilt_file

SHEET: Any = next(iter(EXAMPLES["put-sheet"].values()))
WHOLE: Any = {**ORDERS_FORM.write(EMPTY), **SHEET}


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    for one in ("UserRateThrottle", "SimpleRateThrottle"):
        throttle = f"rest_framework.throttling.{one}.allow_request"
        monkeypatch.setattr(throttle, lambda *_: True)


@pytest.fixture
def quiet() -> Iterator[None]:
    """A line about each refusal, with its request, would be kept to the test's end."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture
def played(campaign: Campaign, people: People) -> Campaign:
    """A month by the sheets of both, its end played twice, and the next month's sheets begun."""
    Campaign.objects.filter(pk=campaign.pk).update(mode=Campaign.Mode.ORDERS)
    campaign.refresh_from_db()
    for player in (people.egyptian, people.mahdist):
        seat = campaign.seats.get(user=player)
        order_submission.save_sheet(campaign.pk, player, seat.pk, {})
        order_submission.submit(campaign.pk, player, seat.pk)
    advance.run_month(campaign.pk, until=campaign.month + 1)
    before = campaign.entries.order_by("-number")[1]
    creation.branch_from(campaign.pk, before, reason="Once more.", by="umpire:umpire")
    campaign = advance.run_month(campaign.pk, until=campaign.month + 1)
    seat = campaign.seats.get(user=people.egyptian)
    order_submission.save_sheet(campaign.pk, people.egyptian, seat.pk, {})
    log_entry(campaign, "umpire:umpire", "Played its last entry a second time.")
    return campaign


def exported(campaign: Campaign, *, with_secret: bool) -> bytes:
    file = BytesIO()
    archive.export_campaign(campaign, file, with_secret=with_secret)
    return file.getvalue()


def standing() -> str:
    """Return all there is of every campaign, as one hash."""
    told = sha256()
    for model in (Campaign, Entry, Snapshot, OrderSheet):
        for row in model._default_manager.order_by("pk").values_list():
            told.update(repr(row).encode())
    return told.hexdigest()


def import_spoilt(campaign: Campaign, people: People, files: Iterator[bytes]) -> Counter[int]:
    """Count the answers by status; every import is rolled back."""
    client = Client(raise_request_exception=False)
    client.force_login(people.stranger)
    before, told = standing(), Counter[int]()
    for number, file in enumerate(files):
        sent = SimpleUploadedFile("spoilt.sirdar", file)
        with transaction.atomic():
            answer = client.post("/import-campaign/", {"file": sent, "slug": "spoilt"})
            assert answer.status_code in (302, 400), f"file {number}: {answer.status_code}"
            if answer.status_code == 302:
                came = Campaign.objects.exclude(pk=campaign.pk).get()
                assert_well(client, came, number)
                came.delete()
            assert standing() == before, f"file {number}"
            transaction.set_rollback(True)
        told[answer.status_code] += 1
    return told


def assert_well(client: Client, came: Campaign, number: int) -> None:
    """Assert that an import has a page, and that the rules play it or the replay says where not."""
    page = client.get(f"/campaigns/{came.slug}/")
    assert page.status_code == 200, f"file {number}: its page is {page.status_code}"
    with suppress(journal.Refused):
        audit.replay_check(came)


def files_of(campaign: Campaign, count: int, seed: int = 1885) -> Iterator[bytes]:
    random = Random(seed)
    whole = [exported(campaign, with_secret=secret) for secret in (False, True)]
    for _ in range(count):
        yield spoilt_file(random.choice(whole), random)


def test_spoilt_campaign_files_are_refused_in_words(played: Campaign, people: People) -> None:
    told = import_spoilt(played, people, files_of(played, 60))
    assert told[400] > 40


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_ten_thousand_spoilt_campaign_files_are(
    played: Campaign, people: People, seed: int, quiet: None
) -> None:
    """A tenth of them."""
    told = import_spoilt(played, people, files_of(played, 1_000, seed))
    assert told[400] > 700
    assert told[302] > 20


class SheetClient:
    """A player's order sheet, as it is written and as it is checked."""

    def __init__(self, campaign: Campaign, people: People) -> None:
        Campaign.objects.filter(pk=campaign.pk).update(mode=Campaign.Mode.ORDERS)
        seat = campaign.seats.get(role="egyptian").pk
        month = month_slug(Month(campaign.month))
        self.rest = f"/api/v1/campaigns/{campaign.slug}/seats/{seat}/sheets/{month}/"
        self.client = Client(raise_request_exception=False)
        self.client.force_login(people.egyptian)

    def send(self, body: bytes, way: int) -> Any:
        """Return the answer by one of the two ways in which a sheet comes in."""
        kind: Any = {"content_type": "application/json"}
        if way == 0:
            return self.client.put(self.rest, body, **kind, headers={"If-Match": "*"})
        return self.client.post(f"{self.rest}check/", body, **kind)


def bodies(count: int, seed: int) -> Iterator[tuple[bytes, int]]:
    random = Random(seed)
    for number in range(count):
        way = number % 2
        body = mutated(WHOLE if random.random() < 0.5 else SHEET, random)
        data = json.dumps(body).encode()
        yield (spoilt_bytes(data, random) if random.random() < 0.1 else data), way


def send_spoilt(campaign: Campaign, people: People, count: int, seed: int = 1885) -> Counter[int]:
    sheets, told = SheetClient(campaign, people), Counter[int]()
    campaign.refresh_from_db()
    before = campaign.document_hash, campaign.head_id, campaign.entries.count()
    for number, (body, way) in enumerate(bodies(count, seed)):
        with transaction.atomic():
            answer = sheets.send(body, way)
            assert answer.status_code < 500, f"sheet {number} ({way}): {body[:300]!r}"
            transaction.set_rollback(True)
        told[answer.status_code] += 1
    campaign.refresh_from_db()
    assert (campaign.document_hash, campaign.head_id, campaign.entries.count()) == before
    return told


def test_spoilt_order_sheets_are_refused_in_words(campaign: Campaign, people: People) -> None:
    told = send_spoilt(campaign, people, 400)
    assert told[200] > 20
    assert told[400] > 100


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_a_hundred_thousand_spoilt_order_sheets_are(
    campaign: Campaign, people: People, seed: int, quiet: None
) -> None:
    """A twentieth of them."""
    told = send_spoilt(campaign, people, 5_000, seed)
    assert told[400] > 1_250
