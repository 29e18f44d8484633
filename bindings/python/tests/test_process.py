"""Signals during long calls, `fork`, other interpreters, and other versions of Python."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Callable

import placemat
import pytest
from common import SANITIZED, lets_others_run
from placemat import _placemat

MANY = 96 << 20
BYTES = b"\xcf" * MANY
TEXT = "\u043f" * (MANY // 2)
UTF8 = TEXT.encode()

LONG_CALLS: dict[str, Callable[[], object]] = {
    "decode": lambda: placemat.decode(UTF8),
    "decode, replacing": lambda: placemat.decode(BYTES, errors="replace"),
    "decode, single bytes": lambda: placemat.decode(BYTES, "koi8-r"),
    "decode, several bytes": lambda: placemat.decode(BYTES, "gbk"),
    "decode, writable": lambda: placemat.decode(bytearray(UTF8)),
    "encode": lambda: placemat.encode(TEXT),
    "encode, single bytes": lambda: placemat.encode(TEXT, "koi8-r"),
    "encode, several bytes": lambda: placemat.encode(TEXT, "gbk"),
    "transcode": lambda: placemat.transcode(BYTES, "koi8-r", "utf-16"),
    "is_valid": lambda: placemat.is_valid(bytes(8 * MANY)),
    "count": lambda: placemat.count(UTF8),
    "check": lambda: list(placemat.check(UTF8 + b"\xff")),
}


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here: signals are NOT tested")
@pytest.mark.parametrize("name", LONG_CALLS)
def test_signals_are_seen_meanwhile(name: str) -> None:
    seen = 0

    def count(*_: object) -> None:
        nonlocal seen
        seen += 1

    old = signal.signal(signal.SIGALRM, count)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        # A call that looks for no signals lets one be seen, after it.
        before = seen
        LONG_CALLS[name]()
        during = seen - before
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert during > 2


@pytest.mark.parametrize("name", LONG_CALLS)
def test_keyboard_interrupt(name: str) -> None:
    # Another thread, which runs as soon as the call lets others run.
    timer = threading.Timer(0.001, signal.raise_signal, [signal.SIGINT])
    # A shell lets what it runs in the background ignore this signal.
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            timer.start()
            LONG_CALLS[name]()
            timer.join()
        timer.join()
    finally:
        signal.signal(signal.SIGINT, old)


@pytest.mark.parametrize(
    "call",
    [
        lambda: placemat.decode(UTF8[: 4 << 20]),
        lambda: placemat.decode(bytearray(UTF8[: 4 << 20])),
        lambda: placemat.decode(BYTES[: 4 << 20], "koi8-r"),
        lambda: placemat.decode(BYTES[: 4 << 20], errors="replace"),
        lambda: placemat.encode(TEXT[: 4 << 20]),
        lambda: placemat.encode(TEXT[: 4 << 20], "koi8-r"),
        lambda: placemat.transcode(BYTES[: 4 << 20], "koi8-r", "utf-16"),
        lambda: placemat.is_valid(UTF8[: 4 << 20]),
        lambda: placemat.count(UTF8[: 4 << 20]),
        lambda: placemat.sniff(UTF8[: 4 << 20]),
    ],
    ids=["decode", "writable", "single bytes", "replace", "encode", "to single bytes", "transcode", "is_valid", "count", "sniff"],
)
def test_other_threads_run_meanwhile(call: Callable[[], object]) -> None:
    assert lets_others_run(call)


def test_cpythons_own_lets_no_other_thread_run() -> None:
    # Else the test above would say nothing.
    assert not lets_others_run(UTF8[: 4 << 20].decode)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here: NOT tested")
@pytest.mark.skipif(SANITIZED, reason="a child finds the sanitizer's own allocator locked by a thread it lacks: NOT tested")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork_while_a_thread_converts() -> None:
    text = "съешь же ещё этих мягких булок " * 10_000
    data = text.encode("koi8-r", "replace")
    stop = threading.Event()

    def convert() -> None:
        while not stop.is_set():
            placemat.decode(data, "koi8-r")

    thread = threading.Thread(target=convert)
    thread.start()
    try:
        for _ in range(20):
            child = os.fork()
            if child == 0:
                same = placemat.decode(data, "koi8-r") == data.decode("koi8-r") and placemat.encode(text) == text.encode()
                os._exit(0 if same else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        thread.join()


FIRST_USE = """if True:
    import os, sys, threading
    sys.path[:0] = [sys.argv[1]]
    import placemat

    text = ("Съешь же ещё этих мягких французских булок да выпей чаю. " * 200).encode("cp1251")
    threads = [threading.Thread(target=placemat.sniff, args=[text]) for _ in range(3)]
    children = []
    for thread in threads:
        thread.start()
    # Each child comes into being while threads unpack the model, and none of them goes on in it.
    for _ in range(int(sys.argv[2])):
        child = os.fork()
        if child == 0:
            os._exit(0 if placemat.sniff(text).encoding == "windows-1251" else 1)
        children.append(child)
    for thread in threads:
        thread.join()
    assert all(os.waitpid(child, 0)[1] == 0 for child in children)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here: NOT tested")
@pytest.mark.skipif(SANITIZED, reason="a child finds the sanitizer's own allocator locked by a thread it lacks: NOT tested")
def test_fork_while_threads_sniff_for_the_first_time() -> None:
    package = str(Path(placemat.__file__).parents[1])
    for _ in range(5):
        program = [sys.executable, "-W", "ignore", "-c", FIRST_USE, package, "10"]
        with subprocess.Popen(program, start_new_session=True) as process:
            try:
                assert process.wait(timeout=60) == 0
            finally:
                # With the children, if some stand still.
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


def test_subinterpreters_are_refused() -> None:
    testcapi = pytest.importorskip("_testcapi", reason="this Python has no _testcapi: subinterpreters are NOT tested")
    program = f"""if True:
        import sys
        sys.path[:0] = {[str(Path(placemat.__file__).parents[1])]!r}
        try:
            import placemat
        except ImportError as e:
            # CPython itself refuses in interpreters of their own GIL.
            assert "main interpreter" in str(e) or "subinterpreters" in str(e), e
        else:
            raise SystemError("imported")
    """
    assert testcapi.run_in_subinterp(program) == 0
    assert placemat.decode(b"still here") == "still here"


def others() -> list[str]:
    """The programs of other versions of Python on this machine."""
    names = [f"python3.{minor}" for minor in range(9, 20) if minor != sys.version_info.minor]
    found = [shutil.which(name) for name in names]
    found += [str(p) for name in names for p in Path.home().glob(f".pyenv/versions/3.*/bin/{name}")]
    # A name may have no program: pyenv has such.
    return [path for path in found if path and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0]


def test_other_versions_are_refused(tmp_path: Path) -> None:
    if not others():
        pytest.skip("no other version of Python is installed: that they are refused is NOT tested")
    # Without the version in its name, any Python would load it.
    package = tmp_path / "placemat"
    shutil.copytree(Path(placemat.__file__).parent, package, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    shutil.copy(_placemat.__file__, package / "_placemat.so")
    program = "import sys; sys.path[:0] = [sys.argv[1]]\ntry: import placemat\nexcept ImportError as e: print(e)"
    for python in others():
        done = subprocess.run([python, "-c", program, str(tmp_path)], capture_output=True, text=True)
        assert done.returncode == 0, (python, done)
        if ".abi3." in str(_placemat.__file__) and not python.endswith("3.9"):
            # The stable ABI is the same there.
            assert not done.stdout, (python, done)
            continue
        # A symbol that only this version has, and its library, are refused by the loader.
        refusals = ["this build of placemat is for", "undefined symbol", "cannot open shared object file"]
        assert any(refusal in done.stdout for refusal in refusals), (python, done)
