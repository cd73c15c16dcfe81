"""engines/boolean/pushdown: see docs/architecture.md."""
