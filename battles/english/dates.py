"""Months in words."""

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def month_in_words(month: str) -> str:
    """`February 1884` for 1884-02; nothing for nothing."""
    year, _, number = month.partition("-")
    return f"{MONTHS[int(number) - 1]} {year}" if number else ""
