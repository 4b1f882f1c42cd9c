"""docs/architecture.svg is what the command draws; what the guides name is in the repository."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.architecture import BANDS, PICTURE, ROOT, Module, draw, product

GUIDES = (ROOT / "docs" / "architecture.md", ROOT / "CONTRIBUTING.md")
FOLDERS = (*BANDS, "tests", "docs")
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
FILE = re.compile(r"[\w.*-]+(?:/[\w.*-]*)+|[\w-]+\.(?:py|md|toml|json|svg)|Makefile")
FUNCTION = re.compile(r"(?:(\w+)\.)?(\w+)\(\)")
DEFINED = re.compile(r"^ *(?:async def|def|class) (\w+)", re.MULTILINE)


def test_the_picture_is_what_the_command_draws() -> None:
    assert PICTURE.read_text() == draw(product()), "Draw it again: python -m tests.architecture"


def assigned(module: Module) -> list[str]:
    """Return the names that a module assigns at its top, each as often as it is assigned."""
    targets = [
        target
        for node in module.tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    names = [name for target in targets for name in ast.walk(target)]
    return [
        name.id for name in names if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    ]


def test_no_module_assigns_a_name_of_its_top_twice() -> None:
    # What stands above reads the later value: a width of a field was that of a patch.
    twice = [
        f"{module.name}.{name}"
        for module in product()
        for name, times in Counter(assigned(module)).items()
        if times > 1
    ]
    assert twice == []


def named_files(guide: Path) -> set[str]:
    """Return the files and folders that the guide names in backticks, but no addresses of pages."""
    spans = CODE.findall(guide.read_text())
    return {span for span in spans if FILE.fullmatch(span) and "SLUG" not in span}


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_every_file_that_a_guide_names_exists(guide: Path) -> None:
    named = named_files(guide)
    assert len(named) > 20
    inside = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")]
    missing = [
        name
        for name in sorted(named)
        if not any(ROOT.glob(name.rstrip("/")))
        and ("/" in name or not any(path.match(name) for path in inside))
    ]
    assert missing == []


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.name)
def test_every_link_of_a_guide_leads_to_a_file(guide: Path) -> None:
    links = LINK.findall(guide.read_text())
    assert [link for link in links if not (guide.parent / link).exists()] == []


def test_every_function_that_the_architecture_names_exists() -> None:
    modules = product()
    defined = {name for module in modules for name in DEFINED.findall(module.text)}
    defined |= {module.name.rpartition(".")[2] for module in modules}
    spans = CODE.findall(GUIDES[0].read_text())
    named = {part for span in spans for found in FUNCTION.findall(span) for part in found if part}
    assert len(named) > 20
    assert sorted(named - defined) == []
