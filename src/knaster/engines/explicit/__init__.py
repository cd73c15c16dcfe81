"""engines/explicit: see docs/architecture.md."""
