"""Letters between the seats of a campaign; users' mail preferences, browsers and sent mail."""

from django.conf import settings
from django.db import models

from campaign.models.campaigns import Campaign
from campaign.models.orders import Seat


class CampaignLetter(models.Model):
    """A letter from a seat to others. `branch` and `month` tell when it was written.

    `hexes` are places on the map that the writer points at; `orders` are sentences of an order
    sheet as it stood when the letter was sent.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="letters", db_index=False)
    sender = models.ForeignKey(Seat, models.CASCADE, related_name="letters_sent")
    branch = models.PositiveIntegerField()
    month = models.PositiveIntegerField()
    text = models.TextField()
    hexes = models.JSONField(default=list)
    orders = models.JSONField(default=list)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(fields=["campaign", "-id"], name="letters_of")]

    def __str__(self) -> str:
        return f"letter {self.pk} from {self.sender}"


class LetterCopy(models.Model):
    """The copy of a letter for one seat.

    `arrival_month` is the campaign's month in which it arrives; `arrived` is set when it has.
    A lost copy never arrives.
    """

    letter = models.ForeignKey(
        CampaignLetter, models.CASCADE, related_name="copies", db_index=False
    )
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="letters")
    arrival_month = models.PositiveIntegerField()
    arrived = models.DateTimeField(null=True, blank=True)
    read = models.DateTimeField(null=True, blank=True)
    lost = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["letter", "seat"], name="one_copy_a_seat")]

    def __str__(self) -> str:
        return f"copy of {self.letter_id} for {self.seat}"


class Mailing(models.Model):
    """A user's mail preferences, and the token of their unsubscribe links."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="mailing", primary_key=True
    )
    turn = models.BooleanField(default=True, help_text="when it is your turn")
    deadline = models.BooleanField(default=True, help_text="when a deadline nears")
    gazette = models.BooleanField(default=True, help_text="when the month is out")
    token = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"mail to {self.user}"


class PushSubscription(models.Model):
    """A browser that a user wants to be notified in, as the browser's push service names it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(max_length=500, unique=True)
    p256dh = models.CharField(max_length=100, help_text="the browser's public key")
    auth = models.CharField(max_length=40, help_text="the secret shared with the browser")
    browser = models.CharField(max_length=60, help_text="its name, for the user's list")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.browser} of {self.user}"


class MailSent(models.Model):
    """A letter that has been sent, so that none is sent twice."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="mail_sent", db_index=False
    )
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="mail_sent")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=120)
    sent = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "mail sent"
        constraints = [
            models.UniqueConstraint(fields=["user", "campaign", "kind", "key"], name="sent_once")
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.user}"
