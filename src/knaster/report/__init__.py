"""report: see docs/architecture.md."""
