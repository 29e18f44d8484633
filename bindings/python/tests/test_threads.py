"""Objects with state in several threads: decoders, encoders, streams and files. Also handlers that come back to the object that runs
them, signals, `fork`, and the end of the interpreter."""

from __future__ import annotations

import codecs
import contextlib
import io
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from common import LONG, SANITIZED, lets_others_run, with_handler

import placemat
import placemat.codecs

#: Units in a piece: around 4 KiB, from which other calls release the GIL, and 1 Mi, from which those of coders do.
SIZES = [1, 100, 2000, 4094, 4095, 4096, 4097, 8192, 20_000, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20]
LETTERS = "абвгдежз"

ours = placemat.open


def pythons(path: Path, mode: str, encoding: str) -> Any:
    return open(path, mode, encoding="placemat." + encoding)


def stream(path: Path, mode: str, encoding: str) -> Any:
    return codecs.open(str(path), mode, "placemat." + encoding)


def in_threads(count: int, work: Callable[[int], object]) -> None:
    """Calls `work` in that many threads at once. All must come to their ends, without an exception."""
    errors: list[BaseException] = []
    barrier = threading.Barrier(count)

    def run(number: int) -> None:
        try:
            barrier.wait()
            work(number)
        except BaseException as e:
            errors.append(e)

    threads = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not errors
    assert not any(thread.is_alive() for thread in threads)


def line(letter: str, number: int, size: int) -> str:
    """A line of that many letters, which the GIL is asked for several times while it is converted."""
    return letter * size + str(number)


def check(text: str, size: int, times: int, letters: str = LETTERS) -> None:
    """Each line is whole, and those of each thread are in order."""
    lines = text.split("\n")[:-1]
    assert len(lines) == times * len(letters)
    for letter in letters:
        assert [x for x in lines if x[0] == letter] == [line(letter, number, size) for number in range(times)]


def cases() -> Iterator[tuple[Callable[..., Any], str, int]]:
    for encoding in ["utf-8", "utf-16", "iso-2022-jp", *(["koi8-r", "scsu", "utf-7", "gb18030"] if LONG else [])]:
        for size in SIZES:
            yield ours, encoding, size
            yield stream, encoding, size
            # Python's own files lose lines before 3.13, whatever the codec, if a line does not fill their buffer. They may write bytes in
            # another order than they were encoded, so only encodings without state are safe there.
            fills = len(placemat.encode("я" * size, encoding)) >= io.DEFAULT_BUFFER_SIZE
            if encoding in ["utf-8", "koi8-r", "gb18030"] and (fills or sys.version_info >= (3, 13)):
                yield pythons, encoding, size


@pytest.mark.parametrize(("opened", "encoding", "size"), list(cases()))
def test_no_line_is_lost(tmp_path: Path, opened: Callable[..., Any], encoding: str, size: int) -> None:
    times = 50 if size <= 20_000 else 2
    with opened(tmp_path / "x", "w", encoding=encoding) as file:

        def write(thread: int) -> None:
            for number in range(times):
                file.write(line(LETTERS[thread], number, size) + "\n")

        in_threads(8, write)
    check(placemat.decode((tmp_path / "x").read_bytes(), encoding), size, times)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-2022-jp"])
def test_a_file_that_is_flushed_meanwhile(tmp_path: Path, encoding: str) -> None:
    with placemat.open(tmp_path / "x", "w+", encoding) as file:

        def write(thread: int) -> None:
            for number in range(200):
                file.write(line(LETTERS[thread], number, 500) + "\n")
                [file.flush, file.tell, lambda: file.seek(0, 2), file.truncate][number % 4]()

        in_threads(8, write)
        file.seek(0)
        check(file.read(), 500, 200)


@pytest.mark.parametrize("size", [1000, 5000, 20_000, 1_100_000])
@pytest.mark.parametrize("read", ["readline", "read 1000", "read 99999", "read 3000000"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-2022-jp"])
def test_no_reader_loses_text(encoding: str, read: str, size: int) -> None:
    times = max(1, min(20, 200_000 // size))
    text = "".join(line(letter, number, size) + "\n" for number in range(times) for letter in LETTERS)
    # Python's files lose text themselves where the bytes come from a slower place.
    file = placemat.wrap(io.BytesIO(placemat.encode(text, encoding)), encoding)
    got: list[str] = []

    def work(_: int) -> None:
        while piece := file.readline() if read == "readline" else file.read(int(read.split()[1])):
            got.append(piece)

    in_threads(4, work)
    assert Counter("".join(got)) == Counter(text)
    if read == "readline":
        assert Counter(got) == Counter(text.splitlines(keepends=True))


@pytest.mark.parametrize("read", ["readline", "read 1000", "read 99999"])
def test_no_stream_reader_loses_text(tmp_path: Path, read: str) -> None:
    text = "".join(line(letter, number, 5000) + "\n" for number in range(20) for letter in LETTERS)
    (tmp_path / "x").write_bytes(placemat.encode(text, "utf-16"))
    with stream(tmp_path / "x", "r", "utf-16") as file:
        got: list[str] = []

        def work(_: int) -> None:
            while piece := file.readline() if read == "readline" else file.read(int(read.split()[1])):
                got.append(piece)

        in_threads(4, work)
    assert Counter("".join(got)) == Counter(text)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("final", [False, True])
def test_coders(size: int, final: bool) -> None:
    decoder, encoder = placemat.Decoder("koi8-r"), placemat.Encoder("koi8-r")
    utf8, other = placemat.Decoder(), placemat.Encoder()

    def work(thread: int) -> None:
        text = LETTERS[thread] * size
        for _ in range(3):
            assert decoder.decode(text.encode("koi8-r"), final) == text
            assert encoder.encode(text, final) == text.encode("koi8-r")
            assert utf8.decode(text.encode(), final) == text
            assert other.encode(text, final) == text.encode()
            assert encoder.getstate() in (0, 2) and decoder.getstate()[0] == utf8.buffer == b""
            repr(decoder), repr(encoder)

    in_threads(8, work)


def slow(e: UnicodeError) -> tuple[str, int]:
    """Lets other threads run, as handlers do that write to a log."""
    time.sleep(0.0005)
    assert isinstance(e, (UnicodeEncodeError, UnicodeDecodeError))
    return "?", e.end


@pytest.mark.parametrize("opened", [ours, stream])
def test_handlers_that_let_others_run(tmp_path: Path, opened: Callable[..., Any]) -> None:
    name = with_handler("slow", slow)
    keywords = {"errors": name}
    with opened(tmp_path / "x", "w", "iso-2022-jp") if opened is stream else opened(tmp_path / "x", "w", "iso-2022-jp", **keywords) as file:
        if opened is stream:
            file.writer = codecs.getwriter("placemat.iso-2022-jp")(file.stream, name)

        def write(thread: int) -> None:
            for number in range(10):
                file.write("é".join(line(LETTERS[thread], number, 30)) + "\n")

        in_threads(8, write)
    text = placemat.decode((tmp_path / "x").read_bytes(), "iso-2022-jp")
    check(text.replace("?", ""), 30, 10)


def test_pieces_have_their_turns_in_order() -> None:
    decoder = placemat.Decoder("utf-8", with_handler("order", slow))
    text = "".join(map(chr, range(0x430, 0x430 + 32)))
    data = b"\xff".join(c.encode() for c in text)
    got: list[str] = []
    threads = []
    # Bytes that only their order makes well-formed.
    for at in range(len(data)):
        threads.append(threading.Thread(target=lambda piece: got.append(decoder.decode(piece)), args=(data[at : at + 1],)))
        threads[-1].start()
        if at % 3 == 0:
            time.sleep(0.0001)
    for thread in threads:
        thread.join(60)
    assert "".join(got) == "?".join(text)


def each(thing: Any) -> list[Callable[[], object]]:
    """Calls that use the state of a coder."""
    convert = thing.decode if isinstance(thing, placemat.Decoder) else thing.encode
    calls = [lambda: convert(b"x" if isinstance(thing, placemat.Decoder) else "x"), thing.reset, thing.getstate]
    state = thing.getstate()
    calls.append(lambda: thing.setstate(state))
    if isinstance(thing, placemat.Decoder):
        calls.append(lambda: thing.buffer)
    return calls


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-2022-jp"])
def test_a_handler_that_uses_its_own_coder(encoding: str) -> None:
    calls: list[Callable[[], object]] = []
    caught: list[str] = []

    def handler(e: UnicodeError) -> tuple[str, int]:
        assert isinstance(e, (UnicodeEncodeError, UnicodeDecodeError))
        for call in calls:
            with pytest.raises(RuntimeError, match="^reentrant call: <placemat.(En|De)coder ") as info:
                call()
            caught.append(str(info.value))
        return "?", e.end

    name = with_handler("own", handler)
    bad = placemat.encode("ab", encoding) + (b"\x00\xd8" if encoding == "utf-16" else b"\xff")
    decoder = placemat.Decoder(encoding, name)
    calls = each(decoder)
    assert decoder.decode(bad, True).startswith("ab?")
    encoder = placemat.Encoder(encoding, name)
    calls = each(encoder)
    assert placemat.decode(encoder.encode("ab\ud800", True), encoding) == "ab?"
    assert len(caught) >= 9
    # Where it does not catch the exception, that is the result; and the state is as before.
    calls = []
    decoder = placemat.Decoder(encoding, with_handler("uncaught", lambda e: (decoder.decode(b""), 0)))
    with pytest.raises(RuntimeError, match="reentrant"):
        decoder.decode(bad, True)
    assert decoder.decode(placemat.encode("text", encoding), True) == "text"


def test_a_handler_that_uses_its_own_file(tmp_path: Path) -> None:
    caught: list[Exception] = []

    def handler(e: UnicodeError) -> tuple[str, int]:
        assert isinstance(e, UnicodeEncodeError)
        try:
            file.write("from the handler\n")
        except RuntimeError as error:
            caught.append(error)
        return "?", e.end

    name = with_handler("file", handler)
    for file in [placemat.open(tmp_path / "x", "w", "latin1", name), open(tmp_path / "y", "w", encoding="placemat.latin1", errors=name)]:
        with file:
            assert file.write("a€b\n") == 4
            file.write("more\n")
    assert ["reentrant" in str(error) for error in caught] == [True, True]
    assert (tmp_path / "x").read_text() == (tmp_path / "y").read_text() == "a?b\nmore\n"


@pytest.mark.parametrize("kind", ["decoder", "encoder", "file", "stream"])
def test_a_handler_that_waits_for_a_thread(tmp_path: Path, kind: str) -> None:
    caught: list[BaseException] = []

    def use() -> None:
        try:
            call("more")
        except BaseException as e:
            caught.append(e)

    def handler(e: UnicodeError) -> tuple[str, int]:
        assert isinstance(e, (UnicodeEncodeError, UnicodeDecodeError))
        thread = threading.Thread(target=use, daemon=True)
        thread.start()
        thread.join(30)
        return "!" if thread.is_alive() else "?", e.end

    name = with_handler(f"waits-{kind}", handler)
    call: Callable[[str], Any]
    file: Any = None
    if kind == "decoder":
        decoder = placemat.Decoder("utf-8", name)
        call = lambda text: decoder.decode(text.encode("latin1"), True)  # noqa: E731
    elif kind == "encoder":
        call = placemat.Encoder("ascii", name).encode
    elif kind == "file":
        file = placemat.open(tmp_path / "x", "w", "ascii", name)
        call = file.write
    else:
        file = codecs.getwriter("placemat.ascii")(io.BytesIO(), name)
        call = file.write
    first, second = call("1é2"), call("3")
    assert [type(e) for e in caught] == [RuntimeError]
    assert "whose handler of errors or signals has run for 3 seconds" in str(caught[0])
    if kind == "decoder":
        assert (first, second) == ("1?2", "3")
    elif kind == "encoder":
        assert (first, second) == (b"1?2", b"3")
    elif kind == "file":
        file.close()
        assert (tmp_path / "x").read_bytes() == b"1?23"
    else:
        assert file.stream.getvalue() == b"1?23"


class Alarm(Exception):
    pass


@contextlib.contextmanager
def alarms(handler: Callable[[], object], first: float, then: float = 0) -> Iterator[None]:
    old = signal.signal(signal.SIGALRM, lambda *_: handler())
    try:
        signal.setitimer(signal.ITIMER_REAL, first, then)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def fail() -> None:
    raise Alarm


needs_timers = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here: signals are NOT tested")
TEXT = "\u043f" * (48 << 20)


@needs_timers
@pytest.mark.parametrize("encoding", ["utf-8", "koi8-r", "iso-2022-jp"])
@pytest.mark.parametrize("final", [False, True])
def test_an_interrupted_coder_is_as_before(encoding: str, final: bool) -> None:
    # In ISO-2022-JP, a text within one set of letters: two sequences that choose a set must not follow each other.
    shift = 3 if encoding == "iso-2022-jp" else 0
    start, text = (placemat.encode(x, encoding) for x in ["п", TEXT])
    for coder, first, long in [
        (placemat.Decoder(encoding, "unclosed-shift=ignore"), start[: len(start) - shift], text[shift : len(text) - shift]),
        (placemat.Encoder(encoding), "п", TEXT),
    ]:
        convert = coder.decode if isinstance(coder, placemat.Decoder) else coder.encode
        convert(first)
        state = coder.getstate()
        with pytest.raises(Alarm), alarms(fail, 0.003):
            # A loop, should the machine be that fast.
            while True:
                convert(long, final)
                coder.setstate(state)
        assert coder.getstate() == state
        fresh = type(coder)(encoding, coder.errors)
        fresh.setstate(state)
        again = fresh.decode if isinstance(fresh, placemat.Decoder) else fresh.encode
        assert convert(first, True) == again(first, True)


@needs_timers
def test_signals_that_raise_leave_a_file_usable(tmp_path: Path) -> None:
    with placemat.open(tmp_path / "x", "w") as file:
        raised = 0
        for number in range(300):
            try:
                with alarms(fail, 0.0001 + number % 17 * 0.00002):
                    for _ in range(200):
                        file.write("é" * 2000 + "\n")
            except Alarm:
                raised += 1
            # Another thread must not wait for a turn that nobody ends.
            if number % 10 == 0:
                in_threads(1, lambda _: file.write("é" * 2000 + "\n"))
        assert raised > 100
    assert set(placemat.open(tmp_path / "x")) <= {"é" * 2000 + "\n"}


@needs_timers
def test_a_signal_handler_writes_to_the_file_that_is_written_to(tmp_path: Path) -> None:
    written = itertools.count()
    with placemat.open(tmp_path / "x", "w") as file:
        with alarms(lambda: file.write(f"{next(written)}\n"), 0.0005, 0.0005):
            for number in range(3000):
                file.write("é" * 20_000 + f"{number}\n")
    lines = (tmp_path / "x").read_text("utf-8").splitlines()
    count = next(written)
    assert count > 5
    # A signal may come within the handler, before its line is written.
    assert sorted(int(x) for x in lines if x[0] != "é") == list(range(count))
    assert [x for x in lines if x[0] == "é"] == ["é" * 20_000 + str(n) for n in range(3000)]


@needs_timers
def test_a_thread_that_waits_is_interrupted() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def handler(e: UnicodeError) -> tuple[str, int]:
        assert isinstance(e, UnicodeDecodeError)
        begun.set()
        go_on.wait(30)
        return "?", e.end

    decoder = placemat.Decoder("utf-8", with_handler("waits", handler))
    got: list[str] = []
    thread = threading.Thread(target=lambda: got.append(decoder.decode(b"a\xffb")))
    thread.start()
    begun.wait(30)
    with pytest.raises(Alarm), alarms(fail, 0.01):
        decoder.decode(b"c")
    go_on.set()
    thread.join(30)
    assert got == ["a?b"] and decoder.decode(b"d") == "d"


def test_which_pieces_let_other_threads_run() -> None:
    text = TEXT[: 4 << 20]
    assert lets_others_run(lambda: placemat.wrap(io.BytesIO(text.encode())).read())
    assert lets_others_run(lambda: placemat.Decoder("koi8-r").decode(text.encode("koi8-r"), True))
    assert lets_others_run(lambda: placemat.Encoder("koi8-r").encode(text))
    data, writable = text.encode(), bytearray(text.encode())
    assert not lets_others_run(lambda: placemat.Decoder().decode(data))
    assert not lets_others_run(lambda: placemat.Decoder().decode(writable))
    assert not lets_others_run(lambda: placemat.Decoder("koi8-r").decode(text.encode("koi8-r")))
    assert not lets_others_run(lambda: placemat.Encoder().encode(text[: 1 << 20]))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here: NOT tested")
@pytest.mark.skipif(SANITIZED, reason="a child finds the sanitizer's own allocator locked by a thread it lacks: NOT tested")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork_while_another_thread_has_its_turn(tmp_path: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def handler(e: UnicodeError) -> tuple[str, int]:
        assert isinstance(e, UnicodeEncodeError)
        begun.set()
        go_on.wait(30)
        return "?", e.end

    name = with_handler("fork", handler)
    encoder = placemat.Encoder("iso-2022-jp", name)
    encoder.encode("日")
    with placemat.open(tmp_path / "x", "w", "latin1", name) as file:
        threads = []
        for call in [encoder.encode, file.write]:
            begun.clear()
            threads.append(threading.Thread(target=call, args=("a€",)))
            threads[-1].start()
            begun.wait(30)
        # One more that waits.
        threads.append(threading.Thread(target=encoder.encode, args=("b",)))
        threads[-1].start()
        time.sleep(0.05)
        child = os.fork()
        if child == 0:
            # Within the text, as before the call that is missing.
            good = encoder.encode("本") == b"K\\" and encoder.encode("本") == b"K\\"
            file.write("x")
            thread = threading.Thread(target=lambda: (file.write("y"), encoder.encode("b")), daemon=True)
            thread.start()
            thread.join(10)
            os._exit(0 if good and not thread.is_alive() else 1)
        go_on.set()
        for thread in threads:
            thread.join(30)
        deadline = time.monotonic() + 30
        while (done := os.waitpid(child, os.WNOHANG)) == (0, 0):
            if time.monotonic() > deadline:
                os.kill(child, signal.SIGKILL)
            time.sleep(0.01)
        assert done[1] == 0


AT_EXIT = """if True:
    import codecs, sys, threading, time
    sys.path[:0] = [sys.argv[1]]
    import placemat

    begun = threading.Event()

    def handler(e):
        begun.set()
        time.sleep(1000)

    codecs.register_error("sleeps", handler)
    # The interpreter flushes it at its end.
    file = sys.stdout = placemat.open(sys.argv[2], "w", sys.argv[3], "sleeps")
    file.write("text\\n")
    threading.Thread(target=lambda: file.write("a\\ud800b"), daemon=True).start()
    begun.wait()
"""


@pytest.mark.parametrize("encoding", ["latin1", "iso-2022-jp"])
def test_the_interpreter_ends_while_a_thread_has_its_turn(tmp_path: Path, encoding: str) -> None:
    package = str(Path(placemat.__file__).parents[1])
    program = [sys.executable, "-c", AT_EXIT, package, str(tmp_path / "x"), encoding]
    done = subprocess.run(program, timeout=60, capture_output=True, text=True)
    assert done.returncode == 0, done
    assert (tmp_path / "x").read_text() == "text\n"
