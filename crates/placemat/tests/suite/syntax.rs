//! Escapes of languages: cases, laws, and comparisons with real parsers.

mod cases;

use crate::data::hex;
use cases::CASES;
use core::fmt::Write as _;
use placemat::syntax::{Decoder, Encoder, Scope, Syntax};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::io::Write as _;
use std::process::{Command, Stdio};

fn for_name(name: &str) -> Syntax {
    *Syntax::ALL.iter().find(|syntax| syntax.name() == name).expect("a name of a syntax")
}

/// Returns the result, the number of what stayed, and the place and code of its first.
type Found = (Vec<u8>, u64, Option<(u64, u64, u64, &'static str)>);

fn decode(syntax: Syntax, scope: Scope, pieces: &[&[u8]]) -> Found {
    let mut decoder = Decoder::new(syntax, scope);
    let mut out = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        decoder.push(piece, at + 1 == pieces.len(), &mut out);
    }
    let first = decoder.first_kept().map(|e| (e.offset(), e.line(), e.column(), e.code()));
    (out, decoder.kept(), first)
}

fn encode(syntax: Syntax, scope: Scope, pieces: &[&[u8]]) -> Found {
    let mut encoder = Encoder::new(syntax, scope);
    let mut out = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        encoder.push(piece, at + 1 == pieces.len(), &mut out);
    }
    let first = encoder.first_kept().map(|e| (e.offset(), e.line(), e.column(), e.code()));
    (out, encoder.kept(), first)
}

fn each_byte(src: &[u8]) -> Vec<&[u8]> {
    let mut pieces: Vec<_> = src.chunks(1).collect();
    pieces.push(&[]);
    pieces
}

#[test]
fn each_syntax_reads_its_cases() {
    for &(name, src, want) in CASES {
        let syntax = for_name(name);
        let (out, ..) = decode(syntax, Scope::NonAscii, &[src.as_bytes()]);
        assert_eq!(String::from_utf8_lossy(&out), want, "{name}: {src}");
        // Decoding twice decodes nothing more.
        let again = syntax.decode(Scope::NonAscii, want.as_bytes());
        assert_eq!(String::from_utf8_lossy(&again), want, "{name}: again");
    }
    for syntax in Syntax::ALL {
        let count = CASES.iter().filter(|(name, ..)| *name == syntax.name()).count();
        assert!(count >= 10, "{syntax}: {count}");
    }
}

#[test]
fn pieces_of_one_byte_give_the_same() {
    for &(name, src, want) in CASES {
        let syntax = for_name(name);
        for text in [src, want] {
            let text = text.as_bytes();
            for scope in [Scope::NonAscii, Scope::All] {
                let whole = decode(syntax, scope, &[text]);
                assert_eq!(decode(syntax, scope, &each_byte(text)), whole, "{name}: {src}");
                let whole = encode(syntax, scope, &[text]);
                assert_eq!(encode(syntax, scope, &each_byte(text)), whole, "{name}: {src}");
            }
        }
    }
}

/// Text is written with escapes and read again; nothing inside ASCII changes on the way.
#[test]
fn encoding_and_decoding_return_the_text() {
    for &(name, _, want) in CASES {
        let syntax = for_name(name);
        let (written, left, _) = encode(syntax, Scope::NonAscii, &[want.as_bytes()]);
        assert!(left > 0 || written.is_ascii(), "{name}: {want}");
        // The written form can have quotes or braces that the text has not.
        if ["tex", "mime-header"].contains(&name) {
            continue;
        }
        let (back, ..) = decode(syntax, Scope::NonAscii, &[&written]);
        assert_eq!(String::from_utf8_lossy(&back), want, "{name}: {}", written.escape_ascii());
    }
}

#[test]
fn what_has_no_meaning_is_told() {
    for (name, src, count, first) in [
        ("json", "[\"é\\ud83d\"]", 1, (4, 1, 4, "surrogate")),
        ("json", "\n\"\\ude00\\ud83d\\ude00\\ud83d\"", 2, (2, 2, 2, "surrogate")),
        ("json", r#""\q""#, 1, (1, 1, 2, "bad-escape")),
        ("properties", r"a=\u12", 1, (2, 1, 3, "bad-escape")),
        ("properties", r"a=\u12zz", 1, (2, 1, 3, "bad-escape")),
        ("url", "a%zz%E9", 2, (1, 1, 2, "bad-escape")),
        ("url", "%E9", 1, (0, 1, 1, "ill-formed")),
        ("html", "&#xD800;&#x110000;", 2, (0, 1, 1, "surrogate")),
        ("xml", "<a>&#233</a>", 1, (3, 1, 4, "missing-semicolon")),
        ("c", r#""\303x""#, 1, (1, 1, 2, "ill-formed")),
        ("c", r#""\777""#, 1, (1, 1, 2, "too-large")),
        ("python", r"'\ud83d\ude00'", 2, (1, 1, 2, "surrogate")),
        ("js", r"'\u{110000}'", 1, (1, 1, 2, "too-large")),
        ("css", r"'\d800 '", 1, (1, 1, 2, "surrogate")),
        ("sql", r"E'\udead'", 1, (2, 1, 3, "surrogate")),
        ("shell", r"$'\xC3'", 1, (2, 1, 3, "ill-formed")),
        ("mime-header", "Subject: =?nosuch?Q?=E9?=\n", 1, (9, 1, 10, "charset")),
        ("mime-header", "Subject: =?utf-8?Q?=E9?=\n", 1, (9, 1, 10, "charset")),
        ("mime-header", "Subject: =?utf-8?Q?=C3=A9=0D=0AX:_y?=\n", 1, (9, 1, 10, "unsafe")),
    ] {
        let (out, found, place) = decode(for_name(name), Scope::NonAscii, &[src.as_bytes()]);
        assert_eq!((found, place), (count, Some(first)), "{name} {src}");
        assert!(
            place.is_some_and(|(.., code)| code == "surrogate" && src.contains("ud83d\\ude00"))
                || out == src.as_bytes(),
            "{name}: {src}"
        );
    }
}

#[test]
fn what_has_no_escape_stays_and_is_told() {
    for (name, src, written) in [
        ("python", "# é\nr'é' b'é' 'é'", "# é\nr'é' b'é' '\\u00e9'"),
        ("c", "/* é */ R\"(é)\" \"é\" // é", "/* é */ R\"(é)\" \"\\u00e9\" // é"),
        ("js", "/é/.test(`é`) // é", "/é/.test(`\\u00e9`) // é"),
        (
            "html",
            "<!-- é --><script>é</script><a title=é href='é'>é",
            "<!-- é --><script>é</script><a title=é href='&#233;'>&#233;",
        ),
        ("shell", "echo é \"é\" $'é' 'é' # é", "echo é \"é\" $'\\303\\251' 'é' # é"),
        ("sql", "'é' E'é' -- é", "'é' E'\\u00e9' -- é"),
        ("css", "/* é */ 'é'", "/* é */ '\\e9 '"),
        ("tex", "é $é$ 漢 % é", "{\\'e} $é$ 漢 % é"),
        ("mime-header", "From: Jörg <jörg@x.de>\n", "From: =?UTF-8?B?SsO2cmc=?= <jörg@x.de>\n"),
    ] {
        let (out, left, first) = encode(for_name(name), Scope::NonAscii, &[src.as_bytes()]);
        assert_eq!(String::from_utf8_lossy(&out), written, "{name}");
        assert!(left > 0 && first.is_some_and(|first| first.3 == "no-escape"), "{name}");
        let stayed = u64::try_from(written.chars().filter(|c| !c.is_ascii()).count()).unwrap();
        assert!(left == stayed || name == "mime-header", "{name}: {left}");
    }
}

/// In ill-formed text, the bytes that are not UTF-8 stay.
#[test]
fn bytes_that_are_not_utf8_stay() {
    for &syntax in Syntax::ALL {
        let src = b"a\xFFb \xC3 \xE2\x82";
        for scope in [Scope::NonAscii, Scope::All] {
            assert_eq!(syntax.decode(scope, src), src, "{syntax}");
        }
        let written = syntax.encode(Scope::NonAscii, src);
        assert_eq!(written, src, "{syntax}");
    }
}

/// Yields texts with many characters that have a meaning somewhere.
fn texts() -> impl Strategy<Value = String> {
    let pieces = vec![
        "\\",
        "\"",
        "'",
        "`",
        "$",
        "{",
        "}",
        "<",
        ">",
        "&",
        ";",
        "%",
        "#",
        "!",
        ":",
        "=",
        "?",
        "/",
        "*",
        "\n",
        "\r\n",
        " ",
        "u",
        "x",
        "00e9",
        "C3",
        "é",
        "😀",
        "\u{301}",
        "\u{A0}",
        "\u{85}",
        "amp",
        "eacute",
        "\t",
        "0",
        "E'",
        "U&'",
        "r'",
        "R\"(",
        "=?utf-8?Q?a?=",
        "\0",
        "\u{7F}",
        "~",
        "^",
        "_",
        "ss",
        "Subject:",
        "漢",
        "b",
    ];
    prop_oneof![vec(select(pieces), 0..30).prop_map(|pieces| pieces.concat()), any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_cut_gives_the_same(syntax in select(Syntax::ALL), text in texts(), seed in vec(any::<prop::sample::Index>(), 1..4)) {
        let mut cuts: Vec<_> = seed.iter().map(|index| index.index(text.len() + 1)).collect();
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut start = 0;
        for cut in cuts {
            pieces.push(&text.as_bytes()[start..cut]);
            start = cut;
        }
        pieces.push(&text.as_bytes()[start..]);
        for scope in [Scope::NonAscii, Scope::All] {
            prop_assert_eq!(decode(syntax, scope, &pieces), decode(syntax, scope, &[text.as_bytes()]));
            prop_assert_eq!(encode(syntax, scope, &pieces), encode(syntax, scope, &[text.as_bytes()]));
        }
    }

    #[test]
    fn ascii_stays_as_it_is(syntax in select(Syntax::ALL), text in texts()) {
        let ascii: String = text.chars().filter(char::is_ascii).collect();
        prop_assert_eq!(syntax.encode(Scope::NonAscii, ascii.as_bytes()), ascii.as_bytes());
        // Text without escapes outside ASCII stays too.
        let plain: String = text.chars().filter(|c| !"\\&%=".contains(*c)).collect();
        prop_assert_eq!(syntax.decode(Scope::NonAscii, plain.as_bytes()), plain.as_bytes());
    }

    #[test]
    fn the_content_of_a_literal_is_read_again(syntax in select(Syntax::ALL), text in texts()) {
        if syntax != Syntax::MimeHeader {
            let written = syntax.encode(Scope::All, text.as_bytes());
            prop_assert_eq!(syntax.decode(Scope::All, &written), text.as_bytes(), "{}: {}", syntax, written.escape_ascii());
        }
    }
}

#[test]
fn lines_with_encoded_words_are_short() {
    let texts = [
        "Grüße aus Köln, und noch viel mehr Text, damit der Betreff lang wird und umbrochen werden muss",
        "漢字かな交じり文がとても長く続くので、いくつもの符号化語に分けなければならない件名である。",
        "x é x é x é x é x é x é x é x é x é x é x é x é x é x é x é x é x é x é x é x é x é x é x é x",
        "😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀",
        "=?utf-8?Q?a?= é =?utf-8?Q?b?=",
    ];
    for text in texts {
        for name in ["Subject: ", "X-A-Very-Long-Name-Of-A-Field-That-Leaves-Little-Room: ", ""] {
            let field = format!("{name}{text}\n");
            let written = Syntax::MimeHeader.encode(Scope::NonAscii, field.as_bytes());
            let written = String::from_utf8(written).expect("ASCII");
            assert!(written.is_ascii());
            for line in written.lines() {
                assert!(line.len() <= 76 || !line.contains("=?"), "{line}");
                // Each encoded word is whole characters.
                for word in line.split(' ').filter(|word| word.starts_with("=?UTF-8")) {
                    assert!(word.len() <= 75);
                    let alone = Syntax::MimeHeader.decode(Scope::All, format!("x {word} x").as_bytes());
                    assert!(!alone.starts_with(b"x =?"), "{word}");
                }
            }
            let back = Syntax::MimeHeader.decode(Scope::NonAscii, written.as_bytes());
            let back = String::from_utf8_lossy(&back).replace("\n ", " ").replace("=?utf-8?Q?a?= é", "é");
            if !text.starts_with("=?") {
                assert_eq!(back, field);
            }
        }
    }
}

/// The next number of a fixed row.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    fn pieces(&mut self, from: &[&str], most: usize) -> String {
        (0..self.below(most)).map(|_| from[self.below(from.len())]).collect()
    }
}

/// Returns a document that the language's parser reads without an error.
fn document(syntax: Syntax, random: &mut Random) -> String {
    let backslashes = [
        r"\u00e9",
        r"\u0041",
        r"\n",
        r"\\",
        r"\\u00e9",
        r"\ud83d\ude00",
        "é",
        "x",
        " ",
        r"\u0301",
        r"\u00a0",
        r"\t",
    ];
    match syntax {
        Syntax::Json => format!(
            r#"{{"{}": ["{}"]}}"#,
            random.pieces(&backslashes, 6),
            random
                .pieces(&[&backslashes[..], &[r#"\""#, r"\ud83d", r"\ude00", r"\/", r"\u0000"]].concat(), 12)
        ),
        Syntax::Properties => format!(
            "k{}={}\n#{}\nz:{}\\\n  {}\n",
            random.pieces(&backslashes, 4),
            random.pieces(&[&backslashes[..], &[r"\:", r"\=", r"\ ", r"\ud83d", r"\q", "\\é"]].concat(), 9),
            random.pieces(&backslashes, 6),
            random.pieces(&backslashes, 6),
            random.pieces(&backslashes, 6)
        ),
        Syntax::Html => random.pieces(
            &[
                "&eacute;",
                "&eacute",
                " ",
                "&#146;",
                "&#x1F600;",
                "&lt;",
                "<p title=\"&eacute;&amp;\">",
                "</p>",
                "<script>'&eacute;'</script>",
                "<!-- &eacute; -->",
                "é",
                "x",
                "&amp;eacute;",
                "&notin;",
                "&nbsp;",
                "<br title='&#233;'/>",
                "&#65;",
                "&nosuch;",
                "&",
                "<style>&eacute;</style>",
            ],
            14,
        ),
        Syntax::Xml => format!(
            "<r a=\"{}\">{}</r>",
            random.pieces(&["&#233;", "&lt;", "&#xE9;", "é", "&#10;", "&#8364;", " "], 6),
            random.pieces(
                &[
                    "&#233;",
                    "&#xE9;",
                    "&#x1F600;",
                    "<![CDATA[&#233;]]>",
                    "<!-- &#233; -->",
                    "<b>",
                    "</b>",
                    "&amp;#233;",
                    "é",
                    "&#128;",
                    "&#x301;",
                    "<?p &#233;?>"
                ]
                .iter()
                .filter(|piece| !matches!(**piece, "<b>" | "</b>"))
                .copied()
                .collect::<Vec<_>>(),
                10
            )
        ),
        Syntax::Python => format!(
            "x = ['{0}', r'{1}', \"\"\"{0}\n'{0}\"\"\", b'\\xe9', f'{0}', '{0}'] # {0}\n",
            random.pieces(
                &[
                    r"\xe9",
                    r"\u00e9",
                    r"\U0001f600",
                    r"\N{BULLET}",
                    r"\351",
                    r"\n",
                    r"\\",
                    r"\'",
                    "é",
                    "x",
                    r"\ud83d",
                    r"\u0301"
                ],
                8
            ),
            random.pieces(&[r"\xe9", "é", r"\u00e9"], 5)
        ),
        Syntax::Url => format!(
            "http://x/{}?q={}",
            random.pieces(
                &[
                    "%C3%A9",
                    "%2F",
                    "a",
                    "é",
                    "%E2%82%AC",
                    "%C3",
                    "%20",
                    "%F0%9F%98%80",
                    "%25C3%25A9",
                    "%CC%81"
                ],
                8
            ),
            random.pieces(&["%C3%A9", "%26", "é"], 5)
        ),
        Syntax::Js => format!(
            "'{0}', \"{0}\", `{0}${{'{0}'}}{0}`, /{1}/, String.raw`{1}`, 4/2/1 // {0}\n",
            random.pieces(
                &[
                    r"\xe9",
                    r"\u00e9",
                    r"\u{1f600}",
                    r"\ud83d\ude00",
                    r"\n",
                    r"\\",
                    "é",
                    "x",
                    r"\ud83d",
                    r"\'",
                    r"\u0301",
                    r"\u2028"
                ],
                8
            ),
            random.pieces(&[r"\u00e9", "é", r"\xe9", r"\\", r"\/"], 5)
        ),
        Syntax::Shell => format!(
            "printf '%s|' a{0} $'{1}' \"{0}\" '{0}' $(printf %s $'{1}') # {0}\n",
            random.pieces(&["é", "x", "_"], 4),
            random.pieces(
                &[r"\303\251", r"\xc3\xa9", r"\u00e9", r"\'", r"\\", r"\n", "é", "x", r"\U0001f600", r"\303"],
                8
            )
        ),
        Syntax::C => format!(
            "\"{0}\", u8\"{0}\" /* {0} */, \"{0}\"\n",
            random.pieces(
                &[
                    r"\303\251",
                    r"\xc3\xa9",
                    r"\u00e9",
                    r"\n",
                    r"\\",
                    r#"\""#,
                    "é",
                    r"\U0001f600",
                    r"\377",
                    r"\?"
                ],
                8
            )
        ),
        Syntax::MimeHeader => format!(
            "Subject: {}\nX-Other: {}\n\n=?utf-8?Q?=C3=A9?=\n",
            mail_words(random),
            mail_words(random)
        ),
        _ => String::new(),
    }
}

fn mail_words(random: &mut Random) -> String {
    let words = [
        "=?utf-8?Q?caf=C3?=",
        "=?UTF-8?q?=A9?=",
        "=?iso-8859-1?Q?caf=E9?=",
        "=?utf-8?B?w6k=?=",
        "au",
        "lait",
        "=?us-ascii?Q?a_b?=",
        "Re:",
        "=?utf-8?Q?=C3=A9?=",
    ];
    let mut text = String::from("a");
    for _ in 0..random.below(9) {
        text.push_str(if random.below(4) == 0 { "\n " } else { " " });
        let word = words[random.below(words.len())];
        text.push_str(word);
        if word.ends_with("=C3?=") {
            text.push_str(" =?utf-8?Q?=A9?=");
        }
    }
    text
}

/// Long run: parsers of the languages read the same value before, after, and after encoding again.
#[test]
fn peers_parse_the_same_value() {
    if std::env::var_os("PLACEMAT_LONG").is_none() {
        return;
    }
    let mut random = Random(7);
    let mut lines = String::new();
    for (syntax, count) in [
        (Syntax::Json, 5000),
        (Syntax::Properties, 3000),
        (Syntax::Html, 5000),
        (Syntax::Xml, 3000),
        (Syntax::Python, 3000),
        (Syntax::Url, 3000),
        (Syntax::Js, 3000),
        (Syntax::Shell, 300),
        (Syntax::C, 1000),
        (Syntax::MimeHeader, 2000),
    ] {
        for _ in 0..count {
            let text = document(syntax, &mut random);
            let after = syntax.decode(Scope::NonAscii, text.as_bytes());
            let again = syntax.encode(Scope::NonAscii, &after);
            _ = write!(lines, "{syntax}");
            for text in [text.as_bytes(), &after, &again] {
                _ = write!(lines, " {}.", hex(text).replace(' ', ""));
            }
            lines.push('\n');
        }
    }
    let script = format!("{}/tests/peers/syntax.py", env!("CARGO_MANIFEST_DIR"));
    let mut child = Command::new("python3").arg(script).stdin(Stdio::piped()).spawn().expect("python3");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("the program reads");
    assert!(child.wait().expect("the program ends").success());
}
