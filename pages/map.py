"""Where are the candidates, and can I trust the picture?"""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from core.comparison import Comparison
from core.filters import EVERYTHING
from core.jobs import jobs as registry
from core.types import Index, Progress
from core.workspace import MapPicture, Workspace, node_id
from pages.parts import ask, charts, errors, hits, jobs, resources, session
from pages.parts.text import counted, escaped, literal

HOVER = 160
FEWEST = 4  # with no more nodes there is nothing to lay out
Key = tuple[str, int]


def layers(opened: Workspace, index: Index, picture: MapPicture, found: Comparison | None) -> list[charts.Layer]:
    """Every node in exactly one layer: by what the two searches and the filter made of it."""
    keys = list(zip(picture.keys.doc_ids, picture.keys.ordinals.tolist(), strict=True))
    row_of = {key: row for row, key in enumerate(keys)}
    before = {(h.doc_id, h.node.ordinal): h.rank for h in found.unfiltered.hits} if found else {}
    after = {(h.doc_id, h.node.ordinal): h.rank for h in found.filtered.hits} if found else {}
    state = session.current()
    filtered = state.filter != EVERYTHING or bool(state.where.strip())
    passing = opened.store.keys(index, state.filter, state.where) if filtered else picture.keys
    inside = set(zip(passing.doc_ids, passing.ordinals.tolist(), strict=True))

    def layer(
        name: str, keys: Iterable[Key], ranks: dict[Key, int], colour: str, symbol: str, size: int
    ) -> charts.Layer:
        known = [key for key in keys if key in row_of]
        marks = [f" {ranks[key]}" for key in known] if ranks else None
        return charts.Layer(name, [row_of[key] for key in known], colour, symbol, size, marks)

    shown = before.keys() | after.keys()
    rest = [key for key in keys if key in inside and key not in shown]
    made = [layer("matches the filter" if filtered else "other nodes", rest, {}, charts.SKY, "circle", 6)]
    if filtered:
        out = [key for key in keys if key not in inside and key not in shown]
        lost, new = (k for k in before if k not in after), (k for k in after if k not in before)
        made.insert(0, layer("excluded by the filter", out, {}, charts.GREY, "x-thin-open", 5))
        made.append(layer("only without the filter", lost, before, charts.VERMILLION, "square-open", 12))
        made.append(layer("only with the filter", new, after, charts.GREEN, "triangle-up", 13))
    both = (k for k in after if k in before)
    made.append(layer("in both searches" if filtered else "hits", both, after, charts.GREEN, "circle", 13))
    return [one for one in made if one.rows]


def draw(opened: Workspace, index: Index, found: Comparison | None) -> None:
    picture = resources.picture(index)
    ids = [node_id(d, index.id, int(o)) for d, o in zip(picture.keys.doc_ids, picture.keys.ordinals, strict=True)]
    texts = opened.texts(picture.keys, HOVER) if len(ids) <= charts.MAX_HOVERED else None
    place = opened.place(found.unfiltered.request.question, picture, index.id) if found else None
    figure = charts.scatter(picture.points, ids, texts, layers(opened, index, picture, found), place)
    trust = f"neighbours kept {100 * picture.neighbours_kept:.0f} %"
    st.caption(
        f"{picture.method} · {counted(len(ids), 'node')} · {trust}",
        help="Of a node's ten nearest by meaning, how many are among its ten nearest on this picture.",
    )
    chosen = st.plotly_chart(
        figure, key=f"map-{index.id}-{index.version}-{picture.method}", on_select="rerun", selection_mode="points",
        config={"displayModeBar": False, "scrollZoom": True},
    )  # fmt: skip
    picked = [point.get("customdata") for point in chosen.selection.points]
    picked = [value[0] if isinstance(value, list) else value for value in picked]
    if picked and picked[0]:
        session.current().map_node = str(picked[0])


def side(opened: Workspace, index: Index) -> None:
    """The window of the clicked node."""
    chosen = session.current().map_node
    if not chosen or chosen.split(":")[1] != index.id:
        st.caption("Click a point to read its window.")
        return
    doc_id, _, ordinal = chosen.split(":")
    with errors.shown():
        found = opened.node(doc_id, int(ordinal), session.current().window, index.id)
        text, node, start = found.window_text, found.node, found.window.start
        st.markdown(f"##### {literal(found.info.name)} #{node.ordinal + 1}")
        inside = escaped(text[node.start - start : node.end - start])
        before, after = escaped(text[: node.start - start]), escaped(text[node.end - start :])
        above = hits.context(node.context)
        st.html(
            f'{above}<div class="cs-text" dir="auto">{hits.around(found.prefix)}{before}<mark>{inside}</mark>{after}</div>'
        )
        if st.button("Open in text", key="map-open", type="primary", icon=":material/article:"):
            session.current().use(index)
            session.current().open_node(doc_id, node.ordinal)
            st.switch_page("windows.py")
        said = {
            name: value
            for name, value in found.info.metadata.items()
            if name in ("doc_type", "category", "year", "tags")
        }
        st.caption(literal(" · ".join(f"{n}: {', '.join(v) if isinstance(v, tuple) else v}" for n, v in said.items())))


def lay_out(opened: Workspace, index: Index) -> None:
    """Begin UMAP as a job where only PCA is there yet."""
    if opened.store.map(index, "UMAP") is None and not jobs.running("map") and not _gave_up():

        def work(progress: Progress) -> object:
            opened.lay_out(index.id, progress)
            return index.version

        registry.start(jobs.owner(), "map", "Laying out the map (UMAP)", work)
        st.rerun()


def _gave_up() -> bool:
    """A layout that was stopped or failed is not begun again by itself."""
    job = next(iter(jobs.finished("map")), None)
    if job is not None and job.result is None:
        jobs.outcome(job)
        if st.button("Try again", key="map-again", icon=":material/refresh:"):
            registry.dismiss(job)
            st.rerun()
        return True
    return False


def main() -> None:
    opened, index = resources.searchable("Map")
    state = session.current()
    ask.bar(opened, "map")
    left, right = st.columns([5, 2], gap="medium")
    with left, errors.shown():
        asked = state.question.strip()
        found = opened.compare(asked, state.search_settings, state.filter, index.id) if asked else None
        draw(opened, index, found)
    with right:
        side(opened, index)
    if index.nodes > FEWEST:
        lay_out(opened, index)


main()
