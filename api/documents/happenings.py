"""What is sent to webhooks."""

import msgspec

from api.documents.scalars import Moment


class HappeningDocument(msgspec.Struct, frozen=True):
    """What has happened, in words; `url` is the page of it, `content` what a chat room shows.

    Without a `campaign`, and so without its title and month, is a test alone.
    """

    event: str
    words: str
    content: str
    url: str
    campaign: str | None
    title: str | None
    month: str | None
    happened: Moment
