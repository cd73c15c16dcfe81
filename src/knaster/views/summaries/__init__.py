"""views/summaries: see docs/architecture.md."""
