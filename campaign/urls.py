"""URLs of the campaign's pages."""

from django.urls import path
from django.views.generic import RedirectView

from campaign.web import (
    battles,
    debrief,
    front_page,
    guided_month,
    help_pages,
    initial_deployment,
    letters,
    live_page,
    month_pages,
    plain_orders,
    sheet_page,
    your_turn,
)
from campaign.web.console import console, rewind, rulings, transfer, umpire_actions
from campaign.web.map import campaign_page, hex_pages, printed_map
from campaign.web.odds import balance_bench, book_comparison, odds_pages
from campaign.web.seats import handover_brief, reminders, roster
from campaign.web.tables import case_book, rule_book, table_editor, workshop

urlpatterns = [
    path("", front_page.front, name="front"),
    path(
        "campaigns/",
        RedirectView.as_view(pattern_name="front", http_method_names=["get", "head"]),
        name="campaigns",
    ),
    path("your-turn/", your_turn.turn_count_text, name="turn-count"),
    path("new-campaign/", front_page.new, name="new"),
    path("import-campaign/", transfer.bring_in, name="import"),
    path("import-campaign/<int:number>/restore/", transfer.restore, name="restore-campaign"),
    path("battles/compared/", book_comparison.index, name="compared"),
    path("battles/compared/new/", book_comparison.new, name="compare"),
    path("battles/compared/<uuid:number>/", book_comparison.comparison_page, name="comparison"),
    path("battles/compared/<uuid:number>/stop/", book_comparison.stop, name="stop-comparison"),
    path("rules/", rule_book.rules, name="rules"),
    path("rules/trace/", rule_book.trace, name="trace"),
    path("rules/cases/", case_book.index, name="cases"),
    path("rules/cases.json", case_book.document, name="cases-document"),
    path("rules/cases/<str:number>/", case_book.case, name="case"),
    path("rules/<slug:name>.toml", table_editor.shipped_file, name="shipped-file"),
    path("tables/", table_editor.index, name="tables"),
    path("tables/new/", table_editor.new, name="new-tables"),
    path("tables/<int:number>/", table_editor.own_tables_page, name="own-tables"),
    path("tables/editions/<slug:slug>/", table_editor.named_edition_page, name="named-edition"),
    path(
        "tables/editions/<slug:slug>/<slug:name>.toml",
        table_editor.named_file,
        name="named-edition-file",
    ),
    path("tables/<int:number>/<slug:name>.toml", table_editor.own_file, name="own-file"),
    path("tables/<int:number>/forget/", table_editor.forget, name="forget-tables"),
    path("workshop/", workshop.index, name="workshop"),
    path("workshop/drawing/", workshop.drawing_view, name="workshop-drawing"),
    path("workshop/shared/<uuid:link>/", workshop.shared_scenario_page, name="shared-scenario"),
    path("workshop/<int:number>/", workshop.editor, name="own-scenario"),
    path("workshop/<int:number>/file/", workshop.file, name="own-scenario-file"),
    path("workshop/<int:number>/copy/", workshop.copy, name="copy-scenario"),
    path("workshop/<int:number>/delete/", workshop.delete, name="delete-scenario"),
    path("campaigns/<slug:slug>/what-if/", workshop.what_if, name="what-if"),
    path("ladder/", balance_bench.ladder_index, name="ladders"),
    path("bench/", balance_bench.index, name="benches"),
    path("bench/<uuid:number>/", balance_bench.bench_page, name="bench"),
    path("bench/<uuid:number>/stop/", balance_bench.stop, name="stop-bench"),
    path("mail/", reminders.own_mail, name="my-mail"),
    path("mail/<slug:token>/", reminders.choice, name="mail"),
    path("calendar/", reminders.calendar, name="calendar"),
    path("calendar/<slug:token>.ics", reminders.calendar_feed, name="calendar-feed"),
    path("help/", help_pages.index, name="help"),
    *(
        path(
            f"help/{page.name.removeprefix('help-')}/",
            help_pages.guide,
            {"name": page.name},
            name=page.name,
        )
        for page in help_pages.PAGES
    ),
    path("help/keys/", help_pages.keys, name="help-keys"),
    path("rules/clauses/<slug:clause>/", help_pages.clause_page, name="clause"),
    path("about/", front_page.about, name="about"),
    path("invitations/<slug:secret>/", roster.invitation, name="invitation"),
    path("map/<slug:digest>.svg", printed_map.printed_map_view, name="sheet"),
    path("campaigns/<slug:slug>/", campaign_page.current_month, name="campaign"),
    path("campaigns/<slug:slug>/set-up/arrange/", initial_deployment.arrange, name="arrange"),
    path("campaigns/<slug:slug>/advance/", umpire_actions.advance_months, name="advance"),
    path("campaigns/<slug:slug>/jobs/<uuid:number>/", umpire_actions.progress, name="job"),
    path(
        "campaigns/<slug:slug>/battles/<slug:battle>/",
        battles.redirect_to_battle,
        name="campaign-battle",
    ),
    path("campaigns/<slug:slug>/battles/", battles.arrangement, name="campaign-battles"),
    path(
        "campaigns/<slug:slug>/battles/<slug:battle>/result/", battles.result, name="battle-result"
    ),
    path("campaigns/<slug:slug>/orders/", sheet_page.own_order_sheets, name="orders"),
    path("campaigns/<slug:slug>/guide/", guided_month.guide_step, name="guide-step"),
    path("campaigns/<slug:slug>/orders/<int:number>/", sheet_page.page, name="order-sheet"),
    path(
        "campaigns/<slug:slug>/orders/<int:number>/plain/",
        plain_orders.plain_order_sheet,
        name="plain-orders",
    ),
    path(
        "campaigns/<slug:slug>/orders/<int:number>/outlook/",
        sheet_page.outlook,
        name="order-outlook",
    ),
    path(
        "campaigns/<slug:slug>/orders/<int:number>/receipts/",
        plain_orders.receipt_list,
        name="receipts",
    ),
    path(
        "campaigns/<slug:slug>/orders/<int:number>/receipts/<int:receipt>/",
        plain_orders.receipt_page,
        name="receipt",
    ),
    path("campaigns/<slug:slug>/orders/<int:number>/odds/", odds_pages.of_sheet, name="order-odds"),
    path(
        "campaigns/<slug:slug>/orders/<int:number>/odds/<int:order>/",
        odds_pages.of_order,
        name="odds-of-order",
    ),
    path(
        "campaigns/<slug:slug>/orders/<int:number>/rehearse/", odds_pages.rehearse, name="rehearse"
    ),
    path("campaigns/<slug:slug>/odds/", odds_pages.index, name="odds"),
    path("campaigns/<slug:slug>/odds/forecast/", odds_pages.forecast, name="forecast"),
    path("campaigns/<slug:slug>/odds/<uuid:number>/", odds_pages.inquiry_page, name="inquiry"),
    path("campaigns/<slug:slug>/odds/<uuid:number>/stop/", odds_pages.stop, name="stop-inquiry"),
    path(
        "campaigns/<slug:slug>/battles/<slug:battle>/odds/",
        odds_pages.of_battle,
        name="odds-of-battle",
    ),
    path("campaigns/<slug:slug>/live/", live_page.page, name="live"),
    path("campaigns/<slug:slug>/live/act/", live_page.act, name="live-act"),
    path("campaigns/<slug:slug>/live/staff/", live_page.staff, name="live-staff"),
    path("campaigns/<slug:slug>/walk/", hex_pages.begin, name="walk"),
    path("campaigns/<slug:slug>/walk/find/", hex_pages.find_on_walk, name="walk-find"),
    path("campaigns/<slug:slug>/walk/<slug:number>/", hex_pages.walk_page, name="walk-hex"),
    path("campaigns/<slug:slug>/seats/", roster.roster, name="seats"),
    path("campaigns/<slug:slug>/seats/<int:number>/leave/", roster.leave, name="leave-seat"),
    path("campaigns/<slug:slug>/invitations/<int:number>/revoke/", roster.revoke, name="revoke"),
    path("campaigns/<slug:slug>/letters/", letters.letter_list, name="letters"),
    path("campaigns/<slug:slug>/letters/post/", letters.letter_post, name="letter-post"),
    path(
        "campaigns/<slug:slug>/letters/<int:number>/read/", letters.read_letter, name="read-letter"
    ),
    path("campaigns/<slug:slug>/papers/", month_pages.index, name="papers"),
    path(
        "campaigns/<slug:slug>/papers/<slug:month>/<slug:whose>/", month_pages.paper, name="paper"
    ),
    path(
        "campaigns/<slug:slug>/papers/<slug:month>/<slug:whose>/map.svg",
        month_pages.picture,
        name="paper-map",
    ),
    path("campaigns/<slug:slug>/figures/", debrief.statistics_page, name="figures"),
    path("campaigns/<slug:slug>/debrief/", debrief.latest_debrief, name="debrief"),
    path(
        "campaigns/<slug:slug>/debrief/<slug:month>/",
        debrief.debrief_of_month,
        name="debrief-month",
    ),
    path("campaigns/<slug:slug>/console/", console.console, name="console"),
    path("campaigns/<slug:slug>/console/do/", umpire_actions.act, name="command"),
    path("campaigns/<slug:slug>/console/ruling/", rulings.rulings_page, name="ruling"),
    path("campaigns/<slug:slug>/console/back/", rewind.go_back, name="go-back"),
    path("campaigns/<slug:slug>/console/version/", umpire_actions.rules_version, name="version"),
    path("campaigns/<slug:slug>/console/export/", transfer.export, name="export"),
    path("campaigns/<slug:slug>/console/delete/", transfer.delete, name="delete-campaign"),
    path("campaigns/<slug:slug>/branches/", rewind.branches, name="branches"),
    path("campaigns/<slug:slug>/branches/<int:number>/", rewind.branch, name="branch"),
    path("campaigns/<slug:slug>/umpire-log/", transfer.umpire_log, name="umpire-log"),
    path("campaigns/<slug:slug>/brief/<slug:role>/", handover_brief.brief, name="brief"),
    path("campaigns/<slug:slug>/dice/", debrief.dice_page, name="dice"),
    path("campaigns/<slug:slug>/rules/", rule_book.campaign_rules, name="campaign-rules"),
    path(
        "campaigns/<slug:slug>/rules/<slug:name>.toml",
        table_editor.campaign_file,
        name="campaign-file",
    ),
    path("campaigns/<slug:slug>/trace/", rule_book.campaign_trace, name="campaign-trace"),
    path("campaigns/<slug:slug>/<slug:month>/", campaign_page.past_month, name="month"),
    path("campaigns/<slug:slug>/<slug:month>/film/", month_pages.film, name="film"),
    path(
        "campaigns/<slug:slug>/<slug:month>/film/<int:number>.svg",
        month_pages.scene,
        name="film-scene",
    ),
    path(
        "campaigns/<slug:slug>/<slug:month>/film/picture.png",
        month_pages.film_picture,
        name="film-picture",
    ),
    path("campaigns/<slug:slug>/<slug:month>/hex/", hex_pages.find_hex, name="find"),
    path("campaigns/<slug:slug>/<slug:month>/hex/<slug:number>/", hex_pages.hex_page, name="hex"),
]
