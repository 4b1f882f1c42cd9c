"""One more scenario is one more directory: played, offered, shown and refused like the shipped."""

import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from battles.contract.brief import Side, TroopKind
from battles.core.tables import TableError
from campaign.management.commands import demo
from campaign.models import Campaign
from campaign.rules.core.board import random_events
from campaign.rules.scenario_files import slugs
from campaign.rules.set_up import new_game
from campaign.rules.tables.book import book
from campaign.rules.tables.editions import own_edition, shipped_edition
from campaign.rules.tables.scenario_loader import scenarios
from campaign.services.turns import advance
from campaign.simulations.campaign_runs import play_campaign, simulate
from campaign.staff.plans import caution, plans, plans_of
from tests.scenarios.conftest import BAKER

SLUG = BAKER.name
PRODUCT = ("accounts", "api", "battles", "campaign", "ops", "sirdar")


def test_the_staff_plays_it_to_its_end(folder: Path) -> None:
    runs = list(simulate(SLUG, range(1, 7), seed=3))
    assert [run.error for run in runs] == [""] * 6
    assert all(run.result is not None and run.months <= 4 for run in runs)
    assert {run.result.clause for run in runs if run.result} & {"2.9"}


def test_it_comes_after_the_shipped_ones_which_stay_as_they_are(folder: Path) -> None:
    assert [one.slug for one in scenarios()][2] == SLUG
    assert len(scenarios()) == 6
    assert "events_egyptian_baker" in book().names


def test_its_events_and_counters_are_those_of_its_file(folder: Path) -> None:
    state = new_game(SLUG)
    titles = {result: row.title for result, row in random_events(state, Side.EGYPTIAN).items()}
    assert (titles[11], titles[31]) == ("Mutiny over pay", "Marines land")
    assert state.pool[TroopKind.SPEARS] == 30 - 8
    assert state.pool[TroopKind.CAVALRY] == 0
    assert plans_of(state).objectives == ("Tokar",)


def test_the_commands_and_pages_offer_it(folder: Path, db: None, client: Client) -> None:
    out = io.StringIO()
    call_command("newcampaign", SLUG, stdout=out)
    campaign = Campaign.objects.get()
    assert campaign.title == "Baker at Tokar"
    campaign = advance.run_month(campaign.pk, until=campaign.month + 1)
    assert campaign.finished or campaign.month == campaign.first_month + 1
    page = client.get(reverse("rules")).content.decode()
    assert "Baker at Tokar" in page
    assert caution(SLUG) in page
    assert client.get(reverse("shipped-file", args=[SLUG])).status_code == 200


def test_the_demo_plays_what_the_scenarios_ask_for(folder: Path, db: None) -> None:
    (baker,) = [one for one in demo.demos() if one.slug == "baker-begins"]
    assert baker.is_open
    people = {name: User.objects.create_user(name) for name in demo.PEOPLE}
    campaign = demo.make_demo(baker, people)
    assert (campaign.month - campaign.first_month, campaign.finished) == (1, False)


def test_an_edition_may_bring_a_scenario_that_is_not_shipped() -> None:
    text = (BAKER / "scenario.toml").read_text(encoding="utf-8")
    table = (BAKER / "events_egyptian_baker.toml").read_text(encoding="utf-8")
    own = own_edition({SLUG: text, "events_egyptian_baker": table})
    assert own.scenario(SLUG).title == "Baker at Tokar"
    assert set(own.texts) == {*shipped_edition().texts, SLUG, "events_egyptian_baker"}
    assert own_edition(own.texts) is own
    state = new_game(SLUG, own)
    assert [aim.place for aim in plans_of(state).aim] == ["Tokar"]
    run = play_campaign(SLUG, 1, 1, edition=own.digest)
    assert run.result is not None


@pytest.mark.parametrize("slug", slugs())
def test_the_plans_of_every_shipped_scenario_can_be_read(slug: str) -> None:
    assert plans(slug).objectives


def changed(file: Path, wrong: str, right: str) -> None:
    said = file.read_text(encoding="utf-8")
    assert wrong in said
    file.write_text(said.replace(wrong, right, 1), encoding="utf-8")


def read_all() -> None:
    shipped_edition()
    for slug in slugs():
        plans(slug)
    demo.demos()


@pytest.mark.parametrize(
    ("file", "wrong", "right", "error"),
    [
        ("scenario.toml", 'slug = "baker-at-tokar"', 'slug = "baker"', 'write slug = "baker-at'),
        ("scenario.toml", "4-01", "4-13", "'1884-13' is not a month; write it like 1884-02"),
        ("scenario.toml", '"events_mahdist"', '"events_may"', "no event table 'events_may'; use"),
        ("scenario.toml", "spears = 30", "spears = 99", "more spears are drawn from than there"),
        ("scenario.toml", "spears = 30", "spears = -1", "at least 0"),
        ("scenario.toml", "spears = 30", "lions = 30", "'lions' is not known as `drawn`; use"),
        (
            "scenario.toml",
            'nearest = "Tokar"',
            'nearest = "Nowhere"',
            "There is no place “Nowhere”",
        ),
        ("scenario.toml", 'title = "Baker at Tokar"\n', "", "`title`"),
        ("events_egyptian_baker.toml", "high = 36", "high = 37", "no run of results"),
        ("events_egyptian_baker.toml", 'id = "events_egyptian_b', 'id = "events_b', "calls itself"),
        ("plans.toml", 'objectives = ["Tokar"]\n', "", "`objectives`"),
        ("plans.toml", 'theatre = "coast"', 'theatre = "sea"', "'sea' is not known as `theatre`"),
        ("plans.toml", 'place = "Tokar"', 'place = "Nowhere"', "There is no place “Nowhere”"),
        ("plans.toml", "open = true", 'since = "May"', "`since` is not known here"),
        ("demo.toml", "months = 1", "months = 100", "`months` must be at most 60"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name_its_line_and_what_to_write(
    folder: Path, file: str, wrong: str, right: str, error: str
) -> None:
    changed(folder / SLUG / file, wrong, right)
    with pytest.raises(TableError) as refused:
        read_all()
    assert re.match(rf"{SLUG}/{file}:\d+: .+; .+", str(refused.value))
    assert error in str(refused.value)
    lines = (folder / SLUG / file).read_text(encoding="utf-8").splitlines()
    assert 1 <= refused.value.line <= len(lines)


@pytest.mark.parametrize("file", ["scenario.toml", "plans.toml"])
def test_a_missing_file_is_named_with_what_to_do(folder: Path, file: str) -> None:
    (folder / SLUG / file).unlink()
    with pytest.raises(TableError, match=rf"{SLUG}/{file}:1: the scenario lacks this file; write"):
        read_all()


def test_a_file_that_is_no_text_is_named(folder: Path) -> None:
    (folder / SLUG / "plans.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(TableError, match=rf"{SLUG}/plans.toml:1: the file is not UTF-8; save it"):
        read_all()


def test_two_event_tables_of_one_id_are_refused(folder: Path) -> None:
    other = next(one for one in slugs() if one != SLUG)
    name = "events_egyptian_baker.toml"
    shutil.copy(folder / SLUG / name, folder / other / name)
    with pytest.raises(TableError, match=r"is the table 'events_egyptian_baker' too; give one"):
        read_all()


def test_no_scenario_is_named_in_the_python_of_the_product() -> None:
    listed = subprocess.run(
        ["git", "ls-files", *(f"{one}/**.py" for one in PRODUCT)],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    named = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, slugs()))})(?![\w-])")
    found = {
        name: named.findall(text)
        for name in listed
        if (file := Path(settings.BASE_DIR) / name).is_file()
        and named.search(text := file.read_text(encoding="utf-8"))
    }
    assert len(listed) > 100
    assert found == {}
