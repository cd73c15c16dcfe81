"""calculus/fixpoints: see docs/architecture.md."""
