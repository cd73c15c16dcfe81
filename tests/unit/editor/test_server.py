"""`knaster lsp` as an editor sees it: a client talks to a process of its own."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from knaster.base.errors import UsageError
from knaster.cli import main
from knaster.editor.server import make_server
from support.machines import PATIENCE

needs_pygls = pytest.mark.skipif(
    importlib.util.find_spec("pygls") is None, reason="needs pygls: pip install 'knaster[lsp]'"
)
UNSAFE = "void main() begin\n  decl x;\n  assert(x);\nend\n"
LOOP = """extern void reach_error(void);
int main(void) {
  unsigned i = 0, j = 0;
  while (i < 1000000) { i++; j++; }
  if (i != j) reach_error();
}
"""


class Editor:
    """A client that remembers what it is shown."""

    def __init__(self) -> None:
        from lsprotocol import types
        from pygls.lsp.client import LanguageClient

        self.types, self.client = types, LanguageClient("test", "1")
        self.shown: asyncio.Queue[Any] = asyncio.Queue()
        self.pages: list[str] = []
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda shown: self.shown.put_nowait(shown))
        self.client.feature(types.WINDOW_SHOW_DOCUMENT)(lambda asked: self._show(asked))

    def _show(self, parameters: Any) -> Any:
        self.pages.append(parameters.uri)
        return self.types.ShowDocumentResult(success=True)

    async def start(self) -> Any:
        await self.client.start_io(sys.executable, "-m", "knaster", "lsp", "--timeout", "60", env=os.environ.copy())
        capabilities = self.types.ClientCapabilities()
        return await self.client.initialize_async(self.types.InitializeParams(capabilities=capabilities))

    def open(self, uri: str, text: str) -> None:
        item = self.types.TextDocumentItem(uri=uri, language_id="x", version=1, text=text)
        self.client.text_document_did_open(self.types.DidOpenTextDocumentParams(text_document=item))

    def change(self, uri: str, version: int, text: str) -> None:
        document = self.types.VersionedTextDocumentIdentifier(uri=uri, version=version)
        whole = self.types.TextDocumentContentChangeWholeDocument(text=text)
        parameters = self.types.DidChangeTextDocumentParams(text_document=document, content_changes=[whole])
        self.client.text_document_did_change(parameters)

    async def next(self, version: int) -> list[Any]:
        while True:
            shown = await asyncio.wait_for(self.shown.get(), PATIENCE)
            if shown.version == version:
                return list(shown.diagnostics)

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()


def converse(talk: Callable[[Editor], Awaitable[None]]) -> None:
    async def whole() -> None:
        editor = Editor()
        assert (await editor.start()).capabilities.hover_provider
        try:
            await talk(editor)
        finally:
            await editor.stop()

    asyncio.run(whole())


@needs_pygls
@pytest.mark.filterwarnings("ignore")
def test_an_editor_is_served(tmp_path: Path) -> None:
    uri = (tmp_path / "a.bp").as_uri()

    async def talk(editor: Editor) -> None:
        types = editor.types
        editor.open(uri, UNSAFE)
        (shown,) = await editor.next(1)
        assert shown.code == "knaster/reach" and shown.range.start.line == 2
        assert [one.location.uri for one in shown.related_information] == [uri]
        editor.change(uri, 2, UNSAFE.replace("assert", "asert"))
        (shown,) = await editor.next(2)
        assert shown.code == "knaster/refused" and shown.range.start.line == 2
        editor.change(uri, 3, UNSAFE.replace("assert(x)", "assert(x | !x)"))
        assert await editor.next(3) == []
        document = types.TextDocumentIdentifier(uri=uri)
        start = types.Position(line=0, character=0)
        parameters = types.CodeActionParams(
            text_document=document, range=types.Range(start, start), context=types.CodeActionContext(diagnostics=[])
        )
        actions = await editor.client.text_document_code_action_async(parameters)
        assert [action.title for action in actions] == ["Check this file", "Step through the answer"]
        lenses = await editor.client.text_document_code_lens_async(types.CodeLensParams(text_document=document))
        assert lenses[0].command.command == "knaster.page"
        editor.change(uri, 4, UNSAFE)
        for action in actions:
            command = types.ExecuteCommandParams(command=action.command, arguments=action.arguments)
            await editor.client.workspace_execute_command_async(command)
        assert "knaster/reach" in [one.code for one in await editor.next(4)]
        assert len(editor.pages) == 1 and Path(editor.pages[0].removeprefix("file://")).read_text().startswith("<!")

    converse(talk)


@needs_pygls
@pytest.mark.filterwarnings("ignore")
def test_a_hover_shows_what_was_proved(tmp_path: Path) -> None:
    pytest.importorskip("clang")
    uri = (tmp_path / "a.c").as_uri()

    async def talk(editor: Editor) -> None:
        types = editor.types
        editor.open(uri, LOOP)
        await editor.next(1)
        document, place = types.TextDocumentIdentifier(uri=uri), types.Position(line=3, character=4)
        hover = await editor.client.text_document_hover_async(types.HoverParams(document, place))
        assert hover.contents.value.startswith("`always")
        editor.change(uri, 2, LOOP + "\n")
        assert await editor.client.text_document_hover_async(types.HoverParams(document, place)) is None

    converse(talk)


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "pygls", None)
    monkeypatch.setitem(sys.modules, "pygls.lsp.server", None)
    with pytest.raises(UsageError, match=r"pip install 'knaster\[lsp\]'"):
        make_server(1.0)
    assert main(["lsp"]) == 1 and "knaster[lsp]" in capsys.readouterr().err
