#!/usr/bin/env python3
"""Damaged text, from clean text.

    damage.py CORPUS tuning|fresh OUT [--kind mojibake|wild|legacy|bytes] [--per N] [--seed N]

OUT has lines of an id, a group, the damaged text in hexadecimal, and what is wanted in hexadecimal; several results that are
equally right stand with `|` between them.  Where a part of the text is lost, `/` parts the pieces of the result, and `,` their
alternatives: the character itself, U+FFFD, or what is left of it.  Paragraphs are split between tuning and fresh sets as in samples.py.

mojibake  text read by a wrong page, once or twice, where each byte has a character
wild      the same with a second accident, as files on the web and in mailboxes have it; see WILD
legacy    text in one legacy encoding that was read as another
bytes     UTF-8 with a line or a word in a legacy encoding
"""

import argparse
import collections
import html.entities
import random
import re
import sys

from legacy import natural_pairs
from samples import paragraphs

LANGUAGES = (
    "af am ar az be bg bn br ca cs cy da de el eo es et eu fa fi fr ga gl gu he hi hr hsb hu hy id is it ja ka kk km kn ko lb lt lv mk ml "
    "mr ms nb nl nn oc pl pt ro ru si sk sl sq sr sv ta te tg th tr uk ur vi zh-Hans zh-Hant"
).split()
SINGLE = (
    "latin1 cp1252 cp1250 cp1251 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp437 cp737 cp775 cp850 cp852 cp855 cp857 cp858 cp860 "
    "cp862 cp863 cp865 cp866 cp874 mac_roman mac_latin2 mac_cyrillic mac_greek mac_turkish koi8-r koi8-u iso8859-2 iso8859-4 "
    "iso8859-5 iso8859-7 iso8859-9 iso8859-10 iso8859-13 iso8859-14 iso8859-15 iso8859-16"
).split()
DOUBLE = "gb18030 gbk cp932 cp949 cp950 euc_jp euc_kr big5hkscs".split()


def misread(text, page):
    """UTF-8 read by a page; None where a byte has no character.  Pages of Windows give C1 for bytes they lack, as browsers do."""
    data = text.encode()
    if page in DOUBLE:
        try:
            found = data.decode(page)
            return found if found.encode(page) == data else None
        except UnicodeError:
            return None
    out = []
    for b in data:
        try:
            out.append(bytes([b]).decode(page))
        except UnicodeDecodeError:
            if not page.startswith("cp125") or not 0x80 <= b < 0xA0:
                return None
            out.append(chr(b))
    return "".join(out)


def lines_of(args, language):
    found = []
    for domain in ("near", "far"):
        for text in paragraphs(args.corpus, domain, language, args.set == "tuning"):
            if 25 <= len(text) <= 500 and sum(ord(c) > 127 for c in text) >= 2:
                found.append(text)
    return found


def cut(text, rnd):
    """At most 120 characters, from a word on, with two that are not ASCII."""
    if len(text) > 120:
        text = text[:text.rfind(" ", 0, 120)] if " " in text[:120] else text[:60]
    return text if sum(ord(c) > 127 for c in text) >= 2 else None


def mojibake(lines, rnd, per):
    for page in SINGLE + DOUBLE:
        for depth in ("single", "double", "two pages"):
            if depth == "two pages" and page in ("latin1", "cp1252"):
                continue
            for _ in range(per):
                text = cut(rnd.choice(lines), rnd)
                if text is None:
                    continue
                broken = misread(text, page)
                if broken and depth == "double":
                    broken = misread(broken, page)
                elif broken and depth == "two pages":
                    broken = misread(broken, "cp1252")
                yield f"{depth} {page}", broken, [text], text


def lost_after(text, page, change):
    """Mojibake of which some characters are changed: what is damaged, and the pieces of a right result; None if no character is
    changed."""
    broken, wanted, lost = "", [], False
    for c in text:
        piece = misread(c, page)
        if piece is None:
            return None
        kept = change(piece)
        broken += kept
        if kept == piece:
            wanted.append([c])
        else:
            lost = True
            wanted.append([c, "\ufffd", kept, "\ufffd" * len(kept)])
    return (broken, wanted) if lost else None


C1 = "".join(map(chr, range(0x80, 0xA0)))


def nbsp_as_space(text, rnd):
    broken = misread(text, "cp1252")
    if broken is None or "\xa0" not in broken or "\xa0" in text:
        return None
    return broken.replace("\xa0", " "), [text]


def c1_dropped(text, rnd):
    return lost_after(text, "cp1252", lambda piece: "".join(x for x in piece if x not in C1))


def c1_as_replacement(text, rnd):
    return lost_after(text, "cp1252", lambda piece: "".join("\ufffd" if x in C1 else x for x in piece))


def entities(text, rnd):
    broken = misread(text, "cp1252")
    if broken is None:
        return None
    form = rnd.choice(["named", "decimal", "hexadecimal"])
    out = []
    for c in broken:
        if ord(c) < 128:
            out.append(c)
        elif form == "named" and ord(c) in html.entities.codepoint2name:
            out.append(f"&{html.entities.codepoint2name[ord(c)]};")
        else:
            out.append(f"&#x{ord(c):x};" if form == "hexadecimal" else f"&#{ord(c)};")
    return "".join(out), [text]


def part_of_line(text, rnd):
    """Half of the line was pasted from elsewhere."""
    at = text.find(" ", len(text) // 2)
    if at < 0 or text[:at].isascii() or text[at:].isascii():
        return None
    page = rnd.choice(["cp1252", "latin1", "cp1252", "cp437", "mac_roman"])
    broken = misread(text[at:], page)
    return None if broken is None else (text[:at] + broken, [text])


def two_steps(text, rnd):
    """Twice misread, and a space for each no-break space in between or at the end."""
    once = misread(text, "cp1252")
    if once is None or "\xa0" in text:
        return None
    twice = misread(once, "cp1252")
    if twice is None or "\xa0" not in twice:
        return None
    return twice.replace("\xa0", " "), [text]


def cut_at_end(text, rnd):
    """A field of a database took no more: the last sequence is cut."""
    last = max(i for i, c in enumerate(text) if ord(c) > 127)
    broken = misread(text[:last + 1], "cp1252")
    if broken is None or len(text[last].encode()) < 2:
        return None
    kept = text[:last]
    rest = misread(text[last], "cp1252")[:-1]
    return broken[:-1], [text[:last + 1], kept + "\ufffd", kept + rest, kept]


def quotes_made_straight(text, rnd):
    """An editor made straight quotes of the curly ones among the pieces."""
    straight = str.maketrans("“”‘’", "\"\"''")
    return lost_after(text, "cp1252", lambda piece: piece.translate(straight))


def mixed_pages(text, rnd):
    """The first half misread by one page, the second by another."""
    at = text.find(" ", len(text) // 2)
    if at < 0 or text[:at].isascii() or text[at:].isascii():
        return None
    one, two = rnd.sample(["cp1252", "latin1", "cp437", "mac_roman", "cp1250", "cp850"], 2)
    a, b = misread(text[:at], one), misread(text[at:], two)
    return None if a is None or b is None else (a + b, [text])


def crlf_and_mark(text, rnd):
    """A signature that was misread too, and a line end of Windows."""
    broken = misread(text, "cp1252")
    return None if broken is None else ("ï»¿" + broken + "\r\n", [text + "\r\n", "\ufeff" + text + "\r\n", text + "\n"])


def quoted_in_markup(text, rnd):
    broken = misread(text, "cp1252")
    if broken is None or set(text) & set("<>&\"'"):
        return None
    return f'<p class="x">{broken}</p>', [f'<p class="x">{text}</p>']


def a_word_only(text, rnd):
    """One word of a clean line."""
    words = [w for w in set(re.findall(r"\S+", text)) if sum(ord(c) > 127 for c in w) >= 1 and len(w) > 3]
    if not words:
        return None
    word = rnd.choice(sorted(words))
    broken = misread(word, "cp1252")
    return None if broken is None else (text.replace(word, broken, 1), [text])


WILD = {
    "a space for each no-break space": nbsp_as_space,
    "control characters dropped": c1_dropped,
    "control characters replaced by U+FFFD": c1_as_replacement,
    "pieces as character references": entities,
    "second half of a line": part_of_line,
    "twice, with spaces for no-break spaces": two_steps,
    "cut at the end": cut_at_end,
    "curly quotes made straight": quotes_made_straight,
    "two pages in a line": mixed_pages,
    "with a signature": crlf_and_mark,
    "in markup": quoted_in_markup,
    "one word": a_word_only,
}


def wild(lines, rnd, per):
    for name, damage in WILD.items():
        for _ in range(per):
            for _ in range(40):
                text = cut(rnd.choice(lines), rnd)
                done = text and damage(text, rnd)
                if done and done[0] not in done[1]:
                    yield name, done[0], done[1], text
                    break


LEGACY = {
    "ru bg uk be mk sr": [("cp1251", "cp1252"), ("cp1251", "latin1"), ("koi8-r", "cp1251"), ("cp1251", "koi8-r"), ("cp866", "cp1251"), ("cp1251", "cp866"), ("cp866", "cp1252"), ("cp1251", "mac_roman")],
    "el": [("cp1253", "cp1252"), ("iso8859-7", "latin1"), ("cp737", "cp1253")],
    "he": [("cp1255", "cp1252")], "ar fa": [("cp1256", "cp1252")], "th": [("cp874", "cp1252")],
    "cs pl hu ro sk hr sl": [("cp1250", "cp1252"), ("iso8859-2", "latin1"), ("cp852", "cp1250"), ("cp852", "cp1252")],
    "de fr es it sv da pt": [("cp850", "cp1252"), ("mac_roman", "cp1252"), ("cp1252", "cp850"), ("cp1252", "mac_roman")],
    "tr": [("cp1254", "cp1252")], "lt lv": [("cp1257", "cp1252")],
    "zh-Hans": [("gbk", "cp1252"), ("gbk", "latin1")], "ja": [("cp932", "cp1252"), ("euc_jp", "latin1")], "ko": [("cp949", "cp1252")],
    "zh-Hant": [("cp950", "cp1252")],
}


def legacy(language, lines, rnd, per):
    for languages, pairs in LEGACY.items():
        if language not in languages.split():
            continue
        for written, read in pairs:
            for _ in range(per):
                text = cut(rnd.choice(lines), rnd)
                try:
                    broken = text.encode(written).decode(read)
                except (UnicodeError, AttributeError):
                    continue
                if broken != text:
                    yield f"{written} as {read}", broken, [text], text


def mixed_bytes(language, lines, rnd, per):
    """Lines of UTF-8 among which one is in a legacy encoding, or one word."""
    encodings = [e for l, e in natural_pairs() if l == language and not e.startswith(("utf", "ibm", "iso-2022", "hz"))]
    for encoding in encodings:
        for kind in ("line", "word"):
            for _ in range(per):
                chosen = [cut(rnd.choice(lines), rnd) for _ in range(5)]
                if not all(chosen):
                    continue
                at = rnd.randrange(5)
                try:
                    pieces = [x.encode() for x in chosen]
                    if kind == "line":
                        pieces[at] = chosen[at].encode(encoding)
                    else:
                        words = chosen[at].split(" ")
                        mine = [i for i, w in enumerate(words) if not w.isascii()]
                        i = rnd.choice(mine)
                        pieces[at] = b" ".join(w.encode(encoding if j == i else "utf8") for j, w in enumerate(words))
                except (UnicodeError, LookupError):
                    continue
                yield f"{kind} in {encoding}", b"\n".join(pieces), ["\n".join(chosen)], chosen[at]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus")
    parser.add_argument("set", choices=["tuning", "fresh"])
    parser.add_argument("out")
    parser.add_argument("--kind", choices=["mojibake", "wild", "legacy", "bytes"], default="mojibake")
    parser.add_argument("--per", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rnd = random.Random(args.seed)
    n = lost = 0
    groups, languages = collections.Counter(), set()
    with open(args.out, "w") as out:
        for language in LANGUAGES:
            lines = lines_of(args, language)
            if len(lines) < 30:
                continue
            if args.kind == "mojibake":
                made = mojibake(lines, rnd, args.per)
            elif args.kind == "wild":
                made = wild(lines, rnd, args.per)
            elif args.kind == "legacy":
                made = legacy(language, lines, rnd, args.per)
            else:
                made = mixed_bytes(language, lines, rnd, args.per)
            for group, broken, wanted, _ in made:
                if broken is None:
                    lost += 1
                    continue
                data = broken if isinstance(broken, bytes) else broken.encode()
                hexed = lambda w: w.encode().hex()
                if isinstance(wanted[0], list):
                    wanted = "/".join(",".join(map(hexed, dict.fromkeys(piece))) for piece in wanted)
                else:
                    wanted = "|".join(map(hexed, wanted))
                out.write(f"{language}/{n}\t{group}\t{data.hex()}\t{wanted}\n")
                groups[group] += 1
                languages.add(language)
                n += 1
    print(f"{n} texts, {len(languages)} languages, {len(groups)} groups; {lost} lost a byte")
    if len(groups) < 20:
        print(dict(groups))


if __name__ == "__main__":
    sys.exit(main())
