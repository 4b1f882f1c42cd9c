"""The newspapers: a month told to a side, or to the public, in the manner of the time.

`gather` counts what a month has brought as far as its readers know, `gazette` writes the paper
from that and from the despatches they have had. Pure text: what it looks like is the page's.
"""

from campaign.gazette.editions import EDITIONS, Edition
from campaign.gazette.facts import Facts, gather
from campaign.gazette.paper import Article, Gazette, Line, gazette

__all__ = ["EDITIONS", "Article", "Edition", "Facts", "Gazette", "Line", "gather", "gazette"]
