//! Places where a text can be cut, so that nothing of what precedes matters for what follows.

use super::pieces::CONTEXT;
use crate::families::unit_bytes;
use core::ops::Range;
use placemat::Encoding;
use placemat::forms::UnitOrder;

/// Returns the latest place to cut a text that goes on, at the end of a line if `by_lines`.
pub(super) fn latest(from: Encoding, by_lines: bool, text: &[u8]) -> Option<usize> {
    // Messages use the text after an error.
    let most = text.len().saturating_sub(CONTEXT);
    let text_before = &text[..most];
    if by_lines {
        return after_line_feed(from, text_before);
    }
    let near = most.saturating_sub(4 * CONTEXT)..most;
    let found = match (from.facts().order, unit_bytes(from)) {
        _ if from == Encoding::UTF_8 => near
            .rev()
            .find(|&at| ends_code_point(text_before.get(..=at).unwrap_or_default()))
            .map(|at| at + 1),
        (Some(UnitOrder::Little), 2) => cut_units(text, near, u16::from_le_bytes),
        (Some(UnitOrder::Big), 2) => cut_units(text, near, u16::from_be_bytes),
        _ => None,
    };
    found.or_else(|| after_line_feed(from, text_before))
}

/// Returns `true` if the text ends with a well-formed code point.
fn ends_code_point(text: &[u8]) -> bool {
    (1..=4).any(|len| text.len() >= len && is_code_point(&text[text.len() - len..]))
}

fn is_code_point(bytes: &[u8]) -> bool {
    core::str::from_utf8(bytes).is_ok_and(|text| text.chars().count() == 1)
}

/// The last place that is not within a surrogate pair.
fn cut_units(text: &[u8], near: Range<usize>, unit: fn([u8; 2]) -> u16) -> Option<usize> {
    let at = |at: usize| text.get(at..).and_then(|text| text.first_chunk()).map(|bytes| unit(*bytes));
    near.rev().filter(|cut| cut % 2 == 0 && *cut > 0).find(|&cut| {
        at(cut - 2).is_some_and(|unit| !matches!(unit, 0xD800..=0xDBFF))
            && at(cut).is_some_and(|unit| !matches!(unit, 0xDC00..=0xDFFF))
    })
}

/// Returns the end of the last line.
fn after_line_feed(encoding: Encoding, text: &[u8]) -> Option<usize> {
    let line_feed: &[u8] = match (encoding.facts().order, unit_bytes(encoding)) {
        (Some(UnitOrder::Big), 2) => b"\0\n",
        (Some(UnitOrder::Big), _) => b"\0\0\0\n",
        (Some(_), 2) => b"\n\0",
        (Some(_), _) => b"\n\0\0\0",
        (None, _) => b"\n",
    };
    let width = line_feed.len();
    Some((text.chunks_exact(width).rposition(|unit| unit == line_feed)? + 1) * width)
}
