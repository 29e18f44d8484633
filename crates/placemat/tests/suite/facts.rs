//! The facts about each encoding, compared with what its conversions do: with all sequences of up to three bytes, and
//! with code points of all planes.

use crate::subject::in_parallel;
use core::fmt::Debug;
use placemat::forms::{AsciiBytes, UnitOrder};
use placemat::stream::{Status, Transcoder};
use placemat::{CodePoint, Encoding, ErrorPolicy, UnmappablePolicy};
use std::sync::Mutex;

/// A text as code points.
type Text = Vec<u32>;

/// Compares a fact about every encoding with what `found` finds of it, if anything is known, and names all that differ.
#[track_caller]
fn compare<T: PartialEq + Debug>(
    stated: impl Fn(Encoding) -> T + Sync,
    found: impl Fn(Encoding) -> Option<T> + Sync,
) {
    let wrong = Mutex::new(Vec::new());
    in_parallel(Encoding::ALL.len(), |i| {
        let encoding = Encoding::ALL[i];
        let (stated, found) = (stated(encoding), found(encoding));
        if found.as_ref().is_some_and(|found| *found != stated) {
            wrong.lock().unwrap().push(format!("{encoding}: {stated:?} is stated, {found:?} found"));
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn unit_bytes(encoding: Encoding) -> usize {
    encoding.facts().units_per_error
}

fn is_of_bytes(encoding: Encoding) -> bool {
    unit_bytes(encoding) == 1
}

fn code_points(bytes: &[u8]) -> Text {
    bytes.as_chunks().0.iter().map(|c| u32::from_be_bytes(*c)).collect()
}

fn encode(text: &[u32], to: Encoding) -> Option<Vec<u8>> {
    let bytes: Vec<u8> = text.iter().flat_map(|c| c.to_be_bytes()).collect();
    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    Transcoder::new(Encoding::UCS_4BE, to).on_error(d).on_unmappable(u).transcode(&bytes).ok()
}

/// The result of reading some bytes from the start of a text.
enum Read {
    Text(Text),
    /// The sequence goes on, or the bytes only change the state.
    Nothing,
    Error,
}

/// Reads many short texts in one encoding.
struct Reader(Transcoder);

impl Reader {
    fn new(encoding: Encoding) -> Self {
        let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
        Self(Transcoder::new(encoding, Encoding::UCS_4BE).on_error(d).on_unmappable(u))
    }

    fn read(&mut self, bytes: &[u8]) -> Read {
        let mut dst = [0; 128];
        self.0.reset();
        let p = self.0.convert(bytes, &mut dst, false);
        match p.status {
            Status::IllFormed(_) | Status::Unmappable(_) => Read::Error,
            _ if p.written == 0 => Read::Nothing,
            _ => Read::Text(code_points(&dst[..p.written])),
        }
    }

    /// Calls `each` with every sequence of up to three bytes that begins with `prefix` and is text of which no part is
    /// text, and with its text.
    fn each_sequence(&mut self, prefix: &mut Vec<u8>, each: &mut dyn FnMut(&[u8], Text)) {
        for next in 0..=0xFF {
            prefix.push(next);
            match self.read(prefix) {
                Read::Text(text) => each(prefix, text),
                Read::Nothing if prefix.len() < 3 => self.each_sequence(prefix, each),
                Read::Nothing | Read::Error => {}
            }
            prefix.pop();
        }
    }
}

/// Returns the meaning of the bytes 00..7F as the decoder shows it.
fn ascii_bytes(encoding: Encoding) -> AsciiBytes {
    let except = encoding.facts().ascii_but.unwrap_or_default();
    let mut reader = Reader::new(encoding);
    let (mut has_shift, mut has_gap) = (false, false);
    for byte in 0..0x80 {
        match reader.read(&[byte]) {
            Read::Nothing => has_shift = true,
            Read::Text(text) if text == [u32::from(byte)] || except.contains(&byte) => {}
            Read::Error if !byte.is_ascii_alphanumeric() => has_gap |= !except.contains(&byte),
            Read::Text(_) | Read::Error => return AsciiBytes::Never,
        }
        if byte.is_ascii_alphanumeric() && !matches!(reader.read(&[byte]), Read::Text(_)) {
            return AsciiBytes::Never;
        }
    }
    match (has_shift, has_gap) {
        (true, _) => return AsciiBytes::Shifted,
        (false, true) => return AsciiBytes::Never,
        (false, false) => {}
    }
    let (mut is_later, mut is_other) = (false, false);
    reader.each_sequence(&mut Vec::new(), &mut |bytes, text| {
        let is_ascii = |c: &u32| u8::try_from(*c).is_ok_and(|c| c.is_ascii() && !except.contains(&c));
        // A byte that waits for the next one may be read alone, and the next one too.
        let (bytes, text) = match (bytes, &text[..]) {
            ([before @ .., last], [text @ .., c])
                if !before.is_empty() && !text.is_empty() && last.is_ascii() && *c == u32::from(*last) =>
            {
                (before, text)
            }
            all => all,
        };
        is_later |= bytes[0] >= 0x80 && bytes.iter().any(u8::is_ascii);
        is_other |= bytes[0] >= 0x80 && text.iter().any(is_ascii);
    });
    match (is_later, is_other) {
        (true, _) => AsciiBytes::InSequences,
        (false, true) => AsciiBytes::NotOnly,
        (false, false) => AsciiBytes::Always,
    }
}

#[test]
fn ascii_bytes_mean_what_the_facts_say() {
    compare(|encoding| encoding.facts().ascii, |encoding| Some(ascii_bytes(encoding)));
}

/// Returns the longer sequences of an encoding, of which [`Reader::each_sequence`] has none, that are read as some text.
fn long_sequences() -> impl Iterator<Item = Vec<u8>> {
    // Plane 1 of CNS 11643 in EUC-TW, which also has two bytes.
    (0xA1..=0xFE).flat_map(|row| (0xA1..=0xFE).map(move |cell| vec![0x8E, 0xA1, row, cell]))
}

#[test]
fn bytes_come_back_where_the_facts_say_so() {
    let come_back = |encoding: Encoding| {
        // A text without a signature may get one.
        let comes_back = |bytes: &[u8], text: &[u32]| {
            let again = encode(text, encoding);
            again.is_some_and(|again| {
                again == bytes || again.strip_prefix(encoding.signature()) == Some(bytes)
            })
        };
        let mut all = true;
        Reader::new(encoding)
            .each_sequence(&mut Vec::new(), &mut |bytes, text| all &= comes_back(bytes, &text));
        for bytes in long_sequences().chain(PAIRS.iter().flat_map(|pair| each_alone(pair, encoding))) {
            if let Ok(text) = Reader::new(encoding).0.transcode(&bytes) {
                all &= comes_back(&bytes, &code_points(&text));
            }
        }
        all
    };
    compare(
        |encoding| encoding.facts().one_to_one,
        |encoding| {
            let facts = encoding.facts();
            // Where no byte can be escaped, only longer sequences may be the ones that do not come back.
            (is_of_bytes(encoding) && (facts.one_to_one || facts.takes_escapes)).then(|| come_back(encoding))
        },
    );
}

/// Returns pseudo-random scalar values that the encoding represents, without U+FEFF.
fn scalars(encoding: Encoding) -> Text {
    let mut random = 1u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(random >> 33).unwrap()
    };
    let candidates = (0..6_000).map(|i| match i % 4 {
        0 => next() % 0x180,
        1 => next() % 0x3200,
        2 => next() % 0x1_0000,
        _ => next() % 0x11_0000,
    });
    let is_scalar = |c: &u32| char::from_u32(*c).is_some_and(|c| c != '\u{FEFF}');
    candidates.filter(is_scalar).filter(|&c| encode(&[c], encoding).is_some()).collect()
}

/// Returns the bytes of each code point alone, one after another.
fn each_alone(text: &[u32], encoding: Encoding) -> Option<Vec<u8>> {
    let bytes: Option<Vec<_>> = text.iter().map(|&c| encode(&[c], encoding)).collect();
    bytes.map(|bytes| bytes.concat())
}

/// Texts of two code points that some encodings write as one code, or as more than the codes of both.
const PAIRS: [[u32; 2]; 6] =
    [[0x304B, 0x309A], [0x2E9, 0x2E5], [0xCA, 0x304], [0xD83D, 0xDE00], [0x65, 0x301], [0xB95, 0xBC1]];

#[test]
fn code_points_are_converted_alone_where_the_facts_say_so() {
    let is_stateless = |encoding| {
        let text = scalars(encoding);
        let depends = |text: &[u32]| {
            let Some(whole) = encode(text, encoding) else { return false };
            // A letter and its mark can be one code where the mark alone has none.
            each_alone(text, encoding).is_none_or(|alone| alone != whole)
        };
        let found = depends(&text) || text.chunks(8).any(depends) || PAIRS.iter().any(|pair| depends(pair));
        // The encoding `replacement` represents nothing. DVB-Latin writes no first bytes, but reads them.
        (!text.is_empty() && encoding != Encoding::DVB_LATIN).then_some(!found)
    };
    compare(|encoding| encoding.facts().stateless, is_stateless);
}

#[test]
fn units_have_the_order_of_the_facts() {
    let decode =
        |bytes: &[u8], encoding: Encoding| encoding.decode(bytes, ErrorPolicy::Stop).map(String::from);
    for &encoding in Encoding::ALL {
        let (width, order) = (unit_bytes(encoding), encoding.facts().order);
        assert_eq!(order.is_some(), width > 1, "{encoding}");
        let unit: Vec<u8> = [vec![b'A'], vec![0; width - 1]].concat();
        let swapped: Vec<u8> = unit.iter().rev().copied().collect();
        let signature = encoding.signature();
        match order {
            None => {}
            Some(UnitOrder::Little) => assert_eq!(decode(&unit, encoding).unwrap(), "A"),
            Some(UnitOrder::Big) => assert_eq!(decode(&swapped, encoding).unwrap(), "A"),
            Some(UnitOrder::BySignature) => {
                let is_little = signature[0] == 0xFF;
                let (own, other) = if is_little { (unit, swapped) } else { (swapped, unit) };
                let reversed: Vec<u8> = signature.iter().rev().copied().collect();
                assert_eq!(decode(&[signature, &own].concat(), encoding).unwrap(), "A");
                assert_eq!(decode(&[reversed, other].concat(), encoding).unwrap(), "A");
            }
        }
    }
}

/// Returns `true` if the bytes are sequences with the marker bits of UTF-8.
fn have_markers(mut bytes: &[u8]) -> bool {
    while let Some(&lead) = bytes.first() {
        let len = match lead.leading_ones() {
            0 => 1,
            ones @ 2..=6 => ones as usize,
            _ => return false,
        };
        let Some(later) = bytes.get(1..len) else { return false };
        if later.iter().any(|byte| byte.leading_ones() != 1) {
            return false;
        }
        bytes = &bytes[len..];
    }
    true
}

#[test]
fn sequences_have_markers_where_the_facts_say_so() {
    let is_marked = |encoding| {
        let text = scalars(encoding);
        let bytes: Vec<Vec<u8>> = text.iter().filter_map(|&c| encode(&[c], encoding)).collect();
        let has_marked = bytes.iter().any(|bytes| !bytes.is_ascii());
        // DVB writes UTF-8, but reads other tables.
        (encoding != Encoding::DVB).then(|| has_marked && bytes.iter().all(|bytes| have_markers(bytes)))
    };
    compare(|encoding| encoding.facts().utf8_markers, is_marked);
}

/// Returns `true` if the text of `bytes` is read from each of its first units on as the end of `text`.
fn heals(encoding: Encoding, text: &[u32], bytes: &[u8], starts: &[usize]) -> bool {
    let width = unit_bytes(encoding);
    (width..bytes.len().min(width * 40)).step_by(width).all(|at| {
        let mut transcoder = Transcoder::new(encoding, Encoding::UCS_4BE)
            .on_error(ErrorPolicy::Replace)
            .on_unmappable(UnmappablePolicy::Replace);
        let mut dst = vec![0; bytes.len() * 16 + 64];
        let p = transcoder.convert(&bytes[at..], &mut dst, true);
        let read = code_points(&dst[..p.written]);
        let whole = starts.iter().filter(|&&start| start >= at).count();
        let Some((errors, end)) = read.split_at_checked(read.len().saturating_sub(whole)) else {
            return false;
        };
        errors.iter().all(|&c| matches!(c, 0xFFFD | 0xD800..=0xDFFF))
            && errors.len() <= encoding.max_bytes()
            && *end == text[text.len() - whole..]
    })
}

/// A Tamil letter and the vowel mark that TSCII writes around it.
const SYLLABLE: [u32; 2] = [0xB95, 0xBCB];

#[test]
fn reading_from_the_middle_heals_where_the_facts_say_so() {
    let heals = |encoding: Encoding| {
        // A code can be read as another code point than it was written for.
        let comes_back = |c: &u32| {
            let bytes = encode(&[*c], encoding).unwrap_or_default();
            matches!(Reader::new(encoding).0.clone().transcode(&bytes), Ok(text) if code_points(&text) == [*c])
        };
        let text: Text = scalars(encoding).into_iter().filter(comes_back).filter(|&c| c != 0xFFFD).collect();
        let found = text.chunks(40).take(40).chain([&SYLLABLE[..]]).all(|text| {
            let Some(mut bytes) = encode(text, encoding) else { return true };
            let starts: Vec<usize> =
                (0..text.len()).map(|n| encode(&text[..n], encoding).unwrap_or_default().len()).collect();
            if encoding.facts().order == Some(UnitOrder::BySignature) {
                bytes.chunks_mut(unit_bytes(encoding)).for_each(<[u8]>::reverse);
            }
            heals(encoding, text, &bytes, &starts)
        });
        (!text.is_empty()).then_some(found)
    };
    compare(|encoding| encoding.facts().self_synchronizing, heals);
}

#[test]
fn code_points_are_what_the_tests_take_them_for() {
    assert!(CodePoint::new(0xD83D).is_some_and(|c| c.is_surrogate()));
    assert!(have_markers("aé€😀".as_bytes()) && !have_markers(b"\xE9a") && !have_markers(b"\xC3"));
}
