"""Proofs as records and as files; see docs/proofs.md."""

from __future__ import annotations

from knaster.evidence.proofs.files import Proved, check_proof_text, examine, fingerprint, proof_to_text, reading_of

__all__ = ["Proved", "check_proof_text", "examine", "fingerprint", "proof_to_text", "reading_of"]
