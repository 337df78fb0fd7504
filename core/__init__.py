"""Chunkscope's core: spans, windows, filtered search and evaluation, without any user interface."""

__version__ = "0.1.0"
