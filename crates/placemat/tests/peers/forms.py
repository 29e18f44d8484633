"""CPython and ICU on short strings in a relative of UTF-8.

python3 forms.py read|write python|icu NAME: for each line of hex, writes a line of hex. `read` takes bytes and
writes code points as UCS-4BE; `write` takes code points and writes bytes. `-` means that the peer refuses.
"""

import ctypes
import ctypes.util
import re
import sys


class Python:
    def __init__(self, name):
        self.name = name

    def read(self, data):
        try:
            return [ord(c) for c in data.decode(self.name)]
        except UnicodeDecodeError:
            return None

    def write(self, code_points):
        try:
            return "".join(map(chr, code_points)).encode(self.name)
        except UnicodeEncodeError:
            return None


class Icu:
    """A converter that stops at ill-formed and unmappable input."""

    def __init__(self, name):
        library = ctypes.util.find_library("icuuc")
        self.icu = ctypes.CDLL(library)
        self.version = re.search(r"so\.(\d+)", library).group(1)
        error = ctypes.c_int(0)
        opened = self.function("ucnv_open", ctypes.c_void_p)(name.encode(), ctypes.byref(error))
        assert error.value <= 0 and opened, name
        self.converter = ctypes.c_void_p(opened)
        for setter, callback in ("setToUCallBack", "TO_U"), ("setFromUCallBack", "FROM_U"):
            stop = getattr(self.icu, f"UCNV_{callback}_CALLBACK_STOP_{self.version}")
            set_callback = self.function(f"ucnv_{setter}", None)
            set_callback(self.converter, stop, None, None, None, ctypes.byref(error))
        assert error.value <= 0
        self.to = self.function("ucnv_toUChars", ctypes.c_int32)
        self.of = self.function("ucnv_fromUChars", ctypes.c_int32)

    def function(self, name, result):
        function = getattr(self.icu, f"{name}_{self.version}")
        function.restype = result
        return function

    def run(self, function, data, width):
        error, out = ctypes.c_int(0), ctypes.create_string_buffer(256)
        length = len(data) // (2 if width == 1 else 1)
        got = function(self.converter, out, 128, data, length, ctypes.byref(error))
        return None if error.value > 0 else out.raw[: got * width]

    def read(self, data):
        units = self.run(self.to, data, 2)
        return None if units is None else [ord(c) for c in units.decode("utf-16-le", "surrogatepass")]

    def write(self, code_points):
        units = "".join(map(chr, code_points)).encode("utf-16-le", "surrogatepass")
        return self.run(self.of, units, 1)


def main(direction, kind, name):
    peer = {"python": Python, "icu": Icu}[kind](name)
    for line in sys.stdin:
        given = bytes.fromhex(line)
        if direction == "read":
            found = peer.read(given)
            found = None if found is None else b"".join(c.to_bytes(4, "big") for c in found)
        else:
            found = peer.write([int.from_bytes(given[i : i + 4], "big") for i in range(0, len(given), 4)])
        print("-" if found is None else found.hex())


main(*sys.argv[1:])
