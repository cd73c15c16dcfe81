"""Proofs in files; see docs/proofs.md."""

from __future__ import annotations

from knaster.proofs.files import check_proof_text, fingerprint, proof_to_text

__all__ = ["check_proof_text", "fingerprint", "proof_to_text"]
