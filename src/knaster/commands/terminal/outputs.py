"""Answers in files besides those on standard output: `--output FORMAT=PATH`, each format once or more."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from knaster.base.errors import KnasterError, UsageError
from knaster.base.lazy import load_named
from knaster.base.named_tuples import NamedTuple
from knaster.base.outputs import refuse_inputs, write_file
from knaster.jobs.work import Outcome
from knaster.report.formats import FORMATS, Format

_PAGE = (".html", ".htm")


class Output(NamedTuple):
    """A format and where its text goes: a file, or for pages of several files a folder."""

    format: Format
    path: str


def outputs_of(given: Sequence[str] | None, files: Sequence[str]) -> list[Output]:
    """Return what `--output` names; raise `UsageError` where that makes no sense."""
    outputs = []
    for each in given or ():
        name, equals, path = each.partition("=")
        if not equals or not path:
            raise UsageError(f"--output takes FORMAT=PATH, for example sarif=knaster.sarif, and not '{each}'")
        format = FORMATS.get(name)
        if format is None or not (format.write or format.whole):
            from knaster.base.hints import did_you_mean

            known = [one.name for one in FORMATS.values() if one.write or one.whole]
            raise UsageError(
                f"there is no format '{name}'; {did_you_mean(name, known) or 'choose ' + ', '.join(known)}"
            )
        refuse_inputs(f"--output {name}", path, files)
        outputs.append(Output(format, path))
    paths = [output.path for output in outputs]
    if len(set(paths)) < len(paths):
        raise UsageError("--output names one file twice")
    return outputs


class Collected:
    """The answers of all questions in the formats that outputs need."""

    def __init__(self, outputs: Sequence[Output], more: Sequence[str] = ()) -> None:
        needed = [format for output in outputs for format in _needed(output.format)]
        self.outputs = outputs
        self.formats = tuple(dict.fromkeys([*needed, *more]))
        self.texts: dict[str, list[str]] = {format: [] for format in self.formats}
        self.files: list[str] = []

    def add(self, outcome: Outcome) -> None:
        """Keep what became of one question."""
        self.files.append(outcome.file)
        for format, text in zip(self.formats, outcome.also or [""] * len(self.formats), strict=True):
            self.texts[format].append(text)

    def last_document(self) -> Any:
        """Return the JSON document of the last question."""
        import json

        return json.loads(self.texts["json"][-1])

    def write(self) -> list[str]:
        """Write every file; return why some are not there."""
        complaints = []
        for output in self.outputs:
            try:
                self._write(output)
            except KnasterError as error:
                complaints.append(f"knaster: {error}")
        return complaints

    def _write(self, output: Output) -> None:
        format, texts = output.format, self.texts.get(output.format.name, [])
        if format.name == "html" and (len(self.files) > 1 or not output.path.lower().endswith(_PAGE)):
            self._write_pages(output.path)
        elif format.write and format.several == "array":
            whole = texts[0] if len(texts) == 1 else "[" + ",\n".join(texts) + "]"
            write_file(output.path, whole + "\n")
        elif format.write:
            write_file(output.path, "\n".join(text for text in texts if text) + "\n")
        else:
            from knaster.report.ci.findings import SourceLines

            write_file(output.path, load_named(format.whole)(self._documents(), SourceLines()))

    def _documents(self) -> list[Any]:
        import json

        return [json.loads(text) for text in self.texts["json"]]

    def _write_pages(self, folder: str) -> None:
        """Write a page for each question into a folder, and a table with links to them."""
        from knaster.report.stepper.index import index_page

        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise KnasterError(f"{folder}: cannot be made: {error.strerror}") from None
        pages: dict[int, str] = {}
        for number, (file, text) in enumerate(zip(self.files, self.texts["html"], strict=True)):
            if text:
                pages[number] = f"{number + 1}-{re.sub(r'[^A-Za-z0-9._-]', '_', os.path.basename(file))}.html"
                write_file(os.path.join(folder, pages[number]), text + "\n")
        write_file(os.path.join(folder, "index.html"), index_page(self._documents(), pages))


def _needed(format: Format) -> tuple[str, ...]:
    if format.name == "html":
        return ("html", "json")
    return (format.name,) if format.write else ("json",)
