"""The table of engines and its cards: light to read, true to the folders that they stand in."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

from knaster.base.errors import UsageError
from knaster.engines.card import Card
from knaster.engines.table import ENGINES, engine_named, make_options
from support import ROOT

FOLDERS = sorted(
    path.parent
    for path in (ROOT / "src/knaster/engines").rglob("__init__.py")
    if "\nCARD = " in path.read_text("utf-8")
)


def test_every_card_is_in_the_table_and_named_like_its_folder() -> None:
    assert sorted(ENGINES) == sorted(folder.name for folder in FOLDERS)


@pytest.mark.parametrize("card", ENGINES.values(), ids=lambda card: card.name)
def test_what_a_card_names_is_there(card: Card) -> None:
    for named in filter(None, (card.run, card.reduce)):
        assert isinstance(named, str)
        module, _, function = named.partition(":")
        assert callable(getattr(import_module(module), function))
    assert is_dataclass(card.options) and all(field.metadata["help"] for field in fields(card.options))
    assert card.requires and card.about


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_guide_names_the_files_of_its_folder(folder: Path) -> None:
    guide = (folder / "__init__.py").read_text("utf-8").split('"""')[1]
    missing = [
        path.stem
        for path in folder.glob("*.py")
        if not re.search(rf"\b{path.stem}\b", guide) and path.stem != "__init__"
    ]
    assert not missing, f"{folder.name}/__init__.py does not say what these are: {missing}"


def test_reading_the_table_imports_no_engine_and_no_library() -> None:
    script = "import sys, knaster.engines.table; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    heavy = ("oxidd", "z3", "knaster.bdd", "knaster.smt", "knaster.views", "knaster.checkers", "knaster.transform")
    assert not [name for name in found if name.startswith(heavy) or name.endswith(".engine")]


def test_options_of_an_engine() -> None:
    assert make_options("stacks", {"rules": 7}).in_force(True) == {"rules": 7}
    with pytest.raises(UsageError, match="the engine 'lazy' has no option 'rules'; stacks and transducers have it"):
        make_options("lazy", {"rules": 7})
    with pytest.raises(UsageError, match="has no option 'nothing'; no engine has"):
        make_options("lazy", {"nothing": 7})
    with pytest.raises(UsageError, match="unknown engine 'lasy'; did you mean 'lazy'"):
        engine_named("lasy")
