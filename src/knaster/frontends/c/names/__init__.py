"""frontends/c/names: see docs/architecture.md."""
