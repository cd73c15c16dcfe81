"""evidence/traces: see docs/architecture.md."""
