"""Who looks at a campaign."""

from enum import StrEnum

from campaign.rules.pieces import Side


class Onlooker(StrEnum):
    """Somebody who plays neither side: the umpire, who sees all, or the public."""

    UMPIRE = "umpire"
    PUBLIC = "public"


Viewer = Side | Onlooker
