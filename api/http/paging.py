"""Split long lists into pages by cursor."""

from collections.abc import Iterable
from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from api.http.problems import Problem, invalid_parameters, unfit_parameters

PAGES = frozenset({"cursor", "limit"})
"""The query parameters of a paged list."""


class Newest(CursorPagination):
    """Cursor pagination, the newest first; pages stay stable while items are added."""

    ordering = "-id"
    page_size = 25
    max_page_size = 100
    page_size_query_param = "limit"

    def get_page_size(self, request: Request) -> int:
        return limit_of(request, default=self.page_size, most=self.max_page_size)

    def decode_cursor(self, request: Request) -> Any:
        try:
            cursor = super().decode_cursor(request)
        except NotFound as error:
            raise _no_cursor() from error
        if cursor is not None and cursor.position is None and not cursor.offset:
            raise _no_cursor()
        return cursor

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        try:
            page: list[Any] = super().paginate_queryset(queryset, request, view)
        except ValueError as error:
            raise _no_cursor() from error
        self.base_url = request.get_full_path()
        return page

    def document(self, results: Iterable[object]) -> dict[str, object]:
        """Return the page with the addresses of its neighbours."""
        return {
            "results": list(results),
            "next": self.get_next_link(),
            "previous": self.get_previous_link(),
        }


def limit_of(request: Request, *, default: int, most: int) -> int:
    """Return the number of results asked for; Problem unless it is from 1 to `most`."""
    text = request.query_params.get("limit", str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= most):
        raise invalid_parameters(
            limit=f"{text!r} will not do: give a whole number from 1 to {most}."
        )
    return int(text)


def page_link(request: Request, cursor: str) -> str:
    """Return the address of the page of the same list that begins at the cursor."""
    return str(replace_query_param(request.get_full_path(), "cursor", cursor))


def _no_cursor() -> Problem:
    return unfit_parameters(
        cursor="That is no cursor: follow `next` or `previous` as they are given."
    )
