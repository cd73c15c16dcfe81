"""A release: one version everywhere, and a workflow that only a tag starts and that has no secret."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest

from knaster.version import VERSION
from support import ROOT


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def workflow() -> Any:
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load(read(".github/workflows/release.yml"))


def test_the_version_is_the_same_everywhere() -> None:
    found = re.search(r"^## (\S+) \((\d{4}-\d{2}-\d{2})\)$", read("CHANGELOG.md"), re.MULTILINE)
    assert found is not None and found[1] == VERSION
    citation = read("CITATION.cff")
    assert f'version: "{VERSION}"' in citation and f'date-released: "{found[2]}"' in citation
    assert json.loads(read("editors/vscode/package.json"))["version"] == VERSION
    assert f"rev: v{VERSION}" in read("docs/ci.md")


def test_only_a_tag_starts_the_workflow() -> None:
    assert workflow()[True] == {"push": {"tags": ["v[0-9]+.[0-9]+.[0-9]+"]}}  # YAML reads `on` as true


def test_only_publishing_may_identify_itself_and_nothing_is_secret() -> None:
    jobs = workflow()["jobs"]
    assert workflow()["permissions"] == {"contents": "read"} and "secrets." not in read(".github/workflows/release.yml")
    assert {name: job["permissions"] for name, job in jobs.items() if "permissions" in job} == {
        "publish": {"id-token": "write"}
    }
    assert set(jobs["publish"]["needs"]) == {"test", "wheels", "sources"} and jobs["publish"]["environment"] == "pypi"


def test_wheels_are_tried_with_the_demos() -> None:
    settings = tomllib.loads(read("pyproject.toml"))["tool"]["cibuildwheel"]
    assert settings["build"] == "cp311-*" and "knaster demo zing" in settings["test-command"]


def test_every_package_has_an_upper_bound_and_every_locked_one_its_hashes() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    wanted = [*project["dependencies"], *(one for extra in project["optional-dependencies"].values() for one in extra)]
    assert [one for one in wanted if "<" not in one and not one.startswith("knaster[")] == []
    rows = re.split(r"\n(?=[A-Za-z0-9])", re.sub(r"^#.*\n", "", read("requirements.lock"), flags=re.MULTILINE))
    assert len(rows) > 20 and all("==" in row and "--hash=sha256:" in row for row in rows if row.strip())
