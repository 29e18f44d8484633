//! The only module that turns checked bytes into `str`, and that takes what kernels wrote into
//! uninitialized memory as initialized.
#![allow(unsafe_code, reason = "checking the bytes again would cost what the kernel saved")]

use crate::kernels::dispatch::Kernels;
#[cfg(feature = "alloc")]
use crate::kernels::single_byte::SingleByteDecoder;
#[cfg(feature = "alloc")]
use crate::{
    ground::{
        patch::{Patch, Short},
        unit::{Be, CodeUnit, Le},
    },
    kernels::{
        Mend, Moved,
        big_endian::{self, for_each_piece},
        dispatch::onto,
        one_unit,
    },
    simd::{Slot, bytes_of, bytes_of_mut},
};
#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};
#[cfg(feature = "alloc")]
use core::mem::MaybeUninit;

/// Splits `src` into its longest well-formed prefix and the rest.
#[inline]
#[must_use]
pub fn split_well_formed(src: &[u8]) -> (&str, &[u8]) {
    // Most strings are short and ASCII: no kernel is called for them.
    let len = if crate::ground::bits::is_short_ascii(src) {
        src.len()
    } else {
        Kernels::current().utf8_prefix(src)
    };
    let (head, rest) = src.split_at_checked(len).unwrap_or((&[], src));
    // SAFETY: `head` is empty or either ASCII, which is well-formed UTF-8, or as long as `utf8_prefix`
    // returns, which is the length of a well-formed prefix; the suite compares both with
    // `core::str` for every string of up to three bytes and for every border of Table 3-7.
    (unsafe { core::str::from_utf8_unchecked(head) }, rest)
}

/// Returns `src` as a string if all of it is ASCII.
#[cfg(feature = "alloc")]
#[inline]
#[must_use]
pub fn ascii(src: &[u8]) -> Option<&str> {
    let is_ascii =
        crate::ground::bits::is_short_ascii(src) || Kernels::current().ascii_prefix(src) == src.len();
    // SAFETY: all of `src` is ASCII, which is well-formed UTF-8: either function looked at each
    // byte. The suite compares the text that `Encoding::decode` borrows with `core::str`, with a
    // byte above 7F at every position of texts of up to 200 bytes.
    is_ascii.then(|| unsafe { core::str::from_utf8_unchecked(src) })
}

/// Turns the output of the engine, or of the replacing kernel, into a string.
///
/// Callers run the engine with a policy that writes scalar values only, so the bytes are
/// well-formed. A few hundred lines of code stand between that promise and this function, so it
/// checks the bytes again. Ill-formed bytes would become U+FFFD.
#[cfg(feature = "alloc")]
#[inline]
#[must_use]
pub fn string(bytes: Vec<u8>) -> String {
    if split_well_formed(&bytes).1.is_empty() {
        // SAFETY: `split_well_formed` found that nothing is left of `bytes` after its longest well-formed prefix, so
        // all of `bytes` is well-formed UTF-8.
        unsafe { String::from_utf8_unchecked(bytes) }
    } else {
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// Appends UTF-8 from `src`, with U+FFFD for each maximal subpart of an ill-formed sequence, up to
/// the capacity of `out`. Returns the number of bytes read.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn push_replaced(out: &mut String, src: &[u8]) -> usize {
    push_patched(out, src, Patch::Once(Short::REPLACEMENT))
}

/// Appends UTF-8 from `src`, with the texts of `patch` for each maximal subpart of an ill-formed
/// sequence, up to the capacity of `out`. Returns the number of bytes read.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn push_patched(out: &mut String, src: &[u8], patch: Patch) -> usize {
    push(out, |room| {
        let replaced = onto::patch_utf8(Kernels::current(), src, room, patch).replaced;
        Moved { read: replaced.read, written: replaced.written }
    })
}

/// Appends UTF-8 from `src`, with the policy's replacement for each error, up to the capacity of
/// `out`, or until the policy stops. Returns the number of bytes read.
#[cfg(feature = "alloc")]
#[inline]
pub(crate) fn push_mended(out: &mut String, src: &[u8], mend: &mut dyn Mend) -> usize {
    push(out, |room| onto::mend_utf8(Kernels::current(), src, room, mend))
}

/// Appends the output of one of the kernels above. Returns the number of bytes read.
#[cfg(feature = "alloc")]
#[inline(always)]
fn push(out: &mut String, run: impl FnOnce(&mut [Slot]) -> Moved) -> usize {
    // SAFETY: only the output of a kernel is appended below, and that is well-formed: stretches
    // that the kernel checked, and between them texts of a `Patch`, which are made from `str`, or of
    // a `TextRoom`, which accepts nothing but `str`; or scalar values from a table without
    // surrogates. The suite compares the results with `String::from_utf8_lossy` for every string of
    // up to three bytes, and with simple decoders for policies and for tables, at the borders of
    // blocks and for random damage.
    let bytes = unsafe { out.as_mut_vec() };
    let len = bytes.len();
    let moved = fill(bytes, run);
    debug_assert!(core::str::from_utf8(&bytes[len..]).is_ok(), "a kernel wrote ill-formed UTF-8");
    moved.read
}

/// Appends the output of a kernel, which counts in bytes, up to the capacity of `out`.
#[cfg(feature = "alloc")]
#[inline(always)]
fn fill<D: CodeUnit>(out: &mut Vec<D>, run: impl FnOnce(&mut [Slot]) -> Moved) -> Moved {
    let len = out.len();
    let spare = out.spare_capacity_mut();
    let room = size_of_val(spare);
    // SAFETY: only a kernel gets the slots, and kernels exchange no slots.
    let moved = run(unsafe { Slot::of_uninit(spare) });
    debug_assert!(moved.written <= room, "a kernel writes within its target");
    let written = moved.written.min(room);
    // SAFETY: the kernel wrote `written` bytes from the start of the spare capacity, which are whole
    // code units and, by `min`, within the capacity; `CodeUnit` is sealed, and any bytes are a value of its
    // types.
    unsafe { out.set_len(len + written / D::BYTES) };
    moved
}

/// Decodes the start of a text, up to the first undefined byte. Returns the text and the number of
/// bytes read.
///
/// The output is neither zeroed before nor checked after: both together took as long as the
/// conversion.
#[cfg(feature = "alloc")]
pub(crate) fn decode_single_bytes(table: &SingleByteDecoder, src: &[u8]) -> (String, usize) {
    // A byte becomes at most three bytes of UTF-8.
    const MAX_BYTES_OF_ONE: usize = 3;
    let mut out = String::with_capacity(MAX_BYTES_OF_ONE * 256);
    let mut convert = |src: &[u8], room| {
        out.reserve_exact(room);
        let read = push(&mut out, |room| onto::single_byte_to_utf8(Kernels::current(), table, src, room));
        (read, out.len(), out.capacity() - out.len() < MAX_BYTES_OF_ONE)
    };
    let (mut read, written, _) = convert(src.get(..256).unwrap_or(src), 0);
    let Some(times) = (src.len() - read).checked_div(read) else { return (out, 0) };
    // Reserve for the rest at the expansion rate so far, and an eighth more. If the rest does not
    // fit, reserve for the greatest possible expansion.
    let likely = (times + 1).saturating_mul(written);
    let (more, _, is_full) = convert(src.get(read..).unwrap_or_default(), likely.saturating_add(likely / 8));
    read += more;
    if is_full {
        let rest = src.get(read..).unwrap_or_default();
        read += convert(rest, MAX_BYTES_OF_ONE * rest.len()).0;
    }
    (out, read)
}

/// Maximum length in bytes of a result that is made on the stack.
#[cfg(feature = "alloc")]
const MAX_STACK_RESULT_BYTES: usize = 3 * 1024;
/// Size of the stack buffer in bytes.
#[cfg(feature = "alloc")]
const STACK_BYTES: usize = MAX_STACK_RESULT_BYTES + MAX_OVERRUN_BYTES;
/// Kernels may write up to this many bytes past the end of their result, within their target.
#[cfg(feature = "alloc")]
const MAX_OVERRUN_BYTES: usize = 128;
/// Texts longer than this, in bytes, are always measured before they are converted, even if both
/// ends are ASCII.
#[cfg(feature = "alloc")]
const MAX_GUESSED_BYTES: usize = 2048;
/// A code unit becomes at most this many code units.
#[cfg(feature = "alloc")]
const MAX_UNITS_OF_ONE: usize = 4;

/// A kernel for well-formed text.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    Utf8ToUtf16Le,
    Utf8ToUtf16Be,
    Utf8ToUtf32Le,
    Utf8ToUtf32Be,
    Utf8ToLatin1,
    Utf16LeToUtf8,
    Utf16BeToUtf8,
    Utf32LeToUtf8,
    Utf32BeToUtf8,
    Latin1ToUtf8,
}

#[cfg(feature = "alloc")]
impl Writer {
    /// Converts up to the first code unit that the kernel does not handle, or until `dst` is full.
    /// The result is complete after [`turn`](Self::turn).
    #[inline(always)]
    fn convert(self, kernels: Kernels, src: &[u8], dst: &mut [Slot]) -> Moved {
        match self {
            Self::Utf8ToUtf16Le => onto::utf8_to_utf16le(kernels, src, dst),
            Self::Utf8ToUtf16Be => onto::utf8_to_utf16be(kernels, src, dst),
            Self::Utf8ToUtf32Le | Self::Utf8ToUtf32Be => onto::utf8_to_utf32le(kernels, src, dst),
            Self::Utf8ToLatin1 => onto::utf8_to_latin1(kernels, src, dst),
            _ => self.convert_to_utf8(kernels, src, dst),
        }
    }

    /// Converts as [`convert`](Self::convert) does if the target is UTF-8, and nothing otherwise. A
    /// program that only decodes links no kernel that encodes.
    #[inline(always)]
    fn convert_to_utf8(self, kernels: Kernels, src: &[u8], dst: &mut [Slot]) -> Moved {
        match self {
            Self::Utf16LeToUtf8 => onto::utf16le_to_utf8(kernels, src, dst),
            Self::Utf16BeToUtf8 => onto::utf16be_to_utf8(kernels, src, dst),
            Self::Utf32LeToUtf8 => onto::utf32le_to_utf8(kernels, src, dst),
            Self::Utf32BeToUtf8 => big_endian::utf32be_to_utf8(kernels, src, dst),
            Self::Latin1ToUtf8 => onto::latin1_to_utf8(kernels, src, dst),
            _ => Moved::default(),
        }
    }

    /// Reverses the bytes of each code unit if the kernel writes the other byte order.
    #[inline(always)]
    fn turn<D: CodeUnit>(self, kernels: Kernels, units: &mut [D]) {
        if self == Self::Utf8ToUtf32Be {
            let _ = kernels.swap32(bytes_of_mut(units));
        }
    }

    /// Appends the result to `out`, up to its capacity. Returns the number of bytes read.
    #[inline(always)]
    fn append<const TO_UTF8: bool, D: CodeUnit>(
        self,
        kernels: Kernels,
        src: &[u8],
        out: &mut Vec<D>,
    ) -> usize {
        if TO_UTF8 {
            return fill(out, |room| self.convert_to_utf8(kernels, src, room)).read;
        }
        if self != Self::Utf8ToUtf32Be {
            return fill(out, |room| self.convert(kernels, src, room)).read;
        }
        for_each_piece(src, |piece| {
            let len = out.len();
            let moved = fill(out, |room| onto::utf8_to_utf32le(kernels, piece, room));
            self.turn(kernels, &mut out[len..]);
            moved.read
        })
    }

    /// Returns the length of the result in bytes, for well-formed text.
    #[inline(always)]
    fn length(self, kernels: Kernels, src: &[u8]) -> usize {
        match self {
            Self::Utf8ToUtf16Le | Self::Utf8ToUtf16Be => 2 * kernels.utf16_len_of_utf8(src),
            Self::Utf8ToUtf32Le | Self::Utf8ToUtf32Be => 4 * kernels.count_code_points(src),
            Self::Utf8ToLatin1 => kernels.count_code_points(src),
            Self::Utf16LeToUtf8 => kernels.utf8_len_of_utf16le(src),
            Self::Utf16BeToUtf8 => kernels.utf8_len_of_utf16be(src),
            Self::Utf32LeToUtf8 => kernels.utf8_len_of_utf32le(src),
            Self::Utf32BeToUtf8 => kernels.utf8_len_of_utf32be(src),
            Self::Latin1ToUtf8 => kernels.utf8_len_of_latin1(src),
        }
    }

    /// Returns the greatest length in bytes of the result for a text of `len` bytes.
    const fn max_length(self, len: usize) -> usize {
        match self {
            Self::Utf8ToUtf32Le | Self::Utf8ToUtf32Be => len.saturating_mul(4),
            Self::Utf8ToUtf16Le | Self::Utf8ToUtf16Be | Self::Latin1ToUtf8 => len.saturating_mul(2),
            Self::Utf16LeToUtf8 | Self::Utf16BeToUtf8 => len.saturating_add(len / 2),
            Self::Utf32LeToUtf8 | Self::Utf32BeToUtf8 | Self::Utf8ToLatin1 => len,
        }
    }

    /// Returns the length of the result in bytes on the assumption that the text is ASCII, which is
    /// made if both of its ends are. Only for short texts: measuring a long text takes a small part
    /// of its time.
    #[inline(always)]
    fn length_if_ascii(self, src: &[u8]) -> Option<usize> {
        const END_BYTES: usize = 64;
        let is_ascii = match self {
            Self::Utf8ToUtf16Le | Self::Utf8ToUtf16Be
                if (2 * END_BYTES..=MAX_GUESSED_BYTES).contains(&src.len()) =>
            {
                let (first, last) = (src.first_chunk::<END_BYTES>()?, src.last_chunk::<END_BYTES>()?);
                first.iter().zip(last).fold(0, |all, (first, last)| all | first | last) < 0x80
            }
            _ => false,
        };
        is_ascii.then_some(2 * src.len())
    }

    /// Converts a text of one ASCII code unit. Returns `None` for other texts, or if `dst` is too
    /// small.
    #[inline(always)]
    fn one_unit(self, src: &[u8], dst: &mut [Slot]) -> Option<Moved> {
        match self {
            Self::Utf8ToUtf16Le => one_unit::utf8_to_utf16::<Le>(src, dst),
            Self::Utf8ToUtf16Be => one_unit::utf8_to_utf16::<Be>(src, dst),
            Self::Utf16LeToUtf8 => one_unit::utf16_to_utf8::<Le>(src, dst),
            Self::Utf16BeToUtf8 => one_unit::utf16_to_utf8::<Be>(src, dst),
            _ => None,
        }
    }

    /// Returns `true` if the target is UTF-8.
    const fn is_to_utf8(self) -> bool {
        matches!(
            self,
            Self::Utf16LeToUtf8
                | Self::Utf16BeToUtf8
                | Self::Utf32LeToUtf8
                | Self::Utf32BeToUtf8
                | Self::Latin1ToUtf8
        )
    }
}

/// Converts the start of a text, up to the first code unit that the kernel does not handle. Returns
/// the result and the number of code units read.
///
/// The result is not zeroed first and has its exact length, except for a text of one code unit. A
/// short text is converted on the stack and copied, which takes less time than measuring it; a text
/// that looks like ASCII needs neither.
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn start<S: CodeUnit, D: CodeUnit>(writer: Writer, src: &[S]) -> (Vec<D>, usize) {
    start_of::<false, S, D>(writer, src)
}

/// Converts as [`start`] explains; with `TO_UTF8`, only to UTF-8.
#[cfg(feature = "alloc")]
#[inline(always)]
fn start_of<const TO_UTF8: bool, S: CodeUnit, D: CodeUnit>(writer: Writer, src: &[S]) -> (Vec<D>, usize) {
    let (src, kernels) = (bytes_of(src), Kernels::current());
    let convert = |room: &mut [Slot]| {
        if TO_UTF8 { writer.convert_to_utf8(kernels, src, room) } else { writer.convert(kernels, src, room) }
    };
    if src.len() == S::BYTES {
        let mut out = Vec::with_capacity(MAX_UNITS_OF_ONE);
        let moved = fill(&mut out, |room| writer.one_unit(src, room).unwrap_or_else(|| convert(room)));
        writer.turn(kernels, &mut out);
        return (out, moved.read / S::BYTES);
    }
    if let Some(length) = writer.length_if_ascii(src) {
        let mut out = Vec::with_capacity(length.div_ceil(D::BYTES));
        // Only the kernels to UTF-16 guess, and they need no `turn`.
        let moved = fill(&mut out, convert);
        if moved.read == src.len() && moved.written < length {
            out.shrink_to_fit();
        }
        return (out, moved.read / S::BYTES);
    }
    if writer.max_length(src.len()) <= MAX_STACK_RESULT_BYTES {
        // An array of `u32`, so that it is aligned for every code unit.
        let mut room = [const { MaybeUninit::<u32>::uninit() }; STACK_BYTES / 4];
        // SAFETY: only a kernel gets the slots, and kernels exchange no slots.
        let slots = unsafe { Slot::of_uninit(&mut room) };
        let Moved { read, written } = convert(slots);
        assert!(written <= STACK_BYTES, "a kernel writes within its target");
        // SAFETY: the kernel wrote `written` bytes, which are whole code units, and the assertion
        // above finds that many in the array; the array is aligned for code units of four bytes,
        // and `CodeUnit` is sealed and implemented for `u8`, `u16` and `u32` only, for which any
        // bytes are a value.
        let units = unsafe { core::slice::from_raw_parts(room.as_ptr().cast::<D>(), written / D::BYTES) };
        let mut out = units.to_vec();
        writer.turn(kernels, &mut out);
        return (out, read / S::BYTES);
    }
    let mut out = Vec::with_capacity(writer.length(kernels, src).div_ceil(D::BYTES));
    let read = writer.append::<TO_UTF8, D>(kernels, src, &mut out);
    (out, read / S::BYTES)
}

/// Decodes the start of a text, as [`start`] does. Reads nothing if the kernel does not write
/// UTF-8.
#[cfg(feature = "alloc")]
#[inline(always)]
pub fn text_start<S: CodeUnit>(writer: Writer, src: &[S]) -> (String, usize) {
    if !writer.is_to_utf8() {
        return (String::new(), 0);
    }
    let (bytes, read) = start_of::<true, S, u8>(writer, src);
    debug_assert!(core::str::from_utf8(&bytes).is_ok(), "a kernel wrote ill-formed UTF-8");
    // SAFETY: the kernels of `Writer` whose target is UTF-8 write only well-formed text: the suite
    // compares them with `char::decode_utf16` and `char::from_u32` for every code unit and every
    // code point between others, at each border of a block and for random damage, and the Latin-1
    // kernel with the definition for every byte.
    (unsafe { String::from_utf8_unchecked(bytes) }, read)
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::Isa;
    use crate::kernels::TextRoom;
    use crate::kernels::portable::samples::{MIXED, Numbers};

    const EVERY: [Writer; 10] = [
        Writer::Utf8ToUtf16Le,
        Writer::Utf8ToUtf16Be,
        Writer::Utf8ToUtf32Le,
        Writer::Utf8ToUtf32Be,
        Writer::Utf8ToLatin1,
        Writer::Utf16LeToUtf8,
        Writer::Utf16BeToUtf8,
        Writer::Utf32LeToUtf8,
        Writer::Utf32BeToUtf8,
        Writer::Latin1ToUtf8,
    ];

    /// Returns a text in the source form and in the target form of a kernel.
    fn in_both(writer: Writer, text: &str) -> [Vec<u8>; 2] {
        let (utf8, units) = (Vec::from(text), text.encode_utf16());
        match writer {
            Writer::Utf8ToUtf16Le => [utf8, units.flat_map(u16::to_le_bytes).collect()],
            Writer::Utf8ToUtf16Be => [utf8, units.flat_map(u16::to_be_bytes).collect()],
            Writer::Utf8ToUtf32Le => [utf8, text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect()],
            Writer::Utf8ToUtf32Be => [utf8, text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect()],
            Writer::Utf8ToLatin1 => [utf8, units.map(|unit| unit.to_le_bytes()[0]).collect()],
            Writer::Utf16LeToUtf8 => [units.flat_map(u16::to_le_bytes).collect(), utf8],
            Writer::Utf16BeToUtf8 => [units.flat_map(u16::to_be_bytes).collect(), utf8],
            Writer::Utf32LeToUtf8 => [text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(), utf8],
            Writer::Utf32BeToUtf8 => [text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect(), utf8],
            Writer::Latin1ToUtf8 => [units.map(|unit| unit.to_le_bytes()[0]).collect(), utf8],
        }
    }

    #[test]
    fn kernels_take_nothing_from_their_target_and_lengths_are_exact() {
        let mixed = MIXED.repeat(2);
        let latin =
            "naïve café, ÆØÅ\u{80}\u{FF} and a longer stretch of plain ASCII, as in most of it. ".repeat(12);
        let mut numbers = Numbers::new(15);
        for writer in EVERY {
            let latin_1 = matches!(writer, Writer::Utf8ToLatin1 | Writer::Latin1ToUtf8);
            let text = if latin_1 { &latin } else { &mixed };
            let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            for len in 0..500 {
                let at = starts[numbers.below(starts.len())];
                let text: String = text[at..].chars().take(len).collect();
                let [src, expected] = in_both(writer, &text);
                for kernels in Isa::available().filter_map(Kernels::of) {
                    assert_eq!(writer.length(kernels, &src), expected.len(), "{writer:?}: {text}");
                    for (fill, more) in
                        [(0x00, 0), (0xFF, 0), (0xA5, MAX_OVERRUN_BYTES), (0x5A, MAX_OVERRUN_BYTES)]
                    {
                        let mut target = vec![fill; expected.len() + more];
                        let moved = writer.convert(kernels, &src, Slot::of(&mut target));
                        writer.turn(kernels, &mut target[..moved.written]);
                        assert_eq!(moved, Moved { read: src.len(), written: expected.len() }, "{text}");
                        assert_eq!(target[..moved.written], expected, "{writer:?}: {text}");
                    }
                }
            }
        }
    }

    #[cfg(feature = "single-byte")]
    #[test]
    fn single_bytes_become_text_however_much_longer_it_becomes() {
        // Thai letters of three bytes in the upper half, except for a letter of two bytes and an
        // undefined byte.
        let mut code_points = [0; 256];
        for (slot, c) in code_points.iter_mut().zip((0x00..0xA0).chain(0x0E00..)) {
            *slot = c;
        }
        code_points[0xE9] = 0xE9;
        code_points[0x81] = crate::kernels::single_byte::UNDEFINED;
        let table = SingleByteDecoder::new(&code_points);
        let text = |src: &[u8]| -> String {
            src.iter().filter_map(|&byte| char::from_u32(code_points[usize::from(byte)].into())).collect()
        };
        for (first, then) in [(b'a', 0xA1), (0xA1, b'a'), (0xE9, 0xA1), (b'a', b'a'), (0xA1, 0xA1)] {
            for len in (0..=260).chain([300, 511, 512, 513, 2000, 5000]) {
                let mut src = vec![first; len.min(256)];
                src.resize(len, then);
                assert_eq!(decode_single_bytes(&table, &src), (text(&src), len));
                if let Some(at) = len.checked_sub(1 + len / 3) {
                    src[at] = 0x81;
                    assert_eq!(decode_single_bytes(&table, &src), (text(&src[..at]), at));
                }
            }
        }
        for kernels in Isa::available().filter_map(Kernels::of) {
            let src: Vec<u8> = (0..=0x5F)
                .cycle()
                .step_by(7)
                .zip([0xA0, 0, 0, 0].into_iter().cycle())
                .map(|(low, high)| low | high)
                .take(3000)
                .collect();
            let expected = text(&src);
            for fill in [0x00, 0xFF, 0xA5] {
                let mut target = vec![fill; expected.len() + 7];
                let moved = kernels.single_byte_to_utf8(&table, &src, &mut target);
                assert_eq!(moved, Moved { read: src.len(), written: expected.len() });
                assert_eq!(&target[..moved.written], expected.as_bytes(), "{}", kernels.isa());
            }
        }
    }

    /// Writes the first field for each error; the second is the length of an error in bytes.
    struct Writes(&'static str, usize);

    impl Mend for Writes {
        fn mend(&mut self, _: usize, _: usize, room: &mut TextRoom<'_>) -> Option<usize> {
            room.push(self.0).then_some(self.1)
        }
    }

    #[test]
    fn errors_are_mended_while_the_mend_goes_on() {
        for before in (0..10).chain(60..70).chain(250..260).chain([1000]) {
            let mut src = vec![b'a'; before + 700];
            src[before] = 0xFF;
            let clean = "a".repeat(before);
            let mend = |text, read| {
                let mut out = String::with_capacity(4000);
                let read = push_mended(&mut out, &src, &mut Writes(text, read));
                (out, read)
            };
            assert_eq!(mend("?", 0), (clean.clone(), before), "a mend that reads nothing stops the copy");
            for text in ["", "?", "é", "\u{FFFD}", "\u{10FFFF}!"] {
                let expected = clean.clone() + text + &"a".repeat(699);
                assert_eq!(mend(text, 1), (expected, src.len()), "{text}");
            }
        }
    }

    #[test]
    fn no_replacement_is_written_beyond_the_capacity() {
        for room in 0..200 {
            let mut out = String::with_capacity(room);
            let room = out.capacity();
            let read = push_mended(&mut out, &[0xFF; 300], &mut Writes("é!", 1));
            assert_eq!((out.len(), read, out.capacity()), (room / 3 * 3, room / 3, room));
            assert_eq!(out, "é!".repeat(read));
        }
    }
}
