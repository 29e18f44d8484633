//! A text from its start, between encodings chosen at run time, without an engine.

#[cfg(feature = "alloc")]
use super::start;
use super::{pairs, short, units};
use crate::forms::encoding::{Encoding, Kind};
use crate::forms::form::Bulk;
use crate::ground::bits::copy_short_ascii;
use crate::ground::utf16::Unit;
use crate::kernels::Moved;

/// Up to this many bytes go a character at a time where a table is at one end: the call of a level, and loading its tables,
/// takes longer than the work.
pub(crate) const FEW_BYTES: usize = 16;

/// Converts a text from its start, in forms without states, as far as there is nothing to decide: no error, and all of it
/// fits and is in the target. Most texts are done then, without an engine. Does nothing for other pairs.
///
/// An `Option` would come back in memory, a word at a time, and be read as a whole, for which the processor waits: 6 ns of
/// 16 (2026-11-23).
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn at_once(from: Encoding, to: Encoding, src: &[u8], dst: &mut [u8]) -> Moved {
    let moved = if src.len() <= FEW_BYTES { few(from, to, src, dst) } else { Moved::default() };
    if moved.read > 0 { moved } else { more(start::bulk(from), start::bulk(to), src, dst) }
}

/// The same without the way for a [`few`] bytes.
#[inline]
pub(crate) fn more(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    if src.len() < units::worthwhile(from, to) {
        units::convert(from, to, src, dst)
    } else if by_kernel(from, to) {
        pairs::kernel(from, to, src, dst)
    } else {
        Moved::default()
    }
}

/// The same for a short text with policies that look at each code point, up to one that they may want to see: `admitted` is
/// the number of units of UTF-16 before it.
#[inline(always)]
pub(crate) fn brief(
    mut from: Bulk,
    mut to: Bulk,
    admitted: impl Fn(&[Unit]) -> usize,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let is_short = src.len() <= units::BRIEF && from.is_stateless() && to.is_stateless();
    if !is_short && units::worthwhile(from, to) < usize::MAX {
        return Moved::default();
    }
    units::convert_admitted(&mut from, &mut to, admitted, src, dst)
}

/// Whether [`at_once`] serves the pair.
pub(crate) fn serves(from: Bulk, to: Bulk) -> bool {
    units::worthwhile(from, to) > 0 || by_kernel(from, to)
}

#[inline(always)]
pub(crate) fn by_kernel(from: Bulk, to: Bulk) -> bool {
    from == Bulk::Utf8 && to.is_stateless()
        || from.is_stateless() && to == Bulk::Utf8
        || pairs::is_direct(from, to)
}

/// Converts up to [`FEW_BYTES`] bytes from the start of a text, as far as there is nothing to decide, a character at a time where a
/// table is at one end. Does nothing for other pairs.
///
/// The encodings lead straight to the loop: to ask for their kinds first, and then what serves two kinds, took 4 ns of the
/// 11 of two bytes (2026-11-24, Intel Xeon).
#[inline]
pub(crate) fn few(from: Encoding, to: Encoding, src: &[u8], dst: &mut [u8]) -> Moved {
    #[cfg(all(feature = "legacy", feature = "alloc", target_has_atomic = "ptr"))]
    use crate::forms::charsets::legacy::{Legacy, bulk as legacy};
    #[cfg(all(feature = "multi-byte", feature = "alloc", target_has_atomic = "ptr"))]
    use crate::forms::charsets::multi_byte::tables as multi_byte;
    #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
    use crate::kernels::portable::single_byte;
    if src.len() > FEW_BYTES {
        return Moved::default();
    }
    match (from.kind(), to.kind()) {
        // It reads and writes nothing.
        #[cfg(all(feature = "legacy", feature = "alloc", target_has_atomic = "ptr"))]
        (Kind::Legacy(Legacy::Replacement), _) | (_, Kind::Legacy(Legacy::Replacement)) => Moved::default(),
        #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
        (Kind::SingleByte(charset), Kind::Utf8) => single_byte::few_to_utf8(charset.decoder(), src, dst),
        #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
        (Kind::Utf8, Kind::SingleByte(charset)) => {
            single_byte::utf8_to_single_byte(charset.encoder(), src, dst)
        }
        #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
        (Kind::SingleByte(from), Kind::SingleByte(to)) => {
            single_byte::few_between(from.units(), to.encoder(), src, dst)
        }
        #[cfg(all(feature = "legacy", feature = "alloc", target_has_atomic = "ptr"))]
        (Kind::Legacy(encoding), Kind::Utf8) => legacy::few_to_utf8(encoding, src, dst),
        #[cfg(all(feature = "legacy", feature = "alloc", target_has_atomic = "ptr"))]
        (Kind::Utf8, Kind::Legacy(encoding)) => legacy::few_from_utf8(encoding, src, dst),
        #[cfg(all(feature = "legacy", feature = "alloc", target_has_atomic = "ptr"))]
        (Kind::Legacy(from), Kind::Legacy(to)) => legacy::few_between(from, to, src, dst),
        #[cfg(all(feature = "multi-byte", feature = "alloc", target_has_atomic = "ptr"))]
        (Kind::MultiByte(encoding), Kind::Utf8) => multi_byte::few_to_utf8(encoding, src, dst),
        #[cfg(all(feature = "multi-byte", feature = "alloc", target_has_atomic = "ptr"))]
        (Kind::Utf8, Kind::MultiByte(encoding)) => multi_byte::few_from_utf8(encoding, src, dst),
        #[cfg(all(feature = "multi-byte", feature = "alloc", target_has_atomic = "ptr"))]
        (Kind::MultiByte(from), Kind::MultiByte(to)) => multi_byte::few_between(from, to, src, dst),
        (Kind::Utf16Le, Kind::Utf8) => short_or_kernel(Bulk::Utf16Le, Bulk::Utf8, src, dst),
        (Kind::Utf16Be, Kind::Utf8) => short_or_kernel(Bulk::Utf16Be, Bulk::Utf8, src, dst),
        (Kind::Utf8, Kind::Utf16Le) => short_or_kernel(Bulk::Utf8, Bulk::Utf16Le, src, dst),
        (Kind::Utf8, Kind::Utf16Be) => short_or_kernel(Bulk::Utf8, Bulk::Utf16Be, src, dst),
        (Kind::Ascii | Kind::Latin1 | Kind::Utf8, Kind::Ascii | Kind::Latin1 | Kind::Utf8)
            if copy_short_ascii(src, dst) =>
        {
            Moved { read: src.len(), written: src.len() }
        }
        _ => Moved::default(),
    }
}

/// Converts by plain code what that is faster for, and the rest by a kernel.
///
/// One copy for all four pairs: in line, they make `libplacemat_iconv` several kilobytes longer.
#[inline]
fn short_or_kernel(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    short::convert(from, to, src, dst).unwrap_or_else(|| pairs::kernel(from, to, src, dst))
}

#[cfg(all(test, feature = "alloc", target_has_atomic = "ptr"))]
mod tests {
    use super::*;
    use crate::engine::hub::Mode;
    use crate::engine::{Extent, Status, any};
    use crate::ground::error::{IllFormed, Unmappable};
    use crate::ground::policy::{Action, OnError, OnUnmappable, Substitute};
    use crate::kernels::portable::samples::Numbers;

    /// A policy that always stops.
    struct Stop;

    impl OnError for Stop {
        fn handle(&mut self, _: &IllFormed) -> Action<'_> {
            Action::Stop
        }
    }

    impl OnUnmappable for Stop {
        fn handle(&mut self, _: &Unmappable) -> Substitute<'_> {
            Substitute::Stop
        }
    }

    /// The text by single steps, if it is right and the target has all of it.
    fn by_steps(from: Encoding, to: Encoding, src: &[u8]) -> Option<Vec<u8>> {
        let (mut reads, mut writes) = (any::From::new(from, Mode::Utf8), any::To::new(Mode::Utf8, to));
        // Who counts sees all of a text.
        reads.tally_mut().decoded = Some(0);
        writes.tally_mut().decoded = Some(0);
        let (mut text, mut out) = ([0; 100], [0; 200]);
        let p = reads.run(src, &mut text, true, Extent::All, &mut Stop, &mut Stop);
        let q = writes.run(&text[..p.written], &mut out, true, Extent::All, &mut Stop, &mut Stop);
        (p.status == Status::Done && q.status == Status::Done).then(|| out[..q.written].to_vec())
    }

    #[test]
    fn a_few_bytes_are_converted_as_by_steps() {
        let mut numbers = Numbers::new(11);
        let letters: Vec<char> = "aZ \\~é߀д“ｱ日本漢字한😀\u{E5E5}\0".chars().collect();
        let mut check = |from: Encoding, to: Encoding, rounds: usize| {
            let mut whole = 0;
            for round in 0..rounds {
                let len = numbers.below(FEW_BYTES + 1);
                let mut src = Vec::new();
                while src.len() < len {
                    if from != Encoding::UTF_8 {
                        let high =
                            if numbers.below(3) > 0 { numbers.below(0x100) } else { numbers.below(0x80) };
                        src.push(high.to_le_bytes()[0]);
                    } else if round % 9 == 8 && numbers.below(5) == 0 {
                        src.push(numbers.below(0x100).to_le_bytes()[0]);
                    } else {
                        let c = letters[numbers.below(if round % 3 == 0 { 3 } else { letters.len() })];
                        src.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                }
                src.truncate(FEW_BYTES);
                let room = if round % 3 == 0 { numbers.below(40) } else { 80 };
                let mut dst = vec![0xEE; room];
                let Moved { read, written } = few(from, to, &src, &mut dst);
                if read == 0 {
                    continue;
                }
                let expected = by_steps(from, to, &src[..read]);
                let name = (from.name(), to.name());
                assert_eq!(expected.as_deref(), Some(&dst[..written]), "{name:?} {src:X?} {read} {room}");
                whole += usize::from(read == src.len());
            }
            whole
        };
        for &encoding in Encoding::ALL {
            check(encoding, Encoding::UTF_8, 400);
            check(Encoding::UTF_8, encoding, 400);
        }
        // Smaller builds do not have all of these.
        if !cfg!(all(feature = "single-byte", feature = "legacy", feature = "multi-byte")) {
            return;
        }
        for name in
            ["windows-1252", "KOI8-R", "IBM037", "Shift_JIS", "EUC-JP", "GB18030", "replacement", "JOHAB"]
        {
            let from = Encoding::for_label(name).expect("an encoding");
            for &to in Encoding::ALL {
                check(from, to, 40);
                check(to, from, 40);
            }
        }
        // Once the tables are there, text that is right is converted whole.
        for (from, to, least) in
            [("windows-1252", "utf-8", 40), ("utf-8", "gb18030", 40), ("gbk", "utf-8", 1)]
        {
            let of = |name| Encoding::for_label(name).expect("an encoding");
            assert!(check(of(from), of(to), 100) >= least, "{from} {to}");
        }
    }
}
