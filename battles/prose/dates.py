"""Months in words."""

from battles.core.months import MONTHS


def month_in_words(month: str) -> str:
    """`February 1884` for 1884-02; nothing for nothing."""
    year, _, number = month.partition("-")
    return f"{MONTHS[int(number) - 1]} {year}" if number else ""
