"""The forms of a page as a browser has them: what is filled in, and every way to send them."""

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any


class Form:
    """A form: its address, what is filled in, the values of its lists, and its buttons."""

    def __init__(self, address: str, method: str) -> None:
        self.address, self.method = address, method
        self.filled: dict[str, list[str]] = {}
        self.lists: dict[str, list[str]] = {}
        self.chosen: dict[str, str] = {}
        self.buttons: list[tuple[str, str]] = []

    def sent(self, button: tuple[str, str] = ("", ""), **chosen: str) -> dict[str, Any]:
        """Return the data that a browser sends for that button and those values."""
        lists = {name: self.chosen.get(name, values[0]) for name, values in self.lists.items()}
        pressed = dict([button]) if button[0] else {}
        return {**self.filled, **lists, **chosen, **pressed}

    def ways(self) -> Iterator[dict[str, Any]]:
        """Yield every button with the form as it comes, and with every other value of each list."""
        for button in self.buttons or [("", "")]:
            yield self.sent(button)
            for name, values in self.lists.items():
                for value in values:
                    if value != self.chosen.get(name, values[0]):
                        yield self.sent(button, **{name: value})


class Forms(HTMLParser):
    """Reads the forms of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._form: Form | None = None
        self._list = ""
        self._option: tuple[bool, str | None, str] | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(given.get("action", ""), given.get("method", "get"))
            self.found.append(self._form)
        elif self._form is None:
            return
        elif tag == "input" and (given.get("type") != "checkbox" or "checked" in given):
            self._form.filled.setdefault(given["name"], []).append(given.get("value", ""))
        elif tag == "select":
            self._list = given["name"]
            self._form.lists[self._list] = []
        elif tag == "option":
            self._option = "selected" in given, given.get("value"), ""
        elif tag == "button":
            self._form.buttons.append((given.get("name", ""), given.get("value", "")))

    def handle_data(self, data: str) -> None:
        if self._option is not None:
            selected, value, words = self._option
            self._option = selected, value, words + data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "option" and self._form is not None and self._option is not None:
            selected, value, words = self._option
            said = words.strip() if value is None else value
            self._form.lists[self._list].append(said)
            if selected:
                self._form.chosen[self._list] = said
            self._option = None


def forms_of(page: str, address: str = "") -> list[Form]:
    """Return the page's forms; those that are sent to that address."""
    return [form for form in Forms(page).found if not address or form.address == address]
