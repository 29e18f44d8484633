//! Tables of the multi-byte encodings of the web, made of what `encoding_rs` reads when they are first used, and loops
//! over them.
//!
//! To ask `encoding_rs` for one character costs tens of nanoseconds, and it writes Han and Hangul by searching, unless it
//! has tables of 170 KB. These take a third of a millisecond and 256 KB of the heap, an encoding that is used.
//! (2026-11-22, times as fast as `encoding_rs` with its tables: see docs/relatives.md.)

use super::codec::{decode, encode};
use super::written::{Written, first, utf8_len};
use crate::forms::charsets::index::Index;
use crate::forms::charsets::legacy::Legacy;
use crate::forms::charsets::window::{At, Plain, four, get, utf8};
use crate::forms::form::Family;
use crate::ground::once::Once;
use crate::ground::work;
use crate::kernels::Moved;
use crate::kernels::dispatch::Kernels;
use crate::kernels::portable::single_byte::put;
use crate::kernels::portable::step::decode_utf8;
use alloc::{boxed::Box, vec, vec::Vec};
use core::sync::atomic::{AtomicUsize, Ordering};
use encoding_rs::GB18030;

/// The length of text that is worth making the tables to read it.
const WORTHWHILE: usize = 4096;

/// The most bytes of UTF-8 that are encoded a character at a time: the way by UTF-16 takes 15 ns before it begins.
const FEW: usize = 16;
/// Bytes of UTF-8 that become UTF-16 at a time, at first and later: much of a piece may be for nothing where the encoding
/// lacks much of the text.
const FIRST_PIECE: usize = 128;
const PIECE: usize = 1024;

/// The number of encodings.
const COUNT: usize = <Legacy as Family>::ALL.len();

/// The tables of an encoding.
pub(super) struct Tables {
    encoding: Legacy,
    /// By the lead byte without its highest bit, and the second byte: what two bytes mean.
    pairs: Box<[Text; 0x8000]>,
    /// By byte without its highest bit: what a byte alone means.
    singles: [Text; 0x80],
    written: Written,
}

/// A character as UTF-8: its bytes, the first as the lowest, and above up to three of them their number; 0 if there is
/// none.
type Text = u32;

#[expect(clippy::cast_possible_truncation, reason = "the length is at most 4")]
const fn text(c: u32) -> Text {
    let (bytes, len) = utf8(c);
    if len < 4 { bytes | (len as u32) << 24 } else { bytes }
}

/// The bytes, with what is above them, and their number.
#[inline(always)]
fn bytes(text: Text) -> Option<(u32, usize)> {
    // The last of four bytes is 80 or more.
    (text != 0).then_some((text, (text >> 24).min(4) as usize))
}

#[inline(always)]
fn scalar(text: Text) -> Option<u32> {
    let (bytes, len) = bytes(text)?;
    let bytes = if len < 4 { bytes & 0xFF_FFFF } else { bytes };
    get(bytes.into()).map(|(c, _)| c)
}

struct Ascii;
impl Plain for Ascii {
    const ODD: &'static [u8] = &[];
}

impl Tables {
    /// The tables of an encoding.
    pub(super) fn of(encoding: Legacy) -> &'static Self {
        Self::place(encoding).get_or_make(|| Self::new(encoding))
    }

    /// The tables of an encoding, if they exist, or if `len` bytes of text, with those of the calls before, are worth
    /// making them.
    pub(super) fn for_text(encoding: Legacy, len: usize) -> Option<&'static Self> {
        /// The bytes of calls without tables, of all encodings. A count that another thread overwrites does no harm.
        static SEEN: AtomicUsize = AtomicUsize::new(0);
        let there = Self::place(encoding).get();
        if there.is_some() {
            return there;
        }
        let seen = SEEN.load(Ordering::Relaxed).saturating_add(len);
        SEEN.store(if seen < WORTHWHILE { seen } else { 0 }, Ordering::Relaxed);
        (seen >= WORTHWHILE).then(|| Self::of(encoding))
    }

    /// The tables of an encoding, if they exist.
    pub(super) fn made(encoding: Legacy) -> Option<&'static Self> {
        Self::place(encoding).get()
    }

    #[inline(always)]
    fn place(encoding: Legacy) -> &'static Once<Self> {
        static ALL: [Once<Tables>; COUNT] = [const { Once::new() }; COUNT];
        &ALL[encoding as usize]
    }

    fn new(encoding: Legacy) -> Self {
        // Line by line, so that what belongs to what is clear: no encoding has a line feed as a trail byte.
        let mut all = Vec::new();
        for lead in 0x80..=0xFF {
            all.extend([lead, b'\n']);
        }
        for lead in 0x80..=0xFF {
            for trail in 0..=0xFF {
                all.extend([lead, if trail == b'\n' { 0 } else { trail }, b'\n']);
            }
        }
        let (all, _) = encoding.codec().decode_without_bom_handling(&all);
        let mut lines = all.split('\n').map(|line| {
            let mut chars = line.chars();
            match (chars.next(), chars.next()) {
                (Some(c), None) if c != char::REPLACEMENT_CHARACTER => text(c.into()),
                _ => 0,
            }
        });
        let mut singles = [0; 0x80];
        singles.fill_with(|| lines.next().unwrap_or(0));
        let mut pairs = vec![0; 0x8000].into_boxed_slice();
        pairs.fill_with(|| lines.next().unwrap_or(0));
        let Ok(pairs) = pairs.try_into() else { unreachable!("it is as long as that") };
        let mut tables = Self { encoding, pairs, singles, written: Written::from_iter([]) };
        tables.written = tables.written();
        tables
    }

    /// What the encoder writes, by the rules of the WHATWG Encoding Standard: of several codes the first.
    fn written(&self) -> Written {
        let code =
            |[lead, trail]: [u8; 2]| (scalar(self.pair([lead, trail])), u16::from_be_bytes([lead, trail]));
        let is_written = |lead: u8| match self.encoding {
            // Hong Kong's.
            Legacy::Big5 => lead >= 0xA1,
            // Without NEC's copies of IBM's additions, and without private use.
            Legacy::ShiftJis => !matches!(lead, 0xED | 0xEE | 0xF0..=0xF9),
            _ => true,
        };
        let pairs = (0x80..=0xFF_u8)
            .filter(|&lead| is_written(lead))
            .flat_map(|lead| (0..=0xFF_u8).map(move |trail| code([lead, trail])));
        let pairs: Vec<_> = pairs.filter_map(|(c, code)| Some((c?, code))).collect();
        let singles = (0x80..=0xFF_u8).filter_map(|byte| Some((scalar(self.single(byte))?, u16::from(byte))));
        let mut codes: Vec<(u32, u16)> = Vec::new();
        match self.encoding {
            // The euro in a byte.
            Legacy::Gbk => codes.extend(pairs.iter().rev().copied().chain(singles)),
            Legacy::Gb18030 => codes.extend(singles.chain(pairs.iter().rev().copied())),
            all => {
                codes.extend(singles.chain(pairs.iter().rev().copied()));
                if all == Legacy::Big5 {
                    let last = |c: u32| matches!(c, 0x2550 | 0x255E | 0x2561 | 0x256A | 0x5341 | 0x5345);
                    codes.extend(pairs.iter().filter(|&&(c, _)| last(c)));
                }
                if matches!(all, Legacy::ShiftJis | Legacy::EucJp) {
                    codes.extend([(0xA5, 0x5C), (0x203E, 0x7E)]);
                    let minus = codes.iter().find(|&&(c, _)| c == 0xFF0D).map(|&(_, code)| (0x2212, code));
                    codes.extend(minus);
                }
            }
        }
        codes.into_iter().collect()
    }

    #[inline(always)]
    fn pair(&self, [lead, trail]: [u8; 2]) -> Text {
        // The highest bit of what is ASCII is not set, and no trail byte is 80 below it.
        self.pairs[usize::from(lead & 0x7F) << 8 | usize::from(trail)]
    }

    #[inline(always)]
    fn single(&self, byte: u8) -> Text {
        self.singles[usize::from(byte & 0x7F)]
    }

    /// The text of two bytes, of which the first is not ASCII.
    #[inline(always)]
    fn read(&self, two: [u8; 2]) -> Option<(u32, usize)> {
        if two[0] < 0x80 { None } else { bytes(self.pair(two)) }
    }

    /// The bytes of a character that is not ASCII.
    #[inline(always)]
    pub(super) fn write(&self, c: u32) -> Option<([u8; 4], usize)> {
        self.written.code(c)
    }

    /// The bytes of what is not in these tables.
    pub(super) fn write_other(&self, c: u32) -> Option<([u8; 4], usize)> {
        if self.encoding == Legacy::Gb18030
            && let Some(bytes) = Fours::get().write(c)
        {
            return Some((bytes, 4));
        }
        // Private use that was characters once.
        if self.is_gb() { encode(self.encoding.codec(), char::from_u32(c)?) } else { None }
    }

    /// Whether four bytes may have a meaning.
    #[inline(always)]
    fn is_gb(&self) -> bool {
        matches!(self.encoding, Legacy::Gb18030 | Legacy::Gbk)
    }

    /// As far as two bytes and more are there and have a meaning.
    pub(super) fn to_utf8(&self, src: &[u8], dst: &mut [u8]) -> Moved {
        let mut at = At::new(src, dst);
        let is_gb = self.is_gb();
        while let Some((word, _)) = at.window() {
            let [byte, second, ..] = four(word);
            let some = if word & 0x80 == 0 {
                at.copy::<Ascii>()
            } else if is_gb && second.is_ascii_digit() {
                Fours::get().read(four(word)).and_then(|c| at.put(c, 4)).is_some()
            } else {
                at.read_some(|two| self.read(two))
            };
            if some {
                continue;
            }
            let written = match bytes(self.single(byte)) {
                Some((bytes, len)) => at.write(bytes.to_le_bytes(), len, 1),
                None => self.read_other(&mut at),
            };
            if written.is_none() {
                break;
            }
        }
        let At { src, dst, read, written } = at;
        // The windows stop before the end of either.
        let rest = self.few_to_utf8(&src[read..], &mut dst[written..]);
        Moved { read: read + rest.read, written: written + rest.written }
    }

    /// As far as text is there and in these tables, a character at a time.
    #[inline(always)]
    pub(super) fn few_to_utf8(&self, src: &[u8], dst: &mut [u8]) -> Moved {
        let mut moved = Moved::default();
        while let Some((text, read)) = src.get(moved.read..).and_then(|rest| self.first(rest)) {
            let Some((bytes, len)) = bytes(text) else { break };
            if !put(dst, moved.written, bytes, len) {
                break;
            }
            moved = Moved { read: moved.read + read, written: moved.written + len };
        }
        moved
    }

    /// The character at the start, if it is in one of these tables, and the number of its bytes.
    #[inline(always)]
    fn first(&self, src: &[u8]) -> Option<(Text, usize)> {
        let &byte = src.first()?;
        if byte < 0x80 {
            return Some((text(byte.into()), 1));
        }
        let single = self.single(byte);
        if single != 0 {
            return Some((single, 1));
        }
        let &second = src.get(1)?;
        if self.is_gb() && second.is_ascii_digit() {
            let c = Fours::get().read(*src.first_chunk()?)?;
            return Some((text(c), 4));
        }
        let pair = self.pair([byte, second]);
        (pair != 0).then_some((pair, 2))
    }

    /// The scalar value at the start, if it is in one of these tables, and the number of its bytes.
    #[inline(always)]
    pub(super) fn first_scalar(&self, src: &[u8]) -> Option<(u32, usize)> {
        let (text, len) = self.first(src)?;
        Some((scalar(text)?, len))
    }

    /// Reads ASCII and codes that are one unit of UTF-16. Returns the number of bytes, and of units.
    pub(super) fn to_units(&self, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
        let (mut read, mut count) = (0, 0);
        while let Some(slot) = units.get_mut(count) {
            let Some((c, len)) = src.get(read..).and_then(|rest| self.first_scalar(rest)) else { break };
            let Ok(unit) = u16::try_from(c) else { break };
            *slot = unit.to_le_bytes();
            (read, count) = (read + len, count + 1);
        }
        (read, count)
    }

    /// Reads what is in no table, and what else is in so many bytes.
    #[inline(never)]
    fn read_other(&self, at: &mut At<'_>) -> Option<()> {
        let src: &[u8; 4] = at.src.get(at.read..)?.first_chunk()?;
        let mut text = [0; 16];
        let Moved { read, written } =
            decode(self.encoding.codec().new_decoder_without_bom_handling(), src, &mut text);
        if read == 0 {
            return None;
        }
        at.write(text, written, read)
    }

    /// As far as there is well-formed text that the encoding holds.
    pub(super) fn encode_utf8(&self, src: &[u8], dst: &mut [u8]) -> Moved {
        if src.len() <= FEW {
            return self.encode_few(src, dst);
        }
        // Clearing the larger one costs more than a short text.
        if src.len() <= FIRST_PIECE {
            self.encode_pieces(&mut [0; 2 * FIRST_PIECE], src, dst)
        } else {
            self.encode_pieces(&mut [0; 2 * PIECE], src, dst)
        }
    }

    /// Encodes a character at a time.
    fn encode_few(&self, src: &[u8], dst: &mut [u8]) -> Moved {
        self.encode_each(src, dst, decode_utf8)
    }

    /// Encodes text of an encoding with these other tables, a character at a time.
    pub(super) fn encode_few_of(&self, other: &Self, src: &[u8], dst: &mut [u8]) -> Moved {
        self.encode_each(src, dst, |src| other.first_scalar(src))
    }

    /// Encodes a character at a time; `first` is the first of some text, and the number of its bytes.
    #[inline(always)]
    fn encode_each(
        &self,
        src: &[u8],
        dst: &mut [u8],
        first: impl Fn(&[u8]) -> Option<(u32, usize)>,
    ) -> Moved {
        let mut moved = Moved::default();
        while let Some((c, read)) = src.get(moved.read..).and_then(&first) {
            let Some((bytes, len)) = self.write(c).or_else(|| self.write_other(c)) else { break };
            if !put(dst, moved.written, u32::from_le_bytes(bytes), len) {
                break;
            }
            moved = Moved { read: moved.read + read, written: moved.written + len };
        }
        moved
    }

    /// Encodes a piece at a time by way of UTF-16.
    #[inline(always)]
    fn encode_pieces(&self, units: &mut [u8], src: &[u8], dst: &mut [u8]) -> Moved {
        let kernels = Kernels::current();
        let mut moved = Moved::default();
        let mut most = FIRST_PIECE;
        loop {
            let (rest, room) = (&src[moved.read..], &mut dst[moved.written..]);
            if rest.first_chunk::<64>().is_some_and(|start| start.is_ascii()) {
                let part = kernels.copy_ascii(rest, room);
                moved = Moved { read: moved.read + part.read, written: moved.written + part.written };
            }
            let (rest, room) = (&src[moved.read..], &mut dst[moved.written..]);
            // No code is shorter than a third of its character in UTF-8.
            let piece = &rest[..rest.len().min(most).min(3 * room.len())];
            work::add(piece.len());
            let part = kernels.utf8_to_utf16le(piece, units);
            let units = units[..part.written].as_chunks().0;
            let (taken, written) = self.encode_units(units, room);
            moved.written += written;
            if taken < units.len() {
                moved.read += utf8_len(&units[..taken]);
                return moved;
            }
            moved.read += part.read;
            // The end of a piece may cut a sequence off after three bytes at most.
            if part.read == 0 || part.read + 3 < piece.len() || piece.len() == rest.len() {
                return moved;
            }
            most = PIECE.min(2 * most);
        }
    }

    /// Writes units as far as the encoding has them, and there is room. Returns the number of units, and of bytes.
    #[inline(always)]
    pub(super) fn encode_units(&self, units: &[[u8; 2]], out: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        loop {
            let (some, len) = self.written.put(&units[read..], &mut out[written..]);
            (read, written) = (read + some, written + len);
            let Some((c, some)) = first(&units[read..]) else { return (read, written) };
            let Some((bytes, len)) = self.write(c).or_else(|| self.write_other(c)) else {
                return (read, written);
            };
            let Some(to) = out.get_mut(written..written + len) else { return (read, written) };
            to.copy_from_slice(&bytes[..len]);
            (read, written) = (read + some, written + len);
        }
    }
}

/// The codes of four bytes of gb18030: counted, the first for what is not in two bytes, in order, and after a gap all
/// planes but the first.
struct Fours {
    /// The code point of each code before the gap.
    units: Vec<u16>,
    /// Their bytes, which would take divisions.
    bytes: Vec<[u8; 4]>,
    index: Index,
}

/// The number of entries before the gap, and the start of the planes.
const FIRST: u16 = 39420;
const PLANES: u32 = 189_000;

impl Fours {
    fn get() -> &'static Self {
        static FOURS: Once<Fours> = Once::new();
        FOURS.get_or_make(|| {
            let bytes: Vec<[u8; 4]> = (0..FIRST).map(|n| Self::bytes(n.into())).collect();
            // Each of them means something, and one unit.
            let (text, _) = GB18030.decode_without_bom_handling(bytes.as_flattened());
            let units: Vec<u16> = text.encode_utf16().collect();
            let index = units.iter().map(|&unit| u32::from(unit)).zip(0..FIRST).collect();
            Self { units, bytes, index }
        })
    }

    /// The bytes of a number.
    #[inline(always)]
    fn bytes(n: u32) -> [u8; 4] {
        let digit = |n: u32, base: u8, least: u8| {
            ((n % u32::from(base)).to_le_bytes()[0] + least, n / u32::from(base))
        };
        let (d, n) = digit(n, 10, 0x30);
        let (c, n) = digit(n, 126, 0x81);
        let (b, n) = digit(n, 10, 0x30);
        [n.to_le_bytes()[0] + 0x81, b, c, d]
    }

    /// The code point of four bytes.
    #[inline(always)]
    fn read(&self, [a, b, c, d]: [u8; 4]) -> Option<u32> {
        let digit = |byte: u8, least: u8, base: u8| {
            let digit = byte.wrapping_sub(least);
            (digit < base).then_some(u32::from(digit))
        };
        let (a, b) = (digit(a, 0x81, 126)?, digit(b, 0x30, 10)?);
        let (c, d) = (digit(c, 0x81, 126)?, digit(d, 0x30, 10)?);
        let n = ((a * 10 + b) * 126 + c) * 10 + d;
        match n.checked_sub(PLANES) {
            None => self.units.get(n as usize).map(|&unit| unit.into()),
            Some(n) => (n < 0x10_0000).then_some(0x1_0000 + n),
        }
    }

    /// The bytes of a scalar value, if it is four.
    #[inline(always)]
    fn write(&self, c: u32) -> Option<[u8; 4]> {
        match c.checked_sub(0x1_0000) {
            Some(c) => Some(Self::bytes(PLANES + c)),
            None => self.bytes.get(usize::from(self.index.code(c)?)).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::portable::samples::Numbers;

    const ENCODINGS: [Legacy; 6] =
        [Legacy::Gb18030, Legacy::Gbk, Legacy::Big5, Legacy::EucJp, Legacy::ShiftJis, Legacy::EucKr];

    /// The tables agree with `encoding_rs` on all pairs of bytes and all scalar values.
    #[test]
    fn tables_say_what_encoding_rs_says() {
        for legacy in ENCODINGS {
            let (tables, encoding) = (Tables::of(legacy), legacy.codec());
            let mut held = 0;
            for two in (0x8000..=u16::MAX).map(u16::to_be_bytes) {
                let Some((bytes, len)) = tables.read(two) else { continue };
                let (expected, _) = encoding.decode_without_bom_handling(&two);
                assert_eq!(bytes.to_le_bytes()[..len], *expected.as_bytes(), "{} {two:X?}", encoding.name());
                held += 1;
            }
            assert!(held > 6000, "{}", encoding.name());
            for c in '\u{80}'..=char::MAX {
                let found = tables.write(c.into()).or_else(|| tables.write_other(c.into()));
                assert_eq!(found, encode(encoding, c), "{} {c:?}", encoding.name());
            }
        }
    }

    /// Texts of every kind of character, with something unmappable or ill-formed anywhere, and with little room: the
    /// prefix that is encoded is as long as `encoding_rs` says for its characters one by one.
    #[test]
    fn the_prefix_that_is_encoded_is_the_longest() {
        let kinds = [
            "a",
            "<p class=\"text\">",
            "é",
            "д",
            "日本語",
            "漢字",
            "한국어 말",
            "ｱ",
            "。",
            "€",
            "😀",
            "𠂊",
            "\u{E5E5}",
        ];
        let mut numbers = Numbers::new(5);
        for legacy in ENCODINGS {
            let encoding = legacy.codec();
            let of = |c: char| encode(encoding, c).map(|(bytes, len)| bytes[..len].to_vec());
            let held: Vec<&str> =
                kinds.into_iter().filter(|kind| kind.chars().all(|c| of(c).is_some())).collect();
            assert!(held.len() > 6);
            for round in 0..2000 {
                let mut src = Vec::new();
                let most = [20, 200, 1300, 5000][round % 4];
                // Long runs of one kind, and all kinds mixed.
                let run = 1 + numbers.below(if round % 3 == 0 { 300 } else { 3 });
                while src.len() < most {
                    let kind = held[numbers.below(held.len())];
                    (0..1 + numbers.below(run)).for_each(|_| src.extend_from_slice(kind.as_bytes()));
                }
                src.truncate(numbers.below(most));
                let at = numbers.below(src.len() + 1);
                match round % 5 {
                    0 => src.truncate(at),
                    1 => drop(src.splice(at..at, [0xFF])),
                    2 => drop(src.splice(at..at, "ༀ".bytes())),
                    _ => {}
                }
                let text = match core::str::from_utf8(&src) {
                    Ok(text) => text,
                    Err(e) => core::str::from_utf8(&src[..e.valid_up_to()]).expect("valid up to there"),
                };
                let mut room = 4 * src.len();
                if round % 7 == 0 {
                    room = numbers.below(src.len() + 1);
                }
                let (mut read, mut expected) = (0, Vec::new());
                for c in text.chars() {
                    let code = if c.is_ascii() { Some(vec![c as u8]) } else { of(c) };
                    let Some(code) = code.filter(|code| expected.len() + code.len() <= room) else { break };
                    expected.extend_from_slice(&code);
                    read += c.len_utf8();
                }
                let mut dst = vec![0xA5; room + 1];
                let moved = Tables::of(legacy).encode_utf8(&src, &mut dst[..room]);
                let name = encoding.name();
                assert_eq!(moved, Moved { read, written: expected.len() }, "{name} {src:02X?} {room}");
                assert_eq!(dst[..expected.len()], expected, "{name} {src:02X?}");
                assert_eq!(dst[room], 0xA5);
            }
        }
    }

    /// The tables agree with `encoding_rs` on all sequences of four bytes of gb18030.
    #[test]
    fn four_bytes_say_what_encoding_rs_says() {
        let all = (0..126 * 10 * 126 * 10).map(Fours::bytes);
        assert_eq!(all.clone().next_back(), Some([0xFE, 0x39, 0xFE, 0x39]));
        let mut held = 0;
        for four in all {
            let (text, errors) = GB18030.decode_without_bom_handling(&four);
            let expected = if errors { None } else { text.chars().next().map(u32::from) };
            assert_eq!(Fours::get().read(four), expected, "{four:X?}");
            held += usize::from(expected.is_some());
        }
        assert_eq!(held, usize::from(FIRST) + 0x10_0000);
        assert_eq!(Fours::get().units.len(), usize::from(FIRST));
        for four in [
            [0x80, 0x30, 0x81, 0x30],
            [0x81, 0x2F, 0x81, 0x30],
            [0x81, 0x30, 0xFF, 0x30],
            [0x81, 0x30, 0x81, 0x3A],
        ] {
            assert_eq!(Fours::get().read(four), None);
        }
    }
}
