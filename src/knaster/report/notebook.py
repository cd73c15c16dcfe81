"""Programs and results as pages and pictures: what a notebook shows, and the formats `html` and `svg`."""

from __future__ import annotations

from html import escape
from pathlib import Path

from knaster.base.records import dataclass
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.report.entries import Form
from knaster.report.flow.svg import program_to_svg
from knaster.report.formats import Style
from knaster.report.lanes.rows import has_lanes
from knaster.report.sentence import Report, endless_run, reachable_traces
from knaster.report.stepper.page import nothing_page, stepped_page

LARGEST = 2_000  # edges of a program that still draws itself unasked


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture of a program, with a run in it if there is one, or of a run of threads; a notebook shows it."""

    program: Program
    trace: Trace | None = None
    lasso: Lasso | None = None

    def to_svg(self) -> str:
        """Return the picture as an SVG text."""
        if self.lasso is not None and has_lanes(self.program, self.lasso.once):
            from knaster.report.lanes.picture import lasso_to_svg

            return lasso_to_svg(self.program, self.lasso)
        if self.lasso is not None:
            return program_to_svg(self.program, self.lasso.once, None if self.lasso.stays else self.lasso.cycle)
        if self.trace is not None and has_lanes(self.program, self.trace):
            from knaster.report.lanes.picture import lanes_to_svg

            return lanes_to_svg(self.program, self.trace)
        return program_to_svg(self.program, self.trace)

    def save(self, path: str | Path) -> None:
        """Write the picture to a file."""
        from knaster.base.outputs import write_file

        write_file(path, self.to_svg())

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        return f'<div style="overflow:auto;max-height:60em">{self.to_svg()}</div>'


def draw(subject: Program | Report) -> Drawing:
    """Return a picture of a program, or of a result: its first trace, in red in the program, or threads in lanes."""
    if isinstance(subject, Program):
        return Drawing(subject)
    traces = [trace for _, trace in reachable_traces(subject)]
    return Drawing(subject.program, traces[0] if traces else None, endless_run(subject))


def program_picture(program: Program) -> str | None:
    """Return the SVG of a program that is small enough to be looked at."""
    size = program.size
    return program_to_svg(program) if size <= LARGEST else None


def result_picture(report: Report) -> str | None:
    """Return the SVG of a result whose program is small enough to be looked at."""
    return None if program_picture(report.program) is None else draw(report).to_svg()


def trace_picture(program: Program, trace: Trace) -> str | None:
    """Return the SVG of a run whose program is small enough to be looked at."""
    return Drawing(program, trace).to_svg() if program.size <= LARGEST else None


def write_page(report: Report, style: Style) -> str:
    """Return an answer as the format `html`."""
    return stepped_page(report, None if style.trace is None else Form(style.trace)).rstrip("\n")


def write_nothing(file: str, reason: str, style: Style) -> str:
    """Return a page which says that nothing is known of a file."""
    return nothing_page(file, reason).rstrip("\n")


def write_picture(report: Report, style: Style) -> str:
    """Return an answer as the format `svg`."""
    return draw(report).to_svg().rstrip("\n")


def result_in_notebook(report: Report) -> str:
    """Return the HTML of a result for a notebook: its page in a frame."""
    return frame(stepped_page(report))


def frame(page: str) -> str:
    """Return a whole page inside a frame, for notebooks."""
    return f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" style="width:100%;height:44em;border:0"></iframe>'
