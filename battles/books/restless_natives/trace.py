"""The trace of Restless Natives: its paragraphs, where they are carried out, its rulings.

Clauses are named by chapter and paragraph: "Close combat 6".
"""

from battles.books.restless_natives import events as e
from battles.core.trace import Paragraph, Trace

book = Trace("battles.books.restless_natives", Paragraph, e.AnyEvent)
trace, rulings, clause_of_test = book.trace, book.rulings, book.clause_of_test
