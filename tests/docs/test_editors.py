"""The extension for Visual Studio Code: grammars with every word of the languages, and files that fit together."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import subprocess
from typing import Any

import pytest

from support import ROOT

FOLDER = ROOT / "editors" / "vscode"
GENERATE = runpy.run_path(str(ROOT / "editors" / "generate.py"))
EXAMPLES = {"bp": "figure1.bp", "zing": "zing/figure-2.zing", "mu": "calculus/game.mu"}


def manifest() -> Any:
    return json.loads((FOLDER / "package.json").read_text("utf-8"))


@pytest.mark.parametrize("ending", EXAMPLES)
def test_grammars_are_those_of_the_readers(ending: str) -> None:
    text = (FOLDER / "syntaxes" / f"{ending}.tmLanguage.json").read_text("utf-8")
    assert text == GENERATE["text_of"](ending), "run `make editors`"


@pytest.mark.parametrize("ending", EXAMPLES)
def test_a_program_has_colours(ending: str) -> None:
    patterns = [
        (rule["name"], re.compile(rule.get("match") or rule["begin"]))
        for rule in GENERATE["grammar"](ending)["patterns"]
    ]
    lines = (ROOT / "examples" / EXAMPLES[ending]).read_text("utf-8").splitlines()
    names = {name for line in lines for name, pattern in patterns if pattern.search(line)}
    assert {f"keyword.control.{ending}", f"storage.type.{ending}"} <= names


def test_every_file_of_the_manifest_is_there() -> None:
    contributes = manifest()["contributes"]
    assert {one["id"] for one in contributes["languages"]} == set(EXAMPLES)
    for one in (*contributes["grammars"], *contributes["languages"]):
        assert (FOLDER / (one.get("path") or one["configuration"])).exists()
    json.loads((FOLDER / "language-configuration.json").read_text("utf-8"))


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_the_script_is_javascript() -> None:
    subprocess.run(["node", "--check", str(FOLDER / manifest()["main"])], check=True, timeout=60)
