"""Questions of c-tests whose label means something else, and what."""

from __future__ import annotations

from collections.abc import Mapping

DISPUTED: Mapping[tuple[str, str], str] = {}
