"""views/steps: see docs/architecture.md."""
