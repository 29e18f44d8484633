//! Policies of callers that ask stock policies: they have no hints, so the engine asks them about every error, one step
//! at a time. Output, tally and errors must be those of the stock policies themselves.

use crate::edit::Random;
use crate::subject::{in_parallel, in_turn};
use placemat::policy::{Action, ByKind, Otherwise, Substitute, from_fn, from_fn_unmappable};
use placemat::stream::{Status, Tally, Transcoder};
use placemat::{
    Encoding, ErrorPolicy, IllFormed, IllFormedKind, OnError, OnUnmappable, Replacement, Span, Unmappable,
    UnmappablePolicy, utf8,
};

/// Forwards everything that a caller can see of a policy.
#[derive(Clone)]
struct Forwarding<P>(P);

impl<P: OnError> OnError for Forwarding<P> {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        self.0.handle(error)
    }
    fn span(&self) -> Span {
        self.0.span()
    }
    fn longest(&self) -> usize {
        self.0.longest()
    }
}

impl<P: OnUnmappable> OnUnmappable for Forwarding<P> {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        self.0.handle(unmappable)
    }
    fn longest(&self) -> usize {
        self.0.longest()
    }
}

const LONG_REPLACEMENT: &str =
    "[damaged: this text does not fit into a register of any machine at all, on purpose]";

/// Returns the stock policies that a caller can forward: not OPTU, which refuses well-formed code points.
fn on_error(which: usize) -> ByKind<'static> {
    let text = |text| ErrorPolicy::ReplaceWith(Replacement::new(text).unwrap());
    let stock = [
        ErrorPolicy::Stop,
        ErrorPolicy::Replace,
        text("?"),
        text("\u{FFFD}"),
        text(LONG_REPLACEMENT),
        ErrorPolicy::Skip,
        ErrorPolicy::Latin1,
        ErrorPolicy::Windows1252,
        ErrorPolicy::HexEscape,
        ErrorPolicy::SurrogateEscape,
        ErrorPolicy::SurrogatePass,
    ];
    let by_kind = [
        "replace,overlong=ignore",
        "backslashreplace,surrogate=pass",
        "ignore,lead=surrogateescape,end=strict",
    ];
    match stock.get(which % (stock.len() + by_kind.len())) {
        Some(&policy) => policy.into(),
        None => by_kind[which % by_kind.len()].parse().unwrap(),
    }
}

fn on_unmappable(which: usize) -> UnmappablePolicy<'static> {
    let text = |text| UnmappablePolicy::ReplaceWith(Replacement::new(text).unwrap());
    let stock = [
        UnmappablePolicy::Stop,
        UnmappablePolicy::Replace,
        text("?"),
        text("\u{E9}"),
        text(LONG_REPLACEMENT),
        UnmappablePolicy::Skip,
        UnmappablePolicy::XmlReference,
        UnmappablePolicy::HexEscape,
        UnmappablePolicy::Transliterate,
        UnmappablePolicy::SurrogateEscape,
        UnmappablePolicy::SurrogateEscapeUnchecked,
        UnmappablePolicy::SurrogatePass,
    ];
    stock[which % stock.len()]
}

/// The output, the counts, and each error and unmappable code point at which the conversion stopped.
type Outcome = (Vec<u8>, Tally, Vec<Status>);

/// Converts in pieces of up to `piece` bytes, with `room` bytes more than the minimum.
fn converted<D: OnError, U: OnUnmappable>(
    mut transcoder: Transcoder<D, U>,
    src: &[u8],
    piece: usize,
    room: usize,
) -> Outcome {
    let mut dst = vec![0; transcoder.min_output() + room];
    let (mut out, mut stops, mut at) = (Vec::new(), Vec::new(), 0_usize);
    loop {
        let end = src.len().min(at.saturating_add(piece));
        let p = transcoder.convert(&src[at..end], &mut dst, end == src.len());
        out.extend_from_slice(&dst[..p.written]);
        at += p.read;
        match p.status {
            Status::Done => return (out, transcoder.tally(), stops),
            Status::NeedInput | Status::NeedOutput => {}
            stop => stops.push(stop),
        }
    }
}

/// Returns text of several scripts in an encoding, with errors near each other, far apart, or none.
fn damaged(from: Encoding, random: &mut Random) -> Vec<u8> {
    const WORDS: [&str; 10] = ["the", " ", "é", "Straße", "Жизнь", "日本語", "한국", "🎉", "€", "\u{3000}\n"];
    let mut text = String::new();
    for _ in 0..random.below(60) {
        let word = WORDS[random.below(WORDS.len())];
        for _ in 0..=random.below(12) / 8 * random.below(90) {
            text.push_str(word);
        }
    }
    let mut src = from.encode(&text, UnmappablePolicy::Skip).unwrap_or_default().into_owned();
    let every = [1, 8, 100, 3000, usize::MAX][random.below(5)];
    let mut at = random.below(every.min(200));
    while at < src.len() {
        match random.below(4) {
            0 => src[at] = [0x80, 0xBF, 0xC0, 0xED, 0xF4, 0xFF, 0x1B, 0xD8][random.below(8)],
            1 => drop(src.splice(at..at, [0xED, 0xA0 + random.below(32) as u8, 0x80])),
            2 => drop(src.splice(at..at, [0xDC, 0xD8, 0xDC])),
            _ => drop(src.remove(at)),
        }
        at = at.saturating_add(1 + random.below(every.saturating_mul(2)));
    }
    src
}

fn check(from: Encoding, to: Encoding, case: usize, random: &mut Random) {
    let src = damaged(from, random);
    let span = [Span::Maximal, Span::Unit, Span::Structural, Span::Lead][random.below(4)];
    let (d, u) = (on_error(case).spanning(span), on_unmappable(random.below(12)));
    let machine = || Transcoder::new(from, to).counting();
    for (piece, room) in [(usize::MAX, 4 * src.len()), (usize::MAX, 0), (1 + random.below(40), 64), (700, 1)]
    {
        let stock = converted(machine().on_error(d).on_unmappable(u), &src, piece, room);
        let own = machine().on_error(Forwarding(d)).on_unmappable(Forwarding(u));
        let own = converted(own, &src, piece, room);
        assert!(own == stock, "{from} to {to}, {d:?}, {u:?}, {piece} {room}: {src:02x?}");
    }
    if to == Encoding::UTF_8 {
        assert!(from.decode(&src, d) == from.decode(&src, Forwarding(d)), "{from}, {d:?}: {src:02x?}");
    } else if from == Encoding::UTF_8
        && let Ok(text) = core::str::from_utf8(&src)
    {
        assert!(to.encode(text, u) == to.encode(text, Forwarding(u)), "{to}, {u:?}: {text}");
    }
}

#[test]
fn forwarding_a_stock_policy_changes_nothing() {
    let all = Encoding::ALL;
    in_parallel(all.len(), |i| {
        let mut random = Random(0x9E37_79B9 + i as u64);
        let others = [Encoding::UTF_8, Encoding::UTF_16LE, Encoding::WINDOWS_1252, Encoding::US_ASCII];
        for case in (0..14).filter(|case| in_turn(case + i, 42)) {
            for other in others.into_iter().chain([all[random.below(all.len())]]) {
                check(all[i], other, case, &mut random);
                check(other, all[i], case, &mut random);
            }
        }
    });
}

/// UTF-8 and UTF-16 have their own fast paths for most policies.
#[test]
fn forwarding_changes_nothing_between_unicode_forms() {
    let forms = [Encoding::UTF_8, Encoding::UTF_16LE, Encoding::UTF_16BE, Encoding::WTF_8, Encoding::CESU_8];
    in_parallel(forms.len() * forms.len(), |i| {
        let mut random = Random(0xB5AD_4ECE + i as u64);
        for case in (0..56).filter(|case| in_turn(case + i, 7)) {
            check(forms[i % forms.len()], forms[i / forms.len()], case, &mut random);
        }
    });
}

/// Returns text with runs of code points that a charset lacks, and runs of others.
fn mixed(random: &mut Random, len: usize) -> String {
    const LETTERS: [&str; 6] =
        ["abc \n&#;\\", "éßñÅ", "жЩ ыя", "αωΣ", "日本語。", "🎉\u{10FFFF}\u{FFFF}\u{80}"];
    let mut text = String::new();
    while text.len() < len {
        let letters: Vec<char> = LETTERS[random.below(LETTERS.len())].chars().collect();
        for _ in 0..=random.below(4) * random.below(12) {
            text.push(letters[random.below(letters.len())]);
        }
    }
    text
}

/// The engine writes runs of substitutes without asking the policies that have a simple rule. It
/// stops at the same offsets as with a policy that it asks about each code point, whatever the size
/// of the buffer.
#[test]
fn runs_of_substitutes_are_as_by_single_steps() {
    let single = Encoding::ALL.iter().copied().filter(|encoding| encoding.max_bytes() == 1);
    let others =
        [Encoding::GBK, Encoding::SHIFT_JIS, Encoding::EUC_JP, Encoding::ISO_2022_JP, Encoding::BIG5];
    let encodings: Vec<Encoding> = single.chain(others).collect();
    // From UTF-8, and through the hub.
    let sources = [Encoding::UTF_16LE, Encoding::UTF_16BE, Encoding::GB18030, Encoding::UTF_32LE];
    in_parallel(encodings.len(), |i| {
        let (to, mut random) = (encodings[i], Random(0x2545_F491 + i as u64));
        for which in 0..12 {
            let policy = on_unmappable(which);
            let text = mixed(&mut random, 100);
            let long = mixed(&mut random, 1500);
            assert_eq!(
                to.encode(&long, policy),
                to.encode(&long, Forwarding(policy)),
                "{to}, {policy:?}: {long}"
            );
            for from in [Encoding::UTF_8, sources[(i + which) % sources.len()]] {
                let bytes_of = |text: &str| from.encode(text, UnmappablePolicy::Stop).unwrap().into_owned();
                let (short, longer) = (bytes_of(&text), bytes_of(&long));
                let machine = || Transcoder::new(from, to).counting();
                let longest = machine().on_unmappable(policy).transcode(&short).map_or(0, |out| out.len());
                for room in (0..=longest).filter(|room| in_turn(room + which + i, 41)) {
                    let mut dst = [vec![0; room], vec![0; room]];
                    let (mut quick, mut slow) =
                        (machine().on_unmappable(policy), machine().on_unmappable(Forwarding(policy)));
                    let p = quick.convert(&short, &mut dst[0], true);
                    let q = slow.convert(&short, &mut dst[1], true);
                    let what = || format!("{from} to {to}, {policy:?}, {room}: {text}");
                    assert_eq!(p, q, "{}", what());
                    assert_eq!(dst[0][..p.written], dst[1][..p.written], "{}", what());
                    assert_eq!(quick.tally(), slow.tally(), "{}", what());
                }
                for (piece, room) in [(1, 0), (7, 3), (64, 100), (1000, 0), (usize::MAX, 12_000)] {
                    let quick = converted(machine().on_unmappable(policy), &longer, piece, room);
                    let slow = machine().on_unmappable(Forwarding(policy));
                    let slow = converted(slow, &longer, piece, room);
                    assert!(quick == slow, "{from} to {to}, {policy:?}, {piece}, {room}: {long}");
                }
            }
        }
    });
}

/// A caller reserves room for it.
#[test]
fn the_longest_answer_is_the_longest_that_there_is() {
    let text = Replacement::new("[é]").unwrap();
    let errors = [
        (ErrorPolicy::Stop, 0),
        (ErrorPolicy::SurrogatePass, 0),
        (ErrorPolicy::Skip, 0),
        (ErrorPolicy::Replace, 1),
        (ErrorPolicy::ReplaceWith(text), 3),
    ];
    for (policy, longest) in errors {
        assert_eq!(policy.longest(), longest, "{policy:?}");
        // Also if it is one of several.
        let several = ByKind::new(ErrorPolicy::Stop).with(IllFormedKind::Surrogate, policy);
        assert_eq!(several.longest(), longest, "{policy:?}");
    }
    let unmappables = [
        (UnmappablePolicy::Replace, 1),
        (UnmappablePolicy::ReplaceWith(text), 3),
        // `&#`, seven digits and `;`, or `\U` and eight digits, with a reserve.
        (UnmappablePolicy::XmlReference, 13),
        (UnmappablePolicy::Optu16, 2),
    ];
    for (policy, longest) in unmappables {
        assert_eq!(policy.longest(), longest, "{policy:?}");
    }
}

#[test]
fn closures_and_boxes_are_policies() {
    // An answer may borrow data of the caller.
    let text = String::from("<bad>");
    let replacement = Replacement::new(&text).unwrap();
    let policy = from_fn(|_| Action::Text(replacement)).up_to(text.len());
    assert_eq!(policy.longest(), 5);
    assert_eq!(utf8::decode(b"a\xFFb", policy).unwrap(), "a<bad>b");
    let mut count = 0;
    let unmappable = from_fn_unmappable(|_| {
        count += 1;
        Substitute::Text(replacement)
    });
    assert_eq!(Encoding::US_ASCII.encode("aéb", unmappable).unwrap(), &b"a<bad>b"[..]);
    assert!(count > 0);

    let boxes: [(Box<dyn OnError>, &str); 4] = [
        (Box::new(ErrorPolicy::Replace), "a\u{FFFD}\u{FFFD}b"),
        (Box::new(ErrorPolicy::Replace.spanning(Span::Structural)), "a\u{FFFD}b"),
        (Box::new(from_fn(|_| Action::Text(Replacement::QUESTION))), "a??b"),
        // A box has the hints of its policy.
        (Box::new(ErrorPolicy::Optu), "a\u{EFC0}\u{EFAF}b"),
    ];
    for (mut policy, expected) in boxes {
        let lent: &mut dyn OnError = &mut policy;
        assert_eq!(utf8::decode(b"a\xC0\xAFb", lent).unwrap(), expected);
        assert_eq!(Encoding::UTF_8.decode(b"a\xC0\xAFb", policy).unwrap(), expected);
    }
    let boxed: Box<dyn OnUnmappable> = Box::new(UnmappablePolicy::XmlReference);
    assert_eq!(Encoding::US_ASCII.encode("é", boxed).unwrap(), &b"&#233;"[..]);
}

/// OPTU escapes the code points that it uses, also through a box and a reference.
#[test]
fn pointers_keep_what_a_policy_inspects() {
    let text = "a\u{EF80}";
    let escaped = utf8::decode(text.as_bytes(), ErrorPolicy::Optu).unwrap();
    assert_eq!(escaped, "a\u{EFEE}\u{EFBE}\u{EF80}");
    let boxed: Box<dyn OnError> = Box::new(ErrorPolicy::Optu);
    assert_eq!(utf8::decode(text.as_bytes(), boxed).unwrap(), escaped);
    assert_eq!(utf8::decode(text.as_bytes(), &mut ErrorPolicy::Optu).unwrap(), escaped);
    assert_eq!(utf8::decode(text.as_bytes(), Forwarding(ErrorPolicy::Optu)).unwrap(), text);
}

/// `Pass` reads a surrogate wherever the form has a pattern for it, and waits for the end of it.
#[test]
fn a_surrogate_passes_by_an_answer() {
    let policy = || from_fn(|_| Action::Pass(Otherwise::Text(Replacement::QUESTION)));
    for (from, src, expected) in [
        (Encoding::UTF_8, &b"a\xED\xA0\x80\xFF\xED\xA0"[..], &[0x61, 0xD800, 0x3F, 0x3F, 0x3F][..]),
        (Encoding::UTF_16BE, b"\0a\xDC\x01\0b\xD8\0", &[0x61, 0xDC01, 0x62, 0xD800]),
        (Encoding::UTF_32LE, b"\0\xD8\0\0\0\0\x11\0", &[0xD800, 0x3F]),
        (Encoding::SHIFT_JIS, b"a\xFF", &[0x61, 0x3F]),
    ] {
        let expected: Vec<u8> = expected.iter().flat_map(|unit: &u16| unit.to_le_bytes()).collect();
        for piece in [1, 2, 100] {
            let machine = Transcoder::new(from, Encoding::UTF_16LE).on_error(policy());
            let machine = machine.on_unmappable(UnmappablePolicy::SurrogatePass);
            assert_eq!(converted(machine, src, piece, 0).0, expected, "{from}, {piece}");
        }
    }
}
