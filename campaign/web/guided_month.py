"""A guided first month: six steps on the real order page, and four on the umpire's console.

The steps change nothing of the campaign. The visitor's current step is kept in their session, so
that the guide works for a guest, in every tab, and without scripts.
"""

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from campaign.access import selectors
from campaign.models import Campaign, Seat
from ops.http_policy import posts_to

KEPT = "guides"
"""The key of the session: a campaign's slug, and the number of the step."""
MOST_KEPT = 20


class GuideStep(NamedTuple):
    """A step of a guide.

    `target` is a CSS selector of what the step is about; once `done` matches something on the page,
    the script goes on to the next step. A field that is to be filled counts when it has a value.
    """

    title: str
    text: str
    target: str = ""
    done: str = ""


PLAYER = (
    GuideStep(
        "Take a stack",
        "Click one of your stacks on the map, or choose one under Stacks and press its button. On "
        "a telephone, tap it. The form for an order opens with the units that stand there.",
        "#map",
        "#compose:not([hidden])",
    ),
    GuideStep(
        "See how far it gets",
        "The shades on the map show where one, two and three marches take the stack. A stack tries "
        "up to three marches a month, each by a throw; the chance of each is in the form. The "
        "slowest unit sets the pace: leave the slow ones behind and look again.",
        "#outlook",
        "#legs input[name='to']",
    ),
    GuideStep(
        "Choose the destination",
        "Click a hex within the shades, or type a place such as Metemmeh. Small dots warn of "
        "thirst.",
        "#legs",
        "#legs input[name='to']",
    ),
    GuideStep(
        "Read it back",
        "The sheet repeats your order in a sentence, and says what is wrong or uncertain with it, "
        "read by the same code that will carry it out. If it says what you mean, add it.",
        "#in-words",
        "#order-list > li",
    ),
    GuideStep(
        "Submit",
        "Add as many orders as you like; stacks without one stay where they are. Then press Ready. "
        "The sheet is closed, the dice are thrown, and the computer’s staff plays the other side.",
        "#state",
        "#state[data-ready]",
    ),
    GuideStep(
        "Read the despatches",
        "Open the campaign’s page and read the news of the month. Open a sentence to see "
        "its dice, its table and the clause of the rules. Then write the next month: that is the "
        "whole game.",
        "#despatches",
    ),
)
UMPIRE = (
    GuideStep(
        "Invite your players",
        "Open Seats, choose a command and make a link. The player who opens it takes that seat.",
        "#seats",
    ),
    GuideStep(
        "Read the worklist",
        "It lists what can still go wrong this month: who has sent no orders, which orders cannot "
        "be carried out, who will be thirsty. Each line leads to the map.",
        "#worklist",
    ),
    GuideStep(
        "Run the month",
        "When everybody is ready, or when you will not wait any longer, run it. The despatches go "
        "out to both sides by themselves.",
        ".run",
    ),
    GuideStep(
        "Rewind, if you must",
        "A mistake is no disaster: Rewind returns to any point. The abandoned branch stays visible "
        "with your reason, and the new one gets new dice, so nobody can re-roll.",
        "#powers",
    ),
)


class Guide(NamedTuple):
    """A guide as one page shows it: the current step, its number, and all titles."""

    step: GuideStep
    number: int
    titles: tuple[str, ...]
    onward: str
    """The page to which the last step leads; empty on that page, and for umpires."""

    @property
    def is_last(self) -> bool:
        return self.number == len(self.titles)


def begin(request: HttpRequest, campaign: Campaign) -> None:
    """Begin the guide to this campaign for the visitor, at its first step."""
    _keep(request, campaign.slug, 1)


def guide_of(
    request: HttpRequest, campaign: Campaign, path: str, *, at_console: bool
) -> Guide | None:
    """Return the guide that the visitor follows on the page `path`; None without one."""
    number = request.session.get(KEPT, {}).get(_key(campaign.slug, at_console=at_console), 0)
    steps = UMPIRE if at_console else PLAYER
    if not 1 <= number <= len(steps):
        return None
    last = number == len(steps) and not at_console
    onward = reverse("campaign", args=[campaign.slug]) if last else ""
    titles = tuple(step.title for step in steps)
    return Guide(steps[number - 1], number, titles, "" if onward == path else onward)


@posts_to("campaign", "slug")
def guide_step(request: HttpRequest, slug: str) -> HttpResponse:
    """Go to the step that the form names; 0 ends the guide. Return to the page of the form."""
    campaign = selectors.campaign_for(request.user, slug)
    at_console = request.POST.get("guide") == Seat.Role.UMPIRE
    steps, step = (UMPIRE if at_console else PLAYER), request.POST.get("step", "")
    if not request.user.is_authenticated:
        messages.info(request, "Take a seat first: the guide leads through orders of your own.")
    elif step.isascii() and step.isdigit() and len(step) < 3 and int(step) <= len(steps):
        _keep(request, _key(campaign.slug, at_console=at_console), int(step))
    else:
        messages.error(request, f"The guide has steps 1 to {len(steps)}; 0 ends it.")
    path = request.POST.get("here", "")
    if not url_has_allowed_host_and_scheme(path, allowed_hosts=None):
        path = reverse("campaign", args=[slug])
    if "HX-Request" not in request.headers:
        return redirect(path)
    return render(
        request, "campaign/_guide.html", context_of(request, campaign, path, at_console=at_console)
    )


def context_of(
    request: HttpRequest, campaign: Campaign, path: str, *, at_console: bool
) -> dict[str, Any]:
    """Return the context of the guide's part of a page."""
    return {
        "campaign": campaign,
        "guide": guide_of(request, campaign, path, at_console=at_console),
        "here": path,
        "which": Seat.Role.UMPIRE.value if at_console else "player",
    }


def _key(slug: str, *, at_console: bool) -> str:
    return f"{slug} {Seat.Role.UMPIRE}" if at_console else slug


def _keep(request: HttpRequest, key: str, number: int) -> None:
    kept = {name: step for name, step in request.session.get(KEPT, {}).items() if name != key}
    if number:
        kept = dict([*kept.items(), (key, number)][-MOST_KEPT:])
    request.session[KEPT] = kept
