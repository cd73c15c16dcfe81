"""Settings of the site: `make site` builds it with Sphinx from what `site/generate.py` has written."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from lexers import LANGUAGES, lexer_of

from knaster.version import VERSION

project = "Knaster"
author = copyright = "The Knaster authors"
version = release = VERSION
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
html_theme = "furo"
html_title = f"Knaster {VERSION}"
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
nitpicky = True


def setup(app: object) -> None:
    """Add the colours of the languages."""
    for ending in LANGUAGES:
        app.add_lexer(ending, lexer_of(ending))  # type: ignore[attr-defined]
