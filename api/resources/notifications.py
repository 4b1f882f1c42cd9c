"""Register where news is sent: channels in Discord and Slack, and the browsers of a user.

Connect a channel, change what it receives, and test it; subscribe a browser to push messages.
"""

from typing import Annotated, Any, ClassVar, cast

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from api import channel_posting, delivery, push
from api.channel_news import TOPICS, ChannelTopic
from api.channel_posting import mask_secret
from api.documents.scalars import Moment
from api.http.encoding import EmptyBody, RequestBody
from api.http.endpoint import Listed, OwnEndpoint, UmpireEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.throttles import HookThrottle
from api.models import CampaignChannel, ChannelPost
from api.receivers import dispatch_deliveries
from api.resources.webhooks import (
    DestinationDocument,
    MessageDocument,
    destination_fields,
    message_fields,
)
from campaign.access import selectors
from campaign.models import PushSubscription

SHOWN = 100
"""The number of messages in a log, the newest first."""


ServiceName = Annotated[
    str,
    Meta(
        extra_json_schema={
            "enum": CampaignChannel.Service.values,
            "description": "the chat service",
        }
    ),
]


class ChannelLinks(msgspec.Struct, frozen=True):
    """The addresses of a channel."""

    self: Annotated[str, Meta(description="the channel")]
    deliveries: Annotated[str, Meta(description="its log; POST sends a test message")]
    campaign: Annotated[str, Meta(description="its campaign")]


class ChannelDocument(DestinationDocument, frozen=True, kw_only=True):
    """A channel of Discord or Slack that receives what the public may know of a campaign."""

    service: ServiceName
    masked_url: Annotated[str, Meta(description="the incoming webhook without its secret part")]
    topics: Annotated[tuple[ChannelTopic, ...], Meta(description="what is posted there")]
    links: ChannelLinks


class PostDocument(MessageDocument, frozen=True, kw_only=True):
    """A message to a channel, posted or pending; `topic` is null for a test."""

    topic: Annotated[ChannelTopic | None, Meta(description="the topic; null for a test")]


Topics = Annotated[tuple[ChannelTopic, ...], Meta(min_length=1, max_length=len(TOPICS))]


class NewChannel(RequestBody, frozen=True):
    """The incoming webhook of the channel, and what is posted there: everything by default.

    The `url` is as Discord or Slack shows it, and a secret.
    """

    url: Annotated[str, Meta(min_length=1, max_length=500)]
    topics: Topics | UnsetType = UNSET


class ChannelChange(RequestBody, frozen=True):
    """Changes to a channel; what is left out stays as it is."""

    topics: Topics | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET


class ChannelEndpoint(UmpireEndpoint):
    """An endpoint of a campaign's channels; what posts is rate-limited."""

    throttle_classes: ClassVar[list[Any]] = [*UmpireEndpoint.throttle_classes, HookThrottle]


class CampaignChannels(ChannelEndpoint):
    """The channels of a campaign."""

    @operation(Listed[ChannelDocument])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the channels of the campaign, the oldest first; for its umpires."""
        campaign = selectors.campaign_for(request.user, slug)
        channels = channel_posting.channels_of(cast("Any", request.user), campaign)
        return self.answer_list(map(_channel_document, channels))

    @operation(ChannelDocument, status=201, takes=NewChannel, once=True)
    def post(self, request: Request, slug: str) -> WriteResult:
        """Connect a channel of Discord or Slack with the campaign.

        It receives what the public may know. Events that have happened already are not posted.
        """
        campaign = selectors.campaign_for(request.user, slug)
        body = NewChannel.read(request)
        topics = () if body.topics is UNSET else body.topics
        channel = channel_posting.connect_channel(
            cast("Any", request.user), campaign, body.url, topics
        )
        document = _channel_document(channel)
        return WriteResult(201, document, document.links.self)


class OneChannel(UmpireEndpoint):
    """A channel of a campaign."""

    @operation(ChannelDocument)
    def get(self, request: Request, slug: str, id: int) -> HttpResponse:
        """Retrieve a channel."""
        return self.answer(_channel_document(_channel(request, slug, id)))

    @operation(ChannelDocument, takes=ChannelChange, once=True)
    def patch(self, request: Request, slug: str, id: int) -> WriteResult:
        """Change what is posted in a channel, and whether it is enabled.

        For another address, connect another channel.
        """
        channel = _channel(request, slug, id)
        changes = ChannelChange.read(request).given()
        channel_posting.change_channel(channel, cast("channel_posting.ChannelChanges", changes))
        return WriteResult(200, _channel_document(channel))

    @operation(status=204)
    def delete(self, request: Request, slug: str, id: int) -> Response:
        """Disconnect a channel, and delete its log."""
        delivery.delete_destination(_channel(request, slug, id))
        return Response(status=204)


class ChannelPosts(ChannelEndpoint):
    """The log of a channel."""

    @operation(Listed[PostDocument])
    def get(self, request: Request, slug: str, id: int) -> HttpResponse:
        """List the latest messages to a channel, failures with their reason."""
        return self.answer_list(
            map(_post, channel_posting.post_log(_channel(request, slug, id))[:SHOWN])
        )

    @operation(PostDocument, status=201, takes=EmptyBody, once=True)
    def post(self, request: Request, slug: str, id: int) -> WriteResult:
        """Send a test message to a channel.

        A disabled channel is enabled again. See its log for the result.
        """
        EmptyBody.read(request)
        channel = _channel(request, slug, id)
        sent = channel_posting.send_test_message(channel)
        log = reverse("api:campaign-channel-deliveries", args=[slug, id])
        return WriteResult(201, _post(sent), log, after=dispatch_deliveries)


def _channel(request: Request, slug: str, number: int) -> CampaignChannel:
    campaign = selectors.campaign_for(request.user, slug)
    channels = channel_posting.channels_of(cast("Any", request.user), campaign)
    return selectors.first_visible(
        channels.filter(pk=number), f"The campaign has no channel {number}."
    )


def _channel_document(channel: CampaignChannel) -> ChannelDocument:
    args = [channel.campaign.slug, channel.pk]
    return ChannelDocument(
        **destination_fields(channel),
        service=channel.service,
        masked_url=mask_secret(channel.url),
        topics=tuple(ChannelTopic(topic) for topic in channel.topics),
        links=ChannelLinks(
            self=reverse("api:campaign-channel", args=args),
            deliveries=reverse("api:campaign-channel-deliveries", args=args),
            campaign=reverse("api:campaign", args=args[:1]),
        ),
    )


def _post(post: ChannelPost) -> PostDocument:
    return PostDocument(
        **message_fields(post), topic=ChannelTopic(post.event) if post.event in TOPICS else None
    )


class PushKeys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a browser, as its subscription has them."""

    p256dh: Annotated[str, Meta(max_length=100, description="the browser's public key")]
    auth: Annotated[str, Meta(max_length=40, description="the secret shared with the browser")]


class NewPushSubscription(RequestBody, frozen=True):
    """A browser's subscription, as `PushSubscription.toJSON()` gives it, and a name for it."""

    endpoint: Annotated[str, Meta(max_length=500, description="the address at its push service")]
    keys: PushKeys
    browser: Annotated[str, Meta(max_length=60, description="a name to know it by")] = ""


class PushSubscriptionLinks(msgspec.Struct, frozen=True):
    """The address of a push subscription."""

    self: Annotated[str, Meta(description="the subscription; DELETE ends it")]


class PushSubscriptionDocument(msgspec.Struct, frozen=True):
    """A browser that is notified. Only its own address tells it apart from your others."""

    id: int
    browser: Annotated[str, Meta(description="its name")]
    endpoint: Annotated[str, Meta(description="its address at its push service")]
    created_at: Moment
    links: PushSubscriptionLinks


class PushSubscriptions(OwnEndpoint):
    """Your browsers that are notified."""

    @operation(Listed[PushSubscriptionDocument])
    def get(self, request: Request) -> HttpResponse:
        """List the browsers in which you are notified, the oldest first."""
        return self.answer_list(map(_subscription_document, push.subscriptions_of(request.user)))

    @operation(PushSubscriptionDocument, status=201, takes=NewPushSubscription)
    def post(self, request: Request) -> Response:
        """Notify a browser of what you get e-mails about.

        The site's public key is on the page of your notifications. A browser that is subscribed
        already is changed.
        """
        body = NewPushSubscription.read(request)
        subscription = push.subscribe(
            request.user, body.endpoint, body.keys.p256dh, body.keys.auth, body.browser
        )
        document = _subscription_document(subscription)
        headers = {"Cache-Control": "no-store", "Location": document.links.self}
        return Response(document, status=201, headers=headers)


class OnePushSubscription(OwnEndpoint):
    """A browser of yours that is notified."""

    @operation(PushSubscriptionDocument)
    def get(self, request: Request, id: int) -> HttpResponse:
        """Retrieve a push subscription."""
        return self.answer(_subscription_document(_own_subscription(request, id)))

    @operation(status=204)
    def delete(self, request: Request, id: int) -> Response:
        """End a push subscription."""
        _own_subscription(request, id).delete()
        return Response(status=204)


def _own_subscription(request: Request, id: int) -> PushSubscription:
    own = push.subscriptions_of(request.user)
    return selectors.first_visible(own.filter(pk=id), f"You have no push subscription {id}.")


def _subscription_document(subscription: PushSubscription) -> PushSubscriptionDocument:
    links = PushSubscriptionLinks(reverse("api:push-subscription", args=[subscription.pk]))
    return PushSubscriptionDocument(
        subscription.pk, subscription.browser, subscription.endpoint, subscription.created, links
    )
