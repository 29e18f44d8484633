"""Texts for the benchmark: words of several scripts, in random order."""

from __future__ import annotations

import random

WORDS = {
    "ASCII": "the quick brown fox jumps over a lazy dog while it rains in Spain and elsewhere",
    "French": "voilà où le garçon naïf a fêté Noël à côté des élèves très âgés",
    "Russian": "съешь же ещё этих мягких французских булок да выпей чаю",
    "Greek": "ξεσκεπάζω την ψυχοφθόρα βδελυγμία από τη γη του νερού",
    "Japanese": "日本語 の 文字 は カタカナ と ひらがな と 漢字 です 東京 から 大阪 まで",
    "Chinese": "我能 吞下 玻璃 而不 伤 身体 天地 玄黄 宇宙 洪荒",
    "Korean": "나는 유리를 먹을 수 있어요 그래도 아프지 않아요",
    "emoji": "good 😀 morning 🚀 all 🎉 of you 👍 there",
}


def text(language: str, size: int, number: int = 0) -> str:
    """A text of about `size` bytes of UTF-8, another for each number."""
    rng = random.Random(f"{language} {size} {number}")
    words = WORDS[language].split()
    out: list[str] = []
    length = 0
    while length < size:
        out.append(rng.choice(words))
        length += len(out[-1].encode()) + 1
    some = " ".join(out)
    while len(some.encode()) > size:
        some = some[:-1]
    return some


def damaged(data: bytes, rate: float) -> bytes:
    """The bytes with FF in place of some of them."""
    rng = random.Random(len(data))
    out = bytearray(data)
    for _ in range(max(1, int(rate * len(data)))):
        out[rng.randrange(len(out))] = 0xFF
    return bytes(out)
