"""Tables of somebody's own, for the tests: changes that can be seen at once."""

from campaign.rules.tables.editions import shipped_edition

SIEGE = "siege-of-khartoum"
NO_MARCH = "no march"


def text(name: str, *changes: tuple[str, str]) -> str:
    """Return the shipped table or scenario with parts of it, which must be there, changed."""
    said = shipped_edition().text(name)
    for old, new in changes:
        assert old in said, f"{old!r} is not in {name}"
        said = said.replace(old, new, 1)
    return said


def halted() -> str:
    """Return a march table on which nobody ever marches."""
    heading, row, rows = shipped_edition().text("march").partition("[[row]]")
    for cell in ('"march"', '"march, 25%"', '"march, 50%"'):
        rows = rows.replace(cell, f'"{NO_MARCH}"')
    return heading + row + rows


def brief(slug: str = SIEGE) -> str:
    """Return the scenario, over after its first month: what is played many times need not last."""
    said = shipped_edition().text(slug)
    start = said.partition('start = "')[2][:7]
    end = said.partition('end = "')[2][:7]
    return said.replace(f'end = "{end}"', f'end = "{start}"')
