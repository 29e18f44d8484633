//! A text from its start, between encodings chosen at run time, without an engine.

use super::{pairs, short, units};
use crate::forms::encoding::Encoding;
use crate::forms::form::Bulk;
use crate::ground::bits::copy_short_ascii;
use crate::ground::utf16::Unit;
use crate::ground::work;
use crate::kernels::Moved;
use crate::kernels::dispatch::Kernels;

/// Up to this many bytes go by plain code where that is faster than the call of a kernel.
pub(crate) const FEW_BYTES: usize = 16;

/// Converts a text from its start, in forms without states, as far as there is nothing to decide: no error, and all of it
/// fits and is in the target. Most texts are done then, without an engine. Does nothing for other pairs.
///
/// An `Option` would come back in memory, a word at a time, and be read as a whole, for which the processor waits.
#[inline]
pub(crate) fn at_once(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    if src.len() <= FEW_BYTES
        && let Some(moved) = few(from, to, src, dst)
    {
        return moved;
    }
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

/// Converts a few bytes by plain code, if they are ASCII.
#[inline]
fn few(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Option<Moved> {
    let is_plain = |bulk| matches!(bulk, Bulk::Ascii | Bulk::Latin1 | Bulk::Utf8);
    if is_plain(from) && is_plain(to) {
        return copy_short_ascii(src, dst).then_some(Moved { read: src.len(), written: src.len() });
    }
    short::one_unit(from, to, src, dst)
}

/// Converts the ASCII at the start of a text, if one encoding has it as bytes, and the other as bytes or wider units. Short
/// texts are often nothing else: a call of iconv(3) with 40 bytes of ASCII takes about half the time that it takes by tables
/// (2026-11-24). `admits` says that the policies have nothing against a text.
#[inline(always)]
pub(crate) fn ascii(
    from: Encoding,
    to: Encoding,
    admits: impl FnOnce(&[u8]) -> bool,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let (from, to) = (from.facts(), to.facts());
    let wide = match to.bulk {
        Bulk::Ucs2Le => Bulk::Utf16Le,
        Bulk::Ucs2Be => Bulk::Utf16Be,
        other => other,
    };
    let (lacks, width) = match (to.ascii_but, wide) {
        (Some(lacks), _) => (lacks, 1),
        (None, Bulk::Utf16Le | Bulk::Utf16Be) => (&[][..], 2),
        (None, Bulk::Utf32Le | Bulk::Utf32Be) => (&[][..], 4),
        _ => return Moved::default(),
    };
    let Some(lacking) = from.ascii_but else { return Moved::default() };
    let src = &src[..src.len().min(dst.len() / width)];
    let mut text = &src[..Kernels::current().ascii_prefix(src)];
    for lacking in [lacking, lacks] {
        if !lacking.is_empty() {
            text = &text[..text.iter().position(|byte| lacking.contains(byte)).unwrap_or(text.len())];
        }
    }
    if text.is_empty() || !admits(text) {
        return Moved::default();
    }
    work::add(text.len());
    if width > 1 {
        return pairs::kernel(Bulk::Latin1, wide, text, dst);
    }
    dst[..text.len()].copy_from_slice(text);
    Moved { read: text.len(), written: text.len() }
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
                let Moved { read, written } = at_once(from.bulk(), to.bulk(), &src, &mut dst);
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
