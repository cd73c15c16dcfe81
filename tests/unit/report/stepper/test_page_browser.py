"""The page in a browser, by keyboard and mouse, wide and narrow, light and dark: slow, and only where Chromium is."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import knaster
from knaster.evidence.answers.answer import Result
from knaster.report.entries import Form
from knaster.report.stepper.page import stepped_page
from support import ROOT

pytestmark = pytest.mark.slow
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
EXAMPLES = ROOT / "examples"
PROVED = "int main(void) { int i = 0;\n while (i < 10) i++;\n assert(i == 10); return 0; }\n"
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
RESULTS: dict[str, Callable[[], Result]] = {
    "boolean": lambda: knaster.check(EXAMPLES / "figure1.bp", "R"),
    "threads": lambda: knaster.check(EXAMPLES / "threads" / "par-recursion-bad.bp"),
    "c": lambda: knaster.check(EXAMPLES / "c" / "ex0.c"),
    "zing": lambda: knaster.check(EXAMPLES / "zing" / "philosophers-deadlock.zing"),
    "lasso": lambda: knaster.check(EXAMPLES / "temporal" / "driver.bp", property="F at(RELEASE)"),
    "proof": lambda: knaster.check(PROVED, file="p.c", engine="horn"),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    drive = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
    if BROWSER is None:
        pytest.skip("needs Chromium")
    with drive.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=BROWSER, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for name, check in RESULTS.items():
        (folder / f"{name}.html").write_text(stepped_page(check()), "utf-8")
    return folder


class Visit:
    """A page in a window; leaving it fails where the page complained, asked for anything or is too wide."""

    def __init__(self, browser: Any, file: Path, width: int = 1280, scheme: str = "light", step: str = "") -> None:
        self.tab = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.wrong: list[str] = []
        self.tab.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        self.tab.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.tab.on("request", lambda asked: None if asked.url.startswith("file:") else self.wrong.append(asked.url))
        self.tab.goto(f"file://{file}{step}")
        self.tab.wait_for_function("document.documentElement.classList.contains('live')")
        self.tab.wait_for_timeout(100)

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *error: object) -> None:
        assert not self.wrong
        assert self.tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
        self.tab.close()

    def step(self) -> int:
        return int(self.tab.get_attribute("main", "data-step"))

    def press(self, *keys: str) -> int:
        for key in keys:
            self.tab.keyboard.press(key)
        return self.step()


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", list(RESULTS))
def test_axe_finds_nothing(browser: Any, pages: Path, name: str, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_core_python", reason="needs the package axe-core-python")
    with Visit(browser, pages / f"{name}.html", width, scheme) as visit:
        visit.tab.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text("utf-8"))
        kinds = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
        found = visit.tab.evaluate(f"axe.run(document, {{runOnly: {kinds}}})")
        assert [each["id"] for each in found["violations"]] == []


@pytest.mark.parametrize("width", [1280, 400])
def test_keys_and_buttons(browser: Any, pages: Path, width: int) -> None:
    with Visit(browser, pages / "boolean.html", width) as visit:
        tab = visit.tab
        assert visit.step() == 1 and visit.press("ArrowRight", "ArrowDown", "j") == 4
        assert tab.inner_text("[aria-live]") == "step 4 of 17, line 21, A" and tab.url.endswith("#step=4")
        assert tab.get_attribute("[data-line][aria-current=step]", "data-line") == "21"
        assert visit.press("k", "ArrowLeft", "ArrowUp") == 1
        assert visit.press("ArrowRight", "n") == 8 and visit.press("k", "u") == 8  # over the call, and out of it
        assert visit.press("End") == 17 and visit.press("ArrowRight") == 17 and visit.press("Home") == 1
        tab.click("[data-move=next]")
        assert visit.step() == 2
        tab.fill("input[type=search]", "g := a2")
        assert visit.press("Enter") == 6 and tab.inner_text(".count") == "1 of 2 steps"
        assert visit.press("Escape", "ArrowRight") == 7
        tab.click("[data-name] >> nth=0")
        tab.click(".history a >> nth=0")
        assert visit.step() == int(tab.url.rpartition("=")[2])
        visit.press("?")
        assert tab.is_visible("dialog")
        visit.press("Escape")
        assert not tab.is_visible("dialog")
    with Visit(browser, pages / "boolean.html", width, step="#step=9") as visit:
        assert visit.step() == 9


def test_100_000_steps(browser: Any, tmp_path: Path) -> None:
    """A run of 98,303 steps by calls that call twice: a small file, and a few rows of it at a time."""
    leaf = "void p0() begin\n  g := !g;\n  skip;\n  g := !g;\nend\n"
    calls = [f"void p{n}() begin\n  p{n - 1}();\n  g := !g;\n  p{n - 1}();\nend\n" for n in range(1, 15)]
    text = f"decl g;\nvoid main() begin\n  p14();\n  R: skip;\nend\n{''.join(calls)}{leaf}"
    page = stepped_page(knaster.check(text, "R", file="long.bp"), Form.FULL)
    assert len(page.encode()) < 3_000_000
    (tmp_path / "long.html").write_text(page, "utf-8")
    with Visit(browser, tmp_path / "long.html") as visit:
        assert visit.tab.get_attribute("main", "data-steps") == "98303"
        assert visit.press("ArrowRight") == 2 and visit.press("End") == 98303 and visit.press("Home") == 1
        assert visit.tab.locator("[role=treeitem]").count() <= 400


def test_calls_fold(browser: Any, pages: Path) -> None:
    with Visit(browser, pages / "boolean.html") as visit:
        tab = visit.tab
        assert tab.locator("[role=treeitem]").count() == 17
        tab.click("[data-row='1'] .fold")
        assert tab.get_attribute("[data-row='1']", "aria-expanded") == "false"
        assert tab.locator("[role=treeitem]").count() == 12
        tab.click("[data-fold]")
        assert tab.locator("[role=treeitem]").count() == 7
        assert visit.press("ArrowRight", "ArrowRight") == 3 and tab.locator("[data-row='2']").count() == 1


def test_threads_have_lanes_and_the_heap_is_drawn(browser: Any, pages: Path) -> None:
    with Visit(browser, pages / "zing.html", 400, "dark") as visit:
        tab = visit.tab
        assert tab.locator("[data-lane]").count() == 4 and tab.locator("[data-panel=heap] svg title").count() == 1
        step = visit.press("s")
        assert "thread 2" in tab.inner_text("[aria-live]") and step > 1
        tab.click("[data-lane='4'] button >> nth=0")
        assert "thread 4" in tab.inner_text("[aria-live]")


@pytest.mark.parametrize("width", [1280, 320])
def test_the_heap_has_room_on_pages_and_in_notebooks(browser: Any, pages: Path, tmp_path: Path, width: int) -> None:
    notebook = RESULTS["zing"]()._repr_html_()
    (tmp_path / "cell.html").write_text(f"<div style='height: 300px; overflow: auto'>{notebook}</div>", "utf-8")
    for file in (pages / "zing.html", tmp_path / "cell.html"):
        tab = browser.new_page(viewport={"width": width, "height": 300})
        tab.goto(f"file://{file}")
        (heap,) = (found for frame in tab.frames for found in frame.locator("[data-panel=heap] .heap").all())
        assert heap.bounding_box()["height"] > 80
        tab.close()


def test_a_cycle_goes_around(browser: Any, pages: Path) -> None:
    with Visit(browser, pages / "lasso.html") as visit:
        first = int(visit.tab.get_attribute("[data-cycle] >> nth=0", "data-row")) + 1
        assert visit.press("End", "ArrowRight") == first
        assert "the stack grows" in visit.tab.inner_text("[aria-live]")


def test_a_proof_can_be_searched(browser: Any, pages: Path) -> None:
    with Visit(browser, pages / "proof.html") as visit:
        assert visit.tab.is_visible("[data-line='2'] [data-proof]")
        visit.tab.fill("input[type=search]", "assert")
        visit.tab.keyboard.press("Enter")
        assert visit.tab.inner_text(".count") == "1 of 1 lines"
