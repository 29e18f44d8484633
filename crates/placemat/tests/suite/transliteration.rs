//! Transliteration: the target's own characters come first, a symbol never becomes its opposite,
//! and invisible characters vanish.

use placemat::normalize::Normalization;
use placemat::stream::Transcoder;
use placemat::transliteration::Transliteration;
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};

/// Writes the text under the rules of a locale, and reads it back from the target.
fn through(target: Encoding, locale: &str, text: &str) -> String {
    let policy = Transliteration::new(target).locale(locale).unwrap();
    let stop = ErrorPolicy::Stop;
    let bytes = Transcoder::new(Encoding::UTF_8, target)
        .on_error(stop)
        .on_unmappable(policy)
        .transcode(text.as_bytes())
        .unwrap();
    let back = Transcoder::new(target, Encoding::UTF_8).on_error(stop).transcode(&bytes).unwrap();
    String::from_utf8(back).unwrap()
}

fn ascii(text: &str) -> String {
    through(Encoding::US_ASCII, "en_US.UTF-8", text)
}

#[test]
fn languages() {
    for (locale, text, want) in [
        ("en_GB", "Übergröße, Ålesund, Ørsted, Æsop", "Ubergrosse, Alesund, Orsted, AEsop"),
        ("de_DE.UTF-8", "Übergröße ÄÖÜäöüẞ", "UEbergroesse AEOEUEaeoeueSS"),
        ("de", "Müller", "Mueller"),
        ("de-CH", "Zürich", "Zuerich"),
        ("da_DK", "Århus, Sønderjylland, Ærø", "AArhus, Soenderjylland, AEroe"),
        ("nb_NO.UTF-8", "Ålesund blåbærgrøt", "AAlesund blaabaergroet"),
        ("sv_SE", "Åäö", "AAaeoe"),
        ("fi_FI", "Åäö", "Aao"),
        ("fr_FR", "Ça, œuvre, aiguë", "Ca, oeuvre, aigue"),
        ("hr_HR", "Đakovo, đak", "Djakovo, djak"),
        ("uk_UA", "Київ", "Kyyiv"),
        ("sr_RS", "Београд", "Beograd"),
        ("C", "Müller, Киев", "Muller, Kiev"),
    ] {
        assert_eq!(through(Encoding::US_ASCII, locale, text), want, "{locale}");
    }
}

#[test]
fn scripts() {
    for (text, want) in [
        ("μετά", "meta"),
        ("5 µm", "5 um"),
        ("Привет", "Privet"),
        ("हिन्दी अनुवाद", "hindi anuvad"),
        ("שלום", "slvm"),
        ("日本", "RiBen"),
        ("ラーメン", "ramen"),
        ("ﬁ ﬀ Ｆｕｌｌ ① Ⅷ", "fi ff Full (1) VIII"),
        ("👍🏽 👩‍💻", ":thumbsup: :woman::computer:"),
    ] {
        assert_eq!(ascii(text), want, "{text}");
    }
}

#[test]
fn signs() {
    for (text, want) in [
        ("a ≠ b, a≤b, a≥b, a ≈ b", "a != b, a<=b, a>=b, a ~ b"),
        ("x∉M, ∄y, p∨q, p⊽q, ¬p", "x not in M, not exists y, p or q, p nor q, !p"),
        ("A ⇒ B → C ← D ↔ E ⇐ F", "A => B -> C <- D <-> E <== F"),
        ("A ⇏ B ↛ C", "A !=> B !-> C"),
        ("1½ + ¼", "1 1/2 +  1/4"),
        ("x² · 10⁻⁶", "x^2 . 10^-^6"),
        ("5 × 3 ÷ 2 − 1 ± 2", "5 x 3 / 2 - 1 +- 2"),
        ("£5 ¥6 €7 20 °C 21℃ 3‰ №4", "GBP5 JPY6 EUR7 20 degC 21degC 3 per mille No4"),
        ("“a” ‘b’ „c“ «d» – —…", "\"a\" 'b' ,,c\" <<d>> - --..."),
        ("¤", "?"),
    ] {
        assert_eq!(ascii(text), want, "{text}");
    }
    // NFD has the stroke as a separate code point.
    assert_eq!(ascii("a =\u{338} b"), "a =/ b");
}

#[test]
fn what_is_unseen_vanishes() {
    let unseen = [
        '\u{AD}',
        '\u{200B}',
        '\u{200C}',
        '\u{200D}',
        '\u{200E}',
        '\u{200F}',
        '\u{202A}',
        '\u{202E}',
        '\u{2060}',
        '\u{2066}',
        '\u{2069}',
        '\u{FE0F}',
        '\u{FEFF}',
        '\u{301}',
        '\u{308}',
        '\u{20E3}',
        '\u{E0067}',
        '\u{61C}',
    ];
    for target in [Encoding::US_ASCII, Encoding::for_label("iso-8859-2").unwrap()] {
        for c in unseen {
            let held = c == '\u{AD}' && target != Encoding::US_ASCII;
            let want = if held { "a\u{AD}b" } else { "ab" };
            assert_eq!(through(target, "en", &format!("a{c}b")), want, "U+{:04X}", u32::from(c));
        }
    }
}

/// A symbol that consists of another symbol and a stroke through it is not written as that other
/// symbol.
#[test]
fn nothing_becomes_its_opposite() {
    let targets = ["us-ascii", "latin1", "koi8-r", "shift_jis", "gbk", "macintosh"];
    for target in targets.map(|name| Encoding::for_label(name).unwrap()) {
        let policy = Transliteration::new(target);
        let mut negated = 0;
        for c in '\u{80}'..=char::MAX {
            let whole = c.to_string();
            let parts = Normalization::Nfd.apply(&whole);
            let Some(plain) = parts.strip_suffix('\u{338}').and_then(|rest| rest.chars().next()) else {
                continue;
            };
            negated += 1;
            for policy in [policy, policy.as_glibc()] {
                let (no, yes) = (policy.similar(c), policy.similar(plain));
                let Some(no) = no else { continue };
                let says_no = no.contains(['!', '/', '≠']) || no.contains("not");
                // Letters with a stroke, such as Ø, are never composed of two code points; glibc writes ↚ and ↛ as the
                // arrows that they negate.
                let glibcs =
                    matches!(c, '↚' | '↛') && Some(no) == Transliteration::new(target).as_glibc().similar(c);
                assert!(glibcs || says_no && yes != Some(no), "{c}: {no}, {plain}: {yes:?}, in {target}");
            }
        }
        assert!(negated >= 40, "{negated}");
    }
}

#[test]
fn what_the_target_holds_comes_first() {
    let of = |name: &str, locale: &str, text: &str| through(Encoding::for_label(name).unwrap(), locale, text);
    assert_eq!(of("latin1", "en", "é ŭ ﬁ ² ½ “q” Ǽ"), "é u fi ² ½ \"q\" Æ");
    assert_eq!(of("latin1", "de_DE", "ü ő „q“"), "ü o »q«");
    assert_eq!(of("iso-8859-7", "en", "ά μ ϐ ж"), "ά μ β zh");
    assert_eq!(of("koi8-r", "en", "Ѓ ж é ≠ ∞"), "Г ж e != inf");
    assert_eq!(of("windows-1252", "en", "€ ₤ − ≤"), "€ L. – <=");
    assert_eq!(of("gbk", "en", "∈ ∉"), "∈  not in ");
}

/// Code points are converted alone, one by one, and among others that the target lacks, where another loop writes the
/// substitutes: both give the same bytes, or both stop. `Shift_JIS` as its standard has it lacks `\` and `~`.
#[test]
fn ascii_between_substitutes() {
    let convert = |encoding: Encoding, text: &str, policy: UnmappablePolicy<'static>| {
        encoding.encode(text, policy).map(|bytes| bytes.into_owned()).map_err(|_| ())
    };
    let stop = UnmappablePolicy::Stop;
    let mut lacking = 0;
    for &encoding in Encoding::ALL {
        if !encoding.takes_escapes() || convert(encoding, "\u{2603}", stop).is_ok() {
            continue;
        }
        for policy in
            [UnmappablePolicy::Transliterate, UnmappablePolicy::HexEscape, UnmappablePolicy::XmlReference]
        {
            let Ok(other) = convert(encoding, "\u{2603}", policy) else { continue };
            for c in ('\0'..='\x7F').chain(['\u{A5}', '\u{203E}', '\u{FF5E}', '\u{FF3C}']) {
                let alone = convert(encoding, c.encode_utf8(&mut [0; 4]), policy);
                lacking += usize::from(alone.is_err());
                let want = alone.map(|alone| [&*other, &other, &alone, &other].concat());
                let got = convert(encoding, &format!("\u{2603}\u{2603}{c}\u{2603}"), policy);
                assert_eq!(got, want, "{encoding}, {policy:?}, {c:?}");
            }
        }
    }
    assert!(lacking > 0);
}
