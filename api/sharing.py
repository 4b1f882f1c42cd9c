"""What many operations of the schema say alike is written once, among its components."""

from collections.abc import Iterator
from itertools import chain, count
from typing import Any

from api.problems import MEDIA_TYPE

Said = dict[str, Any]


def operations(schema: Said) -> Iterator[Said]:
    """Every operation of the interface."""
    return (operation for path in schema["paths"].values() for operation in path.values())


def share(schema: Said) -> None:
    """Put parameters, headers, refusals and their examples among the components, and refer to them.

    Nine in ten answers that the schema names are refusals, and there are but some two dozen.
    """
    shelf = _Shelf(schema["components"])
    for operation in operations(schema):
        if "parameters" in operation:
            operation["parameters"] = [
                shelf.refer("parameters", f"{one['in']}-{one['name']}", one)
                for one in operation["parameters"]
            ]
        answers = operation["responses"]
        for status, answer in answers.items():
            answers[status] = _shared_answer(shelf, status, answer)


def _shared_answer(shelf: "_Shelf", status: str, answer: Said) -> Said:
    """The answer, its headers shared; all of it where it is a refusal, or what one has already."""
    for name, header in answer.get("headers", {}).items():
        answer["headers"][name] = shelf.refer("headers", name, header)
    if status.startswith("2"):
        return answer
    examples = answer.get("content", {}).get(MEDIA_TYPE, {}).get("examples", {})
    for title, example in examples.items():
        examples[title] = shelf.refer("examples", title.lower(), {"value": example["value"]})
    return shelf.refer("responses", "-".join([status, *map(str.lower, sorted(examples))]), answer)


class _Shelf:
    """The components, by kind and name."""

    def __init__(self, components: Said) -> None:
        self._components = components

    def refer(self, kind: str, name: str, said: Said) -> Said:
        """A reference to it there, under that name; with a number where others have the name."""
        kept = self._components.setdefault(kind, {})
        names = chain([name], (f"{name}-{number}" for number in count(2)))
        own = next(one for one in names if kept.setdefault(one, said) == said)
        return {"$ref": f"#/components/{kind}/{own}"}
