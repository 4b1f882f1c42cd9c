"""Handle requests to begin, join, follow and play battles that players fight."""

from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from battles import access, serialization, services
from battles.contract import Side
from battles.contract.book import NoSuchBook, book, words_of
from battles.contract.set_up import ToSetUp
from battles.core.game import IllegalAction
from battles.models import Battle
from battles.turn_form import InvalidForm, TurnForm, only_answer
from battles.web.battle import address_of_last_turn
from battles.web.fight_again import may_fight_again, sides_again
from battles.web.fight_page import FightPage, address, lasting_plan, repeat_orders
from ops.http_policy import posts_to
from ops.sent_once import sent_once

NOT_HERE = "This battle is not fought here."
GONE = "That is not offered (any more). Choose again."


@require_safe
def fight(request: HttpRequest, number: str) -> HttpResponse:
    """Show the battle in progress as the user may see it; redirect to its last turn when over."""
    battle = access.battle_for(request.user, number)
    if not access.is_open(battle):
        return redirect(address_of_last_turn(battle))
    return _page(request, battle)


@require_safe
def follow(request: HttpRequest, number: str) -> HttpResponse:
    """Answer 304 while the page is up to date, else its new version."""
    version = FightPage(access.battle_for(request.user, number), request.user, {}).version
    tag = f'"{version}"'
    if request.headers.get("If-None-Match") == tag:
        return HttpResponse(status=304, headers={"ETag": tag})
    return HttpResponse(version, content_type="text/plain", headers={"ETag": tag})


@login_required
@posts_to("fight", "number")
def act(request: HttpRequest, number: str) -> HttpResponse:
    """Carry out an action: a choice, a form, the computer's advice, or undo."""
    battle = access.battle_for(request.user, number)
    data = request.POST
    if "end-plan" in data:
        request.session.pop(lasting_plan(battle), None)
        return redirect(address(battle))

    def do(user: User) -> None:
        if "undo" in data:
            to = _number(data["undo"]) or None
            services.undo(battle.pk, user, expected=data.get("at", ""), to=to)
            return
        state = serialization.state_of(battle)
        decision, key = _decision(battle, state, data), data.get("key", "")
        plan = f"{decision.plan} {_lasting_plan(request, battle)}".strip()
        services.act(
            battle.pk,
            user,
            _plan_action(battle, state, decision.action, plan),
            expected=data.get("at", ""),
            key=key,
        )
        if decision.lasts:
            request.session[lasting_plan(battle)] = decision.plan, key

    return _done(request, battle, do, unit=data.get("unit", "") if "form" in data else "")


@login_required
@posts_to("fight", "number")
def lead(request: HttpRequest, number: str) -> HttpResponse:
    """Hand a side to the computer, or back to its own commander."""
    battle = access.battle_for(request.user, number)
    side, computer = request.POST.get("side", ""), request.POST.get("by") == "computer"
    if side not in list(Side):
        raise Http404(GONE)
    return _done(
        request, battle, lambda user: services.lead(battle, user, Side(side), computer=computer)
    )


@login_required
@posts_to("fight", "number")
def stand_in(request: HttpRequest, number: str) -> HttpResponse:
    """Hand the late side to the computer, until its player is back."""
    battle = access.battle_for(request.user, number)
    return _done(request, battle, lambda user: services.stand_in(battle, user))


@login_required
@posts_to("fight", "number")
def umpire(request: HttpRequest, number: str) -> HttpResponse:
    """Carry out an umpire's action: pause, go on, finish, go back or correct, with a reason."""
    battle, data = access.battle_for(request.user, number), request.POST
    powers: dict[str, Callable[[User], Any]] = {
        "pause": lambda user: services.pause(battle, user, paused=True),
        "go on": lambda user: services.pause(battle, user, paused=False),
        "finish": lambda user: services.finish(battle, user),
        "back": lambda user: services.rewind(
            battle, user, _number(data.get("entry")), data.get("reason", "")
        ),
    }
    powers["correct"] = lambda user: services.correct(
        battle, user, data, data.get("reason", ""), expected=data.get("at", "")
    )
    if data.get("do") not in powers:
        raise Http404(GONE)
    return _done(request, battle, powers[data["do"]])


@login_required
@posts_to("battle", "number")
@sent_once
def take_up(request: HttpRequest, number: str) -> HttpResponse:
    """Begin to fight a waiting battle in the browser, by a book."""
    battle = access.battle_for(request.user, number)
    book_slug = request.POST.get("book", "")
    if isinstance(request.user, User):
        try:
            services.take_up(battle, request.user, book_slug)
        except (services.Refused, LookupError) as refused:
            messages.error(request, str(refused))
            return redirect("battle", battle.uuid)
    return redirect("fight", battle.uuid)


@login_required
@posts_to("battle", "number")
@sent_once
def again(request: HttpRequest, number: str) -> HttpResponse:
    """Begin the same battle again, by the same commanders; "swap" changes the sides."""
    battle = access.battle_for(request.user, number)
    if not isinstance(request.user, User) or not may_fight_again(battle):
        messages.error(request, "This battle cannot be fought again before it is over.")
        return redirect("battle", battle.uuid)
    sides = sides_again(battle, request.user, swap="swap" in request.POST)
    new_fight = services.NewFight(battle.book, sides, battle.public, battle.patience)
    try:
        begun = services.begin_fight(request.user, serialization.brief_of(battle), new_fight)
    except (services.Refused, LookupError) as refused:
        messages.error(request, str(refused))
        return redirect("battle", battle.uuid)
    return redirect("fight", begun.uuid)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def join(request: HttpRequest, number: str, invitation: str) -> HttpResponse:
    """Show the side that an invitation offers, and take it on POST."""
    offered = access.side_offered(number, invitation)
    battle = offered.battle
    if request.method == "POST" and isinstance(request.user, User):
        try:
            services.accept(battle, request.user, invitation)
        except services.Refused as refused:
            messages.error(request, str(refused))
            return redirect("battles")
        return redirect("fight", battle.uuid)
    context = {
        "here": "battles",
        "battle": battle,
        "side": words_of(battle.book).side(Side(offered.side)),
        "book": serialization.engine_of(battle).title,
    }
    return render(request, "battles/fight/join.html", context)


class FormDecision(NamedTuple):
    """A decision of a form: its first action, and the plan that goes on with it."""

    action: Any
    plan: str = ""
    lasts: bool = False


def _decision(battle: Battle, state: Any, data: QueryDict) -> FormDecision:
    """Return the decision that the form describes. Raises InvalidForm."""
    forms = book(battle.book).turn_forms
    if "staff" in data:
        answer = serialization.engine_of(battle).answer(state) if state.question else None
        return FormDecision(answer)
    if "repeat" in data:
        again = repeat_orders(battle, state)
        if again is None:
            raise InvalidForm(GONE)
        return FormDecision(again)
    side = state.question.side if state.question else Side.EGYPTIAN
    form = forms.form(state, side, _number(data.get("unit") or "0"))
    if not {"choice", "more", "all"} & set(data):
        return FormDecision(forms.read_action(state, data), _plan_of_a_place(form, data))
    choices = form.choices if form else ()
    number = _number(data.get("choice") or data.get("more") or data.get("all"))
    if form is None or number >= len(choices):
        raise InvalidForm(GONE)
    choice = choices[number]
    if "more" in data or "add" in data:
        return FormDecision(choice.action)
    if "all" in data:
        return FormDecision(choice.action, form.line)
    return FormDecision(choice.action, choice.then, choice.lasts)


def _plan_of_a_place(form: TurnForm | None, data: QueryDict) -> str:
    """Return the plan that goes on with a move to a place that was pressed."""
    if form is None or form.free is None:
        return ""
    if "line" in data:
        return form.free.line
    return form.free.then and f"{form.free.then}:{data.get('x', '')},{data.get('y', '')}"


def _lasting_plan(request: HttpRequest, battle: Battle) -> str:
    """Return the plan that goes on in the battle; "" without one, or when its choice was undone."""
    plan, key = request.session.get(lasting_plan(battle), ("", ""))
    return plan if plan and serialization.entries_of(battle).filter(key=key).exists() else ""


def _plan_action(battle: Battle, state: Any, action: Any, plan: str) -> services.PlannedAction:
    """Return the action with what follows by a plan, and what leaves no choice."""
    forms = book(battle.book).turn_forms
    planned = forms.sequel(state, action, plan)

    def following(now: Any) -> Any:
        going_on = planned(now)
        if going_on is not None or now.question is None:
            return going_on
        return only_answer(forms.form(now, now.question.side, 0))

    return services.PlannedAction(action, following)


def _number(value: str | None) -> int:
    text = value or ""
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise InvalidForm(GONE)
    return int(text)


def _done(
    request: HttpRequest, battle: Battle, do: Callable[[User], Any], *, unit: str = ""
) -> HttpResponse:
    """Do it and redirect to the page; show the page with the reason if it is refused.

    During deployment the page keeps the `unit` that was placed.
    """
    if not isinstance(request.user, User):
        raise Http404(NOT_HERE)
    try:
        do(request.user)
    except services.Stale as stale:
        return _refusal_page(request, battle, str(stale), status=409)
    except services.NotYours as refused:
        return _refusal_page(request, battle, str(refused), status=403)
    except (services.Refused, IllegalAction, InvalidForm, NoSuchBook) as refused:
        return _refusal_page(request, battle, str(refused), status=400)
    battle.refresh_from_db()
    if unit and not (
        access.is_open(battle) and isinstance(serialization.state_of(battle).question, ToSetUp)
    ):
        unit = ""
    shown = f"{address(battle)}?{urlencode({'unit': unit})}" if unit else address(battle)
    if not _is_swap(request) or not access.is_open(battle):
        return redirect(shown)
    # A redirect would cost the open page a second request.
    response = _page(request, battle, unit=unit)
    response["HX-Replace-Url"] = shown
    return response


def _is_swap(request: HttpRequest) -> bool:
    """Return whether the script of an open page asks for what has changed."""
    headers = request.headers
    return "HX-Request" in headers and "HX-History-Restore-Request" not in headers


def _refusal_page(
    request: HttpRequest, battle: Battle, reason: str, *, status: int
) -> HttpResponse:
    now = access.battle_for(request.user, battle.uuid)
    if not access.is_open(now):
        messages.error(request, reason)
        return redirect("battle", now.uuid)
    return _page(request, now, why=reason, status=status)


def _page(
    request: HttpRequest, battle: Battle, *, why: str = "", status: int = 200, unit: str = ""
) -> HttpResponse:
    """Return the page; after a refusal with the form filled in and the URL unchanged.

    A page that is open already gets only the part of it that changes. After an action `unit` stays
    selected.
    """
    parameters = (
        request.POST if why else {"unit": unit} if request.method == "POST" else request.GET
    )
    page = FightPage(battle, request.user, parameters)
    context = {
        "shell": "battles/fight/fragment.html" if _is_swap(request) else "base.html",
        "here": "battles",
        "page": page,
        "battle": battle,
        "why": why,
        "filled": request.POST if why and "do" in request.POST else None,
        "ticked": request.POST.getlist("several") if why and "form" in request.POST else None,
        "lasting": _lasting_plan(request, battle),
        "meanwhile": _meanwhile(page, request.POST.get("at", "")) if status == 409 else (),
    }
    response = render(request, "battles/fight/page.html", context, status=status)
    response["ETag"] = f'"{page.version}"'
    response["Cache-Control"] = "no-store"
    if why:
        response["HX-Push-Url"] = "false"
    return response


def _meanwhile(page: FightPage, at: str) -> tuple[Any, ...]:
    """Return the log since the cursor that the user has seen, if that is on this line."""
    branch, _, number = at.partition(".")
    same = branch == str(page.battle.branch) and number.isascii() and number.isdigit()
    return page.battle_log.since(int(number)) if same and len(number) < 7 else ()
