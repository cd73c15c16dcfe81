"""The site: every document is a page, every link inside leads to one, the reference has every command and engine."""

from __future__ import annotations

import importlib.util
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import knaster
from knaster.commands.table import COMMANDS
from knaster.engines.table import ENGINES
from support import ROOT

GENERATE: Any = runpy.run_path(str(ROOT / "site" / "generate.py"))


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("site") / "source"
    os.environ.pop("KNASTER_REPOSITORY", None)
    GENERATE["main"](folder)
    return folder


def test_every_document_is_a_page_of_the_contents(pages: Path) -> None:
    contents = (pages / "index.md").read_text("utf-8").partition("```{toctree}")[2].splitlines()
    for document in (ROOT / "docs").glob("*.md"):
        assert document.stem in contents, f"{document.name} is in no table of contents"
    for page in pages.rglob("*.md"):
        assert page.stem == "index" or str(page.relative_to(pages).with_suffix("")) in contents


def test_links_lead_to_pages(pages: Path) -> None:
    for page in pages.rglob("*.md"):
        text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_reference_is_whole(pages: Path) -> None:
    commands, engines, api = (
        (pages / "reference" / f"{name}.md").read_text("utf-8") for name in ("commands", "engines", "api")
    )
    assert all(f"## knaster {name}\n" in commands for name in COMMANDS) and "--switches" in commands
    assert all(f"## {name}\n" in engines for name in ENGINES)
    assert all(f"## knaster.{name}\n" in api for name in knaster.__all__) and "check(" in api


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("furo") is None, reason="needs Sphinx, MyST and furo: `make site`")
def test_the_site_is_built_without_a_warning(pages: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-c", str(ROOT / "site"), str(pages), str(tmp_path)]
    subprocess.run(command, check=True, timeout=600)
