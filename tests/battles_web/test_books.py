"""Every book on its shelf: its pages, its battles turn by turn, its table kit and result."""

import pytest
from django.test import Client
from django.urls import reverse

from battles import replay, serialization, services
from battles.contract import Fate, Side, conserve
from battles.contract import book as registry
from battles.contract.book import Ended, UnitRemainder, find_book, words_of
from battles.models import Battle
from battles.replay import Picture
from battles.services import BattleRequest, record
from battles.services.record import report_from_table
from battles.web import rules_pages
from tests.battles_web.field import KEY, small_brief
from tests.people import People

BOOKS = registry.books()


@pytest.fixture(params=BOOKS)
def book(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def fought(db: None, book: str) -> Battle:
    return record("person:0", small_brief(), book, KEY, battle_request=BattleRequest(True))


@pytest.fixture
def told(fought: Battle) -> tuple[Picture, ...]:
    return replay.pictures(fought)


def test_every_entry_point_names_the_book_of_its_slug(book: str) -> None:
    assert registry.book(book).slug == book
    assert registry.book(book).title
    assert [one.slug for one in registry.every_book()] == list(BOOKS)


def test_a_book_that_is_not_installed_has_plain_words() -> None:
    assert find_book("hussars") is None
    assert words_of("hussars").side(Side.MAHDIST) == "Mahdist"


def test_its_tables_trace_and_play_sheet_can_be_read(book: str) -> None:
    assert rules_pages.tables(book)
    assert rules_pages.rulings(book)
    clauses = rules_pages.traced_clauses(book)
    assert any(one.tests for one in clauses)
    for section in registry.book(book).pages.play_sheet():
        assert section.title
        for extract in section.tables:
            assert rules_pages.extract(book, extract.name, extract.columns).rows


def test_its_rules_are_pages(client: Client, book: str) -> None:
    for name in ("battle-rules", "battle-trace"):
        page = client.get(reverse(name, args=[book]))
        assert page.status_code == 200
        assert registry.book(book).title.encode() in page.content


def test_every_throw_of_a_battle_stands_behind_one_sentence(
    fought: Battle, told: tuple[Picture, ...]
) -> None:
    entries = fought.entries.all()
    thrown = sum(len(serialization.rolls_of(entry)) for entry in entries)
    assert sum(len(one.rolls) for picture in told for one in picture.sentences) == thrown


def test_the_roll_keeps_everybody_and_the_field_who_is_on_it(told: tuple[Picture, ...]) -> None:
    first = {line.number for line in told[0].roll}
    for picture in told:
        roll = {line.number for line in picture.roll}
        assert first <= roll
        pieces = picture.scene.pieces
        assert {piece.number for piece in pieces} <= roll


def test_every_turn_is_a_page_with_its_field(
    client: Client, fought: Battle, told: tuple[Picture, ...]
) -> None:
    for turn in (1, len(told) - 1):
        page = client.get(reverse("battle-turn", args=[fought.uuid, turn])).content.decode()
        assert told[turn].title in page
        assert 'role="img"' in page
        assert page.count("<title>") > 1


def test_a_battle_fought_again_is_the_same(client: Client, fought: Battle) -> None:
    page = client.get(reverse("battle", args=[fought.uuid]) + "?recompute=1").content.decode()
    assert "Fought again just now" in page


def test_what_a_battle_has_used_is_counted(client: Client, fought: Battle) -> None:
    page = client.get(reverse("trace-of-battle", args=[fought.uuid])).content.decode()
    assert " times</span>" in page or " time</span>" in page


def test_its_kit_has_field_rosters_and_play_sheet(client: Client, fought: Battle) -> None:
    page = client.get(reverse("battle-kit", args=[fought.uuid])).content.decode()
    assert "with north at the top" in page
    assert registry.book(fought.book).words.shaken.capitalize() in page
    for section in registry.book(fought.book).pages.play_sheet():
        assert section.title in page


@pytest.mark.django_db
def test_nothing_lost_at_the_table_is_nothing_lost_in_the_campaign(book: str) -> None:
    brief = small_brief()
    roll = replay.laid_out(brief, book).roll
    unhurt = {line.number: UnitRemainder(line.came) for line in roll}
    report = report_from_table(brief, book, unhurt, Ended(Side.EGYPTIAN, "It was enough.", 4))
    assert set(report.fates.values()) == {Fate.GOOD}
    assert (report.winner, report.ending, report.turns) == (Side.EGYPTIAN, "It was enough.", 4)


@pytest.mark.django_db
def test_whoever_is_lost_at_the_table_is_lost_in_the_campaign(book: str) -> None:
    brief = small_brief()
    roll = replay.laid_out(brief, book).roll
    left = {
        line.number: UnitRemainder(line.came if line.side is Side.EGYPTIAN else 0) for line in roll
    }
    report = report_from_table(brief, book, left, Ended(Side.EGYPTIAN, "They fell.", 9))
    conserve(brief, report)
    gone = {number for number, fate in report.fates.items() if fate is Fate.ELIMINATED}
    assert gone == {troop.id for troop in brief.party(Side.MAHDIST).troops}


@pytest.mark.django_db
def test_whoever_was_driven_off_is_disrupted(book: str) -> None:
    brief = small_brief()
    roll = replay.laid_out(brief, book).roll
    left = {
        line.number: UnitRemainder(line.came, shaken=line.side is Side.MAHDIST) for line in roll
    }
    report = report_from_table(brief, book, left, Ended(Side.EGYPTIAN, "They ran.", 9))
    mahdists = {report.fates[troop.id] for troop in brief.party(Side.MAHDIST).troops}
    assert mahdists == {Fate.DISRUPTED}


def test_a_result_is_taken_on_the_telephone(people: People, book: str) -> None:
    battle = services.start(people.umpire, small_brief(), book, Battle.Way.TABLETOP)
    client = Client()
    client.force_login(people.umpire)
    address = reverse("battle-table", args=[battle.uuid])
    page = client.get(address).content.decode()
    words = registry.book(book).words
    assert words.shaken in page
    assert words.side(Side.MAHDIST) in page
    roll = replay.laid_out(serialization.brief_of(battle), book).roll
    sent = {f"left-{line.number}": str(line.came) for line in roll}
    sent |= {"winner": "egyptian", "turns": "6", "ending": "They went home.", "confirm": "1"}
    answer = client.post(address, sent)
    assert answer["Location"] == reverse("battle", args=[battle.uuid])
    battle.refresh_from_db()
    assert (battle.winner, battle.turns, battle.ending) == ("egyptian", 6, "They went home.")


def test_a_new_battle_is_by_the_book_that_was_chosen(people: People, book: str) -> None:
    client = Client()
    client.force_login(people.umpire)
    assert registry.book(book).title.encode() in client.get(reverse("new-battle")).content.replace(
        b"&#x27;", b"'"
    )
    client.post(reverse("new-battle"), {"battle": "kirbekan", "book": book, "way": "tabletop"})
    assert Battle.objects.get().book == book
