"""bdd: see docs/architecture.md."""
