"""The app as a test sees it: pages through their shell, what stands on the screen, and what a hand does to it."""

from __future__ import annotations

import json
import re
import time
from html import unescape
from pathlib import Path
from typing import Any

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.Common_pb2 import StringTriggerValue
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from core import workspace
from core.jobs import State, jobs

SHELL = Path(__file__).parents[2] / "pages" / "shell.py"


def app(page: str = "documents", **address: str) -> AppTest:
    """The app at a page, as a new browser tab with that address sees it."""
    tab = AppTest.from_file(SHELL, default_timeout=60)
    tab.query_params.update(address)
    return tab.run() if page == "documents" else go(tab, page)


def go(tab: AppTest, page: str) -> AppTest:
    """Open another page of the same tab."""
    tab.switch_page(f"{page}.py").run()
    tab._page_hash = ""  # or the next run would come back here, even after the page has sent the user elsewhere
    assert not tab.exception, tab.exception
    return tab


def press(tab: AppTest, label: str) -> AppTest:
    """Press the button that is labelled, or keyed, so."""
    button = next((b for b in tab.button if label in (b.key, b.label)), None)
    assert button, f"{label!r} is not among {[b.label for b in tab.button]}"
    assert not button.disabled, f"{label!r} is disabled"
    button.click().run()
    assert not tab.exception, tab.exception
    return tab


def settle(tab: AppTest) -> AppTest:
    """Wait for the background work of every open workspace, and draw again."""
    owners = {str(path) for opened in workspace.opened() for path in (opened.location, Path(opened.location).resolve())}
    deadline = time.monotonic() + 60
    while any(job.state is State.RUNNING for owner in owners for job in jobs.of(owner)):
        assert time.monotonic() < deadline, "a job did not end"
        time.sleep(0.01)
    tab.run()
    assert not tab.exception, tab.exception
    return tab


def select_row(tab: AppTest, key: str, row: int) -> AppTest:
    """Click a row of a table."""
    keys = [frame.proto.id.split("-", 2)[2] for frame in tab.dataframe if frame.proto.id]
    tab.session_state[next(k for k in keys if k.startswith(key))] = {
        "selection": {"rows": [row], "columns": [], "cells": []}
    }
    tab.run()
    assert not tab.exception, tab.exception
    return tab


def documents(tab: AppTest) -> Any:
    """The table of documents, or None if there is none."""
    return next((frame for frame in tab.dataframe if (frame.key or "").startswith("documents")), None)


def open_row(tab: AppTest, row: int) -> AppTest:
    """Click a document's name in the table of documents."""
    frame = documents(tab)
    click = StringTriggerValue(data=json.dumps({"row": row, "label": frame.value["name"][row]}))
    states = tab._tree.get_widget_states()
    states.widgets.append(WidgetState(id=frame.proto.button_click_widgets["name"], string_trigger_value=click))
    tab._run(states)
    assert not tab.exception, tab.exception
    return tab


def type_in(tab: AppTest, rows: dict[int, dict[str, object]]) -> AppTest:
    """Type into the table of documents: values by row and column, all that was typed and is not stored yet."""
    return report(tab, documents(tab), "string_value", {"edited_rows": rows, "added_rows": [], "deleted_rows": []})


def tick(tab: AppTest, *rows: int) -> AppTest:
    """Tick rows of the table of documents, and no others."""
    return type_in(tab, {row: {"tick": True} for row in rows})


def report(tab: AppTest, element: Any, field: str, value: object) -> AppTest:
    """Let a component that AppTest does not know (a chart, the viewer) report as the browser would."""
    states = tab._tree.get_widget_states()
    states.widgets.append(WidgetState(id=element.proto.id, **{field: json.dumps(value)}))
    tab._run(states)
    assert not tab.exception, tab.exception
    return tab


def click_point(tab: AppTest, customdata: str) -> AppTest:
    """Click a point of the chart on the page."""
    points = [{"customdata": [customdata], "curve_number": 0, "point_index": 0}]
    selection = {"points": points, "point_indices": [0], "box": [], "lasso": []}
    return report(tab, tab.get("plotly_chart")[0], "string_value", {"selection": selection})


def figure(tab: AppTest, number: int = 0) -> dict[str, Any]:
    """A chart as it goes to the browser."""
    return json.loads(tab.get("plotly_chart")[number].proto.spec)


def layers(tab: AppTest) -> dict[str, list[str]]:
    """The map's layers by name as the legend shows it, each with the ids of its points."""
    traces = [trace for trace in figure(tab)["data"] if "name" in trace and trace["name"] != "question"]
    return {trace["name"]: list(trace["customdata"]) for trace in traces}


def table(tab: AppTest, column: str) -> Any:
    """The table on the page that has this column."""
    return next(frame.value for frame in tab.dataframe if column in frame.value.columns)


def notices(tab: AppTest) -> list[str]:
    """Errors, warnings and other boxes, in words."""
    return [plain(box.value) for boxes in (tab.error, tab.warning, tab.info, tab.success) for box in boxes]


def said(tab: AppTest) -> str:
    """All running text on the page and in the sidebar as a reader sees it."""
    texts = [plain(one.value) for one in (*tab.title, *tab.markdown, *tab.caption, *tab.metric)]
    return "\n".join([*texts, *notices(tab), *(_seen(body) for body in raw(tab)[1])])


def plain(markdown: str) -> str:
    """Markdown as a reader sees it, as far as our own pages write it."""
    return re.sub(r"\\(.)", r"\1", re.sub(r"(?<!\\)\*\*|(?<!\\)`", "", markdown)).replace("\u2060", "")


def cards(tab: AppTest) -> list[str]:
    """The hits on the Search page, each as a line of text, in order: those without the filter, then the list."""
    return [*(_seen(body) for body in raw(tab)[1] if 'class="cs-hit' in body), *map(_item, results(tab))]


def results(tab: AppTest) -> list[dict[str, Any]]:
    """The hits or excerpts in the list on the Search page."""
    items: list[dict[str, Any]] = results_data(tab).get("items", [])
    return items


def results_data(tab: AppTest) -> dict[str, Any]:
    """The list on the Search page as it goes to the browser; nothing where there is none."""
    found = [one.proto for one in tab.get("bidi_component") if one.proto.component_name == "chunkscope_results"]
    return json.loads(found[0].json) if found else {}


def act(tab: AppTest, **event: object) -> AppTest:
    """Do something with a hit in the list, as its button would: what it sends is gone after the run."""
    (found,) = (one for one in tab.get("bidi_component") if one.proto.component_name == "chunkscope_results")
    states = tab._tree.get_widget_states()
    sent = json.dumps([{"event": "act", "value": event}])
    states.widgets.append(WidgetState(id=_make_trigger_id(found.proto.id, "events"), json_trigger_value=sent))
    tab._run(states)
    assert not tab.exception, tab.exception
    return tab


def _item(item: dict[str, Any]) -> str:
    """A hit of the list as a reader sees it."""
    chips = " · ".join(f"{chip['field']}: {chip['value']}" for chip in item.get("chips", []))
    text = "".join(piece for piece, _ in item["runs"])
    score = f"{item['score']} · " if "score" in item else ""
    above = [f"context: {item['context']}"] if item.get("context") else []
    head = f"{score}{item['name']} {' · '.join(item['place'])} {' '.join(item['fates'])}"
    about = [f"{chip['field'].replace('_', ' ')} {chip['value']}" for chip in item.get("about", [])]
    parts = [head, *above, item["prefix"] + text + item["suffix"], chips, *about]
    return " ".join(" ".join([*map(str, item["ranks"]), *parts]).split())


def marked(html: str) -> str:
    """What is marked in a card or window."""
    (inside,) = re.findall(r"<mark>(.*?)</mark>", html, re.DOTALL)
    return _seen(inside)


def _seen(html: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))).strip()


def raw(tab: AppTest) -> tuple[list[str], list[str]]:
    """Every string that the browser reads as Markdown, and every one it reads as HTML."""
    markdown: list[str] = []
    html: list[str] = []
    for element in tab._tree:
        proto = getattr(element, "proto", None)
        if getattr(element, "type", "") == "html":
            html += [] if proto.body.startswith("<style>") else [proto.body]
        elif getattr(element, "type", "") in ("code", "dataframe", "bidi_component", "plotly_chart"):
            continue
        else:
            names = ("body", "label", "help", "text", "title")
            markdown += [v for n in names if isinstance(v := getattr(proto, n, None), str) and v]
            for block in ("expandable", "popover"):
                markdown += [getattr(proto, block).label] if getattr(proto, block, None) else []
    return markdown, html
