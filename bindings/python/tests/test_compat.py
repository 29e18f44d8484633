"""placemat.compat: in the place of chardet, cchardet, charset_normalizer and ftfy, under programs that depend on them."""

from __future__ import annotations

import codecs
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import placemat
from placemat.compat import cchardet, chardet, charset_normalizer, ftfy

RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. "
FRENCH = "L'été à Noël, où êtes-vous ? Ça coûte cher, naïvement, déjà vu. "
JAPANESE = "日本語の文字はカタカナとひらがなと漢字です。東京から大阪まで。"
CHINESE = "我能吞下玻璃而不伤身体。天地玄黄宇宙洪荒"
KOREAN = "나는 유리를 먹을 수 있어요. 그래도 아프지 않아요. "

#: A text, Python's codec, and the names: of chardet, and of charset_normalizer.
TEXTS = [
    ("plain", "ascii", "ascii", "ascii"),
    (FRENCH, "utf-8", "utf-8", "utf_8"),
    (FRENCH, "utf-8-sig", "UTF-8-SIG", "utf_8"),
    (FRENCH, "utf-16", "UTF-16", "utf_16"),
    (FRENCH, "utf-16-be", "utf-16-be", "utf_16_be"),
    (FRENCH, "cp1252", "Windows-1252", "cp1252"),
    (RUSSIAN, "cp1251", "Windows-1251", "cp1251"),
    (RUSSIAN, "koi8-r", "KOI8-R", "koi8_r"),
    (RUSSIAN, "cp866", "IBM866", "cp866"),
    (RUSSIAN, "iso8859-5", "ISO-8859-5", "iso8859_5"),
    (RUSSIAN, "mac_cyrillic", "MacCyrillic", "mac_cyrillic"),
    (JAPANESE, "shift_jis", "CP932", "cp932"),
    (JAPANESE, "euc_jp", "EUC-JP", "euc_jp"),
    (JAPANESE, "iso2022_jp", "ISO-2022-JP", "iso2022_jp"),
    (CHINESE, "gb2312", "GB18030", "gb18030"),
    (KOREAN, "euc_kr", "CP949", "cp949"),
    (KOREAN, "johab", "Johab", "johab"),
]


@pytest.mark.parametrize(("text", "codec", "name", "module"), TEXTS)
def test_names_are_those_of_the_peers_and_of_python(text: str, codec: str, name: str, module: str) -> None:
    text *= 5
    data = text.encode(codec)
    found = chardet.detect(data)
    assert found["encoding"] == name and 0.5 < found["confidence"] <= 1
    assert data.decode(name) == text
    assert chardet.detect_all(data)[0] == found
    detector = chardet.UniversalDetector()
    for at in range(0, len(data), 7):
        detector.feed(data[at : at + 7])
    assert not detector.done and detector.close() == found == detector.result and detector.done
    assert cchardet.detect(data)["encoding"] == name.upper() and data.decode(name.upper()) == text
    best = charset_normalizer.from_bytes(data).best()
    assert best is not None and (best.encoding, str(best)) == (module, text)
    assert best == module and best.output() == text.encode() and best.bom == (codec in ("utf-8-sig", "utf-16"))
    assert charset_normalizer.detect(data)["encoding"] == name


def test_every_name_is_one_of_python() -> None:
    """Whatever is found, `bytes.decode` takes the name."""
    for encoding in placemat.encodings():
        data = placemat.encode(RUSSIAN * 3 + FRENCH * 3 + JAPANESE * 3, encoding, "ignore")
        for found in chardet.detect_all(data, ignore_threshold=True):
            if found["encoding"]:
                codecs.lookup(found["encoding"])
                codecs.lookup(found["encoding"].upper())
        for match in charset_normalizer.from_bytes(data):
            codecs.lookup(match.encoding)
            str(match)


def test_what_is_no_text_has_no_encoding() -> None:
    binary = b"\x7fELF\x02\x01\x01" + bytes(200)
    assert chardet.detect(binary) == {"encoding": None, "confidence": 0.0, "language": None}
    assert cchardet.detect(binary) == {"encoding": None, "confidence": None}
    assert not charset_normalizer.from_bytes(binary) and charset_normalizer.is_binary(binary)
    assert charset_normalizer.detect(binary)["encoding"] is None
    for call in [chardet.detect, cchardet.detect, charset_normalizer.detect]:
        with pytest.raises(TypeError):
            call("text")  # type: ignore[arg-type]


def test_a_detector_can_be_used_again() -> None:
    detector = chardet.UniversalDetector()
    detector.feed((RUSSIAN * 3).encode("koi8-r"))
    assert detector.close()["encoding"] == "KOI8-R"
    detector.feed(b"ignored")
    assert detector.close()["encoding"] == "KOI8-R"
    detector.reset()
    assert detector.result["encoding"] is None and not detector.done
    detector.feed(b"plain")
    assert detector.close()["encoding"] == "ascii"
    with chardet.UniversalDetector(should_rename_legacy=True) as detector:
        detector.feed(b"plain")
    assert detector.result["encoding"] == "Windows-1252"


def test_matches(tmp_path: Path) -> None:
    data = FRENCH.encode("cp1252")
    matches = charset_normalizer.from_bytes(data)
    assert matches["latin_1"] == matches[0] == matches.best() and len(matches) == len(list(matches))
    assert "iso8859_1" in matches[0].could_be_from_charset
    with pytest.raises(KeyError):
        matches["utf_16"]
    only = charset_normalizer.from_bytes(data, cp_isolation=["latin-1"]).best()
    assert only is not None and only.encoding == "iso8859_1" and str(only) == FRENCH
    assert all(match.encoding != "cp1252" for match in charset_normalizer.from_bytes(data, cp_exclusion=["cp1252"]))
    path = tmp_path / "text"
    path.write_bytes(data)
    with path.open("rb") as file:
        assert str(charset_normalizer.from_fp(file).best()) == str(charset_normalizer.from_path(path).best()) == FRENCH
    assert not charset_normalizer.is_binary(path)
    assert (matches[0].language, matches[0].languages, matches[0].alphabets) == ("French", ["French"], ["Latin"])
    empty = charset_normalizer.from_bytes(b"").best()
    assert empty is not None and (str(empty), empty.encoding) == ("", "utf_8")


#: Texts of ftfy's documentation, and what it says they become.
DOCUMENTED = [
    ("âœ” No problems", "✔ No problems"),
    ("The Mona Lisa doesnÃƒÂ¢Ã¢â€šÂ¬Ã¢â€žÂ¢t have eyebrows.", "The Mona Lisa doesn't have eyebrows."),
    ("l’humanitÃ©", "l'humanité"),
    ("&macr;\\_(ã\x83\x84)_/&macr;", "¯\\_(ツ)_/¯"),
    ("ＬＯＵＤ　ＮＯＩＳＥＳ", "LOUD NOISES"),
    ("P&EACUTE;REZ", "PÉREZ"),
    ("\033[36;44mI'm blue, da ba dee da ba doo...\033[0m", "I'm blue, da ba dee da ba doo..."),
    ("This is text\r\nthat is broken", "This is text\nthat is broken"),
    ("ﬂuﬃest", "fluffiest"),
    ("<em>&eacute;</em>", "<em>&eacute;</em>"),
    ("\ufeffParce que", "Parce que"),
    ("\ud83d\ude00 \ud800", "😀 \ufffd"),
]


@pytest.mark.parametrize(("text", "expected"), DOCUMENTED)
def test_ftfy(text: str, expected: str) -> None:
    assert ftfy.fix_text(text) == expected
    explained = ftfy.fix_and_explain(text)
    assert explained.text == expected and explained.explanation is not None
    assert ftfy.apply_plan(text, [tuple(step) for step in explained.explanation]) == expected
    # Text without damage stays as it is.
    assert ftfy.fix_text(expected) == expected and ftfy.fix_and_explain(expected).explanation == []
    assert list(ftfy.fix_file([text])) == [expected]


def test_ftfy_settings() -> None:
    assert ftfy.fix_text("“cafÃ©” &amp;", uncurl_quotes=False, unescape_html=False) == "“café” &amp;"
    assert ftfy.fix_text("cafÃ©", ftfy.TextFixerConfig(fix_encoding=False)) == "cafÃ©"
    assert ftfy.fix_text("e\u0301", normalization=None) == "e\u0301" and ftfy.fix_text("e\u0301") == "é"
    assert ftfy.fix_encoding("“cafÃ©”") == "“café”"
    assert ftfy.guess_bytes(b"\xff\xfeh\x00i\x00")[0] == "hi"
    assert ftfy.guess_bytes(FRENCH.encode()) == (FRENCH, "utf-8")
    assert ftfy.guess_bytes(FRENCH.encode("cp1252")) == (FRENCH, "windows-1252")
    with pytest.raises(TypeError, match="guess_bytes"):
        ftfy.fix_text(b"text")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown step"):
        ftfy.apply_plan("a", [("apply", "magic")])


def test_ftfy_agrees_with_ftfy() -> None:
    peer = pytest.importorskip("ftfy", reason="ftfy is not installed: its answers are NOT compared")
    for text, _ in DOCUMENTED:
        assert ftfy.fix_text(text) == peer.fix_text(text)


def run(program: str) -> str:
    """Runs a program in a process of its own, since it puts placemat in the place of packages."""
    home = str(Path(placemat.__file__).parents[1])
    place = {**os.environ, "PYTHONPATH": os.pathsep.join([home, os.environ.get("PYTHONPATH", "")]), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, env=place)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_install() -> None:
    program = """
import placemat.compat
placemat.compat.install("chardet", "cchardet", "charset_normalizer", "ftfy")
placemat.compat.install("chardet")
import chardet, cchardet, charset_normalizer, ftfy
from chardet.universaldetector import UniversalDetector
for module in (chardet, cchardet, charset_normalizer, ftfy):
    print(module.__name__, UniversalDetector is chardet.UniversalDetector)
"""
    names = ["chardet", "cchardet", "charset_normalizer", "ftfy"]
    assert run(program).splitlines() == [f"placemat.compat.{name} True" for name in names]
    program = """
import sys, types, placemat.compat
sys.modules["ftfy"] = types.ModuleType("ftfy")
for name in ("ftfy", "uchardet"):
    try:
        placemat.compat.install("chardet", name)
    except (RuntimeError, ValueError) as e:
        print(e)
print("chardet" in sys.modules)
"""
    assert run(program).splitlines() == [
        "ftfy is imported already: call placemat.compat.install('ftfy') before anything imports it",
        "placemat has no uchardet; there are chardet, cchardet, charset_normalizer, ftfy",
        "False",
    ]


def needs(name: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(find_spec(name) is None, reason=f"{name} is not installed: NOT tested with placemat.compat")


@needs("requests")
@pytest.mark.parametrize("peer", ["chardet", "charset_normalizer"])
def test_requests(peer: str) -> None:
    program = f"""
import placemat.compat
placemat.compat.install({peer!r})
import sys
sys.modules.setdefault("chardet", None)
import warnings
warnings.simplefilter("error")
import requests
response = requests.Response()
response._content = ({RUSSIAN!r} * 9).encode("koi8-r")
assert response.text == {RUSSIAN!r} * 9
print(requests.compat.chardet.__name__, response.apparent_encoding)
"""
    assert run(program).split()[0] == f"placemat.compat.{peer}"


@needs("bs4")
@pytest.mark.parametrize("peer", ["cchardet", "chardet", "charset_normalizer"])
def test_beautiful_soup(peer: str) -> None:
    # A page in KOI8-R without a declaration, of which some detectors make Shift_JIS.
    program = f"""
import placemat.compat, sys
placemat.compat.install({peer!r})
for other in ("cchardet", "chardet"):
    sys.modules.setdefault(other, None)
import bs4
page = "<html><body><p>" + {RUSSIAN!r} * 3 + "</p></body></html>"
for codec in ("koi8-r", "cp1251", "cp866"):
    soup = bs4.BeautifulSoup(page.encode(codec), "html.parser")
    assert soup.p.text == {RUSSIAN!r} * 3, (codec, soup.original_encoding)
print(bs4.dammit.chardet_module.__name__)
"""
    assert run(program).strip() == f"placemat.compat.{peer}"


@needs("feedparser")
@pytest.mark.parametrize("peer", ["cchardet", "chardet"])
def test_feedparser(peer: str) -> None:
    program = f"""
import placemat.compat, sys
placemat.compat.install({peer!r})
sys.modules.setdefault("cchardet", None)
import feedparser
feed = "<?xml version='1.0'?><rss version='2.0'><channel><title>" + {RUSSIAN!r} + "</title></channel></rss>"
found = feedparser.parse(feed.encode("koi8-r"))
assert found.feed.title == {RUSSIAN!r}.strip(), found.feed.title
print(feedparser.encodings.chardet.__name__, found.encoding)
"""
    assert run(program).split() == [f"placemat.compat.{peer}", "KOI8-R"]
