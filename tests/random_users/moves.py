"""Move the campaign on: the person for whom it waits does what the page offers.

If it does not move, somebody is stuck, and that is a fault.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

from battles.models import Battle
from campaign.access import selectors
from campaign.models import Campaign, Job, OrderSheet, Seat
from campaign.rules.core.questions import ToFight, ToSetUp
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP, State
from campaign.services.journal import dice
from campaign.services.pending_battle import owner_of
from tests.random_users.acts import UMPIRE, let_worker_work, pass_time
from tests.random_users.club import Club
from tests.random_users.page_forms import PageForm

Way = Callable[[], object]
LONG = timedelta(days=60)
TRIES = 6
"""Random answers of a player to a live question before REST is asked what is legal."""
THROWS = 40
"""More throws than any one action wants."""
SURE = ("done", "halt", "choose", "share", "supply", "lead", "stand fast", "place", "march")
"""Buttons of live play whose forms can be sent as they come."""


def move_on(club: Club) -> None:
    """Let those for whom the campaign waits act, until it moves. Raises Fault if it does not."""
    campaign = club.campaign
    if campaign.finished or not club.people(UMPIRE, *Seat.SIDES):
        return
    before, tried = _position(club), []
    for words, way in _ways(club, campaign):
        tried.append(words)
        way()
        if _position(club) != before:
            return
    raise club.fault(f"nobody moves the campaign on: {tried}; {_describe_position(club)}")


def _describe_position(club: Club) -> str:
    """Return what is known of a campaign that stands still."""
    campaign = club.campaign
    columns = ("mode", "phase", "waiting_for", "awaited", "battle", "adjourned", "when_ready")
    told = {name: getattr(campaign, name) for name in columns}
    seats = list(campaign.seats.values_list("role", "user__username", "staff", "command"))
    jobs = list(campaign.jobs.values_list("status", "message")[:2])
    return f"{told} {seats} {jobs} {dice.waiting_throw(campaign)}"


def _position(club: Club) -> tuple[Any, ...]:
    """Return what changes when the campaign moves, or when it waits for somebody else."""
    campaign = club.campaign
    throw, job = dice.waiting_throw(campaign), campaign.jobs.first()
    battles = Battle.objects.filter(owner=owner_of(campaign)).order_by("pk")
    return (
        (campaign.head_id, campaign.branch, campaign.month, campaign.finished, campaign.adjourned),
        throw and (throw.head, bytes(throw.action)),
        job and (job.pk, job.status),
        list(_sheets(campaign).values_list("pk", "ready")),
        list(battles.values_list("head", "branch")),
        list(campaign.signatures.order_by("pk").values_list("battle", "side", "report")),
        list(campaign.seats.order_by("pk").values_list("user", "staff")),
    )


def _sheets(campaign: Campaign) -> Any:
    sheets = OrderSheet.objects.filter(campaign=campaign, branch=campaign.branch)
    return sheets.filter(month=campaign.month, withdrawn=False).order_by("pk")


def _ways(club: Club, campaign: Campaign) -> Iterator[tuple[str, Way]]:
    """Yield the ways in which the campaign should move, those of the awaited person first."""
    console, question = club.address("console"), selectors.state_now(campaign).question
    if selectors.job_under_way(campaign) is not None:
        yield "the worker works", partial(let_worker_work, club)
    elif campaign.adjourned:
        for name in club.people(UMPIRE):
            yield f"{name} resumes it", partial(club.press, name, console, ("do", "take up"))
    elif dice.waiting_throw(campaign) is not None:
        for name in club.people(UMPIRE):
            yield f"{name} types dice", partial(_type_dice, club, name)
    elif isinstance(question, ToFight):
        yield from _ways_to_settle(club, campaign, question)
    else:
        yield from _ways_to_play(club, campaign, selectors.state_now(campaign))
        yield "time goes by", partial(pass_time, club, LONG)


def _type_dice(club: Club, name: str) -> None:
    """Type in dice until the action that waits for them has happened."""
    before = _position(club)
    for _ in range(THROWS):
        faces = club.words()["faces"]
        club.press(name, club.address("console"), ("do", "dice"), faces=faces)
        if _position(club) != before:
            return


def _ways_to_settle(club: Club, campaign: Campaign, question: ToFight) -> Iterator[tuple[str, Way]]:
    page, people = club.address("battle-result", campaign.battle), club.people()
    begun = Battle.objects.filter(owner=owner_of(campaign), brief_id=campaign.battle)
    for name in people:
        for battle in begun.filter(reported=None).exclude(head=None):
            yield f"{name} fights", partial(_fight, club, name, f"/battles/{battle.uuid}/fight/")
    if question.resolution == TABLETOP:
        for name in people:
            if club.chance.random() < 0.3:
                yield f"{name} takes the field", partial(club.send, name, page, "/fight/begin/")
            winner = club.chance.choice(Seat.SIDES)
            enter = partial(club.press, name, page, ("enter", "yes"), winner=winner)
            yield f"{name} reports", enter
            yield f"{name} declines", partial(club.press, name, page, ("decline", "yes"))
    else:
        for name in people:
            rest = partial(club.send, name, club.address("campaign"), "/advance/")
            yield f"{name} runs the month", rest
    for name in people:
        yield f"{name} decides it", partial(club.press, name, page, ("by", COMBAT_TABLE))
    if campaign.battle_due is not None:
        yield "time goes by", partial(pass_time, club, LONG)


def _fight(club: Club, name: str, page: str) -> None:
    """Let a commander act on the field, or leave the side to the computer."""
    forms = club.forms(name, page)
    if club.chance.random() < 0.4:
        forms = [form for form in forms if form.address.endswith("/lead/")] or forms
    forms = [form for form in forms if page in form.address]
    if forms:
        form = club.chance.choice(forms)
        club.post(name, form.address, form.fill_in(club.chance, club.words()))


def _ways_to_play(club: Club, campaign: Campaign, state: State) -> Iterator[tuple[str, Way]]:
    asked = state.question.side.value if state.question is not None else ""
    if isinstance(state.question, ToSetUp):
        for name in club.people(asked, UMPIRE):
            ready = partial(club.press, name, club.address("arrange"), ("ready", "yes"))
            yield f"{name} has set up", ready
    if campaign.mode == Campaign.Mode.LIVE:
        yield from _ways_to_answer(club, asked)
    for seat in campaign.seats.filter(role__in=Seat.SIDES, staff=False).exclude(user=None):
        name, sheet = str(seat.user), club.address("plain-orders", seat.pk)
        if campaign.mode == Campaign.Mode.ORDERS and name in club.users:
            yield f"{name} is ready", partial(club.press, name, sheet, ("do", "ready"))
    for name in club.people():
        rest = partial(club.send, name, club.address("campaign"), "/advance/")
        yield f"{name} runs the month", rest
    for seat in campaign.seats.filter(role=asked, staff=False):
        for name in club.people(UMPIRE):
            typed = {"seat": str(seat.pk), "reason": "Away."}
            button = ("do", "to the staff")
            let = partial(club.press, name, club.address("console"), button, **typed)
            yield f"{name} lets the staff play {seat}", let


def _ways_to_answer(club: Club, asked: str) -> Iterator[tuple[str, Way]]:
    for name in club.people(asked):
        for _ in range(TRIES):
            yield f"{name} answers", partial(_answer, club, name)
        yield f"{name} answers by REST", partial(_answer_by_rest, club, name)
    for name in club.people():
        staff = partial(club.send, name, club.address("live"), "/live/staff/")
        yield f"{name} lets the staff answer", staff


def _answer(club: Club, name: str) -> None:
    """Answer the live question by one of the forms of the page."""
    forms = [form for form in club.forms(name, club.address("live")) if "/act/" in form.address]
    sure = [(form, button) for form in forms for button in form.buttons if button[1] in SURE]
    if sure and club.chance.random() < 0.5:
        form, button = club.chance.choice(sure)
        club.post(name, form.address, form.press(button))
    elif forms:
        form = club.chance.choice(forms)
        club.post(name, form.address, _filled_in(club, form))


def _filled_in(club: Club, form: PageForm) -> dict[str, list[str]]:
    sent = form.fill_in(club.chance, club.words())
    if sent.get("do") == ["pick"]:
        question = selectors.state_now(club.campaign).question
        units = [field.value for field in form.fields.get("unit", [])]
        count = min(getattr(question, "count", 1), len(units))
        sent["unit"] = club.chance.sample(units, count)
    return sent


def _answer_by_rest(club: Club, name: str) -> None:
    """Answer by the first of the legal answers in the document of the decision."""
    head, decision = club.campaign.head_id, club.address("api:campaign-decision")
    for body in _legal_answers(club.rest(name, "get", decision).json()):
        tag = club.rest(name, "get", decision).headers.get("ETag", "")
        club.rest(name, "post", club.address("api:campaign-answers"), body, tag)
        if club.campaign.head_id != head or dice.waiting_throw(club.campaign) is not None:
            return


def _legal_answers(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield answers that the choices of a decision promise to be legal, the least first."""
    choices = document.get("choices")  # a problem document has none: too many requests
    if choices is None:
        return
    kinds = choices["answer_types"]
    least: dict[str, Any] = {"done": {}, "retreat": {"path": []}, "supply": {}}
    yield from ({"type": kind, **least[kind]} for kind in least if kind in kinds)
    yield from ({"type": kind} for kind in ("halt", "lead") if kind in kinds)
    for group in choices["arrivals"]:
        yield {"type": "place", "group": group["group"], "hex": group["hexes"][0]}
    picked = choices["unit_ids"][: choices["pick_count"] or 0]
    yield {"type": "pick", "unit_ids": picked}
    lost = {"eliminated_ids": choices["eliminated_ids"], "disrupted_ids": choices["disrupted_ids"]}
    yield {"type": "share", **lost}
    yield from ({"type": "choose", "hex": there} for there in choices["hexes"])
    yield {"type": "retreat", "path": choices["retreat_path"]}
    yield from ({"type": "retreat", "path": goal["path"]} for goal in choices["reachable_hexes"])


def has_failed(job: Job) -> bool:
    """Return whether a job was ended by a fault of the program, not by a person."""
    words = ("The program failed", "wanted what clause", "comes to no end")
    return any(part in job.message for part in words)
