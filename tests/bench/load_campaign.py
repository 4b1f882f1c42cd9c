"""A public campaign to be read under load, and its pages published."""

import django

django.setup()

from api.publishing import publish
from campaign import services

MONTHS = 4

if __name__ == "__main__":
    wanted = services.Wanted("siege-of-khartoum", slug="load", public=True)
    campaign = services.create_campaign(wanted)
    services.run_month(campaign.pk, until=campaign.month + MONTHS)
    publish(campaign.pk)
