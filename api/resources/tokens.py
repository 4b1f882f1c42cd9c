"""Bearer tokens: create one with name and password, list and revoke them."""

from typing import Annotated, Any, ClassVar

import msgspec
from django.contrib.auth import authenticate
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.urls import reverse
from msgspec import UNSET, Meta, UnsetType
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from accounts import tokens
from accounts.models import Scope, Token
from api.documents.scalars import Moment, ScopeName
from api.http.authentication import CHALLENGE, BearerToken, refuse_if_locked_out
from api.http.encoding import RequestBody, Slug
from api.http.endpoint import Endpoint, Listed, OwnEndpoint, operation
from api.http.problems import Problem, unfit
from api.http.throttles import LogInThrottle
from campaign.access import selectors
from campaign.models import Campaign


class TokenLinks(msgspec.Struct, frozen=True):
    """The links of a token."""

    self: str


class TokenLine(msgspec.Struct, frozen=True):
    """A token without its secret.

    `campaign` is the slug of the only campaign it opens, null for all of yours. It is refused from
    `expires_at` on, null for never. `last_used_at` is to the hour.
    """

    id: int
    name: str
    scopes: tuple[ScopeName, ...]
    campaign: str | None
    created_at: Moment
    expires_at: Moment | None
    last_used_at: Moment | None
    links: TokenLinks


class NewToken(TokenLine, frozen=True, kw_only=True):
    """A new token; `token` is the secret to send, shown only in this answer.

    `campaign` is the slug of the only campaign it opens, null for all of yours. It is refused from
    `expires_at` on, null for never.
    """

    token: str
    user: str


class Credentials(RequestBody, frozen=True):
    """A username and password, and what the token is for.

    `name` is that of the program. The token is good for `days`, or until it is revoked if they are
    null. `scopes`, all if left out: `read` is everything you may see, `orders` what a player does
    (sheets, answers, seats), `umpire` what an umpire does (create, advance, rule, rewind). With the
    slug of a `campaign` it opens that one and what is public, and nothing else.
    """

    username: Annotated[str, Meta(min_length=1, max_length=150)]
    password: Annotated[str, Meta(min_length=1)]
    name: Annotated[str, Meta(min_length=1, max_length=60)] = "A program"
    scopes: Annotated[tuple[ScopeName, ...], Meta(max_length=3)] | UnsetType = UNSET
    days: tokens.Lifetime | None = tokens.DEFAULT_LIFETIME
    campaign: Slug | None = None


class Tokens(Endpoint):
    """Your tokens."""

    scope = Scope.READ

    def get_authenticators(self) -> list[Any]:
        posts = self.request is not None and self.request.method == "POST"
        return [BearerToken()] if posts else super().get_authenticators()

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method == "POST" else IsAuthenticated()]

    def get_throttles(self) -> list[BaseThrottle]:
        return [LogInThrottle()] if self.request.method == "POST" else super().get_throttles()

    def check_token(self, request: Request) -> None:
        """Let every token see and revoke itself."""

    @operation(Listed[TokenLine])
    def get(self, request: Request) -> HttpResponse:
        """List your tokens, the newest first.

        A token that is limited to a campaign sees itself only.
        """
        return self.answer_list(map(_line, _visible_to(request)))

    @operation(NewToken, status=201, takes=Credentials)
    def post(self, request: Request) -> Response:
        """Create a token with a username and password.

        Its secret is shown only in this answer. It expires after 30 days, unless you choose
        otherwise. Your expired tokens are removed. If you have 20 others, it replaces the oldest
        expiring one of the same `name`.
        """
        credentials = Credentials.read(request)
        user = authenticate(request, username=credentials.username, password=credentials.password)
        refuse_if_locked_out(request)
        if user is None:
            raise Problem(
                "not-authenticated",
                "Nobody has that name and password, or the account is closed.",
                headers={"WWW-Authenticate": CHALLENGE},
            )
        campaign = _campaign(user, credentials.campaign)
        with transaction.atomic():
            tokens.make_room(user, credentials.name)
            token, key = tokens.create_token(
                user,
                credentials.name,
                Scope.values if credentials.scopes is UNSET else credentials.scopes,
                days=credentials.days,
                campaign=campaign,
            )
        line = _line(token)
        document = NewToken(**msgspec.structs.asdict(line), token=key, user=user.get_username())
        headers = {"Cache-Control": "no-store", "Location": line.links.self}
        return Response(document, status=201, headers=headers)

    @operation(status=204)
    def delete(self, request: Request) -> Response:
        """Revoke the token sent with this request."""
        if not isinstance(request.auth, Token):
            raise Problem(
                "not-authenticated",
                "Send the token that is to be revoked.",
                headers={"WWW-Authenticate": CHALLENGE},
            )
        request.auth.delete()
        return Response(status=204)


class OneToken(OwnEndpoint):
    """A token of yours."""

    scope: ClassVar[str] = Scope.READ

    def check_token(self, request: Request) -> None:
        """Let every token see and revoke itself."""

    @operation(TokenLine)
    def get(self, request: Request, id: int) -> HttpResponse:
        """Retrieve a token."""
        return self.answer(_line(_own_token(request, id)))

    @operation(status=204)
    def delete(self, request: Request, id: int) -> Response:
        """Revoke a token.

        Requests with it are rejected from now on.
        """
        _own_token(request, id).delete()
        return Response(status=204)


def _visible_to(request: Request) -> QuerySet[Token]:
    """Return the caller's tokens; only the one sent if it lacks `read` or is for one campaign."""
    own, sent = tokens.tokens_of(request.user), request.auth
    narrow = isinstance(sent, Token) and (sent.campaign_id or Scope.READ not in sent.scopes)
    return own.filter(pk=sent.pk) if narrow else own


def _own_token(request: Request, number: int) -> Token:
    return selectors.first_visible(
        _visible_to(request).filter(pk=number), f"You have no token {number}."
    )


def _campaign(user: Any, slug: str | None) -> Campaign | None:
    """Return the campaign of that slug. Raises the problem `invalid` if the user sees none."""
    if slug is None:
        return None
    try:
        return selectors.campaign_for(user, slug)
    except selectors.NotVisible as error:
        raise unfit(campaign=str(error)) from error


def _line(token: Token) -> TokenLine:
    return TokenLine(
        id=token.pk,
        name=token.name,
        scopes=tuple(token.scopes),
        campaign=token.campaign.slug if token.campaign else None,
        created_at=token.created_at,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
        links=TokenLinks(reverse("api:token", args=[token.pk])),
    )
