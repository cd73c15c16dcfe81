"""frontends/text: see docs/architecture.md."""
