//! Quoted-printable: RFC 2045 section 6.7.

#![forbid(unsafe_code)]

use super::error::TransferErrorKind;
use super::line_end::LineEnd;
use super::step::{Step, hex_byte, hex_digits};
use alloc::vec::Vec;

/// The longest run of white space to hold back until it is known whether the line ends after it: no line of a message
/// is longer (RFC 5322 section 2.1.1).
pub(super) const WHITE_SPACE: usize = 998;

/// Characters on a line, including the `=` of a soft line break.
const LINE: usize = 76;

/// Rules 1 to 5. Accepts lower-case hexadecimal digits too, as the RFC permits.
pub(super) fn decode(src: &[u8], last: bool, out: &mut Vec<u8>) -> Step {
    match *src {
        [b'=', ..] => escape(src, out),
        [b' ' | b'\t', ..] => {
            let run = white_space(src);
            if run > WHITE_SPACE {
                return Step::Wrong { len: WHITE_SPACE + 1, kind: TransferErrorKind::LongWhiteSpace };
            }
            // Rule 3: a relay added white space at the end of a line.
            match src[run..] {
                [] if last => Step::Took(run),
                [] | [b'\r'] => Step::More,
                [b'\n', ..] | [b'\r', b'\n', ..] => Step::Took(run),
                _ => keep(src, run, out),
            }
        }
        [b'\n', ..] => keep(src, 1, out),
        [b'\r', b'\n', ..] => keep(src, 2, out),
        [b'\r'] => Step::More,
        _ => match src.iter().take_while(|byte| is_plain(**byte)).count() {
            0 => Step::Wrong { len: 1, kind: TransferErrorKind::StrayByte },
            run => keep(src, run, out),
        },
    }
}

fn escape(src: &[u8], out: &mut Vec<u8>) -> Step {
    // A soft line break, perhaps with white space that a relay added.
    let run = white_space(&src[1..]);
    let end = 1 + run;
    match src[end..] {
        _ if run > WHITE_SPACE => Step::Wrong { len: 1, kind: TransferErrorKind::BadEscape },
        [] | [b'\r'] => Step::More,
        [b'\n', ..] => Step::Took(end + 1),
        [b'\r', b'\n', ..] => Step::Took(end + 2),
        _ if run > 0 => Step::Wrong { len: 1, kind: TransferErrorKind::BadEscape },
        _ => hex_byte(src, out),
    }
}

fn white_space(src: &[u8]) -> usize {
    // One byte more than can be held back is enough to decide.
    src.iter().take(WHITE_SPACE + 1).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Returns `true` if a byte may be literal in any position (rule 2).
const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_graphic() && byte != b'='
}

fn keep(src: &[u8], len: usize, out: &mut Vec<u8>) -> Step {
    out.extend_from_slice(&src[..len]);
    Step::Took(len)
}

/// Writes one byte, or a line end as it is; `column` is the number of characters on the line.
pub(super) fn encode(
    src: &[u8],
    last: bool,
    column: &mut usize,
    line_end: LineEnd,
    out: &mut Vec<u8>,
) -> Option<usize> {
    // The result may depend on whether a line end follows.
    if src.len() < 3 && !last {
        return None;
    }
    let (&byte, rest) = src.split_first()?;
    let hard = match src {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    };
    if hard > 0 {
        out.extend_from_slice(&src[..hard]);
        *column = 0;
        return Some(hard);
    }
    let line_ends = matches!(rest, [] | [b'\n', ..] | [b'\r', b'\n', ..]);
    let literal = match byte {
        b' ' | b'\t' => !line_ends,
        _ => is_plain(byte),
    };
    // The last column of a line is for the `=`, unless the line ends here.
    let (width, places) = if literal { (1, LINE - usize::from(!line_ends)) } else { (3, LINE - 1) };
    if *column + width > places {
        out.push(b'=');
        out.extend_from_slice(line_end.bytes());
        *column = 0;
    }
    if literal {
        out.push(byte);
    } else {
        out.push(b'=');
        out.extend_from_slice(&hex_digits(byte));
    }
    *column += width;
    Some(1)
}
