"""Work that a worker is about, as the tests have it: no worker is."""

from django.contrib.auth.models import User

from battles import journal
from campaign.models import Comparison, Work


def compared(owner: User) -> Comparison:
    """Return a comparison of ten battles by one way, none of them fought yet."""
    return Comparison.objects.create(
        title="A small battle",
        brief=b"",
        ways=["combat-table"],
        each=10,
        total=10,
        seed=1,
        bouts=journal.pack(b"[]"),
        status=Work.Status.RUNNING,
        asked_by=owner,
    )
