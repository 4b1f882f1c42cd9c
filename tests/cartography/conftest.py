"""The sheet, and the printed map read as XML."""

from xml.etree.ElementTree import Element

import pytest

from campaign.cartography import base_map
from campaign.cartography.sheet import MapSheet
from campaign.rules.map import Map, sudan
from tests.cartography.reading import read


@pytest.fixture(scope="session")
def the_map() -> Map:
    return sudan()


@pytest.fixture(scope="session")
def sheet(the_map: Map) -> MapSheet:
    return MapSheet(the_map)


@pytest.fixture(scope="session")
def printed(the_map: Map) -> Element:
    return read(base_map(the_map))
