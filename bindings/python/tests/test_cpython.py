"""The cases of CPython's own tests of codecs and of error handlers, which are installed with it, on placemat's codecs and functions.

Some classes of `test_codecs` have an attribute for the encoding: they get the names of our codecs. In the others and in
`test_codeccallbacks`, calls of `str.encode`, `bytes.decode` and of the functions of `codecs` are changed into ours as they are loaded.
`EXCEPT` lists the cases that do not hold, and `LEFT_OUT` the classes that are not about codecs we have, with the reasons.
"""

from __future__ import annotations

import ast
import codecs
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


#: Classes of `test_codecs` in which calls are changed.
CHANGED = [
    "ReadBufferTest", "StreamReaderTest", "StreamWriterTest", "StreamReaderWriterTest", "EncodedFileTest", "BasicUnicodeTest",
    "WithStmtTest", "SurrogateEscapeTest", "BomTest", "ASCIITest", "Latin1Test", "StreamRecoderTest",
]  # fmt: skip
LEFT_OUT = {
    "UTF16ExTest": "calls codecs.utf_16_ex_decode, a function of CPython",
    "EscapeDecodeTest": "of escapes in Python source, which are no encoding of ours",
    "EscapeEncodeTest": "as above",
    "UnicodeEscapeTest": "as above",
    "RawUnicodeEscapeTest": "as above",
    "PunycodeTest": "Punycode and IDNA are of domain names",
    "NameprepTest": "as above",
    "IDNACodecTest": "as above",
    "CodecsModuleTest": "of the module codecs itself: its registry, its functions",
    "CharmapTest": "calls codecs.charmap_decode with tables of its own",
    "TypesTest": "calls functions of CPython with wrong types; test_utf8.py has the like for ours",
    "TransformCodecTest": "from bytes to bytes, such as base64 and zlib",
    "ExceptionChainingTest": "of what the registry adds to exceptions of codecs made there",
    "ExceptionNotesTest": "the same, from CPython 3.13 on",
    "CodePageTest": "of Windows alone",
    "LocaleCodecTest": "of the encoding of the locale, by functions of C",
    "Rot13Test": "from text to text",
    "Rot13UtilTest": "as above",
    "UninstallableTest": "of the registry",
    "CodecNameNormalizationTest": "of the registry",
    "BasicStrTest": "from text to text",
}


def without_exceptions(name: str, made: Any) -> Any:
    for case, reason in EXCEPT.items():
        if case.startswith(f"{name}."):
            # Other versions of CPython may lack it.
            if hasattr(made, case.split(".")[1]):
                setattr(made, case.split(".")[1], unittest.skip(reason)(lambda self: None))
    return made


class Ours(ast.NodeTransformer):
    """Changes `x.encode(…)` and `x.decode(…)` into calls of the functions below."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        of_codecs = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "codecs"
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("encode", "decode") and not of_codecs:
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
calls = {"encode": 0, "decode": 0, "codecs": 0}


def known(encoding: object) -> bool:
    try:
        return bool(placemat.lookup(str(encoding)))
    except LookupError:
        return False


def ours_encode(value: Any, *args: Any, **keywords: Any) -> Any:
    if type(value) is str and known(args[0] if args else keywords.get("encoding", "utf-8")):
        calls["encode"] += 1
        return placemat.encode(value, *args, **keywords)
    return value.encode(*args, **keywords)


def ours_decode(value: Any, *args: Any, **keywords: Any) -> Any:
    if isinstance(value, (bytes, bytearray)) and known(args[0] if args else keywords.get("encoding", "utf-8")):
        calls["decode"] += 1
        return placemat.decode(value, *args, **keywords)
    return value.decode(*args, **keywords)


class OurCodecs(types.ModuleType):
    """The module `codecs`, in which names of encodings mean ours."""

    #: Functions, and which of their arguments is the name.
    NAMED = {
        "getencoder": 0, "getdecoder": 0, "getincrementalencoder": 0, "getincrementaldecoder": 0, "getreader": 0, "getwriter": 0,
        "encode": 1, "decode": 1, "iterencode": 1, "iterdecode": 1, "open": 2,
    }  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        theirs = getattr(codecs, name)
        place = self.NAMED.get(name)
        if place is None:
            return theirs

        def call(*args: Any, **keywords: Any) -> Any:
            args_of_ours = [ours_name(arg) if n == place else arg for n, arg in enumerate(args)]
            if "encoding" in keywords:
                keywords["encoding"] = ours_name(keywords["encoding"])
            return theirs(*args_of_ours, **keywords)

        return call

    @staticmethod
    def lookup(name: str) -> Any:
        made = codecs.lookup(ours_name(name))
        parts = "encode", "decode", "streamreader", "streamwriter", "incrementalencoder", "incrementaldecoder"
        # Under the name that the tests know.
        return codecs.CodecInfo(name=codecs.lookup(name).name, **{part: getattr(made, part) for part in parts})

    @staticmethod
    def EncodedFile(file: Any, data: str, inner: "str | None" = None, errors: str = "strict") -> Any:
        return codecs.EncodedFile(file, ours_name(data), ours_name(inner or data), errors)


def ours_name(name: Any) -> Any:
    if isinstance(name, str) and known(name):
        calls["codecs"] += 1
        return "placemat." + name
    return name


def changed(name: str) -> types.ModuleType:
    """A module of theirs whose calls are ours."""
    found = importlib.util.find_spec(name)
    assert found and found.origin
    tree = ast.fix_missing_locations(Ours().visit(ast.parse(Path(found.origin).read_text())))
    module = types.ModuleType("ours_" + name.rpartition(".")[2])
    module.__dict__.update(ours_encode=ours_encode, ours_decode=ours_decode)
    exec(compile(tree, found.origin, "exec"), module.__dict__)
    return module


def classes(module: types.ModuleType) -> "list[str]":
    return [name for name, value in vars(module).items() if isinstance(value, type) and issubclass(value, unittest.TestCase)]


# Earlier versions of CPython lack the tests of some codecs.
for name, codec in CODECS.items():
    if not hasattr(theirs, name):
        continue
    members: "dict[str, Any]" = {"encoding": codec}
    globals()[f"Ours{name}"] = without_exceptions(name, type(f"Ours{name}", (getattr(theirs, name),), members))
ours = changed("test.test_codecs")
ours.codecs = OurCodecs("codecs")  # type: ignore[attr-defined]
for name in CHANGED:
    if hasattr(ours, name):
        globals()[f"Ours{name}"] = without_exceptions(name, getattr(ours, name))
callbacks = changed("test.test_codeccallbacks")
OursCallbacks = without_exceptions("CodecCallbackTest", callbacks.CodecCallbackTest)


def test_every_class_is_run_or_left_out_for_a_reason() -> None:
    assert {*classes(theirs)} <= {*CODECS, *CHANGED, *LEFT_OUT}, {*classes(theirs)} - {*CODECS, *CHANGED, *LEFT_OUT}
    assert classes(callbacks) == ["CodecCallbackTest"]


def test_they_asked_placemat() -> None:
    assert calls["encode"] > 100 and calls["decode"] > 50 and calls["codecs"] > 100, calls
