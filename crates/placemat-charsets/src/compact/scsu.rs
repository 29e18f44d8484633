//! SCSU, the Standard Compression Scheme for Unicode. Unicode Technical Standard #6.
//!
//! A state machine over windows of 128 code points: in single-byte mode 80..FF are the active one of eight dynamic windows,
//! tags below 20 quote from other windows, switch to them and define them. Unicode mode has units of UTF-16BE, and tags
//! among E0..F2. ASCII text and most Latin-1 text is its own SCSU, but an ASCII byte may also have other meanings.
//!
//! The decoder reads all that the standard allows. Surrogates must be paired, with or without tags between them. Reserved
//! are 0C, F2 in Unicode mode, and the window offsets 00 and A8..F8. After an error the decoder keeps its state. It reports
//! an unpaired surrogate at the last sequence before the one that proves it: at its unit, or at a tag after it.
//!
//! A text has many forms. The encoder chooses one, looking one code point ahead:
//!
//! | a code point | goes |
//! | --- | --- |
//! | in the active window | into it |
//! | in another dynamic window | into it by a switch if the next one is in it, is ASCII or is missing; otherwise quoted |
//! | in a static window | quoted, unless the next one is in the same new window |
//! | within reach of a new window | into it; it replaces the window used longest ago |
//! | of no window (U+3400..U+DFFF) | into Unicode mode if the next one is of no window or is missing; otherwise quoted |
//!
//! The encoder leaves Unicode mode if the next code point is of a window, too: for a digit or a letter of ASCII, for a
//! dynamic window, and for a new window if the next one is in it or is ASCII. It quotes U+FEFF and U+FFF0..U+FFFF. The output is
//! never longer than ICU's on the usual sample texts, and shorter on mixed ones, because ICU replaces windows in another
//! order.

mod quick;
mod state;

use self::state::{MAX_STEP_BYTES, SC0, SCU, SD0, SDX, ScsuState, UC0, UD0, UDX, definition, is_direct};
use placemat_core::forms::form::{
    AsciiBytes, EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step,
};
use placemat_core::forms::names::labels;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::policy::Span;

/// SCSU (Unicode Technical Standard 6): one byte for most letters, in windows onto Unicode.
#[derive(Clone, Copy, Debug, Default)]
pub struct Scsu;

impl EncodingForm for Scsu {}

impl Form for Scsu {
    type Unit = u8;
    type State = ScsuState;

    const NAMES: Names = Names {
        name: "SCSU",
        labels: labels!["csscsu", "ibm-1212", "ibm-1213"],
        web_labels: labels![],
        about: "Compressed Unicode: one byte for most of an alphabet, two for most ideographs; Latin-1 text is mostly itself.",
        specified_in: "Unicode Technical Standard #6",
    };
    const FACTS: Facts = Facts {
        signature: b"\x0E\xFE\xFF",
        holds_back: true,
        quick: true,
        ascii: AsciiBytes::Shifted,
        ..Facts::new(Repertoire::Scalar, MAX_STEP_BYTES).stateful()
    };

    #[inline]
    fn decode_step(state: &mut ScsuState, src: &[u8]) -> Step {
        let first = src[0];
        if state.lead == 0 {
            if !state.unicode {
                if is_direct(first.into()) {
                    return Step::CodePoint { value: CodePoint::from_byte(first), len: 1 };
                }
                if first >= 0x80 {
                    let value = CodePoint::within_31_bits(state.in_active(first));
                    return Step::CodePoint { value, len: 1 };
                }
            } else if let [high @ (0x00..=0xD7 | 0xF3..), low, ..] = *src {
                let unit = u16::from_be_bytes([high, low]);
                return Step::CodePoint { value: CodePoint::from_u16(unit), len: 2 };
            }
        }
        state.decode_any(src, false)
    }

    #[inline]
    fn to_utf8(state: &mut ScsuState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        quick::to_utf8(state, src, dst)
    }

    #[inline]
    fn from_utf8(state: &mut ScsuState, src: &[u8], dst: &mut [u8]) -> (usize, usize) {
        quick::from_utf8(state, src, dst)
    }

    #[inline]
    fn decode_end(state: &mut ScsuState, src: &[u8]) -> Step {
        state.decode_any(src, true)
    }

    /// An error is always a whole step, under any rule: its remaining bytes would have another meaning.
    #[inline]
    fn span(state: &ScsuState, _: Span, src: &[u8], maximal: usize, _: bool) -> Option<usize> {
        Some(match Self::decode_step(&mut state.clone(), src) {
            Step::CodePoint { len, .. } => len,
            _ => maximal,
        })
    }

    #[inline]
    fn encode_step(state: &mut ScsuState, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        if state.pending.is_none()
            && let Some((len, units)) = state.at_once(c.value())
        {
            let Some(to) = dst.get_mut(..len) else { return EncodeStep::NoRoom };
            to.copy_from_slice(&units[..len]);
            return EncodeStep::Written(len);
        }
        encode_pending(state, Some(c), dst)
    }

    #[inline]
    fn encode_pause(state: &mut ScsuState, dst: &mut [u8]) -> EncodeStep {
        encode_pending(state, None, dst)
    }

    #[inline]
    fn encode_finish(state: &mut ScsuState, dst: &mut [u8]) -> EncodeStep {
        encode_pending(state, None, dst)
    }

    /// Defines the windows that differ, switches to the active one, and to Unicode mode if it is on.
    #[inline]
    fn bridge(from: &ScsuState, to: &ScsuState, dst: &mut [u8]) -> Option<usize> {
        if from.lead != 0 || to.lead != 0 || from.pending.is_some() {
            return None;
        }
        let (mut now, mut len) = (*from, 0);
        let mut push = |bytes: &[u8]| {
            dst.get_mut(len..len + bytes.len())?.copy_from_slice(bytes);
            len += bytes.len();
            Some(())
        };
        for window in 0..8 {
            let offset = to.windows[usize::from(window)];
            if now.windows[usize::from(window)] != offset {
                let [define, define_extended] = if now.unicode { [UD0, UDX] } else { [SD0, SDX] };
                let (tag, tag_len) = definition(window, offset, [define, define_extended]);
                push(&tag[..tag_len])?;
                now.windows[usize::from(window)] = offset;
                (now.active, now.unicode) = (window, false);
            }
        }
        if now.active != to.active || now.unicode && !to.unicode {
            push(&[if now.unicode { UC0 } else { SC0 } + to.active])?;
            now.unicode = false;
        }
        if to.unicode && !now.unicode {
            push(&[SCU])?;
        }
        Some(len)
    }
}

/// Writes the held code point, and also the next one if its form does not depend on its successor and both fit into the
/// longest step; otherwise holds the next one.
fn encode_pending(state: &mut ScsuState, next: Option<CodePoint>, dst: &mut [u8]) -> EncodeStep {
    let (mut now, mut units, mut len) = (*state, [0; 4], 0);
    if let Some(c) = now.pending {
        len = match now.at_once(c.value()) {
            Some((len, few)) => {
                units[..2].copy_from_slice(&few);
                len
            }
            None => now.write(c.value(), next.map(CodePoint::value), &mut units),
        };
    }
    now.pending = next;
    if let Some(c) = next
        && let Some((more, few)) = now.at_once(c.value())
        && let Some(to) = units.get_mut(len..len + more)
    {
        to.copy_from_slice(&few[..more]);
        len += more;
        now.pending = None;
    }
    let Some(to) = dst.get_mut(..len) else { return EncodeStep::NoRoom };
    to.copy_from_slice(&units[..len]);
    *state = now;
    EncodeStep::Written(len)
}
