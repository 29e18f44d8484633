//! The loops of the relatives of ISO-2022-JP: text within a set eight bytes at a time, the frequent escapes at once, and
//! everything else by a step.

use super::{ESC, MultiByte, SI, SINCE_2004, SO, Set, Sets};
use crate::multi_byte::quick::{may_be_mark, read_step};
use crate::multi_byte::sets::JISX0208;
use crate::multi_byte::state::MultiByteState;
use crate::multi_byte::steps::write_one;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use crate::two_bytes::Tables;
use crate::window::{At, Plain, four, get, low, two, utf8};
use placemat_core::forms::form::Step;
use placemat_core::forms::unicode::utf8::{decode_step, is_continuation};

/// The literal bytes of ASCII.
struct Ascii;
impl Plain for Ascii {
    const ODD: &'static [u8] = &[SO, SI, ESC];
}
/// The literal bytes of ASCII in a line with a set for single codes, which ends with the line.
struct Line;
impl Plain for Line {
    const ODD: &'static [u8] = &[SO, SI, ESC, b'\n', b'\r'];
}
/// The bytes of JIS X 0201 Roman that are ASCII.
struct Roman;
impl Plain for Roman {
    const ODD: &'static [u8] = &[SO, SI, ESC, b'\\', b'~'];
}
/// The bytes of ASCII that glibc takes literally.
struct Loose;
impl Plain for Loose {
    const ODD: &'static [u8] = &[ESC];
}

const fn is_loose(encoding: MultiByte) -> bool {
    matches!(encoding, MultiByte::Iso2022JpStrict)
}

/// Copies ASCII of the designated set. Returns whether there was any.
#[inline(always)]
fn copy(at: &mut At<'_>, sets: &Sets, is_loose: bool) -> bool {
    match sets.set {
        Set::Ascii if is_loose => at.copy::<Loose>(),
        Set::Ascii if sets.high.is_none() => at.copy::<Ascii>(),
        Set::Ascii => at.copy::<Line>(),
        Set::Roman if sets.high.is_none() => at.copy::<Roman>(),
        _ => false,
    }
}

/// One byte of text in this many counts towards making the tables, because the loop without them has half their speed.
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
const COUNTED_ONE_IN: usize = 16;

/// JIS X 0208 as the loops of EUC-JP read it, once enough text has come.
#[derive(Clone, Copy)]
struct Jis0208 {
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    tables: Option<&'static Tables<MultiByte>>,
}

impl Jis0208 {
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    #[inline(always)]
    fn for_text(len: usize) -> Self {
        Self { tables: Tables::for_text(MultiByte::EucJpStrict, len / COUNTED_ONE_IN) }
    }
    #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
    #[inline(always)]
    fn for_text(_: usize) -> Self {
        Self {}
    }

    /// Reads up to four codes by the tables. Returns whether there was one, or `None` if there are no tables.
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    #[inline(always)]
    fn read_some(self, at: &mut At<'_>) -> Option<bool> {
        let tables = self.tables?;
        Some(at.read_some(|[row, column]| {
            // EUC-JP has katakana after 8E, and only bytes from A1 on are of JIS X 0208.
            let fits = (row > b' ') & ((row | column) < 0x80);
            if fits { tables.read([row | 0x80, column | 0x80]) } else { None }
        }))
    }
    #[cfg(not(all(feature = "alloc", target_has_atomic = "ptr")))]
    #[inline(always)]
    fn read_some(self, _: &mut At<'_>) -> Option<bool> {
        None
    }
}

/// Reads up to four codes of a set of two bytes by its table. Returns whether there was one.
#[inline(always)]
fn read_some(at: &mut At<'_>, set: Set) -> bool {
    let Some((grid, start)) = set.grid() else { return false };
    let without: &[_] = if set == Set::Plane1Of2000 { &SINCE_2004 } else { &[] };
    at.read_some(|bytes| {
        let [row, column] = bytes.map(|byte| usize::from(byte.wrapping_sub(0x21)));
        let fits = row < 94 && !without.contains(&(row, column));
        if fits { grid.scalar((start + row, column)).map(utf8) } else { None }
    })
}

/// The set that one of the frequent escapes designates.
#[inline(always)]
const fn designated(escape: [u8; 4]) -> Option<Set> {
    match escape {
        [ESC, b'(', b'B', _] => Some(Set::Ascii),
        [ESC, b'(', b'J', _] => Some(Set::Roman),
        [ESC, b'$', b'B' | b'@', _] => Some(Set::Jis0208),
        _ => None,
    }
}

pub(in crate::multi_byte) fn to_utf8(
    state: &mut MultiByteState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let mut at = At::new(src, dst);
    let mut now = *state;
    let (encoding, is_loose) = (now.encoding, is_loose(now.encoding));
    let jis0208 = Jis0208::for_text(src.len());
    while let Some((word, _)) = at.window() {
        let sets = &mut now.japanese;
        if !sets.escaped[0]
            && let Some(set) = designated(four(word))
            && set.is_of(encoding)
        {
            sets.set = set;
            // glibc allows one escape right after another.
            sets.escaped[0] = !is_loose;
            at.on(3, 0);
            continue;
        }
        let some = match sets.set {
            Set::Ascii | Set::Roman | Set::Katakana => copy(&mut at, sets, is_loose),
            set => {
                let by_tables = if set == Set::Jis0208 { jis0208.read_some(&mut at) } else { None };
                by_tables.unwrap_or_else(|| read_some(&mut at, set))
            }
        };
        if some {
            sets.escaped = [false; 2];
            continue;
        }
        let Some((read, written)) = read_step(&mut now, &at.src[at.read..], &mut at.dst[at.written..]) else {
            break;
        };
        at.on(read, written);
    }
    *state = now;
    at.end()
}

/// The number of bytes written up to the end of the last escape to JIS X 0208, and the set designated before it.
type Before = Option<(usize, Set)>;

pub(in crate::multi_byte) fn from_utf8(
    state: &mut MultiByteState,
    src: &[u8],
    dst: &mut [u8],
) -> (usize, usize) {
    let mut at = At::new(src, dst);
    let mut now = *state;
    let (encoding, is_loose) = (now.encoding, is_loose(now.encoding));
    let index = JISX0208.index();
    let has_pairs = matches!(encoding, MultiByte::Iso2022Jp3 | MultiByte::Iso2022Jp2004);
    let of = |c: u32, next: u32| {
        // These two are in JIS X 0201, and the steps know which encodings have that.
        let other = c < 0x80 || matches!(c, 0xA5 | 0x203E) || has_pairs && may_be_mark(next);
        if other { None } else { index.code(c).map(|code| (code + 0x2121).to_be_bytes()) }
    };
    let mut before = None;
    while let Some((word, _)) = at.window() {
        let sets = &mut now.japanese;
        let waits = now.pending.is_some();
        if !waits {
            let some = match sets.set {
                Set::Jis0208 if word & 0x80 != 0 => at.write_some(word, |c, next| of(c, next).map(two)),
                Set::Ascii if word & 0x80 == 0 => copy(&mut at, sets, is_loose),
                _ => false,
            };
            if some {
                continue;
            }
        }
        let Some((c, len)) = get(word) else { break };
        let next = low(word >> (8 * len));
        let is_chinese_or_korean = matches!(sets.set, Set::Gb2312 | Set::Ksx1001);
        let written = if waits || is_chinese_or_korean {
            None
        } else if let Some([a, b]) = of(c, next) {
            let from = core::mem::replace(&mut sets.set, Set::Jis0208);
            if from == Set::Jis0208 {
                Some(at.write([a, b], 2, len))
            } else {
                before = Some((at.written + 3, from));
                Some(at.write([ESC, b'$', b'B', a, b], 5, len))
            }
        } else {
            let [byte, ..] = four(word);
            let is_plain = byte < 0x80 && !Ascii::ODD.contains(&byte);
            if is_plain && !matches!(sets.set, Set::Ascii | Set::Roman) {
                sets.set = Set::Ascii;
                if Line::ODD.contains(&byte) {
                    sets.high = None;
                }
                Some(at.write([ESC, b'(', b'B', byte], 4, len))
            } else {
                None
            }
        };
        let written = written.unwrap_or_else(|| {
            write_one(&mut now, c, &mut at.dst[at.written..]).map(|units| at.on(len, units))
        });
        if written.is_none() {
            break;
        }
    }
    let (read, written) = at.end();
    let back = if has_pairs && now.pending.is_none() {
        give_back(&mut now, &src[..read], written, before)
    } else {
        (0, 0)
    };
    *state = now;
    (read - back.0, written - back.1)
}

/// Takes back the letter that the loop wrote last if a mark could be one code with it: the loop saw that no mark follows,
/// but a policy may drop what does. Returns the number of bytes of UTF-8, and of bytes written for them.
#[cold]
fn give_back(state: &mut MultiByteState, read: &[u8], written: usize, before: Before) -> (usize, usize) {
    let Some(start) = read.iter().rposition(|&byte| !is_continuation(byte)) else { return (0, 0) };
    match decode_step(&read[start..]) {
        // Only a step writes letters that are not in JIS X 0208, and a step holds back the letters that it must.
        Step::CodePoint { value, len }
            if state.encoding.grid().begins_pair(value) && JISX0208.find(value).is_some() =>
        {
            match before {
                Some((escape, set)) if escape + 2 == written => {
                    state.japanese.set = set;
                    (len, 5)
                }
                _ => (len, 2),
            }
        }
        _ => (0, 0),
    }
}
