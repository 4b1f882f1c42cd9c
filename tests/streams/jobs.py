"""A job that runs without a worker, for those who follow it."""

from django.contrib.auth.models import User

from battles import journal
from campaign.models import Comparison, Work


def running_comparison(owner: User) -> Comparison:
    """Return a comparison of ten battles by one book that is running, with no worker at it."""
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
