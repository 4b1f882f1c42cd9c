"""The addresses of the battles' pages."""

from django.urls import path

from battles.views import battle, kit, register, rules, table

urlpatterns = [
    path("", register.index, name="battles"),
    path("new/", register.new, name="new-battle"),
    path("books/<slug:book>/", rules.rules, name="battle-rules"),
    path("books/<slug:book>/trace/", rules.trace, name="battle-trace"),
    path("<uuid:number>/", battle.show, name="battle"),
    path("<uuid:number>/turn/<int:turn>/", battle.show, name="battle-turn"),
    path("<uuid:number>/trace/", rules.battle_trace, name="trace-of-battle"),
    path("<uuid:number>/kit/", kit.kit, name="battle-kit"),
    path("<uuid:number>/table/", table.table, name="battle-table"),
]
