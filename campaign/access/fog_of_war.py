"""Show a campaign as a viewer may see it; every page reads through here."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256

from battles.contract.brief import Side
from battles.core.decoding import decode
from battles.journal import unpack
from campaign import rules, serialization
from campaign.access import selectors
from campaign.access.selectors import Anybody, Despatch
from campaign.access.staff_sides import plays_both_sides
from campaign.models import Campaign, Job, Knowledge, Seat
from campaign.rules import sight
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.questions import ToFight, ToSetUp
from campaign.rules.core.state import MarchUnderWay, Phase, State
from campaign.rules.prose.questions import describe_question, describe_turn, side_asked
from campaign.rules.sight import Onlooker, View, Viewer
from campaign.services import pending_battle
from campaign.services.journal import dice

# Show a campaign as a viewer may see it; every page and interface reads through this module.
#
# Everything is visible without fog of war, to the umpire, and once the campaign is over. Those who
# play neither side see a whole month, once it is as old as the campaign's `public_delay`.


KEPT = 128
"""The number of views a process caches: some tens of megabytes at most."""
UNHEARD = "Spectators see battles when the campaign is over."


@dataclass(frozen=True)
class CampaignKey:
    """A campaign as a cache key: two are equal when `key`, all that the result needs, is equal."""

    campaign: Campaign = field(compare=False)
    key: tuple[object, ...]


def viewer_of(user: Anybody, campaign: Campaign) -> Viewer:
    """Return the user's viewer: a side, the umpire, who sees all, or the public."""
    return viewer_of_roles(selectors.role_of(user, campaign))


def viewer_of_roles(roles: set[str]) -> Viewer:
    """Return the viewer of a user with these roles.

    A user who plays both sides sees everything.
    """
    if Seat.Role.UMPIRE in roles or roles.issuperset(Seat.SIDES):
        return Onlooker.UMPIRE
    return next((side for side in Side if side in roles), Onlooker.PUBLIC)


def may_see_all(user: Anybody, campaign: Campaign) -> bool:
    """Return whether nothing is hidden from the user."""
    return sees_all(campaign, viewer_of(user, campaign))


def sees_all(campaign: Campaign, viewer: Viewer) -> bool:
    """Return whether nothing is hidden from the viewer."""
    return not campaign.fog or campaign.finished or viewer is Onlooker.UMPIRE


def sees_any(campaign: Campaign, viewer: Viewer) -> bool:
    """Return whether the viewer sees any stack at all: onlookers do not while the fog lasts."""
    return sees_all(campaign, viewer) or isinstance(viewer, Side)


def sees_month(campaign: Campaign, viewer: Viewer, month: int) -> bool:
    """Return whether nothing of that month is hidden from the viewer.

    This is the only rule for the delay of the public: map, film, figures, despatches and events
    all ask here, or read up to `last_public_month`.
    """
    late = viewer is Onlooker.PUBLIC and month <= last_public_month(campaign)
    return late or sees_all(campaign, viewer)


def last_public_month(campaign: Campaign) -> int:
    """Return the last month that the public sees; before the set-up while there is none.

    It is always over, whatever the delay.
    """
    if campaign.phase == Phase.SET_UP:
        return campaign.first_month - 2
    return campaign.month - max(1, campaign.public_delay)


def month_to_watch(campaign: Campaign, viewer: Viewer) -> int:
    """Return the month of the campaign's page: the present one, or the last the public sees."""
    if sees_any(campaign, viewer):
        return campaign.month
    last = last_public_month(campaign)
    return last if last >= campaign.first_month - 1 else campaign.month


def view_now(campaign: Campaign, viewer: Viewer) -> View:
    """Return the campaign as it stands, as far as the viewer may see it.

    The view is cached and shared: do not change it.
    """
    return view_at(campaign, campaign.month, viewer)


def view_for(user: Anybody, campaign: Campaign) -> View:
    """Return the campaign as the user may see it now; do not change it."""
    return view_now(campaign, viewer_of(user, campaign))


def view_at(campaign: Campaign, month: int, viewer: Viewer) -> View:
    """Return the view at the end of that month, with the knowledge of then. Raises NoSuchMonth."""
    # A view in memory was read on its campaign's map; hexes are named by that of another since.
    serialization.play_on_map_of(campaign)
    return _view(view_key(campaign, viewer), month, viewer)


def view_key(campaign: Campaign, viewer: Viewer) -> CampaignKey:
    """Return the cache key of what the viewer may see of the campaign at its head."""
    hidden = not sees_all(campaign, viewer)
    head = campaign.branch, campaign.head_id, campaign.document_hash
    return CampaignKey(campaign, (campaign.pk, *head, hidden, campaign.public_delay))


@lru_cache(maxsize=KEPT)
def _view(view_key: CampaignKey, month: int, viewer: Viewer) -> View:
    campaign = view_key.campaign
    state = selectors.state_at(campaign, month)
    knowledge = None if sees_month(campaign, viewer, month) else known_to(campaign, month, viewer)
    return sight.visible_campaign(state, viewer, knowledge)


def view_as_believed(
    campaign: Campaign, month: int, viewer: Viewer, truth: State | None = None
) -> View:
    """Return the end of the month as that side, or the public, believed it to be.

    The belief counts even after everything is known; without fog it is the truth. `truth` is the
    state at the end of the month, for a caller who has it.
    """
    knowledge = known_to(campaign, month, viewer) if _is_hidden_from(campaign, viewer) else None
    state = selectors.state_at(campaign, month) if truth is None else truth
    return sight.visible_campaign(state, viewer, knowledge)


def readers(campaign: Campaign, month: int, viewer: Viewer) -> tuple[sight.SideKnowledge, ...]:
    """Return the knowledge of all who must learn of an event before that gazette may print it.

    It is empty without fog, and for the public's gazette once the campaign is over.
    """
    if not _is_hidden_from(campaign, viewer) or (
        campaign.finished and not isinstance(viewer, Side)
    ):
        return ()
    return tuple(audience(campaign, month, viewer))


def _is_hidden_from(campaign: Campaign, viewer: Viewer) -> bool:
    return campaign.fog and viewer is not Onlooker.UMPIRE


def known_to(campaign: Campaign, month: int, viewer: Viewer) -> sight.SideKnowledge:
    """Return the side's knowledge at the end of the month; for others, what both sides agree on."""
    if isinstance(viewer, Side):
        return knowledge_of(campaign, viewer, month)
    both = [knowledge_of(campaign, side, month) for side in Side]
    return sight.SideKnowledge(Side.EGYPTIAN, held=sight.agreed_control(*both))


def knowledge_of(campaign: Campaign, side: Side, month: int) -> sight.SideKnowledge:
    """Return the side's knowledge at the end of the month, or now for the current month.

    The month before the first is the set-up. Knowledge that was not stored, as after a rewind, is
    worked out from the journal.
    """
    last = month == campaign.month or campaign.phase == Phase.SET_UP
    month = campaign.first_month - 1 if campaign.phase == Phase.SET_UP else month
    line = [stretch.branch for stretch in selectors.line_of(campaign)]
    branches = [campaign.branch] if last else line
    rows = campaign.knowledge.filter(branch__in=branches, month=month, side=side)
    row = rows.order_by("-branch").first()
    return known_in(row) if row else knowledge_from_journal(campaign, side, month)


def known_in(row: Knowledge) -> sight.SideKnowledge:
    """Return the stored knowledge."""
    return decode(unpack(row.document), sight.SideKnowledge)


def knowledge_from_journal(
    campaign: Campaign, side: Side, month: int, before: int | None = None
) -> sight.SideKnowledge:
    """Work out the side's knowledge at the end of the month, or before that entry."""
    state, entries = selectors.since_beginning(campaign, month)
    knowledge = known_at_beginning(campaign, side, month)
    for entry, events in entries:
        if entry.number == before:
            break
        for event in events:
            rules.fold(state, [event])
            if month_of(state) != month:
                return knowledge
            sight.learn(knowledge, state, event)
    return knowledge


def month_of(state: State) -> int:
    """Return the month under which present knowledge is stored: the set-up has its own."""
    return state.month - (state.phase is Phase.SET_UP)


def stamp(campaign: Campaign, seats: Iterable[Seat], viewer: Viewer) -> str:
    """Return a digest of everything that the page of a live campaign shows the viewer.

    Both sides receive theirs, so it is made without the hidden state: that follows from branch and
    head.
    """
    shown = [getattr(campaign, name) for name in Campaign.STAMPED]
    holders = sorted((seat.pk, seat.role, seat.user_id or 0, seat.staff) for seat in seats)
    parts = shown, holders, awaits_dice(campaign, viewer)
    return sha256(repr(parts).encode()).hexdigest()[:32]


def awaits_dice(campaign: Campaign, viewer: Viewer) -> bool:
    """Return whether an answer waits for dice thrown by hand, as far as the viewer may know.

    In a fog the enemy of the side that has answered is not told.
    """
    may_know = sees_all(campaign, viewer) or campaign.awaited == viewer
    return may_know and dice.waiting_throw(campaign) is not None


def waiting_for(campaign: Campaign, viewer: Viewer) -> str:
    """Return what the campaign waits for, in words the viewer may read; "" when it is over."""
    if campaign.adjourned and not campaign.finished:
        return "The campaign is adjourned until its umpire resumes it."
    if awaits_dice(campaign, viewer):
        return "Dice that the umpire throws by hand."
    if _is_by_sheets(campaign, viewer):
        return _awaited_by_sheets(campaign)
    if not campaign.battle and _staff_is_asked(campaign):
        return _awaited_of_staff(campaign)
    is_told = campaign.battle and sees_any(campaign, viewer)
    if is_told or campaign.finished or sees_all(campaign, viewer):
        return campaign.waiting_for
    return _question_as_seen(view_now(campaign, viewer).state, viewer)


def _question_as_seen(state: State, viewer: Viewer) -> str:
    """Return the open question in words; of one to the other side only that it has to answer."""
    if state.question is None:
        return ""
    is_shown = state.question.side is viewer or isinstance(state.question, ToFight | ToSetUp)
    return describe_question(state) if is_shown else describe_turn(state, state.question.side)


def awaited_side(campaign: Campaign, viewer: Viewer) -> Side | None:
    """Return the side that has to answer; None while orders, a battle or the staff is awaited."""
    if campaign.finished or campaign.adjourned or _is_by_sheets(campaign, viewer):
        return None
    is_told = campaign.battle and sees_any(campaign, viewer)
    if is_told or (not campaign.battle and _staff_is_asked(campaign)):
        return None
    if sees_all(campaign, viewer):
        return Side(campaign.awaited) if campaign.awaited else None
    question = view_now(campaign, viewer).state.question
    return question.side if question else None


def _awaited_by_sheets(campaign: Campaign) -> str:
    month = month_name(Month(campaign.month))
    begun = (campaign.side, campaign.phase) != (Side.EGYPTIAN, Phase.REINFORCEMENT)
    if not begun:
        return f"Orders for {month}."
    progress = "its umpire plays it on" if campaign.umpire_id else "it is being played"
    return f"The rest of {month}: {progress}."


def _awaited_of_staff(campaign: Campaign) -> str:
    if plays_both_sides(campaign, campaign.seats.all()):
        when = " when its umpire runs it" if campaign.umpire_id else ""
        return f"The computer’s staff plays {month_name(Month(campaign.month))}{when}."
    return f"The computer’s staff has to act for {side_asked(Side(campaign.awaited))}."


def _is_by_sheets(campaign: Campaign, viewer: Viewer) -> bool:
    """Return whether the campaign goes on by order sheets, as far as the viewer may know.

    It does not during the set-up, nor while it waits for a battle.
    """
    awaits_battle = campaign.battle and sees_any(campaign, viewer)
    goes_on = not (campaign.finished or awaits_battle or campaign.phase == Phase.SET_UP)
    return goes_on and campaign.mode == Campaign.Mode.ORDERS


def _staff_is_asked(campaign: Campaign) -> bool:
    """Return whether the side that is asked is the staff's, so that nobody waits for a person."""
    if campaign.finished or campaign.awaited not in Seat.SIDES:
        return False
    by_staff = campaign.mode == Campaign.Mode.STAFF
    if by_staff and campaign.phase != Phase.SET_UP:
        return True
    seats = [seat for seat in campaign.seats.all() if seat.role == campaign.awaited]
    if any(seat.user_id is not None and not seat.staff for seat in seats):
        return False
    return by_staff or any(seat.staff for seat in seats)


def state_to_answer(campaign: Campaign, side: Side | None) -> State | None:
    """Return the state as the side supposes it; None unless a question is put to the side."""
    if side is None or campaign.adjourned:
        return None
    state = sight.supposed_state(view_now(campaign, side))
    return state if state.question is not None and state.question.side is side else None


def state_of_combat(campaign: Campaign, viewer: Viewer) -> State | None:
    """Return the state to reckon the odds of the awaited battle from, as the viewer knows it.

    Of an enemy's march nothing is known but the hex from which it attacks. None without a battle.
    """
    if not campaign.battle or not sees_any(campaign, viewer):
        return None
    state = sight.supposed_state(view_now(campaign, viewer))
    if state.combat is None:
        return None
    if state.march is None:
        attacker = state.combat.attacker
        state.march = MarchUnderWay(list(attacker.units), [attacker.hex])
    return state


def battle_awaited(campaign: Campaign, viewer: Viewer) -> pending_battle.PendingBattle | None:
    """Return the awaited battle: both sides know of it, onlookers under fog do not."""
    return selectors.battle_awaited(campaign) if sees_any(campaign, viewer) else None


def despatches(campaign: Campaign, month: int, viewer: Viewer) -> list[Despatch]:
    """Return the month's despatches that have reached the viewer; the public's come late.

    Raises NoSuchMonth as `selectors.despatches`.
    """
    if sees_month(campaign, viewer, month):
        return selectors.despatches(campaign, month)
    if not isinstance(viewer, Side):
        return []
    return selectors.despatches(campaign, month, tuple(audience(campaign, month, viewer)))


def hears_late(campaign: Campaign, viewer: Viewer) -> bool:
    """Return whether news reaches the viewer only after some months."""
    return not sees_any(campaign, viewer)


def job_message(job: Job, viewer: Viewer) -> str:
    """Return the job's message, in words that reveal nothing hidden from the viewer."""
    if sees_all(job.campaign, viewer):
        return job.message
    if job.status == Job.Status.FAILED:
        if job.campaign.umpire_id is None:
            return "The month could not be played to its end. What was played is kept."
        return "It could not be done. The umpire can read why."
    if job.battle not in ("", dice.DICE) and sees_any(job.campaign, viewer):
        return "The month has stopped at a battle, and goes on when that is fought."
    return "It is done." if job.finished else ""


def audience(campaign: Campaign, month: int, viewer: Viewer) -> Iterator[sight.SideKnowledge]:
    """Yield, as of the month's beginning, the knowledge of all who must learn of an event.

    An event reaches the viewer only if all of them learn of it.
    """
    for side in [viewer] if isinstance(viewer, Side) else Side:
        yield known_at_beginning(campaign, side, month)


def known_at_beginning(campaign: Campaign, side: Side, month: int) -> sight.SideKnowledge:
    """Return the side's knowledge as the month began; the set-up began with the campaign."""
    if month >= campaign.first_month and campaign.phase != Phase.SET_UP:
        return knowledge_of(campaign, side, month - 1)
    state, _ = selectors.since_beginning(campaign, month)
    return sight.initial_knowledge(state, side)
