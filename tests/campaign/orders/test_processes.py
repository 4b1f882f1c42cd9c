"""Real processes: a month by order sheets killed in the middle, and writing while it begins."""

import shutil
from pathlib import Path

import pytest

from tests.campaign.place import SLUG, Place
from tests.patience import ended, wait_until
from tests.played_once import made_once

BEGIN = """
from django.contrib.auth.models import User
from campaign.services.journal import creation
users = {role: User.objects.create_user(role) for role in ("egyptian", "mahdist")}
campaign = creation.create_campaign(
    creation.NewCampaignTerms("siege-of-khartoum", slug="war", mode="orders", seats=users)
)
"""
WHO = """
from campaign.access import selectors
from campaign.services import errors
from campaign.services import order_submission
from campaign.models import Campaign, Seat
from campaign.rules.march.phase import may_march
from battles.contract.brief import AFLOAT, Side
campaign = Campaign.objects.get(slug="war")
seat = Seat.objects.get(campaign=campaign, role="mahdist")
state = selectors.state_now(campaign)
"""
SUBMIT = (
    WHO
    + """
for side in Side:
    seat = Seat.objects.get(campaign=campaign, role=side.value)
    orders = [
        {
            "type": "march",
            "hex": hex_id,
            "units": [unit.id for unit in stack if unit.kind not in AFLOAT],
            "legs": [{"type": "foot", "to": 2042}],
        }
        for hex_id, stack in may_march(state, side).items()
    ]
    order_submission.save_sheet(campaign.pk, seat.user, seat.pk, {"orders": orders})
    order_submission.submit(campaign.pk, seat.user, seat.pk)
"""
)
SLOWLY = (
    WHO
    + """
from django.db import transaction
from battles import journal
from campaign.services.turns.month_by_orders import begin_month
with transaction.atomic():
    begin_month(journal.lock_record(Campaign.objects.all(), campaign.pk))
    print("begun", flush=True)
    input()
"""
)
LATE = (
    WHO
    + """
print("submits", flush=True)
try:
    order_submission.submit(campaign.pk, seat.user, seat.pk)
except errors.UnderWay as refused:
    print("refused:", refused)
"""
)
RECEIPTS = (
    WHO
    + """
from campaign.models import Receipt
for receipt in Receipt.objects.filter(kind="carried out").order_by("pk"):
    print(receipt.sheet.seat.role, len(receipt.carried))
"""
)


@pytest.fixture(scope="module")
def begun(migrated: Path) -> Path:
    """A folder in which a campaign by order sheets has begun."""

    def begin(folder: Path) -> None:
        shutil.copytree(migrated, folder, dirs_exist_ok=True)
        said = Place(folder).run("shell", "-v0", "-c", BEGIN)
        assert said.returncode == 0, said.stderr

    return made_once("begun by sheets", begin)


@pytest.fixture
def place(begun: Path, tmp_path: Path) -> Place:
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    return Place(tmp_path)


@pytest.mark.long
def test_a_month_by_sheets_killed_in_the_middle_is_carried_out_once(place: Place) -> None:
    said = place.run("shell", "-v0", "-c", SUBMIT)
    assert said.returncode == 0, said.stderr
    running = place.start("advance", SLUG)
    wait_until(lambda: place.entries() > 3 or running.poll() is not None, "four entries")
    running.kill()
    running.communicate()
    assert place.entries() > 3
    again = place.run("advance", SLUG)
    assert again.returncode == 0, again.stderr
    assert place.month() >= 1
    assert place.run("replay", SLUG, "--check").returncode == 0
    assert place.run("verify_dice", SLUG).returncode == 0
    told = place.run("shell", "-v0", "-c", RECEIPTS).stdout.split()
    assert told[::2] == ["egyptian", "mahdist"]
    assert all(int(count) > 0 for count in told[1::2])


def test_whoever_submits_while_the_month_begins_waits_and_is_told(place: Place) -> None:
    """Not half of a month begins: the scheduler and the player take turns at one lock."""
    beginning = place.start("shell", "-v0", "-c", SLOWLY)
    assert beginning.stdout is not None
    assert beginning.stdout.readline().strip() == "begun"
    late = place.start("shell", "-v0", "-c", LATE)
    assert late.stdout is not None
    assert late.stdout.readline().strip() == "submits"
    code, _, err = ended(beginning, "the beginning of the month", "\n")
    assert code == 0, err
    _, out, err = ended(late, "the answer to orders that come too late")
    assert out.startswith("refused: The orders for"), out + err
