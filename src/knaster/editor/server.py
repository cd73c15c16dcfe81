"""`knaster lsp`: the Language Server Protocol on standard input and output, by pygls.

A text that changes is read after a moment; one that is opened or saved is checked too, with a limit, by a worker.  The
answer about an older version of a text is dropped.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from knaster.base.errors import UsageError
from knaster.base.limits import Limits
from knaster.base.named_tuples import NamedTuple
from knaster.editor.answer import CHECK, PAGE, READ, EditorWork
from knaster.editor.diagnostics import hover_text, list_diagnostics
from knaster.jobs.worker import Worker
from knaster.version import VERSION

CHECK_COMMAND, PAGE_COMMAND = "knaster.check", "knaster.page"
PAUSE = 0.3  # seconds without a key before a text is read


class Known(NamedTuple):
    """What is known of a version of a text."""

    version: int | None
    document: Mapping[str, Any]


class Assistant:
    """What the server knows and asks; the protocol itself is around it (`make_server`)."""

    def __init__(self, server: Any, types: Any, seconds: float) -> None:
        self.server = server
        self.types = types
        self.limits = Limits(seconds)
        self.known: dict[str, Known] = {}
        self._worker = Worker(apart=True)
        self._thread = ThreadPoolExecutor(1)  # one question at a time

    async def read(self, uri: str, pause: float = 0.0) -> None:
        """Show what is wrong with a text, if it is still the same after a pause."""
        version = self._version(uri)
        await asyncio.sleep(pause)
        if version == self._version(uri):
            await self._ask(uri, READ)

    async def check(self, uri: str) -> None:
        """Show what `check` says of a text."""
        await self._ask(uri, CHECK)

    async def page(self, uri: str) -> None:
        """Open the page on which one steps through the answer."""
        output = await self._answer(uri, PAGE)
        if not output.startswith("<!"):
            self._tell("there is no page: the text is refused, or nothing is known of it in time")
            return
        folder = tempfile.mkdtemp(prefix="knaster-")
        file = Path(folder, f"{Path(self._text(uri).path).stem}.html")
        file.write_text(output, encoding="utf-8")
        show = self.types.ShowDocumentParams(uri=file.as_uri(), external=True, take_focus=True)
        await self.server.window_show_document_async(show)

    def hover(self, uri: str, line: int) -> str:
        """Return what was proved at a line, counted from 0, where the text is the one that was checked."""
        known = self.known.get(uri)
        return hover_text(known.document, line + 1) if known and known.version == self._version(uri) else ""

    def forget(self, uri: str) -> None:
        """Take away what is shown of a text that was closed."""
        self.known.pop(uri, None)
        self._publish(uri, None, [])

    def stop(self) -> None:
        """End the worker."""
        self._worker.stop()
        self._thread.shutdown(wait=False)

    async def _ask(self, uri: str, wanted: str) -> None:
        version = self._version(uri)
        output = await self._answer(uri, wanted)
        if version != self._version(uri):
            return  # about a text that is no more
        if not output:
            self._publish(uri, version, [])
            return
        document = json.loads(output)
        self.known[uri] = Known(version, document)
        self._publish(uri, version, list_diagnostics(document, self._text(uri).source, uri))

    async def _answer(self, uri: str, wanted: str) -> str:
        text = self._text(uri)
        name = os.path.relpath(text.path) if os.path.isabs(text.path) else text.path
        work = EditorWork(name, text.source, wanted, self.limits)
        loop = asyncio.get_running_loop()
        return (await loop.run_in_executor(self._thread, self._worker.do, work)).output

    def _publish(self, uri: str, version: int | None, diagnostics: list[dict[str, Any]]) -> None:
        from pygls.protocol import default_converter

        kind = self.types.PublishDiagnosticsParams
        shown = {"uri": uri, "diagnostics": diagnostics} | ({} if version is None else {"version": version})
        self.server.text_document_publish_diagnostics(default_converter().structure(shown, kind))

    def _tell(self, text: str) -> None:
        kind = self.types.MessageType.Info
        self.server.window_show_message(self.types.ShowMessageParams(type=kind, message=f"Knaster: {text}"))

    def _text(self, uri: str) -> Any:
        return self.server.workspace.get_text_document(uri)

    def _version(self, uri: str) -> int | None:
        version: int | None = self._text(uri).version
        return version


def make_server(seconds: float) -> tuple[Any, Assistant]:
    """Return a server that answers within so many seconds for each text, and what it asks."""
    try:
        from lsprotocol import types
        from pygls.lsp.server import LanguageServer
    except ImportError:
        raise UsageError("the language server needs pygls; install it with: pip install 'knaster[lsp]'") from None
    server = LanguageServer("knaster", VERSION)
    assistant = Assistant(server, types, seconds)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)  # type: ignore[untyped-decorator, unused-ignore]
    async def did_open(parameters: Any) -> None:
        await assistant.check(parameters.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)  # type: ignore[untyped-decorator, unused-ignore]
    async def did_save(parameters: Any) -> None:
        await assistant.check(parameters.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)  # type: ignore[untyped-decorator, unused-ignore]
    async def did_change(parameters: Any) -> None:
        await assistant.read(parameters.text_document.uri, PAUSE)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)  # type: ignore[untyped-decorator, unused-ignore]
    def did_close(parameters: Any) -> None:
        assistant.forget(parameters.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_HOVER)  # type: ignore[untyped-decorator, unused-ignore]
    def hover(parameters: Any) -> Any:
        said = assistant.hover(parameters.text_document.uri, parameters.position.line)
        content = types.MarkupContent(kind=types.MarkupKind.Markdown, value=said)
        return types.Hover(contents=content) if said else None

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)  # type: ignore[untyped-decorator, unused-ignore]
    def code_actions(parameters: Any) -> list[Any]:
        uri = parameters.text_document.uri
        titles = (("Check this file", CHECK_COMMAND), ("Step through the answer", PAGE_COMMAND))
        return [types.Command(title=title, command=command, arguments=[uri]) for title, command in titles]

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)  # type: ignore[untyped-decorator, unused-ignore]
    def code_lenses(parameters: Any) -> list[Any]:
        uri = parameters.text_document.uri
        start = types.Position(line=0, character=0)
        command = types.Command(title="Step through", command=PAGE_COMMAND, arguments=[uri])
        return [types.CodeLens(range=types.Range(start=start, end=start), command=command)]

    @server.command(CHECK_COMMAND)  # type: ignore[untyped-decorator, unused-ignore]
    async def check_now(uri: str) -> None:
        await assistant.check(uri)

    @server.command(PAGE_COMMAND)  # type: ignore[untyped-decorator, unused-ignore]
    async def open_page(uri: str) -> None:
        await assistant.page(uri)

    return server, assistant
