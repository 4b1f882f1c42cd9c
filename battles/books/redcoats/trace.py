"""The trace of Redcoats and Dervishes: its paragraphs, their code, and the rulings.

Clauses are named by chapter and paragraph: "Charging 10".
"""

from battles.books.redcoats import events as e
from battles.core.trace import Paragraph, Trace

book = Trace("battles.books.redcoats", Paragraph, e.AnyEvent)
trace, rulings, clause_of_test = book.trace, book.rulings, book.clause_of_test
