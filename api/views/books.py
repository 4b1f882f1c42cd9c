"""The books that battles are fought by."""

from functools import cache

from django.http import HttpResponse
from rest_framework.request import Request

from api.answers import ASK_AGAIN, Document, respond
from api.contract import Listed, operation
from api.documents.books import BookDocument, BookLine, book_document, book_line
from api.endpoint import PublicEndpoint
from api.problems import Problem
from battles.contract.registry import book as book_of
from battles.contract.registry import books, every_book, find_book


class Books(PublicEndpoint):
    """The books that battles are fought by."""

    @operation(Listed[BookLine])
    def get(self, request: Request) -> HttpResponse:
        return respond(request, _books(), ASK_AGAIN)


class OneBook(PublicEndpoint):
    """A book that battles are fought by: its tables, rulings and play sheet."""

    @operation(BookDocument)
    def get(self, request: Request, book: str) -> HttpResponse:
        if find_book(book) is None:
            known = ", ".join(books())
            raise Problem("not-found", f"There is no book {book!r}; there are {known}.")
        return respond(request, _book(book), ASK_AGAIN)


@cache
def _books() -> Document:
    return Document({"results": list(map(book_line, every_book()))})


@cache
def _book(slug: str) -> Document:
    return Document(book_document(book_of(slug)))
