"""A part of the command `placemat`, for where only the package is installed: `python -m placemat check notes.txt`.

The options are the command's own. The command has more of them, walks directories, and needs no memory for whole files.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from typing import Any, NoReturn, Optional

import placemat

#: Policies for `-e` that are for text that the output cannot represent, and those that are for ill-formed input too.
_FOR_OUTPUT = {"xmlcharrefreplace", "namereplace", "translit", "substitute"}
_FOR_BOTH = {"replace", "ignore", "question", "backslashreplace", "surrogateescape", "surrogatepass"}


class _Refused(Exception):
    """Input that the options do not allow: status 1."""


def _shown(text: str) -> str:
    """Returns text that no terminal takes for a command."""
    return "".join(c if c.isprintable() else f"<U+{ord(c):04X}>" for c in text)


def _tell(words: str) -> None:
    print(words, file=sys.stderr)


def _read(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        return file.read()


def _replace(path: str, data: bytes, suffix: str) -> None:
    """Puts a new file in the place of one, in one step: whatever fails, the file is whole."""
    path = os.path.realpath(path)
    number, new = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".placemat-")
    try:
        with open(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(path, new)
        if suffix:
            shutil.copy2(path, path + suffix)
        os.replace(new, path)
    except BaseException:
        os.unlink(new)
        raise


def _write(arguments: argparse.Namespace, path: str, old: Optional[bytes], data: bytes) -> None:
    """Writes a result to where the options say."""
    if arguments.in_place is not None:
        if data != old:
            _replace(path, data, arguments.in_place)
    elif arguments.output is not None and os.path.isfile(arguments.output):
        _replace(arguments.output, data, "")
    elif arguments.output is not None:
        with open(arguments.output, "wb") as file:
            file.write(data)
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _encoding(label: str, path: str, data: bytes) -> str:
    """Returns the encoding of a label; for `auto`, the detected one."""
    if label != "auto":
        return placemat.lookup(label).name
    found = placemat.detect(data)
    if found.mixed:
        raise _Refused(f"{path}: lines in several encodings ({', '.join(found.mixed)}): `python -m placemat repair` reads them")
    if found.encoding is None:
        raise _Refused(f"{path}: {found.verdict}: no encoding is probable; name it with -f")
    return found.encoding


def check(arguments: argparse.Namespace) -> int:
    files = findings = 0

    def one(path: str) -> int:
        nonlocal files, findings
        data = _read(path)
        found = placemat.check(data, _encoding(arguments.source, path, data), limit=arguments.max or None)
        files, findings = files + 1, findings + len(found)
        name = _shown(path)
        for finding in found[: 1 if arguments.files_with_findings else None]:
            subject, reason = finding.message.split(": ", 1)
            message = f"{subject} at byte {finding.offset}: {reason}"
            if arguments.files_with_findings:
                print(name)
            elif arguments.format == "jsonl":
                fields = {
                    "path": path, "byte_offset": finding.offset, "length": finding.length, "bytes": finding.bytes.hex(),
                    "kind": finding.code, "line": finding.line, "column": finding.column, "message": message,
                    "suggestion": finding.help or None,
                }  # fmt: skip
                print(json.dumps(fields))
            else:
                print(f"{name}:{finding.line}:{finding.column}: {_shown(message)}")
                if arguments.verbose and finding.help:
                    print(f"   = help: {_shown(finding.help)}")
        return 1 if found else 0

    status = _each(arguments.paths, one)
    if arguments.summary:
        print(f"{files} files checked, {findings} findings")
    return status


def detect(arguments: argparse.Namespace) -> int:
    def one(path: str) -> int:
        data = _read(path)
        found = placemat.detect(data)
        name = _shown(path)
        if arguments.format == "jsonl":
            fields = found._asdict()
            fields["candidates"] = [candidate._asdict() for candidate in found.candidates]
            fields["ruled_out"] = [{**out._asdict(), "bytes": out.bytes.hex()} for out in found.ruled_out]
            fields["declared"] = found.declared and found.declared._asdict()
            fields["damage"] = found.damage and found.damage._asdict()
            print(json.dumps({"path": path, **fields}))
        elif arguments.brief:
            print(found.encoding or found.verdict)
        elif arguments.mixed:
            for region in placemat.regions(data):
                lines = f"{region.line}-{region.line + region.lines - 1}" if region.lines > 1 else region.line
                end = region.offset + region.length - 1
                print(f"{name}:{lines}: bytes {region.offset}-{end}  {region.encoding}  {_hundredths(region.confidence)}")
        elif found.encoding is None:
            print(f"{name}: {found.verdict}")
        else:
            print(f"{name}: {found.encoding}  {_hundredths(found.confidence)}")
            for other in found.candidates[1 : arguments.top]:
                print(f"    {other.encoding}  {_hundredths(other.confidence)}")
            if arguments.explain:
                print(f"    {_shown(str(found))}; by {found.basis}; {found.advice}")
        return 0 if found.verdict != "unknown" else 1

    return _each(arguments.paths, one)


def _hundredths(confidence: float) -> str:
    return f"{int(confidence * 100) / 100:.2f}"


def convert(arguments: argparse.Namespace) -> int:
    errors = arguments.errors
    unmappable = arguments.unmappable or (errors if errors in _FOR_OUTPUT | _FOR_BOTH else "strict")
    errors = "strict" if errors in _FOR_OUTPUT else errors
    encoder = placemat.Encoder(arguments.target, unmappable)
    joined: list[bytes] = []

    def one(path: str) -> int:
        data = _read(path)
        try:
            text = placemat.decode(data, _encoding(arguments.source, path, data), errors)
            if arguments.normalize:
                text = placemat.normalize(text, arguments.normalize)
            if arguments.in_place is None:
                joined.append(encoder.encode(text))
            else:
                _write(arguments, path, data, encoder.encode(text, final=True))
        except UnicodeError as e:
            encoder.reset()
            raise _Refused(f"{_shown(path)}: {_shown(str(e))}") from None
        return 0

    status = _each(arguments.paths, one)
    if arguments.in_place is None and (status == 0 or arguments.output is None):
        _write(arguments, "-", None, b"".join([*joined, encoder.encode("", final=True)]))
    return status


def repair(arguments: argparse.Namespace) -> int:
    steps = arguments.steps.split(",") if arguments.steps else None
    joined: list[bytes] = []

    def one(path: str) -> int:
        data = _read(path)
        repaired = placemat.repair(
            data, steps=steps, min_confidence=arguments.min_confidence, fallback=arguments.fallback, lost=arguments.lost
        )
        name = _shown(path)
        if arguments.explain:
            for change in repaired.changes:
                line = data.count(b"\n", 0, change.offset) + 1
                start = data.rfind(b"\n", 0, change.offset) + 1
                column = len(data[start : change.offset].decode(errors="replace")) + 1
                why = f"{change.step} {' '.join(change.encodings)}".strip()
                sure = f"{_hundredths(change.confidence)} sure"
                _tell(f'{name}:{line}:{column}: byte {change.offset}: {change.before!r} -> "{_shown(change.after)}": {why} ({sure})')
        new = repaired.text.encode()
        if arguments.dry_run:
            if new != data:
                print(f"{name}: would change, {len(data)} bytes to {len(new)}, {len(repaired.changes)} changes")
        elif arguments.in_place is None:
            joined.append(new)
        else:
            _write(arguments, path, data, new)
        return 0

    status = _each(arguments.paths, one)
    if arguments.in_place is None and not arguments.dry_run and (status == 0 or arguments.output is None):
        _write(arguments, "-", None, b"".join(joined))
    return status


def _each(paths: list[str], one: Any) -> int:
    """Calls `one` for each file. One that fails does not stop the others; the worst status is returned."""
    worst = 0
    for path in paths or ["-"]:
        try:
            worst = max(worst, one(path))
        except _Refused as refused:
            _tell(str(refused))
            worst = max(worst, 1)
        except IsADirectoryError:
            _tell(f"placemat: {_shown(path)}: a directory: the command placemat reads those, and this needs files")
            worst = 2
        except BrokenPipeError:
            raise
        except OSError as e:
            _tell(f"placemat: {_shown(path)}: {(e.strerror or str(e)).lower()}")
            worst = 2
    return worst


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"placemat: {_shown(message)}\nfor help: python -m placemat --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m placemat", description="Check, detect, convert and repair text in more than 300 encodings")
    parser.add_argument("-V", "--version", action="version", version=f"placemat {placemat.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)

    def command(name: str, run: Any, words: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=words, description=words)
        made.set_defaults(run=run)
        made.add_argument("paths", nargs="*", metavar="FILE", help="files; standard input if there are none, or for -")
        return made

    one = command("check", check, "Find every ill-formed sequence in text, and say why")
    one.add_argument("-f", "--from", dest="source", default="utf-8", metavar="ENCODING", help="the encoding to check for; auto detects it")
    one.add_argument("-l", "--files-with-findings", action="store_true", help="print only the names of files with findings")
    one.add_argument("--max", type=int, default=0, metavar="N", help="stop reading a file after N findings; 0 for all")
    one.add_argument("--summary", action="store_true", help="print the counts of files and findings at the end")
    one.add_argument("--format", choices=["text", "jsonl"], default="text")
    one.add_argument("-v", "--verbose", action="store_true", help="print what to do, too")

    one = command("detect", detect, "Detect the encoding of text, and how sure that is")
    one.add_argument("--top", type=int, default=1, metavar="N", help="show the N most probable encodings")
    one.add_argument("--brief", action="store_true", help="print only the name of the encoding")
    one.add_argument("--mixed", action="store_true", help="show which lines and bytes are in which encoding")
    one.add_argument("--explain", action="store_true", help="show the evidence, and the call that reads the text")
    one.add_argument("--format", choices=["text", "jsonl"], default="text")

    one = command("convert", convert, "Convert text from one encoding to another")
    one.add_argument("-f", "--from", dest="source", default="utf-8", metavar="ENCODING", help="the encoding of the input; auto detects it")
    one.add_argument("-t", "--to", dest="target", default="utf-8", metavar="ENCODING", help="the encoding of the output [default: utf-8]")
    one.add_argument("-e", "--errors", default="strict", metavar="POLICY", help="for ill-formed input: strict, replace, cp1252, …")
    one.add_argument("--unmappable", metavar="POLICY", help="for characters that the output cannot represent: replace, translit, …")
    one.add_argument("--normalize", metavar="FORM", help="normalize the text: nfc, nfd, …")
    _outputs(one)

    one = command("repair", repair, "Repair damaged text, such as cafÃ© for café")
    one.add_argument("--dry-run", action="store_true", help="write nothing; name the files that would change")
    one.add_argument("--explain", action="store_true", help="print each change with its place")
    one.add_argument("--steps", metavar="STEP,…", help="do only these: mojibake, bytes, pairs, …")
    one.add_argument("--fallback", metavar="ENCODING", help="the encoding of stray bytes [default: detected]")
    one.add_argument("--lost", choices=["replace", "escape"], default="replace", help="what to write for bytes that cannot be recovered")
    one.add_argument("--min-confidence", type=float, default=0.0, metavar="P", help="how sure a change must be, from 0 to 1")
    _outputs(one)
    return parser


def _outputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", help="write to this file")
    words = "change the file itself; =SUFFIX keeps the old one"
    parser.add_argument("-i", "--in-place", metavar="=SUFFIX", help=words)


def main(arguments: Optional[list[str]] = None) -> int:
    """Runs a command line, and returns the status: 0 for clean or done, 1 for findings and refused input, 2 for trouble.

    >>> main(["detect", "--brief", os.devnull])
    empty
    0
    >>> main(["repair", "--steps", "magic", os.devnull])
    2
    """
    given = sys.argv[1:] if arguments is None else arguments
    # `-i FILE` has no suffix.
    options = _parser().parse_args([f"{one}=" if one in ("-i", "--in-place") else one for one in given])
    if getattr(options, "in_place", None) is not None:
        if options.output is not None:
            _parser().error("-i and -o exclude each other")
        if not options.paths or "-" in options.paths:
            _parser().error("-i needs files to change")
    for stream in (sys.stdout, sys.stderr):
        # Text that the terminal cannot show is escaped.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status: int = options.run(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # Whoever read the output has enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (LookupError, ValueError) as e:
        _tell(f"placemat: {_shown(str(e))}")
        return 2


if __name__ == "__main__":
    sys.exit(main())
