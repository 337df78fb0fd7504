"""The frame around every page: navigation first, then what stands on all of them, then the page."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from core.errors import AppError
from pages.parts import address, errors, resources, session, sidebar

HERE = Path(__file__).parent
ASSETS = HERE.parent / "assets"

st.set_page_config(page_title="Chunkscope", page_icon=ASSETS / "logo.svg", layout="wide")
page = st.navigation(
    [
        st.Page(HERE / "documents.py", title="Documents", icon=":material/description:", default=True),
        st.Page(HERE / "windows.py", title="Windows", icon=":material/view_day:"),
        st.Page(HERE / "search.py", title="Search", icon=":material/search:"),
        st.Page(HERE / "map.py", title="Map", icon=":material/scatter_plot:"),
        st.Page(HERE / "evaluate.py", title="Evaluate", icon=":material/fact_check:"),
        st.Page(HERE / "settings.py", title="Settings", icon=":material/settings:"),
    ]
)
st.logo(ASSETS / "wordmark.svg", icon_image=ASSETS / "logo.svg", size="large")
session.current()
st.html(ASSETS / "app.css")
try:
    resources.current_workspace()
except AppError as error:
    errors.show(error)
    with st.container(border=True, width=520):
        sidebar.switcher()
else:
    with errors.shown():
        rest = sidebar.draw()
        address.write(page.title)
        try:
            with errors.shown():
                page.run()
        except StopException:
            rest()
            raise
        rest()
resources.first_page.set()
