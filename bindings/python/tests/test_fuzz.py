"""A little of the fuzzer, which is a program of its own."""

from __future__ import annotations

import pytest
from common import LONG
from fuzz import one


@pytest.mark.parametrize("part", range(10))
def test_some_cases(part: int) -> None:
    for seed in range(20_000 if LONG else 300):
        one(part << 32 | seed)
