//! A policy for each kind of ill-formed sequence, against a division of the input by Table 3-7 of
//! the Unicode Standard, and against the single policies.

use crate::edit::Random;
use core::ops::Range;
use placemat::policy::{ByKind, Kinds, NameError};
use placemat::stream::{Status, Transcoder};
use placemat::{ConvertError, Encoding, ErrorPolicy, IllFormedKind, OnError, Span, UnmappablePolicy, utf8};

/// The kinds of errors of UTF-8, by the names of `placemat check`.
const KINDS: [&str; 12] = [
    "unexpected-continuation",
    "lead-f5-f7",
    "lead-5-byte",
    "lead-6-byte",
    "never-byte",
    "truncated",
    "overlong-2",
    "overlong-3",
    "overlong-4",
    "surrogate",
    "too-large",
    "incomplete",
];

const POLICIES: [ErrorPolicy<'static>; 8] = [
    ErrorPolicy::Stop,
    ErrorPolicy::Replace,
    ErrorPolicy::ReplaceWith(placemat::Replacement::QUESTION),
    ErrorPolicy::Skip,
    ErrorPolicy::Latin1,
    ErrorPolicy::Windows1252,
    ErrorPolicy::HexEscape,
    ErrorPolicy::SurrogateEscape,
];

/// Divides a text into parts, each with its kind if it is broken. A broken sequence includes all
/// its continuation bytes.
fn parts(src: &[u8]) -> Vec<(Range<usize>, Option<&'static str>)> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < src.len() {
        let rest = &src[at..];
        let announced = match rest[0] {
            ..0xC0 | 0xFE.. => 1,
            0xC0..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0..0xF8 => 4,
            0xF8..0xFC => 5,
            0xFC..0xFE => 6,
        };
        let whole = rest.get(..announced).filter(|sequence| core::str::from_utf8(sequence).is_ok());
        if let Some(sequence) = whole {
            parts.push((at..at + sequence.len(), None));
            at += sequence.len();
            continue;
        }
        let continuations = rest[1..].iter().take(announced - 1).take_while(|byte| **byte & 0xC0 == 0x80);
        let len = 1 + continuations.count();
        let kind = match (rest[0], rest.get(1).copied().unwrap_or(0)) {
            (0x80..0xC0, _) => "unexpected-continuation",
            (0xC0 | 0xC1, _) => "overlong-2",
            (0xE0, 0x80..0xA0) => "overlong-3",
            (0xF0, 0x80..0x90) => "overlong-4",
            (0xED, 0xA0..0xC0) => "surrogate",
            (0xF4, 0x90..0xC0) => "too-large",
            (0xF5..0xF8, _) => "lead-f5-f7",
            (0xF8..0xFC, _) => "lead-5-byte",
            (0xFC..0xFE, _) => "lead-6-byte",
            (0xFE.., _) => "never-byte",
            _ if len == rest.len() => "incomplete",
            _ => "truncated",
        };
        parts.push((at..at + len, Some(kind)));
        at += len;
    }
    parts
}

/// Returns the UTF-16 code units that a policy writes for a broken sequence; `None` if it stops.
fn put(policy: ErrorPolicy<'_>, bytes: &[u8]) -> Option<Vec<u16>> {
    let text: String = match policy {
        ErrorPolicy::Replace => "\u{FFFD}".into(),
        ErrorPolicy::ReplaceWith(text) => text.text().into(),
        ErrorPolicy::Skip => String::new(),
        ErrorPolicy::Latin1 => bytes.iter().map(|&byte| char::from(byte)).collect(),
        ErrorPolicy::Windows1252 => Encoding::WINDOWS_1252.decode(bytes, ErrorPolicy::Stop).unwrap().into(),
        ErrorPolicy::HexEscape => bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect(),
        ErrorPolicy::SurrogateEscape => {
            return Some(bytes.iter().map(|&byte| 0xDC00 + u16::from(byte)).collect());
        }
        _ => return None,
    };
    Some(text.encode_utf16().collect())
}

/// The output in UTF-16, little-endian, and the offset and the kind of the error that stops.
type Outcome = (Vec<u8>, Option<(u64, &'static str)>);

fn expected(src: &[u8], policy_of: impl Fn(&str) -> ErrorPolicy<'static>, pass: bool) -> Outcome {
    let mut units: Vec<u16> = Vec::new();
    let mut stopped = None;
    for (place, kind) in parts(src) {
        let bytes = &src[place.clone()];
        let Some(kind) = kind else {
            units.extend(core::str::from_utf8(bytes).unwrap().encode_utf16());
            continue;
        };
        if let (true, "surrogate", [0xED, second, third]) = (pass, kind, bytes) {
            units.push(0xD000 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F));
            continue;
        }
        let Some(put) = put(policy_of(kind), bytes) else {
            stopped = Some((place.start as u64, kind));
            break;
        };
        units.extend(put);
    }
    (units.iter().flat_map(|unit| unit.to_le_bytes()).collect(), stopped)
}

/// Converts to UTF-16 in pieces of this length, with a small buffer.
fn converted(src: &[u8], policy: impl OnError, piece: usize) -> Outcome {
    let mut transcoder = Transcoder::new(Encoding::UTF_8, Encoding::UTF_16LE)
        .on_error(policy)
        .on_unmappable(UnmappablePolicy::SurrogatePass);
    let mut room = vec![0; transcoder.min_output().max(if piece >= src.len() { 4096 } else { 0 })];
    let (mut out, mut read) = (Vec::new(), 0);
    loop {
        let end = (read + piece).min(src.len());
        let p = transcoder.convert(&src[read..end], &mut room, end == src.len());
        out.extend_from_slice(&room[..p.written]);
        read += p.read;
        match p.status {
            Status::Done => return (out, None),
            Status::IllFormed(e) => return (out, Some((e.offset(), e.code()))),
            Status::Unmappable(e) => panic!("UTF-16 holds all: {e}"),
            _ => {}
        }
    }
}

/// Returns bytes at the boundaries of the classes, so that sequences of every kind are common.
fn random_text(random: &mut Random) -> Vec<u8> {
    const SEEDS: [&[u8]; 24] = [
        b"a",
        b"bc",
        b"\xC3\xA9",
        b"\xE2\x82\xAC",
        b"\xF0\x9F\x98\x80",
        b"\x80",
        b"\xBF",
        b"\xC0\xAF",
        b"\xC1",
        b"\xE0\x9F\xBF",
        b"\xE0\x80",
        b"\xED\xA0\x80",
        b"\xED\xBF\xBF",
        b"\xED\xA0",
        b"\xF0\x8F\xBF\xBF",
        b"\xF4\x90\x80\x80",
        b"\xF5\x80\x80\x80",
        b"\xF8\x80\x80\x80\x80",
        b"\xFC\x80\x80\x80\x80\x80",
        b"\xFF",
        b"\xE2\x82",
        b"\xF0\x9F\x98",
        b"\xC3",
        b"the quick brown fox jumps over the lazy dog, and on, and on",
    ];
    (0..random.below(12)).flat_map(|_| SEEDS[random.below(SEEDS.len())].iter().copied()).collect()
}

#[test]
fn each_kind_goes_to_its_policy_whole_and_in_pieces() {
    let mut random = Random(11);
    for round in 0..3000 {
        let src = random_text(&mut random);
        let rest = POLICIES[random.below(POLICIES.len())];
        let mut of_kinds: Vec<(&str, ErrorPolicy<'static>)> = KINDS
            .into_iter()
            .filter(|_| round % 3 > 0)
            .map(|kind| (kind, POLICIES[random.below(POLICIES.len())]))
            .collect();
        of_kinds.truncate(1 + random.below(KINDS.len()));
        // With a policy for another kind, a broken sequence is one error in any case.
        of_kinds.push((
            "nul-byte",
            if rest == ErrorPolicy::Stop { ErrorPolicy::Skip } else { ErrorPolicy::Stop },
        ));
        let mut policy = ByKind::new(rest);
        for &(kind, one) in &of_kinds {
            policy = policy.with(kind.parse::<Kinds>().unwrap(), one);
        }
        let pass = random.below(2) == 0;
        if pass {
            policy = policy.with(IllFormedKind::Surrogate, ErrorPolicy::SurrogatePass);
        }
        let policy_of = |name: &str| match of_kinds.iter().find(|(kind, _)| *kind == name) {
            // A sequence that cannot pass goes to the policy for all other kinds.
            _ if pass && name == "surrogate" => rest,
            Some(&(_, one)) => one,
            None => rest,
        };
        let want = expected(&src, policy_of, pass);
        for piece in [1, 2, 3, 5, 64, src.len().max(1)] {
            assert_eq!(converted(&src, policy, piece), want, "{src:02x?} by {piece}, {rest:?}, {of_kinds:?}");
        }
        if want.1.is_none() && !want.0.chunks(2).any(|unit| unit[1] & 0xF8 == 0xD8) {
            let units: Vec<u16> =
                want.0.chunks(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
            let text = utf8::decode(&src, policy).map(String::from);
            assert_eq!(text, Ok(String::from_utf16(&units).unwrap()), "{src:02x?}");
        }
    }
}

/// With one policy for all kinds, `ByKind` behaves like that policy.
#[test]
fn without_a_kind_of_its_own_it_is_the_one_policy() {
    let mut random = Random(12);
    let more = [ErrorPolicy::SurrogatePass, ErrorPolicy::Optu, ErrorPolicy::Optu16];
    for one in POLICIES.into_iter().chain(more) {
        for _ in 0..200 {
            let src = random_text(&mut random);
            for span in [Span::Maximal, Span::Lead] {
                let by_kind = ByKind::new(one).with(Kinds::OVERLONG, one);
                let want = converted(&src, one.spanning(span), src.len().max(1));
                assert_eq!(converted(&src, by_kind.spanning(span), 3), want, "{one:?} {src:02x?}");
            }
        }
    }
}

/// The span of errors depends on whether the policies differ, however they came to differ or to agree.
#[test]
fn changed_policies_are_those_that_were_set() {
    let (one, other) = (ErrorPolicy::Replace, ErrorPolicy::Skip);
    let both = ByKind::new(one).with(Kinds::OVERLONG, other);
    assert_eq!(ByKind::new(one).map(|_| other), ByKind::new(other));
    assert_eq!(both.map(|policy| policy), both);
    assert_eq!(both.map(|_| one), ByKind::new(one));
    assert_eq!(both.map(|policy| if policy == one { other } else { one }), {
        ByKind::new(other).with(Kinds::OVERLONG, one)
    });
    for policy in [ByKind::new(other).map(|_| one), both.map(|_| one)] {
        assert!(!policy.distinguishes());
        assert_eq!(utf8::decode(b"\xED\xA0\x80", policy), utf8::decode(b"\xED\xA0\x80", one));
    }
    // No kind has the policy for all others.
    let every = (0..KINDS.len())
        .fold(ByKind::new(one), |policy, i| policy.with(KINDS[i].parse::<Kinds>().unwrap(), other));
    assert!(every.map(|policy| policy).distinguishes());
    assert_eq!(utf8::decode(b"a\xED\xA0\x80", every.map(|policy| policy)), Ok("a".into()));
}

/// Escapes work beside other policies, and bytes come back.
#[test]
fn escapes_of_some_kinds() -> Result<(), ConvertError> {
    let to_utf8 = |src: &[u8], names: &str, back| {
        let policy: ByKind<'_> = names.parse().unwrap();
        Transcoder::new(Encoding::UTF_8, Encoding::ISO_8859_1)
            .on_error(policy)
            .on_unmappable(back)
            .transcode(src)
    };
    let back = UnmappablePolicy::SurrogateEscape;
    assert_eq!(
        to_utf8(b"a\xFFb\xE2\x82c", "ignore,truncated=surrogateescape", UnmappablePolicy::Skip)?,
        b"abc"
    );
    assert!(
        to_utf8(b"a\xE2\x82c", "strict,truncated=surrogateescape", back).is_err(),
        "80..FF are text there"
    );
    let utf8 = |src: &[u8], names: &str| {
        let policy: ByKind<'_> = names.parse().unwrap();
        let t = Transcoder::new(Encoding::UTF_8, Encoding::UTF_8_BOM).on_error(policy);
        t.on_unmappable(UnmappablePolicy::SurrogateEscape).transcode(src)
    };
    assert_eq!(
        utf8(b"a\xFFb\xE2\x82c", "replace,truncated=surrogateescape")?,
        b"\xEF\xBB\xBFa\xEF\xBF\xBDb\xE2\x82c"
    );
    // Bytes that were apart must not join into a sequence.
    let forged = utf8(b"\xE2\xFF\x82\xAC", "surrogateescape,never-byte=ignore").unwrap_err();
    assert_eq!(forged.code(), "forged-sequence");
    Ok(())
}

/// OPTU escapes its own code points only if it is the policy for the code points that it refuses.
#[test]
fn optu_of_some_kinds() -> Result<(), ConvertError> {
    let decode =
        |src: &[u8], names: &str| utf8::decode(src, names.parse::<ByKind<'_>>().unwrap()).map(String::from);
    let genuine = "\u{EF80}".as_bytes();
    assert_eq!(decode(genuine, "optu,overlong=strict")?, "\u{EFEE}\u{EFBE}\u{EF80}");
    assert_eq!(decode(genuine, "overlong=optu")?, "\u{EF80}");
    assert_eq!(decode(b"\xC0\xAF", "overlong=optu")?, "\u{EFC0}\u{EFAF}");
    assert!(decode(b"\xFF", "overlong=optu").is_err());
    let src = [b"\xE2\x82 \xFF ", genuine].concat();
    let text = decode(&src, "optu,overlong=strict")?;
    let back = Encoding::UTF_8.encode(&text, UnmappablePolicy::Optu)?;
    assert_eq!(back, src);
    Ok(())
}

#[test]
fn surrogates_pass_by_kind_in_every_form() {
    let run = |from: Encoding, src: &[u8], names: &str| {
        let policy: ByKind<'_> = names.parse().unwrap();
        let t = Transcoder::new(from, Encoding::UTF_16BE).on_error(policy);
        t.on_unmappable(UnmappablePolicy::SurrogatePass).transcode(src).map_err(|e| e.code())
    };
    assert_eq!(run(Encoding::UTF_8, b"\xED\xA0\x80", "surrogate=pass"), Ok(b"\xD8\0".to_vec()));
    assert_eq!(run(Encoding::UTF_8, b"\xED\xA0", "surrogate=pass"), Err("surrogate"));
    assert_eq!(run(Encoding::UTF_8, b"\xED\xA0", "ignore,surrogate=pass"), Ok(vec![]));
    assert_eq!(run(Encoding::UTF_8, b"\xFF", "surrogate=pass"), Err("never-byte"));
    let halves = b"\xDC\0\0a\xD8\0\0b";
    assert_eq!(run(Encoding::UTF_16BE, halves, "surrogate=pass"), Ok(halves.to_vec()));
    assert_eq!(
        run(Encoding::UTF_16BE, halves, "unpaired-lead=pass,unpaired-trail=question"),
        Ok(b"\0?\0a\xD8\0\0b".to_vec())
    );
    assert_eq!(run(Encoding::UTF_16BE, halves, "unpaired-trail=pass"), Err("unpaired-lead"));
    assert_eq!(run(Encoding::UTF_32BE, b"\0\0\xD8\0", "surrogate=pass"), Ok(b"\xD8\0".to_vec()));
    assert_eq!(run(Encoding::CESU_8, b"\xED\xA0\x80", "surrogate=pass"), Ok(b"\xD8\0".to_vec()));
}

#[test]
fn other_encodings_have_kinds_too() {
    let run = |from: Encoding, src: &[u8], names: &str| {
        let text = from.decode(src, names.parse::<ByKind<'_>>().unwrap());
        text.map(String::from).map_err(|e| e.code())
    };
    assert_eq!(run(Encoding::US_ASCII, b"a\xFFb", "undefined=cp1252"), Ok("aÿb".into()));
    assert_eq!(run(Encoding::UTF_16LE, b"a\0b", "end=replace"), Ok("a\u{FFFD}".into()));
    assert_eq!(run(Encoding::UTF_16LE, b"a\0\0\xDC", "end=replace"), Err("unpaired-trail"));
    #[cfg(feature = "cjk")]
    assert_eq!(
        run(Encoding::SHIFT_JIS, b"\x93 \x93", "end=ignore,bad-trail=replace"),
        Ok("\u{FFFD} ".into())
    );
}

#[test]
fn names_that_mean_nothing() {
    let refused = |names: &str| names.parse::<ByKind<'_>>().map_err(|e: NameError| e.to_string());
    for (names, message) in [
        ("overlog=strict", "unknown kind \"overlog\" (did you mean overlong?)"),
        ("overlong-1=strict", "unknown kind \"overlong-1\" (did you mean overlong-2?)"),
        ("x=strict", "unknown kind \"x\""),
        ("overlong=strickt", "unknown policy \"strickt\" (did you mean strict?)"),
        ("overlong", "unknown policy \"overlong\""),
        ("overlong=", "unknown policy \"\""),
        ("", "unknown policy \"\""),
        ("replace,", "unknown policy \"\""),
        ("replace,ignore", "\"ignore\" is a second policy for all other kinds: name one"),
        ("overlong=pass", "only surrogates can pass: \"overlong\" needs another policy"),
        ("\u{1B}[2J=strict", "unknown kind \"\\u{1b}[2J\""),
    ] {
        assert_eq!(refused(names), Err(message.to_owned()), "{names}");
    }
    let long = "x".repeat(1000);
    assert_eq!(refused(&long), Err(format!("unknown policy \"{}\"…", "x".repeat(64))));
    // A later pair prevails.
    let policy = refused("overlong=ignore,overlong-2=strict,replace").unwrap();
    assert_eq!(utf8::decode(b"\xE0\x80\x80\xFF", policy), Ok("\u{FFFD}".into()));
    assert!(utf8::decode(b"\xC0\x80", policy).is_err());
}
