"""Columns of pyarrow, Polars, pandas, nanoarrow and DuckDB, against `bytes.decode` a row at a time."""

import random
import threading
from pathlib import Path

import pytest
from common import lets_others_run

import placemat
from placemat import arrow

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: columns are NOT tested")

ROWS = ["5 €".encode(), b"caf\xe9", None, b"", b"\xf0\x9f\x98", b"a row of more than twelve bytes \xff", b"plain"]
TYPES = [pa.binary(), pa.large_binary(), pa.binary_view()]


def lossy(rows):
    return [row if row is None else row.decode("utf-8", "replace") for row in rows]


def random_rows(seed, count=3000):
    numbers = random.Random(seed)
    pieces = [b"a", b"text ", "é".encode(), "€".encode(), "😀".encode(), b"\xe2\x82", b"\xac", b"\xff"]
    return [
        None if numbers.random() < 0.1 else b"".join(numbers.choices(pieces, k=numbers.randrange(12)))
        for _ in range(count)
    ]


@pytest.mark.parametrize("of", TYPES, ids=str)
def test_arrays(of):
    for rows in (ROWS, random_rows(1)):
        array = pa.array(rows, of)
        for array, rows in ((array, rows), (array[3:], rows[3:]), (array[:0], [])):
            made = pa.array(arrow.make_valid(array))
            made.validate(full=True)
            assert made.to_pylist() == lossy(rows)
            assert pa.types.is_string(made.type) or pa.types.is_large_string(made.type) or pa.types.is_string_view(made.type)
            valid = [None if row is None else row == row.decode("utf-8", "ignore").encode() for row in rows]
            assert pa.array(arrow.is_valid(array)).to_pylist() == valid
            counts = [None if row is None else len(row.decode("utf-8", "replace")) for row in rows]
            assert pa.array(arrow.count(array)).to_pylist() == counts
            for row, error in zip(rows, pa.array(arrow.first_error(array)).to_pylist()):
                try:
                    assert row is None or row.decode()
                except UnicodeDecodeError as expected:
                    assert (error["offset"], error["length"]) == (expected.start, expected.end - expected.start)
                except AssertionError:
                    assert row == b"" and error is None
                else:
                    assert error is None


def test_chunks_and_dictionaries():
    chunks = pa.chunked_array([pa.array(ROWS), pa.array([], pa.binary()), pa.array(random_rows(2))])
    made = pa.chunked_array(arrow.make_valid(chunks))
    assert made.num_chunks == 3
    assert made.to_pylist() == lossy(chunks.to_pylist())
    empty = pa.chunked_array([], pa.binary())
    assert pa.chunked_array(arrow.make_valid(empty)).type == pa.string()
    coded = pa.array(ROWS * 3).dictionary_encode()
    made = pa.array(arrow.make_valid(coded))
    assert made.to_pylist() == lossy(ROWS * 3)
    assert made.indices.buffers()[1].address == coded.indices.buffers()[1].address


def test_a_clean_column_has_the_same_buffers():
    array = pa.array(["Привет".encode(), None, b"plain"] * 1000)
    made = pa.array(arrow.make_valid(array))
    assert [b and b.address for b in made.buffers()] == [b and b.address for b in array.buffers()]


def test_other_encodings():
    texts = ["Привет, мир", None, "", "№ 5 — «да»"] * 500
    for name in ("cp1251", "koi8-r", "utf-16-le", "utf-8"):
        encoded = pa.array(arrow.encode(pa.array(texts), name, "replace"))
        assert encoded.to_pylist() == [t if t is None else t.encode(name, "replace") for t in texts]
        decoded = pa.array(arrow.decode(encoded, name))
        assert decoded.to_pylist() == [b if b is None else b.decode(name) for b in encoded.to_pylist()]
    between = pa.array(arrow.transcode(pa.array([t and t.encode("cp1251") for t in texts]), "cp1251", "utf-8"))
    assert between.to_pylist() == [t if t is None else t.encode() for t in texts]


def test_errors():
    chunks = pa.chunked_array([[b"good"], [b"good", b"a\xc0\xaf"]])
    with pytest.raises(placemat.DecodeError) as caught:
        arrow.make_valid(chunks, "strict")
    assert (caught.value.row, caught.value.offset, caught.value.code) == (2, 1, "overlong-2")
    with pytest.raises(placemat.EncodeError) as caught:
        arrow.encode(pa.array(["été", "5 €"]), "latin-1")
    assert (caught.value.row, caught.value.object) == (1, "€")
    assert pa.chunked_array(arrow.make_valid(chunks, "null")).to_pylist() == ["good", "good", None]
    # A surrogate is well-formed in WTF-8, and no column holds it.
    surrogate = pa.array(["a".encode(), b"\xed\xa0\x80"])
    with pytest.raises(placemat.EncodeError, match="row 1, offset 0: .* surrogate U\\+D800") as caught:
        arrow.decode(surrogate, "wtf-8")
    assert (caught.value.row, caught.value.object) == (1, "\ud800")
    for errors, row in [("replace", "\ufffd"), ("ignore", ""), ("question", "?"), ("null", None)]:
        assert pa.array(arrow.decode(surrogate, "wtf-8", errors)).to_pylist() == ["a", row]
    with pytest.raises(TypeError, match="Int64"):
        arrow.is_valid(pa.array([1]))
    with pytest.raises(TypeError, match='select one of its columns, such as "text"'):
        arrow.is_valid(pa.table({"text": ["a"]}))
    with pytest.raises(TypeError, match="variable length: cast it"):
        arrow.is_valid(pa.array([b"abc"], pa.binary(3)))
    with pytest.raises(TypeError, match="PyCapsule"):
        arrow.is_valid([b"a"])
    with pytest.raises(LookupError):
        arrow.decode(pa.array(ROWS), "no such encoding at all")
    with pytest.raises(ValueError, match="register_error"):
        arrow.decode(pa.array(ROWS), "utf-8", "namereplace")


class Once:
    """Gives the same capsules at each call, as no producer should."""

    def __init__(self, column):
        if isinstance(column, pa.Array):
            capsules = column.__arrow_c_array__()
            self.__arrow_c_array__ = lambda requested_schema=None: capsules
        else:
            capsule = column.__arrow_c_stream__()
            self.__arrow_c_stream__ = lambda requested_schema=None: capsule


@pytest.mark.parametrize("column", [pa.array(ROWS), pa.chunked_array([ROWS])], ids=["array", "stream"])
def test_capsules_are_consumed_once(column):
    once = Once(column)
    arrow.is_valid(once)
    with pytest.raises(ValueError, match="consumed"):
        arrow.is_valid(once)
    # A result gives new capsules at each call, and may be dropped with capsules that nobody consumed.
    made = arrow.make_valid(column)
    for _ in range(3):
        assert pa.chunked_array(made if hasattr(made, "__arrow_c_stream__") else [pa.array(made)]).to_pylist() == lossy(ROWS)
    (made.__arrow_c_stream__ if hasattr(made, "__arrow_c_stream__") else made.__arrow_c_array__)()
    made.__arrow_c_schema__()


class Producer:
    """Whatever a faulty producer gives."""

    def __init__(self, give):
        self.give = give

    def __arrow_c_array__(self, requested_schema=None):
        return self.give()


def test_faulty_producers():
    capsules = {
        of: pa.array([], of).__arrow_c_array__
        for of in [pa.string(), pa.large_binary(), pa.binary_view(), pa.int64(), pa.dictionary(pa.int8(), pa.string()), pa.null()]
    }
    for of, one in capsules.items():
        for other, two in capsules.items():
            # Arrays of these three have as many buffers.
            if of != other and not {of, other} <= {pa.string(), pa.large_binary(), pa.binary_view()}:
                with pytest.raises((ValueError, TypeError), match="buffers of its type|variable length"):
                    arrow.is_valid(Producer(lambda: (one()[0], two()[1])))
    with pytest.raises(RuntimeError, match="mine"):
        arrow.is_valid(Producer(lambda: (_ for _ in ()).throw(RuntimeError("mine"))))
    for wrong in [1, ("a", "b"), (), tuple(reversed(capsules[pa.string()]()))]:
        with pytest.raises((TypeError, ValueError, IndexError)):
            arrow.is_valid(Producer(lambda: wrong))


def test_buffers_without_alignment():
    offsets = b"\0" + b"".join(n.to_bytes(4, "little") for n in (0, 4, 7))
    buffer = pa.py_buffer(offsets)[1:]
    array = pa.Array.from_buffers(pa.binary(), 2, [None, buffer, pa.py_buffer("a€caf".encode())])
    if array.buffers()[1].address % 4 == 0:
        pytest.skip("the memory happens to be aligned")
    with pytest.raises(ValueError, match="aligned"):
        arrow.make_valid(array)


def test_threads():
    array = pa.array([b"a text of some bytes \xff"] * 100_000)
    expected = pa.array(arrow.make_valid(array))
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(pa.array(arrow.make_valid(array)).equals(expected)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_other_threads_run_meanwhile():
    array = pa.array([b"a text of some bytes \xff"] * 100_000)
    for call in (arrow.make_valid, arrow.is_valid, arrow.count, lambda column: arrow.decode(column, "cp1252")):
        assert lets_others_run(lambda: call(array))


def test_detection_and_repair():
    rows = ["naïve café".encode(), b"d\xe9j\xe0 vu", None, b"", "cafÃ© crème".encode(), b"plain", b"\x00\x01\xff"]
    for column in (pa.array(rows), pa.array(rows * 2).dictionary_encode()[: len(rows)], pa.array(rows, pa.binary_view())):
        found = pa.array(arrow.detect(column))
        found.validate(full=True)
        repaired = pa.array(arrow.repair(column, min_confidence=0.5))
        repaired.validate(full=True)
        for row, detected, mended in zip(rows, found.to_pylist(), repaired.to_pylist()):
            if row is None:
                assert detected is None and mended is None
                continue
            one = placemat.detect(row)
            assert detected["verdict"] == one.verdict and detected["encoding"] == one.encoding
            assert detected["confidence"] == pytest.approx(one.confidence, abs=1e-6)
            assert detected["first_non_ascii"] == one.first_non_ascii and detected["mixed"] == one.mixed
            one = placemat.repair(row, min_confidence=0.5)
            assert (mended["text"], mended["encoding"]) == (one.text, one.encoding)
            assert [(c["offset"], c["before"], c["after"]) for c in mended["changes"]] == [
                (c.offset, c.before, c.after) for c in one.changes
            ]
    chunks = pa.chunked_array([rows[:3], [], rows[3:]])
    assert pa.chunked_array(arrow.repair(chunks)).to_pylist() == pa.array(arrow.repair(pa.array(rows))).to_pylist()
    assert pa.chunked_array(arrow.detect(pa.chunked_array([], pa.binary()))).to_pylist() == []
    assert pa.array(arrow.repair(pa.array(["cafÃ©"]), steps=[])).field("text").to_pylist() == ["cafÃ©"]
    with pytest.raises(ValueError, match="unknown step"):
        arrow.repair(pa.array(rows), steps=["magic"])
    with pytest.raises(TypeError, match="steps is a list"):
        arrow.repair(pa.array(rows), steps="bytes")
    with pytest.raises(TypeError, match="Int64"):
        arrow.detect(pa.array([1]))


def test_polars():
    pl = pytest.importorskip("polars", reason="polars is not installed: NOT tested")
    import placemat.polars  # noqa: F401

    series = pl.Series("body", ROWS, pl.Binary)
    assert pl.Series(arrow.make_valid(series)).to_list() == lossy(ROWS)
    frame = pl.DataFrame([series])
    column = pl.col("body").placemat
    assert frame.select(column.make_valid())["body"].to_list() == lossy(ROWS)
    assert frame.lazy().select(column.is_valid()).collect()["body"].to_list()[:3] == [True, False, None]
    decoded = frame.select(column.decode("latin-1"))["body"].to_list()
    assert decoded == [row if row is None else row.decode("latin-1") for row in ROWS]
    back = frame.select(column.decode("latin-1").placemat.encode("latin-1"))["body"].to_list()
    assert back == ROWS
    # Polars may divide the rows among threads, and then raises the error of any of them, with the row in its part.
    for column in (frame, frame.lazy()):
        with pytest.raises(pl.exceptions.ComputeError, match=r"row \d, byte \d: "):
            column.select(pl.col("body").placemat.decode()).lazy().collect()
        with pytest.raises(pl.exceptions.ComputeError, match="row \\d, offset 2: .* U\\+20AC"):
            column.select(pl.col("body").placemat.make_valid().placemat.encode("latin-1")).lazy().collect()
    made = frame.lazy().select(
        error=column_of(pl).first_error(),
        found=column_of(pl).detect(),
        repaired=column_of(pl).repair(min_confidence=0.25),
        utf16=column_of(pl).transcode("latin-1", "utf-16-le"),
    )
    schema = made.collect_schema()
    made = made.collect()
    assert made.schema == schema
    assert made["error"].to_list() == pa.array(arrow.first_error(pa.array(ROWS))).to_pylist()
    assert made["found"].to_list() == pa.array(arrow.detect(pa.array(ROWS))).to_pylist()
    assert made["repaired"].to_list() == pa.array(arrow.repair(pa.array(ROWS), min_confidence=0.25)).to_pylist()
    utf16 = [row if row is None else row.decode("latin-1").encode("utf-16-le") for row in ROWS]
    assert made["utf16"].to_list() == utf16


def column_of(pl):
    return pl.col("body").placemat


def test_pandas():
    pd = pytest.importorskip("pandas", reason="pandas is not installed: NOT tested")
    series = pd.Series(ROWS, dtype=pd.ArrowDtype(pa.binary()))
    assert pa.chunked_array(arrow.make_valid(series)).to_pylist() == lossy(ROWS)


def test_nanoarrow():
    na = pytest.importorskip("nanoarrow", reason="nanoarrow is not installed: NOT tested")
    column = na.Array(ROWS, na.binary())
    assert na.Array(arrow.make_valid(column)).to_pylist() == lossy(ROWS)


def test_duckdb():
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed: NOT tested")
    import placemat.duckdb

    connection = duckdb.connect()
    placemat.duckdb.register(connection)
    connection.execute("CREATE TABLE t (i INTEGER, body BLOB, name VARCHAR)")
    for i, row in enumerate(ROWS):
        connection.execute("INSERT INTO t VALUES (?, ?, ?)", [i, row, ["utf-8", "latin-1"][i % 2]])
    query = "SELECT placemat_make_valid(body), placemat_decode(body, 'latin-1'), placemat_decode(body, name) FROM t ORDER BY i"
    one, two, three = zip(*connection.execute(query).fetchall())
    assert list(one) == lossy(ROWS)
    assert list(two) == [row if row is None else row.decode("latin-1") for row in ROWS]
    names = ["utf-8", "latin-1"] * 4
    assert list(three) == [row if row is None else row.decode(n, "replace") for row, n in zip(ROWS, names)]
    assert connection.execute("SELECT placemat_encode('5 é', 'latin-1')").fetchone() == (b"5 \xe9",)
    query = "SELECT placemat_make_valid(body, 'ignore'), placemat_decode(body, name, 'null') FROM t ORDER BY i"
    one, two = zip(*connection.execute(query).fetchall())
    assert list(one) == [row if row is None else row.decode("utf-8", "ignore") for row in ROWS]
    by_name = [(row, name) for row, name in zip(ROWS, names)]
    nulls = pa.array(arrow.decode(pa.array(ROWS), "utf-8", "null")).to_pylist()
    assert list(two) == [
        null if name == "utf-8" or row is None else row.decode(name) for null, (row, name) in zip(nulls, by_name)
    ]
    query = "SELECT placemat_encode('5 €', 'latin-1', 'xmlcharrefreplace')"
    assert connection.execute(query).fetchone() == (b"5 &#8364;",)
    with pytest.raises(duckdb.Error, match="row 0, byte 3"):
        connection.execute("SELECT placemat_decode('caf\\xE9'::BLOB, 'utf-8', 'strict')").fetchone()
    with pytest.raises(duckdb.Error, match="takes 2 or 3 arguments"):
        connection.execute("SELECT placemat_decode('a'::BLOB)").fetchone()


TEXTS = [b"\xcf\xf0\xe8\xe2\xe5\xf2", b"caf\xe9", None, b"", b"plain"]


def expected():
    return [row if row is None else row.decode("windows-1251") for row in TEXTS]


def decoded(column):
    """Returns a column of pyarrow that was decoded from windows-1251."""
    made = arrow.decode(column, "windows-1251")
    return pa.chunked_array(made) if isinstance(made, arrow.ArrowStream) else pa.array(made)


def test_datafusion():
    datafusion = pytest.importorskip("datafusion", reason="datafusion is not installed: NOT tested")

    def decode(column: pa.Array) -> pa.Array:
        return decoded(column)

    context = datafusion.SessionContext()
    context.register_udf(datafusion.udf(decode, [pa.binary()], pa.string(), "immutable", name="decode_1251"))
    context.register_record_batches("t", [[pa.record_batch({"body": pa.array(TEXTS)})]])
    made = context.sql("SELECT decode_1251(body) AS body FROM t").to_pydict()
    assert made == {"body": expected()}


def test_daft():
    daft = pytest.importorskip("daft", reason="daft is not installed: NOT tested")

    @daft.func.batch(return_dtype=daft.DataType.string())
    def decode(body):
        return daft.Series.from_arrow(decoded(body.to_arrow()))

    frame = daft.from_arrow(pa.table({"body": pa.array(TEXTS, pa.large_binary())}))
    assert frame.select(decode(frame["body"])).to_pydict() == {"body": expected()}


def test_dask():
    frames = pytest.importorskip("dask.dataframe", reason="dask is not installed: NOT tested")
    pd = pytest.importorskip("pandas", reason="pandas is not installed: NOT tested")

    def decode(part):
        text = pd.arrays.ArrowExtensionArray(decoded(part["body"]))
        return part.assign(body=pd.Series(text, index=part.index))

    frame = pd.DataFrame({"body": pd.Series(TEXTS, dtype=pd.ArrowDtype(pa.binary()))})
    made = frames.from_pandas(frame, npartitions=2).map_partitions(decode).compute()
    assert [None if pd.isna(text) else text for text in made["body"]] == expected()


def test_ray(monkeypatch):
    ray = pytest.importorskip("ray", reason="ray is not installed: NOT tested")

    def decode(batch):
        # Ray runs this in other processes.
        import pyarrow
        from placemat import arrow

        body = pyarrow.chunked_array(arrow.decode(batch["body"], "windows-1251"))
        return batch.set_column(batch.schema.get_field_index("body"), "body", body)

    # Other processes find the package that is tested.
    place = str(Path(placemat.__file__).parent.parent)
    monkeypatch.setenv("PYTHONPATH", place)
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        rows = ray.data.from_arrow(pa.table({"body": TEXTS})).map_batches(decode, batch_format="pyarrow").take_all()
    finally:
        ray.shutdown()
    assert [row["body"] for row in rows] == expected()


def test_spark_functions():
    import placemat.spark

    batch = pa.record_batch({"id": list(range(len(ROWS))), "body": ROWS})
    (made,) = placemat.spark.decoding("body", "utf-8")([batch])
    assert made.to_pydict() == {"id": list(range(len(ROWS))), "body": lossy(ROWS)}
    with pytest.raises(KeyError):
        list(placemat.spark.making_valid("none")([batch]))
