#!/usr/bin/env python3
"""The answers of other detectors, in the form that judge.py reads.

    peers.py TOOL SAMPLES OUT      a tool of the list below
    peers.py --list

Install the Python packages in an environment of their own: `pip install chardet charset-normalizer faust-cchardet`.
chardetng is a crate: `peer/`.  ICU is called from its C library (Debian: libicu72), file(1) as a command.
"""

import ctypes
import ctypes.util
import glob
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time


def chardet():
    import chardet as module

    def detect(data):
        found = module.detect(data)
        return found["encoding"] or "none", found["confidence"] or 0

    return detect


def charset_normalizer():
    import logging

    import charset_normalizer as module

    logging.disable(logging.CRITICAL)

    def detect(data):
        best = module.from_bytes(data).best()
        return (best.encoding, 1 - best.chaos) if best else ("none", 0)

    return detect


def uchardet():
    import cchardet as module

    def detect(data):
        found = module.detect(data)
        return found["encoding"] or "none", found["confidence"] or 0

    return detect


def icu():
    path = sorted(glob.glob("/usr/lib/*/libicui18n.so.*"))[0]
    version = path.split(".so.")[1].split(".")[0]
    library = ctypes.CDLL(path)

    def function(name, result, *arguments):
        f = getattr(library, f"{name}_{version}")
        f.restype, f.argtypes = result, arguments
        return f

    status = ctypes.c_int(0)
    pointer = ctypes.c_void_p
    open_ = function("ucsdet_open", pointer, ctypes.POINTER(ctypes.c_int))
    set_text = function("ucsdet_setText", None, pointer, ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(ctypes.c_int))
    detect_ = function("ucsdet_detect", pointer, pointer, ctypes.POINTER(ctypes.c_int))
    name = function("ucsdet_getName", ctypes.c_char_p, pointer, ctypes.POINTER(ctypes.c_int))
    confidence = function("ucsdet_getConfidence", ctypes.c_int, pointer, ctypes.POINTER(ctypes.c_int))
    detector = open_(ctypes.byref(status))

    def detect(data):
        status.value = 0
        set_text(detector, data, len(data), ctypes.byref(status))
        match = detect_(detector, ctypes.byref(status))
        if not match or status.value > 0:
            return "none", 0
        return name(match, ctypes.byref(status)).decode(), confidence(match, ctypes.byref(status)) / 100

    return detect


TOOLS = {"chardet": chardet, "charset_normalizer": charset_normalizer, "uchardet": uchardet, "icu": icu}
detect = None


def start(tool):
    global detect
    detect = TOOLS[tool]()


def answer(line):
    name, *_, data = line.rstrip("\n").split("\t")
    data = bytes.fromhex(data)
    begun = time.perf_counter()
    try:
        label, confidence = detect(data)
    except Exception:
        label, confidence = "none", 0
    return f"{name}\t{label}\t{confidence:.4f}\n", len(data), time.perf_counter() - begun


def file_command(samples, out):
    """`file --mime-encoding` reads files: all samples as files of one folder, in a few calls."""
    with tempfile.TemporaryDirectory() as folder, open(out, "w") as o:
        names = []
        for i, line in enumerate(open(samples)):
            name, *_, data = line.rstrip("\n").split("\t")
            names.append(name)
            with open(f"{folder}/{i}", "wb") as f:
                f.write(bytes.fromhex(data))
        listed = "".join(f"{folder}/{i}\n" for i in range(len(names)))
        done = subprocess.run(["file", "--brief", "--mime-encoding", "-f", "-"], input=listed, capture_output=True, text=True, check=True)
        for name, label in zip(names, done.stdout.splitlines(), strict=True):
            o.write(f"{name}\t{label}\t1\n")


def main():
    if sys.argv[1] == "--list":
        print(*TOOLS, "file")
        return
    tool, samples, out = sys.argv[1:4]
    if tool == "file":
        file_command(samples, out)
        return
    processes = int(os.environ.get("PROCESSES", "2"))
    size = seconds = 0
    with multiprocessing.Pool(processes, start, (tool,)) as pool, open(samples) as f, open(out, "w") as o:
        for line, n, t in pool.imap(answer, f, chunksize=50):
            o.write(line)
            size += n
            seconds += t
    print(f"{tool}: {size / 1e6:.2f} MB, {size / seconds / 1e6:.2f} MB/s")


if __name__ == "__main__":
    main()
