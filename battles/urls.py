"""The addresses of the battles' pages."""

from django.urls import path

from battles.views import battle, fights, kit, register, rules, table

urlpatterns = [
    path("", register.index, name="battles"),
    path("new/", register.new, name="new-battle"),
    path("books/<slug:book>/", rules.rules, name="battle-rules"),
    path("books/<slug:book>/trace/", rules.trace, name="battle-trace"),
    path("<uuid:number>/", battle.show, name="battle"),
    path("<uuid:number>/turn/<int:turn>/", battle.show, name="battle-turn"),
    path("<uuid:number>/fight/", fights.fight, name="fight"),
    path("<uuid:number>/fight/act/", fights.act, name="fight-act"),
    path("<uuid:number>/fight/follow/", fights.follow, name="fight-follow"),
    path("<uuid:number>/fight/lead/", fights.lead, name="fight-lead"),
    path("<uuid:number>/fight/stand-in/", fights.stand_in, name="fight-stand-in"),
    path("<uuid:number>/fight/umpire/", fights.umpire, name="fight-umpire"),
    path("<uuid:number>/fight/begin/", fights.take_up, name="fight-begin"),
    path("<uuid:number>/fight/join/<str:invitation>/", fights.join, name="fight-join"),
    path("<uuid:number>/trace/", rules.battle_trace, name="trace-of-battle"),
    path("<uuid:number>/kit/", kit.kit, name="battle-kit"),
    path("<uuid:number>/table/", table.table, name="battle-table"),
]
