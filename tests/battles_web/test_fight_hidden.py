"""Hidden parts of a battle never reach the wrong browser: every byte sent to each is read."""

from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from battles import serialization
from battles.books.fuzzy_wuzzy.names import unit_name
from battles.contract import Side
from battles.contract.book import book
from battles.core.decoding import encode
from battles.models import Battle
from tests.battles_web.fights import BOOKS, asked, begun, player, step
from tests.people import People

SHORT, LONG = 2, 30
"""At so many places of a battle everything is looked at."""
APART = 14
"""Actions from one such place to the next."""


def sent(battle: Battle, user: User | None) -> str:
    """Return everything that is sent to a user who looks wherever he can."""
    client = Client()
    if user is not None:
        client.force_login(user)
    page, rest = f"/battles/{battle.uuid}/", f"/api/v1/battles/{battle.uuid}/"
    addresses = (
        f"{page}fight/",
        f"{page}fight/follow/",
        f"{page}turn/1/",
        f"{page}kit/",
        f"{page}trace/",
        rest,
        f"{rest}replay/",
        f"{rest}fight/",
        f"{rest}fight/log/",
        f"{rest}fight/stream/?since=",
        "/battles/",
        "/api/v1/battles/",
    )
    answers = (client.get(address, follow=True) for address in addresses)
    return unescape("".join(answer.content.decode() for answer in answers))


def everybody(people: People) -> list[tuple[Side | None, User | None]]:
    """Return everybody who may not know everything, and whose side he is on."""
    return [*((side, player(people, side)) for side in Side), (None, people.stranger)]


def places(people: People, book: str, count: int) -> Iterator[Battle]:
    """Yield a battle that anybody may look at, at places of its course."""
    battle = begun(people, book)
    Battle.objects.filter(pk=battle.pk).update(public=True)
    for _ in range(count):
        now = Battle.objects.get(pk=battle.pk)
        if now.reported:
            return
        yield now
        for _ in range(APART):
            if not Battle.objects.get(pk=battle.pk).reported:
                step(people, battle)


def walked(people: People, book: str, count: int) -> None:
    """Nothing that is hidden from somebody is found in what is sent to him."""
    looked = 0
    for battle in places(people, book, count):
        state = serialization.state_of(battle)
        for side, user in everybody(people):
            text = sent(battle, user)
            close = "".join(text.split())
            hidden = [*_dice_and_packs(battle, state), *_hands(battle, state, side)]
            looked += len(hidden)
            assert not [one for one in hidden if "".join(one.split()) in close]
            units = list(_unobserved(state, side))
            looked += len(units)
            assert not [one for one in units if one in text]
    assert looked


def _dice_and_packs(battle: Battle, state: Any) -> Iterator[str]:
    """Yield the key, and the next few cards of every pack as they would stand in a document."""
    yield bytes(battle.key).hex()
    for name in ("pack", "heroic", "special"):
        pack = getattr(state, name, [])
        if len(pack) > 3:
            yield encode(list(pack[:4])).decode()[1:-1]


def _hands(battle: Battle, state: Any, side: Side | None) -> Iterator[str]:
    """Yield the cards of other hands that one does not hold too, and that nobody has laid open."""
    hand = book(battle.book).turn_forms.hand
    own = {_title(card) for card in (hand(state, side) if side else ())}
    opened = " ".join(
        encode(event).decode()
        for entry in battle.entries.all()
        for event in serialization.events_of(entry, serialization.engine_of(battle))
        if type(event).__name__ in ("HeroicPlayed", "SpecialPlayed")
    )
    for other in Side:
        for title in map(_title, hand(state, other) if other is not side else ()):
            if title not in own and not opened:
                yield title


def _title(card: str) -> str:
    """Return the title of a card, without who holds it."""
    return card.rpartition(": ")[2]


def _unobserved(state: Any, side: Side | None) -> Iterator[str]:
    """Names, numbers and places of the units that the side has not seen."""
    for unit in state.units.values():
        if unit.side is not side and not getattr(unit, "seen", True):
            yield unit_name(unit)
            yield f'id="piece-{unit.id}"'
            yield f'"{unit.id}":[{unit.id},'
            yield f"[{unit.at.x},{unit.at.y}]"


@pytest.mark.parametrize("book", BOOKS)
def test_what_is_hidden_is_sent_to_nobody_else(people: People, book: str) -> None:
    walked(people, book, SHORT)


@pytest.mark.long
@pytest.mark.parametrize("book", BOOKS)
def test_nor_anywhere_in_a_whole_battle(people: People, book: str) -> None:
    walked(people, book, LONG)


def test_the_umpire_and_a_side_see_what_is_theirs_to_see(people: People) -> None:
    battle = next(places(people, "fuzzy-wuzzy", 1))
    units = serialization.state_of(battle).units.values()
    for side, user in [*everybody(people)[:2], (None, people.umpire)]:
        text = sent(battle, user)
        mine = [unit for unit in units if side in (None, unit.side)]
        assert all(f'id="piece-{unit.id}"' in text for unit in mine)


def test_a_page_says_who_its_reader_is_and_why_a_spectator_sees_so_little(people: People) -> None:
    battle = begun(people, "fuzzy-wuzzy")
    Battle.objects.filter(pk=battle.pk).update(public=True)
    side = asked(battle)
    assert side is not None
    titles = {
        player(people, side.enemy): "Not your turn",
        people.umpire: "You are the umpire",
        people.stranger: "You are a spectator",
    }
    for user, title in titles.items():
        page = sent(battle, user)
        assert f'<h2 id="turn-form-title">{title}</h2>' in page
        assert ("you see what both sides know" in page) is (user == people.stranger)
