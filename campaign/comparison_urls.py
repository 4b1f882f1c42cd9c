"""URLs of the pages that compare the books."""

from django.urls import path

from campaign.web.odds import book_comparison

urlpatterns = [
    path("", book_comparison.index, name="compared"),
    path("new/", book_comparison.new, name="compare"),
    path("<uuid:number>/", book_comparison.one, name="comparison"),
    path("<uuid:number>/stop/", book_comparison.stop, name="stop-comparison"),
]
