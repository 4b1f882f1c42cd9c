"""What an umpire does from the console: one door, and a short word for each thing behind it."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.models import User
from django.forms import Form
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect

from battles.contract.troops import Side
from battles.core.game import IllegalAction
from campaign import selectors, services
from campaign.attendance import name_of
from campaign.models import Campaign
from campaign.rules.core.actions import Ruled
from campaign.rules.prose.phrases import capitalise
from campaign.rules.umpire import ruling_events
from campaign.services import command, deadlines, rulings, throwing, timetable
from campaign.umpire_forms import Account, Deadlines, Ending, Extension, Faces
from campaign.views.console import campaign_of
from campaign.views.visitor import visitor
from sirdar.methods import posts_to

MOST_MONTHS = 12


class Asked(NamedTuple):
    """What is asked for, by whom, of which campaign."""

    campaign: Campaign
    user: User
    given: QueryDict

    @property
    def reason(self) -> str:
        return self.given.get("reason", "")

    @property
    def seat(self) -> int:
        """The number of the seat that is meant; Unfit when the form names none."""
        return _whole(self.given.get("seat", ""), "The form names no seat: load the page again.")


def _whole(text: str, wrong: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise services.Unfit(wrong)
    return int(text)


@posts_to("console", "slug")
def act(request: HttpRequest, slug: str) -> HttpResponse:
    """Do what the pressed button says, and say what has become of it."""
    campaign = campaign_of(request, slug)
    do = _DOES.get(request.POST.get("do", ""))
    if do is None:
        messages.error(request, "The form does not say what to do: load the page again.")
        return redirect("console", slug)
    try:
        messages.success(request, do(Asked(campaign, visitor(request), request.POST)))
    except (services.Refused, IllegalAction) as refused:
        messages.error(request, str(refused))
    return redirect("console", slug)


def _advance(asked: Asked) -> str:
    months = _whole(asked.given.get("months", "1"), "Advance by whole months.")
    if not 1 <= months <= MOST_MONTHS:
        raise services.Unfit(f"Advance by 1 to {MOST_MONTHS} months at a time.")
    services.request_advance(
        asked.campaign.pk, asked.user, months=months, expected_month=_month(asked)
    )
    return "The month runs."


def _phase(asked: Asked) -> str:
    services.request_advance(
        asked.campaign.pk, asked.user, phase=True, expected_month=_month(asked)
    )
    return "The phase is played."


def _month(asked: Asked) -> int:
    return _whole(asked.given.get("month", ""), "The form does not say which month you saw.")


def _extend(asked: Asked) -> str:
    form = Extension(asked.given)
    given = _filled(form)
    deadlines.extend(
        asked.campaign.pk, asked.user, given["hours"], seen=given["seen"], reason=given["reason"]
    )
    due = timetable.due_in_words(asked.campaign)
    return f"The deadline is {given['hours']} hours later: it is {due}."


def _filled(form: Form) -> dict[str, Any]:
    """What was filled in; Unfit with the first thing that is wrong."""
    if form.is_valid():
        return form.cleaned_data
    name, errors = next(iter(form.errors.items()))
    raise services.Unfit(f"{name.capitalize()}: {errors[0]}")


def _pause(asked: Asked) -> str:
    deadlines.pause(asked.campaign.pk, asked.user, reason=asked.reason)
    return "The clock stands still, and nothing is due until you let it go on."


def _go_on(asked: Asked) -> str:
    deadlines.go_on(asked.campaign.pk, asked.user)
    return f"The clock goes on: the month is {timetable.due_in_words(asked.campaign)}."


def _keep_to(asked: Asked) -> str:
    form = Deadlines(asked.given)
    if not form.is_valid():
        raise services.Unfit(" ".join(str(error[0]) for error in form.errors.values()))
    deadlines.keep_to(asked.campaign.pk, asked.user, form.policy())
    return f"Months fall due {deadlines.in_words(form.policy())}."


def _no_deadlines(asked: Asked) -> str:
    deadlines.keep_to(asked.campaign.pk, asked.user, None)
    return "Months run when you say so."


def _type_in(asked: Asked) -> str:
    given = _filled(Faces(asked.given))
    wanted = throwing.type_in(
        asked.campaign.pk, asked.user, given["faces"], expected=given["expected"]
    )
    return "More dice are wanted." if wanted else "The dice have fallen, and the campaign goes on."


def _by_hand(asked: Asked, *, yes: bool) -> str:
    throwing.throw_by_hand(asked.campaign.pk, asked.user, yes=yes)
    return "You throw the dice from now on." if yes else "The campaign throws its own dice again."


def _to_staff(asked: Asked) -> str:
    seat = command.hand_to_staff(asked.campaign.pk, asked.user, asked.seat, reason=asked.reason)
    return f"The staff plays {name_of(seat)}."


def _from_staff(asked: Asked) -> str:
    seat = command.take_back(asked.campaign.pk, asked.user, asked.seat)
    return f"{seat.user} plays {name_of(seat)} again."


def _remove(asked: Asked) -> str:
    seat = command.remove_player(asked.campaign.pk, asked.user, asked.seat, reason=asked.reason)
    return f"{capitalise(name_of(seat))} is vacant; no order of its last holder is carried out."


def _replace(asked: Asked) -> str:
    seat = command.replace_player(
        asked.campaign.pk,
        asked.user,
        asked.seat,
        asked.given.get("username", ""),
        reason=asked.reason,
    )
    return f"{seat.user} sits as {name_of(seat)}, with a brief of how it stands."


def _second_umpire(asked: Asked) -> str:
    given = _filled(Account(asked.given))
    seat = command.second_umpire(asked.campaign.pk, asked.user, given["username"])
    return f"{seat.user} is an umpire too."


def _adjourn(asked: Asked) -> str:
    command.adjourn(asked.campaign.pk, asked.user, reason=asked.reason)
    return "The campaign is adjourned: nothing runs until you take it up again."


def _take_up(asked: Asked) -> str:
    campaign = command.take_up(asked.campaign.pk, asked.user)
    due = timetable.due_in_words(campaign)
    return f"The campaign goes on{due and ', and its month is ' + due}."


def _end(asked: Asked) -> str:
    given = _filled(Ending(asked.given))
    state = selectors.state_now(asked.campaign)
    winner = Side(given["winner"]) if given["winner"] else None
    reason = given["reason"]
    ruling = Ruled(reason, ruling_events.end(state, winner, reason))
    rulings.rule(asked.campaign.pk, asked.user, ruling)
    return "The campaign is over."


_DOES: dict[str, Callable[[Asked], str]] = {
    "advance": _advance,
    "phase": _phase,
    "extend": _extend,
    "pause": _pause,
    "go on": _go_on,
    "deadlines": _keep_to,
    "no deadlines": _no_deadlines,
    "dice": _type_in,
    "dice by hand": partial(_by_hand, yes=True),
    "own dice": partial(_by_hand, yes=False),
    "to the staff": _to_staff,
    "from the staff": _from_staff,
    "remove": _remove,
    "replace": _replace,
    "second umpire": _second_umpire,
    "adjourn": _adjourn,
    "take up": _take_up,
    "end": _end,
}
