"""Begin and lead battles that players fight: commands, pauses, rewinds, fighting out."""

from collections.abc import Iterator, Mapping
from itertools import groupby, islice
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import get_random_string

from battles import access, journal, serialization
from battles.access import Anybody
from battles.contract import Brief, Side
from battles.contract.book import book, find_book
from battles.core.decoding import digest, encode
from battles.core.game import Outcome
from battles.core.validation import hidden_characters_in
from battles.journal import Refused
from battles.models import Battle, BattleEntry, Command
from battles.services.journal_entries import (
    MOVED_ON,
    PLAYER,
    UMPIRE,
    BattleRun,
    NotYours,
    check_cursor,
    check_not_paused,
    draw_up,
    due,
    first_key,
    lock_battle,
    lock_unreported,
)
from battles.services.record import new_key, request_by, row_of

COMPUTER, OPEN, ME = "computer", "open", "me"
LONGEST_REASON = 200
MOST_OFFERED = 40
"""Decisions that a page offers to go back to."""
AT_ONCE = 32
"""Entries read at once while decisions are looked for."""
PATIENCE = 7
"""Days that one player waits for the other, by default."""
LONGEST_PATIENCE = 90
ABSENT = "Only the umpire of this battle may do that."


class NewFight(NamedTuple):
    """A battle to be fought in the browser: its book, and who commands each side.

    A side is commanded by "me", by the "computer", or is "open" to an invited player. One player
    waits `patience` days for the other, 0 without a limit.
    """

    book: str
    sides: Mapping[Side, str]
    public: bool = False
    patience: int = PATIENCE


def begin_fight(user: User, brief: Brief, new_fight: NewFight) -> Battle:
    """Begin a battle of the user's own, drawn up. Raises NoSuchBook and Refused."""
    book(new_fight.book)
    battle_request = request_by(user, brief, public=new_fight.public)
    with transaction.atomic():
        battle = row_of(access.person(user), brief, new_fight.book, battle_request)
        battle.patience = new_fight.patience
        battle.save(update_fields=["patience"])
        for side, player in new_fight.sides.items():
            Command.objects.create(
                battle=battle,
                side=side,
                user=user if player == ME else None,
                computer=player == COMPUTER,
                invitation=get_random_string(32) if player == OPEN else "",
            )
        _drawn_up(battle, new_key(), new_fight.book)
    return battle


def take_up(battle: Battle, user: User, book_slug: str) -> Battle:
    """Begin to fight a waiting battle of an owner in the browser, by that book.

    The computer commands sides without a commander. A battle that has begun is returned unchanged.
    Raises NotYours, NoSuchBook and Refused.
    """
    book(book_slug)
    keeper = access.keeper_of(battle.owner)
    if keeper is None or not (access.commands(battle, user) or access.is_umpire(battle, user)):
        raise NotYours("Only its commanders and the umpire may begin this battle.")
    with transaction.atomic():
        battle = lock_unreported(battle.pk)
        if access.is_open(battle):
            return battle
        people = keeper.commanded(battle.owner)
        for side in Side:
            Command.objects.create(battle=battle, side=side, computer=side not in people)
        _drawn_up(battle, keeper.key(battle.owner, battle.brief_id), book_slug)
    return battle


def accept(battle: Battle, user: User, invitation: str) -> Command:
    """Give the user the command that the invitation offers.

    Raises Refused when the invitation is void, and for a user who commands the other side.
    """
    with transaction.atomic():
        battle = lock_battle(battle.pk)
        commands = battle.commands.exclude(invitation="").filter(invitation=invitation)
        command = commands.select_for_update().first()
        if command is None or command.user_id not in (None, user.pk):
            raise Refused("This invitation is void: the side has a commander, or was called off.")
        if battle.commands.exclude(pk=command.pk).filter(user=user).exists():
            raise Refused("You command the other side: pass the invitation on to somebody else.")
        if command.away:
            command.returned = timezone.now()
        command.user, command.computer = user, False
        command.save(update_fields=["user", "computer", "returned"])
        _go_on(battle)
    return command


def lead(battle: Battle, user: User, side: Side, *, computer: bool) -> Battle:
    """Hand the side to the computer, or back to its own commander.

    Its commander may do so, and the umpire for any side. Raises NotYours and Refused.
    """
    with transaction.atomic():
        battle = lock_battle(battle.pk)
        if side not in access.commands(battle, user) and not access.is_umpire(battle, user):
            raise NotYours("Only its commander and the umpire may decide who leads a side.")
        command = battle.commands.get(side=side)
        if command.away and not computer:
            command.returned = timezone.now()
        command.computer = computer
        command.save(update_fields=["computer", "returned"])
        _go_on(battle)
    return battle


def stand_in(battle: Battle, user: User) -> Battle:
    """Hand the other side, which is late, to the computer until its player returns.

    Raises NotYours, and Refused unless it is late.
    """
    with transaction.atomic():
        battle = lock_battle(battle.pk)
        side = BattleRun(battle).side
        if side is None or not access.is_late(battle):
            raise Refused("The other side still has time, or has just acted; nothing was changed.")
        if not access.may_stand_in(battle, user, side):
            raise NotYours("Only the waiting player may hand the other side to the computer.")
        command = battle.commands.get(side=side)
        command.computer, command.handed_over, command.returned = True, timezone.now(), None
        command.save(update_fields=["computer", "handed_over", "returned"])
        _go_on(battle)
    return battle


@transaction.atomic
def vacate_commands_of(user: User) -> None:
    """Hand the sides of a user whose account is being deleted to the computer.

    Where other people command a side, or may still take one by an invitation, they would wait for
    nobody. A battle that the user has paused as its umpire goes on.
    """
    is_offered = Q(user=None, computer=False) & ~Q(invitation="")
    has_other = Q(user__isnull=False) & ~Q(user=user)
    others = Command.objects.filter(is_offered | has_other).values("battle")
    fought = Battle.objects.filter(way=Battle.Way.PLAYERS, reported=None, pk__in=others)
    is_theirs = Q(commands__user=user) | Q(owner=access.person(user))
    for number in set(fought.filter(is_theirs).values_list("pk", flat=True)):
        battle = journal.lock_record(Battle.objects.all(), number)
        battle.commands.filter(user=user).update(user=None, computer=True)
        if battle.owner == access.person(user):
            battle.paused = ""
            battle.save(update_fields=["paused"])
        # The account is deleted all the same where a battle is over by now, or lacks its book.
        if access.is_open(battle) and find_book(battle.book) is not None:
            _go_on(battle)


def pause(battle: Battle, user: User, *, paused: bool) -> Battle:
    """Pause the battle or let it go on, as the umpire. Raises NotYours and Refused."""
    with transaction.atomic():
        battle = _lock_for_umpire(battle, user)
        battle.paused = access.display_name(user)[:80] if paused else ""
        battle.save(update_fields=["paused"])
        _go_on(battle)
    return battle


def finish(battle: Battle, user: User) -> Battle:
    """Let the computer fight the battle out from here, as the umpire."""
    with transaction.atomic():
        return _go_on(_lock_for_umpire(battle, user), everywhere=True)


def finish_late(battle: Battle) -> Battle:
    """Let the computer fight out a battle whose owner no longer waits.

    Raises Refused unless players are fighting it.
    """
    with transaction.atomic():
        return _go_on(lock_battle(battle.pk), everywhere=True)


def _reason(reason: str) -> str:
    if not reason.strip():
        raise Refused("Say why: both sides will read it.")
    if hidden := hidden_characters_in(reason):
        raise Refused(f"The reason contains the invisible character {hidden}: remove it.")
    return reason.strip()[:LONGEST_REASON]


def rewind(battle: Battle, user: User, number: int, reason: str, *, expected: str = "") -> Battle:
    """Rewind the battle to that entry, on a new branch with dice of its own.

    It is paused, so that the umpire can look before the computer plays on. The abandoned branch
    stays in the journal. `expected` is the cursor that the umpire has seen, "" for any. Raises
    NotYours, Stale, and Refused without a reason or for another number.
    """
    with transaction.atomic():
        battle = _lock_for_umpire(battle, user, expected)
        note = _reason(reason)
        entry = serialization.entries_of(battle).filter(number=number).first()
        if entry is None or entry.pk == battle.head_id:
            raise Refused("Name an entry of this battle before the last.")
        _return_to(battle, entry, note, user)
        battle.paused, battle.due = access.display_name(user)[:80], None
        battle.save(update_fields=[*MOVED_ON, "branch", "paused", "due"])
    return battle


def undo(battle_id: int, user: User, *, expected: str, to: int | None = None) -> Battle:
    """Take back the user's last decision, on a new branch with dice of its own.

    Alone against the computer any decision may be taken back, with all that came after it: the one
    whose first entry has the number `to`. Against another player only the last decision may, while
    no die was thrown and nothing hidden was seen. `expected` is the cursor that the user has seen.
    Raises Stale, NotYours and Refused.
    """
    with transaction.atomic():
        battle = lock_battle(battle_id)
        check_cursor(battle, expected)
        check_not_paused(battle)
        decision = _decision(battle, user, to)
        if decision is None:
            raise Refused("There is nothing to undo.")
        if reason := _why_final(battle, user, decision):
            raise Refused(reason)
        parent = serialization.entries_of(battle).get(number=decision.first.number - 1)
        alone = access.is_alone(battle, user)
        note = "" if alone else f"{access.display_name(user)} took the last move back."
        _return_to(battle, parent, note, user)
        battle.due = due(battle, BattleRun(battle).side)
        battle.save(update_fields=[*MOVED_ON, "branch", "due"])
    return battle


class PlayerDecision(NamedTuple):
    """A decision of a player: its first and its last entry."""

    first: BattleEntry
    last: BattleEntry


def may_undo(battle: Battle, user: Anybody) -> bool:
    """Return whether the user may take the last decision back."""
    if not isinstance(user, User) or battle.paused:
        return False
    last = _decision(battle, user)
    return last is not None and not _why_final(battle, user, last)


def decisions(battle: Battle, user: Anybody) -> tuple[PlayerDecision, ...]:
    """Return the decisions that the user may take back by themselves, the latest first.

    Alone against the computer these are the last of them; otherwise the last one, if any.
    """
    if not isinstance(user, User) or battle.paused or not access.is_open(battle):
        return ()
    alone = access.is_alone(battle, user)
    candidates = islice(_decisions(battle, user), MOST_OFFERED if alone else 1)
    return tuple(decision for decision in candidates if not _why_final(battle, user, decision))


def _decision(battle: Battle, user: User, number: int | None = None) -> PlayerDecision | None:
    """Return the decision whose first entry has that number; the last one for None."""
    decisions = _decisions(battle, user)
    return next(
        (decision for decision in decisions if number in (None, decision.first.number)), None
    )


def _decisions(battle: Battle, user: User) -> Iterator[PlayerDecision]:
    """Yield the decisions of the sides that the user commands, the latest first."""
    sides = access.commands(battle, user)
    own = serialization.entries_of(battle).filter(side__in=sides, actor__startswith=f"{PLAYER}:")
    latest = own.defer("events", "rolls").order_by("-number").iterator(chunk_size=AT_ONCE)
    for _, entries in groupby(latest, key=lambda entry: first_key(entry.key or "") or entry.number):
        together = list(entries)
        yield PlayerDecision(together[-1], together[0])


def _why_final(battle: Battle, user: User, decision: PlayerDecision) -> str:
    """Return why a decision stands; nothing if it may be taken back."""
    if access.is_alone(battle, user):
        return ""
    if decision.last.pk != battle.head_id:
        return "The battle has gone on since: your last move stands."
    numbers = range(decision.first.number, decision.last.number + 1)
    if any(
        map(serialization.rolls_of, serialization.entries_of(battle).filter(number__in=numbers))
    ):
        return "Dice were thrown: your last move stands."
    side = Side(decision.last.side)
    before, after = state_after(battle, decision.first.number - 1), serialization.state_of(battle)
    if _seen_by(battle, before, side) != _seen_by(battle, after, side):
        return "You have seen something that was hidden: your last move stands."
    return ""


def _seen_by(battle: Battle, state: Any, side: Side) -> tuple[Any, ...]:
    """Return the enemy's units as the side knows them, and its cards."""
    played, engine = book(battle.book), serialization.engine_of(battle)
    roll = played.prose.muster_roll(engine.view(state, side))
    enemy = tuple((line.number, line.name, line.where) for line in roll if line.side is not side)
    return (enemy, played.turn_forms.hand(state, side))


def correct(
    battle: Battle, user: User, fields: Mapping[str, Any], reason: str, *, expected: str = ""
) -> Battle:
    """Correct a unit's place and losses, as the umpire.

    `expected` is the cursor that the umpire has seen, "" for any. Raises NotYours, Stale, Refused
    without a reason, and InvalidForm for an impossible correction.
    """
    with transaction.atomic():
        battle = _lock_for_umpire(battle, user, expected)
        note = _reason(reason)
        run = BattleRun(battle)
        event = book(battle.book).turn_forms.read_correction(run.state, fields)
        run.engine.fold(run.state, (event,))
        action = encode({"type": "Correct", "reason": note})
        actor = f"{UMPIRE}:{user.get_username()}"
        about = (run.state.turn, "", "")
        run.enter(action, Outcome((event,), ()), actor, about=about)
        run.write()
    return battle


def state_after(battle: Battle, number: int) -> object:
    """Return the state after that entry of the current line."""
    engine, state = serialization.engine_of(battle), serialization.beginning_of(battle)
    for entry in serialization.entries_of(battle, number):
        engine.fold(state, serialization.events_of(entry, engine))
    return state


def _return_to(battle: Battle, entry: BattleEntry, reason: str, user: User) -> None:
    """Set the battle back to that entry, on a new branch; the caller saves the battle."""
    document = encode(state_after(battle, entry.number))
    last = battle.branches.order_by("-number").values_list("number", flat=True).first() or 0
    branch = battle.branches.create(
        number=last + 1,
        parent=entry,
        reason=reason,
        by=access.display_name(user)[:80],
        created=timezone.now(),
    )
    battle.branch, battle.head = branch.number, entry
    battle.document, battle.document_hash = journal.pack(document), digest(document)


def _lock_for_umpire(battle: Battle, user: User, expected: str = "") -> Battle:
    battle = lock_battle(battle.pk)
    if not access.is_umpire(battle, user):
        raise NotYours(ABSENT)
    if expected:
        check_cursor(battle, expected)
    return battle


def _go_on(battle: Battle, *, everywhere: bool = False) -> Battle:
    """Let the computer answer for its sides, or for both; return the battle."""
    run = BattleRun(battle)
    run.go_on(everywhere=everywhere)
    run.write()
    return battle


def _drawn_up(battle: Battle, key: bytes, book_slug: str) -> None:
    try:
        draw_up(battle, key, book_slug)
    except ValueError as error:
        raise Refused(f"{book(book_slug).title} cannot set this battle out: {error}") from error
