//! Laws for encodings made of tables, for any tables: all divisions and all buffer sizes give one
//! result, errors are in order, and output reads back as the text.

use crate::data::hex;
use crate::subject::{Machine, Plan, drive, is_tried, thorough};
use placemat::stream::{Status, Transcoder};
use placemat::{CodePoint, Encoding, ErrorPolicy, IllFormedKind, UnmappablePolicy};

/// Returns `true` if the long form of the tests is selected.
pub(crate) fn long() -> bool {
    std::env::var_os("PLACEMAT_LONG").is_some()
}

/// Pseudo-random numbers, the same in every run.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Reads all of `src` with U+FFFD for errors.
pub(crate) fn read(encoding: Encoding, src: &[u8]) -> String {
    let (d, u) = (ErrorPolicy::Replace, UnmappablePolicy::Stop);
    let text = Transcoder::new(encoding, Encoding::UTF_8)
        .on_error(d)
        .on_unmappable(u)
        .transcode(src)
        .expect("text is replaced");
    String::from_utf8(text).expect("well-formed")
}

/// Writes all of `text`; `None` if the encoding cannot represent some of it.
pub(crate) fn write(encoding: Encoding, text: &str) -> Option<Vec<u8>> {
    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    Transcoder::new(Encoding::UTF_8, encoding).on_error(d).on_unmappable(u).transcode(text.as_bytes()).ok()
}

/// Returns all scalar values.
pub(crate) fn scalar_values() -> impl Iterator<Item = char> {
    (0..=0x10_FFFF).filter_map(char::from_u32)
}

/// Writes every scalar value of the planes with tables alone, and the ends of the other planes, and
/// reads it back. Returns the number that the encoding can represent, and those that come back as
/// others. A thorough run takes all planes.
pub(crate) fn round_trip(encoding: Encoding) -> (usize, Vec<(char, String)>) {
    let (mut held, mut others) = (0, Vec::new());
    let is_tried = |c: &char| {
        u32::from(*c) < 0x3_0000 || !(0x80..=0xFF7F).contains(&(u32::from(*c) & 0xFFFF)) || thorough()
    };
    for c in scalar_values().filter(is_tried) {
        let Some(bytes) = write(encoding, c.encode_utf8(&mut [0; 4])) else { continue };
        held += 1;
        let back = read(encoding, &bytes);
        if back != c.to_string() {
            others.push((c, back));
        }
    }
    (held, others)
}

/// Returns the code points of this encoding among those that the run tries: those that survive
/// writing.
fn repertoire(encoding: Encoding) -> Vec<char> {
    let all: String = scalar_values().filter(|&c| is_tried(c.into())).collect();
    let skipping = Transcoder::new(Encoding::UTF_8, encoding).on_unmappable(UnmappablePolicy::Skip);
    let held = skipping.transcode(all.as_bytes()).expect("no policy stops");
    read(encoding, &held).chars().collect()
}

/// Tests the law of streaming in both directions, on text with a few bytes changed and on noise
/// made of `bytes`.
pub(crate) fn streaming(encoding: Encoding, bytes: &[&[u8]], rounds: usize) {
    let all = repertoire(encoding);
    let mut numbers = Numbers::new(7);
    for round in 0..rounds {
        let mut text = String::new();
        for _ in 0..numbers.below(30) {
            match numbers.below(5) {
                0 => text.push(char::from(u8::try_from(0x20 + numbers.below(0x5F)).expect("ASCII"))),
                1 => text.push(char::from_u32(numbers.below(0xD7FF) as u32).expect("no surrogate")),
                _ if all.is_empty() => {}
                _ => text.push(all[numbers.below(all.len())]),
            }
        }
        let mut src = Transcoder::new(Encoding::UTF_8, encoding)
            .on_unmappable(UnmappablePolicy::Skip)
            .transcode(text.as_bytes())
            .expect("no policy stops");
        if round % 4 == 0 {
            src.clear();
        }
        for _ in 0..numbers.below(if src.is_empty() { 24 } else { 4 }) {
            let at = numbers.below(src.len() + 1);
            match numbers.below(3) {
                0 if at < src.len() => drop(src.remove(at)),
                1 if !bytes.is_empty() => {
                    drop(src.splice(at..at, bytes[numbers.below(bytes.len())].iter().copied()));
                }
                _ => src.insert(at, u8::try_from(numbers.below(256)).expect("a byte")),
            }
        }
        for policy in
            [ErrorPolicy::Stop, ErrorPolicy::Replace, ErrorPolicy::Skip, ErrorPolicy::SurrogateEscape]
        {
            let reader = Transcoder::new(encoding, Encoding::UTF_8)
                .on_error(policy)
                .on_unmappable(UnmappablePolicy::Replace);
            let trace = law(encoding, &reader, &src, &mut numbers);
            in_order(encoding, &trace, &src);
            let checker = Transcoder::checker(encoding).on_error(policy);
            law(encoding, &checker, &src, &mut numbers);
            let pivot = Transcoder::new(encoding, Encoding::UTF_16LE)
                .on_error(policy)
                .on_unmappable(UnmappablePolicy::Replace);
            law(encoding, &pivot, &src, &mut numbers);
        }
        for policy in [UnmappablePolicy::Stop, UnmappablePolicy::Replace, UnmappablePolicy::XmlReference] {
            let writer = Transcoder::new(Encoding::UTF_8, encoding)
                .on_error(ErrorPolicy::Replace)
                .on_unmappable(policy);
            law(encoding, &writer, text.as_bytes(), &mut numbers);
            let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let pivot = Transcoder::new(Encoding::UTF_16LE, encoding)
                .on_error(ErrorPolicy::Replace)
                .on_unmappable(policy);
            law(encoding, &pivot, &utf16, &mut numbers);
        }
    }
}

/// Compares the conversion of the whole text with byte by byte, with two pieces divided at every
/// offset, and with small buffers. Returns the result of the whole.
fn law(
    encoding: Encoding,
    machine: &dyn Machine<Src = u8, Dst = u8>,
    src: &[u8],
    numbers: &mut Numbers,
) -> Vec<(Status, usize)> {
    let whole = drive(&mut *machine.boxed(), src, &Plan::whole());
    let mut plans = vec![Plan::cut(&(1..src.len()).collect::<Vec<_>>())];
    plans.extend([0, 1, machine.min_output() + numbers.below(8)].map(Plan::room));
    plans.extend((0..3).map(|_| Plan::cut(&[numbers.below(src.len() + 1)])));
    for plan in plans {
        let found = drive(&mut *machine.boxed(), src, &plan);
        assert!(
            found == whole,
            "{encoding}: {}\n{plan:?}\nwhole  {} {:?}\npieces {} {:?}",
            hex(src),
            hex(&whole.out),
            whole.troubles,
            hex(&found.out),
            found.troubles
        );
    }
    whole.troubles
}

/// Checks that errors follow each other within the text.
fn in_order(encoding: Encoding, troubles: &[(Status, usize)], src: &[u8]) {
    let mut end = 0;
    for (status, _) in troubles {
        match status {
            // An unclosed shift is found at the end of the text, but is named at its place, which may be before other errors.
            Status::IllFormed(e) if e.kind() == IllFormedKind::UnclosedShift => {}
            Status::IllFormed(e) => {
                assert!(e.valid_up_to() >= end, "{encoding}: {e} in {}", hex(src));
                end = e.valid_up_to() + e.len();
                assert!(end <= src.len(), "{encoding}: {e} in {}", hex(src));
            }
            Status::Unmappable(e) => assert_eq!(e.code_point(), CodePoint::default(), "all is mappable: {e}"),
            other => panic!("{other:?}"),
        }
    }
}
