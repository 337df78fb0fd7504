"""An ``AppError`` becomes a message: what happened, and what to do. Anything else stays a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.errors import AppError
from pages.parts.text import literal


def show(error: AppError) -> None:
    """Draw an error where it happened."""
    st.error(f"**{literal(error.what)}**  \n{literal(error.do)}", icon=":material/error:")


@contextmanager
def shown() -> Iterator[None]:
    """Errors of the user's inside are drawn in place; the rest of the page goes on."""
    try:
        yield
    except AppError as error:
        show(error)
