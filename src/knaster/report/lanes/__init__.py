"""report/lanes: see docs/architecture.md."""
