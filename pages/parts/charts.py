"""Colours and figures, alike on every page. Okabe–Ito, told apart by shape as well."""

from __future__ import annotations

import html
import textwrap
from dataclasses import dataclass
from typing import Any

BLUE, SKY, GREEN, ORANGE, VERMILLION, PURPLE, GREY = (
    "#0072B2", "#56B4E9", "#009E73", "#E69F00", "#D55E00", "#CC79A7", "#8A939C",
)  # fmt: skip


def lines(windows: list[int], series: dict[str, list[float]], chosen: int) -> Any:
    """A line per metric over window sizes, each with its own mark; the chosen size is ringed."""
    import plotly.graph_objects as go

    figure = go.Figure()
    looks = [(BLUE, "circle", "solid"), (ORANGE, "square", "dash"), (GREEN, "diamond", "dot")]
    for (name, values), (colour, symbol, dash) in zip(series.items(), looks, strict=False):
        marker = {"symbol": symbol, "size": [13 if w == chosen else 8 for w in windows]}
        figure.add_scatter(
            x=windows, y=values, name=name, mode="lines+markers+text", line={"color": colour, "dash": dash},
            marker=marker, text=[f"{v:.2f}" for v in values], textposition="top center", cliponaxis=False,
            hovertemplate="window ±%{x}: %{y:.3f}<extra>" + name + "</extra>",
        )  # fmt: skip
    figure.update_xaxes(title="window, sentences each side", dtick=1)
    figure.update_yaxes(range=[0, 1.08], tickformat=".1f")
    figure.update_layout(
        height=340, margin={"l": 40, "r": 20, "t": 10, "b": 40}, legend={"orientation": "h", "y": 1.12}
    )
    return figure


MAX_HOVERED = 20_000
"""Up to here every point tells its sentence; beyond, only the candidates do: hover text is most of what travels."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One kind of point on the map: rows of the picture, how they look, and the rank shown beside each (or "")."""

    name: str
    rows: list[int]
    colour: str
    symbol: str
    size: int
    ranks: list[str] | None = None


def scatter(
    points: Any, ids: list[str], texts: list[str] | None, layers: list[Layer], question: tuple[float, float] | None
) -> Any:
    """The map: layers in order, ids in ``customdata``, lines from the question to the candidates."""
    import plotly.graph_objects as go

    figure = go.Figure()
    kind = go.Scattergl if len(ids) > 5000 else go.Scatter
    if question is not None:
        figure.add_trace(_rays(points, layers, question))
    for layer in layers:
        rows = layer.rows
        hover = [_hover(texts[row]) for row in rows] if texts is not None else None
        figure.add_trace(
            kind(
                x=points[rows, 0], y=points[rows, 1], mode="markers+text" if layer.ranks else "markers",
                name=f"{layer.name} ({len(rows):,})", customdata=[ids[row] for row in rows],
                text=layer.ranks, textposition="middle right", textfont={"size": 13},
                hovertext=hover, hoverinfo="text" if hover else "skip",
                selected={"marker": {"size": layer.size + 7, "opacity": 1}}, unselected={"marker": {"opacity": 0.8}},
                marker={"color": layer.colour, "symbol": layer.symbol, "size": layer.size, "line": {"width": 1.5 if layer.ranks or "open" in layer.symbol else 0}},
            )
        )  # fmt: skip
    if question is not None:
        figure.add_scatter(
            x=[question[0]], y=[question[1]], mode="markers", name="question", hoverinfo="name", customdata=[""],
            marker={"symbol": "diamond", "size": 15, "color": VERMILLION, "line": {"width": 2, "color": "white"}},
        )  # fmt: skip
    figure.update_xaxes(visible=False)
    figure.update_yaxes(visible=False)
    figure.update_layout(
        height=600, margin={"l": 0, "r": 0, "t": 0, "b": 0}, dragmode="pan", clickmode="event+select",
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0, "itemsizing": "constant"}, uirevision="map",
    )  # fmt: skip
    return figure


def _rays(points: Any, layers: list[Layer], question: tuple[float, float]) -> Any:
    import plotly.graph_objects as go

    xs: list[float | None] = []
    ys: list[float | None] = []
    for row in (row for layer in layers if layer.ranks for row in layer.rows):
        xs += [question[0], float(points[row, 0]), None]
        ys += [question[1], float(points[row, 1]), None]
    return go.Scatter(
        x=xs, y=ys, mode="lines", line={"color": GREY, "width": 1}, opacity=0.6, hoverinfo="skip", showlegend=False
    )


def _hover(text: str) -> str:
    """Escaped (plotly reads a little HTML) and broken into lines."""
    return "<br>".join(html.escape(line) for line in textwrap.wrap(" ".join(text.split()), 60))
