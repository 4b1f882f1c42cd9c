"""The forms of a page as its reader may fill them in: every field, its choices, every button."""

from html.parser import HTMLParser
from random import Random
from typing import NamedTuple

NOT_SENT = ("submit", "button", "file", "image", "reset")
TYPED = ("text", "search", "number", "email", "textarea")


class Field(NamedTuple):
    """A field: its type, its value as the page comes, and the values that a list offers.

    A box or a button of several is sent if it is `ticked`.
    """

    kind: str
    value: str
    ticked: bool = True
    offered: tuple[str, ...] = ()


class PageForm:
    """A form: where it is sent, its fields by name, and its buttons."""

    def __init__(self, address: str, method: str) -> None:
        self.address, self.method = address, method
        self.fields: dict[str, list[Field]] = {}
        self.buttons: list[tuple[str, str]] = []

    def add(self, name: str, field: Field) -> None:
        """Add a field; several may have one name."""
        self.fields.setdefault(name, []).append(field)

    def press(self, button: tuple[str, str] = ("", ""), **typed: str) -> dict[str, list[str]]:
        """Return what is sent with that button by a reader who changes only what is `typed`."""
        sent = {name: _as_it_comes(fields) for name, fields in self.fields.items()}
        sent |= {name: [value] for name, value in typed.items()}
        if button[0]:
            sent[button[0]] = [button[1]]
        return {name: values for name, values in sent.items() if values}

    def fill_in(self, chance: Random, words: dict[str, str]) -> dict[str, list[str]]:
        """Return the form filled in at random; `words` are what is typed in fields by name."""
        sent = {
            name: _filled(chance, fields, words.get(name)) for name, fields in self.fields.items()
        }
        if self.buttons:
            name, value = chance.choice(self.buttons)
            if name:
                sent[name] = [value]
        return {name: values for name, values in sent.items() if values}


def _as_it_comes(fields: list[Field]) -> list[str]:
    return [field.value for field in fields if field.ticked]


def _filled(chance: Random, fields: list[Field], words: str | None) -> list[str]:
    values, kind = [field.value for field in fields], fields[0].kind
    if kind == "radio":
        return [chance.choice(values)]
    if kind == "checkbox" and chance.random() < 0.6:
        return [value for value in values if chance.random() < 0.5]
    if kind == "select" and fields[0].offered and chance.random() < 0.7:
        return [chance.choice(fields[0].offered)]
    if kind in TYPED and words is not None and chance.random() < 0.9:
        return [words]
    return _as_it_comes(fields)


class _Reader(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[PageForm] = []
        self._form: PageForm | None = None
        self._list, self._area, self._text = "", "", ""
        self._options: list[tuple[str, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name, value = given.get("name", ""), given.get("value", "")
        if tag == "form":
            self._form = PageForm(given.get("action", ""), given.get("method", "get").lower())
            self.forms.append(self._form)
        elif self._form is None:
            return
        elif tag == "input":
            self._read_input(self._form, name, given)
        elif tag == "select":
            self._list, self._options = name, []
        elif tag == "option":
            self._options.append((value, "selected" in given))
        elif tag == "textarea":
            self._area, self._text = name, ""
        elif tag == "button" and given.get("type", "submit") == "submit":
            self._form.buttons.append((name, value))

    @staticmethod
    def _read_input(form: PageForm, name: str, given: dict[str, str]) -> None:
        kind = given.get("type", "text")
        if name and kind not in NOT_SENT:
            ticked = kind not in ("checkbox", "radio") or "checked" in given
            form.add(name, Field(kind, given.get("value", ""), ticked))

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if self._form is None:
            return
        if tag == "form":
            self._form = None
        elif tag == "select" and self._list:
            values = tuple(value for value, _ in self._options)
            chosen = [value for value, selected in self._options if selected]
            first = (*chosen, *values, "")[0]
            self._form.add(self._list, Field("select", first, offered=values))
        elif tag == "textarea" and self._area:
            self._form.add(self._area, Field("textarea", self._text))


def forms_on(page: str) -> list[PageForm]:
    """Return the forms of a page, in its order."""
    return _Reader(page).forms
