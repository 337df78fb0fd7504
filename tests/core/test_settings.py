"""Settings refuse what they cannot mean."""

from __future__ import annotations

import pytest

from core.errors import InvalidSetting
from core.settings import MAX_K, MAX_WINDOW, SearchSettings


@pytest.mark.parametrize("number", [0, -1, 2.5, 2.0, True, "5", None, float("nan"), MAX_K + 1])
def test_k_is_a_whole_number_in_its_range(number):
    with pytest.raises(InvalidSetting, match="k is "):
        SearchSettings(k=number)


@pytest.mark.parametrize("number", [-1, 0.5, False, "2", None, MAX_WINDOW + 1])
def test_the_window_is_a_whole_number_in_its_range(number):
    with pytest.raises(InvalidSetting, match="The window is "):
        SearchSettings(window=number)


def test_the_ends_of_the_ranges_are_in_them():
    assert (SearchSettings(1, 0).k, SearchSettings(MAX_K, MAX_WINDOW).window) == (1, MAX_WINDOW)
