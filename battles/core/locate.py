"""On what line of a TOML file a part of it stands, named like `$.row[3].effects[1].kind`."""

import re

Steps = list[str | int]
Step = tuple[str, int | None]
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
    steps = _pairs(steps_of(where))
    header: list[str] = []
    for nth, (key, place) in enumerate(steps):
        header.append(key)
        found = _headed(lines, window, ".".join(header), place)
        if found is None:
            return _inline(lines, window, steps[nth:]) + 1
        window = found
    return window[0] + 1 if steps else 1


def _pairs(steps: Steps) -> list[Step]:
    """Each key with the place that follows it, if one does."""
    return [
        (key, after if isinstance(after, int) else None)
        for key, after in zip(steps, [*steps[1:], None], strict=False)
        if isinstance(key, str)
    ]


def _headed(lines: list[str], window: Window, name: str, place: int | None) -> Window | None:
    """The lines of the nth `[[name]]` (or of `[name]`) with all that hangs under it."""
    starts = [n for n in range(*window) if _title(lines[n]) == name]
    nth = place or 0
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


def _inline(lines: list[str], window: Window, steps: list[Step]) -> int:
    """The line of `key =`, then of the nth inline table in its list, and so on inwards."""
    here = window
    for nth, (key, place) in enumerate(steps):
        before = r"^\s*" if nth == 0 else r"[\s{,]"
        named = re.compile(rf"{before}\"?{re.escape(key)}\"?\s*=")
        lines_of_key = [n for n in range(*here) if named.search(lines[n])]
        if not lines_of_key:
            return here[0]
        items = _items(lines, (lines_of_key[0], here[1]))
        if place is None or place >= len(items):
            return lines_of_key[0]
        here = items[place]
    return here[0]


def _items(lines: list[str], window: Window) -> list[Window]:
    """The lines of each inline table of a list that opens on the first line of the window."""
    opened = [n for n in range(window[0] + 1, window[1]) if lines[n].lstrip().startswith("{")]
    if not opened:
        return []
    depth = _indent(lines[opened[0]])
    ends = (n for n in range(opened[0], window[1]) if _indent(lines[n]) < depth)
    last = next(ends, window[1])
    starts = [n for n in opened if n < last and _indent(lines[n]) == depth]
    return list(zip(starts, [*starts[1:], last], strict=True))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else 10_000
