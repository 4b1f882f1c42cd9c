"""Users' mail preferences, browsers to notify, and sent mail."""

from django.conf import settings
from django.db import models

from campaign.models.campaigns import Campaign


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
