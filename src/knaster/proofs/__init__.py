"""Proofs in files; see docs/proofs.md."""

from __future__ import annotations

from knaster.proofs.files import Proved, check_proof_text, examine, fingerprint, proof_to_text, reading_of

__all__ = ["Proved", "check_proof_text", "examine", "fingerprint", "proof_to_text", "reading_of"]
