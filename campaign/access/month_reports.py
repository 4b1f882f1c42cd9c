"""Report on months as far as a viewer may see them: as a gazette, in figures, or as a film."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from battles.contract.brief import Side
from campaign import rules
from campaign.access import fog_of_war, selectors
from campaign.access.fog_of_war import CampaignKey
from campaign.gazette.facts import Facts, gather_facts
from campaign.gazette.issue import Gazette, gazette
from campaign.gazette.newspapers import NEWSPAPERS, Newspaper
from campaign.models import Campaign
from campaign.rules import sight
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart
from campaign.rules.core.pieces import Month, UnitId, month_slug
from campaign.rules.core.state import OFF_MAP, Phase, State
from campaign.rules.map import HexId, PlaceClass, sudan
from campaign.rules.prose.phase_report import ROUTINE, DespatchSentence
from campaign.rules.prose.situation import sieges
from campaign.rules.sight import Onlooker, View, Viewer
from campaign.rules.stacks import strength_points


class GazetteIssue(NamedTuple):
    """An issue of a gazette that may be read."""

    edition: Newspaper
    month: int


def gazette_issues(campaign: Campaign, viewer: Viewer) -> Iterator[GazetteIssue]:
    """Yield the issues that are out for the viewer, the newest month first."""
    for month in range(last_month_out(campaign), campaign.first_month - 1, -1):
        for reader in papers(campaign, viewer, month):
            yield GazetteIssue(NEWSPAPERS[reader], month)


def slug_of(month: int) -> str:
    """Return the slug of a month in addresses."""
    return month_slug(Month(month))


def last_month_out(campaign: Campaign) -> int:
    """Return the last month that is out."""
    return campaign.month if campaign.finished else campaign.month - 1


def papers(campaign: Campaign, viewer: Viewer, month: int) -> list[Viewer]:
    """Return the gazettes of that month that the viewer may read, by their viewers.

    A side reads its own as soon as the month is out; those from whom nothing is hidden read both.
    The public's comes `public_delay` months later, or when the campaign is over.
    """
    if not campaign.first_month <= month <= last_month_out(campaign):
        return []
    everything = fog_of_war.sees_all(campaign, viewer)
    readers: list[Viewer] = [side for side in Side if everything or side is viewer]
    late = campaign.month - month >= campaign.public_delay
    if late or campaign.finished or viewer is Onlooker.UMPIRE:
        readers.append(Onlooker.PUBLIC)
    return readers


def month_as_reported(campaign: Campaign, month: int, viewer: Viewer) -> View:
    """Return the month's map for that gazette; the public's shows everything once all is over."""
    over = campaign.finished and viewer is Onlooker.PUBLIC
    return fog_of_war.view_as_believed(campaign, month, Onlooker.UMPIRE if over else viewer)


def _sources(campaign: Campaign, month: int, viewer: Viewer) -> tuple[sight.SideKnowledge, ...]:
    """Return the knowledge of all who must learn of an event before that gazette may print it.

    A side's gazette prints only what that side saw, even without fog, where players see more.
    """
    if isinstance(viewer, Side) and not campaign.fog:
        state, _ = selectors.played_in(campaign, month)
        return (sight.initial_knowledge(state, viewer),)
    return fog_of_war.readers(campaign, month, viewer)


def gazette_issue(campaign: Campaign, month: int, viewer: Viewer) -> Gazette:
    """Return the issue of that month, with the knowledge its readers had then."""
    state, played = selectors.played_in(campaign, month)
    events = (events for events, _ in played)
    facts = gather_facts(state, events, _sources(campaign, month, viewer))
    despatches = selectors.despatches(campaign, month, _sources(campaign, month, viewer))
    sentences = [sentence for despatch in despatches for sentence in despatch.sentences]
    return gazette(NEWSPAPERS[viewer], month - campaign.first_month + 1, facts, sentences)


CACHED_MONTHS = 4096
"""The number of months whose figures a process caches: some hundred bytes each."""


class MonthFigures(NamedTuple):
    """A month's figures; None where they are hidden.

    `strength` are the strength points on the map at its end, `lost` the units lost in it,
    `places` the towns, villages and oases held, `besieged` the towns under siege at its end.
    """

    month: Month
    strength: dict[Side, int | None]
    lost: dict[Side, int | None]
    places: dict[Side, int]
    besieged: int | None


def monthly_figures(campaign: Campaign, viewer: Viewer) -> Iterator[MonthFigures]:
    """Yield the figures of every month so far, the oldest first."""
    for month in map(Month, range(campaign.first_month, campaign.month + 1)):
        view = fog_of_war.view_at(campaign, month, viewer)
        yield MonthFigures(
            month,
            {side: _strength(view, side) for side in Side},
            _count_lost(campaign, month, viewer),
            {side: _places(view, side) for side in Side},
            _count_besieged(view) if _sees_stacks(campaign, month, viewer) else None,
        )


def _strength(view: View, side: Side) -> int | None:
    if view.fogged and view.viewer is not side:
        return None
    on_map = (unit for unit in board(view.state).units if unit.hex in sudan().hexes)
    men = [unit for unit in on_map if unit.side is side]
    return strength_points(men)


def _count_lost(campaign: Campaign, month: Month, viewer: Viewer) -> dict[Side, int | None]:
    if not _sees_stacks(campaign, month, viewer):
        return dict.fromkeys(Side)
    whole = fog_of_war.sees_month(campaign, viewer, month)
    key = CampaignKey(campaign, (campaign.pk, campaign.branch, campaign.head_id))
    facts = _facts(key, month, None if whole else viewer)
    return {side: facts.lost(side) for side in Side}


def _sees_stacks(campaign: Campaign, month: Month, viewer: Viewer) -> bool:
    """Return whether the viewer sees stacks in that month at all."""
    seen = fog_of_war.sees_month(campaign, viewer, month)
    return seen or fog_of_war.sees_any(campaign, viewer)


@lru_cache(maxsize=CACHED_MONTHS)
def _facts(cache_key: CampaignKey, month: Month, viewer: Viewer | None) -> Facts:
    campaign = cache_key.campaign
    state, played = selectors.played_in(campaign, month)
    readers = () if viewer is None else tuple(fog_of_war.audience(campaign, month, viewer))
    return gather_facts(state, (events for events, _ in played), readers)


def _places(view: View, side: Side) -> int:
    named = (place for place in chart(view.state).places.values() if place.in_rules)
    return sum(view.state.control.get(place.hex) is side for place in named)


def _count_besieged(view: View) -> int:
    """Count the Egyptian towns under siege."""
    found = sieges(view.state)
    return sum(
        side is Side.EGYPTIAN and board(view.state).in_town(hex_id, PlaceClass.TOWN)
        for hex_id, side in found.items()
    )


CACHED_FILMS = 8
"""The number of films that a process caches; each holds some ten positions."""

_MOVING = e.Moved | e.WentByRail | e.Sailed | e.SailedAway | e.Retreated


class FilmMove(NamedTuple):
    """Units of a side that go the same way in a scene; `path` begins where they stood."""

    side: Side
    path: tuple[HexId, ...]
    units: int


class FilmScene(NamedTuple):
    """A phase of a player turn: its moves, its news, and the position at its end.

    Where nothing but marches happened, the news are the routine despatches about them.
    """

    side: Side
    phase: Phase
    moves: tuple[FilmMove, ...]
    news: tuple[DespatchSentence, ...]
    view: View


class MonthFilm(NamedTuple):
    """The position as the month began, and its scenes, without phases in which nothing happens."""

    opening: View
    scenes: tuple[FilmScene, ...]

    @property
    def last(self) -> View:
        """Return the position at the end of the last scene."""
        return self.scenes[-1].view if self.scenes else self.opening

    @property
    def moves(self) -> tuple[FilmMove, ...]:
        """Return the moves of all scenes."""
        return tuple(move for scene in self.scenes for move in scene.moves)


def month_film(campaign: Campaign, month: int, viewer: Viewer) -> MonthFilm:
    """Return the film of that month for the viewer. It is cached and shared: do not change it.

    In a fog of war a side sees its own units move; of the enemy it sees where they stand at the
    end of each scene, as far as it knows. Raises NoSuchMonth.
    """
    return _film(fog_of_war.view_key(campaign, viewer), month, viewer)


@lru_cache(maxsize=CACHED_FILMS)
def _film(view_key: CampaignKey, month: int, viewer: Viewer) -> MonthFilm:
    campaign = view_key.campaign
    by_phase: dict[tuple[Side, Phase], list[DespatchSentence]] = {}
    for despatch in fog_of_war.despatches(campaign, month, viewer):
        by_phase.setdefault((despatch.side, despatch.phase), []).extend(despatch.sentences)
    opening, *shots = _shots(campaign, month, viewer)
    scenes = []
    for number, shot in enumerate(shots, start=1):
        keys = list(by_phase) if number == len(shots) else [(shot.side, shot.phase)]
        sentences = [sentence for key in keys for sentence in by_phase.pop(key, ())]
        news = [sentence for sentence in sentences if sentence.weight > ROUTINE]
        if news or shot.moves:
            scenes.append(shot._replace(news=tuple(news or sentences)))
    if scenes:  # what changes silently after the last scene, such as recovery, is shown with it
        scenes[-1] = scenes[-1]._replace(view=shots[-1].view)
    return MonthFilm(opening.view, tuple(scenes))


def _shots(campaign: Campaign, month: int, viewer: Viewer) -> Iterator[FilmScene]:
    """Yield the position as the month began, then every phase without its news."""
    state, entries = selectors.played_in(campaign, month)
    knowledge = _knowledge(campaign, month, viewer)
    yield FilmScene(
        state.side, state.phase, (), (), sight.visible_campaign(state, viewer, knowledge)
    )
    shot = _Shot(state)
    for events, _ in entries:
        for event in events:
            if isinstance(event, e.PhaseBegan) and shot.used:
                yield shot.end(viewer, knowledge)
                shot = _Shot(state)
            shot.hear(event)
            if knowledge is not None:
                sight.learn(knowledge, state, event)
            if isinstance(event, e.PhaseBegan):
                shot = _Shot(state)
    if shot.used:
        yield shot.end(viewer, knowledge)


def _knowledge(campaign: Campaign, month: int, viewer: Viewer) -> sight.SideKnowledge | None:
    """Return the viewer's knowledge as the month began; None for those who see everything."""
    if fog_of_war.sees_month(campaign, viewer, month):
        return None
    if isinstance(viewer, Side):
        return fog_of_war.known_at_beginning(campaign, viewer, month)
    return fog_of_war.known_to(campaign, month, viewer)


class _Shot:
    """A phase while its events are applied: where its units stood, and the ways they went."""

    def __init__(self, state: State) -> None:
        self.state, self.used = state, False
        self.side, self.phase = state.side, state.phase
        self.stood = _positions(state)
        self.trails: dict[UnitId, list[HexId]] = {}

    def hear(self, event: e.AnyEvent) -> None:
        """Apply the event to the state, and follow the units that it moves."""
        self.used = True
        if not isinstance(event, _MOVING):
            rules.fold(self.state, [event])
            return
        before = _positions(self.state)
        rules.fold(self.state, [event])
        for unit, hex_id in _positions(self.state).items():
            if before.get(unit) not in (None, hex_id):
                trail: Sequence[HexId] = getattr(event, "path", ()) or (hex_id,)
                self.trails.setdefault(unit, []).extend(trail)

    def end(self, viewer: Viewer, knowledge: sight.SideKnowledge | None) -> FilmScene:
        view = sight.visible_campaign(self.state, viewer, knowledge)
        moves: Counter[tuple[Side, tuple[HexId, ...]]] = Counter()
        for number, hex_id in _positions(self.state).items():
            start, side = self.stood.get(number), self.state.units[number].side
            seen = not view.fogged or side is viewer
            if seen and start is not None and OFF_MAP not in (start, hex_id) and start != hex_id:
                moves[side, self._path(number, start, hex_id)] += 1
        film_moves = tuple(FilmMove(side, path, count) for (side, path), count in moves.items())
        return FilmScene(self.side, self.phase, film_moves, (), view)

    def _path(self, unit: UnitId, start: HexId, end: HexId) -> tuple[HexId, ...]:
        trail = self.trails.get(unit, [])
        return (start, *trail) if trail and trail[-1] == end else (start, end)


def _positions(state: State) -> dict[UnitId, HexId]:
    return {unit.id: unit.hex for unit in state.units.values()}
