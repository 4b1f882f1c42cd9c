"""The pages of webhooks, of Discord and Slack channels, and of notifications in the browser."""

from pathlib import Path
from typing import Any, NamedTuple, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_safe

from api import channel_posting, delivery, push
from api import webhooks as registry
from api.channel_news import TOPICS
from api.channel_posting import mask_secret
from api.http.throttles import HookThrottle
from api.models import CampaignChannel, ChannelPost, Webhook
from api.receivers import DELIVER_TASK, dispatch_task
from api.webhooks import EVENTS, PUBLIC_EVENTS
from campaign.models import Campaign, Seat
from campaign.services.errors import Refused
from campaign.web.console.console import campaign_of
from campaign.web.visitor import duration_text, seconds_to_wait, visitor
from ops.http_policy import posts_to
from ops.sent_once import sent_once

# The pages of the visitor's webhooks: create, change, test, delete, and read the logs.


DELIVERIES_SHOWN = 100
"""The number of deliveries in a log, the newest first."""


class WebhookForm(forms.Form):
    """The address, campaign and events of a webhook."""

    url = forms.CharField(
        max_length=500, label="Address", widget=forms.URLInput(attrs={"placeholder": "https://"})
    )
    campaign = forms.ModelChoiceField(
        Campaign.objects.none(),
        required=False,
        label="Of",
        empty_label="all your campaigns, what you may know",
    )
    events = forms.MultipleChoiceField(
        choices=[(event.value, words) for event, words in EVENTS.items()],
        initial=[event.value for event in EVENTS],
        label="Notify it when",
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, user: User, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        umpired = Campaign.objects.filter(seats__user=user, seats__role=Seat.Role.UMPIRE)
        self.fields["campaign"].queryset = umpired.distinct()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Keep only the events that a campaign's webhook can receive; refuse it without any."""
        data = super().clean() or self.cleaned_data
        if data.get("campaign") and data.get("events"):
            data["events"] = [event for event in data["events"] if event in PUBLIC_EVENTS]
            if not data["events"]:
                possible = "; ".join(EVENTS[event] for event in PUBLIC_EVENTS)
                self.add_error(
                    "events", f"Tick one that a campaign’s webhook receives: {possible}."
                )
        return data


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_variables("new_webhook")
@sent_once
def webhooks(request: HttpRequest) -> HttpResponse:
    """Show the visitor's webhooks; the secret of a new one is shown only once."""
    user = visitor(request)
    form = WebhookForm(user, request.POST or None)
    new_webhook = _create_webhook(user, form) if form.is_valid() else None
    context = {
        "form": WebhookForm(user) if new_webhook else form,
        "new_webhook": new_webhook,
        "webhooks": registry.webhooks_of(user),
    }
    return render(request, "api/webhooks.html", context, status=400 if form.errors else 200)


def _create_webhook(user: User, form: WebhookForm) -> Webhook | None:
    """Return the webhook; None if it is refused, with a form error."""
    terms = dict(form.cleaned_data)
    try:
        return registry.create_webhook(user, terms.pop("url"), **terms)
    except Refused as refused:
        form.add_error("url", str(refused))
        return None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def webhook(request: HttpRequest, number: int) -> HttpResponse:
    """Show a webhook and its log, or change it."""
    own_webhook = _own_webhook(request, number)
    if request.method != "POST":
        now = {
            "url": own_webhook.url,
            "campaign": own_webhook.campaign,
            "events": own_webhook.events,
        }
        return _page(request, own_webhook, WebhookForm(visitor(request), initial=now))
    form = WebhookForm(visitor(request), request.POST)
    if form.is_valid() and _change_webhook(own_webhook, form):
        messages.success(request, "The webhook is changed.")
        return redirect("webhook", number)
    return _page(request, _own_webhook(request, number), form, status=400)


def _change_webhook(webhook: Webhook, form: WebhookForm) -> bool:
    """Change the webhook; return False if it is refused, with a form error."""
    try:
        registry.change_webhook(webhook, cast("registry.WebhookChanges", form.cleaned_data))
    except Refused as refused:
        form.add_error("url", str(refused))
        return False
    return True


def _page(
    request: HttpRequest,
    webhook: Webhook,
    form: WebhookForm,
    *,
    status: int = 200,
    secret: str = "",
) -> HttpResponse:
    log = registry.delivery_log(webhook)[:DELIVERIES_SHOWN]
    context = {"webhook": webhook, "form": form, "log": log, "secret": secret}
    return render(request, "api/webhook.html", context, status=status)


@login_required
@posts_to("webhook", "number")
@sent_once
def test_webhook(request: HttpRequest, number: int) -> HttpResponse:
    """Send a test to a webhook."""
    webhook = _own_webhook(request, number)
    if _must_wait(request):
        return redirect("webhook", number)
    registry.send_test_event(webhook)
    if dispatch_task(DELIVER_TASK):
        messages.success(request, "The test is on its way: the log shows the result.")
    else:
        messages.error(request, "No worker is available now; the test is sent as soon as one is.")
    return redirect("webhook", number)


def _must_wait(request: HttpRequest) -> bool:
    """Return whether the user has sent too many tests, and say when the next may be sent.

    The rate is that of the REST interface.
    """
    seconds = seconds_to_wait(request, (HookThrottle.scope, str(visitor(request).pk)))
    if seconds:
        messages.error(
            request,
            "You have sent many tests already, and nothing was sent now. Send the next in "
            f"{duration_text(seconds)}.",
        )
    return seconds > 0


@login_required
@posts_to("webhook", "number")
def enable_webhook(request: HttpRequest, number: int) -> HttpResponse:
    """Enable or disable a webhook."""
    registry.change_webhook(
        _own_webhook(request, number), {"enabled": request.POST.get("on") == "yes"}
    )
    return redirect("webhook", number)


@login_required
@posts_to("webhook", "number")
@never_cache
@sensitive_variables("webhook")
@sent_once
def rotate_secret(request: HttpRequest, number: int) -> HttpResponse:
    """Give a webhook a new secret, and show it once."""
    webhook = _own_webhook(request, number)
    registry.rotate_secret(webhook)
    now = {"url": webhook.url, "campaign": webhook.campaign, "events": webhook.events}
    form = WebhookForm(visitor(request), initial=now)
    return _page(request, webhook, form, secret=webhook.secret)


@login_required
@posts_to("webhook", "number")
def delete_webhook(request: HttpRequest, number: int) -> HttpResponse:
    """Delete a webhook."""
    delivery.delete_destination(_own_webhook(request, number))
    messages.success(request, "The webhook is deleted: nothing more is sent there.")
    return redirect("webhooks")


def _own_webhook(request: HttpRequest, number: int) -> Webhook:
    return get_object_or_404(registry.webhooks_of(visitor(request)), pk=number)


# The umpire's page of a campaign's channels: connect Discord and Slack, and see how they do.


POSTS_SHOWN = 10
"""The messages of a channel that the page shows, the newest first."""


class TopicsForm(forms.Form):
    """The topics of a channel."""

    topics = forms.MultipleChoiceField(
        choices=[(topic.value, words) for topic, words in TOPICS.items()],
        initial=[topic.value for topic in TOPICS],
        label="Post there",
        widget=forms.CheckboxSelectMultiple,
    )


class ChannelForm(TopicsForm):
    """The incoming webhook and the topics of a new channel."""

    url = forms.CharField(
        max_length=500,
        label="Incoming webhook",
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
    )
    field_order = ("url", "topics")


class ChannelSection(NamedTuple):
    """A channel on the page, with its masked address, its form and the latest messages."""

    channel: CampaignChannel
    address: str
    form: TopicsForm
    log: QuerySet[ChannelPost]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters("url")
@sent_once
def channels(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the campaign's channels, or connect another."""
    campaign = campaign_of(request, slug)
    form = ChannelForm(request.POST or None)
    if form.is_valid() and _connect_channel(request, campaign, form):
        messages.success(request, "The channel is connected. Send it a test message.")
        return redirect("channels", slug)
    campaign_channels = channel_posting.channels_of(visitor(request), campaign)
    context = {
        "campaign": campaign,
        "form": form,
        "sections": [_section(channel) for channel in campaign_channels],
        "most": channel_posting.MOST_CHANNELS,
    }
    status = 400 if form.errors else 200
    return render(request, "api/channels.html", context, status=status)


def _section(channel: CampaignChannel) -> ChannelSection:
    form = TopicsForm(initial={"topics": channel.topics}, auto_id=f"id_%s_{channel.pk}")
    return ChannelSection(
        channel, mask_secret(channel.url), form, channel_posting.post_log(channel)[:POSTS_SHOWN]
    )


def _connect_channel(request: HttpRequest, campaign: Campaign, form: ChannelForm) -> bool:
    """Connect the channel; return False if it is refused, with a form error."""
    values: dict[str, Any] = form.cleaned_data
    try:
        channel_posting.connect_channel(
            visitor(request), campaign, values["url"].strip(), values["topics"]
        )
    except Refused as refused:
        form.add_error("url", str(refused))
        return False
    return True


@login_required
@posts_to("channels", "slug")
@sent_once
def channel(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Test, change, enable, disable or disconnect a channel, by the button that was pressed."""
    campaign = campaign_of(request, slug)
    campaign_channel = get_object_or_404(
        channel_posting.channels_of(visitor(request), campaign), pk=number
    )
    action = request.POST.get("do", "")
    if action == "test" and _must_wait(request):
        return redirect("channels", slug)
    try:
        message = _carry_out(campaign_channel, action, request.POST.getlist("topics"))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, message)
    return redirect("channels", slug)


def _carry_out(channel: CampaignChannel, action: str, topics: list[str]) -> str:
    """Carry out the action and return a sentence about it. Raises Refused."""
    if action == "test":
        channel_posting.send_test_message(channel)
        if not dispatch_task(DELIVER_TASK):
            return "No worker is available now; the test is posted as soon as one is."
        return "The test message is on its way: see the log of the channel."
    if action == "disconnect":
        delivery.delete_destination(channel)
        return "The channel is disconnected: nothing more is posted there."
    if action in ("enable", "disable"):
        channel_posting.change_channel(channel, {"enabled": action == "enable"})
        return f"The channel is {action}d."
    channel_posting.change_channel(channel, {"topics": topics})
    return "The channel is changed."


# The page of the browsers in which a user is notified, and the script that shows the notices.


@login_required
@require_safe
@never_cache
def push_page(request: HttpRequest) -> HttpResponse:
    """Show which browsers are notified; a script subscribes this one."""
    context = {"key": push.public_key(), "subscriptions": push.subscriptions_of(visitor(request))}
    return render(request, "api/push.html", context)


@require_safe
@never_cache
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker; it may show notices for the whole site only from its root."""
    script = finders.find("api/service_worker.js")
    return HttpResponse(Path(str(script)).read_bytes(), content_type="text/javascript")
