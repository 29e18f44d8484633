"""The functions of chardet, cchardet, charset_normalizer and ftfy, by placemat: for programs that depend on one of them.

>>> import placemat.compat
>>> placemat.compat.install("chardet")
>>> import chardet
>>> chardet.detect("Съешь же ещё этих мягких французских булок".encode("koi8-r"))["encoding"]
'KOI8-R'
>>> placemat.compat.install("uchardet")
Traceback (most recent call last):
ValueError: placemat has no uchardet; there are chardet, cchardet, charset_normalizer, ftfy
"""

from __future__ import annotations

import importlib
import sys

#: The packages whose functions are here.
PEERS = ("chardet", "cchardet", "charset_normalizer", "ftfy")


def install(*names: str) -> None:
    """Puts placemat in the place of packages, whether they are installed or not: `import` finds it under their names from
    then on, in this process. Call it before a program imports them.

    Raises RuntimeError if one is imported already, as those who imported it would keep it.
    """
    for name in names:
        if name not in PEERS:
            raise ValueError(f"placemat has no {name}; there are {', '.join(PEERS)}")
        ours = f"{__name__}.{name}"
        if name in sys.modules and sys.modules[name].__name__ != ours:
            raise RuntimeError(f"{name} is imported already: call placemat.compat.install({name!r}) before anything imports it")
    for name in names:
        sys.modules[name] = importlib.import_module(f"{__name__}.{name}")
