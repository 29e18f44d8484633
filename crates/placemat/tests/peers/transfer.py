"""Writes tests/vectors/transfer.jsonl: the answers of Python for the transfer encodings.

    python3 transfer.py > ../vectors/transfer.jsonl

Every line is a fact of Python's base64, quopri, urllib.parse, html and json (3.11); bytes are in hexadecimal.
`decode`: `in` decodes to `want`. `encode`: `in` is encoded as `want`. The suite has the errors, with their places.
"""
import ast, base64, html, html.entities, json, quopri, random, re, urllib.parse

random.seed(4)
TEXTS = ["", "a", "ab", "abc", "abcd", "caf\u00e9", "5 \u20ac", "\U0001f600!", "a b+c/d?e=f&g~h*i-j_k.l", "x=y\n", "tab\t\nspace \n",
         "end ", "end\t", " \n", "\n\n", "a\r\nb \r\nc", "lone\rreturn", "\x00\x01\x1f\x7f\x80\x9f\xa0", "<a href=\"x\">'&amp;'</a>",
         "\"quoted\" \\ / \b\f\n\r\t", "\u2028\u2029\ufeff\ufffd\uffff\U0010ffff", "%41 =41 &#65; \\u0041",
         "\u0939\u093f\u0928\u094d\u0926\u0940 \u4e2d\u6587 \ud55c\uad6d\uc5b4 \u0440\u0443\u0441\u0441\u043a\u0438\u0439"]
TEXTS += ["x" * n for n in (73, 74, 75, 76, 77, 152, 200)] + ["x" * n + "\ny" for n in (74, 75, 76, 77)]
TEXTS += ["x" * n + "\u00e9" for n in range(70, 78)] + ["\u00e9" * 40, ("word " * 30 + "\n") * 2]
SOME = list("abcXYZ019 \t\n=%&;+/-_~*.\\\"'<>") + ["\r\n", "\u00e9", "\u20ac", "\U0001f600"]
TEXTS += ["".join(random.choices(SOME, k=random.randrange(1, 60))) for _ in range(40)]
BYTES = [t.encode() for t in TEXTS] + [bytes(range(256)), b"\xff\xfe\xfd", b"\xc0\xaf", b"\xed\xa0\x80"]
BYTES += [random.randbytes(random.randrange(1, 50)) for _ in range(20)]


def fact(transfer, op, src, want):
    as_bytes = lambda x: x.encode() if isinstance(x, str) else x
    print(json.dumps({"transfer": transfer, "op": op, "in": as_bytes(src).hex(), "want": as_bytes(want).hex()}))


def both(transfer, plain, written):
    fact(transfer, "encode", plain, written)
    fact(transfer, "decode", written, plain)


for b in BYTES:
    both("base64", b, base64.b64encode(b))
    fact("base64", "encode-lf", b, base64.encodebytes(b))
    fact("base64", "decode", base64.encodebytes(b).replace(b"\n", b"\r\n"), b)
    both("base64url", b, base64.urlsafe_b64encode(b).rstrip(b"="))
    fact("base64url", "decode", base64.urlsafe_b64encode(b), b)
    both("percent", b, urllib.parse.quote_from_bytes(b, safe=""))
    fact("percent", "decode", urllib.parse.quote_from_bytes(b, safe="+&=/").lower(), urllib.parse.unquote_to_bytes(urllib.parse.quote_from_bytes(b, safe="+&=/").lower()))
    # The URL Standard leaves * and encodes ~; Python does the reverse.
    both("form", b, urllib.parse.quote_plus(b, safe="*").replace("~", "%7E"))
    fact("form", "decode", urllib.parse.quote_plus(b), b)
    for quote_all in (False, True):
        written = quopri.encodestring(b, quotetabs=quote_all)
        # Python unifies all line ends, leaves a lone CR as it is, which RFC 2045 forbids, and does not treat the end of
        # the text as the end of a line.
        if quopri.decodestring(written) != b or re.search(rb"\r(?!\n)|[ \t]$", written):
            continue
        fact("quoted-printable", "decode", written, b)
        # Python writes a lone dot as =2E, for SMTP, does not see the line end in CR LF when it looks ahead, and writes a
        # space at the end of a line after the 76 characters allowed.
        lines = written.split(b"\n")
        if not quote_all and b"=2E" not in written and b"\r\n" not in b and all(len(line) <= 76 for line in lines):
            fact("quoted-printable", "encode-lf", b, written)
for t in TEXTS:
    both("references", t, html.escape(t))
    if not any(c in t for c in "&\x00"):
        numbered = "".join("&#%d;" % ord(c) if ord(c) > 159 else c for c in t)
        assert html.unescape(numbered) == t or "\uffff" in t
        if "\uffff" not in t:
            fact("references", "decode", numbered, t)
            fact("references", "decode", "".join("&#x%x;" % ord(c) if ord(c) > 159 else c for c in t), t)
    both("escapes", t, json.dumps(t)[1:-1])
    assert json.loads('"%s"' % json.dumps(t)[1:-1]) == t
    fact("escapes", "decode", json.dumps(t, ensure_ascii=False)[1:-1], t)
    if "'" not in t:
        assert ast.literal_eval(ascii(t)) == t
        # Below U+0100, Python escapes code points in the form that is for bytes here.
        if not any(c == "\x00" or "\x80" <= c <= "\xff" for c in t):
            fact("escapes", "decode", ascii(t)[1:-1], t)
        for written in (repr(t.encode())[2:-1], "".join("\\%03o" % byte for byte in t.encode())):
            assert ast.literal_eval("b'%s'" % written.replace('"', '\\"')) == t.encode()
            fact("escapes", "decode", written, t)
for name, value in html.entities.html5.items():
    if name.endswith(";"):
        fact("references", "decode", f"[&{name}]", f"[{value}]")
for text in ["AT&T", "a & b", "&", "&&", "&;", "R&D&", "&#x41;&#65;&#0000000065;", "&lt;&amp;lt;", "&zzz", "&a&b", "&x=1&y=2"]:
    fact("references", "decode", text, html.unescape(text))
