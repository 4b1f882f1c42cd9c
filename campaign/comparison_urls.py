"""The addresses of the pages on which the books are laid side by side."""

from django.urls import path

from campaign.views import compared

urlpatterns = [
    path("", compared.index, name="compared"),
    path("new/", compared.new, name="compare"),
    path("<uuid:number>/", compared.one, name="comparison"),
    path("<uuid:number>/stop/", compared.stop, name="stop-comparison"),
]
