"""The draft: everything of the survey laid on one grid, before it is numbered and written down."""

from dataclasses import dataclass

from campaign.map_compiler.coast import coast_cells, sea_cells
from campaign.map_compiler.grid import Grid
from campaign.map_compiler.places import Site, set_places
from campaign.map_compiler.rivers import lay_rivers
from campaign.map_compiler.survey import Survey
from campaign.map_compiler.terrain import Painted, closed_cells, paint, regions
from campaign.map_compiler.tracks import Ways, lay_roads, lay_tracks
from campaign.rules.map.grid import Cell
from campaign.rules.map.projection import Projection


@dataclass(frozen=True)
class Draft:
    """A map in cells of its grid."""

    survey: Survey
    projection: Projection
    site: Site
    placed: dict[str, Cell]
    tracks: Ways
    roads: Ways
    painted: Painted
    regions: dict[str, frozenset[Cell]]
    closed: frozenset[Cell]

    @property
    def grid(self) -> Grid:
        """The grid it is laid on."""
        return self.site.grid


def draft(survey: Survey) -> Draft:
    """The survey laid on the grid of its frame. Raises MapError where that cannot be done."""
    centre = survey.projection
    projection = Projection(centre.lat0, centre.lon0, centre.earth_radius_km)
    grid = Grid(survey.map)
    sea = sea_cells(grid, [projection.xy(point) for point in survey.coast.points])
    waters = lay_rivers(survey, grid, projection)
    site = Site(grid, waters, sea, coast_cells(grid, sea))
    placed = set_places(survey, site, projection)
    labelled = regions(survey, grid, projection)
    return Draft(
        survey=survey,
        projection=projection,
        site=site,
        placed=placed,
        tracks=lay_tracks(survey, site, placed, projection),
        roads=lay_roads(survey, site, placed),
        painted=paint(survey, site, projection),
        regions=labelled,
        closed=closed_cells(survey, site, placed, labelled),
    )
