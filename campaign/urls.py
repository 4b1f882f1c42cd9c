"""The addresses of the pages."""

from django.urls import path

from campaign.views import (
    about,
    arrange,
    battles,
    bench,
    book,
    cases,
    chart,
    dice,
    fought,
    front,
    hexes,
    jobs,
    sheet,
    tables,
    trace,
)

urlpatterns = [
    path("", front.front, name="front"),
    path("new-campaign/", front.new, name="new"),
    path("rules/", book.rules, name="rules"),
    path("rules/trace/", trace.trace, name="trace"),
    path("rules/cases/", cases.index, name="cases"),
    path("rules/cases.json", cases.document, name="cases-document"),
    path("rules/cases/<str:number>/", cases.case, name="case"),
    path("rules/<slug:name>.toml", tables.shipped_file, name="shipped-file"),
    path("tables/", tables.index, name="tables"),
    path("tables/new/", tables.new, name="new-tables"),
    path("tables/<int:number>/", tables.one, name="own-tables"),
    path("tables/<int:number>/<slug:name>.toml", tables.own_file, name="own-file"),
    path("tables/<int:number>/forget/", tables.forget, name="forget-tables"),
    path("bench/", bench.index, name="benches"),
    path("bench/<uuid:number>/", bench.one, name="bench"),
    path("bench/<uuid:number>/stop/", bench.stop, name="stop-bench"),
    path("about/", about.about, name="about"),
    path("map/<slug:digest>.svg", sheet.printed, name="sheet"),
    path("campaigns/<slug:slug>/", chart.now, name="campaign"),
    path("campaigns/<slug:slug>/set-up/arrange/", arrange.arrange, name="arrange"),
    path("campaigns/<slug:slug>/advance/", jobs.advance, name="advance"),
    path("campaigns/<slug:slug>/jobs/<uuid:number>/", jobs.progress, name="job"),
    path("campaigns/<slug:slug>/battles/<slug:battle>/", fought.fought, name="campaign-battle"),
    path("campaigns/<slug:slug>/battles/", battles.arrangement, name="campaign-battles"),
    path(
        "campaigns/<slug:slug>/battles/<slug:battle>/result/",
        battles.result,
        name="battle-result",
    ),
    path("campaigns/<slug:slug>/dice/", dice.dice, name="dice"),
    path("campaigns/<slug:slug>/rules/", book.campaign_rules, name="campaign-rules"),
    path(
        "campaigns/<slug:slug>/rules/<slug:name>.toml", tables.campaign_file, name="campaign-file"
    ),
    path("campaigns/<slug:slug>/trace/", trace.campaign_trace, name="campaign-trace"),
    path("campaigns/<slug:slug>/<slug:month>/", chart.then, name="month"),
    path("campaigns/<slug:slug>/<slug:month>/hex/", hexes.find, name="find"),
    path("campaigns/<slug:slug>/<slug:month>/hex/<slug:number>/", hexes.hex_page, name="hex"),
]
