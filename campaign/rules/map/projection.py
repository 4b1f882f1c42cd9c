"""The azimuthal equidistant projection: true distance and bearing from its centre."""

from dataclasses import dataclass
from math import asin, atan2, cos, degrees, hypot, radians, sin, sqrt

from campaign.rules.map.kinds import Pair


@dataclass(frozen=True, slots=True)
class Projection:
    """Kilometres east and north of a centre, for degrees of latitude and longitude and back."""

    lat0: float
    lon0: float
    radius: float

    def xy(self, point: Pair) -> Pair:
        """Kilometres (east, north) of a [latitude, longitude]."""
        lat, dlon = radians(point[0]), radians(point[1] - self.lon0)
        lat0 = radians(self.lat0)
        east = cos(lat) * sin(dlon)
        north = cos(lat0) * sin(lat) - sin(lat0) * cos(lat) * cos(dlon)
        up = sin(lat0) * sin(lat) + cos(lat0) * cos(lat) * cos(dlon)
        sine = sqrt(east * east + north * north)
        scale = self.radius * (atan2(sine, up) / sine if sine else 1.0)
        return (scale * east, scale * north)

    def lat_lon(self, point: Pair) -> Pair:
        """Degrees (latitude, longitude) of a point in kilometres; the inverse of `xy`."""
        x, y = point
        rho = hypot(x, y)
        if rho == 0:
            return (self.lat0, self.lon0)
        c, lat0 = rho / self.radius, radians(self.lat0)
        lat = asin(cos(c) * sin(lat0) + y * sin(c) * cos(lat0) / rho)
        lon = atan2(x * sin(c), rho * cos(lat0) * cos(c) - y * sin(lat0) * sin(c))
        return (degrees(lat), self.lon0 + degrees(lon))
