"""The umpire's rulings and log, the settings of a campaign, and dice thrown by hand.

A ruling that an umpire is composing is kept until it is given or discarded.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction

from battles import journal
from battles.core.decoding import decode, encode
from battles.core.dice import DiceWanted, ImpossibleFace
from battles.core.game import IllegalAction
from campaign import rules
from campaign.access import permissions, selectors
from campaign.models import Campaign, Entry, Throw, UmpireLogEntry, UnfinishedRuling
from campaign.rules.core.actions import Fight, Reported, Ruled
from campaign.rules.core.events import AnyEvent, Toss
from campaign.rules.core.state import State
from campaign.rules.prose.situation import describe_ruling
from campaign.rules.umpire_rulings import after
from campaign.serialization import action_in
from campaign.services.battle_reports import BY_BOOK
from campaign.services.errors import (
    CampaignOver,
    NotAllowed,
    NotAwaited,
    Refused,
    Stale,
    UnderWay,
    UnfitRequest,
    visible,
)
from campaign.services.journal import dice
from campaign.services.journal.campaign_session import CampaignSession, perform
from campaign.services.journal.creation import NEVER, checked_title, known_delay, known_level
from campaign.services.turns.advance_jobs import resume_after_battle
from campaign.services.turns.live import let_staff_answer
from campaign.signals import battle_moved_on
from campaign.staff.levels import TEXTS, Level

# The umpire log: decisions outside the journal, readable by everybody.


LONGEST = 500


def umpire_of(campaign: Campaign, user: User) -> str:
    """Return the umpire's signature for entries. Raises NotAllowed for a user who is no umpire."""
    if not permissions.may_advance(user, campaign):
        raise NotAllowed("Only an umpire of this campaign may do that.")
    return f"umpire:{user.get_username()}"


def lock_as_umpire(campaign_id: int, user: User) -> tuple[Campaign, str]:
    """Return the campaign, locked, and the umpire's signature. Raises NotAllowed."""
    campaign = journal.lock_record(Campaign.objects.all(), campaign_id)
    return campaign, umpire_of(campaign, user)


def reason_given(reason: str) -> str:
    """Return the reason, tidied. Raises UnfitRequest if it is missing or too long for the log."""
    words = " ".join(visible(reason, "reason").split())
    if not words:
        raise UnfitRequest("Give the reason: everybody can read it.", "reason")
    if len(words) > LONGEST - 200:
        raise UnfitRequest(f"Give the reason in {LONGEST - 200} letters or fewer.", "reason")
    return words


def log_entry(campaign: Campaign, by: str, text: str) -> UmpireLogEntry:
    """Write an entry into the umpire log; everybody who sees the campaign can read it."""
    return UmpireLogEntry.objects.create(campaign=campaign, by=by, said=text, month=campaign.month)


# Preview an umpire's ruling, and write it into the journal.


class PreviewedRuling(NamedTuple):
    """The effect of a ruling: the position before and after it, and the difference in words."""

    before: State
    after: State
    effects: tuple[str, ...]


def preview(campaign: Campaign, user: User, ruling: Ruled) -> PreviewedRuling:
    """Return the effect of the ruling; no dice are thrown and nothing is written.

    Raises NotAllowed, CampaignOver, and IllegalAction for an impossible ruling.
    """
    umpire_of(campaign, user)
    if campaign.finished:
        raise CampaignOver("The campaign is over: go back to before its end to rule on it.")
    before = selectors.state_now(campaign)
    rules.check(before, ruling)
    sentences = describe_ruling(decode(encode(before), State), ruling)
    return PreviewedRuling(before, after(before, ruling.events), tuple(sentences))


def rule(
    campaign_id: int,
    user: User,
    ruling: Ruled,
    *,
    expected_head: int | None = None,
    faces: tuple[int, ...] = (),
) -> Entry:
    """Carry out the ruling, commit it, and return its entry.

    `faces` are dice that were thrown by hand for it; without them the campaign's own are thrown.
    An action that waited for dice waits again, or is dropped where the ruling makes it impossible.
    Raises NotAllowed, Stale (others have acted since the umpire looked), UnderWay, UnfitRequest for
    dice that do not fit, and IllegalAction for an impossible ruling; then nothing has changed.
    """
    with transaction.atomic():
        campaign, actor = lock_as_umpire(campaign_id, user)
        _check_free(campaign, expected_head)
        _check_toss_faces(ruling.toss, faces)
        session, throw = CampaignSession(campaign), dice.waiting_throw(campaign)
        if faces or session.by_hand is not None:
            session.by_hand = faces
        entry = _play(session, actor, ruling)
        if session.by_hand:
            wanted = len(faces) - len(session.by_hand)
            raise UnfitRequest(
                f"This ruling wants {wanted or 'no'} {'die' if wanted == 1 else 'dice'}, and you "
                f"typed in {len(faces)}.",
                "faces",
            )
        session.write(campaign)
        _go_on_after_commit(campaign, throw)
    return entry


def _play(session: CampaignSession, by: str, ruling: Ruled) -> Entry:
    try:
        return session.play(by, ruling)
    except DiceWanted as missing:
        raise UnfitRequest(
            f"Type in every die that this ruling wants: {missing.count} more of {missing.sides} "
            f"faces{f' for {missing.reason}' if missing.reason else ''}.",
            "faces",
        ) from missing
    except ImpossibleFace as face:
        raise UnfitRequest(f"Look at the dice again: {face}.", "faces") from face


def _check_free(campaign: Campaign, expected_head: int | None) -> None:
    if expected_head is not None and expected_head != (campaign.head_id or 0):
        raise Stale(
            "The campaign has gone on since you looked; nothing was ruled. Look at what your "
            "ruling would do to it now."
        )
    if selectors.job_under_way(campaign):
        raise UnderWay("The month is being advanced; wait until that is done, then rule.")


def _check_toss_faces(toss: Toss | None, faces: tuple[int, ...]) -> None:
    if toss is None or not faces:
        return
    if len(faces) < toss.count or not all(1 <= face <= toss.sides for face in faces[: toss.count]):
        raise UnfitRequest(
            f"Type in what the dice showed ({toss.count} of 1 to {toss.sides}), or leave them to "
            "the campaign’s own dice.",
            "faces",
        )


# Rename and publish a campaign as its umpire.


@transaction.atomic
def rename_campaign(campaign_id: int, user: User, title: str) -> Campaign:
    """Give the campaign another title; its slug, and so its addresses, stay.

    Raises NotAllowed, and UnfitRequest for an empty or overlong title or one with invisible
    characters.
    """
    campaign, actor = lock_as_umpire(campaign_id, user)
    new_title = checked_title(title)
    note = f"The campaign “{campaign.title}” is called “{new_title}” from now on."
    change_setting(campaign, actor, "title", new_title, note)
    return campaign


def change_setting(campaign: Campaign, by: str, name: str, value: object, text: str) -> bool:
    """Store a setting and note it in the umpire log; return whether it was another before."""
    if getattr(campaign, name) == value:
        return False
    setattr(campaign, name, value)
    campaign.save(update_fields=[name])
    log_entry(campaign, by, text)
    return True


@transaction.atomic
def set_public(campaign_id: int, user: User, *, public: bool) -> Campaign:
    """Let everyone watch the campaign, or only those with a seat. Raises NotAllowed."""
    campaign, actor = lock_as_umpire(campaign_id, user)
    audience = "everyone" if public else "only those with a seat"
    note = f"From now on {audience} may watch the campaign."
    change_setting(campaign, actor, "public", public, note)
    return campaign


@transaction.atomic
def set_public_delay(campaign_id: int, user: User, months: int) -> Campaign:
    """Let the public learn of a month so many months later; NEVER: when the campaign is over.

    Raises NotAllowed and UnfitRequest.
    """
    campaign, actor = lock_as_umpire(campaign_id, user)
    months = known_delay(months)
    when = "when the campaign is over" if months == NEVER else f"{months} months later"
    when = "one month later" if months == 1 else when
    note = f"From now on the public learns of a month {when}."
    change_setting(campaign, actor, "public_delay", months, note)
    return campaign


@transaction.atomic
def set_staff_level(campaign_id: int, user: User, level: str) -> Campaign:
    """Let the computer's staff play at another level from now on.

    Raises NotAllowed and UnfitRequest.
    """
    campaign, actor = lock_as_umpire(campaign_id, user)
    level = known_level(level)
    note = f"From now on the computer’s staff plays as: {TEXTS[Level(level)].title.lower()}."
    change_setting(campaign, actor, "staff_level", level, note)
    return campaign


# Type in dice that an umpire has thrown by hand, and continue what waited for them.


PLAYED_BY_JOBS = ("staff:", "sheet:", BY_BOOK)
"""The prefixes of actors for whom a job plays: resumed, it does what waited for the dice.

What a person has asked for is not a job's to do. In live play a job waits for that person, and
would leave the dice that have been typed in where they are.
"""


def type_in(
    campaign_id: int, user: User, faces: Sequence[int], *, expected: int | None = None
) -> Throw | None:
    """Enter the faces of the awaited throw; return the next throw that is awaited, if any.

    `expected` is how many faces had been typed in when the umpire looked. The waiting action is
    carried out once it wants no more dice, and months that it stopped go on; in live play the staff
    answers if it is asked then. Raises NotAllowed, NotAwaited when no dice are awaited, UnderWay
    while a job goes on with the last ones, Stale, UnfitRequest for impossible dice, and Refused
    while the campaign is adjourned: the month would not go on, and the dice would be asked for
    again.
    """
    with transaction.atomic():
        throw = _lock_waiting_throw(campaign_id, user, expected)
        _check_throw_faces(throw, faces)
        throw.faces = [*throw.faces, *faces]
        throw.save(update_fields=["faces"])
        # In the same transaction: a process that died after it would leave faces that are taken for
        # the dice of something else.
        is_for_staff = _resume(campaign_id, throw)
    if is_for_staff:
        let_staff_answer(campaign_id)
    return awaited_throw(Campaign.objects.get(pk=campaign_id))


def _resume(campaign_id: int, throw: Throw) -> bool:
    """Carry out what waited for the throw, as far as it has its dice, and what stopped at it.

    Return whether no job goes on with it, so that the staff answers if it is asked now.
    """
    if throw.actor.startswith(PLAYED_BY_JOBS):
        if resume_after_battle(campaign_id, dice.DICE) is not None:
            return False
        _carry_out(campaign_id, throw)
        return True
    if _carry_out(campaign_id, throw) is None:
        return False
    return resume_after_battle(campaign_id, dice.DICE) is None


def _go_on_after_commit(campaign: Campaign, throw: Throw | None) -> None:
    """Go on with what waited for the throw after the commit, unless the campaign is adjourned."""
    if throw is not None and not campaign.adjourned and not campaign.finished:
        transaction.on_commit(partial(_go_on_if_possible, campaign.pk, throw), robust=True)


def _go_on_if_possible(campaign_id: int, throw: Throw) -> None:
    with suppress(IllegalAction):
        if _resume(campaign_id, throw):
            let_staff_answer(campaign_id)


def awaited_throw(campaign: Campaign) -> Throw | None:
    """Return the throw for which dice must be typed in now, or None.

    There is none while a job is to go on with those that were typed in: it would take more of them
    for dice that come later.
    """
    throw = dice.waiting_throw(campaign)
    is_for_job = throw is not None and throw.actor.startswith(PLAYED_BY_JOBS)
    return None if is_for_job and selectors.job_under_way(campaign) else throw


def _lock_waiting_throw(campaign_id: int, user: User, expected: int | None) -> Throw:
    campaign, _ = lock_as_umpire(campaign_id, user)
    throw = dice.waiting_throw(campaign)
    if throw is None:
        raise NotAwaited("The campaign waits for no dice just now.")
    if campaign.adjourned:
        raise Refused("The campaign is adjourned: resume it, then type the dice in.")
    if awaited_throw(campaign) is None:
        raise UnderWay(
            "The dice have been typed in, and the month goes on with them. Look in a moment "
            "whether more are wanted."
        )
    if expected is not None and expected != len(throw.faces):
        raise Stale("Dice have been typed in since you looked; look what is wanted now.")
    return throw


def _check_throw_faces(throw: Throw, faces: Sequence[int]) -> None:
    if len(faces) != throw.count or not all(1 <= face <= throw.sides for face in faces):
        raise UnfitRequest(
            f"Type in {throw.count} {'die' if throw.count == 1 else 'dice'} "
            f"of 1 to {throw.sides}, in the order in which they fell.",
            "faces",
        )


def _carry_out(campaign_id: int, throw: Throw) -> Entry | None:
    """Carry out the waiting action where it stopped no month; return None if it wants more dice."""
    action = action_in(throw.action)
    battle = Campaign.objects.get(pk=campaign_id).battle
    try:
        entry = perform(campaign_id, throw.actor, action, key=throw.key)
    except dice.DiceAwaited:
        return None
    if isinstance(action, Fight | Reported):
        battle_moved_on.send(sender=Campaign, campaign_id=campaign_id, battle=battle)
    return entry


@transaction.atomic
def throw_by_hand(campaign_id: int, user: User, *, yes: bool) -> Campaign:
    """Switch the campaign between dice that the umpire types in and its own.

    An action or month that waited for dice goes on with its own.
    """
    campaign, actor = lock_as_umpire(campaign_id, user)
    method = "thrown by hand and typed in" if yes else "the campaign’s own"
    note, throw = f"From now on the dice are {method}.", dice.waiting_throw(campaign)
    if change_setting(campaign, actor, "dice_by_hand", yes, note):
        dice.forget_dice(campaign)
        _go_on_after_commit(campaign, throw)
    return campaign


UNSAID = "Not said yet."
"""The placeholder for the reason while a ruling is previewed."""


class PossibleRuling(NamedTuple):
    """The events of a ruling that are possible now, their preview, and the others by number."""

    events: tuple[AnyEvent, ...]
    seen: PreviewedRuling | None = None
    left_out: tuple[tuple[int, IllegalAction], ...] = ()


def save_unfinished(campaign: Campaign, user: User, form: str) -> None:
    """Store the form of the umpire's ruling, URL-encoded. Raises NotAllowed."""
    umpire_of(campaign, user)
    UnfinishedRuling.objects.update_or_create(campaign=campaign, by=user, defaults={"form": form})


def find_unfinished(campaign: Campaign, user: User) -> UnfinishedRuling | None:
    """Return the ruling that the user has not yet given in the campaign, if there is one."""
    return UnfinishedRuling.objects.filter(campaign=campaign, by=user).first()


def discard_unfinished(campaign: Campaign, user: User) -> None:
    """Forget the ruling that the user has not yet given."""
    UnfinishedRuling.objects.filter(campaign=campaign, by=user).delete()


def preview_possible(
    campaign: Campaign, user: User, events: tuple[AnyEvent, ...]
) -> PossibleRuling:
    """Preview the events, without those that are no longer possible.

    The campaign may have gone on since they were added, by another umpire's ruling or a month.
    """
    try:
        seen = preview(campaign, user, Ruled(UNSAID, events)) if events else None
        return PossibleRuling(events, seen)
    except journal.Refused:
        return PossibleRuling(events)
    except IllegalAction:
        possible = PossibleRuling(())
    for number, event in enumerate(events):
        more = (*possible.events, event)
        try:
            seen = preview(campaign, user, Ruled(UNSAID, more))
            possible = possible._replace(events=more, seen=seen)
        except IllegalAction as reason:
            possible = possible._replace(left_out=(*possible.left_out, (number, reason)))
    return possible
