"""The battles' pages, as Django answers them."""

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser

import msgspec
import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from battles import journal, replay, serialization, services
from battles.contract import Fate, Party, Report, Side
from battles.contract.brief_files import find_ready_battle, ready_battles
from battles.core.decoding import encode
from battles.models import Battle
from battles.services import BattleRequest, record
from battles.templatetags.battles import clause_anchor
from battles.web.battle import BattlePage
from battles.web.battle_cards import card_of
from battles.web.fight_view import SideTally
from tests.battles_web.field import BOOK, KEY, small_brief
from tests.battles_web.fights import begun
from tests.people import People, logged_in

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source"}


class Reader(HTMLParser):
    """The parts of a page: every start tag with its attributes, and the tags left open."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    return reader


def got(client: Client, name: str, *args: object) -> str:
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def fred(client: Client, people: People) -> Client:
    client.force_login(people.stranger)
    return client


@pytest.fixture
def waiting(people: People) -> Battle:
    """A battle of the stranger's own that waits to be fought at a table."""
    return services.start(people.stranger, small_brief(), BOOK, Battle.Way.TABLETOP)


def addresses(battle: Battle) -> Iterator[str]:
    number = battle.uuid
    yield reverse("battle", args=[number])
    yield reverse("battle-turn", args=[number, 1])
    yield reverse("battle-turn", args=[number, battle.turns])
    yield reverse("battle-kit", args=[number])
    yield reverse("trace-of-battle", args=[number])
    yield reverse("battles")
    yield reverse("battle-rules", args=[BOOK])
    yield reverse("battle-trace", args=[BOOK])


def test_no_page_has_script_or_style_within_it(client: Client, battle: Battle) -> None:
    for address in addresses(battle):
        page = client.get(address).content.decode()
        reader = read(page)
        assert not [one for one in reader.tags if "style" in one[1] or one[0] == "style"]
        assert not [one for one in reader.tags if any(name.startswith("on") for name in one[1])]
        assert not re.search(r"<script(?![^>]*\bsrc=)", page)


def test_no_page_gives_an_id_twice(client: Client, battle: Battle) -> None:
    for address in addresses(battle):
        reader = read(client.get(address).content.decode())
        ids = [attrs["id"] for _, attrs in reader.tags if "id" in attrs]
        assert len(ids) == len(set(ids))


def test_the_page_tells_title_outcome_and_turns(client: Client, battle: Battle) -> None:
    page = got(client, "battle", battle.uuid)
    assert "The battle of Nowhere" in page
    assert "February 1884" in page
    assert f"after {battle.turns} turns" in page
    assert "The sides are drawn up" in page
    assert "The casualty return" in page
    assert bytes(battle.key).hex() in page


def test_stands_that_a_weakened_unit_never_had_are_not_lost(db: None) -> None:
    """Disrupted units come with half their stands in Restless Natives (Shekan)."""
    shekan = find_ready_battle("shekan")
    assert shekan is not None
    battle = services.record("person:0", shekan.brief, "restless", KEY)
    began = serialization.beginning_of(battle).began
    page = BattlePage(battle, 0)
    assert {army.side: army.came for army in page.return_of} == began
    for army in page.return_of:
        assert army.came - army.lost == sum(line.left for line in army.lines)


def test_stands_that_go_to_the_rear_came_once_and_are_not_lost(db: None) -> None:
    """Stands with casualties part from their unit in 'Eres to You Fuzzy Wuzzy."""
    chosen = find_ready_battle("the-mahdists-attack-a-fortified-village")
    assert chosen is not None
    battle = services.record("person:0", chosen.brief, "fuzzy-wuzzy", KEY)
    began = serialization.beginning_of(battle).units.values()
    returned = BattlePage(battle, 0).return_of
    assert sum(len(army.lines) for army in returned) > len(began)
    for army in returned:
        assert army.came == sum(unit.stands for unit in began if unit.side is army.side)
        assert army.came - army.lost == sum(line.left for line in army.lines)


def test_units_that_have_left_the_field_are_not_called_lost(client: Client, battle: Battle) -> None:
    """A side that lost none of its figures may have had units that left."""
    page = BattlePage(battle, 0)
    away = {army.title: army.units_lost for army in page.return_of if army.units_lost}
    told = [said for said in page.why if "of its units" in said and "lost or ha" in said]
    assert away
    assert len(told) == len(away)
    assert all(said in got(client, "battle", battle.uuid) for said in told)


def test_a_battle_that_nobody_has_won_counts_the_units_by_which_that_is_judged(
    client: Client, battle: Battle
) -> None:
    """The book's units are battalions; the campaign's, of which half is lost, are others."""
    good = dict.fromkeys((3, 4, 13, 14), Fate.GOOD)
    fates = good | {1: Fate.DISRUPTED, 2: Fate.ELIMINATED} | dict.fromkeys((11, 12), Fate.DISRUPTED)
    report = encode(Report(small_brief().id, BOOK, fates, ending="It grew dark."))
    Battle.objects.filter(pk=battle.pk).update(report=journal.pack(report), winner="")
    told = got(client, "battle", battle.uuid)
    assert "2 of 3 on the Anglo-Egyptian side and 2 of 4 on the Dervish side" in told


def test_every_turn_is_a_link_so_that_no_script_is_needed(client: Client, battle: Battle) -> None:
    reader = read(got(client, "battle", battle.uuid))
    links = {attrs.get("href") for tag, attrs in reader.tags if tag == "a"}
    turns = [reverse("battle-turn", args=[battle.uuid, n]) for n in range(1, battle.turns + 1)]
    assert set(turns) <= links


def test_the_log_of_a_turn_is_told_beside_its_field(client: Client, battle: Battle) -> None:
    for picture in replay.pictures(battle)[1:4]:
        page = got(client, "battle-turn", battle.uuid, picture.turn)
        for sentence in picture.sentences:
            assert sentence.text.replace("“", "&#x201C;") in page or sentence.text in page
        for piece in picture.scene.pieces:
            assert f'id="piece-{piece.number}"' in page


def test_the_field_stands_in_a_table_too(client: Client, battle: Battle) -> None:
    page = got(client, "battle-turn", battle.uuid, 1)
    for line in replay.pictures(battle)[1].roll:
        assert f'<td class="number">{line.number}</td>' in page
        assert line.where in page


@pytest.mark.parametrize("more", [1, 1000])
def test_there_is_no_turn_after_the_last(client: Client, battle: Battle, more: int) -> None:
    answer = client.get(reverse("battle-turn", args=[battle.uuid, battle.turns + more]))
    assert answer.status_code == 404
    assert f"it ended with turn {battle.turns}" in answer.content.decode()


def test_what_goes_back_names_every_unit_of_the_brief(client: Client, battle: Battle) -> None:
    page = got(client, "battle", battle.uuid)
    report = serialization.report_of(battle)
    assert report is not None
    assert {str(fate) for fate in report.fates.values()} <= set(
        re.findall(r"<td[^>]*>([\w ]+)", page)
    )
    assert "Sussex, British infantry 3V" in page


def test_the_battle_is_fought_again_on_demand(client: Client, battle: Battle) -> None:
    page = client.get(reverse("battle", args=[battle.uuid]), {"recompute": "1"}).content.decode()
    assert f"{battle.entries.count()} entries, all as recorded" in page


def test_a_forged_journal_is_owned_up_to(client: Client, battle: Battle) -> None:
    battle.entries.filter(number=2).update(hash="0" * 64)
    page = client.get(reverse("battle", args=[battle.uuid]), {"recompute": "1"}).content.decode()
    assert "Entry 2, in turn" in page
    assert "gives another result" in page


def test_a_damaged_battle_is_spoken_of_in_words(client: Client, battle: Battle) -> None:
    Battle.objects.filter(pk=battle.pk).update(brief=b"{}")
    answer = client.get(reverse("battle", args=[battle.uuid]))
    assert answer.status_code == 500
    assert "cannot be read" in answer.content.decode()


def test_a_battle_is_started_and_fought_at_once(fred: Client, people: People) -> None:
    chosen = ready_battles()[-1]
    answer = fred.post(
        reverse("new-battle"), {"battle": chosen.slug, "book": BOOK, "way": "commanders"}
    )
    battle = Battle.objects.get()
    assert answer["Location"] == reverse("battle", args=[battle.uuid])
    assert battle.title == chosen.brief.title
    assert battle.asked_by == people.stranger
    assert battle.reported
    assert not battle.public


def test_two_battles_of_one_kind_have_dice_of_their_own(fred: Client) -> None:
    for _ in range(2):
        fred.post(reverse("new-battle"), {"battle": "kirbekan", "book": BOOK, "way": "commanders"})
    one, other = Battle.objects.all()
    assert bytes(one.key) != bytes(other.key)


def test_nobody_starts_a_battle_without_a_name(client: Client, db: None) -> None:
    answer = client.post(
        reverse("new-battle"), {"battle": "kirbekan", "book": BOOK, "way": "commanders"}
    )
    assert answer.status_code == 302
    assert not Battle.objects.exists()


def test_a_battle_that_is_not_on_offer_is_refused(fred: Client) -> None:
    answer = fred.post(reverse("new-battle"), {"battle": "agincourt", "way": "commanders"})
    assert answer.status_code == 400
    assert not Battle.objects.exists()


def test_a_battle_that_waits_shows_field_and_kit(fred: Client, waiting: Battle) -> None:
    page = got(fred, "battle", waiting.uuid)
    assert "It has not been fought yet" in page
    assert reverse("battle-kit", args=[waiting.uuid]) in page
    assert reverse("battle-table", args=[waiting.uuid]) in page
    assert 'id="piece-1"' in page


def test_the_kit_has_field_rosters_and_play_sheet(fred: Client, waiting: Battle) -> None:
    page = got(fred, "battle-kit", waiting.uuid)
    assert "12 by 8 squares of 75 mm: 90 by 60 cm" in page
    picture = replay.pictures(waiting)[0]
    assert page.count('class="ticks"') == len(picture.roll)
    for title in ("Play sheet", "Charging", "Firing", "Formations", "Hand to hand"):
        assert title in page
    assert "−3 or less" in page


def test_the_rules_page_has_every_table_of_the_book(client: Client, db: None) -> None:
    page = got(client, "battle-rules", BOOK)
    for name in ("charge", "combat", "dice", "formations", "ranges", "tariff"):
        assert f'id="table-{name}"' in page


@pytest.mark.parametrize("name", ["battle-rules", "battle-trace"])
def test_a_book_that_is_not_there_has_no_pages(client: Client, db: None, name: str) -> None:
    assert client.get(reverse(name, args=["parchment"])).status_code == 404


def test_the_trace_of_a_battle_counts_what_it_has_used(client: Client, battle: Battle) -> None:
    page = got(client, "trace-of-battle", battle.uuid)
    rolls = [roll for entry in battle.entries.all() for roll in serialization.rolls_of(entry)]
    clause, thrown = Counter(roll.clause for roll in rolls).most_common(1)[0]
    article = page.partition(f'id="clause-{clause_anchor(clause)}"')[2].partition("</article>")[0]
    assert int(re.findall(r"(\d+) times", article)[0]) >= thrown
    assert "not in this battle" in page


def test_the_trace_names_the_tests_of_a_clause(client: Client, db: None) -> None:
    page = got(client, "battle-trace", BOOK)
    assert "test_charging_" in page
    assert " times<" not in page


def test_a_side_of_one_figure_is_counted_in_the_singular(client: Client, db: None) -> None:
    brief = small_brief()
    few = msgspec.structs.replace(brief.defender.troops[0], strength=1)
    small = msgspec.structs.replace(brief, defender=Party(Side.EGYPTIAN, (few,)))
    battle = record("person:0", small, BOOK, KEY, battle_request=BattleRequest(public=True))
    page = client.get(reverse("battle", args=[battle.uuid])).content.decode()
    assert "1 of 1 figure lost" in page
    assert "lost 1 of its 1 figure;" in page
    picture = client.get(reverse("battle-svg", args=[battle.uuid])).content.decode()
    assert "1 of 1 figure lost" in picture
    fight = {"tally": [SideTally(Side.EGYPTIAN, "Egyptian", 1, 1, 0)], "words": {"figure": "stand"}}
    told = render_to_string("battles/fight/_tally.html", {"page": fight})
    assert '1 of 1<span class="what"> stand</span>' in told


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_the_picture_of_a_battle_is_there_to_share(
    client: Client, battle: Battle, kind: str
) -> None:
    answer = client.get(reverse(f"battle-{kind}", args=[battle.uuid]))
    assert answer.status_code == 200
    if kind == "png":
        assert answer.content.startswith(b"\x89PNG")
        return
    picture = answer.content.decode()
    assert battle.title in picture
    assert "lost" in picture
    assert "var(--" not in picture


def test_a_battle_that_waits_has_no_picture(fred: Client, waiting: Battle) -> None:
    answer = fred.get(reverse("battle-png", args=[waiting.uuid]))
    assert answer["Location"] == reverse("battle", args=[waiting.uuid])


def test_what_it_cost_is_drawn_man_by_man(client: Client, battle: Battle) -> None:
    page = client.get(reverse("battle", args=[battle.uuid])).content.decode()
    assert "What it cost" in page
    assert page.count("<i class=") > 10
    assert "side lost" in page


def test_a_battle_is_fought_again_with_sides_changed(
    fred: Client, people: People, waiting: Battle
) -> None:
    sides = {Side.EGYPTIAN: "me", Side.MAHDIST: "computer"}
    brief = serialization.brief_of(waiting)
    begun = services.begin_fight(people.stranger, brief, services.NewFight(BOOK, sides))
    again = reverse("fight-again", args=[begun.uuid])
    number = Battle.objects.count()
    fred.post(again, {"swap": "1"})  # it is not over yet
    assert Battle.objects.count() == number
    services.finish(begun, people.stranger)
    for swap, mine in (({"swap": "1"}, Side.MAHDIST), ({}, Side.EGYPTIAN)):
        fred.post(again, swap)
        latest = Battle.objects.latest("pk")
        assert latest.pk != begun.pk
        assert latest.commands.get(user=people.stranger).side == mine


def test_an_umpire_begins_a_battle_of_two_people_again_as_its_umpire(people: People) -> None:
    fought = begun(people, BOOK)
    services.finish(fought, people.umpire)
    page = reverse("battle", args=[fought.uuid])
    # Both sides would be invited again: to change them changes nothing.
    assert b"Again, with sides" not in logged_in(people.umpire).get(page).content
    assert b"Again, with sides" in logged_in(people.egyptian).get(page).content
    logged_in(people.umpire).post(reverse("fight-again", args=[fought.uuid]))
    again = Battle.objects.latest("pk")
    assert again.pk != fought.pk
    assert all(command.invitation and not command.computer for command in again.commands.all())
    logged_in(people.egyptian).post(reverse("fight-again", args=[fought.uuid]))
    own = Battle.objects.latest("pk").commands.get(side=Side.EGYPTIAN)
    assert own.user == people.egyptian


@pytest.mark.parametrize(
    ("sides", "by"),
    [
        (("me", "computer"), "you against the computer"),
        (("computer", "me"), "you against the computer"),
        (("me", "me"), "you, for both sides"),
        (("open", "open"), "its players"),
    ],
)
def test_a_battle_says_who_fights_it_without_the_names_of_others(
    fred: Client, people: People, waiting: Battle, sides: tuple[str, str], by: str
) -> None:
    brief = serialization.brief_of(waiting)
    new = services.NewFight(BOOK, dict(zip(Side, sides, strict=True)), public=True)
    begun = services.begin_fight(people.stranger, brief, new)
    fight = fred.get(reverse("fight", args=[begun.uuid])).content.decode()
    assert ("<summary>As the umpire<" in fight) == (by == "its players")
    assert ("which both sides read" in fight) == (by == "its players")
    services.finish(begun, people.stranger)
    page = reverse("battle", args=[begun.uuid])
    for address in (page, reverse("battles")):
        assert f", by {by}" in fred.get(address).content.decode()
    others = "a player against the computer" if "computer" in by else "its players"
    public = Client().get(page).content.decode()
    assert f"Fought by Redcoats and Dervishes, by {others}." in public


def test_a_card_counts_figures_as_the_field_does_without_the_leaders():
    card = card_of("first-el-teb", "redcoats")
    assert card.strengths == "23 Anglo-Egyptian against 6 Dervish figures"
