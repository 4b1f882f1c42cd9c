"""Stored answers, published pages, webhooks, channels and their messages."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from campaign.models import Campaign


class Answered(models.Model):
    """A request with an Idempotency-Key, and the answer to repeat."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=100)
    request = models.CharField(max_length=64, help_text="hash of method, address and body")
    status = models.PositiveSmallIntegerField(default=0)
    location = models.CharField(max_length=200, blank=True)
    etag = models.CharField(max_length=40, blank=True)
    body = models.BinaryField(default=b"")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "answered"
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="one_answer_a_key")]

    def __str__(self) -> str:
        return f"{self.key} of {self.user}"


class Published(models.Model):
    """A page of a published month for one viewer, compressed in every encoding.

    It is made once, when the month turns, and may be deleted at any time.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="published")
    month = models.PositiveIntegerField()
    finished = models.BooleanField(default=False)
    key = models.CharField(max_length=64, unique=True, help_text="hash of what it is a page of")
    etag = models.CharField(max_length=40)
    br = models.BinaryField()
    zstd = models.BinaryField()
    gzip = models.BinaryField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign", "pk"]
        verbose_name_plural = "published"

    def __str__(self) -> str:
        return f"a page of campaign {self.campaign_id}, month {self.month}"


class Destination(models.Model):
    """An address that receives messages; it is disabled after too many failures in a row."""

    url = models.CharField(max_length=500)
    created = models.DateTimeField(auto_now_add=True)
    failures = models.PositiveIntegerField(default=0, help_text="in a row")
    disabled = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def set_enabled(self, *, enabled: bool) -> None:
        """Enable the destination with no failures, or disable it from now; the caller saves it."""
        if not enabled:
            self.disabled = self.disabled or timezone.now()
        elif self.disabled:
            self.disabled, self.failures = None, 0


class OutgoingMessage(models.Model):
    """A message to a destination, and the outcome of its delivery.

    One without a body marks an event from before the destination was connected. `due` is the time
    of the next attempt. Subclasses name their destination `destination`.
    """

    event = models.CharField(max_length=40)
    key = models.CharField(max_length=160)
    body = models.TextField(blank=True)
    created = models.DateTimeField(auto_now_add=True)
    due = models.DateTimeField(null=True, blank=True, db_index=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)
    delivered = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class Webhook(Destination):
    """A program's address that receives events, and the secret that signs its requests.

    A user's webhook covers all their campaigns and what they may know; a campaign's, which its
    umpires create, covers what the public may know. For a day after a rotation requests are signed
    with the previous secret too.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="webhooks")
    campaign = models.ForeignKey(
        Campaign, models.CASCADE, null=True, blank=True, related_name="webhooks"
    )
    secret = models.CharField(max_length=80)
    previous_secret = models.CharField(max_length=80, blank=True)
    previous_expires = models.DateTimeField(null=True, blank=True)
    events = models.JSONField(default=list)

    class Meta:
        ordering = ["-created", "-pk"]

    def __str__(self) -> str:
        return f"{self.url} of {self.user}"


class Delivery(OutgoingMessage):
    """An event for a webhook. `message_id` is the same in every attempt."""

    destination = models.ForeignKey(
        Webhook, models.CASCADE, related_name="deliveries", db_index=False
    )
    campaign = models.ForeignKey(Campaign, models.CASCADE, null=True, related_name="+")
    message_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    class Meta:
        ordering = ["-created", "-pk"]
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(
                fields=["destination", "campaign", "event", "key"], name="told_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.destination}"


class CampaignChannel(Destination):
    """A channel of a chat service that receives what the public may know of a campaign.

    `url` is the service's incoming webhook: anyone who has it can post there, so it is a secret.
    """

    class Service(models.TextChoices):
        DISCORD = "discord", "Discord"
        SLACK = "slack", "Slack"

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="channels")
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    service = models.CharField(max_length=10, choices=Service.choices)
    topics = models.JSONField(default=list)

    class Meta:
        ordering = ["created", "pk"]

    def __str__(self) -> str:
        return f"{self.get_service_display()} for {self.campaign}"


class ChannelPost(OutgoingMessage):
    """A message to a channel; `event` is its topic."""

    destination = models.ForeignKey(
        CampaignChannel, models.CASCADE, related_name="deliveries", db_index=False
    )

    class Meta:
        ordering = ["-created", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["destination", "event", "key"], name="posted_once")
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.destination}"
