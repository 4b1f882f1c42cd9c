"""Words of table files as a page prints them."""

from django import template

register = template.Library()


@register.filter
def spaced(field: str) -> str:
    """`disrupted up to` for `disrupted_up_to`."""
    return field.replace("_", " ")
