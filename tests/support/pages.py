"""Pages as tests read them: every element is closed, nothing comes from elsewhere, and the data of the run."""

from __future__ import annotations

import base64
import json
import re
import zlib
from html.parser import HTMLParser
from typing import Any

UNCLOSED = {"meta", "br", "rect", "path", "line", "circle", "input"}


class Page(HTMLParser):
    """Reads a page; `seen` has its elements with their attributes, `texts` what stands inside each kind of element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.feed(text)
        self.close()
        assert not self.open
        assert set(re.findall(r"https?://[^\"' ]+", text)) <= {"http://www.w3.org/2000/svg"}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        self.open += [] if tag in UNCLOSED else [tag]
        for name, value in attrs:
            assert name not in ("src", "onclick")
            assert name != "href" or not (value or "").startswith(("http", "/"))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        key = self.open[-1] if self.open else ""
        self.texts[key] = self.texts.get(key, "") + data

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def having(self, attribute: str, value: str | None = None) -> list[dict[str, str | None]]:
        """Return the attributes of the elements that have an attribute, with a value if one is given."""
        return [a for _, a in self.seen if attribute in a and (value is None or a[attribute] == value)]


def data_of(page: str) -> dict[str, Any]:
    """Return the data of the run of a page, unpacked."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    if "packed" in data:
        data = json.loads(zlib.decompress(base64.b64decode(data["packed"])))
    return data


def values_at(data: dict[str, Any], step: int) -> dict[str, str]:
    """Return the values that a page shows at a step, counted from 0: globals and those of the activation itself.

    This is what `page.js` computes, step by step from the beginning.
    """
    shared: dict[str, str] = {}
    stacks: dict[int, list[dict[str, str]]] = {}
    for k in range(step + 1):
        who, depth = data["thread"][k] if "thread" in data else 1, data["depth"][k]
        stack = stacks.setdefault(who, [])
        del stack[depth + 1 :]
        while len(stack) <= depth:
            stack.append({})
        changes = data["changes"][k]
        for name, value in zip(changes[::2], changes[1::2], strict=True):
            word, is_global = data["names"][name]
            scope = shared if is_global else stack[depth]
            if value < 0:
                scope.pop(word)
            else:
                scope[word] = data["values"][value]
    return {**shared, **stack[depth]}
