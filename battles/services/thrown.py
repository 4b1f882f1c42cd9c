"""Battles by themselves that dice decide: who chooses a side, then the armies and the scenario.

Two requests begin such a battle. The first throws for the choice of sides and returns a signed
token; the second brings the token back with the side chosen.
"""

import secrets
from typing import NamedTuple

from django.contrib.auth.models import User
from django.core import signing
from django.utils.crypto import salted_hmac

from battles.contract import Side
from battles.contract.book import BattleGenerator, book, every_book
from battles.core.dice import ChainedDice, derive_key
from battles.journal import Refused
from battles.models import Battle
from battles.services.fights import COMPUTER, ME, OPEN, PATIENCE, NewFight, begin_fight

SALT = "battles.services.thrown"
LONGEST_THROW = 300
"""The longest token, in characters."""
OPPONENTS = (COMPUTER, OPEN)


class SideThrow(NamedTuple):
    """Dice for the choice of sides (One-off battles 3).

    `rounds` are the dice of the user and of the opponent; equal ones are thrown again. `chosen` is
    the side that the computer takes when its die is the higher.
    """

    book: str
    opponent: str
    token: str
    rounds: tuple[tuple[int, int], ...]
    chosen: Side | None

    @property
    def won(self) -> bool:
        """Return whether the user's die is the higher."""
        own_die, other = self.rounds[-1]
        return own_die > other


class BegunBattle(NamedTuple):
    """A battle that has begun, and its throws in words."""

    battle: Battle
    words: str


def generating_books() -> tuple[tuple[str, str], ...]:
    """Return slug and title of every book that throws for armies and scenario."""
    return tuple((book.slug, book.title) for book in every_book() if book.generator)


def throw_for_sides(book_slug: str, opponent: str = COMPUTER) -> SideThrow:
    """Throw a die for the user and one for the opponent, again while they are equal.

    The opponent is the "computer" or "open" to an invited player. Raises Refused for a book that
    has no generator, and for another opponent.
    """
    return _throw_for_sides(
        {"book": book_slug, "opponent": opponent, "nonce": secrets.token_hex(16)}
    )


def read_throw(token: str) -> SideThrow:
    """Return the throw of a token. Raises Refused for a token that was not given out here."""
    try:
        terms = signing.loads(token[:LONGEST_THROW], salt=SALT)
    except signing.BadSignature as bad:
        raise Refused("These dice were not thrown here: throw for the sides again.") from bad
    return _throw_for_sides(terms)


def begin_thrown(
    user: User, throw: SideThrow, side: Side, *, public: bool = False, patience: int = PATIENCE
) -> BegunBattle:
    """Begin the battle of a throw, with the user on that side.

    The dice for armies and scenario are thrown now. Raises Refused when the computer has taken the
    side.
    """
    if throw.chosen is side:
        raise Refused("The other side’s die was the higher, and it has chosen this side.")
    nonce = signing.loads(throw.token, salt=SALT)["nonce"]
    armies = _generator(throw.book).throw(_dice(nonce, "armies"))
    sides = {side: ME, side.enemy: throw.opponent}
    battle = begin_fight(user, armies.brief, NewFight(throw.book, sides, public, patience))
    return BegunBattle(battle, armies.words)


def _throw_for_sides(terms: dict[str, str]) -> SideThrow:
    slug, opponent = terms["book"], terms["opponent"]
    if opponent not in OPPONENTS or slug not in dict(generating_books()):
        raise Refused("Dice decide no battle of this kind.")
    token = signing.dumps(terms, salt=SALT)
    dice, generator = _dice(terms["nonce"], "sides"), _generator(slug)
    rounds = generator.higher_die(dice)
    own_die, other = rounds[-1]
    chosen = generator.computers_side(dice) if own_die < other and opponent == COMPUTER else None
    return SideThrow(slug, opponent, token, rounds, chosen)


def _generator(slug: str) -> BattleGenerator:
    generator = book(slug).generator
    if generator is None:
        raise Refused("This book has no tables for armies and scenarios.")
    return generator


def _dice(nonce: str, purpose: str) -> ChainedDice:
    """Return the dice of a throw: nobody without the secret of the site can know them before."""
    return ChainedDice(derive_key(salted_hmac(SALT, nonce, algorithm="sha256").digest(), purpose))
