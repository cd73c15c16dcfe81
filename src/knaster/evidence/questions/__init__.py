"""evidence/questions: see docs/architecture.md."""
