"""report/flow: see docs/architecture.md."""
