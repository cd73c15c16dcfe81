"""The page about the rooms names words by which a line is recognised: each stands mostly in the code of its room."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict

from support import ROOT

SOURCES = ROOT / "src" / "knaster"
ROW = re.compile(r"^\| `(\w+)/` \| (.*) \|$", re.MULTILINE)


def words_by_room() -> dict[str, list[str]]:
    """Return the words that the page gives to each room."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = page.split("## Words of the rooms")[1].split("\n## ")[0]
    return {room: re.findall(r"`(\w+)`", text.split(": ")[0]) for room, text in ROW.findall(section)}


def occurrences() -> dict[str, Counter[str]]:
    """Count each name in the code of each room."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for path in SOURCES.rglob("*.py"):
        room = path.relative_to(SOURCES).parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for field in ("id", "attr", "arg", "name", "module"):
                if isinstance(name := getattr(node, field, None), str):
                    for part in name.split("."):
                        counts[part][room] += 1
    return counts


def test_a_word_stands_mostly_in_its_room() -> None:
    counts = occurrences()
    elsewhere = {
        f"{room}: {word}": dict(counts[word])
        for room, words in words_by_room().items()
        for word in words
        if counts[word][room] * 3 < sum(counts[word].values()) * 2 or not counts[word][room]
    }
    assert not elsewhere


def test_every_room_with_words_of_its_own_is_there() -> None:
    rooms = {path.name for path in SOURCES.iterdir() if (path / "__init__.py").is_file()}
    assert rooms - set(words_by_room()) == {"integrations", "native"}  # a file or two each
