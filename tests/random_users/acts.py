"""Act at random as people do: by any form of any page, and by REST."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.core.cache import caches
from django.urls import reverse
from django.utils import timezone

from api.http.responses import shelf
from battles.models import Battle
from campaign import tasks
from campaign.access import selectors
from campaign.models import Campaign, Deadline, DeletedCampaign, Job, Seat
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.core.state import State
from campaign.rules.map import HexId, sudan
from campaign.services.pending_battle import owner_of
from campaign.services.turns import advance_jobs
from sirdar.celery import app
from tests.random_users.begin import offer_seat, open_link
from tests.random_users.club import NAMES, Club

UMPIRE = Seat.Role.UMPIRE.value
SELDOM = ("delete", "what-if", "odds", "rehearse", "forecast", "again", "webhooks", "revoke")
"""Parts of the addresses of forms that are sent once in twenty times."""
TRIES = 4
STACKS = 6
"""The most orders on a sheet."""
NEAREST = 3


def send_a_form(club: Club) -> None:
    """Let somebody open a page that they may use, and send one of its forms, filled in."""
    for _ in range(TRIES):
        name = club.anybody() if club.chance.random() < 0.9 else club.chance.choice(NAMES)
        forms = [
            form
            for form in club.forms(name, club.chance.choice(_pages_of(club, name)))
            if "logout" not in form.address
            and (not any(word in form.address for word in SELDOM) or club.chance.random() < 0.05)
        ]
        if forms:
            form = club.chance.choice(forms)
            club.post(name, form.address, form.fill_in(club.chance, club.words()))
            return


def _pages_of(club: Club, name: str) -> list[str]:
    """Return the pages on which this person acts, those that they use most several times."""
    campaign, user = club.campaign, club.users[name]
    seats = list(campaign.seats.filter(user=user))
    roles = {seat.role for seat in seats}
    pages = [club.address(view) for view in ("campaign", "seats", "letters", "campaign-battles")]
    if UMPIRE in roles:
        pages += [club.address(view) for view in ("console", "console", "console", "ruling")]
    if campaign.mode == Campaign.Mode.LIVE:
        pages += [club.address("live")] * 3
    for seat in seats:
        if seat.role in Seat.SIDES:
            pages += [club.address("plain-orders", seat.pk)] * 2
    if campaign.phase == "set-up":
        pages += [club.address("arrange")] * 2
    if campaign.battle:
        pages += [club.address("battle-result", campaign.battle)] * 3
        for battle in Battle.objects.filter(owner=owner_of(campaign), reported=None):
            pages += [reverse(view, args=[battle.uuid]) for view in ("fight", "battle-table")]
    return pages


def write_sheet(club: Club) -> None:
    """Let a player write orders at random, submit them, withdraw them or be ready."""
    campaign, chance = club.campaign, club.chance
    held = campaign.seats.filter(role__in=Seat.SIDES, user__isnull=False).select_related("user")
    if campaign.mode != Campaign.Mode.ORDERS or not held:
        return
    seat = chance.choice(list(held))
    name = seat.user.username if seat.user else ""
    month = month_slug(Month(campaign.month + (chance.random() < 0.15)))
    address = club.address("api:sheet", seat.pk, month)
    tag = club.rest(name, "get", address).headers.get("ETag", "")
    if chance.random() < 0.6:
        orders = _orders(club, selectors.state_now(campaign), seat.role)
        club.rest(name, "put", address, {"orders": orders}, tag)
        return
    change = chance.choice(({"ready": True}, {"submitted": True}, {"submitted": False}))
    club.rest(name, "patch", address, change, tag)


def _orders(club: Club, state: State, side: str) -> list[dict[str, Any]]:
    """Return orders for whole stacks to go for the enemy who is near."""
    stacks: dict[HexId, list[int]] = {}
    for unit in state.units.values():
        if unit.side == side and unit.hex:
            stacks.setdefault(unit.hex, []).append(unit.id)
    enemies = {unit.hex for unit in state.units.values() if unit.side != side and unit.hex}
    orders = []
    for here in club.chance.sample(sorted(stacks), min(STACKS, len(stacks))):
        near = sorted(enemies or stacks, key=lambda there: (sudan().distance(here, there), there))
        leg = {"type": club.chance.choice(("foot", "foot", "foot", "rail", "river"))}
        orders.append(
            {
                "type": "march",
                "hex": f"{here:04d}",
                "unit_ids": stacks[here],
                "legs": [leg | {"to_hex": f"{club.chance.choice(near[:NEAREST]):04d}"}],
                "contact": club.chance.choice(("stop", "attack", "attack", "go_round")),
            }
        )
    return orders


def advance_months(club: Club) -> None:
    """Let an umpire ask for a month, for two, or for a phase."""
    body = club.chance.choice(({"months": 1}, {"months": 2}, {"one_phase": True}))
    club.rest(club.anybody(UMPIRE), "post", club.address("api:campaign-advance"), body)


def let_time_pass(club: Club) -> None:
    """Let hours or days go by: what is due by the clock happens."""
    hours = club.chance.choice((1, 13, 30, 200))
    pass_time(club, timedelta(hours=hours))


def pass_time(club: Club, time: timedelta) -> None:
    """Move every clock of the campaign back by that time, and let the worker look at them."""
    club.note(f"{time} go by")
    for deadline in Deadline.objects.filter(campaign=club.number, done=None):
        deadline.due, deadline.grace_until = deadline.due - time, deadline.grace_until - time
        deadline.paused = deadline.paused and deadline.paused - time
        deadline.save()
    campaign = club.campaign
    if campaign.battle_due is not None:
        Campaign.objects.filter(pk=campaign.pk).update(battle_due=campaign.battle_due - time)
    tasks.deadlines_due()
    tasks.battles_due()
    tasks.mail_due()


def change_seat(club: Club) -> None:
    """Let an umpire give a seat to the staff, to its player or to another, or its holder leave."""
    seats = list(club.campaign.seats.select_related("user"))
    seat, name = club.chance.choice(seats), club.anybody(UMPIRE)
    if seat.user is not None and club.chance.random() < 0.15:
        club.post(seat.user.username, club.address("leave-seat", seat.pk), {})
        return
    body = club.chance.choice(
        (
            {"staff": True, "reason": "Away."},
            {"staff": False},
            {"holder": None, "reason": "Gone."},
            {"holder": club.chance.choice(NAMES), "reason": "Here."},
        )
    )
    club.rest(name, "patch", club.address("api:seat", seat.pk), body)


def invite(club: Club) -> None:
    """Let somebody invite to a seat, or somebody open an old link."""
    if club.links and club.chance.random() < 0.5:
        open_link(club, club.chance.choice(NAMES), club.chance.choice(club.links))
        return
    role = club.chance.choice(("egyptian", "mahdist", "observer", UMPIRE))
    offer_seat(club, club.anybody(), role, [], club.chance.choice(NAMES))


def change_settings(club: Club) -> None:
    """Let an umpire change how the campaign is played."""
    chance = club.chance
    methods = ("combat-table", "tabletop", "redcoats", "restless", "fuzzy-wuzzy")
    body = chance.choice(
        (
            {"adjourned": not club.campaign.adjourned, "reason": "Tea."},
            {"dice_by_hand": chance.random() < 0.5},
            {"public": chance.random() < 0.5, "public_delay_months": chance.choice((1, None))},
            {"letter_post": chance.choice(("at_once", "by_courier")), "staff_level": "learner"},
            {"battles": {"resolution": chance.choice(methods), "timeout_days": 0}},
            {"rules_pinned": True, "reason": "We stay with these."},
        )
    )
    club.rest(club.anybody(UMPIRE), "patch", club.address("api:campaign"), body)


def change_deadline(club: Club) -> None:
    """Let an umpire change, stop or extend the deadlines."""
    no_show = club.chance.choice(("hold", "staff"))
    body = club.chance.choice(
        (
            {"policy": None},
            {"policy": {"days": 1, "no_show": no_show, "grace_hours": 0}},
            {"paused": True, "reason": "Wait."},
            {"paused": False},
            {"extended_hours": 5, "reason": "More time."},
        )
    )
    club.rest(club.anybody(UMPIRE), "patch", club.address("api:campaign-deadline"), body)


def rewind(club: Club) -> None:
    """Let an umpire rewind to any entry of any branch."""
    campaign = club.campaign
    entries = list(campaign.entries.order_by("pk"))
    if entries:
        entry = club.chance.choice(entries[-25:] if club.chance.random() < 0.8 else entries)
        form = {"entry": f"{entry.branch}.{entry.number}", "reason": "Once more."}
        form["head"] = str(campaign.head_id or 0)
        club.post(club.anybody(UMPIRE), club.address("rewind"), form)


def rule(club: Club) -> None:
    """Let an umpire move, remove, disrupt or add units."""
    name, chance = club.anybody(UMPIRE), club.chance
    tag = club.rest(name, "get", club.address("api:campaign")).headers.get("ETag", "")
    state = selectors.state_now(club.campaign)
    units = chance.sample(sorted(state.units), min(len(state.units), chance.choice((1, 3, 12))))
    where = club.words()["hex"]
    recruit = {"kind": "spears", "nation": "mahdist", "hex": where, "count": 3}
    effect = chance.choice(
        (
            {"type": "move", "unit_ids": units, "hex": where},
            {"type": "remove", "unit_ids": units},
            {"type": "disrupt", "unit_ids": units},
            {"type": "add", **recruit},
            {"type": "hand", "hex": where, "side": chance.choice(Seat.SIDES)},
        )
    )
    body = {"reason": "So it is ruled.", "effects": [effect]}
    club.rest(name, "post", club.address("api:campaign-rulings"), body, tag)


def delete_and_restore(club: Club) -> None:
    """Let the campaign be deleted by who may, and be restored."""
    campaign = club.campaign
    form = {"head": campaign.head_id or 0}
    club.post(club.anybody(UMPIRE), club.address("delete-campaign"), form)
    restore_deleted(club)


def restore_deleted(club: Club) -> None:
    """Let the campaign be restored if it is deleted. Raises Fault if it does not come back."""
    if Campaign.objects.filter(pk=club.number).exists():
        return
    deleted = DeletedCampaign.objects.latest("pk")
    umpire = deleted.umpires.order_by("pk")[0]
    club.post(umpire.username, reverse("restore-campaign", args=[deleted.pk]), {})
    back = Campaign.objects.order_by("-pk").first()
    if back is None or DeletedCampaign.objects.filter(pk=deleted.pk).exists():
        raise club.fault(f"{deleted} is not restored")
    club.number, club.links = back.pk, []


def export_and_import(club: Club) -> None:
    """Let an umpire export the campaign and import the file. Raises Fault if it is refused."""
    name = club.anybody(UMPIRE)
    secret = club.chance.choice(("", "?with_secret=true"))
    file = club.rest(name, "get", club.address("api:campaign-export") + secret)
    if file.status_code != 200:
        return
    copy = club.send_file(name, reverse("api:imports"), file.content)
    if copy.status_code == 429:
        return
    if copy.status_code != 201:
        raise club.fault(f"an exported campaign is not imported: {copy.content!r}")
    Campaign.objects.get(slug=copy.json()["slug"]).delete()


def delete_account(club: Club) -> None:
    """Let the site's keeper delete an account, and seat another umpire if it was the only one's."""
    had_umpire = club.campaign.umpire_id is not None
    name = club.chance.choice(NAMES)
    if not had_umpire and club.people() == [name]:
        return  # a campaign that is played alone is deleted with its player, for good
    club.note(f"the account of {name} is deleted")
    club.register_again(name)
    free = [name for name in NAMES if name not in club.people()]
    if had_umpire and not club.people(UMPIRE) and free:
        heir = club.users[free[0]]
        club.campaign.seats.filter(role=UMPIRE).update(user=heir)
        Campaign.objects.filter(pk=club.number).update(umpire=heir)
        club.note(f"the keeper makes {heir} the umpire")


def lose_or_find_worker(club: Club) -> None:
    """Let the worker go away, so that jobs wait; or let it come back and do them."""
    if app.conf.task_always_eager:
        club.note("the worker goes away")
        app.conf.task_always_eager = False
    else:
        let_worker_work(club)


def let_worker_work(club: Club) -> None:
    """Let the worker come back, and do what has waited for it."""
    club.note("the worker works")
    app.conf.task_always_eager = True
    Job.objects.filter(status__in=Job.UNFINISHED).update(touched=timezone.now() - timedelta(days=1))
    advance_jobs.resume_jobs()


def stop_job(club: Club) -> None:
    """Let somebody stop the month that is being played."""
    job = selectors.job_under_way(club.campaign)
    if job is not None:
        club.rest(club.anybody(), "delete", reverse("api:job", args=[job.uuid]))


def forget_caches(_club: Club) -> None:
    """Let caches and the counts of requests be forgotten, as they are with time."""
    for cache in caches.all():
        cache.clear()
    shelf._documents.clear()


ACTS: dict[Callable[[Club], None], int] = {
    send_a_form: 30,
    write_sheet: 20,
    advance_months: 5,
    let_time_pass: 5,
    change_seat: 5,
    invite: 3,
    change_settings: 6,
    change_deadline: 2,
    rewind: 4,
    rule: 3,
    delete_and_restore: 1,
    export_and_import: 1,
    delete_account: 1,
    lose_or_find_worker: 4,
    stop_job: 2,
    forget_caches: 5,
}
"""The acts of people, each with its weight."""
