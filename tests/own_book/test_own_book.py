"""A club's book goes everywhere that ours go; so does one that is an engine and nothing else."""

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from api.streams.battle_stream import BattleReader
from battles import replay, serialization, services
from battles.contract import Fate, Side
from battles.contract.book import Ended, UnitRemainder, book, books, every_book
from battles.contract.engine import fight
from battles.contract.generic_book import generic_book
from battles.core.dice import ChainedDice, derive_key
from battles.drawing import field
from battles.models import Battle
from battles.services import BattleRequest, record
from battles.services.record import report_from_table
from campaign.rules.core.actions import Reported
from campaign.rules.core.state import TABLETOP
from campaign.serialization import action_of
from campaign.services.comparisons import ComparisonTerms, request_comparison, run_comparison
from campaign.services.job_lease import Claim
from campaign.services.journal.audit import replay_check
from campaign.simulations.battle_comparison import bout
from tests.api.test_fights import JSON, acting, at
from tests.battles_web.field import KEY, small_brief
from tests.battles_web.fights import asked, begun, player, step
from tests.battles_web.forms import forms_of
from tests.campaign.battlefield import before_battle
from tests.campaign.test_fought_here import row
from tests.installed import install
from tests.own_book.book import BOOK
from tests.own_book.rules import SLUG, OwnEngine
from tests.people import People, logged_in


class BareEngine(OwnEngine):
    """The same rules without a word of prose and without a drawing."""

    slug, title = "bare", "Bare Rules"

    def report(self, state: Any) -> Any:
        found = super().report(state)
        return type(found)(
            found.battle, self.slug, found.fates, found.winner, found.ending, found.turns
        )


BARE = generic_book(BareEngine())
BOTH = (SLUG, "bare")


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    where = {SLUG: "tests.own_book.book:BOOK", "bare": "tests.own_book.test_own_book:BARE"}
    install(monkeypatch, **where)


def test_it_is_among_the_books_by_its_entry_point() -> None:
    assert books() == ("redcoats", "restless", "fuzzy-wuzzy", "bare", SLUG)
    assert book(SLUG) is BOOK
    assert every_book()[-2:] == (BARE, BOOK)


@pytest.mark.parametrize("slug", BOTH)
def test_commander_fights_commander_by_command(
    slug: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("fight", Path("battles/briefs/kirbekan.toml"), "--book", slug)
    told = capsys.readouterr().out
    assert "Turn 1" in told
    assert "harge" in told
    call_command("fight", Path("battles/briefs/kirbekan.toml"), "--book", slug, "--battles", "4")
    assert "4 battles, seed 1" in capsys.readouterr().out


@pytest.mark.parametrize("slug", BOTH)
def test_the_same_dice_give_the_same_battle(slug: str) -> None:
    engine, brief = book(slug).engine, small_brief()
    once, again = (fight(engine, brief, ChainedDice(derive_key(b"own", 1))) for _ in range(2))
    assert once == again
    assert Fate.ELIMINATED in once.fates.values() or Fate.DISRUPTED in once.fates.values()


@pytest.mark.parametrize("slug", BOTH)
@pytest.mark.django_db
def test_a_battle_that_was_fought_is_drawn_and_told_turn_by_turn(client: Client, slug: str) -> None:
    battle = record("person:0", small_brief(), slug, KEY, battle_request=BattleRequest(True))
    pictures = replay.pictures(battle)
    assert [one.title for one in pictures[:2]] == ["The sides are drawn up", "Turn 1"]
    assert any(one.sentences for one in pictures)
    assert all(one.roll for one in pictures)
    assert field(pictures[0].scene, "The field").startswith("<svg")
    for turn in range(len(pictures)):
        address = reverse("battle-turn", args=[battle.uuid, turn]) if turn else None
        page = client.get(address or reverse("battle", args=[battle.uuid]))
        assert page.status_code == 200
        assert b"<svg" in page.content
    services.verify_battle(battle)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", BOTH)
def test_its_rules_are_pages(client: Client, slug: str) -> None:
    for name in ("battle-rules", "battle-trace"):
        page = client.get(reverse(name, args=[slug]))
        assert page.status_code == 200
        assert book(slug).title.encode() in page.content
    told = client.get(reverse("api:book", args=[slug])).json()
    assert (told["slug"], told["title"]) == (slug, book(slug).title)


@pytest.mark.django_db
def test_its_tables_rulings_and_trace_are_printed(client: Client) -> None:
    assert b"What hits" in client.get(reverse("battle-rules", args=[SLUG])).content
    assert b"both strike at once" in client.get(reverse("battle-trace", args=[SLUG])).content


@pytest.mark.parametrize("slug", BOTH)
def test_it_is_fought_in_the_browser_to_its_end(people: People, slug: str) -> None:
    battle = begun(people, slug)
    for number in range(40):
        side = asked(battle)
        if side is None:
            break
        client = logged_in(player(people, side))
        page = client.get(reverse("fight", args=[battle.uuid]))
        assert b"<svg" in page.content
        forms = forms_of(page.content.decode(), reverse("fight-act", args=[battle.uuid]))
        ways = [form.sent(one) for form in forms for one in form.buttons if one[0] == "choice"]
        ways += [form.sent(choice=one) for form in forms for one in form.lists.get("choice", ())]
        done = client.post(forms[0].address, ways[-1 if number % 2 else 0])
        assert done.status_code == 302, done.content.decode()
    fought = Battle.objects.get(pk=battle.pk)
    assert fought.reported
    assert b"<svg" in logged_in(people.egyptian).get(reverse("battle", args=[battle.uuid])).content
    services.verify_battle(fought)


def test_an_umpire_sets_a_unit_right_and_goes_back(people: People) -> None:
    battle = step(people, begun(people, SLUG))
    unit = next(iter(serialization.state_of(battle).units))
    client = logged_in(people.umpire)
    sent = {"do": "correct", "unit": unit, "left": "1", "x": "10", "reason": "it was miscounted"}
    done = client.post(reverse("fight-umpire", args=[battle.uuid]), sent)
    assert done.status_code == 302
    assert serialization.state_of(Battle.objects.get(pk=battle.pk)).units[unit].strength == 1
    page = client.get(reverse("fight", args=[battle.uuid])).content.decode()
    assert "now has a strength of 1" in page
    services.rewind(battle, people.umpire, 1, "again")


def test_what_cannot_be_corrected_is_said(people: People) -> None:
    battle = step(people, begun(people, "bare"))
    sent = {"do": "correct", "unit": "1", "left": "1", "reason": "it was miscounted"}
    done = logged_in(people.umpire).post(reverse("fight-umpire", args=[battle.uuid]), sent)
    assert done.status_code == 400
    assert "go back to an earlier entry" in done.content.decode()


@pytest.mark.parametrize("slug", BOTH)
def test_it_is_fought_by_rest(people: People, slug: str) -> None:
    battle = begun(people, slug)
    while asked(battle) is not None:
        client = acting(people, battle)
        told = client.get(at(battle))
        document = told.json()
        assert document["state"]["units"]
        assert document["options"]["legal_actions"]
        done = client.post(
            at(battle, "actions/"),
            {"action": document["options"]["legal_actions"][-1]["action"]},
            content_type=JSON,
            headers={"If-Match": told["ETag"]},
        )
        assert done.status_code == 200, done.json()
    client = logged_in(people.egyptian)
    log = client.get(at(battle, "log/")).json()
    assert any(entry["sentences"] for entry in log["entries"])
    told = client.get(f"/api/v1/battles/{battle.uuid}/").json()
    assert told["winner"] in ("egyptian", "mahdist", None)


@pytest.mark.django_db
def test_a_real_table_is_counted_by_it(people: People) -> None:
    brief = small_brief()
    pictured = replay.laid_out(brief, SLUG)
    left = {line.number: UnitRemainder(line.came) for line in pictured.roll}
    first = next(line.number for line in pictured.roll if line.side is Side.MAHDIST)
    left[first] = UnitRemainder(0)
    report = report_from_table(brief, SLUG, left, Ended(Side.EGYPTIAN, "They fled.", 3))
    assert report.fates[first] is Fate.ELIMINATED
    assert (report.winner, report.turns) == (Side.EGYPTIAN, 3)


@pytest.mark.parametrize("slug", BOTH)
def test_a_battle_of_a_campaign_comes_back_with_its_losses(
    people: People, slug: str, django_capture_on_commit_callbacks: Any
) -> None:
    campaign = before_battle(people, TABLETOP)
    battle = row(campaign)
    with django_capture_on_commit_callbacks(execute=True):
        services.take_up(battle, people.egyptian, slug)
        battle.refresh_from_db()
        for _ in range(2):
            if asked(battle) is not None:
                step(people, battle)
        services.finish(battle, people.umpire)
    campaign.refresh_from_db()
    reported = action_of(campaign.entries.get(actor=f"book:{slug}"))
    assert isinstance(reported, Reported)
    assert set(reported.report.fates.values()) - {Fate.GOOD}
    replay_check(campaign)


def test_without_the_book_its_battles_and_comparisons_are_shown_in_plain_words(
    people: People, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A club has removed its book, or an upgrade has broken it."""
    over = record("person:0", small_brief(), SLUG, KEY, battle_request=BattleRequest(public=True))
    fought = begun(people, SLUG)
    terms = ComparisonTerms(small_brief(), 2, offer="abu-klea")
    comparison = request_comparison(people.umpire, terms)
    while run_comparison(comparison.uuid) is Claim.MORE:
        pass
    install(monkeypatch)
    assert SLUG not in books()
    client.force_login(people.egyptian)

    def shown(address: str, status: int = 200) -> str:
        answer = client.get(address)
        assert answer.status_code == status, address
        return str(answer.content.decode())

    assert "The Anglo-Egyptian side lost" not in shown(f"/battles/{over.uuid}/")
    for address in (f"/battles/{fought.uuid}/fight/", f"/api/v1/battles/{fought.uuid}/fight/"):
        assert f"its book “{SLUG}” is not installed" in shown(address, 404)
    follower = SimpleNamespace(who=SimpleNamespace(user=people.egyptian.pk), place="")
    assert BattleReader(Battle.objects.get(pk=fought.pk)).news(follower) is None  # type: ignore[arg-type]
    pressed = client.post(f"/battles/{fought.uuid}/fight/act/", {"at": "0.1", "staff": "1"})
    assert pressed.status_code == 404
    with pytest.raises(services.Refused, match="is not installed"):
        services.finish(fought, people.umpire)
    for address in ("/battles/compared/", f"/battles/compared/{comparison.uuid}/"):
        assert SLUG in shown(address)
    shown(f"/api/v1/simulations/{comparison.uuid}/")
    assert "There is no book" in bout(small_brief(), SLUG, 1, 1).fault


def test_without_the_book_of_one_battle_the_letters_about_others_go_out(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(people, SLUG)
    other = begun(people, "redcoats")
    install(monkeypatch)
    now = timezone.now()
    span = services.Span(now - timedelta(hours=1), now, now)
    notices = list(services.due_notices(span))
    assert {notice.command.battle_id for notice in notices} == {other.pk}


def test_without_the_book_of_a_battle_its_player_can_delete_their_account(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = begun(people, SLUG)
    install(monkeypatch)
    people.egyptian.delete()
    assert battle.commands.get(side=Side.EGYPTIAN).computer
