"""The help pages and the guided first month.

The pages are the guides of docs/, the glossary, the keys, and a clause in plain words. The guided
month has six steps on the real order page, and four on the umpire's console. They change nothing of
the campaign. The visitor's current step is kept in their session, so that the guide works for a
guest, in every tab, and without scripts.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from campaign.access import selectors
from campaign.models import Campaign, Seat
from campaign.rules.casebook import Case, cases
from campaign.rules.tables.editions import shipped_edition
from campaign.rules.trace import CampaignClause, rulings, trace
from campaign.web.tables import rule_book
from ops.http_policy import posts_to

KEPT_GUIDES = "guides"
"""The key of the session: a campaign's slug, and the number of the step."""
MOST_GUIDES = 20


class GuideStep(NamedTuple):
    """A step of a guide.

    `target` is a CSS selector of what the step is about; once `done` matches something on the page,
    the script goes on to the next step. A field that is to be filled counts when it has a value.
    """

    title: str
    text: str
    target: str = ""
    done: str = ""


PLAYER_STEPS = (
    GuideStep(
        "Take a stack",
        "“What wins” says what you play for. Click one of your stacks on the map, or choose one "
        "under Stacks and press its button. On a telephone, tap it. The form for an order opens "
        "with the units that stand there.",
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
        "Add as many orders as you like; stacks without one stay where they are. Then press Ready, "
        "which closes the sheet. If you play alone, the month is played at once, with the "
        "computer’s staff on the other side. Otherwise it is played when all are ready, at the "
        "deadline, or when the umpire runs it.",
        "#state",
        "#state[data-ready]",
    ),
    GuideStep(
        "Read the despatches",
        "The campaign’s page has the news of the month. Open a sentence to see its dice, its "
        "table and the clause of the rules. Then write the next month: that is the whole game.",
        "#despatches",
    ),
)
UMPIRE_STEPS = (
    GuideStep(
        "Invite your players",
        "Open “Seats and invitations”, choose a seat and make a link. The player who opens it "
        "takes that seat.",
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
        "with your reason, and the new one gets new dice, so it helps nobody to know the old ones.",
        "#powers",
    ),
)


class Guide(NamedTuple):
    """A guide as one page shows it: its steps, and the number of the current one."""

    steps: tuple[GuideStep, ...]
    number: int
    onward: str
    """The page to which the last step leads; empty on that page or a month’s, and for umpires."""

    @property
    def step(self) -> GuideStep:
        return self.steps[self.number - 1]

    @property
    def previous(self) -> GuideStep | None:
        return self.steps[self.number - 2] if self.number > 1 else None

    @property
    def following(self) -> GuideStep | None:
        return None if self.is_last else self.steps[self.number]

    @property
    def is_last(self) -> bool:
        return self.number == len(self.steps)


def begin_guide(request: HttpRequest, campaign: Campaign) -> None:
    """Begin the guide to this campaign for the visitor, at its first step."""
    _keep(request, campaign.slug, 1)


def guide_of(
    request: HttpRequest, campaign: Campaign, path: str, *, at_console: bool
) -> Guide | None:
    """Return the guide that the visitor follows on the page `path`; None without one."""
    number = request.session.get(KEPT_GUIDES, {}).get(_key(campaign.slug, at_console=at_console), 0)
    steps = UMPIRE_STEPS if at_console else PLAYER_STEPS
    if not 1 <= number <= len(steps):
        return None
    last = number == len(steps) and not at_console
    onward = reverse("campaign", args=[campaign.slug]) if last else ""
    has_despatches = re.fullmatch(rf"{re.escape(onward)}(\d{{4}}-\d{{2}}/)?", path)
    return Guide(steps, number, "" if has_despatches else onward)


@posts_to("campaign", "slug")
def guide_step(request: HttpRequest, slug: str) -> HttpResponse:
    """Go to the step that the form names; 0 ends the guide. Return to the page of the form."""
    campaign = selectors.campaign_for(request.user, slug)
    at_console = request.POST.get("guide") == Seat.Role.UMPIRE
    steps, step = (UMPIRE_STEPS if at_console else PLAYER_STEPS), request.POST.get("step", "")
    if not request.user.is_authenticated:
        messages.info(request, "Take a seat first: the guide leads through orders of your own.")
    elif step.isascii() and step.isdigit() and len(step) < 3 and int(step) <= len(steps):
        _keep(request, _key(campaign.slug, at_console=at_console), int(step))
    else:
        messages.error(request, f"The guide has steps 1 to {len(steps)}; 0 ends it.")
    path = request.POST.get("here", "")
    if not path.startswith("/") or not url_has_allowed_host_and_scheme(path, allowed_hosts=None):
        path = reverse("campaign", args=[slug])
    if "HX-Request" not in request.headers:
        return redirect(path)
    return render(
        request,
        "campaign/_guide.html",
        guide_context(request, campaign, path, at_console=at_console),
    )


def guide_context(
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
    kept = {
        name: step for name, step in request.session.get(KEPT_GUIDES, {}).items() if name != key
    }
    if number:
        kept = dict([*kept.items(), (key, number)][-MOST_GUIDES:])
    request.session[KEPT_GUIDES] = kept


MOST_CASES = 6
DOCS = Path(settings.BASE_DIR) / "docs"
_OPTIONS = {"html": False, "typographer": True}
_MARKDOWN = MarkdownIt("commonmark", _OPTIONS).enable(["table", "smartquotes"])


class HelpPage(NamedTuple):
    """A guide: the name of its URL, its file in docs/, and what links say."""

    name: str
    file: str
    title: str
    about: str


PAGES = (
    HelpPage("help-players", "guide-players.md", "For players", "How to play a month."),
    HelpPage("help-umpires", "guide-umpires.md", "For umpires", "How to run a campaign."),
    HelpPage("help-glossary", "guide-glossary.md", "Glossary", "The words that pages use."),
)


class KeyLine(NamedTuple):
    """Keys, and what they do."""

    keys: tuple[str, ...]
    does: str


class KeyGroup(NamedTuple):
    """The keys of one kind of page."""

    title: str
    lines: tuple[KeyLine, ...]


KEYS = (
    KeyGroup(
        "Everywhere",
        (
            KeyLine(("Tab",), "Go to the next link, field or counter; the first goes to the text."),
            KeyLine(("Enter",), "Press what has the focus."),
        ),
    ),
    KeyGroup(
        "The map",
        (
            KeyLine(("←", "→", "↑", "↓"), "Move the map."),
            KeyLine(("+", "−"), "Zoom in and out."),
            KeyLine(("0",), "Show the whole map."),
            KeyLine(("Enter", "Space"), "Open the counters in focus, or the hex in the middle."),
            KeyLine(("Esc",), "Close an opened stack, or an order that is being written."),
        ),
    ),
    KeyGroup(
        "The order sheet",
        (KeyLine(("Ctrl+Z",), "Bring back what you have just deleted."),),
    ),
    KeyGroup(
        "The map in words",
        (
            KeyLine(("w", "s"), "Go north or south by one hex."),
            KeyLine(("q", "e"), "Go north-west or north-east."),
            KeyLine(("a", "d"), "Go south-west or south-east."),
        ),
    ),
    KeyGroup(
        "A battle",
        (
            KeyLine(("1", "…", "9"), "Press that button of your turn."),
            KeyLine(("a", "…", "u"), "Letters that the page of the battle lists under Keyboard."),
            KeyLine(("←", "→", "↑", "↓"), "Move over the field."),
            KeyLine(("+", "−", "0"), "Zoom in, zoom out, show the whole field."),
            KeyLine(("←", "→"), "In a battle that is over: the turn before, the turn after."),
        ),
    ),
)


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    return render(request, "campaign/help/index.html", {"here": "help", "pages": PAGES})


@require_safe
def guide(request: HttpRequest, name: str) -> HttpResponse:
    """Show a guide of docs/."""
    page = next(candidate for candidate in PAGES if candidate.name == name)
    context = {"here": "help", "page": page, "text": guide_text(page.file), "pages": PAGES}
    return render(request, "campaign/help/guide.html", context)


@cache
def guide_text(file: str) -> SafeString:
    """Return a guide as HTML, with the site's addresses of pictures and of other guides."""
    text = (DOCS / file).read_text(encoding="utf-8")
    text = text.replace("](../campaign/static/", "](")
    html: str = _MARKDOWN.render(text)
    html = html.replace('src="help/', f'loading="lazy" src="{static("help/")}')
    for page in PAGES:
        html = html.replace(f'href="{page.file}"', f'href="{reverse(page.name)}"')
    html = html.replace("<table>", '<div class="table" tabindex="0" role="group"><table>')
    return mark_safe(html.replace("</table>", "</table></div>"))  # noqa: S308


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    return render(
        request, "campaign/help/keys.html", {"here": "help", "groups": KEYS, "pages": PAGES}
    )


@require_safe
def clause_page(request: HttpRequest, clause: str) -> HttpResponse:
    """Show a clause in plain words, with cases that show it, its rulings and its tables."""
    traced_clause = next((candidate for candidate in trace() if candidate.anchor == clause), None)
    if traced_clause is None:
        raise Http404(f"There is no clause {clause}; the trace lists them all.")
    context = {
        "here": "rules",
        "clause": traced_clause,
        "cases": cases_of(traced_clause)[:MOST_CASES],
        "rulings": [ruling for ruling in rulings() if ruling.number in traced_clause.rulings],
        "tables": rule_book.clauses(shipped_edition().book).get(traced_clause.number, ()),
    }
    return render(request, "campaign/help/clause.html", context)


def cases_of(clause: CampaignClause) -> list[Case]:
    """Return the cases of the case book that show a part of the clause."""
    names = {clause.name(part) for part in clause.part}
    return [case for case in cases() if case.clause in names]
