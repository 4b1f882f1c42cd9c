"""On what line of a TOML file a part of it stands, named like `$.row[3].effects[1].kind`."""

import re

Steps = list[str | int]
Window = tuple[int, int]  # first line and the line after the last, counted from 0

_STEP = re.compile(r"\.?([\w-]+)|\[(\d+)\]")
_HEADER = re.compile(r"\s*\[\[?\s*([\w.\- ]+?)\s*\]\]?\s*(#.*)?$")


def steps_of(where: str) -> Steps:
    """The keys (text) and places (whole numbers) a path goes through."""
    return [int(place) if place else key for key, place in _STEP.findall(where.removeprefix("$"))]


def line_of(text: str, where: str) -> int:
    """The line, from 1, of a part; of the nearest thing round about when it has none."""
    lines = text.splitlines()
    window = (0, len(lines))
    line = 0
    header: list[str] = []
    steps = steps_of(where)
    while steps:
        key = steps.pop(0)
        place = steps.pop(0) if steps and isinstance(steps[0], int) else None
        header.append(str(key))
        found = _headed(lines, window, ".".join(header), place)
        if found is None:
            return _inline(lines, window, (str(key), place), line) + 1
        line, end = found
        window = (line, end)
    return line + 1


def _headed(lines: list[str], window: Window, name: str, place: str | int | None) -> Window | None:
    """The lines of the nth `[[name]]` (or of `[name]`) with all that hangs under it."""
    starts = [n for n in range(*window) if _title(lines[n]) == name]
    nth = place if isinstance(place, int) else 0
    if nth >= len(starts):
        return None
    start = starts[nth]
    for n in range(start + 1, window[1]):
        title = _title(lines[n])
        if title and not title.startswith(name + "."):
            return start, n
    return start, window[1]


def _title(line: str) -> str:
    found = _HEADER.match(line)
    return found[1].replace(" ", "") if found else ""


def _inline(
    lines: list[str], window: Window, step: tuple[str, str | int | None], default: int
) -> int:
    """The line of `key =`, or of the nth inline table that opens a line after it."""
    key, place = step
    own = re.compile(rf"\s*\"?{re.escape(key)}\"?\s*=")
    for n in range(*window):
        if own.match(lines[n]):
            return _item(lines, (n, window[1]), place)
    return default


def _item(lines: list[str], window: Window, place: str | int | None) -> int:
    start, end = window
    items = [n for n in range(start + 1, end) if lines[n].lstrip().startswith("{")]
    return items[place] if isinstance(place, int) and place < len(items) else start
