"""One player who waits for another who stays away: the clock, who may do what, and coming back."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from battles import access, serialization, services
from battles.contract import Side
from battles.contract.brief_files import find_ready_battle
from battles.models import Battle
from battles.services import NotYours, Refused
from battles.services.fights import COMPUTER, ME, OPEN, PATIENCE
from tests.battles_web.fights import EL_TEB, asked, begun, player, step
from tests.people import People, logged_in

DAYS = timedelta(days=PATIENCE)
MOMENT = timedelta(minutes=1)


def fresh(battle: Battle) -> Battle:
    return Battle.objects.get(pk=battle.pk)


def late(battle: Battle) -> Side:
    """Return the time of the side that is asked is up."""
    Battle.objects.filter(pk=battle.pk).update(due=timezone.now() - MOMENT)
    side = asked(battle)
    assert side is not None
    return side


@pytest.fixture
def battle(people: People) -> Battle:
    return begun(people, "redcoats")


def test_time_runs_from_the_last_that_was_done(battle: Battle, people: People) -> None:
    for _ in range(2):
        due = fresh(battle).due
        assert due is not None
        assert abs(timezone.now() + DAYS - due) < MOMENT
        late(battle)
        step(people, battle)


def test_taking_a_side_that_one_has_already_gives_no_more_time(
    battle: Battle, people: People
) -> None:
    side = late(battle)
    for one in (side, side.enemy):
        invitation = battle.commands.get(side=one).invitation
        services.accept(battle, player(people, one), invitation)
        services.lead(battle, player(people, one), one, computer=False)
    assert access.is_late(fresh(battle))
    services.lead(battle, player(people, side.enemy), side.enemy, computer=True)
    services.lead(battle, player(people, side.enemy), side.enemy, computer=False)
    assert not access.is_late(fresh(battle)), "nobody was waiting for it in between"


def test_no_time_runs_where_nobody_is_waited_for(battle: Battle, people: People) -> None:
    services.pause(battle, people.umpire, paused=True)
    assert fresh(battle).due is None
    services.pause(battle, people.umpire, paused=False)
    assert fresh(battle).due is not None
    services.lead(battle, people.mahdist, Side.MAHDIST, computer=True)
    assert fresh(battle).due is None
    services.lead(battle, people.mahdist, Side.MAHDIST, computer=False)
    assert fresh(battle).due is not None
    step(people, battle)
    services.rewind(battle, people.umpire, 1, "Misread.")
    assert fresh(battle).due is None
    services.finish(battle, people.umpire)
    assert fresh(battle).due is None


def test_nor_against_the_computer_or_where_any_time_was_agreed(people: People) -> None:
    chosen = find_ready_battle(EL_TEB)
    assert chosen is not None
    alone = services.NewFight("redcoats", {Side.EGYPTIAN: ME, Side.MAHDIST: COMPUTER})
    assert fresh(services.begin_fight(people.umpire, chosen.brief, alone)).due is None
    battle = begun(people, "redcoats")
    Battle.objects.filter(pk=battle.pk).update(patience=0)
    step(people, battle)
    assert fresh(battle).due is None


def test_who_waits_leaves_the_late_side_to_the_commander(battle: Battle, people: People) -> None:
    step(people, battle)
    side = late(battle)
    before = list(battle.entries.values_list("hash", flat=True))
    services.stand_in(battle, player(people, side.enemy))
    assert asked(battle) is side.enemy
    assert list(battle.entries.values_list("hash", flat=True))[: len(before)] == before
    actors = list(battle.entries.order_by("number").values_list("actor", flat=True))
    assert set(actors[len(before) :]) == {f"commander:{side}"}
    assert battle.commands.get(side=side).user == player(people, side)


def test_what_the_commander_does_is_what_would_have_come_of_the_same_choice(
    battle: Battle, people: People
) -> None:
    """The dice of an entry are its own, whoever makes it."""
    side, other = late(battle), begun(people, "redcoats")
    Battle.objects.filter(pk=other.pk).update(key=bytes(battle.key))
    Battle.objects.filter(pk=other.pk).update(
        document=battle.document, document_hash=battle.document_hash
    )
    services.stand_in(battle, player(people, side.enemy))
    entry = serialization.entries_of(fresh(battle)).get(number=2)
    step(people, other)
    same = serialization.entries_of(fresh(other)).get(number=2)
    assert serialization.rolls_of(entry) == serialization.rolls_of(same)
    assert bytes(entry.events) == bytes(same.events)


def test_only_who_waits_may_and_only_when_it_is_late(battle: Battle, people: People) -> None:
    side = asked(battle)
    assert side is not None
    with pytest.raises(Refused, match="still has time"):
        services.stand_in(battle, player(people, side.enemy))
    late(battle)
    for other in (player(people, side), people.umpire, people.stranger):
        with pytest.raises(NotYours):
            services.stand_in(battle, other)
    step(people, battle)
    if asked(battle) is side:
        with pytest.raises(Refused, match="still has time"):
            services.stand_in(battle, player(people, side.enemy))
    assert not battle.commands.filter(computer=True).exists()


def test_whoever_comes_back_has_his_side_again(battle: Battle, people: People) -> None:
    side = late(battle)
    services.stand_in(battle, player(people, side.enemy))
    assert battle.commands.get(side=side).away
    services.lead(fresh(battle), player(people, side), side, computer=False)
    assert not battle.commands.get(side=side).away
    assert fresh(battle).due is not None
    while asked(battle) is side.enemy:
        step(people, battle)
    step(people, battle)
    assert battle.entries.last().actor == f"player:{player(people, side)}"  # type: ignore[union-attr]


def test_the_page_says_until_when_and_offers_it_to_who_waits(
    battle: Battle, people: People
) -> None:
    side = asked(battle)
    assert side is not None
    waits, away = Client(), Client()
    waits.force_login(player(people, side.enemy))
    away.force_login(player(people, side))
    page = f"/battles/{battle.uuid}/fight/"
    due = fresh(battle).due
    assert due is not None
    for client in (waits, away):
        text = client.get(page).content.decode()
        assert f"{due:%A} {due.day} {due:%B %Y, %H:%M} UTC" in text
        assert "stand-in/" not in text
    tag = waits.get(f"{page}follow/").content
    late(battle)
    assert waits.get(f"{page}follow/").content != tag
    assert "stand-in/" in waits.get(page).content.decode()
    assert "stand-in/" not in away.get(page).content.decode()
    assert away.post(f"{page}stand-in/").status_code == 403
    assert waits.post(f"{page}stand-in/").status_code == 302
    assert waits.post(f"{page}stand-in/").status_code == 400
    assert "is away" in waits.get(page).content.decode()
    assert "Lead it yourself again" in away.get(page).content.decode()


def test_the_interface_says_and_does_the_same(battle: Battle, people: People) -> None:
    side = asked(battle)
    assert side is not None
    client = Client()
    client.force_login(player(people, side.enemy))
    rest = f"/api/v1/battles/{battle.uuid}/fight/"
    stand_in = {"stand_in": True}
    fight = client.get(rest).json()
    assert fight["timeout_days"] == PATIENCE
    assert not fight["awaited"]["is_late"]
    refused = client.patch(rest, stand_in, content_type="application/json")
    assert refused.status_code == 409
    late(battle)
    fight = client.get(rest).json()
    assert (fight["awaited"]["is_late"], fight["awaited"]["may_stand_in"]) == (True, True)
    fight = client.patch(rest, stand_in, content_type="application/json").json()
    assert fight["awaited"] is None
    leads = {one["side"]: one["lead"] for one in fight["side_commanders"]}
    assert leads[side] == "computer"


def test_how_long_is_chosen_when_the_battle_is_laid_out(people: People) -> None:
    client = Client()
    client.force_login(people.umpire)
    said = {"battle": EL_TEB, "book": "redcoats", "way": "egyptian-invites"}
    for chosen, days in (({}, PATIENCE), ({"patience": "3"}, 3), ({"patience": "0"}, 0)):
        client.post("/battles/new/", {**said, **chosen})
        assert Battle.objects.latest("pk").patience == days
    assert client.post("/battles/new/", {**said, "patience": "-5"}).status_code == 400


def test_the_page_speaks_to_each_reader_of_the_time_that_runs(
    battle: Battle, people: People
) -> None:
    side = asked(battle)
    assert side is not None
    awaited, waiting = player(people, side), player(people, side.enemy)

    def told(user: User, words: str) -> bool:
        page = logged_in(user).get(reverse("fight", args=[battle.uuid])).content.decode()
        return words in " ".join(page.split())

    own_side = "may let the computer play your side."
    assert told(awaited, f"After that {waiting} {own_side}")
    assert told(awaited, "You have until ")
    assert told(waiting, f"{awaited} has until ")
    assert told(waiting, "After that you may let the computer play the ")
    assert told(people.umpire, f"After that {waiting} may let the computer play the ")
    late(battle)
    assert told(awaited, "Your time was up on ")
    assert told(awaited, f"Until you act, {waiting} {own_side}")
    assert told(waiting, "You may let the computer play the ")


def el_teb(people: People, mahdist: str) -> Battle:
    """Return a battle that the Egyptian player has begun against that Mahdist."""
    chosen = find_ready_battle(EL_TEB)
    assert chosen is not None
    sides = {Side.EGYPTIAN: ME, Side.MAHDIST: mahdist}
    return services.begin_fight(people.egyptian, chosen.brief, services.NewFight("redcoats", sides))


def test_a_deleted_account_leaves_its_side_to_the_computer(people: People) -> None:
    """The other player would wait for nobody, with no time that runs out."""
    fight = el_teb(people, OPEN)
    invitation = fight.commands.get(side=Side.MAHDIST).invitation
    services.accept(fight, people.mahdist, invitation)
    people.egyptian.delete()
    left = fight.commands.get(side=Side.EGYPTIAN)
    assert (left.user, left.computer) == (None, True)
    assert asked(fight) is Side.MAHDIST
    page = logged_in(people.mahdist).get(reverse("fight", args=[fight.uuid]))
    assert page.context["page"].waits_for == "Your turn."


def test_who_follows_the_invitation_of_a_deleted_account_meets_the_computer(people: People) -> None:
    fight = el_teb(people, OPEN)
    invitation = fight.commands.get(side=Side.MAHDIST).invitation
    people.egyptian.delete()
    client, here = logged_in(people.mahdist), reverse("fight-join", args=[fight.uuid, invitation])
    assert "You are asked to command the Dervish side" in client.get(here).content.decode()
    page = client.post(here, follow=True)
    assert fight.commands.get(side=Side.EGYPTIAN).computer
    assert page.context["page"].waits_for == "Your turn."


def test_a_deleted_umpire_leaves_no_battle_paused(battle: Battle, people: People) -> None:
    services.pause(battle, people.umpire, paused=True)
    people.umpire.delete()
    battle.refresh_from_db()
    assert battle.paused == ""
    assert not battle.commands.filter(computer=True).exists()
    step(people, battle)


def test_a_battle_alone_stays_as_its_deleted_account_left_it(people: People) -> None:
    fight = el_teb(people, COMPUTER)
    entries = fight.entries.count()
    people.egyptian.delete()
    assert fight.entries.count() == entries


def test_who_comes_back_by_the_old_invitation_is_back(battle: Battle, people: People) -> None:
    side = late(battle)
    services.stand_in(battle, player(people, side.enemy))
    command = battle.commands.get(side=side)
    assert command.away
    services.accept(battle, player(people, side), command.invitation)
    command.refresh_from_db()
    assert command.returned is not None
    services.lead(fresh(battle), player(people, side), side, computer=True)
    command.refresh_from_db()
    assert not command.away  # by their own will: nobody is away
