"""SVG read back: elements by class, words, and points of a path."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, fromstring

SVG = "{http://www.w3.org/2000/svg}"
_COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def read(drawing: str) -> Element:
    """Return a drawing of our own as elements."""
    return fromstring(drawing)  # noqa: S314


def of_class(root: Element, name: str) -> list[Element]:
    """Return the elements that have this class among theirs."""
    return [one for one in root.iter() if name in one.get("class", "").split()]


def words(element: Element) -> str:
    """Return all the text within."""
    return "".join(element.itertext())


def moved(element: Element) -> tuple[int, int]:
    """Return where a group has been moved to."""
    x, y = _NUMBER.findall(element.get("transform", "translate(0,0)"))[:2]
    return (int(x), int(y))


def strokes(data: str) -> Iterator[tuple[float, float]]:
    """Yield the points at which straight and smooth steps of a path's data end."""
    at = (0.0, 0.0)
    for command, numbers in _COMMAND.findall(data):
        if command in "zZ":
            continue
        values = [float(number) for number in _NUMBER.findall(numbers)]
        every = {"h": 1, "v": 1, "q": 4}.get(command.lower(), 2)
        for place in range(0, len(values), every):
            at = _after(at, command, values[place : place + every])
            yield at


def _after(at: tuple[float, float], command: str, step: list[float]) -> tuple[float, float]:
    x, y = {"h": (step[0], 0.0), "v": (0.0, step[0])}.get(command, (step[-2:] * 2)[:2])
    return (x, y) if command.isupper() else (at[0] + x, at[1] + y)
