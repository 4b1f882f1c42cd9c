"""The command line: what it does, and one clear line for everything that cannot be."""

import io
import json
import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from battles.core.decoding import decode, encode
from campaign.access import selectors
from campaign.management.commands import demo
from campaign.models import Campaign, Job
from campaign.rules.core.state import State
from campaign.rules.tables.editions import shipped_edition
from campaign.services.journal import audit
from campaign.services.turns import advance_jobs
from tests.conformance import game
from tests.people import People, sit_down
from tests.positions import SIEGE

pytestmark = pytest.mark.django_db


def said(*words: str) -> str:
    """Return the output of the command."""
    out = io.StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def refusal(*words: str) -> str:
    """Return why the command refuses, in one line."""
    with pytest.raises(CommandError) as refused:
        said(*words)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_newcampaign_begins_a_campaign_with_its_people(people: People) -> None:
    told = said("newcampaign", "siege-of-khartoum", "--title", "Gordon", "--umpire", "umpire")
    campaign = Campaign.objects.get()
    assert (campaign.slug, campaign.title, campaign.umpire) == ("gordon", "Gordon", people.umpire)
    assert campaign.public_anchor in told
    assert "no umpire" not in told


def test_newcampaign_finds_a_short_name_that_is_free(db: None) -> None:
    for _ in range(3):
        said("newcampaign", "siege-of-khartoum")
    slugs = set(Campaign.objects.values_list("slug", flat=True))
    assert slugs == {"the-siege-of-khartoum", "the-siege-of-khartoum-2", "the-siege-of-khartoum-3"}


def test_newcampaign_is_played_by_the_tables_given(db: None, tmp_path: Path) -> None:
    file = tmp_path / "terrain.toml"
    file.write_text(shipped_edition().texts["terrain"].replace("cost = 3", "cost = 4"))
    said("newcampaign", "siege-of-khartoum", "--tables", str(file))
    campaign = Campaign.objects.get()
    assert campaign.tables is not None
    assert campaign.tables.digest != shipped_edition().digest
    assert "cannot be read" in refusal("newcampaign", "siege-of-khartoum", "--tables", "nowhere")


def test_newcampaign_names_the_scenarios_there_are(db: None) -> None:
    told = refusal("newcampaign", "omdurman")
    assert "siege-of-khartoum" in told
    assert "relief-of-el-obeid" in told


def test_newcampaign_refuses_a_title_that_no_campaign_file_can_carry(db: None) -> None:
    """Its file could not be read, and the campaign not be restored."""
    told = refusal("newcampaign", "siege-of-khartoum", "--title", "K" * 101)
    assert "A title has 1 to 100 letters." in told
    assert not Campaign.objects.exists()


@pytest.mark.parametrize("words", [("rules", "x", "leave"), ("newcampaign", "x", "--level", "y")])
def test_a_wrong_choice_is_answered_with_the_words_to_choose_from(words: tuple[str, ...]) -> None:
    assert re.search(r"choose from '\w+', '\w+', '\w+'\)", refusal(*words))


def test_newcampaign_refuses_what_it_cannot_use(people: People) -> None:
    sit_down(people)
    assert "no user 'gordon'" in refusal("newcampaign", "siege-of-khartoum", "--umpire", "gordon")
    assert "already" in refusal(
        "newcampaign", "siege-of-khartoum", "--slug", "the-siege-of-khartoum"
    )
    assert "small letters" in refusal("newcampaign", "siege-of-khartoum", "--slug", "No Slug")
    assert Campaign.objects.count() == 1


@pytest.mark.parametrize("command", ["advance", "replay", "verify_dice", "export"])
def test_an_unknown_campaign_is_answered_with_those_there_are(people: People, command: str) -> None:
    assert "newcampaign" in refusal(command, "omdurman")
    sit_down(people)
    assert "there are the-siege-of-khartoum." in refusal(command, "omdurman")


def test_advance_plays_a_month_and_tells_of_it(campaign: Campaign) -> None:
    told = said("advance", campaign.slug)
    campaign.refresh_from_db()
    assert campaign.month == campaign.first_month + 1
    assert told.startswith("February 1884:")
    assert told.rstrip().endswith("March 1884 has begun.")
    assert Job.objects.get().status == Job.Status.SUCCEEDED


def test_advance_refuses_what_cannot_be(campaign: Campaign) -> None:
    assert "1 to 60" in refusal("advance", campaign.slug, "--months", "0")
    advance_jobs.book_advance(campaign.pk, months=4)
    assert "already" in refusal("advance", campaign.slug)
    assert campaign.entries.count() == 0


def test_advance_says_that_the_campaign_is_over(over: Campaign) -> None:
    assert "Khartoum has fallen" in refusal("advance", over.slug)


def test_replay_and_verify_dice_tell_what_they_have_checked(played: Campaign) -> None:
    checked = said("replay", played.slug, "--check")
    assert f"{played.entries.count()} entries on 1 branch" in checked
    proof = audit.verify_dice(played)
    assert f"{proof.dice} dice" in said("verify_dice", played.slug)


def test_replay_tells_the_campaign_again(played: Campaign) -> None:
    told = said("replay", played.slug)
    assert [line for line in told.splitlines() if line and not line.startswith(" ")] == [
        "Set-up",
        "February 1884",
        "March 1884",
        "April 1884",
    ]


def test_export_and_import_carry_a_campaign(played: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "war.zip"
    assert "branch with dice of another chain" in said("export", played.slug, str(file))
    assert list(tmp_path.iterdir()) == [file]
    told = said("import", str(file), "--slug", "again", "--umpire", "umpire")
    copy = Campaign.objects.get(slug="again")
    assert f"{played.entries.count()} entries" in told
    assert copy.umpire is not None
    assert "It is on branch 1" in told


def test_an_export_is_named_as_by_the_pages(
    played: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said("export", played.slug)
    assert [path.name for path in tmp_path.iterdir()] == [f"{played.slug}.sirdar"]


def test_export_with_its_secret_is_for_its_owner_alone(played: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "war.zip"
    said("export", played.slug, str(file), "--with-secret")
    assert file.stat().st_mode & 0o777 == 0o600


def test_export_overwrites_nothing_unasked(played: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "war.zip"
    file.write_text("mine")
    assert "--force" in refusal("export", played.slug, str(file))
    assert file.read_text() == "mine"
    said("export", played.slug, str(file), "--force")
    assert file.read_bytes().startswith(b"PK")


def test_export_and_import_refuse_what_cannot_be(played: Campaign, tmp_path: Path) -> None:
    assert "cannot be written" in refusal("export", played.slug, str(tmp_path / "no" / "war.zip"))
    assert "cannot be read" in refusal("import", str(tmp_path / "missing.zip"))
    (tmp_path / "text").write_text("no campaign")
    assert "no campaign file" in refusal("import", str(tmp_path / "text"))
    said("export", played.slug, str(tmp_path / "war.zip"))
    assert "already; choose another" in refusal(
        "import", str(tmp_path / "war.zip"), "--slug", played.slug
    )
    assert Campaign.objects.count() == 1


def test_simulate_prints_endings_lengths_and_losses(tmp_path: Path) -> None:
    file = tmp_path / "runs.json"
    words = ("simulate", "relief-of-el-obeid", "--campaigns", "1", "--json", str(file))
    told = said(*words)
    assert said(*words) == told
    written = json.loads(file.read_text())
    ending = written["summary"]["endings"][0]
    assert f"{ending['clause']} " in told
    assert "100.0%" in told
    assert written["campaigns"][0]["months"] == written["summary"]["months"]["longest"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("omdurman",), "no scenario 'omdurman'"),
        (("siege-of-khartoum", "--campaigns", "0"), "--campaigns 0"),
        (("siege-of-khartoum", "--workers", "-1"), "--workers -1"),
    ],
)
def test_simulate_refuses_what_cannot_be(words: tuple[str, ...], told: str) -> None:
    assert told in refusal("simulate", *words)


@pytest.mark.usefixtures("played_before")
def test_the_demo_is_made_once_and_tells_its_passwords(
    db: None, tmp_path: Path, settings: LazySettings
) -> None:
    settings.DATA = tmp_path
    first = said("demo")
    campaign = Campaign.objects.get(slug=demo.demos()[0].slug)
    assert campaign.public
    assert campaign.month == campaign.first_month + demo.demos()[0].months
    seats = campaign.seats.exclude(user=None)
    assert set(seats.values_list("user__username", flat=True)) == set(demo.PEOPLE)
    assert said("demo") == first
    passwords = json.loads((tmp_path / "demo.json").read_text())
    assert (tmp_path / "demo.json").stat().st_mode & 0o777 == 0o600
    for name, password in passwords.items():
        assert User.objects.get(username=name).check_password(password)
        assert password in first


@pytest.mark.usefixtures("played_before")
def test_the_demo_never_changes_a_password_that_is_not_its_own(
    db: None, tmp_path: Path, settings: LazySettings
) -> None:
    settings.DATA = tmp_path
    User.objects.create_user("umpire", password="my own")
    told = said("demo")
    assert User.objects.get(username="umpire").check_password("my own")
    assert "umpire     (password as you set it)" in told


def test_a_damaged_file_of_demo_passwords_is_one_clear_line(
    db: None, tmp_path: Path, settings: LazySettings
) -> None:
    settings.DATA = tmp_path
    (tmp_path / "demo.json").write_text("{")
    assert "demo.json is damaged" in refusal("demo")


def test_import_takes_in_what_a_crash_of_random_play_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game, "FOLDER", tmp_path)
    broken = game.Game(SIEGE, 81)
    broken.play_out(most=60)
    monkeypatch.setattr(game, "check_action", lambda *_: 1 / 0)
    with pytest.raises(game.Crashed):
        broken.step()
    (file,) = tmp_path.iterdir()
    told = said("import", str(file), "--slug", "crash", "--public")
    assert "Crash of siege-of-khartoum, seed 81, action 60" in told
    assert "division by zero" in told
    campaign = Campaign.objects.get(slug="crash")
    assert encode(selectors.state_now(campaign)) == encode(
        decode(bytes(game.load(file).state), State)
    )
    assert Client().get(reverse("campaign", args=["crash"])).status_code == 200


def test_import_refuses_a_crash_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file.json").write_text('{"scenario": "siege-of-khartoum"}')
    assert "no file that a crash" in refusal("import", str(tmp_path / "file.json"))
