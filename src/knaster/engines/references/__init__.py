"""engines/references: see docs/architecture.md."""
