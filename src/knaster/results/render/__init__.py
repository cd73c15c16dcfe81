"""An answer as text, JSON, HTML or a picture."""
