"""URLs of the whole site: the campaign's pages, the REST interface, log-in and admin."""

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from accounts import display_names, guests, login, tokens
from accounts.email_addresses import EmailChangePage, EmailConfirmPage
from accounts.login import LoginPage
from accounts.passwords import PasswordChangePage, PasswordResetConfirmPage, PasswordResetPage
from api import channel_news, notification_pages, reference
from api.resources.root import Nowhere
from ops import health
from ops.http_policy import posts_to
from sirdar import metrics_page

handler500 = "api.http.responses.render_server_error"
log_out = posts_to("front")(LogoutView.as_view())

# URLs are tried in this order, so those that programs request most often come first.
urlpatterns = [
    path("api/v1/", include("api.urls")),
    path("", include("campaign.urls")),
    path("battles/", include("battles.web.urls")),
    path("api/", reference.index, name="schema-page"),
    path("api/operations/<str:name>/", reference.operation, name="api-operation"),
    path("api/components/<str:name>/", reference.component, name="api-component"),
    re_path("^api/", Nowhere.as_view()),
    path("accounts/name/", display_names.display_name_page, name="display-name"),
    path("accounts/", tokens.tokens_page, name="account"),
    path("accounts/tokens/<int:number>/revoke/", tokens.revoke_token, name="revoke-token"),
    path("accounts/notifications/", notification_pages.push_page, name="push"),
    path("service-worker.js", notification_pages.service_worker, name="service-worker"),
    path("accounts/webhooks/", notification_pages.webhooks, name="webhooks"),
    path("accounts/webhooks/<int:number>/", notification_pages.webhook, name="webhook"),
    path(
        "accounts/webhooks/<int:number>/test/", notification_pages.test_webhook, name="test-webhook"
    ),
    path(
        "accounts/webhooks/<int:number>/enable/",
        notification_pages.enable_webhook,
        name="enable-webhook",
    ),
    path(
        "accounts/webhooks/<int:number>/secret/",
        notification_pages.rotate_secret,
        name="rotate-webhook-secret",
    ),
    path(
        "accounts/webhooks/<int:number>/delete/",
        notification_pages.delete_webhook,
        name="delete-webhook",
    ),
    path("campaigns/<slug:slug>/console/channels/", notification_pages.channels, name="channels"),
    path(
        "campaigns/<slug:slug>/console/channels/<int:number>/",
        notification_pages.channel,
        name="channel",
    ),
    path("channels/pictures/<str:token>.png", channel_news.picture, name="channel-picture"),
    path("play/battle/", guests.fight_first_battle, name="fight-first-battle"),
    path("play/campaign/", guests.play_alone, name="play-alone"),
    path("accounts/register/", login.register, name="register"),
    path("accounts/login/", LoginPage.as_view(), name="login"),
    path("accounts/logout/", log_out, name="logout"),
    path("accounts/password/", PasswordChangePage.as_view(), name="password"),
    path("accounts/password/forgotten/", PasswordResetPage.as_view(), name="forgotten-password"),
    path(
        "accounts/password/<slug:uidb64>/<slug:token>/",
        PasswordResetConfirmPage.as_view(),
        name="renew-password",
    ),
    path("accounts/email/", EmailChangePage.as_view(), name="email"),
    path("accounts/email/<str:token>/", EmailConfirmPage.as_view(), name="confirm-email"),
    path("admin/login/", LoginPage.as_view(), name="keeper-login"),
    path("admin/logout/", log_out, name="keeper-logout"),
    path(
        "admin/password_change/",
        admin.site.admin_view(RedirectView.as_view(pattern_name="password")),
    ),
    path("admin/", admin.site.urls),
    path("health/live", health.live, name="live-probe"),
    path("health/ready", health.ready, name="ready-probe"),
    path("metrics", metrics_page.metrics_page, name="metrics"),
]
