"""Who draws results, projections and steps of traces: names in `report`, which is loaded when somebody asks.

Evidence lies below `report` and imports nothing of it; a new way to show evidence is a line here.
"""

from __future__ import annotations

from typing import Any

from knaster.base.lazy import load_named

RENDERERS = {
    "text of a result": "knaster.report.text:result_text",
    "JSON of a result": "knaster.report.json:result_to_json",
    "page of a result": "knaster.report.notebook:result_in_notebook",
    "picture of a result": "knaster.report.notebook:result_picture",
    "text of a projection": "knaster.report.projection:projection_to_text",
    "JSON of a projection": "knaster.report.projection:projection_to_json",
    "page of a projection": "knaster.report.stepper.projection_page:projection_to_frame",
    "cells of a state": "knaster.report.heap.values:cells_of",
    "picture of a trace": "knaster.report.notebook:trace_picture",
    "picture of a heap": "knaster.report.heap.drawing:heap_before_step",
}


def render(what: str, *evidence: Any) -> Any:
    """Return evidence as a reader sees it; `what` is a line of `RENDERERS`."""
    return load_named(RENDERERS[what])(*evidence)
