"""The code point of each byte in CPython, iconv(3) of the C library and ICU, for every charset that they have.

Reads lines `name label label ...`; for each peer and each of its charsets that one of the names means, writes
`name peer peer's-name` and 256 code points, `----` for none; then `code point=bytes` for each code point that the peer
writes as other bytes than it was read from. Charsets with sequences of several bytes are left out."""
import codecs
import ctypes
import glob
import sys


def other_bytes(table, write):
    """The code points that the peer writes as other bytes than it read them from, with those bytes."""
    found = []
    for byte, c in enumerate(table):
        if c is not None and (written := write(c)) != bytes([byte]):
            found.append(f"{c:04x}={written.hex() or '--'}")
    return found


def python(label):
    try:
        codec = codecs.lookup(label)
        table = []
        for byte in range(256):
            try:
                text = codec.decode(bytes([byte]))[0]
            except UnicodeDecodeError as error:
                if "incomplete" in error.reason or "multibyte" in error.reason:
                    return None
                text = None
            if text is not None and len(text) != 1:
                return None
            table.append(text and ord(text))

        def write(c):
            try:
                return codec.encode(chr(c))[0]
            except UnicodeEncodeError:
                return b""

        return codec.name, table, other_bytes(table, write)
    except Exception:
        return None


libc = ctypes.CDLL(None, use_errno=True)
libc.iconv_open.restype = ctypes.c_void_p
libc.iconv_open.argtypes = [ctypes.c_char_p] * 2
libc.iconv.restype = ctypes.c_size_t
libc.iconv.argtypes = [ctypes.c_void_p] * 5
libc.iconv_close.argtypes = [ctypes.c_void_p]
FAILED = ctypes.c_size_t(-1).value


def iconv(label):
    handle = libc.iconv_open(b"UTF-32LE", label.encode())
    if handle in (None, FAILED):
        return None
    table = []
    for byte in range(256):
        source, target = ctypes.create_string_buffer(bytes([byte]), 1), ctypes.create_string_buffer(64)
        at, to = ctypes.c_void_p(ctypes.addressof(source)), ctypes.c_void_p(ctypes.addressof(target))
        left, room = ctypes.c_size_t(1), ctypes.c_size_t(64)
        libc.iconv(handle, None, None, None, None)
        where = [ctypes.addressof(x) for x in (at, left, to, room)]
        if libc.iconv(handle, *where) == FAILED:
            if ctypes.get_errno() == 22:
                table = None
                break
            table.append(None)
            continue
        # Some charsets hold a letter back, because an accent may follow.
        libc.iconv(handle, None, None, *where[2:])
        if room.value != 60:
            table = None
            break
        table.append(int.from_bytes(target.raw[:4], "little"))
    libc.iconv_close(handle)
    return table and (label, table, other_bytes(table, iconv_writer(label)))


def iconv_writer(label):
    handle = libc.iconv_open(label.encode(), b"UTF-32LE")

    def write(c):
        source, target = ctypes.create_string_buffer(c.to_bytes(4, "little"), 4), ctypes.create_string_buffer(64)
        at, to = ctypes.c_void_p(ctypes.addressof(source)), ctypes.c_void_p(ctypes.addressof(target))
        left, room = ctypes.c_size_t(4), ctypes.c_size_t(64)
        where = [ctypes.addressof(x) for x in (at, left, to, room)]
        libc.iconv(handle, None, None, None, None)
        if libc.iconv(handle, *where) == FAILED:
            return b""
        libc.iconv(handle, None, None, *where[2:])
        return target.raw[: 64 - room.value]

    return write


found = sorted(glob.glob("/usr/lib/*/libicuuc.so.*[0-9]"), key=len)
icu_library = ctypes.CDLL(found[0]) if found else None
version = found[0].rsplit(".", 1)[1] if found else ""


def icu_function(name, result, *arguments):
    function = getattr(icu_library, f"{name}_{version}")
    function.restype, function.argtypes = result, arguments
    return function


if icu_library:
    status = ctypes.POINTER(ctypes.c_int)
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    ucnv_open = icu_function("ucnv_open", pointer, text, status)
    ucnv_close = icu_function("ucnv_close", None, pointer)
    ucnv_name = icu_function("ucnv_getName", text, pointer, status)
    ucnv_to = icu_function("ucnv_toUChars", ctypes.c_int, pointer, pointer, ctypes.c_int, text, ctypes.c_int, status)
    ucnv_set = icu_function("ucnv_setToUCallBack", None, pointer, pointer, pointer, pointer, pointer, status)
    ucnv_from = icu_function("ucnv_fromUChars", ctypes.c_int, pointer, pointer, ctypes.c_int, pointer, ctypes.c_int, status)
    ucnv_set_from = icu_function("ucnv_setFromUCallBack", None, pointer, pointer, pointer, pointer, pointer, status)
    ucnv_fallback = icu_function("ucnv_setFallback", None, pointer, ctypes.c_byte)
    stop_from = ctypes.cast(getattr(icu_library, f"UCNV_FROM_U_CALLBACK_STOP_{version}"), pointer)
    stop = ctypes.cast(getattr(icu_library, f"UCNV_TO_U_CALLBACK_STOP_{version}"), pointer)


def icu(label):
    if not icu_library:
        return None
    error = ctypes.c_int(0)
    converter = ucnv_open(label.encode(), ctypes.byref(error))
    if not converter or error.value > 0:
        return None
    name = ucnv_name(converter, ctypes.byref(error)).decode()
    ucnv_set(converter, stop, None, None, None, ctypes.byref(error))
    table = []
    for byte in range(256):
        error = ctypes.c_int(0)
        units = (ctypes.c_uint16 * 16)()
        length = ucnv_to(converter, ctypes.addressof(units), 16, bytes([byte]), 1, ctypes.byref(error))
        # U_INVALID_CHAR_FOUND and U_ILLEGAL_CHAR_FOUND.
        if error.value in (10, 12):
            table.append(None)
        elif error.value > 0 or length != 1:
            table = None
            break
        else:
            table.append(None if units[0] == 0xFFFD else units[0])
    found = table and other_bytes(table, icu_writer(converter))
    ucnv_close(converter)
    return table and (name, table, found)


def icu_writer(converter):
    error = ctypes.c_int(0)
    ucnv_set_from(converter, stop_from, None, None, None, ctypes.byref(error))
    ucnv_fallback(converter, 0)

    def write(c):
        error = ctypes.c_int(0)
        units, out = (ctypes.c_uint16 * 1)(c), ctypes.create_string_buffer(16)
        length = ucnv_from(converter, ctypes.addressof(out), 16, ctypes.addressof(units), 1, ctypes.byref(error))
        return b"" if error.value > 0 else out.raw[:length]

    return write


for line in sys.stdin:
    charset, *labels = line.split()
    for peer in (python, iconv, icu):
        names, tables = set(), []
        for label in labels:
            one = peer(label)
            if one and one[0] not in names and one[1] not in tables:
                names.add(one[0])
                tables.append(one[1])
                cells = ("----" if c is None else f"{c:04x}" for c in one[1])
                print(charset, peer.__name__, one[0], *cells, *one[2])
