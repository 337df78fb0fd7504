"""Soft filters: what passes one stands higher or lower; nothing is left out."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import InvalidFilter, InvalidSetting
from core.filters import Filter, describe, from_json, read, to_json, unique_keys

LEAST_FACTOR, GREATEST_FACTOR = 0.01, 100.0
MOST_BOOSTS = 20


@dataclass(frozen=True, slots=True)
class Boost:
    """Nodes that pass ``filter`` have their score multiplied by ``factor``, from 0.01 to 100; see ``boosted``."""

    filter: Filter
    factor: float

    def __post_init__(self) -> None:
        if isinstance(self.factor, bool) or not isinstance(self.factor, (int, float)):
            raise InvalidSetting(f"The factor of a boost is {self.factor!r}.", "Give a number such as 1.2.")
        if not LEAST_FACTOR <= self.factor <= GREATEST_FACTOR:  # NaN and infinity too
            raise InvalidSetting(
                f"The factor of a boost is {self.factor}.",
                f"Choose {LEAST_FACTOR} to {GREATEST_FACTOR:g}; 1 changes nothing.",
            )
        object.__setattr__(self, "factor", float(self.factor))

    @property
    def words(self) -> str:
        """What passes, as an analyst would say it."""
        return describe(self.filter)


Factors = tuple[tuple[str, float], ...]
"""The boosts that a node passes, in their order: in words, and the factor."""


def boosted(score: float, factors: Factors) -> float:
    """``score`` × Π factor; a score below 0 is divided instead, so that a factor over 1 never makes a node worse."""
    product = math.prod((factor for _, factor in factors), start=1.0)
    return score * product if score >= 0 else score / product


def boosted_all(scores: NDArray[np.float32], passes: NDArray[np.bool_], boosts: Sequence[Boost]) -> NDArray[np.float64]:
    """``boosted`` of many: scores of shape (n,), and which of them pass which boost, of shape (boosts, n)."""
    product = np.ones(len(scores))
    for boost, passing in zip(boosts, passes, strict=True):
        product *= np.where(passing, boost.factor, 1.0)
    exact = scores.astype(np.float64)
    return np.where(scores >= 0, exact * product, exact / product)


def checked(boosts: Sequence[Boost]) -> tuple[Boost, ...]:
    """The same boosts.

    Raises:
        InvalidSetting: they are too many, or are none.
    """
    if isinstance(boosts, (str, Mapping)) or not all(isinstance(boost, Boost) for boost in boosts):
        raise InvalidSetting("The boosts are no list of boosts.", "Give a filter and a factor for each.")
    if len(boosts) > MOST_BOOSTS:
        raise InvalidSetting(f"{len(boosts)} boosts are too many.", f"Up to {MOST_BOOSTS} are multiplied.")
    return tuple(boosts)


def boosts_from_json(data: object) -> tuple[Boost, ...]:
    """Boosts from parsed JSON: ``[{"filter": …, "factor": 1.2}, …]``, or a single one; ``None`` is no boost.

    A filter is JSON, or text of the grammar.

    Raises:
        InvalidSetting: not of that form, or a factor out of range.
        InvalidFilter: what stands for the filter is none.
    """
    if data is None:
        return ()
    given = [data] if isinstance(data, Mapping) else data
    if not isinstance(given, (list, tuple)):
        raise InvalidSetting("The boosts are no list.", _EXAMPLE)
    return checked([_boost(item) for item in given])


def boosts_from_text(text: str) -> tuple[Boost, ...]:
    """Boosts from JSON as it was typed; raises as ``boosts_from_json`` does."""
    try:
        data = json.loads(text, object_pairs_hook=unique_keys)
    except InvalidFilter:
        raise
    except json.JSONDecodeError as error:
        raise InvalidSetting(f"The boost is no JSON: {error.msg} in column {error.colno}.", _EXAMPLE) from None
    except (RecursionError, ValueError):
        raise InvalidSetting("The boost is nested too deeply, or holds too long a number.", _EXAMPLE) from None
    return boosts_from_json(data)


def boosts_to_json(boosts: Sequence[Boost]) -> list[object]:
    """What ``boosts_from_json`` reads again."""
    return [{"filter": to_json(boost.filter), "factor": boost.factor} for boost in boosts]


_EXAMPLE = 'For example {"filter": {"is_summary": true}, "factor": 1.2}.'


def _boost(item: object) -> Boost:
    if not isinstance(item, Mapping) or set(item) != {"filter", "factor"}:
        raise InvalidSetting("A boost is a filter and a factor, and nothing else.", _EXAMPLE)
    told = item["filter"]
    return Boost(read(told, blank=False) if isinstance(told, str) else from_json(told), item["factor"])
