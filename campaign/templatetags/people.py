"""Template tags about people, for every page and mail: their names, and what waits for them."""

from typing import Any, cast

from django import template
from django.contrib.auth.models import User
from django.utils.html import conditional_escape

from battles import access
from battles.access import GUEST, Anybody
from campaign.web.your_turn import turn_count

register = template.Library()


@register.filter
def display_name(user: Anybody | None) -> str:
    """Return what others call the user; nothing for nobody."""
    return access.display_name(user) if user else ""


@register.simple_tag(takes_context=True)
def who(context: template.Context, actor: str) -> str:
    """Return an actor of the journal in words: `Chinese Gordon, umpire` or `the clock`.

    The journal has user names, several joined by "and". A page asks once for each.
    """
    role, _, name = actor.partition(":")
    if not name:
        return f"the {role}"
    names: dict[str, str] = cast("Any", context.render_context).setdefault("actors", {})
    if name not in names:
        parts = name.split(" and ")
        users = User.objects.filter(username__in=parts)
        called = {user.get_username(): access.display_name(user) for user in users}
        gone = {part: "Guest" for part in parts if part.startswith(GUEST)}
        names[name] = " and ".join((gone | called).get(part, part) for part in parts)
    words = f"{names[name]}, {role}"
    return conditional_escape(words) if context.autoescape else words


@register.simple_tag(takes_context=True)
def waiting_mark(context: template.Context) -> str:
    """Return `(2) ` for the title if two things wait for the user; "" if none does.

    An error page has no request, and no mark.
    """
    user = getattr(context.get("request"), "user", None)
    count = turn_count(user) if isinstance(user, User) else 0
    return f"({count}) " if count else ""
