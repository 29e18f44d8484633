//! The hub: the end that all conversions between encodings chosen at run time share. It is UTF-8,
//! UTF-8 widened to 31 bits, or nothing.
//!
//! One form with three modes replaces three forms, so each encoding needs the engine twice, to read
//! and to write, rather than five times.

use crate::forms::form::{Bulk, EncodeStep, Facts, Form, Names, Repertoire, Step};
use crate::forms::names::labels;
use crate::forms::unicode::{utf8, utf8_31};
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormedKind;
use crate::ground::policy::Span;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hub;

/// The role of the hub in a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// UTF-8, from the caller or for the caller.
    #[default]
    Utf8,
    /// UTF-8 widened to 31 bits and to surrogates, between two encodings without a direct kernel.
    /// The hub can represent every code point that a source yields, so only the target decides which are
    /// unmappable. Scalar values are plain UTF-8 in it, so the kernels of UTF-8 serve it. The
    /// engine writes it and reads it back at once.
    Wide,
    /// A target that accepts everything and writes nothing: converting to it is validation.
    Void,
}

impl Form for Hub {
    type Unit = u8;
    type State = Mode;

    const NAMES: Names = Names {
        name: "hub",
        labels: labels![],
        web_labels: labels![],
        about: "Internal.",
        specified_in: "RFC 2279",
    };
    const IS_HUB: bool = true;
    /// See [`facts`](Self::facts).
    const FACTS: Facts = Facts { surrogate_pattern: true, ..Facts::new(Repertoire::Bits31, 6) };

    #[inline(always)]
    fn facts(mode: &Mode) -> &'static Facts {
        const UTF8: Facts =
            Facts { surrogate_pattern: true, ..Facts::new(Repertoire::Scalar, 6).ascii_compatible() };
        match mode {
            Mode::Utf8 => const { &UTF8 },
            Mode::Wide | Mode::Void => const { &Self::FACTS },
        }
    }

    #[inline(always)]
    fn bulk(mode: &Mode) -> Bulk {
        match mode {
            Mode::Utf8 | Mode::Wide => Bulk::Utf8,
            Mode::Void => Bulk::Void,
        }
    }

    #[inline]
    fn decode_step(mode: &mut Mode, src: &[u8]) -> Step {
        match mode {
            Mode::Utf8 => utf8::decode_step(src),
            Mode::Wide => wide_step(src),
            // Nothing is ever written in this mode, so there is nothing to read.
            Mode::Void => Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::Undefined },
        }
    }

    #[inline]
    fn encode_step(mode: &mut Mode, c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        match mode {
            Mode::Utf8 => utf8::encode_step(c, dst),
            Mode::Wide => utf8_31::encode_step(c, dst),
            Mode::Void => EncodeStep::Written(0),
        }
    }

    fn decode_surrogate(mode: &Mode, src: &[u8]) -> Option<Step> {
        if *mode == Mode::Utf8 { utf8::decode_surrogate(src) } else { None }
    }

    fn span(_: &Mode, rule: Span, src: &[u8], maximal: usize, last: bool) -> Option<usize> {
        utf8::span(rule, src, maximal, last, utf8::nominal_len)
    }
}

/// Reads a code point of up to 31 bits that the engine wrote.
#[inline]
fn wide_step(src: &[u8]) -> Step {
    if src[0].is_ascii() {
        return Step::CodePoint { value: CodePoint::from_byte(src[0]), len: 1 };
    }
    let len = utf8::nominal_len(src[0]);
    let Some(units) = src.get(..len).filter(|_| len > 1) else {
        return Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::InvalidLead };
    };
    let lead = u32::from(units[0]) & (0x7F >> len);
    let value = units[1..].iter().fold(lead, |value, &byte| value << 6 | u32::from(byte & 0x3F));
    Step::CodePoint { value: CodePoint::within_31_bits(value), len }
}
