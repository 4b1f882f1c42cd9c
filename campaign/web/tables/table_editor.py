"""Download tables as files, and edit, check, compare and delete own sets of them.

A draft keeps the user's text, whatever is wrong with it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from battles import journal
from battles.core.tables import Source, TableError
from campaign import serialization
from campaign.access import saved_work, selectors
from campaign.models import OwnTables
from campaign.rules.tables.editions import (
    Edition,
    NamedEdition,
    UnknownName,
    changed_names,
    changes,
    name_of,
    named_edition,
    named_editions,
    shipped_edition,
    texts_by_name,
)
from campaign.services.errors import UnfitRequest
from campaign.services.journal import rules_edition
from campaign.web.visitor import visitor
from ops.http_policy import posts_to
from ops.sent_once import sent_once

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

LARGEST_FILE = 64_000
"""Bytes of a file: five times the longest table."""
BEFORE, AFTER = 1, 3
"""Lines of context shown around an error."""


@dataclass(frozen=True)
class DraftProblem:
    """An error in a file: place, reason and remedy; `lines` are the lines around it."""

    file: str
    line: int
    reason: str
    remedy: str
    lines: tuple[tuple[int, str], ...] = ()


@dataclass
class TableDraft:
    """The draft of one file; `name` is the table or scenario in it, if known."""

    file: str
    text: str
    name: str = ""
    problem: DraftProblem | None = None

    @property
    def title(self) -> str:
        """Return the title of the table or scenario; else the file's name."""
        return title_of(shipped_edition(), self.name) if self.name else self.file

    @property
    def height(self) -> int:
        """Return the lines of its text field."""
        return min(30, self.text.count("\n") + 2)


def from_form(request: HttpRequest) -> tuple[list[TableDraft], str]:
    """Return the drafts in the form, and an error about a refused file.

    An uploaded file replaces the draft of the same table. One that is no text or too large is left
    out.
    """
    fields = zip(request.POST.getlist("file"), request.POST.getlist("text"), strict=False)
    drafts = [_draft(file, text) for file, text in fields if text.strip()]
    refused = ""
    for upload in request.FILES.getlist("files")[: len(shipped_edition().texts)]:
        try:
            draft = _draft(upload.name or "file", _text(upload))
        except UnfitRequest as unfit:
            refused = str(unfit)
        else:
            drafts = [other for other in drafts if not other.name or other.name != draft.name] + [
                draft
            ]
    return drafts, refused


def _text(upload: "UploadedFile[bytes]") -> str:
    if (upload.size or 0) > LARGEST_FILE:
        raise UnfitRequest(f"{upload.name} is larger than {LARGEST_FILE // 1000} KB: no table is.")
    try:
        text: str = upload.read().decode()
    except UnicodeDecodeError as error:
        raise UnfitRequest(f"{upload.name} is not a text in UTF-8: save it as one.") from error
    return text


def _draft(file: str, text: str) -> TableDraft:
    draft = TableDraft(file, text.replace("\r\n", "\n").removeprefix("\ufeff"))
    try:
        draft.name = name_of(Source(file, draft.text))
    except TableError as error:
        draft.problem = _problem(error, draft.text)
    return draft


def of_shipped(names: Iterable[str]) -> list[TableDraft]:
    """Return drafts of the shipped tables and scenarios of those names."""
    texts = shipped_edition().texts
    return [TableDraft(f"{name}.toml", texts[name], name) for name in names if name in texts]


def check(drafts: list[TableDraft]) -> DraftProblem | None:
    """Note each draft's error in it; return an error that belongs to no draft."""
    if any(draft.problem for draft in drafts):
        return None
    try:
        shipped_edition().replacing(
            texts_by_name(Source(draft.file, draft.text) for draft in drafts)
        )
    except TableError as error:
        return _blame(drafts, error)
    return None


def _blame(drafts: list[TableDraft], error: TableError) -> DraftProblem | None:
    for draft in drafts:
        if error.path in (f"{draft.name}.toml", draft.file):
            draft.problem = _problem(error, draft.text)
            return None
    return _problem(error, "")


def _problem(error: TableError, text: str) -> DraftProblem:
    lines = list(enumerate(text.splitlines(), start=1))
    first = max(0, error.line - 1 - BEFORE)
    about = tuple(lines[first : error.line + AFTER])
    return DraftProblem(error.path, error.line, error.reason, error.remedy, about)


@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """Show every table and scenario for download, and the user's own sets."""
    context = {
        "here": "rules",
        "own": [
            (table_set, _changes_of(table_set)) for table_set in saved_work.own_tables(request.user)
        ],
        "editions": named_editions(),
        "tables": shipped_edition().book.tables(),
        "scenarios": shipped_edition().scenarios,
    }
    return render(request, "campaign/tables/tables.html", context)


def _changes_of(tables: OwnTables) -> str:
    """Return the changed tables of the set, or why it is no longer playable."""
    try:
        edition = saved_work.edition_of(tables)
    except journal.Damaged as damaged:
        return str(damaged)
    return ", ".join(title_of(edition, name) for name in changed_names(edition))


def title_of(edition: Edition, name: str) -> str:
    """Return the title of a table or scenario."""
    return str(edition.source(name).document()["title"])


@require_safe
def named_edition_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a named edition with its changes row by row. Raises Http404."""
    named_edition = _find_edition(slug)
    context = {"here": "rules", "named": named_edition, "changes": changes(named_edition.edition)}
    return render(request, "campaign/tables/named_edition.html", context)


@require_safe
def named_file(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    return as_file(_find_edition(slug).edition, name)


def _find_edition(slug: str) -> NamedEdition:
    try:
        return named_edition(slug)
    except UnknownName as error:
        raise Http404(str(error)) from error


@require_safe
def shipped_file(request: HttpRequest, name: str) -> HttpResponse:
    return as_file(shipped_edition(), name)


@require_safe
def campaign_file(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    return as_file(serialization.edition_of(selectors.state_now(campaign).edition), name)


@login_required
@require_safe
def own_file(request: HttpRequest, number: int, name: str) -> HttpResponse:
    return as_file(saved_work.edition_of(saved_work.own_name(request.user, number)), name)


def as_file(edition: Edition, name: str) -> HttpResponse:
    """Return a table or scenario as a TOML file to download. Raises Http404."""
    if name not in edition.texts:
        raise Http404(f"There is no table “{name}”.")
    headers = {"Content-Disposition": f'attachment; filename="{name}.toml"'}
    return HttpResponse(edition.text(name), "application/toml; charset=utf-8", headers=headers)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def new(request: HttpRequest) -> HttpResponse:
    """Show the form for a new set, and keep a valid one on POST."""
    if request.method == "POST":
        return _add_shipped_table(request) if "lay" in request.POST else _keep(request)
    written = of_shipped(request.GET.getlist("table"))
    name = ""
    if (number := request.GET.get("like", "")).isdecimal():
        like = saved_work.own_name(request.user, int(number))
        edition, name = saved_work.edition_of(like), f"{like.name}, changed"
        written = [
            TableDraft(f"{table}.toml", edition.text(table), table)
            for table in changed_names(edition)
        ]
    return _form(request, name, written)


def _add_shipped_table(request: HttpRequest) -> HttpResponse:
    """Show the submitted form again, with one more shipped table beside it."""
    written, refused = from_form(request)
    names = {draft.name for draft in written}
    added = of_shipped(set(request.POST.getlist("table")) - names)
    return _form(request, request.POST.get("name", ""), [*written, *added], refused=refused)


def _keep(request: HttpRequest) -> HttpResponse:
    name = request.POST.get("name", "")
    written, refused = from_form(request)
    wrong = None if refused else check(written)
    if not (refused or wrong or any(draft.problem for draft in written)):
        try:
            texts = {draft.name: draft.text for draft in written}
            own = rules_edition.name_tables(visitor(request), name, texts)
        except journal.Refused as error:
            refused = str(error)
        else:
            messages.success(request, f"{own.name} is saved. Play by it, or try it on the bench.")
            return redirect("own-tables", own.pk)
    return _form(request, name, written, refused=refused, wrong=wrong, status=400)


def _form(
    request: HttpRequest, name: str, written: list[TableDraft], *, status: int = 200, **more: object
) -> HttpResponse:
    context = {
        "here": "rules",
        "name": name,
        "drafts": written,
        "tables": [
            (table, title_of(shipped_edition(), table)) for table in shipped_edition().texts
        ],
        **more,
    }
    return render(request, "campaign/tables/editor.html", context, status=status)


@login_required
@require_safe
def own_tables_page(request: HttpRequest, number: int) -> HttpResponse:
    """Show a set of the user's own, with its changes row by row."""
    own = saved_work.own_name(request.user, number)
    context = {
        "here": "rules",
        "own": own,
        "changes": changes(saved_work.edition_of(own)),
        "campaigns": own.tables.campaigns.filter(pk__in=selectors.campaigns_for(request.user)),
    }
    return render(request, "campaign/tables/table_set.html", context)


@login_required
@posts_to("own-tables", "number")
def delete_tables(request: HttpRequest, number: int) -> HttpResponse:
    own = saved_work.own_name(request.user, number)
    rules_edition.delete_tables(visitor(request), own.pk)
    messages.success(request, f"{own.name} is deleted. Campaigns played by it keep it.")
    return redirect("tables")
