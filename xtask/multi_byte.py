"""Makes the tables of crates/placemat-charsets/src/multi_byte/tables: python3 multi_byte.py FOLDER.

It is also a peer for tests: python3 multi_byte.py read|write iconv|python|icu ENCODING reads lines of hex (bytes, or UTF-8) and
answers each with hex (UTF-8, or bytes), or with - if it cannot.

Source is iconv of the GNU C library (2.36), which on these sets agrees with all but one of CPython 3.11, ICU 72 and
OpenJDK 17 wherever they differ; with two exceptions, where the others agree against it and CPython is the source: nine
symbols of Big5-HKSCS that it does not read, and 5C in Johab, which is in single.rs and not in a table. The tables leave
out mappings that only one of them has, and code points whose written code reads as another code point. Big5-UAO and the Big5 of
ETEN are text files, for no library of these has them.

A table is a sequence of 16-bit words, least significant byte first:
    columns, rows that can be named, rows that are there (R), words for the bits of plane 2 (A), preferred cells (P),
    pairs (Q)
    for each row that can be named: its place among those that are there, or FFFF
    if more than 100 (hex) rows can be named, for each row that is there: its name
    R * columns cells: FFFF if nothing is assigned, D800 + n for pair n, else the low 16 bits of the code point
    if there are any of plane 2, a bit for each cell: whether it is one
    for each code point of several cells that is not written in the first: where it is written
    for each pair: its two code points, and where it is written
Where: 100 (hex) * row + column; if more than 100 rows can be named, the number of the cell.

A table may rest on another one, which the library names: it has only the rows that differ, and FFFF is a row of the other.
All rows that are empty in it and not in the other are one.
"""

import ctypes
import glob
import pathlib
import struct
import sys

libc = ctypes.CDLL("libc.so.6")
libc.iconv_open.restype = ctypes.c_void_p
libc.iconv_open.argtypes = [ctypes.c_char_p] * 2
libc.iconv.restype = ctypes.c_size_t
libc.iconv.argtypes = [ctypes.c_void_p] + [ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_size_t)] * 2
FAILED = ctypes.c_size_t(-1).value


class Iconv:
    def __init__(self, name):
        self.reader = libc.iconv_open(b"UTF-32LE", name.encode())
        self.writer = libc.iconv_open(name.encode(), b"UTF-32LE")
        assert FAILED not in (self.reader, self.writer), name

    @staticmethod
    def run(machine, data):
        libc.iconv(machine, None, None, None, None)
        src, dst = ctypes.create_string_buffer(data, len(data)), ctypes.create_string_buffer(64)
        src_at, dst_at = ctypes.c_void_p(ctypes.addressof(src)), ctypes.c_void_p(ctypes.addressof(dst))
        src_len, dst_len = ctypes.c_size_t(len(data)), ctypes.c_size_t(64)
        to = ctypes.byref(dst_at), ctypes.byref(dst_len)
        if libc.iconv(machine, ctypes.byref(src_at), ctypes.byref(src_len), *to) != 0:
            return None
        libc.iconv(machine, None, None, *to)
        return dst.raw[: 64 - dst_len.value]

    def read(self, data):
        text = self.run(self.reader, data)
        return None if text is None else text.decode("utf-32le")

    def write(self, text):
        return self.run(self.writer, text.encode("utf-32le"))


def between(*ranges):
    return [byte for first, last in ranges for byte in range(first, last + 1)]


ALL = [chr(c) for c in range(0x30000) if not 0xD800 <= c < 0xE000]


class Set:
    """The texts of the cells of a set, by row and column, and the cells in which it writes a text that several have."""

    def __init__(self, columns, rows):
        self.columns, self.rows, self.cells, self.preferred = columns, rows, {}, {}

    def read(self, where, bytes_of, read):
        for cell in where:
            text = read(bytes_of(*cell))
            if text:
                self.cells[cell] = text
        return self

    def prefer(self, cell_of, write):
        for text in set(self.cells.values()):
            written = write(text)
            cell = written and cell_of(written)
            if cell in self.cells and self.cells[cell] == text:
                self.preferred[text] = cell
        return self

    def row(self, row):
        return {column: self.cells[row, column] for column in range(self.columns) if (row, column) in self.cells}

    def table(self, base=None):
        held = {}
        for cell, text in sorted(self.cells.items()):
            held.setdefault(text, cell)
        first = dict(held)
        held.update(self.preferred)
        pairs = sorted(text for text in held if len(text) == 2)
        assert all(len(text) <= 2 for text in held) and len(pairs) < 32
        there = sorted({row for row, _ in self.cells})
        empty = []
        if base:
            assert base.columns == self.columns and self.rows <= 0x100
            differ = [row for row in range(self.rows) if self.row(row) != base.row(row)]
            empty = [row for row in differ if not self.row(row)]
            there = [row for row in differ if row not in empty[1:]]
        number = {cell: there.index(cell[0]) * self.columns + cell[1] for cell in self.cells if cell[0] in there}
        named = self.rows > 0x100
        where = number if named else {cell: cell[0] << 8 | cell[1] for cell in self.cells}
        words = [0xFFFF] * (len(there) * self.columns)
        astral = [0] * ((len(words) + 15) // 16)
        for cell, text in self.cells.items():
            if cell not in number:
                continue
            n = number[cell]
            if len(text) == 2:
                words[n] = 0xD800 + pairs.index(text)
                continue
            c = ord(text)
            assert c < 0xFFFF or c >> 16 == 2, hex(c)
            words[n] = c & 0xFFFF
            if c >> 16:
                astral[n // 16] |= 1 << n % 16
        astral = astral if any(astral) else []
        rows = [there.index(row) if row in there else 0xFFFF for row in range(self.rows)]
        for row in empty:
            rows[row] = there.index(empty[0])
        assert 0xFFFF not in where.values()
        preferred = sorted(where[cell] for text, cell in held.items() if len(text) == 1 and cell != first[text])
        last = [word for text in pairs for word in (ord(text[0]), ord(text[1]), where[held[text]])]
        head = [self.columns, self.rows, len(there), len(astral), len(preferred), len(pairs)]
        everything = head + rows + (there if named else []) + words + astral + preferred + last
        return struct.pack(f"<{len(everything)}H", *everything)


GRID = [(row, column) for row in range(94) for column in range(94)]


def plain(row, column):
    return bytes([0x21 + row, 0x21 + column])


def ksx1001():
    iconv = Iconv("ISO-2022-KR")
    head = b"\x1b$)C\x0e"
    return Set(94, 94).read(GRID, lambda *cell: head + plain(*cell) + b"\x0f", iconv.read)


def gb2312():
    iconv = Iconv("ISO-2022-CN")
    return Set(94, 94).read(GRID, lambda *cell: b"\x1b$)A\x0e" + plain(*cell) + b"\x0f", iconv.read)


def cns11643():
    iconv = Iconv("EUC-TW")

    def bytes_of(row, column):
        head = bytes([0x8E, 0xA1 + row // 94]) if row >= 94 else b""
        return head + bytes([0xA1 + row % 94, 0xA1 + column])

    def cell_of(written):
        plane = written[1] - 0xA1 if len(written) == 4 else 0
        return plane * 94 + written[-2] - 0xA1, written[-1] - 0xA1

    where = [(plane * 94 + row, column) for plane in range(16) for row, column in GRID]
    return Set(94, 16 * 94).read(where, bytes_of, iconv.read).prefer(cell_of, iconv.write)


def jisx0213():
    iconv = Iconv("EUC-JISX0213")

    def bytes_of(row, column):
        return (b"\x8f" if row >= 94 else b"") + bytes([0xA1 + row % 94, 0xA1 + column])

    def cell_of(written):
        return (94 if len(written) == 3 else 0) + written[-2] - 0xA1, written[-1] - 0xA1

    where = [(plane * 94 + row, column) for plane in range(2) for row, column in GRID]
    return Set(94, 2 * 94).read(where, bytes_of, iconv.read).prefer(cell_of, iconv.write)


def in_g0(name, escape):
    """A set of 94 by 94 that ESC designates to G0."""
    iconv = Iconv(name)
    return Set(94, 94).read(GRID, lambda *cell: escape + plain(*cell) + b"\x1b(B", iconv.read)


def iso_ir_165():
    iconv = Iconv("ISO-2022-CN-EXT")
    head = b"\x1b$)E\x0e"
    return Set(94, 94).read(GRID, lambda *cell: head + plain(*cell) + b"\x0f", iconv.read)


def shifted(name):
    iconv = Iconv(name)
    leads = between((0x81, 0x9F), (0xE0, 0xFC))
    trails = between((0x40, 0x7E), (0x80, 0xFC))

    def bytes_of(row, column):
        return bytes([leads[row // 2], trails[94 * (row % 2) + column]])

    def cell_of(written):
        if len(written) != 2:
            return None
        column = trails.index(written[1])
        return 2 * leads.index(written[0]) + column // 94, column % 94

    where = [(row, column) for row in range(2 * len(leads)) for column in range(94)]
    return Set(94, 2 * len(leads)).read(where, bytes_of, iconv.read).prefer(cell_of, iconv.write)


def two_ranges(name, trails):
    """A set as glibc alone has it, since programs that use iconv expect it so."""
    iconv = Iconv(name)

    def cell_of(written):
        return (written[0] - 0x81, trails.index(written[1])) if len(written) == 2 else None

    where = [(row, column) for row in range(126) for column in range(len(trails))]
    bytes_of = lambda row, column: bytes([0x81 + row, trails[column]])
    return Set(len(trails), 126).read(where, bytes_of, iconv.read).prefer(cell_of, iconv.write)


def listed(name):
    """A set from crates/placemat-charsets/tables: each line has a lead byte and the characters of its trail bytes."""
    trails = between((0x40, 0x7E), (0xA1, 0xFE))
    table = Set(len(trails), 126)
    path = pathlib.Path(__file__).parent.parent / "crates/placemat-charsets/tables" / name
    for line in path.read_text("utf-8").splitlines():
        head, _, rest = line.partition(" ")
        if head == "write":
            for code in rest.split():
                cell = int(code[:2], 16) - 0x81, trails.index(int(code[2:], 16))
                table.preferred[cell] = None
        elif head != "#":
            row = int(head, 16) - 0x81
            table.cells.update({(row, column): text for column, text in enumerate(rest) if text != "."})
    table.preferred = {table.cells[cell]: cell for cell in table.preferred}
    return table


def hkscs():
    iconv = Iconv("BIG5-HKSCS")
    trails = between((0x40, 0x7E), (0xA1, 0xFE))

    def bytes_of(row, column):
        return bytes([0x81 + row, trails[column]])

    def cell_of(written):
        return written[0] - 0x81, trails.index(written[1])

    where = [(row, column) for row in range(126) for column in range(len(trails))]
    table = Set(len(trails), 126).read(where, bytes_of, iconv.read)
    for lead, trail in [(0xA1, 0x5A), (0xA1, 0xC3), (0xA1, 0xC5), (0xA1, 0xFE), (0xA2, 0x40), (0xA2, 0xCC), (0xA2, 0xCE)]:
        assert iconv.read(bytes([lead, trail])) is None
        table.cells[cell_of([lead, trail])] = bytes([lead, trail]).decode("big5hkscs")

    def write(text):
        written = iconv.write(text)
        if not written:
            try:
                written = text.encode("big5hkscs")
            except UnicodeEncodeError:
                return None
        return written

    return table.prefer(cell_of, write)


def johab():
    iconv = Iconv("JOHAB")
    trails = between((0x31, 0xFE))
    where = [(row, column) for row in range(128) for column in range(len(trails))]
    table = Set(len(trails), 128).read(where, lambda row, column: bytes([0x80 + row, trails[column]]), iconv.read)
    # Not in CPython, not in OpenJDK.
    assert table.cells.pop((0xD9 - 0x80, 0xE8 - 0x31)) == "\u327e"
    return table.prefer(lambda written: (written[0] - 0x80, written[1] - 0x31) if len(written) == 2 else None, iconv.write)


def ebcdic_double(name):
    iconv = Iconv(name)
    where = [(row, column) for row in range(0xBF) for column in range(0xBF)]

    def bytes_of(row, column):
        return bytes([0x0E, 0x40 + row, 0x40 + column, 0x0F])

    def cell_of(written):
        return (written[1] - 0x40, written[2] - 0x40) if len(written) == 4 else None

    return Set(0xBF, 0xBF).read(where, bytes_of, iconv.read).prefer(cell_of, iconv.write)


def ebcdic_single(name):
    iconv = Iconv(name)
    where = [(0, byte) for byte in range(256) if byte not in (0x0E, 0x0F)]
    table = Set(256, 1).read(where, lambda _, byte: bytes([byte]), iconv.read).prefer(
        lambda written: (0, written[0]) if len(written) == 1 else None, iconv.write
    )
    # SUB is 3F. In the pages with the euro sign, glibc reads it from each byte that is not defined.
    table.cells = {cell: text for cell, text in table.cells.items() if text != "\x1a" or cell == (0, 0x3F)}
    return table


def main(folder):
    tables = {
        "ksx1001": ksx1001(),
        "gb2312": gb2312(),
        "cns11643": cns11643(),
        "jisx0213": jisx0213(),
        "hkscs": hkscs(),
        "johab": johab(),
    }
    doubles = {}
    for number in (930, 933, 935, 937, 939):
        doubles[number] = ebcdic_double(f"IBM{number}")
        tables[f"ibm{number}_single"] = ebcdic_single(f"IBM{number}")
    # The two Japanese pages share the double-byte table.
    assert doubles[930].table() == doubles[939].table()
    for number in (930, 933, 935, 937):
        tables[f"ibm{number}_double"] = doubles[number]
    tables["jisx0208"] = in_g0("ISO-2022-JP-2", b"\x1b$B")
    tables["jisx0212"] = in_g0("ISO-2022-JP-2", b"\x1b$(D")
    tables["iso_ir_165"] = iso_ir_165()
    tables["ibm943"] = shifted("IBM943")
    tables["cp932"] = shifted("CP932")
    tables["gbk"] = two_ranges("GBK", between((0x40, 0x7E), (0x80, 0xFE)))
    tables["big5"] = two_ranges("BIG5", between((0x40, 0x7E), (0xA1, 0xFE)))
    tables["big5_uao"], tables["big5_eten"] = listed("big5-uao.txt"), listed("big5-eten.txt")
    bases = {"big5_uao": "big5", "big5_eten": "big5", "jisx0208": "jisx0213", "ibm943": "jisx0213", "cp932": "jisx0213", "iso_ir_165": "gb2312"}
    for number, base in ((1390, 930), (1364, 933), (1388, 935), (1371, 937)):
        tables[f"ibm{number}_double"] = ebcdic_double(f"IBM{number}")
        bases[f"ibm{number}_double"] = f"ibm{base}_double"
    assert tables["ibm1390_double"].table() == ebcdic_double("IBM1399").table()
    for number in (1390, 1399, 1371):
        tables[f"ibm{number}_single"] = ebcdic_single(f"IBM{number}")
    # The single bytes of these two are those of the older pages.
    for number, base in ((1364, 933), (1388, 935)):
        assert ebcdic_single(f"IBM{number}").table() == tables[f"ibm{base}_single"].table()
    for name, table in tables.items():
        made = table.table(tables.get(bases.get(name)))
        print(f"{name:16} {len(table.cells):6} cells, {len(set(table.cells.values())):6} texts, {len(made):7} bytes")
        (pathlib.Path(folder) / f"{name}.bin").write_bytes(made)


class Codec:
    def __init__(self, name):
        self.name = name

    def read(self, data):
        try:
            return data.decode(self.name)
        except UnicodeDecodeError:
            return None

    def write(self, text):
        try:
            return text.encode(self.name)
        except UnicodeEncodeError:
            return None


class Icu:
    """ICU's converter, set to stop at ill-formed and unmappable input, without fallbacks."""

    def __init__(self, name):
        path = sorted(glob.glob("/usr/lib/*/libicuuc.so.*[0-9]"), key=len)[0]
        self.library, self.version = ctypes.CDLL(path), path.rsplit(".", 1)[1]
        pointer, number, status = ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_int)
        self.error = ctypes.c_int(0)
        run = [pointer, pointer, number, pointer, number, status]
        self.to, self.of = self.function("ucnv_toUChars", number, *run), self.function("ucnv_fromUChars", number, *run)
        opened = self.function("ucnv_open", pointer, ctypes.c_char_p, status)
        self.converter = opened(name.encode(), ctypes.byref(self.error))
        assert self.converter and self.error.value <= 0, name
        for way in ("To", "From"):
            stop = ctypes.cast(getattr(self.library, f"UCNV_{way.upper()}_U_CALLBACK_STOP_{self.version}"), pointer)
            set_stop = self.function(f"ucnv_set{way}UCallBack", None, *[pointer] * 5, status)
            set_stop(self.converter, stop, None, None, None, ctypes.byref(self.error))
        self.function("ucnv_setFallback", None, pointer, ctypes.c_byte)(self.converter, 0)

    def function(self, name, result, *arguments):
        function = getattr(self.library, f"{name}_{self.version}")
        function.restype, function.argtypes = result, arguments
        return function

    def run(self, function, out, room, data, length):
        self.error.value = 0
        written = function(
            self.converter, ctypes.addressof(out), room, ctypes.addressof(data), length, ctypes.byref(self.error)
        )
        return None if self.error.value > 0 else written

    def read(self, data):
        out, src = (ctypes.c_uint16 * 64)(), ctypes.create_string_buffer(data, len(data))
        written = self.run(self.to, out, 64, src, len(data))
        text = written is not None and bytes(out)[: 2 * written].decode("utf-16-le", "replace")
        # A code that it reads as U+FFFD has no mapping.
        return text if text and "\ufffd" not in text else None

    def write(self, text):
        units = text.encode("utf-16-le")
        out, src = ctypes.create_string_buffer(64), ctypes.create_string_buffer(units, len(units))
        written = self.run(self.of, out, 64, src, len(units) // 2)
        return None if written is None else out.raw[:written]


def answer(direction, kind, name):
    peer = {"iconv": Iconv, "python": Codec, "icu": Icu}[kind](name)
    for line in sys.stdin:
        given = bytes.fromhex(line)
        if direction == "read":
            text = peer.read(given)
            found = None if text is None else text.encode()
        else:
            found = peer.write(given.decode())
        print("-" if found is None else found.hex())


if __name__ == "__main__" and len(sys.argv) == 2:
    main(sys.argv[1])
elif __name__ == "__main__":
    answer(*sys.argv[1:])
