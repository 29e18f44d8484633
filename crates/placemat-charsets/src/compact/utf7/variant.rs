//! The variants of UTF-7, and the class of each byte in them.

use super::groups::{BASE64, Groups};

/// The class of a byte in one of the variants.
#[derive(Clone, Copy)]
pub(super) struct Class {
    /// The value of the byte in base64, or [`NONE`].
    pub(super) sextet: u8,
    pub(super) written_direct: bool,
    pub(super) read_direct: bool,
}

pub(super) const NONE: u8 = 0xFF;

/// The differences between the variants.
pub(super) trait Variant {
    /// Whether the variant is for mailbox names.
    const IMAP: bool;
    /// Whether the encoder writes the optional direct characters directly.
    const OPTIONAL: bool = false;
    /// The byte that begins a run.
    const SHIFT: u8 = if Self::IMAP { b'&' } else { b'+' };
    /// The class of each byte.
    const CLASSES: &'static [Class; 256];
    /// The tables for readers and writers of groups.
    const GROUPS: &'static Groups = {
        static USUAL: Groups = Groups::new(&BASE64);
        static IMAP: Groups = Groups::new(&BASE64_IMAP);
        if Self::IMAP { &IMAP } else { &USUAL }
    };
    /// The character of each value.
    const BASE64: &'static [u8; 64] = if Self::IMAP { &BASE64_IMAP } else { &BASE64 };
}

const BASE64_IMAP: [u8; 64] = {
    let mut all = BASE64;
    all[63] = b',';
    all
};
const SET_D: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'(),-./:? \t\r\n";
const SET_O: &[u8] = b"!\"#$%&*;<=>@[]^_`{|}";
const LENIENT: &[u8] = b"~\\";

const fn is_in(byte: u8, set: &[u8]) -> bool {
    let mut i = 0;
    while i < set.len() {
        if set[i] == byte {
            return true;
        }
        i += 1;
    }
    false
}

pub(super) const fn classes(imap: bool, strict: bool) -> [Class; 256] {
    let base64 = if imap { BASE64_IMAP } else { BASE64 };
    let mut all = [Class { sextet: NONE, written_direct: false, read_direct: false }; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        let class = &mut all[byte as usize];
        if imap {
            class.written_direct = byte >= 0x20 && byte <= 0x7E && byte != b'&';
            class.read_direct = class.written_direct;
        } else {
            class.written_direct = is_in(byte, SET_D) || (!strict && is_in(byte, SET_O));
            class.read_direct =
                class.written_direct || is_in(byte, SET_O) || (!strict && is_in(byte, LENIENT));
        }
        byte += 1;
    }
    let mut sextet = 0_u8;
    while sextet < 64 {
        all[base64[sextet as usize] as usize].sextet = sextet;
        sextet += 1;
    }
    all
}

#[inline(always)]
pub(super) fn class<V: Variant>(byte: u8) -> Class {
    V::CLASSES[usize::from(byte)]
}
