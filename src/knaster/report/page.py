"""A page of HTML that stands alone: no font, no request, no script but its own; it fits a light or a dark screen."""

from __future__ import annotations

from html import escape

_STYLE = """\
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em; color: #1f2328; background: #fff; }
pre, td, th { font-family: ui-monospace, monospace; font-size: 13px; }
h1 { font-size: 1.4em; } h2 { font-size: 1.15em; }
summary { cursor: pointer; }
@media (prefers-color-scheme: dark) { body { color: #e6edf3; background: #0d1117; } }
"""


def page(title: str, body: str, style: str = "") -> str:
    """Return a whole page; `title` is text, `body` is HTML, `style` is added to that of all pages."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"<style>\n{_STYLE}{style}</style></head><body>\n<h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )
