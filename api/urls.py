"""Every address of the REST interface, version 1."""

from django.urls import path, re_path

from api.views import (
    book,
    campaigns,
    decision,
    invitations,
    jobs,
    maps,
    months,
    news,
    root,
    rulings,
    seats,
    sheets,
    tokens,
    umpire,
)

app_name = "api"

CAMPAIGN = "campaigns/<slug:slug>"
MONTH = f"{CAMPAIGN}/months/<str:month>"
SEAT = f"{CAMPAIGN}/seats/<int:number>"
SHEET = f"{SEAT}/sheets/<str:month>"

urlpatterns = [
    path("", root.Index.as_view(), name="index"),
    path("problems/", root.Problems.as_view(), name="problems"),
    path("problems/<slug:name>/", root.OneProblem.as_view(), name="problem"),
    path("tokens/", tokens.Tokens.as_view(), name="tokens"),
    path("tokens/<int:number>/", tokens.OneToken.as_view(), name="token"),
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
    path(f"{CAMPAIGN}/seats/", seats.Seats.as_view(), name="campaign-seats"),
    path(f"{CAMPAIGN}/umpires/", seats.Umpires.as_view(), name="campaign-umpires"),
    path(f"{SEAT}/", seats.OneSeat.as_view(), name="seat"),
    path(f"{SEAT}/staff/", seats.StaffOfSeat.as_view(), name="seat-staff"),
    path(f"{SEAT}/holder/", seats.HolderOfSeat.as_view(), name="seat-holder"),
    path(f"{SEAT}/removal/", seats.RemovalFromSeat.as_view(), name="seat-removal"),
    path(f"{SEAT}/departure/", seats.DepartureFromSeat.as_view(), name="seat-departure"),
    path(f"{SEAT}/receipts/", sheets.Receipts.as_view(), name="seat-receipts"),
    path(f"{SEAT}/receipts/<int:receipt>/", sheets.OneReceipt.as_view(), name="seat-receipt"),
    path(f"{SEAT}/prospects/", sheets.Prospects.as_view(), name="seat-prospects"),
    path(f"{SHEET}/", sheets.OneSheet.as_view(), name="sheet"),
    path(f"{SHEET}/check/", sheets.Check.as_view(), name="sheet-check"),
    path(f"{SHEET}/previous/", sheets.Previous.as_view(), name="sheet-previous"),
    path(f"{SHEET}/submission/", sheets.Submission.as_view(), name="sheet-submission"),
    path(f"{SHEET}/readiness/", sheets.Readiness.as_view(), name="sheet-readiness"),
    path(
        f"{CAMPAIGN}/invitations/", invitations.Invitations.as_view(), name="campaign-invitations"
    ),
    path(
        f"{CAMPAIGN}/invitations/<int:number>/",
        invitations.OneInvitation.as_view(),
        name="campaign-invitation",
    ),
    path("invitations/<slug:secret>/", invitations.Offer.as_view(), name="invitation"),
    path(f"{CAMPAIGN}/decision/", decision.Decision.as_view(), name="campaign-decision"),
    path(f"{CAMPAIGN}/decision/answers/", decision.Answers.as_view(), name="campaign-answers"),
    path(
        f"{CAMPAIGN}/decision/staff-answers/",
        decision.StaffAnswers.as_view(),
        name="campaign-staff-answers",
    ),
    path(f"{CAMPAIGN}/adjournment/", umpire.Adjournment.as_view(), name="campaign-adjournment"),
    path(f"{CAMPAIGN}/ending/", umpire.End.as_view(), name="campaign-ending"),
    path(f"{CAMPAIGN}/deadline/", umpire.TheDeadline.as_view(), name="campaign-deadline"),
    path(
        f"{CAMPAIGN}/deadline/policy/",
        umpire.DeadlinePolicy.as_view(),
        name="campaign-deadline-policy",
    ),
    path(
        f"{CAMPAIGN}/deadline/extensions/", umpire.Extensions.as_view(), name="campaign-extensions"
    ),
    path(f"{CAMPAIGN}/deadline/pause/", umpire.Pause.as_view(), name="campaign-pause"),
    path(f"{CAMPAIGN}/dice-by-hand/", umpire.Dice.as_view(), name="campaign-dice-by-hand"),
    path(f"{CAMPAIGN}/dice-by-hand/throws/", umpire.Throws.as_view(), name="campaign-throws"),
    path(f"{CAMPAIGN}/worklist/", umpire.Worklist.as_view(), name="campaign-worklist"),
    path(f"{CAMPAIGN}/minutes/", umpire.Minutes.as_view(), name="campaign-minutes"),
    path(f"{CAMPAIGN}/rulings/", rulings.Rulings.as_view(), name="campaign-rulings"),
    path(f"{CAMPAIGN}/rulings/preview/", rulings.Preview.as_view(), name="campaign-preview"),
    path(f"{CAMPAIGN}/branches/", rulings.Branches.as_view(), name="campaign-branches"),
    path(f"{CAMPAIGN}/rewinds/", rulings.Rewinds.as_view(), name="campaign-rewinds"),
    path(f"{CAMPAIGN}/entries/", rulings.Entries.as_view(), name="campaign-entries"),
    path("jobs/<str:job>/", jobs.OneJob.as_view(), name="job"),
    re_path("", root.Nowhere.as_view(), name="nowhere"),
]
