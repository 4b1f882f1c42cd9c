"""Verify a campaign: replay its journal and check hashes, events, dice and battles."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from battles import journal
from battles import services as battles
from battles.access import battle_of
from battles.contract import Report
from battles.contract.book import NoSuchBook
from battles.contract.brief import Side
from battles.core.decoding import digest, encode
from battles.core.dice import DiceExhausted, ScriptedDice, chain_link, month_key
from battles.core.game import IllegalAction, Outcome
from battles.journal import Damaged, Refused
from battles.models import Battle
from battles.serialization import report_of
from campaign import rules, serialization
from campaign.access import selectors
from campaign.access.journal_events import PublicSeal, seals_of
from campaign.models import Branch, Campaign, Entry, Snapshot
from campaign.rules.core.actions import Reported
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import State
from campaign.services.battle_reports import BY_BOOK, battle_key, number_in
from campaign.services.journal.campaign_session import snapshots
from campaign.services.journal.dice import CHAIN, SALTED, commitment, entry_dice
from campaign.services.pending_battle import owner_of

# Replay a journal and check its hashes, its events and, under today's rules, its actions.


CANNOT_HAPPEN = (LookupError, AssertionError, TypeError, ValueError)
"""The exceptions raised where a state can be read but makes no sense."""


class ReplayDiffers(Refused):
    """A difference between what this program's rules give and what is written."""


@dataclass(frozen=True)
class Replayed:
    """The counts of a replay that found no difference."""

    branches: int
    entries: int
    events: int
    dice: int


def replay_check(campaign: Campaign) -> Replayed:
    """Replay every branch. Raises Damaged for the first entry or snapshot that does not fit.

    1. Each entry's hash fits what it says and the entry before it.
    2. The stored events alone, from the first state on, give every snapshot and the head, byte
       for byte.
    3. The actions, with the dice that fell, give the same events and rolls under the rules of
       this program; raises ReplayDiffers for the first entry that does not. Entries from before
       the campaign was migrated to another version of the rules are only folded.
    """
    check_hashes(campaign)
    check_fold(campaign)
    branches = list(campaign.branches.select_related("parent"))
    counts = [_check_rules(campaign, branch) for branch in branches]
    return Replayed(len(branches), *(sum(column) for column in zip(*counts, strict=True)))


def check_hashes(campaign: Campaign) -> None:
    """Check step 1 of the replay, the hashes."""
    for branch in campaign.branches.select_related("parent"):
        parent = branch.parent
        start = journal.JournalPosition(parent.number, parent.hash) if parent else journal.START
        for _ in journal.verify(entries_of(campaign, branch), start):
            pass


def check_fold(campaign: Campaign) -> None:
    """Check step 2 of the replay, the events."""
    for branch in campaign.branches.select_related("parent"):
        state = _fold_branch(campaign, branch)
        is_present = branch.number == campaign.branch
        # An older program may have written the present state: encode it by this one.
        if is_present and encode(state) != encode(selectors.state_now(campaign)):
            raise Damaged("The events do not give the state that is stored as the present one.")


def _fold_branch(campaign: Campaign, branch: Branch) -> State:
    """Return the state at the end of the branch, by its events alone, checking every snapshot."""
    state = first_state(campaign, branch)
    written = {
        (snapshot.entry_id, snapshot.skip): snapshot
        for snapshot in campaign.snapshots.filter(entry__branch=branch.number)
    }
    for entry in entries_of(campaign, branch):
        for fault in fold_entry(state, entry):
            _check_snapshot(fault, written.get((entry.pk, fault.skip)))
    return state


def first_state(campaign: Campaign, branch: Branch) -> State:
    """Return the state in which the branch begins."""
    if branch.parent is not None:
        return selectors.state_after(campaign, branch.parent)
    first = campaign.snapshots.get(entry=None)
    return serialization.state_of(first.document, first.document_hash)


def entries_of(campaign: Campaign, branch: Branch) -> QuerySet[Entry]:
    """Return the branch's own entries, in order: of the present branch, those up to the head.

    A campaign that goes on while it is checked has later entries, which its state as it was read
    does not know.
    """
    own = campaign.entries.filter(branch=branch.number).order_by("number")
    if branch.number != campaign.branch or campaign.head is None:
        return own
    return own.filter(number__lte=campaign.head.number)


def fold_entry(state: State, entry: Entry) -> list[Snapshot]:
    """Fold the entry's events into the state; return the snapshots of the months it begins.

    Raises Damaged when the events cannot happen to that state.
    """
    serialization.action_of(entry)
    events, dice = serialization.events_of(entry), len(serialization.rolls_of(entry))
    if not all(0 <= place < dice for event in events for place in event.rolls):
        raise Damaged(f"The events of {describe_entry(entry)} name dice that it has not.")
    try:
        return list(snapshots(state, entry, events))
    except CANNOT_HAPPEN as error:
        raise Damaged(
            f"The events of {describe_entry(entry)} cannot have happened to the state before it."
        ) from error


def _check_snapshot(replayed: Snapshot, written: Snapshot | None) -> None:
    when = month_name(Month(replayed.month))
    if written is None:
        raise Damaged(f"The state at the beginning of {when} was not kept.")
    stored_state = serialization.state_of(written.document, written.document_hash)
    if replayed.document_hash != digest(encode(stored_state)):
        raise Damaged(f"The events do not give the state kept for the beginning of {when}.")


def _check_rules(campaign: Campaign, branch: Branch) -> tuple[int, int, int]:
    """Return how many entries, events and dice of the branch the present rules play as written."""
    state = first_state(campaign, branch)
    played, events, dice = 0, 0, 0
    for entry in entries_of(campaign, branch):
        if entry.rules != campaign.rules:
            fold_entry(state, entry)
            continue
        outcome = _play_again(state, entry)
        played += 1
        events += len(outcome.events)
        dice += sum(len(roll.dice) for roll in outcome.rolls)
    return played, events, dice


def _play_again(state: State, entry: Entry) -> Outcome:
    """Play the entry's action again with the dice that fell then, and return the outcome."""
    rolls = serialization.rolls_of(entry)
    script = ScriptedDice(*(face for roll in rolls for face in roll.dice))
    try:
        outcome = rules.play(state, serialization.action_of(entry), script)
    except IllegalAction as error:
        raise ReplayDiffers(
            f"{_differs_at(entry)}: clause {error.clause} forbids it now. {error}"
        ) from error
    except DiceExhausted as error:
        raise ReplayDiffers(f"{_differs_at(entry)}: more or other dice are wanted now.") from error
    except CANNOT_HAPPEN as error:
        raise ReplayDiffers(f"{_differs_at(entry)}: it cannot be carried out. {error!r}") from error
    if script.left:
        raise ReplayDiffers(f"{_differs_at(entry)}: fewer dice are wanted now.")
    if any(roll.by_hand for roll in rolls):
        outcome = serialization.thrown_by_hand(outcome)
    if encode(outcome.events) != journal.unpack(entry.events):
        raise ReplayDiffers(f"{_differs_at(entry)}: {_difference(outcome, entry)}")
    if encode(outcome.rolls) != journal.unpack(entry.rolls):
        raise ReplayDiffers(f"{_differs_at(entry)}: the dice give another result now.")
    return outcome


def _differs_at(entry: Entry) -> str:
    return f"The first that differs under the rules of this program is {describe_entry(entry)}"


def describe_entry(entry: Entry) -> str:
    """Return number, branch, month and actor of the entry in words."""
    when = month_name(Month(entry.month))
    return f"entry {entry.number} of branch {entry.branch} ({when}, {entry.actor})"


def _difference(outcome: Outcome, entry: Entry) -> str:
    for place, (new, old) in enumerate(
        zip(outcome.events, serialization.events_of(entry), strict=False)
    ):
        if new != old:
            return f"event {place + 1} was {_text(old)} and is {_text(new)} now."
    return "another number of events happens now."


def _text(event: object) -> str:
    text = encode(event).decode()
    return text if len(text) <= 200 else f"{text[:200]}..."


# Verify a campaign's dice from what has been published, and its battles by fighting them again.


def check_key(campaign: Campaign, entry: Entry, month_key: bytes) -> None:
    """Raise Damaged if the entry's battle was fought with other dice than its month's.

    The battles of a campaign that was imported from a file are not stored, and pass.
    """
    battle = _fought_here(campaign, entry)
    if battle is None:
        return
    if bytes(battle.key) != battle_key(month_key, battle.brief_id):
        raise Damaged(f"The battle of {describe_entry(entry)} was fought with dice of another key.")
    if not _is_in_report(report_of(battle), entry):
        raise Damaged(
            f"The battle of {describe_entry(entry)} was reported with another result than it had."
        )


def verify_battles(campaign: Campaign) -> int:
    """Fight again every battle that was fought here, and return how many gave the same result.

    Raises Damaged for the first that does not, or whose book is not installed.
    """
    fought = 0
    for entry in campaign.entries.filter(actor__startswith=BY_BOOK).order_by("branch", "number"):
        battle = _fought_here(campaign, entry)
        if battle is None:
            continue
        try:
            battles.verify_battle(battle)
        except (NoSuchBook, battles.Damaged) as differs:
            raise Damaged(f"The battle of {describe_entry(entry)}: {differs}") from differs
        fought += 1
    return fought


def _fought_here(campaign: Campaign, entry: Entry) -> Battle | None:
    """Return the battle the entry reported, if a book fought it here and it is stored."""
    if not entry.actor.startswith(BY_BOOK) or not entry.key:
        return None
    return battle_of(owner_of(campaign), number_in(entry.key))


def _is_in_report(report: Report | None, entry: Entry) -> bool:
    action = serialization.action_of(entry)
    if report is None or not isinstance(action, Reported):
        return False
    return (report.winner, report.fates) == (action.report.winner, action.report.fates)


MOST_SIDES = 256


@dataclass(frozen=True)
class DiceAudit:
    """The counts of what was recomputed, and of the entries whose month is still sealed."""

    months: int
    rolls: int
    dice: int
    sealed_entries: int


def verify_dice(campaign: Campaign) -> DiceAudit:
    """Recompute every die of every closed month. Raises Damaged for the first that differs.

    1. The link, hashed as often as its month's place says, is the branch's anchor.
    2. The salts are those whose hashes were published when the month opened.
    3. Link and salts give the month's key; key and position give each entry's dice, in order.
    4. The month's key and a battle's number give the key that the battle was fought with.

    Dice that were thrown by hand are not counted: no chain gives them.
    """
    seals = {(seal.branch, seal.month): seal for seal in seals_of(campaign)}
    months: dict[tuple[int, int], list[Entry]] = defaultdict(list)
    for entry in campaign.entries.order_by("branch", "number"):
        months[entry.branch, entry.month].append(entry)
    for where in months:
        if where not in seals:
            when = month_name(Month(where[1]))
            raise Damaged(f"The dice of {when}, branch {where[0]}, were never sealed.")
    closed = {where: seal for where, seal in seals.items() if seal.link}
    counts = [_check_month(seal, months.get(where, [])) for where, seal in closed.items()]
    for where, seal in closed.items():
        for entry in months.get(where, []):
            check_key(campaign, entry, key_of(seal))
    sealed = sum(len(entries) for where, entries in months.items() if where not in closed)
    return DiceAudit(len(closed), sum(r for r, _ in counts), sum(d for _, d in counts), sealed)


def _check_month(seal: PublicSeal, entries: Iterable[Entry]) -> tuple[int, int]:
    """Return how many rolls and dice of the month its published key gives."""
    key = key_of(seal)
    counts = [_check_entry(key, entry) for entry in entries]
    return sum(rolls for rolls, _ in counts), sum(dice for _, dice in counts)


def key_of(seal: PublicSeal) -> bytes:
    """Return the key of a closed month. Raises Damaged if what was published is inconsistent."""
    link, salts = _open_seal(seal)
    return month_key(link, [salts[side] for side in SALTED])


def _open_seal(seal: PublicSeal) -> tuple[bytes, dict[Side, bytes]]:
    """Return link and salts of a closed seal, checked against what was published before."""
    where = f"{month_name(Month(seal.month))}, branch {seal.branch}"
    try:
        link = bytes.fromhex(seal.link or "")
        salts = {side: bytes.fromhex((seal.salts or {})[side]) for side in SALTED}
    except (KeyError, ValueError) as error:
        raise Damaged(f"Link or salts of {where} are not whole.") from error
    if not 0 < seal.place <= CHAIN or chain_link(link, seal.place).hex() != seal.anchor:
        raise Damaged(f"The link of {where} does not lead to the anchor of its branch.")
    for side, salt in salts.items():
        if seal.commitments.get(side) != commitment(salt):
            raise Damaged(f"The {side} salt of {where} is not the one sealed before the month.")
    return link, salts


def _check_entry(key: bytes, entry: Entry) -> tuple[int, int]:
    dice = entry_dice(key, entry.branch, entry.number)
    rolls = [roll for roll in serialization.rolls_of(entry) if not roll.by_hand]
    for roll in rolls:
        if not 1 <= roll.sides <= MOST_SIDES:
            raise Damaged(f"In {describe_entry(entry)} dice of {roll.sides} sides are thrown.")
        for place, face in enumerate(dice.throw(len(roll.dice), roll.sides)):
            if face != roll.dice[place]:
                raise Damaged(
                    f"In {describe_entry(entry)} die {place + 1} of the throw for {roll.reason} "
                    f"({roll.clause}) is written as {roll.dice[place]}; link and salts of its "
                    f"month give {face}."
                )
    return len(rolls), sum(len(roll.dice) for roll in rolls)
