"""Helpers that several tests share."""

from __future__ import annotations

import codecs
import os
import random
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

LONG = bool(os.environ.get("PLACEMAT_LONG"))
#: Whether this is .ci/python-sanitize.
SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")
VECTORS = Path(__file__).parents[3] / "crates/placemat/tests/vectors"

#: Texts whose widest code points have one, two, three and four bytes in UTF-8, some mixed.
TEXTS = [
    "plain text, and more of it; ",
    "été à Noël, où êtes-vous ? ",
    "\x7f\x80\xff",
    "съешь же ещё этих мягких булок ",
    "\u0100",
    "我能吞下玻璃而不伤身体。",
    "ob “this” is – that? ",
    "\uffff\ud7ff\ue000",
    "😀 and 🚀",
    "\U00010000\U0010ffff",
    "a\U0001f600é€я",
]

#: Sequences at the borders of UTF-8, well-formed and ill-formed.
PIECES = [
    b"a", b"\x00", b"\x7f", b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc2\x80", b"\xc2", b"\xdf\xbf", b"\xe0\x80\x80",
    b"\xe0\xa0\x80", b"\xe0\xa0", b"\xe1\x80", b"\xed\x9f\xbf", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xee\x80\x80",
    b"\xef\xbf\xbf", b"\xf0\x80\x80\x80", b"\xf0\x90\x80\x80", b"\xf0\x9f\x98\x80", b"\xf0\x9f\x98", b"\xf0\x9f",
    b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf5", b"\xf8\x88\x80\x80\x80", b"\xfe", b"\xff", b"text ", "é€".encode(),
]  # fmt: skip


def size(value: str | bytes) -> int:
    """The memory of twice the value, which is as wide. (The value itself may keep its UTF-8 too, as CPython's single letters do.)"""
    return sys.getsizeof(value * 2)


def result(call: Callable[..., Any], *args: Any) -> Any:
    """Return the result of a call, with its memory, or the exception in full."""
    try:
        value = call(*args)
    except UnicodeDecodeError as e:
        return "decode", e.object, e.start, e.end
    except UnicodeEncodeError as e:
        return "encode", e.object, e.start, e.end
    except Exception as e:
        return (type(e),)
    # A text that is wider than it needs takes more memory, and compares unequal to the same text.
    return (value, size(value)) if isinstance(value, (str, bytes)) else value


def damaged(seed: int, count: int, longest: int = 300) -> Iterator[bytes]:
    """Random texts with ill-formed sequences, few or many."""
    rng = random.Random(seed)
    for _ in range(count):
        text, rate = bytearray(), rng.choice([0.0, 0.01, 0.1, 0.5, 1.0])
        source = rng.choice(TEXTS).encode()
        while len(text) < longest * rng.random():
            text += rng.choice(PIECES) if rng.random() < rate else source
        if rng.random() < 0.2:
            text = text[rng.randrange(len(text) + 1) :]
        yield bytes(text)


def with_surrogates(seed: int, count: int, longest: int = 100) -> Iterator[str]:
    """Random texts with surrogates, few or many, of all widths."""
    rng = random.Random(seed)
    strange = ["\ud800", "\udc80", "\udcff", "\udfff", "\ud83d\ude00", "\udce9\udca9"]
    for _ in range(count):
        text, rate = "", rng.choice([0.0, 0.02, 0.3, 1.0])
        source = rng.choice(TEXTS)
        while len(text) < longest * rng.random():
            text += rng.choice(strange) if rng.random() < rate else rng.choice([source, *source])
        yield text


def with_handler(name: str, handler: Callable[[UnicodeError], tuple[str | bytes, int]]) -> str:
    """Registers a handler under a name of its own."""
    name = f"placemat-test-{name}"
    codecs.register_error(name, handler)
    return name


def lets_others_run(call: Callable[[], object], times: int = 100) -> bool:
    """Whether a thread comes to run during calls, by which it would not if they kept the GIL."""
    done, begun = threading.Event(), threading.Event()

    def run() -> None:
        while not done.is_set():
            begun.set()
            time.sleep(0)

    thread = threading.Thread(target=run)
    old = sys.getswitchinterval()
    # The interpreter itself lets no other thread run.
    sys.setswitchinterval(1000)
    try:
        thread.start()
        begun.wait()
        for _ in range(times):
            begun.clear()
            call()
            if begun.is_set():
                return True
        return False
    finally:
        sys.setswitchinterval(old)
        done.set()
        thread.join()
