"""The cases of CPython's own tests of codecs and of error handlers, which are installed with it, on placemat's codecs and functions.

`test_codecs` is run with the names of our codecs in place of CPython's. `test_codeccallbacks` calls methods of `str` and `bytes`: its
calls are changed into ours as it is loaded. `EXCEPT` lists the cases that do not hold, with the reason.
"""

from __future__ import annotations

import ast
import importlib.util
import types
import unittest
from pathlib import Path
from typing import Any

import pytest

import placemat
import placemat.codecs

theirs = pytest.importorskip("test.test_codecs", reason="CPython's tests are not installed: its cases are NOT run")

#: The classes of their tests, and our codecs.
CODECS = {
    "UTF8Test": "placemat.utf-8",
    "UTF8SigTest": "placemat.utf-8-bom",
    "UTF16Test": "placemat.utf-16",
    "UTF16LETest": "placemat.utf-16le",
    "UTF16BETest": "placemat.utf-16be",
    "UTF32Test": "placemat.utf-32",
    "UTF32LETest": "placemat.utf-32le",
    "UTF32BETest": "placemat.utf-32be",
    "UTF7Test": "placemat.utf-7",
}

SURROGATES = "two surrogates in a str are two, which UTF-7 cannot represent; CPython writes them as a pair"
EXCEPT = {
    "UTF16Test.test_badbom": "bytes without a signature are little-endian; CPython's reader refuses them",
    "UTF7Test.test_partial": "CPython gives out a character after base64 one byte later",
    "UTF7Test.test_nonbmp": SURROGATES,
    "UTF7Test.test_incremental_surrogatepass": SURROGATES,
    "CodecCallbackTest.test_encode_nonascii_replacement": "a handler may put any text that the encoding can represent; in UTF-8, -16 "
    "and -32, CPython takes ASCII alone",
    "CodecCallbackTest.test_encode_odd_bytes_replacement": "the reason is in our words; test_handlers.py has the case",
}


def without_exceptions(name: str, made: Any) -> Any:
    for case, reason in EXCEPT.items():
        if case.startswith(f"{name}."):
            assert hasattr(made, case.split(".")[1]), case
            setattr(made, case.split(".")[1], unittest.skip(reason)(lambda self: None))
    return made


class Ours(ast.NodeTransformer):
    """Changes `x.encode(…)` and `x.decode(…)` into calls of the functions below."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("encode", "decode"):
            return ast.Call(
                ast.Name(f"ours_{node.func.attr}", ast.Load()), [node.func.value, *node.args], node.keywords
            )
        if isinstance(node.func, ast.Attribute) and node.func.attr == "assertRaises":
            for i, argument in enumerate(node.args):
                if isinstance(argument, ast.Attribute) and argument.attr in ("encode", "decode"):
                    node.args[i : i + 1] = [ast.Name(f"ours_{argument.attr}", ast.Load()), argument.value]
                    break
        return node


#: How often placemat answered.
calls = {"encode": 0, "decode": 0}


def known(encoding: object) -> bool:
    try:
        return bool(placemat.lookup(str(encoding)))
    except LookupError:
        return False


def ours_encode(value: Any, encoding: str = "utf-8", errors: str = "strict") -> Any:
    if type(value) is str and known(encoding):
        calls["encode"] += 1
        return placemat.encode(value, encoding, errors)
    return value.encode(encoding, errors)


def ours_decode(value: Any, encoding: str = "utf-8", errors: str = "strict") -> Any:
    if isinstance(value, (bytes, bytearray)) and known(encoding):
        calls["decode"] += 1
        return placemat.decode(value, encoding, errors)
    return value.decode(encoding, errors)


def callbacks() -> types.ModuleType:
    found = importlib.util.find_spec("test.test_codeccallbacks")
    assert found and found.origin
    tree = ast.fix_missing_locations(Ours().visit(ast.parse(Path(found.origin).read_text())))
    module = types.ModuleType("ours_codeccallbacks")
    module.__dict__.update(ours_encode=ours_encode, ours_decode=ours_decode)
    exec(compile(tree, found.origin, "exec"), module.__dict__)
    return module


for name, codec in CODECS.items():
    members: "dict[str, Any]" = {"encoding": codec}
    globals()[f"Ours{name}"] = without_exceptions(name, type(f"Ours{name}", (getattr(theirs, name),), members))
OursCallbacks = without_exceptions("CodecCallbackTest", callbacks().CodecCallbackTest)


def test_they_asked_placemat() -> None:
    assert calls["encode"] > 100 and calls["decode"] > 50, calls
