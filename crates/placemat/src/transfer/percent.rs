//! Percent-encoding: RFC 3986 section 2.1; `application/x-www-form-urlencoded`: URL Standard section 5.

#![forbid(unsafe_code)]

use super::step::{Step, hex_byte, hex_digits};
use alloc::vec::Vec;

/// Decodes `%HH` to a byte, and in a form `+` to a space; everything else stays, whether a URL may contain it or not.
pub(super) fn decode(form: bool, src: &[u8], out: &mut Vec<u8>) -> Step {
    match src[0] {
        b'%' => hex_byte(src, out),
        b'+' if form => {
            out.push(b' ');
            Step::Took(1)
        }
        _ => {
            let special = |byte: &u8| *byte == b'%' || form && *byte == b'+';
            let run = src.iter().position(special).unwrap_or(src.len());
            out.extend_from_slice(&src[..run]);
            Step::Took(run)
        }
    }
}

/// Leaves only unreserved characters as they are; the two standards list different ones.
pub(super) fn encode(form: bool, src: &[u8], out: &mut Vec<u8>) {
    for &byte in src {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'_' => out.push(byte),
            b'~' if !form => out.push(byte),
            b'*' if form => out.push(byte),
            b' ' if form => out.push(b'+'),
            _ => {
                out.push(b'%');
                out.extend_from_slice(&hex_digits(byte));
            }
        }
    }
}
