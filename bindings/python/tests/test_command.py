"""python -m placemat."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import placemat

RUSSIAN = "Съешь же ещё этих мягких французских булок\n"


def run(*arguments: "str | Path", input: bytes = b"") -> "tuple[int, bytes, str]":
    home = str(Path(placemat.__file__).parents[1])
    place = {**os.environ, "PYTHONPATH": os.pathsep.join([home, os.environ.get("PYTHONPATH", "")]), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-m", "placemat", *map(str, arguments)], input=input, capture_output=True, env=place)
    return done.returncode, done.stdout, done.stderr.decode()


def test_check(tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_bytes(b"caf\xc3\xa9\n")
    bad.write_bytes(b"a\ncaf\xe9 au\x1b lait\xff\n")
    assert run("check", good) == (0, b"", "")
    status, out, err = run("check", bad, good)
    assert (status, err) == (1, "")
    assert out.decode().splitlines() == [
        f"{bad}:2:4: lead byte 0xe9 at byte 5: needs 2 more continuation bytes, found 0x20 ' '; looks like Latin-1 or windows-1252 'é'",
        f"{bad}:2:14: byte 0xff at byte 15: never occurs in UTF-8; looks like Latin-1 or windows-1252 'ÿ'",
    ]
    assert run("check", "-l", bad, good)[1] == f"{bad}\n".encode()
    status, out, err = run("check", "-v", "--max", "1", "--summary", bad, good)
    assert out.decode().splitlines()[1:] == [
        '   = help: if all such bytes are windows-1252, errors="cp1252" reads them',
        "2 files checked, 1 findings",
    ]
    found = [json.loads(line) for line in run("check", "--format", "jsonl", bad)[1].splitlines()]
    assert [(one["byte_offset"], one["bytes"], one["kind"]) for one in found] == [(5, "e9", "truncated"), (15, "ff", "never-byte")]
    assert run("check", "-f", "latin1", bad)[0] == 0 and run("check", "-f", "auto", bad)[0] == 0
    assert run("check", input=b"\xff")[1].startswith(b"-:1:1: ")


def test_detect(tmp_path: Path) -> None:
    path, mixed = tmp_path / "old", tmp_path / "mixed"
    path.write_bytes(RUSSIAN.encode("koi8-r"))
    mixed.write_bytes("Это первая строка, в UTF-8.\n".encode() + "А это другая строка, к сожалению.\n".encode("cp1251"))
    assert run("detect", path) == (0, f"{path}: koi8-r  0.99\n".encode(), "")
    assert run("detect", "--brief", path, "-", input=b"\x7fELF\2\1\1" + bytes(99))[1] == b"koi8-r\nbinary\n"
    assert len(run("detect", "--top", "3", path)[1].splitlines()) == 3
    assert [line.split()[-2] for line in run("detect", "--mixed", mixed)[1].decode().splitlines()] == ["utf-8", "windows-1251"]
    assert b"placemat.repair(data).text" in run("detect", "--explain", mixed)[1]
    found = json.loads(run("detect", "--format", "jsonl", path)[1])
    assert (found["path"], found["encoding"], found["candidates"][0]["encoding"]) == (str(path), "koi8-r", "koi8-r")


def test_convert(tmp_path: Path) -> None:
    path, new = tmp_path / "old", tmp_path / "new"
    path.write_bytes(RUSSIAN.encode("koi8-r"))
    assert run("convert", "-f", "koi8-r", path)[1] == RUSSIAN.encode()
    assert run("convert", "-f", "auto", "-t", "utf-16", path, path)[1] == (RUSSIAN * 2).encode("utf-16")
    assert run("convert", "-t", "latin1", "-e", "replace", input="5 €".encode())[1] == b"5 ?"
    assert run("convert", "-t", "ascii", "--unmappable", "translit", input="5 €".encode())[1] == b"5 EUR"
    assert run("convert", "-e", "cp1252", input=b"caf\xe9 caf\xc3\xa9")[1] == "café café".encode()
    assert run("convert", "--normalize", "nfc", input=b"e\xcc\x81")[1] == "é".encode()
    status, out, err = run("convert", "-t", "ascii", input=RUSSIAN.encode())
    assert (status, out) == (1, b"") and "can't encode" in err
    status, out, err = run("convert", "-o", new, input=b"caf\xe9")
    assert status == 1 and not new.exists() and "position 3" in err
    path.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(path)
    assert run("convert", "-f", "koi8-r", "-i=.bak", link) == (0, b"", "")
    assert path.read_bytes() == RUSSIAN.encode() and path.stat().st_mode & 0o777 == 0o640 and link.is_symlink()
    assert (tmp_path / "old.bak").read_bytes() == RUSSIAN.encode("koi8-r")
    # A failed command leaves the file as it was, and no other file beside it.
    assert run("convert", "-t", "latin1", "-i", path)[0] == 1
    assert path.read_bytes() == RUSSIAN.encode() and sorted(os.listdir(tmp_path)) == ["link", "old", "old.bak"]


def test_repair(tmp_path: Path) -> None:
    path = tmp_path / "damaged"
    path.write_bytes(b"caf\xc3\x83\xc2\xa9 d\xe9j\xe0\n")
    assert run("repair", path) == (0, "café déjà\n".encode(), "")
    assert run("repair", "--steps", "mojibake", "--lost", "escape", path)[1] == "café d\\xe9j\\xe0\n".encode()
    status, out, err = run("repair", "--explain", "--dry-run", path)
    assert len(err.splitlines()) == 3 and f"{path}:1:4: byte 3: " in err
    assert out == f"{path}: would change, 13 bytes to 13, 3 changes\n".encode()
    assert run("repair", "-i", path) == (0, b"", "") and path.read_bytes() == "café déjà\n".encode()


def test_trouble_has_status_2_and_no_commands_for_a_terminal(tmp_path: Path) -> None:
    for arguments, words in [
        (["check", tmp_path / "no\x1bfile"], "no<U+001B>file: no such file or directory"),
        (["check", tmp_path], "a directory: the command placemat reads those"),
        (["convert", "-f", "utf9", os.devnull], "unknown encoding: utf9; did you mean utf8?"),
        (["repair", "--steps", "magic", os.devnull], "unknown step of a repair: magic; there are wide"),
        (["convert", "-i", "-"], "-i needs files"),
        (["convert", "-i", "-o", "x", "y"], "exclude each other"),
        (["repair", "--min-confidence", "7", os.devnull], "from 0 to 1"),
        (["magic"], "invalid choice"),
        ([], "required"),
    ]:
        status, out, err = run(*arguments)
        assert (status, out) == (2, b"") and words in err and "\x1b" not in err and "Traceback" not in err, err


def test_a_closed_pipe_is_quiet() -> None:
    done = subprocess.run(
        f"{sys.executable} -m placemat convert | head -c 1",
        shell=True,
        input=b"x" * (1 << 20),
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(Path(placemat.__file__).parents[1])},
    )
    assert (done.stdout, done.stderr) == (b"x", b"")


@pytest.mark.parametrize("option", ["-V", "--version"])
def test_version(option: str) -> None:
    assert run(option)[1].decode().split() == ["placemat", placemat.__version__]
