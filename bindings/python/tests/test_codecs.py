"""The codecs, under Python's own functions, and files."""

from __future__ import annotations

import array
import codecs
import csv
import io
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import placemat
import placemat.codecs

TEXT = "first, Été\nsecond, «guillemets» — dash\nthird line with нет\n" * 400


def test_names_python_lacks() -> None:
    for name, text, data in [
        ("cesu-8", "😀", b"\xed\xa0\xbd\xed\xb8\x80"),
        ("mutf-8", "\0", b"\xc0\x80"),
        ("wtf-8", "\ud800", b"\xed\xa0\x80"),
        ("utf-7-imap", "é", b"&AOk-"),
        ("scsu", "é", b"\xe9"),
        ("ibm1047", "A", b"\xc1"),
        ("marc-8", "e\u0301", b"\xe2e"),
    ]:
        assert (text.encode(name), data.decode(name)) == (data, text)
        assert codecs.lookup(name).name == "placemat." + placemat.lookup(name).name


def test_names_python_has_stay() -> None:
    for name in ["utf-8", "latin-1", "cp1252", "utf-7", "shift_jis", "gb18030", "utf-16"]:
        assert not codecs.lookup(name).name.startswith("placemat.")
        assert codecs.lookup("placemat." + name).name.startswith("placemat.")
    with pytest.raises(placemat.DecodeError):
        b"\xff".decode("placemat.utf-8")
    with pytest.raises(LookupError):
        codecs.lookup("no-such-name")


@pytest.mark.parametrize("name", placemat.encodings())
def test_each_encoding_has_a_codec(name: str) -> None:
    info = codecs.lookup("placemat." + name)
    assert info.name == "placemat." + name
    text = "ABC 123\n"
    data, read = info.encode(text, "ignore")
    assert read == len(text) and data == placemat.encode(text, name, "ignore")
    assert info.decode(data) == (placemat.decode(data, name), len(data))


def test_registering_again_changes_nothing() -> None:
    placemat.codecs.register()
    assert codecs.lookup("cesu-8").name == "placemat.cesu-8"


def test_codecs_count_bytes() -> None:
    assert codecs.lookup("placemat.utf-16le").decode(array.array("H", [97, 98])) == ("ab", 4)
    assert codecs.lookup("placemat.us-ascii").decode(memoryview(b"abcd").cast("B", (2, 2))) == ("abcd", 4)


ENCODINGS = ["utf-8", "utf-16", "utf-16be", "utf-32", "scsu", "bocu-1", "utf-7", "iso-2022-jp", "cesu-8", "gb18030", "utf-8-bom"]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("newline", [None, "", "\r\n"])
def test_files(tmp_path: Path, encoding: str, newline: "str | None") -> None:
    path = tmp_path / "text"
    text = placemat.decode(placemat.encode(TEXT, encoding, "ignore"), encoding)
    with placemat.open(path, "w", encoding, newline=newline) as file:
        file.write(text)
    ends = os.linesep if newline is None else newline or "\n"
    assert path.read_bytes() == placemat.encode(text.replace("\n", ends), encoding)
    lines = text.splitlines(keepends=True)
    if newline == "\r\n":
        lines = [line.replace("\n", "\r\n") for line in lines]
    with placemat.open(path, "r", encoding, newline=newline) as file:
        assert list(file) == lines
    # Each place that `tell` gives can be gone to, in this file and in another.
    with placemat.open(path, "r", encoding, newline=newline) as file, placemat.open(path, "r", encoding, newline=newline) as other:
        places = []
        for line in lines[:120]:
            places.append(file.tell())
            assert file.readline() == line
        for n in [7, 119, 0, 50, 51]:
            for some in [file, other]:
                some.seek(places[n])
                assert some.readline() == lines[n]
        file.seek(0, io.SEEK_END)
        assert file.read() == ""


LETTERS = "ABC é à\nнет\n日本\n한국\nの中文😀 Ǽ ạ\u0301 ex"


def letters(encoding: str) -> str:
    return "".join(c for c in LETTERS if placemat.decode(placemat.encode(c, encoding, "ignore"), encoding, "replace") == c)


@pytest.mark.parametrize("encoding", placemat.encodings())
def test_files_are_whole(encoding: str, tmp_path: Path) -> None:
    # Letters that wait for a mark, shifts, base64: nobody tells the encoder of a file that its text ends.
    good, path = letters(encoding), tmp_path / "text"
    for text in [*good[-6:], good, good + good[-1:]]:
        with placemat.open(path, "w", encoding, newline="") as file:
            file.write(text)
        assert placemat.decode(path.read_bytes(), encoding) == text
        # Python's own function cannot write the last shift.
        with open(path, "w", encoding="placemat." + encoding, newline="") as file:
            file.write(text)
        assert placemat.decode(path.read_bytes(), encoding, "unclosed-shift=ignore") == text
        if encoding != "utf-7-imap":
            with placemat.open(path, "w", encoding, newline="") as file:
                for c in text:
                    file.write(c)
            assert placemat.decode(path.read_bytes(), encoding) == text
        with placemat.open(path, "w", encoding, newline="") as file:
            file.write(text)
        assert path.read_bytes() == placemat.encode(text, encoding) or encoding == "marc-8"


@pytest.mark.parametrize("encoding", [name for name in placemat.encodings() if letters(name)[:1] == "A"])
def test_text_can_be_added_to_files(encoding: str, tmp_path: Path) -> None:
    good, path = letters(encoding), tmp_path / "text"
    for text in [*good[-6:], good]:
        with placemat.open(path, "w", encoding, newline="") as file:
            file.write(text)
        if encoding == "scsu":
            with placemat.open(path, "a", encoding) as file, pytest.raises(ValueError, match="SCSU cannot go on here"):
                file.write("more")
            continue
        with placemat.open(path, "a", encoding, newline="") as file:
            file.write(good)
        with placemat.open(path, "r+", encoding, newline="") as file:
            assert file.read() == text + good
            file.write(good)
            file.seek(0)
            assert file.readline() == (text + good + good).splitlines(keepends=True)[0]
        assert placemat.decode(path.read_bytes(), encoding) == text + good + good


def test_reading_is_not_disturbed_by_what_ends_a_text() -> None:
    file = placemat.wrap(io.BytesIO("日本\nabc\n".encode("iso-2022-jp") * 3), "iso-2022-jp")
    assert isinstance(file, placemat.files.TextFile)
    assert file.readline() == "日本\n" and file.seek(0, io.SEEK_CUR) and file.read(2) == "ab"
    assert file.read(2) == "c\n"
    buffer = file.detach()
    assert isinstance(buffer, io.BytesIO)
    file = placemat.wrap(buffer, "hz")
    file.write("日")
    assert file.detach().read() == b"" and buffer.getvalue().endswith(b"~{HU~}")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-bom", "iso-2022-jp", "bocu-1"])
def test_appending_writes_no_second_signature(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "text"
    for part in ["one\n", "two\n"]:
        with placemat.open(path, "a", encoding) as file:
            file.write(part)
    assert placemat.decode(path.read_bytes(), encoding) == "one\ntwo\n"
    with placemat.open(path, "r+", encoding) as file:
        file.write("six\n")
    assert placemat.decode(path.read_bytes(), encoding) == "six\ntwo\n"


def test_wrap_and_csv() -> None:
    data = "a;b\r\nЖ;\"x\r\ny\"\r\n".encode("koi8-r")
    rows = list(csv.reader(placemat.wrap(io.BytesIO(data), "koi8-r", newline=""), delimiter=";"))
    assert rows == [["a", "b"], ["Ж", "x\r\ny"]]
    out = io.BytesIO()
    file = placemat.wrap(out, "ascii", "xmlcharrefreplace", write_through=True)
    file.write("5 €")
    assert out.getvalue() == b"5 &#8364;"
    with pytest.raises(placemat.DecodeError) as info:
        placemat.wrap(io.BytesIO(b"a" * 10_000 + b"\xff")).read()
    assert info.value.offset == 10_000
    assert placemat.wrap(io.BytesIO(b"caf\xe9"), "utf-8", "cp1252").read() == "café"


def test_open_refuses(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is for bytes"):
        placemat.open(tmp_path / "x", "rb")
    with pytest.raises(LookupError, match="did you mean"):
        placemat.open(tmp_path / "x", "w", "utf9")
    assert not (tmp_path / "x").exists()


def test_open_takes_what_pythons_takes(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"caf\xe9")
    handle = os.open(path, os.O_RDONLY)
    with placemat.open(handle, encoding="latin1", closefd=False) as file:
        assert file.read() == "café"
    os.close(handle)
    with placemat.open(path, encoding="latin1", opener=lambda name, flags: os.open(name, flags)) as file:
        assert file.read() == "café"


@pytest.mark.parametrize("encoding", ["cesu-8", "iso-2022-jp-2", "scsu", "placemat.utf-16"])
def test_stream_readers(tmp_path: Path, encoding: str) -> None:
    path = str(tmp_path / "text")
    with codecs.open(path, "w", encoding) as file:
        for line in ["日本 één\n", "two\n"]:
            file.write(line)
    with codecs.open(path, "r", encoding) as file:
        assert file.readline() == "日本 één\n"
        assert file.read() == "two\n"
        file.seek(0)
        assert list(file) == ["日本 één\n", "two\n"]


def test_every_line_of_a_long_file_has_its_place() -> None:
    # Each `tell` asks for the state of the decoder, and in SCSU few lines have that of another.
    rng = random.Random(5)
    alphabets = [0x3B1, 0x410, 0x531, 0x5D0, 0x627, 0x905, 0xE01, 0x10A0, 0x3041]
    lines = ["".join(chr(rng.choice(alphabets) + rng.randrange(20)) for _ in range(3)) + "\n" for _ in range(30_000)]
    file = placemat.wrap(io.BytesIO(placemat.encode("".join(lines), "scsu")), "scsu", newline="")
    places = []
    for line in lines:
        places.append(file.tell())
        assert file.readline() == line
    for number in rng.sample(range(len(lines)), 1000):
        file.seek(places[number])
        assert file.readline() == lines[number]


def with_codecs(*arguments: str, stdin: str = "", path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a program with the codecs registered."""
    places = [str(place) for place in (Path(placemat.__file__).parent.parent, path) if place]
    return subprocess.run(
        [sys.executable, "-m", "placemat.codecs", *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places), "PYTHONUTF8": "1"},
        input=stdin,
        capture_output=True,
        encoding="utf-8",
    )


def test_programs_get_the_codecs(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import sys; print(open(sys.argv[1], encoding='cesu-8').read(), sys.argv[0] != '-c')")
    (tmp_path / "text").write_bytes(b"\xed\xa0\xbd\xed\xb8\x80")
    ran = with_codecs("program", str(tmp_path / "text"), path=tmp_path)
    assert (ran.returncode, ran.stdout) == (0, "😀 True\n"), ran.stderr
    ran = with_codecs("json.tool", "--compact", stdin='{"a": 1}')
    assert (ran.returncode, ran.stdout) == (0, '{"a":1}\n'), ran.stderr
    ran = with_codecs("no\x1b[31m")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == "placemat.codecs: no program and no module is called 'no\\x1b[31m'\n"
    assert with_codecs().stderr == "usage: python -m placemat.codecs PROGRAM [ARGUMENT]...\n"


def test_csvkit_gets_the_codecs(tmp_path: Path) -> None:
    pytest.importorskip("csvkit", reason="csvkit is not installed: NOT tested")
    (tmp_path / "table.csv").write_bytes(b"a,b\ncaf\xc3\xa9 \xed\xa0\xbd\xed\xb8\x80,2\n")
    ran = with_codecs("csvcut", "-e", "cesu-8", "-c", "a", str(tmp_path / "table.csv"))
    assert (ran.returncode, ran.stdout) == (0, "a\ncafé 😀\n"), ran.stderr
