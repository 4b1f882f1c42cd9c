"""Who asks for a campaign, and where it stands, by one question to the database.

What is only handed out, encoded already, must not cost more to find than to send. Whoever comes
with a browser's session, or with anything unusual, takes the long way round.
"""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone

from api.keys import TO_THE_HOUR, hash_of
from api.models import Scope
from api.prepared import Prepared
from campaign import fog
from campaign.models import Campaign
from campaign.rules.sight import Onlooker, Viewer

_BEARER = "Bearer "
_VERSION = Campaign.VERSIONED
_CAMPAIGN = f"SELECT {', '.join(f'c.{name}' for name in _VERSION)}, c.public"
_TO_NOBODY = Prepared(f"""{_CAMPAIGN}, NULL, NULL, NULL
    FROM campaign_campaign c
    WHERE c.slug = %s
""")
_STANDING = Prepared(f"""{_CAMPAIGN}, u.id, t.scopes, s.role
    FROM campaign_campaign c
    LEFT JOIN api_token t ON t.key_hash = %s AND t.used > %s
        AND (t.expires IS NULL OR t.expires > %s)
    LEFT JOIN auth_user u ON u.id = t.user_id AND u.is_active
    LEFT JOIN campaign_seat s ON s.campaign_id = c.id AND s.user_id = u.id
    WHERE c.slug = %s
""")


@dataclass(frozen=True)
class Standing:
    """A campaign at its head, and with whose eyes whoever asks may look at it."""

    version: tuple[object, ...]
    first_month: int
    month: int
    eyes: Viewer


def standing_for(request: HttpRequest, slug: str) -> Standing | None:
    """The campaign as it stands for a token that reads, or for nobody in particular.

    None where the question is not so simple: another log-in, a campaign he may not see, a token
    that was not used within the hour.
    """
    token = _token_of(request)
    rows = _rows(token, slug) if token is not None else []
    if not rows:
        return None
    version = tuple(rows[0][: len(_VERSION)])
    public, user, scopes = rows[0][len(_VERSION) : -1]
    if token and not (user and _reads(scopes)):
        return None
    roles = {row[-1] for row in rows} - {None}
    if not (public or roles):
        return None
    shown = dict(zip(_VERSION, version, strict=True))
    hidden = shown["fog"] and not shown["finished"]
    eyes = fog.eyes_of(roles) if hidden else Onlooker.UMPIRE
    return Standing(version, shown["first_month"], shown["month"], eyes)


def _token_of(request: HttpRequest) -> str | None:
    """The token that is sent, empty for none; None for whoever comes in any other way."""
    sent = request.META.get("HTTP_AUTHORIZATION", "")
    if sent:
        return sent.removeprefix(_BEARER) if sent.startswith(_BEARER) else None
    return None if settings.SESSION_COOKIE_NAME in request.COOKIES else ""


def _rows(token: str, slug: str) -> list[Any]:
    """What the database says."""
    if not token:
        return _TO_NOBODY.rows(slug)
    now, adapt = timezone.now(), connection.ops.adapt_datetimefield_value
    return _STANDING.rows(hash_of(token), adapt(now - TO_THE_HOUR), adapt(now), slug)


def _reads(scopes: Any) -> bool:
    """Whether the token's scopes, as the database has them, let it read."""
    return f'"{Scope.READ}"' in str(scopes)
