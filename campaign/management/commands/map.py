"""`manage.py map`: draw the map, or a month of a campaign on it, as SVG, PNG or GeoJSON."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from campaign.access import selectors
from campaign.cartography import NoLettering, png, whole
from campaign.management.base import SirdarCommand, find_campaign, written_whole
from campaign.rules.core.pieces import Month, month_from_text, month_name, month_slug
from campaign.rules.core.state import State
from campaign.rules.map import sudan
from campaign.rules.map.geojson import features

FORMATS = ("svg", "png", "geojson")
USUAL_WIDTH, WIDEST = 2400, 12_000


class Command(SirdarCommand):
    help = "Write the map of the Sudan, or a campaign on it, as SVG, PNG or GeoJSON."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--campaign", metavar="NAME", help="what stands on it, by short name")
        parser.add_argument("--month", metavar="1884-03", help="at the end of that month (now)")
        parser.add_argument("--format", choices=FORMATS, help="(that of the file’s name, or svg)")
        parser.add_argument("--output", type=Path, metavar="FILE", help="(sudan.svg and the like)")
        parser.add_argument("--width", type=int, metavar="PIXELS", help=f"of a PNG ({USUAL_WIDTH})")
        parser.add_argument("--dark", action="store_true", help="a PNG for a dark room")

    def handle(self, *_args: Any, **options: Any) -> None:
        form = chosen_format(options["format"], options["output"])
        check(form, options)
        state = state_of(options["campaign"], options["month"])
        name = options["campaign"] or "sudan"
        path = options["output"] or Path(f"{name}.{form}")
        data = draw_map(form, state, options["width"] or USUAL_WIDTH, dark=options["dark"])
        with written_whole(path) as file:
            file.write(data)
        self.stdout.write(
            f"{subject(options['campaign'], state)} is in {path} ({len(data):,} bytes)."
        )


def chosen_format(format_option: str | None, output: Path | None) -> str:
    """Return the format asked for, else that of the file's name.

    Raises CommandError when the name has none.
    """
    if format_option or output is None:
        return format_option or "svg"
    ending = output.suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise CommandError(
            f"{output} has no known format: end it in .svg, .png or .geojson, or give --format."
        )
    return ending


def check(form: str, options: dict[str, Any]) -> None:
    """Raise CommandError for options that do not go together, or an impossible width."""
    width = options["width"]
    if form != "png" and (width is not None or options["dark"]):
        raise CommandError(f"--width and --dark are for a PNG: {form} has neither.")
    if width is not None and not 1 <= width <= WIDEST:
        raise CommandError(f"--width {width} cannot be drawn: give 1 to {WIDEST} pixels.")
    if form == "geojson" and options["campaign"]:
        raise CommandError("GeoJSON is of the map alone: leave out --campaign, or take svg or png.")
    if options["month"] and not options["campaign"]:
        raise CommandError("--month needs a campaign: name it with --campaign.")


def state_of(slug: str | None, month: str | None) -> State | None:
    """Return the state to draw. Raises CommandError for an unknown campaign or month."""
    if slug is None:
        return None
    campaign = find_campaign(slug)
    if month is None:
        return selectors.state_now(campaign)
    try:
        when = month_from_text(month)
    except ValueError as error:
        raise CommandError(f"{month!r} is no month: write it like 1884-03.") from error
    try:
        return selectors.state_at(campaign, when)
    except selectors.NoSuchMonth as error:
        first, last = Month(campaign.first_month), Month(campaign.month)
        raise CommandError(
            f"{slug} has no {month_name(when)}: it runs from {month_slug(first)} to "
            f"{month_slug(last)}."
        ) from error


def draw_map(form: str, state: State | None, width: int, *, dark: bool) -> bytes:
    """Return the map in that format. Raises CommandError when a PNG cannot be lettered."""
    if form == "geojson":
        return json.dumps(features(sudan()), separators=(",", ":")).encode()
    svg = whole(sudan(), state)
    if form == "svg":
        return svg.encode()
    try:
        return png(svg, width, dark=dark)
    except NoLettering as error:
        raise CommandError(str(error)) from error


def subject(slug: str | None, state: State | None) -> str:
    """Return what the file shows, in words."""
    return f"{slug}, {month_name(state.month)}," if state else "The map"
