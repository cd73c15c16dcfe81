"""engines/boolean: see docs/architecture.md."""
