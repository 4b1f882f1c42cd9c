"""A field for a text of several lines in a form."""

from django import forms


class LinesField(forms.CharField):
    """A text of several lines, each break of a line one character, as the browser counts them.

    A browser sends every break as two characters, so a text as long as its field allows would be
    too long.
    """

    widget = forms.Textarea

    def to_python(self, value: object) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")
