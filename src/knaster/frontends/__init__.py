"""Text to Program; one module or folder per language."""
