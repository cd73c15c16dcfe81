"""Faster saturation: path expressions inside procedures, iteration only between them."""
