"""The page about trust: how much of the kernel each kind of proof needs is counted, not remembered."""

from __future__ import annotations

from knaster.evidence.proofs.table import PROOFS
from knaster_check.table import KINDS
from support import ROOT
from support.trusted_lines import FILES, PAGE, page, stated_lines, total_lines


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == page(), "run `python -m support.trusted_lines` in tests"


def test_the_kernel_has_as_many_lines_as_it_is_said_to_have() -> None:
    text = (ROOT / "docs" / "kernel.md").read_text()
    (lines,) = stated_lines(text)
    assert lines == round(total_lines(), -2) and f"in {len(FILES)} files" in text


def test_the_kernel_knows_no_other_kind_of_proof() -> None:
    assert {kind.name for kind in KINDS} <= {kind.name for kind in PROOFS}
