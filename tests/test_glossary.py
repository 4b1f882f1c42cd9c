"""The glossary is kept: one owner for each class name, and none of the words it advises against."""

import ast
import re
import subprocess
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

ROOT = Path(__file__).parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
SHARED = ROOT / "tests" / "shared_names.toml"
PRODUCT = ("accounts", "api", "battles", "campaign", "ops", "sirdar")
WRITTEN = (".py", ".html", ".txt", ".md", ".js")
VOICE_OF_1884 = ("campaign/gazette/", "campaign/rules/prose/", "templates/campaign/papers/")
"""Despatches and gazettes may speak as in 1884."""
ELSEWHERE = (*VOICE_OF_1884, "docs/glossary.md", "docs/rules/", "docs/books/", "CHANGELOG.md")


def advised_against() -> dict[str, str]:
    """Return the words of the list at the end of the glossary, with what to write instead."""
    rows = GLOSSARY.read_text().partition("## Do not use")[2]
    found = re.findall(r"^\| ([^|]+?) \| ([^|]+?) \|$", rows, re.MULTILINE)
    return {word: instead for word, instead in found if word not in {"Do not use", "---"}}


def kept(*folders: str, suffixes: tuple[str, ...]) -> list[Path]:
    """Return the files below the folders that are in the repository."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "--", *folders]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [
        path for name in names.split() if name.endswith(suffixes) and (path := ROOT / name).exists()
    ]


def public_classes() -> Iterator[tuple[str, str]]:
    """Yield every public class of the product with its module."""
    for path in kept(*PRODUCT, suffixes=(".py",)):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if ".migrations." in module:
            continue
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, module


def test_every_class_name_has_one_owner_or_a_reason_to_be_shared() -> None:
    owners = defaultdict(list)
    for name, module in public_classes():
        owners[name].append(module)
    shared = tomllib.loads(SHARED.read_text())
    several = {name: found for name, found in owners.items() if len(found) > 1}
    assert {name: found for name, found in several.items() if name not in shared} == {}
    assert sorted(set(shared) - set(several)) == [], "These names are no longer shared."
    assert [name for name, reason in shared.items() if len(reason.split()) < 4] == []


def test_the_list_of_words_is_read() -> None:
    assert advised_against()["whoever"]
    assert len(advised_against()) > 10


@pytest.mark.parametrize("word", advised_against())
def test_no_file_uses_a_word_the_glossary_advises_against(word: str) -> None:
    pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])", re.IGNORECASE)
    found = [
        f"{name}:{number}: {line.strip()}"
        for path in kept(*PRODUCT, "clients", "templates", "docs", "README.md", suffixes=WRITTEN)
        if not (name := str(path.relative_to(ROOT))).startswith(ELSEWHERE)
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == [], f"Write instead: {advised_against()[word]}"


STRAIGHT = re.compile(r"\w'(\w|\s|$)|(\s|^)'\w")
DESCRIBED = ("api/documents/", "api/openapi/", "api/resources/")
"""The schema describes itself in plain text; the pages that show it set the apostrophes."""
NOT_READ = {
    "accounts/display_names.py": "the computer's staff",
    "api/http/remedies.py": "-H 'Content-Type: ",
    "battles/books/fuzzy_wuzzy/board.py": "commander's figures",
    "campaign/web/map/printed_map.py": "default-src 'none'",
    "ops/http_policy.py": "default-src 'none'",
}
"""Folded names, keys of tables, a command line and headers."""


def texts_of(path: Path) -> Iterator[str]:
    """Yield the texts of a module that are no docstrings."""
    tree = ast.parse(path.read_text())
    docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node not in docstrings:
            yield str(node.value) if isinstance(node.value, str) else ""


def test_no_sentence_for_readers_has_a_straight_apostrophe() -> None:
    found = [
        f"{name}: {text}"
        for path in kept(*PRODUCT, suffixes=(".py",))
        if not (name := str(path.relative_to(ROOT))).startswith(DESCRIBED)
        for text in texts_of(path)
        if STRAIGHT.search(text) and NOT_READ.get(name, "\0") not in text
    ]
    assert found == []


@pytest.mark.parametrize("tables", ["scenarios", "tables", "editions"])
def test_no_text_of_the_tables_has_a_straight_apostrophe(tables: str) -> None:
    """The name of a counter is stored with every campaign: it stays as it is."""
    found = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in kept(f"campaign/rules/{tables}", suffixes=(".toml",))
        for line in path.read_text().splitlines()
        if STRAIGHT.search(line) and "Duke of Cornwall" not in line
    ]
    assert found == []


def test_no_template_has_a_straight_apostrophe_or_quote_in_its_text() -> None:
    unread = r"\{%.*?%\}|\{\{.*?\}\}|<(script|style|code|pre)\b.*?</\1>"
    attribute = re.compile(r'(?:title|aria-label|placeholder|alt|data-sure)="([^"]*)"')
    found = []
    for path in kept("templates", suffixes=(".html", ".txt")):
        text = re.sub(unread, "", path.read_text(), flags=re.DOTALL)
        read = [re.sub(r"<[^>]*>", "", text), *attribute.findall(text)]
        found += [f"{path.relative_to(ROOT)}: {one}" for one in read if re.search("['\"]", one)]
    assert found == []


def test_no_text_of_the_tables_and_scenarios_has_a_straight_apostrophe() -> None:
    read = re.compile(r"^(?:title|text|description|note|departs) = .*\w'[\w ].*", re.MULTILINE)
    rooms = [f"campaign/rules/{room}" for room in ("tables", "scenarios", "editions")]
    found = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in kept(*rooms, suffixes=(".toml",))
        for line in read.findall(path.read_text())
    ]
    assert found == []


@pytest.mark.parametrize("name", ["help-players", "help-umpires", "help-glossary", "schema-page"])
def test_pages_in_markdown_have_typographic_apostrophes(client: Client, name: str) -> None:
    page = client.get(reverse(name)).content.decode()
    read = re.sub(r"<(script|style|code|pre)\b.*?</\1>|<[^>]*>", "", page, flags=re.DOTALL)
    straight = re.findall(r".{0,30}\w(?:'|&#x27;)\w.{0,30}", read)
    assert straight == []
    assert not re.search(r'alt="[^"]*(?:\'|&#x27;)', page)
    assert "’" in read
