"""Recovering casualties (section 16)."""

from battles.books.fuzzy_wuzzy.book import book


def needs_die(markers: int) -> bool:
    """Whether a normal die says how half of so many casualty markers is rounded."""
    return bool(markers % book().number("half"))


def recovered(markers: int, die: int = 0) -> int:
    """How many casualty markers are removed; `die` is left out for an even number.

    Raises StopIteration for what no normal die shows.
    """
    half, odd = divmod(markers, book().number("half"))
    return half + (bool(odd) and book().rounding(die) == "up")
