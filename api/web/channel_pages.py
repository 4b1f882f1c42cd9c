"""The umpire's page of a campaign's channels: connect Discord and Slack, and see how they do."""

from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from api.channels import posting
from api.channels.chat_services import masked
from api.channels.news import TOPICS
from api.models import CampaignChannel, ChannelPost
from api.receivers import DELIVER_TASK, dispatch_task
from campaign.models import Campaign
from campaign.services.errors import Refused
from campaign.web.console.console import campaign_of
from campaign.web.visitor import visitor
from ops.http_methods import posts_to

SHOWN = 10
"""The messages of a channel that the page shows, the newest first."""


class TopicsForm(forms.Form):
    """The topics of a channel."""

    topics = forms.MultipleChoiceField(
        choices=[(one.value, words) for one, words in TOPICS.items()],
        initial=[one.value for one in TOPICS],
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


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters("url")
def channels(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the campaign's channels, or connect another."""
    campaign = campaign_of(request, slug)
    form = ChannelForm(request.POST or None)
    if form.is_valid() and _connected(request, campaign, form):
        messages.success(request, "The channel is connected. Send it a test message.")
        return redirect("channels", slug)
    found = posting.channels_of(visitor(request), campaign)
    context = {
        "campaign": campaign,
        "form": form,
        "sections": [_section(one) for one in found],
        "most": posting.MOST,
    }
    status = 400 if form.errors else 200
    return render(request, "api/channels.html", context, status=status)


def _section(channel: CampaignChannel) -> ChannelSection:
    form = TopicsForm(initial={"topics": channel.topics}, auto_id=f"id_%s_{channel.pk}")
    return ChannelSection(channel, masked(channel.url), form, posting.post_log(channel)[:SHOWN])


def _connected(request: HttpRequest, campaign: Campaign, form: ChannelForm) -> bool:
    """Connect the channel; return False if it is refused, with a form error."""
    given: dict[str, Any] = form.cleaned_data
    try:
        posting.connect_channel(visitor(request), campaign, given["url"].strip(), given["topics"])
    except Refused as refused:
        form.add_error("url", str(refused))
        return False
    return True


@posts_to("channels", "slug")
def channel(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Test, change, enable, disable or disconnect a channel, by the button that was pressed."""
    campaign = campaign_of(request, slug)
    found = get_object_or_404(posting.channels_of(visitor(request), campaign), pk=number)
    action = request.POST.get("do", "")
    try:
        said = _carry_out(found, action, request.POST.getlist("topics"))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, said)
    return redirect("channels", slug)


def _carry_out(found: CampaignChannel, action: str, topics: list[str]) -> str:
    """Carry out the action and return a sentence about it. Raises Refused."""
    if action == "test":
        posting.send_test_message(found)
        if not dispatch_task(DELIVER_TASK):
            return "No worker can be asked now; the test is posted when one is there."
        return "The test message is on its way: see the log of the channel."
    if action == "disconnect":
        found.delete()
        return "The channel is disconnected: nothing more is posted there."
    if action in ("enable", "disable"):
        posting.change_channel(found, {"enabled": action == "enable"})
        return f"The channel is {action}d."
    posting.change_channel(found, {"topics": topics})
    return "The channel is changed."
