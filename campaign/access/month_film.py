"""A month as a film: scene after scene, as far as a viewer may see it.

A scene is a phase of a player turn: the marches that begin or end in it, the despatches that report
it, and the position at its end with the viewer's knowledge of that time. The picture and the page
of the film are both made from it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from battles.contract.brief import Side
from campaign import rules
from campaign.access import fog_of_war, selectors
from campaign.access.fog_of_war import CampaignKey
from campaign.models import Campaign
from campaign.rules import sight
from campaign.rules.core import events as e
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import OFF_MAP, Phase, State
from campaign.rules.map import HexId
from campaign.rules.prose.phase_report import ROUTINE, DespatchSentence
from campaign.rules.sight import View, Viewer

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
