"""The rule trace of Restless Natives: its paragraphs, the code for each, and its rulings.

Clauses are named by chapter and paragraph: "Close combat 6".
"""

from battles.books.restless_natives import events as e
from battles.core.trace import Paragraph, Trace

book = Trace("battles.books.restless_natives", Paragraph, e.AnyEvent)
trace, rulings, clause_of_test = book.trace, book.rulings, book.clause_of_test
