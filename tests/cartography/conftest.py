"""The sheet, the printed map read as XML, and a browser to try the script of the map in."""

from xml.etree.ElementTree import Element

import pytest

from campaign.cartography import base_map
from campaign.cartography.sheet import Sheet
from campaign.rules.map import Map, sudan
from tests.browser.conftest import browser, page, phone
from tests.cartography.reading import read

__all__ = ["browser", "page", "phone"]


@pytest.fixture(scope="session")
def the_map() -> Map:
    return sudan()


@pytest.fixture(scope="session")
def sheet(the_map: Map) -> Sheet:
    return Sheet(the_map)


@pytest.fixture(scope="session")
def printed(the_map: Map) -> Element:
    return read(base_map(the_map))
