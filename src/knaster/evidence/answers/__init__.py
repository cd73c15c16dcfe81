"""evidence/answers: see docs/architecture.md."""
