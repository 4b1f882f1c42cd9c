"""The help pages: the guides of docs/, the glossary, the keys, and a clause in plain words."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from campaign.rules.casebook import Case, cases
from campaign.rules.tables.editions import shipped_edition
from campaign.rules.trace import CampaignClause, rulings, trace
from campaign.web.tables import rule_book

MOST_CASES = 6
DOCS = Path(settings.BASE_DIR) / "docs"
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


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
