"""The client at work: tags, keys, problems, pages, jobs, sheets, the feed, and by itself."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from django.core import mail
from django.core.cache import cache
from rest_framework.throttling import SimpleRateThrottle

import api.client
from accounts.models import Token
from api.client import (
    Busy,
    Campaign,
    Correction,
    Counted,
    IllegalAction,
    Left,
    NewCampaign,
    NotAllowed,
    NotFound,
    NotLoggedIn,
    Sirdar,
    Stale,
    Terms,
    Unreachable,
)
from api.client.answers import Done, March
from api.client.orders import MonthOrders, StayOrder
from api.client.wire import Wire
from battles.contract import Side
from battles.history import serialization
from battles.models import Battle
from battles.services import start
from campaign import models
from campaign.services.journal import creation
from campaign.services.turns import advance
from tests.battles_web.field import small_brief
from tests.battles_web.fights import begun
from tests.client.conftest import HERE, As, Held, rest, token_of
from tests.people import PASSWORD, SIEGE, People


@pytest.fixture
def campaign(as_: As) -> Campaign:
    wanted = NewCampaign(SIEGE, slug="siege", mode="orders", mahdist="staff", fog=True)
    return as_("umpire").begin(wanted)


def seated(as_: As, campaign: Campaign, role: str = "egyptian") -> Campaign:
    """Return the campaign as a player sees it who has taken that seat."""
    return as_(role).accept(campaign.invite(role).secret)


def test_what_has_not_changed_is_not_sent_again(campaign: Campaign, transport: Held) -> None:
    first = campaign.state()
    again = campaign.state()
    assert transport.statuses[-1] == 304
    assert again == first
    assert again.units


def test_a_log_in_gives_a_token_and_a_log_out_takes_it(people: People, transport: Held) -> None:
    how = {"transport": transport, "pause": rest}
    sirdar = Sirdar.logged_in(HERE, "umpire", PASSWORD, scopes=["read"], **how)
    assert [one.scopes for one in sirdar.tokens()] == [["read"]]
    with pytest.raises(NotAllowed) as refused:
        sirdar.begin(NewCampaign(SIEGE))
    assert refused.value.scope == "umpire"
    sirdar.log_out()
    with pytest.raises(NotLoggedIn):
        sirdar.tokens()


def test_a_program_that_logs_in_at_every_start_leaves_no_token_behind(
    campaign: Campaign, people: People, transport: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = {**SimpleRateThrottle.THROTTLE_RATES, "log-in": "100/min"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    before = Token.objects.count()
    for _ in range(25):
        with Sirdar.logged_in(HERE, "umpire", PASSWORD, transport=transport, pause=rest) as sirdar:
            assert sirdar.account().username == "umpire"
    assert Token.objects.count() == before


def test_lists_are_read_page_after_page(as_: As) -> None:
    umpire = as_("umpire")
    slugs = [umpire.begin(NewCampaign(SIEGE, slug=f"number-{one}")).slug for one in range(5)]
    assert [one.slug for one in umpire.campaigns(limit=2)] == slugs[::-1]


def test_a_player_sees_his_own_side_and_the_umpire_all(as_: As, campaign: Campaign) -> None:
    mine = seated(as_, campaign).state()
    assert mine.fogged
    assert len(mine.units) < len(campaign.state().units)
    with pytest.raises(NotFound):
        as_("stranger").campaign("siege").state()


def test_a_sheet_is_written_only_over_what_was_read(as_: As, campaign: Campaign) -> None:
    player = seated(as_, campaign)
    (seat,) = [one for one in player.seats() if one.yours]
    month = player.now().month.month
    mine, other = (player.seat(seat.number).sheet(month) for _ in range(2))
    assert (mine.read().revision, other.read().revision) == (0, 0)
    here = next(one for one in player.state().stacks if one.side == "egyptian")
    sheet = MonthOrders((StayOrder(int(here.at.hex)),))
    assert mine.check(sheet).orders
    assert mine.write(sheet).sheet == sheet
    with pytest.raises(Stale):
        other.write(MonthOrders())
    assert mine.submit().submitted is not None
    assert mine.take_back().submitted is None
    assert mine.ready().ready
    assert not mine.not_ready().ready
    kinds = {one.kind for one in player.seat(seat.number).receipts()}
    assert "saved" in kinds


@pytest.mark.django_db(transaction=True)
def test_a_month_is_advanced_and_the_job_followed(campaign: Campaign) -> None:
    month = campaign.now().month
    job = campaign.wait(campaign.advance(since=month.month))
    assert job.status == "done"
    assert campaign.now().month != month
    assert campaign.despatches(month.month).results
    assert [one.month for one in campaign.months()][:2] == ["set-up", month.month]


def test_what_the_rules_forbid_names_the_clause(as_: As, people: People) -> None:
    wanted = NewCampaign(SIEGE, slug="live", mode="live", egyptian="me", mahdist="staff")
    live = as_("umpire").begin(wanted)
    asked = live.decision()
    with pytest.raises(IllegalAction) as refused:
        live.answer(March((1, 2)), asked.head)
    assert refused.value.clause
    assert refused.value.remedy
    assert str(refused.value).startswith("409")
    with pytest.raises(Stale):
        live.answer(Done(), asked.head + 1)
    assert live.answer(Done(), asked.head).head > asked.head


@pytest.mark.django_db(transaction=True)
def test_the_feed_goes_on_where_it_was_left_and_over_a_rewinding(campaign: Campaign) -> None:
    following = campaign.follow()
    campaign.wait(campaign.advance())
    seen = [one.cursor for part in following.all_so_far() for one in part.results]
    assert seen == sorted(seen, key=lambda one: int(one.partition(".")[2]))
    assert len(set(seen)) > 10
    kept = models.Campaign.objects.get(slug=campaign.slug)
    entry = models.Entry.objects.filter(campaign=kept).order_by("pk")[3]
    creation.branch_from(kept.pk, entry, by="umpire", reason="a test")
    assert not following.new().results
    assert following.cursor in seen


def test_the_stream_goes_on_at_the_place_where_the_line_broke(campaign: Campaign) -> None:
    kept = models.Campaign.objects.get(slug=campaign.slug)
    advance.run_month(kept.pk, until=kept.month + 1)
    stream = campaign.stream("")
    first = [message for message, _ in zip(stream.until_it_breaks(), range(20), strict=False)]
    rest_of_it = list(campaign.stream(first[-1].place).until_it_breaks())
    told = [one for one in (*first, *rest_of_it) if one.kind == "event"]
    whole = [one for part in campaign.follow().all_so_far() for one in part.results]
    assert [one.event for one in told] == whole
    assert rest_of_it[-1].kind == "standing"


def ask_often(sirdar: Sirdar) -> None:
    """More requests than an address that is not logged in has in a minute."""
    for _ in range(130):
        sirdar.wire.get("battles/", dict, limit=1)


def test_too_many_requests_are_waited_for(people: People, transport: Held) -> None:
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        cache.clear()

    sirdar = Sirdar(HERE, transport=transport, pause=wait)
    ask_often(sirdar)
    assert len(waits) == 1
    assert 0 < waits[0] <= 60


def test_patience_ends_with_what_the_server_said(people: People, transport: Held) -> None:
    terms = Terms(tries=3, patience=1000)
    sirdar = Sirdar(HERE, transport=transport, terms=terms, pause=lambda _: None)
    with pytest.raises(Busy) as busy:
        ask_often(sirdar)
    assert busy.value.retry_after > 0
    assert transport.statuses[-3:] == [429, 429, 429]


class LosesAnswers(httpx.BaseTransport):
    """A network that loses the answer to every first request of a kind."""

    def __init__(self, behind: httpx.BaseTransport) -> None:
        self.behind = behind
        self.lost: set[str] = set()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self.behind.handle_request(request)
        if (name := f"{request.method} {request.url.path}") not in self.lost:
            self.lost.add(name)
            raise httpx.ReadError("The network is down.", request=request)
        return response


def test_an_answer_that_is_lost_is_asked_for_again_and_nothing_done_twice(
    people: People, transport: Held
) -> None:
    network = LosesAnswers(transport)
    sirdar = Sirdar(HERE, token_of(people.umpire), transport=network, pause=rest)
    sirdar.begin(NewCampaign(SIEGE, slug="once"))
    assert transport.sent == ["POST /api/v1/campaigns/"] * 2
    assert models.Campaign.objects.count() == 1


def test_what_has_no_key_is_not_sent_again(people: People, transport: Held) -> None:
    begun = Sirdar(HERE, token_of(people.umpire), transport=transport).begin(NewCampaign(SIEGE))
    network = LosesAnswers(transport)
    sirdar = Sirdar(HERE, token_of(people.umpire), transport=network, pause=rest)
    with pytest.raises(Unreachable):
        sirdar.campaign(begun.slug).invite("observer")


def test_nobody_there_is_said(people: People) -> None:
    silent = Wire("http://127.0.0.1:9", terms=Terms(tries=2), pause=lambda _: None)
    with pytest.raises(Unreachable, match="ConnectError"):
        silent.get("maps/", dict)


def test_a_campaign_is_taken_away_and_brought_in(
    campaign: Campaign, as_: As, tmp_path: Path
) -> None:
    file = tmp_path / "siege.sirdar"
    campaign.export(file)
    brought = as_("stranger").bring_in(file, slug="another").now()
    assert (brought.slug, brought.scenario) == ("another", SIEGE)


def test_the_folder_is_of_use_by_itself(tmp_path: Path) -> None:
    shutil.copytree(Path(api.client.__file__).parent, tmp_path / "sirdar_client")
    told = "import sys, sirdar_client; print([n for n in sys.modules if n.split('.')[0] in TOLD])"
    alone = told.replace("TOLD", "('django', 'rest_framework', 'campaign', 'battles', 'api')")
    said = subprocess.run(
        [sys.executable, "-c", alone], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == "[]"


READS: list[Callable[[Sirdar], object]] = [
    lambda one: one.scenarios(),
    lambda one: one.map(),
    lambda one: one.map_geojson(),
    lambda one: one.table("march"),
    lambda one: list(one.battles()),
    lambda one: one.campaign("siege").papers(),
    lambda one: one.campaign("siege").worklist(),
    lambda one: one.campaign("siege").decision(),
    lambda one: one.campaign("siege").geojson("set-up"),
]


def test_everything_else_that_is_read_comes_as_it_is_typed(as_: As, campaign: Campaign) -> None:
    umpire = as_("umpire")
    assert all(read(umpire) is not None for read in READS)


def test_a_unit_is_set_right_in_a_battle_by_its_umpire(as_: As, people: People) -> None:
    battle = begun(people, "redcoats")
    state = serialization.state_of(battle)
    unit = next(one.id for one in state.units.values() if one.side is Side.MAHDIST)
    told = as_("umpire").correct(str(battle.uuid), Correction(unit, 1, "Two were never there."))
    assert told["place"] == "0.2"
    assert serialization.state_of(Battle.objects.get(pk=battle.pk)).units[unit].figures == 1


def log_in(transport: Held, password: str) -> Sirdar:
    return Sirdar.logged_in(HERE, "umpire", password, transport=transport, pause=rest)


def test_a_password_is_changed_and_the_next_log_in_takes_the_new_one(
    people: People, transport: Held
) -> None:
    mine, new = log_in(transport, PASSWORD), "four-camels-at-noon"
    assert (mine.account().username, mine.account().tokens) == ("umpire", 1)
    mine.change_password(PASSWORD, new)
    with pytest.raises(NotLoggedIn):
        mine.account()
    assert log_in(transport, new).account().tokens == 1
    with pytest.raises(NotLoggedIn):
        log_in(transport, PASSWORD)


def test_an_address_is_asked_for_by_its_owner(as_: As, people: People) -> None:
    umpire = as_("umpire")
    umpire.change_address("wood@example.org", PASSWORD)
    assert [letter.to for letter in mail.outbox] == [["wood@example.org"]]
    assert umpire.account().email == ""


def test_the_tables_of_a_campaign_come_with_their_files(as_: As, campaign: Campaign) -> None:
    umpire = as_("umpire")
    assert umpire.campaign("siege").tables() == umpire.tables()
    march = umpire.campaign("siege").table("march")
    assert march.toml == umpire.table("march").toml
    assert "[[row]]" in march.toml


def test_figures_left_on_a_table_come_to_a_report(as_: As, people: People) -> None:
    waiting = start(people.umpire, small_brief(), "redcoats", Battle.Way.TABLETOP)
    umpire, number = as_("umpire"), str(waiting.uuid)
    left = {
        unit["number"]: Left(unit["came"])
        for roster in umpire.kit(number)["rosters"]
        for unit in roster["units"]
    }
    told = umpire.count(number, Counted(left, "egyptian", 6))
    assert set(told["fates"].values()) == {"good order"}
    assert (told["winner"], told["turns"]) == ("egyptian", 6)
