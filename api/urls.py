"""Every address of the REST interface, version 1."""

from django.urls import path, re_path

from api.views import book, campaigns, jobs, maps, months, news, root, tokens

app_name = "api"

CAMPAIGN = "campaigns/<slug:slug>"
MONTH = f"{CAMPAIGN}/months/<str:month>"

urlpatterns = [
    path("", root.Index.as_view(), name="index"),
    path("problems/", root.Problems.as_view(), name="problems"),
    path("problems/<slug:name>/", root.OneProblem.as_view(), name="problem"),
    path("tokens/", tokens.Tokens.as_view(), name="tokens"),
    path("maps/", maps.Maps.as_view(), name="maps"),
    path("maps/<slug:name>/", maps.MapAsJSON.as_view(), name="map"),
    path("maps/<slug:name>.geojson", maps.MapAsGeoJSON.as_view(), name="map-geojson"),
    path("tables/", book.Tables.as_view(), name="tables"),
    path("tables/<slug:table>/", book.Table.as_view(), name="table"),
    path("scenarios/", book.Scenarios.as_view(), name="scenarios"),
    path("scenarios/<slug:slug>/", book.OneScenario.as_view(), name="scenario"),
    path("campaigns/", campaigns.Campaigns.as_view(), name="campaigns"),
    path(f"{CAMPAIGN}/", campaigns.OneCampaign.as_view(), name="campaign"),
    path(f"{CAMPAIGN}/state/", months.State.as_view(), name="campaign-state"),
    path(f"{CAMPAIGN}/map.geojson", months.MapOfState.as_view(), name="campaign-map"),
    path(f"{CAMPAIGN}/despatches/", months.Despatches.as_view(), name="campaign-despatches"),
    path(f"{CAMPAIGN}/months/", months.Months.as_view(), name="campaign-months"),
    path(f"{MONTH}/state/", months.State.as_view(), name="month-state"),
    path(f"{MONTH}/map.geojson", months.MapOfState.as_view(), name="month-map"),
    path(f"{MONTH}/despatches/", months.Despatches.as_view(), name="month-despatches"),
    path(f"{CAMPAIGN}/events/", news.Events.as_view(), name="campaign-events"),
    path(f"{CAMPAIGN}/dice/", campaigns.Dice.as_view(), name="campaign-dice"),
    path(f"{CAMPAIGN}/advance/", jobs.CampaignAdvance.as_view(), name="campaign-advance"),
    path("jobs/<str:job>/", jobs.OneJob.as_view(), name="job"),
    re_path("", root.Nowhere.as_view(), name="nowhere"),
]
