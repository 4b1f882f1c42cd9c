"""Advance a campaign: play its months phase by phase, each committed as it is finished.

Every seat's questions are answered by its order sheet, by the staff that holds it or, in live play,
by the person who sits there; the month waits for that person.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from django.db import transaction

from battles.core.dice import DiceWanted
from battles.core.game import IllegalAction, Outcome
from campaign.access import selectors
from campaign.access.staff_sides import plays_both_sides
from campaign.models import Campaign
from campaign.rules.core.questions import ToFight
from campaign.rules.core.state import TABLETOP
from campaign.services.battle_reports import fight_out
from campaign.services.errors import NotAwaited, Refused, Stale
from campaign.services.journal.campaign_session import CampaignSession
from campaign.services.journal.dice import DiceAwaited, DiceFirst
from campaign.services.turns.month_by_orders import Answerer, answerer_for
from campaign.simulations.campaign_runs import MOST_ACTIONS

Inside = Callable[[list[Outcome]], None]


def run_month(campaign_id: int, *, until: int, inside: Inside = lambda outcomes: None) -> Campaign:
    """Play until that month begins, the campaign ends, or it waits for somebody.

    Battles are fought by their books. The months stop at a battle that is fought by hand, at dice
    that are thrown by hand, at a live player's question, and while the campaign is adjourned. Every
    phase is committed as it is finished, and `inside` is called in the same transaction. After a
    crash, call it again: it resumes at the last committed phase. Returns where it stopped.
    """
    while True:
        head = None
        with suppress(Stale):
            head = _run_stretch(campaign_id, until, inside)
        campaign = Campaign.objects.get(pk=campaign_id)
        if head == (campaign.head_id or 0):
            return campaign


def run_phase(campaign_id: int, *, inside: Inside = lambda outcomes: None) -> Campaign:
    """Play one phase only; otherwise like `run_month`.

    A phase that somebody else has ended meanwhile is the one.
    """
    campaign = Campaign.objects.get(pk=campaign_id)
    until, phase = campaign.month + 1, (campaign.month, campaign.side, campaign.phase)
    while (campaign.month, campaign.side, campaign.phase) == phase:
        try:
            _run_stretch(campaign_id, until, inside)
            break
        except Stale:
            campaign = Campaign.objects.get(pk=campaign_id)
    return Campaign.objects.get(pk=campaign_id)


def _run_stretch(campaign_id: int, until: int, inside: Inside) -> int | None:
    """Play to the end of a phase, or fight a battle; return the last entry, where it must stop.

    0 stands for none. None is returned where there may be more to do. Raises Stale where somebody
    else has written meanwhile: what was played is dropped.
    """
    campaign = Campaign.objects.get(pk=campaign_id)
    head = campaign.head_id or 0
    if campaign.adjourned or campaign.finished:
        return head
    question = selectors.state_now(campaign).question
    if isinstance(question, ToFight):
        more = question.resolution != TABLETOP and _fight(campaign_id, inside)
        return None if more else head
    # Against a live player the staff also answers for its side in the month `until` itself.
    is_live = campaign.mode == Campaign.Mode.LIVE
    answers_on = is_live and not plays_both_sides(campaign, campaign.seats.all())
    if campaign.month >= until + answers_on:
        return head
    return _play(campaign, answerer_for(campaign, partial(inside, [])), inside)


def _play(campaign: Campaign, answering: Answerer, inside: Inside) -> int | None:
    """Play to the end of a phase and commit it; return as `_run_stretch`. Raises Stale."""
    session = CampaignSession(campaign)
    try:
        finished = play_phase(session, answering)
    except DiceWanted:
        finished = False
    if not session.entries and finished:
        return session.head
    session.commit(partial(_write, inside, answering, session))
    return None if finished else session.head


def _write(
    inside: Inside, answering: Answerer, session: CampaignSession, outcomes: list[Outcome]
) -> None:
    answering.write(session.state)
    inside(outcomes)


def _fight(campaign_id: int, inside: Inside) -> bool:
    """Have the battle fought by its book; return whether there may be more to do.

    There is not where dice are awaited that are thrown by hand. A battle that somebody else has
    settled meanwhile is no error.
    """
    with transaction.atomic():
        inside([])
    try:
        fight_out(campaign_id)
    except NotAwaited:
        return True
    except (DiceAwaited, DiceFirst):
        return False
    return True


def play_phase(session: CampaignSession, answering: Answerer) -> bool:
    """Answer questions until another phase begins or a battle must be fought; write nothing.

    Return False where somebody must be waited for before that. Raises DiceWanted where dice are
    thrown by hand, and Refused for an illegal answer.
    """
    state = session.state
    phase = state.month, state.side, state.phase
    for _ in range(MOST_ACTIONS):
        if state.question is None or (state.month, state.side, state.phase) != phase:
            return True
        if isinstance(state.question, ToFight):
            return True
        if not answering.has_answer(state):
            return False
        actor, action = answering.answer(state)
        try:
            session.play(actor, action)
        except IllegalAction as error:
            raise Refused(f"{actor} wanted what clause {error.clause} forbids: {error}") from error
    raise Refused(f"The {state.side} side comes to no end in its {state.phase} phase.")
