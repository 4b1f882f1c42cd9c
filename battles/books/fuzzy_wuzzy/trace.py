"""The rule trace of 'Eres to You Fuzzy Wuzzy: its paragraphs, the code for each, its rulings.

Clauses are named by chapter and paragraph: "Fire results 3".
"""

from battles.books.fuzzy_wuzzy import events as e
from battles.core.trace import Paragraph, Trace

book = Trace("battles.books.fuzzy_wuzzy", Paragraph, e.AnyEvent)
trace, rulings, clause_of_test = book.trace, book.rulings, book.clause_of_test
