"""`python -m tests.architecture`: draw docs/architecture.svg from the imports, measure the code.

The picture has a band for each package, the importing packages above, and in it a box for each of
its rooms. An arrow leads from a room to one that it imports, unless a longer way leads there too.
A dashed one leads back: those rooms import each other, module by module without a cycle.
"""

import ast
import io
import statistics
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "architecture.svg"
BANDS = ("sirdar", "api", "accounts", "campaign", "battles", "ops")
"""The packages, from the top layer to the bottom one."""
QUESTION_WORDS = ("What", "Whether", "Who", "Whoever", "Whose", "Whom", "How", "Where", "Which")
BOX, HIGH, GAP_X, GAP_Y, LEFT, LANE = 108, 32, 44, 18, 190, 8
"""Sizes in pixels: a box, the gaps between boxes, the left margin, and the gap between lanes."""


class Module(NamedTuple):
    """A module of the product: its dotted name, its text and its syntax tree."""

    name: str
    text: str
    tree: ast.Module

    @property
    def room(self) -> str:
        """Return the package of the second level it belongs to, or its own package."""
        parts = self.name.split(".")
        inside = len(parts) > 2 or (ROOT / Path(*parts[:2])).is_dir()
        return ".".join(parts[:2]) if inside else parts[0]


@cache
def product() -> list[Module]:
    """Return every module of the product but the migrations, read and parsed once."""
    found = []
    for band in BANDS:
        for path in sorted((ROOT / band).rglob("*.py")):
            if "migrations" in path.parts:
                continue
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            text = path.read_text()
            found.append(Module(name, text, ast.parse(text)))
    return found


def imported(module: Module, names: Iterable[str]) -> set[str]:
    """Return those of the named modules that the module imports."""
    known, found = set(names), set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in known else node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found & known


def room_imports(modules: list[Module]) -> dict[str, Counter[str]]:
    """Return for every room how many of its modules import each other room."""
    rooms = {module.name: module.room for module in modules}
    edges: dict[str, Counter[str]] = defaultdict(Counter)
    for module in modules:
        targets = {rooms[name] for name in imported(module, rooms)} - {module.room}
        edges[module.room].update(targets)
    return edges


def levels(rooms: list[str], edges: Mapping[str, Counter[str]]) -> dict[str, int]:
    """Return how many rooms of the list stand below each, along the longest way.

    Of two rooms that import each other the one with more imports of the other stands above.
    """
    depth: dict[str, int] = {}

    def below(room: str, above: tuple[str, ...]) -> int:
        if room not in depth:
            under = [
                to
                for to, count in edges.get(room, Counter()).items()
                if to in rooms and to not in above and count > edges[to][room]
            ]
            depth[room] = 1 + max((below(one, (*above, room)) for one in under), default=-1)
        return depth[room]

    for room in rooms:
        below(room, (room,))
    return depth


def direct(depth: Mapping[str, int], edges: Mapping[str, Iterable[str]]) -> list[tuple[str, str]]:
    """Return the imports between the rooms, without those that a longer way includes.

    An import that leads back up is always among them.
    """
    below = {
        room: {to for to in edges.get(room, ()) if depth.get(to, room_depth) < room_depth}
        for room, room_depth in depth.items()
    }

    @cache
    def reaches(start: str, end: str) -> bool:
        return end in below[start] or any(reaches(one, end) for one in below[start])

    return [
        (room, to)
        for room in sorted(depth)
        for to in sorted(set(edges.get(room, ())) & set(depth))
        if to not in below[room] or not any(reaches(one, to) for one in below[room] - {to})
    ]


def draw(modules: list[Module]) -> str:
    """Return the picture as SVG: in each band the importing rooms left, the imported ones right.

    It shows no sizes, so that it changes only when a room or an import between rooms does.
    """
    edges = room_imports(modules)
    whole = {module.room.split(".")[0] for module in modules if "." in module.room}
    found = {
        module.room
        for module in modules
        if module.room not in whole and not module.room.endswith(".templatetags")
    }
    shapes: list[str] = []
    y, width = 10, 0
    for band in BANDS:
        rooms = sorted(room for room in found if room.split(".")[0] == band)
        depth = levels(rooms, edges)
        columns = [[r for r in rooms if depth[r] == n] for n in sorted(set(depth.values()))][::-1]
        arrows = direct(depth, edges)
        lanes = [pair for pair in arrows if depth[pair[0]] - depth[pair[1]] != 1]
        rows = max(map(len, columns))
        top = y + GAP_Y + LANE * len(lanes)
        high = max(rows * (HIGH + GAP_Y) + top - y, 80)
        spots = {
            room: (
                LEFT + number * (BOX + GAP_X),
                top + (rows - len(column)) * (HIGH + GAP_Y) // 2 + row * (HIGH + GAP_Y),
            )
            for number, column in enumerate(columns)
            for row, room in enumerate(column)
        }
        width = max(width, LEFT + len(columns) * (BOX + GAP_X))
        shapes += [
            f'<rect class="band" x="10" y="{y}" width="100%" height="{high}"/>',
            *_heading(band, y, edges),
            *(
                _lane(spots[pair[0]], spots[pair[1]], y + 12 + LANE * lanes.index(pair))
                if pair in lanes
                else _arrow(spots[pair[0]], spots[pair[1]])
                for pair in arrows
            ),
            *(
                f'<g transform="translate({x},{at})"><rect width="{BOX}" height="{HIGH}" rx="4"/>'
                f'<text x="{BOX // 2}" y="{HIGH // 2 + 4}">'
                f"{escape(room.partition('.')[2] or room)}</text></g>"
                for room, (x, at) in sorted(spots.items())
            ),
        ]
        y += high + 10
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 10} {y}" '
        'role="img" aria-label="The packages of Sirdar and what they import">'
        "<style>rect{fill:#fffaf0;stroke:#4a3b28}.band{fill:#efe6d2;stroke:none}"
        "text{font:14px Georgia,serif;text-anchor:middle;fill:#2b2118}"
        ".name{font-weight:bold;font-size:17px;text-anchor:start}"
        ".uses{font-size:12px;text-anchor:start;fill:#6b5a43}"
        "path{fill:none;stroke:#8a2f1d;stroke-opacity:.7;marker-end:url(#a)}"
        ".back{stroke-dasharray:5 4}</style>"
        '<defs><marker id="a" markerWidth="7" markerHeight="7" refX="6" refY="3" orient="auto">'
        '<polygon points="0 0,7 3,0 6" fill="#8a2f1d"/></marker></defs>'
    )
    return "\n".join([head, *shapes, "</svg>", ""])


def _heading(band: str, y: int, edges: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the name of a band, and below it the packages that it imports."""
    used = {to.split(".")[0] for room in edges if room.split(".")[0] == band for to in edges[room]}
    below = [other for other in BANDS if other in used - {band}]
    lines = [
        f"{'' if n else 'imports '}{', '.join(below[n : n + 2])}" for n in range(0, len(below), 2)
    ]
    return [
        f'<text class="name" x="20" y="{y + 24}">{band}/</text>',
        *(
            f'<text class="uses" x="20" y="{y + 42 + 15 * n}">{line}</text>'
            for n, line in enumerate(lines)
        ),
    ]


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    """Return a curve from the right of one box to the left of a box in the next column."""
    x, y = start[0] + BOX, start[1] + HIGH // 2
    to_x, to_y = end[0] - 1, end[1] + HIGH // 2
    half = GAP_X // 2
    return f'<path d="M{x} {y}C{x + half} {y} {to_x - half} {to_y} {to_x} {to_y}"/>'


def _lane(start: tuple[int, int], end: tuple[int, int], lane: int) -> str:
    """Return a line over the boxes between two; dashed where it leads back, to an importer."""
    x, y = start[0] + BOX, start[1] + HIGH // 2
    to_x, to_y = end[0] - 1, end[1] + HIGH // 2
    kind = ' class="back"' if to_x < x else ""
    return (
        f'<path{kind} d="M{x} {y}C{x + 30} {y} {x} {lane} {x + 30} {lane}'
        f'H{to_x - 30}C{to_x} {lane} {to_x - 30} {to_y} {to_x} {to_y}"/>'
    )


def code_lines(text: str) -> int:
    """Return the lines that bear code: no blank line, comment or docstring."""
    bearing: set[int] = set()
    skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        alone = token.type == tokenize.STRING and token.line.lstrip().startswith(('"""', "'''"))
        if token.type not in (*skipped, tokenize.ENDMARKER, tokenize.ENCODING) and not alone:
            bearing.update(range(token.start[0], token.end[0] + 1))
    return len(bearing)


def measures(modules: list[Module]) -> dict[str, str]:
    """Return what docs/figures.md says of the code."""
    sizes = [module.text.count("\n") for module in modules]
    code = sum(code_lines(module.text) for module in modules)
    imports = [
        sum(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.walk(module.tree))
        for module in modules
    ]
    import_lines = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    )
    classes = Counter(
        node.name
        for module in modules
        for node in module.tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    docstrings = [
        text
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and (text := ast.get_docstring(node))
    ]
    asking = sum(text.split()[0].strip(",.:") in QUESTION_WORDS for text in docstrings)
    return {
        "modules": f"{len(modules)}",
        "lines": f"{sum(sizes):,}",
        "lines of code": f"{code:,}",
        "imports per module, mean": f"{statistics.mean(imports):.1f}",
        "share of import lines in the code": f"{import_lines / code:.1%}",
        "files under 40 lines": f"{sum(size < 40 for size in sizes)}",
        "files over 400 lines": f"{sum(size > 400 for size in sizes)}",
        "public class names in several modules": f"{sum(n > 1 for n in classes.values())}",
        "docstrings": f"{len(docstrings):,}",
        "docstrings that begin with What, Whether, Who ...": f"{asking:,}",
    }


def main() -> None:
    """Draw the picture and print the measures."""
    modules = product()
    PICTURE.write_text(draw(modules))
    for name, value in measures(modules).items():
        sys.stdout.write(f"{name:<52} {value:>8}\n")


if __name__ == "__main__":
    main()
