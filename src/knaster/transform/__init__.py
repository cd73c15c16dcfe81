"""transform: see docs/architecture.md."""
