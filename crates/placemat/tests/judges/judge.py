"""CPython, ICU, jq and git as judges of text.

python3 judge.py TASK PROGRAM ENCODING: for each line of hex, writes a line of hex. TASK is `lossy`, which decodes bytes to UTF-8 with U+FFFD
for what is ill-formed, or `read`, which writes `-` where the program refuses the bytes.
"""

import ctypes
import ctypes.util
import json
import os
import re
import subprocess
import sys
import tempfile


def cpython(task, name, lines):
    for line in lines:
        try:
            yield line.decode(name, "replace" if task == "lossy" else "strict").encode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            yield None


def icu(task, name, lines):
    library = ctypes.util.find_library("icuuc")
    opened = ctypes.CDLL(library)
    version = re.search(r"so\.(\d+)", library).group(1)

    def function(name, result):
        function = getattr(opened, f"{name}_{version}")
        function.restype = result
        return function

    error = ctypes.c_int(0)
    converter = ctypes.c_void_p(function("ucnv_open", ctypes.c_void_p)(name.encode(), ctypes.byref(error)))
    assert error.value <= 0, name
    if task == "read":
        stop = getattr(opened, f"UCNV_TO_U_CALLBACK_STOP_{version}")
        function("ucnv_setToUCallBack", None)(converter, stop, None, None, None, ctypes.byref(error))
    to_units = function("ucnv_toUChars", ctypes.c_int32)
    for line in lines:
        error, out = ctypes.c_int(0), ctypes.create_string_buffer(2 * len(line) + 64)
        length = to_units(converter, out, len(line) + 32, line, len(line), ctypes.byref(error))
        if error.value > 0:
            yield None
        else:
            yield out.raw[: 2 * length].decode("utf-16-le", "surrogatepass").encode("utf-8", "surrogatepass")


def jq(task, name, lines):
    """Reads each line as raw input, or as a string of JSON."""
    given = b"".join(line + b"\n" if task == "lossy" else b'"' + line + b'"\n' for line in lines)
    options = ["-R"] if task == "lossy" else []
    answer = subprocess.run(["jq", "-c", *options, "."], input=given, capture_output=True, check=True).stdout
    return (json.loads(line).encode() for line in answer.splitlines())


def git(task, name, lines):
    """Checks out and in a file for each line, with the attribute `working-tree-encoding`: git writes UTF-8 into its store."""
    with tempfile.TemporaryDirectory() as folder:
        def run(*command, **more):
            return subprocess.run(["git", "-C", folder, *command], capture_output=True, check=True, **more).stdout

        run("init", "-q")
        with open(os.path.join(folder, ".gitattributes"), "w") as attributes:
            attributes.write(f"*.txt text=auto working-tree-encoding={name}\n")
        for i, line in enumerate(lines):
            with open(os.path.join(folder, f"{i}.txt"), "wb") as file:
                file.write(line)
        run("add", "-A")
        for i in range(len(lines)):
            yield run("cat-file", "blob", f":{i}.txt")


def xmllint(task, name, lines):
    """Reads a document of one element with the declaration of its encoding, for each line."""
    with tempfile.TemporaryDirectory() as folder:
        for line in lines:
            path = os.path.join(folder, "document.xml")
            with open(path, "wb") as file:
                file.write(line)
            command = ["xmllint", "--xpath", "string(/t)", path]
            answer = subprocess.run(command, capture_output=True)
            yield answer.stdout.removesuffix(b"\n") if answer.returncode == 0 else None


def sqlite(task, name, lines):
    """Puts the bytes as text into a database of that encoding, and takes the text out."""
    with tempfile.TemporaryDirectory() as folder:
        statements = [f"pragma encoding='{name}';", "create table t (text);", "begin;"]
        statements += [f"insert into t values (cast(x'{line.hex()}' as text));" for line in lines]
        statements += ["commit;", "select text from t order by rowid;"]
        command = ["sqlite3", os.path.join(folder, "texts")]
        answer = subprocess.run(command, input="\n".join(statements).encode(), capture_output=True, check=True).stdout
    return answer.split(b"\n")[:-1]


def main(task, program, name="utf-8"):
    lines = [bytes.fromhex(line) for line in sys.stdin]
    programs = {"python": cpython, "icu": icu, "jq": jq, "git": git, "xmllint": xmllint, "sqlite": sqlite}
    for answer in programs[program](task, name, lines):
        print("-" if answer is None else answer.hex())


main(*sys.argv[1:])
