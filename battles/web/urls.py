"""URLs of the battle pages."""

from django.urls import path

from battles.web import battle, battle_list, fight_requests, picture, rules_pages, tabletop

urlpatterns = [
    path("", battle_list.index, name="battles"),
    path("new/", battle_list.new, name="new-battle"),
    path("throw/", battle_list.throw, name="throw-battle"),
    path("books/<slug:book>/", rules_pages.rules, name="battle-rules"),
    path("books/<slug:book>/trace/", rules_pages.trace, name="battle-trace"),
    path("books/<slug:book>/cases/", rules_pages.case_book, name="battle-cases"),
    path("<uuid:number>/", battle.show, name="battle"),
    path("<uuid:number>/turn/<int:turn>/", battle.show, name="battle-turn"),
    path("<uuid:number>/picture.svg", picture.show_picture, {"kind": "svg"}, "battle-svg"),
    path("<uuid:number>/picture.png", picture.show_picture, {"kind": "png"}, "battle-png"),
    path("<uuid:number>/fight/", fight_requests.fight, name="fight"),
    path("<uuid:number>/fight/act/", fight_requests.act, name="fight-act"),
    path("<uuid:number>/fight/follow/", fight_requests.follow, name="fight-follow"),
    path("<uuid:number>/fight/lead/", fight_requests.lead, name="fight-lead"),
    path("<uuid:number>/fight/stand-in/", fight_requests.stand_in, name="fight-stand-in"),
    path("<uuid:number>/fight/umpire/", fight_requests.umpire, name="fight-umpire"),
    path("<uuid:number>/fight/again/", fight_requests.again, name="fight-again"),
    path("<uuid:number>/fight/begin/", fight_requests.take_up, name="fight-begin"),
    path("<uuid:number>/fight/join/<str:invitation>/", fight_requests.join, name="fight-join"),
    path("<uuid:number>/trace/", rules_pages.battle_trace, name="trace-of-battle"),
    path("<uuid:number>/kit/", tabletop.kit, name="battle-kit"),
    path("<uuid:number>/table/", tabletop.table, name="battle-table"),
]
