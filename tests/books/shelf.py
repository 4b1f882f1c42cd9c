"""Properties of every book of battles."""

from tests.books.played import Played
from tests.fuzzy_wuzzy.played import PLAYED as FUZZY_WUZZY
from tests.redcoats.played import PLAYED as REDCOATS
from tests.restless.played import PLAYED as RESTLESS

BOOKS: dict[str, Played] = {book.engine.slug: book for book in (REDCOATS, RESTLESS, FUZZY_WUZZY)}
