"""Template filters for table files."""

from django import template

register = template.Library()


@register.filter
def spaced(field: str) -> str:
    """Return a field's name with spaces: `disrupted up to` for `disrupted_up_to`."""
    return field.replace("_", " ")
