"""A hand in the club's database: `python -m tests.torture.hand` does what each line asks.

It is a process of its own because a test process has settings and a database of its own. Lines are
JSON, `{"do": "begin", "with": {...}}`; so are the answers, `{"came": ...}` or `{"failed": "..."}`.
"""

import json
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import django
from celery import current_app

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.contrib.sessions.backends.db import SessionStore  # noqa: E402
from django.db import close_old_connections  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from accounts.models import Scope  # noqa: E402
from accounts.tokens import create_token  # noqa: E402
from api.documents.order_sheets import ORDERS_FORM  # noqa: E402
from battles.contract.brief import AFLOAT, Side  # noqa: E402
from campaign.access import selectors  # noqa: E402
from campaign.models import Campaign, Inquiry, InquiryPart, Job  # noqa: E402
from campaign.orders.order_sheet import sheet_from  # noqa: E402
from campaign.rules.core.actions import Ruled  # noqa: E402
from campaign.rules.core.events import Toss  # noqa: E402
from campaign.rules.core.pieces import Month, month_slug  # noqa: E402
from campaign.rules.core.state import COMBAT_TABLE  # noqa: E402
from campaign.rules.march.phase import may_march  # noqa: E402
from campaign.services import battle_reports, inquiries, order_submission  # noqa: E402
from campaign.services.inquiries import runs_of  # noqa: E402
from campaign.services.journal import audit, creation, rewind  # noqa: E402
from campaign.services.journal.audit import verify_dice  # noqa: E402
from campaign.services.order_submission import sheet_hash  # noqa: E402
from campaign.services.turns import deadlines, timetable  # noqa: E402
from campaign.services.turns.advance_jobs import TASK, request_advance, run_job  # noqa: E402
from campaign.services.umpire import rulings  # noqa: E402
from tests.campaign.battlefield import before_battle, result  # noqa: E402
from tests.campaign.battlefield import brief as battle_of  # noqa: E402
from tests.people import People  # noqa: E402
from tests.torture.whole import asked_for, check_battles, check_whole  # noqa: E402

SIEGE = "siege-of-khartoum"
BACKEND = "django.contrib.auth.backends.ModelBackend"
TOWARDS = 2042


def begin(slug: str, *, by_sheets: bool = True, **wanted: Any) -> dict[str, Any]:
    """Return a campaign with an umpire and a player on each side; how they come in by browser and
    REST.
    """
    seats = {role: _person(f"{slug}-{role}") for role in ("umpire", "egyptian", "mahdist")}
    mode = Campaign.Mode.ORDERS if by_sheets else Campaign.Mode.STAFF
    scenario = wanted.pop("scenario", SIEGE)
    made = creation.create_campaign(
        creation.NewCampaignTerms(scenario, slug=slug, seats=seats, mode=mode, **wanted)
    )
    return {
        "month": made.month,
        "name": month_slug(Month(made.month)),
        "seats": {seat.role: seat.pk for seat in made.seats.all()},
        "sessions": {role: _session(user) for role, user in seats.items()},
        "tokens": {
            role: create_token(user, "torture", Scope.values)[1] for role, user in seats.items()
        },
    }


def populate(slug: str) -> dict[str, Any]:
    """As `begin`, with what its people may look at and order."""
    about = begin(slug)
    state = selectors.state_now(_campaign(slug))
    marches = {side.value: may_march(state, side) for side in Side}
    return {
        **about,
        "hexes": [f"{hex_id:04d}" for stacks in marches.values() for hex_id in stacks],
        "orders": {
            role: ORDERS_FORM.write(
                sheet_from({"orders": [_march(hex_id, stack) for hex_id, stack in stacks.items()]})
            )["orders"]
            for role, stacks in marches.items()
        },
    }


def _person(name: str) -> User:
    user = User(username=name)
    user.set_unusable_password()
    user.save()
    return user


def _session(user: User) -> str:
    store = SessionStore()
    store[SESSION_KEY], store[BACKEND_SESSION_KEY] = str(user.pk), BACKEND
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.create()
    return str(store.session_key)


def order(slug: str, *, submitted: bool = True) -> list[dict[str, Any]]:
    """Return both sides order every stack off and hand their sheets in; what their receipts say."""
    campaign = _campaign(slug)
    state = selectors.state_now(campaign)
    told = []
    for side in Side:
        seat = campaign.seats.get(role=side.value)
        assert seat.user is not None
        orders = [_march(hex_id, stack) for hex_id, stack in may_march(state, side).items()]
        order_submission.save_sheet(campaign.pk, seat.user, seat.pk, {"orders": orders})
        receipt = order_submission.submit(campaign.pk, seat.user, seat.pk) if submitted else None
        hash_ = receipt.hash if receipt else ""
        told.append({"seat": seat.pk, "month": campaign.month, "hash": hash_})
    return told


def _march(hex_id: int, stack: Any) -> dict[str, Any]:
    units = [unit.id for unit in stack if unit.kind not in AFLOAT]
    legs = [{"type": "foot", "to": TOWARDS}]
    return {"type": "march", "hex": hex_id, "units": units, "legs": legs}


def sheets(slug: str) -> dict[str, Any]:
    """Return every sheet that stands in the campaign, by month and seat: its revision and its
    hash.
    """
    found = _campaign(slug).sheets.filter(revision__gt=0, withdrawn=False)
    return {f"{one.month}.{one.seat_id}": [one.revision, sheet_hash(one)] for one in found}


def ask(slug: str, months: int = 1, expected: int | None = None) -> dict[str, Any]:
    """Ask the workers for months, as the umpire does."""
    campaign = _campaign(slug)
    job = request_advance(campaign.pk, campaign.umpire, months=months, expected_month=expected)
    return {"job": str(job.uuid), "status": job.status, "message": job.message}


def send(job: str, times: int) -> None:
    """Put the order of a job in the queue so many times more."""
    for _ in range(times):
        current_app.signature(TASK, args=[job]).apply_async()


def meet() -> str:
    """Return a campaign before a battle, which a book fights as its month is run; its short
    name.
    """
    people = People(*(_person(f"meeting-{name}") for name in People._fields))
    return before_battle(people, "redcoats").slug


def before_table(name: str) -> str:
    """Return a campaign that waits for a battle fought by hand; its short name."""
    people = People(*(_person(f"{name}-{role}") for role in People._fields))
    return before_battle(people, "tabletop").slug


def enter(slug: str, role: str, winner: str) -> str:
    """Enter the result of that battle, as its umpire or a player does; who entered it."""
    campaign = _campaign(slug)
    user = campaign.seats.get(role=role).user
    assert user is not None
    entry = battle_reports.enter_result(campaign.pk, user, result(campaign, Side(winner)))
    return entry.actor if entry else ""


def leave_to_table(slug: str) -> str:
    """Have the battle settled by the table of the campaign, as its umpire may choose."""
    campaign = _campaign(slug)
    assert campaign.umpire is not None
    entry = battle_reports.choose_method(
        campaign.pk, campaign.umpire, battle_of(campaign).id, COMBAT_TABLE
    )
    return entry.actor


def rule(slug: str) -> int:
    """Have the umpire throw two dice that decide nothing; the number of the entry."""
    campaign = _campaign(slug)
    assert campaign.umpire is not None
    ruling = Ruled("Thrown beside something else.", toss=Toss(2))
    return rulings.rule(campaign.pk, campaign.umpire, ruling).number


def go_back(slug: str, number: int) -> int:
    """Have the umpire go back to that entry of the present branch; the number of the new one."""
    campaign = _campaign(slug)
    assert campaign.umpire is not None
    entry = campaign.entries.get(branch=campaign.branch, number=number)
    return rewind.rewind_to(campaign.pk, campaign.umpire, entry, reason="Once more.").number


def advance(slug: str) -> str:
    """Ask for a month and carry it out in this process."""
    return carry_out(ask(slug)["job"])


def sound(slug: str) -> int:
    """Replay the campaign and recompute its dice; how many entries settle a battle in it."""
    campaign = _campaign(slug)
    audit.replay_check(campaign)
    verify_dice(campaign)
    settled = [
        one for one in campaign.entries.exclude(key=None) if battle_reports.number_in(one.key or "")
    ]
    return len(settled)


def enrol(name: str, password: str) -> None:
    """Somebody who comes in by his password."""
    User.objects.create_user(name, password=password)


def fought(slug: str) -> int:
    """Return how many of its battles have been reported and settled."""
    return check_battles(_campaign(slug))


def proof(slug: str) -> int:
    """Recompute every die of every month that is over, and count them; Damaged if one differs."""
    return verify_dice(_campaign(slug)).months


def carry_out(job: str) -> str:
    """Carry the job out in this process; what became of it."""
    return str(run_job(job).value)


def now(slug: str) -> dict[str, Any]:
    """Return where the campaign stands, and what its last job says."""
    campaign = _campaign(slug)
    job = campaign.jobs.first()
    return {
        "month": campaign.month,
        "name": month_slug(Month(campaign.month)),
        "played": campaign.month - campaign.first_month,
        "asked": asked_for(campaign),
        "finished": campaign.finished,
        "entries": campaign.entries.count(),
        "phase": campaign.phase,
        "jobs": campaign.jobs.count(),
        "status": job.status if job else "",
        "message": job.message if job else "",
    }


def running() -> list[str]:
    """Return the campaigns a worker is about just now."""
    found = Job.objects.filter(status=Job.Status.RUNNING, touched__gt=timezone.now() - _MOMENT)
    return list(found.values_list("campaign__slug", flat=True))


_MOMENT = timedelta(seconds=1)


def idle() -> list[str]:
    """Return the campaigns that nobody has asked anything of and that are not over."""
    under_way = Job.objects.filter(status__in=Job.UNFINISHED).values("campaign")
    found = Campaign.objects.filter(finished=False).exclude(pk__in=under_way)
    return list(found.values_list("slug", flat=True))


def unfinished() -> list[str]:
    """Return the campaigns that are not over."""
    return list(Campaign.objects.filter(finished=False).values_list("slug", flat=True))


def under_way() -> list[str]:
    """Return the campaigns of which something is asked that has not been done."""
    found = Job.objects.filter(status__in=Job.UNFINISHED)
    return list(found.values_list("campaign__slug", flat=True))


def played() -> int:
    """Return the months that all campaigns together have played."""
    return sum(one.month - one.first_month for one in Campaign.objects.all())


def whole(slug: str, *, by_rules: bool = False) -> dict[str, int]:
    """Check that the campaign is whole; what it holds."""
    return check_whole(_campaign(slug), by_rules=by_rules)._asdict()


def set_due(slug: str, seconds: float) -> None:
    """Let the standing deadline be over in so many seconds, with no grace left."""
    deadline = timetable.standing_deadline(_campaign(slug))
    assert deadline is not None
    deadline.due = deadline.grace_until = timezone.now() + timedelta(seconds=seconds)
    deadline.save()


def sweep() -> list[str]:
    """Do what beat has workers do every minute."""
    return [kept.text for kept in deadlines.keep_deadlines()]


def tick() -> None:
    """Have a worker look at the deadlines, as beat does."""
    current_app.signature("campaign.tasks.deadlines_due").apply_async()


def forecast(slug: str, runs: int) -> str:
    """Have the simulation workers play the campaign on so many times; the inquiry's name."""
    campaign = _campaign(slug)
    assert campaign.umpire is not None
    return str(inquiries.forecast_campaign(campaign, campaign.umpire, runs=runs).uuid)


def left(inquiry: str) -> int:
    """Return how many of its parts are not done."""
    return InquiryPart.objects.filter(
        inquiry__uuid=inquiry, status__in=InquiryPart.UNFINISHED
    ).count()


def is_open(inquiry: str) -> bool:
    """Return whether it still bars another of whoever asked."""
    return Inquiry.objects.get(uuid=inquiry).is_open


def runs(inquiry: str) -> int:
    """Return how many runs of it are stored."""
    return len(runs_of(Inquiry.objects.get(uuid=inquiry)))


def read(address: str, token: str) -> dict[str, Any]:
    """Return the content of a REST address and its ETag."""
    found = _client(token).get(address)
    return {"content": found.json(), "tag": found.headers["ETag"]}


def edit(address: str, token: str, tag: str, change: dict[str, str]) -> int:
    """Change the fields of a REST resource if the tag is still its own; the status."""
    headers = {"If-Match": tag}
    return _client(token).patch(address, change, "application/json", headers=headers).status_code


def _client(token: str) -> Client:
    host = settings.ALLOWED_HOSTS[0]
    return Client(headers={"Authorization": f"Bearer {token}", "Host": host}, SERVER_NAME=host)


def _campaign(slug: str) -> Campaign:
    return Campaign.objects.get(slug=slug)


DOING: tuple[Callable[..., Any], ...] = (
    begin, populate, order, sheets, ask, send, carry_out, now, running, idle, unfinished,
    under_way, played, whole, set_due, sweep, tick, forecast, left, is_open, runs, meet,
    enrol, fought, proof, before_table, enter, leave_to_table, rule, go_back, advance, sound,
    read, edit,
)  # fmt: skip


def answer(line: str) -> dict[str, Any]:
    wanted, known = json.loads(line), {one.__name__: one for one in DOING}
    close_old_connections()
    try:
        return {"came": known[wanted["do"]](**wanted["with"])}
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    assert settings.DATABASES
    for line in sys.stdin:
        print(json.dumps(answer(line)), flush=True)  # noqa: T201
