"""The newspapers: a month told to a side, or to the public, in the manner of the time.

`gather` counts what a month has brought as far as its readers know, `gazette` writes the paper
from that and from the despatches they have had. Pure text: what it looks like is the page's.
"""

from campaign.gazette.facts import Facts, gather_facts
from campaign.gazette.issue import Article, Gazette, LossesLine, gazette
from campaign.gazette.newspapers import NEWSPAPERS, Newspaper

__all__ = [
    "NEWSPAPERS",
    "Article",
    "Facts",
    "Gazette",
    "LossesLine",
    "Newspaper",
    "gather_facts",
    "gazette",
]
