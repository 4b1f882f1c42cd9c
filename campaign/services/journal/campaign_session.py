"""Load, change and write a campaign's journal, state and each side's knowledge."""

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from django.db import transaction
from django.utils import timezone

from battles import journal
from battles.contract.brief import Brief, Side
from battles.core.decoding import digest, encode
from battles.core.dice import DiceWanted, HandDice
from battles.core.game import Outcome
from battles.journal import Damaged, Refused, Stale, pack
from campaign import rules, serialization
from campaign.access import fog_of_war, selectors
from campaign.models import AT_TABLE, Campaign, Entry, Knowledge, Snapshot
from campaign.rules import sight
from campaign.rules.combat.hand_off import is_at_same_place
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.events import AnyEvent, HandedOver, MonthBegan, PhaseBegan
from campaign.rules.core.questions import ToFight
from campaign.rules.core.state import TABLETOP, Phase, State
from campaign.rules.prose.questions import describe_question, name_battle
from campaign.rules.prose.situation import describe_result
from campaign.services import pending_battle
from campaign.services.journal import dice
from campaign.services.journal.rules_edition import check_playable
from campaign.services.turns import timetable
from campaign.signals import battle_moved_on
from ops import logging_setup, metrics

# Store what each side knows, in the transaction in which it happens.


def begin_knowledge(campaign: Campaign, state: State) -> None:
    """Store both sides' knowledge at the beginning of the campaign; nothing without fog of war."""
    if campaign.fog:
        for side in Side:
            _write(campaign, fog_of_war.month_of(state), sight.initial_knowledge(state, side))


def keep_knowledge(
    campaign: Campaign,
    before: bytes | memoryview,
    entries: Sequence[Entry],
    played: Sequence[Outcome],
) -> None:
    """Store what both sides have learnt from the outcomes, one row for each month.

    `before` is the packed state from which they were played. Without fog of war nothing is stored.
    """
    if not (campaign.fog and entries):
        return
    state = serialization.state_of(before)
    month = fog_of_war.month_of(state)
    both = [_known_before(campaign, side, month, entries[0].number) for side in Side]
    for outcome in played:
        for event in outcome.events:
            rules.fold(state, [event])
            if fog_of_war.month_of(state) != month:
                _write_all(campaign, month, both)
                month = fog_of_war.month_of(state)
            for knowledge in both:
                sight.learn(knowledge, state, event)
    _write_all(campaign, month, both)


def _known_before(campaign: Campaign, side: Side, month: int, before: int) -> sight.SideKnowledge:
    """Return the side's knowledge before that entry."""
    row = campaign.knowledge.filter(branch=campaign.branch, month=month, side=side).first()
    return (
        fog_of_war.known_in(row)
        if row
        else fog_of_war.knowledge_from_journal(campaign, side, month, before)
    )


def _write_all(campaign: Campaign, month: int, both: Sequence[sight.SideKnowledge]) -> None:
    for knowledge in both:
        _write(campaign, month, knowledge)


def _write(campaign: Campaign, month: int, knowledge: sight.SideKnowledge) -> None:
    Knowledge.objects.update_or_create(
        campaign=campaign,
        branch=campaign.branch,
        month=month,
        side=knowledge.side,
        defaults={"document": pack(encode(knowledge))},
    )


# Load, change and write a campaign's journal and state; no other module writes them.
#
# A session loads the state, carries actions out in memory, and writes entries, state, search
# columns, snapshots and seals in one transaction, if nobody else has written since.


logger = logging.getLogger(__name__)
SEARCHED = (
    *("month", "side", "phase", "waiting_for", "awaited", "finished", "outcome"),
    *("battle", "battle_title", "battle_due"),
)
WRITTEN = ("head", "branch", "document", "document_hash", *SEARCHED)
Decision = Callable[[Campaign], AnyAction]


def perform(
    campaign_id: int,
    actor: str,
    action: AnyAction | Decision,
    *,
    expected_head: int | None = None,
    key: str = "",
) -> Entry:
    """Carry out one action, commit it, and return its entry.

    `expected_head` is the last entry when the actor looked (0: none); raises Stale if it is not the
    last any more. `key` is an idempotency key: if an entry has it already, that entry is returned
    and nothing happens. Instead of the action a function may be given, which is called with the
    locked campaign: it returns the action, and raises where the actor may not act. Raises
    IllegalAction, and then nothing has changed; DiceAwaited where dice are thrown by hand, and then
    the action happens once they are typed in; DiceFirst while another action waits for dice.
    """
    with transaction.atomic():
        campaign = journal.lock_record(Campaign.objects.all(), campaign_id)
        if key and (repeated := campaign.entries.filter(key=key).first()):
            return _same(repeated, action(campaign) if callable(action) else action)
        if expected_head is not None and expected_head != (campaign.head_id or 0):
            raise Stale(
                "The campaign has gone on since you looked; nothing was changed. "
                "Look at it as it stands now, and decide again."
            )
        decided = action(campaign) if callable(action) else action
        dice.check_free(campaign, decided)
        session = CampaignSession(campaign)
        entry = session.try_to_play(actor, decided, key)
        session.write(campaign)
        if _is_for_a_book(campaign, session.state):
            send = partial(battle_moved_on.send, Campaign, campaign_id=campaign_id)
            transaction.on_commit(partial(send, battle=campaign.battle))
    if entry is None:
        # Raised after the commit, which has stored the awaited throw.
        raise dice.pending_dice_message(campaign, campaign.throw)
    return entry


def _same(repeated: Entry, action: AnyAction) -> Entry:
    if journal.unpack(repeated.action) != encode(action):
        raise Refused("Another action was sent with the same key; choose a new key for this one.")
    return repeated


def _is_for_a_book(campaign: Campaign, state: State) -> bool:
    """Return whether a live campaign has come to a battle that its book fights by itself."""
    live, question = campaign.mode == Campaign.Mode.LIVE, state.question
    return live and isinstance(question, ToFight) and question.resolution != TABLETOP


def _count_written(entries: int, months: int) -> None:
    metrics.ENTRIES.inc(entries)
    metrics.MONTHS.inc(months)
    logger.info("%s written", f"{entries} entries" if entries > 1 else "1 entry")


class CampaignSession:
    """A campaign in memory, with the entries that have been played and not yet written."""

    def __init__(self, campaign: Campaign) -> None:
        check_playable(campaign)
        self.campaign_id, self._rules = campaign.pk, campaign.rules
        self.state = serialization.state_of(campaign.document, campaign.document_hash)
        self.entries: list[Entry] = []
        self.outcomes: list[Outcome] = []
        self._head = campaign.head_id
        self._at = journal.position(Entry.objects.all(), campaign.head_id)
        self._branch = campaign.branch
        logging_setup.set_log_context(campaign=campaign.slug, entry=self._stands_at())
        over = self.state.result is not None
        self._key = b"" if over else dice.key_of_month(campaign, self.state.month)
        self.by_hand = dice.typed_in(campaign)
        self._waiting: dice.PendingThrow | None = None
        self._begin(campaign)

    @property
    def head(self) -> int:
        """Return the last entry that is written (0: none)."""
        return self._head or 0

    def _stands_at(self) -> str:
        """Return branch and number of the last entry, for the log."""
        return f"{self._branch}.{self._at.number}"

    def _begin(self, campaign: Campaign) -> None:
        """Forget the entries played so far: they have been written."""
        self._before = campaign.document
        self._played_in = self.state.month, self.state.phase
        self.entries, self.outcomes = [], []

    def play(self, actor: str, action: AnyAction, key: str = "") -> Entry:
        """Carry the action out in memory and return its entry, which is not written yet.

        Raises DiceWanted, with nothing changed, where dice are thrown by hand and more are needed
        than `by_hand` holds.
        """
        state = self.state
        entry = Entry(
            campaign_id=self.campaign_id,
            branch=self._branch,
            month=state.month,
            side=state.question.side if state.question else "",
            actor=actor,
            rules=self._rules,
            key=key or None,
            created=timezone.now(),
        )
        outcome = self._carry_out(actor, action, key)
        journal.follow(self._at, serialization.write(entry, action, outcome))
        self._at = journal.JournalPosition(entry.number, entry.hash)
        self.entries.append(entry)
        self.outcomes.append(outcome)
        return entry

    def try_to_play(self, actor: str, action: AnyAction, key: str = "") -> Entry | None:
        """Return the entry as `play` does, or None where the action waits for dice.

        The waiting action is written with the rest.
        """
        try:
            return self.play(actor, action, key)
        except DiceWanted:
            return None

    def _carry_out(self, actor: str, action: AnyAction, key: str) -> Outcome:
        if self.by_hand is None:
            thrown = dice.entry_dice(self._key, self._branch, self._at.number + 1)
            return rules.play(self.state, action, thrown)
        # `apply` works on a copy: only when the faces typed in suffice may `play` change the state.
        try:
            rules.apply(self.state, action, HandDice(*self.by_hand))
        except DiceWanted as missing_dice:
            self._waiting = dice.PendingThrow(actor, action, key, self.by_hand, missing_dice)
            raise
        thrown_dice = HandDice(*self.by_hand)
        outcome = rules.play(self.state, action, thrown_dice)
        self.by_hand = thrown_dice.left
        return serialization.thrown_by_hand(outcome)

    def commit(self, inside: Callable[[list[Outcome]], None] = lambda outcomes: None) -> None:
        """Write what has been played, and call `inside` in the same transaction.

        Raises Stale when somebody else has written to the campaign; then what was played is lost,
        and the session cannot be used any more.
        """
        with transaction.atomic():
            campaign = journal.lock_record(Campaign.objects.all(), self.campaign_id)
            inside(self.outcomes)
            self.write(campaign)

    def write(self, campaign: Campaign) -> None:
        """Write the entries played, and the throw that is awaited, to the locked campaign."""
        if self.entries:
            dice.forget_dice(campaign)
            self._write_entries(campaign)
        if self._waiting is not None:
            dice.ask_for_dice(campaign, self._waiting)

    def _write_entries(self, campaign: Campaign) -> None:
        document = encode(self.state)
        journal.append(campaign, self.entries, document, expected=self._head)
        set_columns(campaign, self.state)
        pending_battle.update_battle_clock(campaign, self.state)
        campaign.save(update_fields=WRITTEN)
        month, phase = self._played_in
        set_up = phase is Phase.SET_UP and self.state.phase is not phase
        if set_up or month != self.state.month:
            Snapshot.objects.bulk_create(self._snapshots(document))
        self._turn_seals(campaign, month)
        timetable.open_deadline(campaign)
        keep_knowledge(campaign, self._before, self.entries, self.outcomes)
        self._head = campaign.head_id
        logging_setup.set_log_context(entry=self._stands_at())
        transaction.on_commit(partial(_count_written, len(self.entries), campaign.month - month))
        self._begin(campaign)

    def _turn_seals(self, campaign: Campaign, played_in: int) -> None:
        """Publish the dice of the month that is over and seal those of the one that has begun."""
        over = self.state.result is not None
        if not over and self.state.month == played_in:
            return
        dice.close_month(campaign, played_in)
        if not over:
            seal = dice.open_month(campaign, self.state.month)
            self._key = dice.key_under(campaign, seal)

    def _snapshots(self, document: bytes) -> list[Snapshot]:
        """Return the state as each month began.

        Raises Damaged if the events, folded again, do not give the state that was played.
        """
        state = serialization.state_of(self._before)
        rows = []
        for entry, outcome in zip(self.entries, self.outcomes, strict=True):
            rows += list(snapshots(state, entry, outcome.events))
        if encode(state) != document:
            raise Damaged("The events do not give the state that was played; nothing is written.")
        return rows


def snapshots(state: State, entry: Entry, events: tuple[AnyEvent, ...]) -> Iterator[Snapshot]:
    """Yield a snapshot for each month that begins in the entry, folding its events into `state`."""
    folded = 0
    for place, event in enumerate(events):
        if not isinstance(event, MonthBegan | PhaseBegan):
            continue
        rules.fold(state, events[folded:place])
        folded = place
        month = _month_begun(state, event)
        if month is not None:
            yield snapshot(state, entry.campaign_id, month, entry=entry, skip=place)
    rules.fold(state, events[folded:])


def snapshot(
    state: State, campaign_id: int, month: int, *, entry: Entry | None = None, skip: int = 0
) -> Snapshot:
    """Return the state as a snapshot that is not saved yet."""
    document = encode(state)
    return Snapshot(
        campaign_id=campaign_id,
        entry=entry,
        skip=skip,
        month=month,
        document=journal.pack(document),
        document_hash=digest(document),
    )


def _month_begun(state: State, event: MonthBegan | PhaseBegan) -> int | None:
    """Return the month that the event begins; the first month begins when the set-up is over."""
    if isinstance(event, MonthBegan):
        return event.month
    return state.month if state.phase is Phase.SET_UP else None


def _awaited_side(state: State) -> str:
    """Return the side that is asked; AT_TABLE for a battle that is fought at a table."""
    if isinstance(state.question, ToFight) and state.question.resolution == TABLETOP:
        return AT_TABLE
    return state.question.side.value if state.question else ""


def set_columns(campaign: Campaign, state: State) -> None:
    """Set the campaign's search columns from the state."""
    campaign.month, campaign.side, campaign.phase = state.month, state.side, state.phase
    _name_question(campaign, state)
    campaign.awaited = _awaited_side(state)
    campaign.finished = state.result is not None
    result = state.result
    campaign.outcome = describe_result(result, state.score)[:300] if result else ""


def _name_question(campaign: Campaign, state: State) -> None:
    """Set what the campaign waits for, in words, and the title of a battle."""
    question, attack, title = state.question, 1, ""
    if isinstance(question, ToFight):
        attack = _attacks(campaign, question.brief)
        title = name_battle(question.brief, attack)
    waiting_for = describe_question(state, attack) if question else ""
    campaign.waiting_for, campaign.battle_title = waiting_for[:300], title[:200]


def _attacks(campaign: Campaign, brief: Brief) -> int:
    """Return how many battles at that place were handed over this month, with this one."""
    if campaign._state.adding:  # one that begins at a battle has no journal yet
        return 1
    entries = selectors.entries_on(campaign).filter(month=campaign.month)
    events = (event for entry in entries for event in serialization.events_of(entry))
    battles = {event.battle for event in events if isinstance(event, HandedOver)}
    return len({brief.id} | {battle for battle in battles if is_at_same_place(brief, battle)})
