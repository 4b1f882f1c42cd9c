"""Tables that somebody has changed, as they are read from a form: kept, whatever is wrong."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest

from battles.core.tables import Source, TableError
from campaign.rules.tables.editions import name_of, shipped, texts_by_name
from campaign.services import Unfit

LARGEST = 64_000
"""Bytes a file may have: five times the longest there is."""
BEFORE, AFTER = 1, 3
"""Lines round about a wrong one that are shown with it."""


@dataclass(frozen=True)
class Problem:
    """What is wrong in a file: where, why, what to do; `lines` are the numbered lines there."""

    file: str
    line: int
    reason: str
    remedy: str
    lines: tuple[tuple[int, str], ...] = ()


@dataclass
class Draft:
    """One file; `name` is the table or scenario it holds, if it says so."""

    file: str
    text: str
    name: str = ""
    problem: Problem | None = None

    @property
    def title(self) -> str:
        """What the table or scenario is called; else the file."""
        return str(shipped().source(self.name).document()["title"]) if self.name else self.file

    @property
    def height(self) -> int:
        """Lines of the field in which it is shown."""
        return min(30, self.text.count("\n") + 2)


def from_form(request: HttpRequest) -> tuple[list[Draft], str]:
    """The texts of the form, with the files chosen in the place of those of the same table.

    And what is wrong with a file that is no text or too large, which is left out.
    """
    fields = zip(request.POST.getlist("file"), request.POST.getlist("text"), strict=False)
    found = [_draft(file, text) for file, text in fields if text.strip()]
    refused = ""
    for upload in request.FILES.getlist("files")[: len(shipped().texts)]:
        try:
            one = _draft(upload.name or "file", _text(upload))
        except Unfit as unfit:
            refused = str(unfit)
        else:
            found = [other for other in found if not other.name or other.name != one.name] + [one]
    return found, refused


def _text(upload: UploadedFile) -> str:
    if (upload.size or 0) > LARGEST:
        raise Unfit(f"{upload.name} is larger than {LARGEST // 1000} KB: no table is.")
    try:
        return upload.read().decode()
    except UnicodeDecodeError as error:
        raise Unfit(f"{upload.name} is not a text in UTF-8: save it as one.") from error


def _draft(file: str, text: str) -> Draft:
    draft = Draft(file, text.replace("\r\n", "\n").removeprefix("\ufeff"))
    try:
        draft.name = name_of(Source(file, draft.text))
    except TableError as error:
        draft.problem = _problem(error, draft.text)
    return draft


def of_shipped(names: Iterable[str]) -> list[Draft]:
    """The shipped tables and scenarios of those names, to be changed."""
    texts = shipped().texts
    return [Draft(f"{name}.toml", texts[name], name) for name in names if name in texts]


def check(drafts: list[Draft]) -> Problem | None:
    """Note in each draft what is wrong with it; gives back what is wrong with them together."""
    if any(draft.problem for draft in drafts):
        return None
    try:
        shipped().replacing(texts_by_name(Source(draft.file, draft.text) for draft in drafts))
    except TableError as error:
        return _blame(drafts, error)
    return None


def _blame(drafts: list[Draft], error: TableError) -> Problem | None:
    for draft in drafts:
        if error.path in (f"{draft.name}.toml", draft.file):
            draft.problem = _problem(error, draft.text)
            return None
    return _problem(error, "")


def _problem(error: TableError, text: str) -> Problem:
    lines = list(enumerate(text.splitlines(), start=1))
    first = max(0, error.line - 1 - BEFORE)
    about = tuple(lines[first : error.line + AFTER])
    return Problem(error.path, error.line, error.reason, error.remedy, about)
