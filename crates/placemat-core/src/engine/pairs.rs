//! Pairs of forms, and the table of the kernels that serve them.

use super::tables;
#[cfg(feature = "alloc")]
use crate::checked::Writer;
use crate::forms::form::{Bulk, Charset, Form};
use crate::kernels::Moved;
use crate::kernels::dispatch::Kernels;

/// The two forms of a conversion, in their present states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) from: Bulk,
    pub(super) to: Bulk,
    /// One of the forms has its own loop, and the other is UTF-8, or the target is [`Bulk::Void`].
    pub(super) quick: bool,
}

impl Pair {
    #[inline(always)]
    pub(super) fn of<F: Form, T: Form>(source: &F::State, target: &T::State) -> Self {
        let (from, to) = (F::bulk(source), T::bulk(target).as_target());
        let quick = F::facts(source).quick && matches!(to, Bulk::Utf8 | Bulk::Void)
            || T::facts(target).quick && from == Bulk::Utf8;
        Self { from, to, quick }
    }

    /// Returns `true` if the repertoire of one of the forms is a single-byte table.
    #[inline(always)]
    pub(super) const fn is_table(self) -> bool {
        self.from.is_table() || self.to.is_table()
    }

    /// Returns `true` if there is a kernel for the pair. Otherwise the engine goes step by step.
    #[inline(always)]
    pub(super) const fn has_kernel(self) -> bool {
        match (self.from, self.to) {
            (Bulk::None | Bulk::Ucs2Le | Bulk::Ucs2Be, _) | (_, Bulk::None | Bulk::Ucs2Le | Bulk::Ucs2Be) => {
                false
            }
            (Bulk::Cesu8 | Bulk::ModifiedUtf8, to) => matches!(to, Bulk::Utf8 | Bulk::Void),
            (from, Bulk::Cesu8 | Bulk::ModifiedUtf8) => matches!(from, Bulk::Utf8 | Bulk::Wtf8),
            _ => true,
        }
    }

    /// Returns `true` if the target can represent U+FFFD and a kernel converts to it.
    #[inline(always)]
    pub(super) fn represents_replacement(self) -> bool {
        let to = self.to.in_bytes();
        matches!(to, Bulk::Utf8 | Bulk::Utf16Le | Bulk::Utf16Be | Bulk::Utf32Le | Bulk::Utf32Be | Bulk::Void)
    }
}

impl Bulk {
    /// Returns `true` for a single-byte charset with tables.
    #[inline(always)]
    pub(super) const fn is_table(self) -> bool {
        matches!(self, Self::Charset(charset) if charset.single().is_some())
    }

    /// Returns `true` for a single-byte charset, ASCII or Latin-1.
    #[inline(always)]
    #[must_use]
    pub const fn is_single_byte(self) -> bool {
        self.is_table() || matches!(self, Self::Ascii | Self::Latin1)
    }

    /// Returns `true` for a multi-byte charset without states.
    #[inline(always)]
    pub(super) const fn is_multi_byte(self) -> bool {
        matches!(self, Self::Charset(charset) if charset.functions.is_stateless) && !self.is_table()
    }

    /// Returns `true` for UTF-16 or UTF-32 as bytes.
    #[inline(always)]
    pub(super) const fn is_wide(self) -> bool {
        matches!(self, Self::Utf16Le | Self::Utf16Be | Self::Utf32Le | Self::Utf32Be)
    }

    /// Returns `true` if the form has no states and its kernels handle every code point of UTF-8
    /// that it represents.
    #[must_use]
    pub const fn is_stateless(self) -> bool {
        match self {
            Self::Charset(charset) => charset.functions.is_stateless,
            Self::Utf8 | Self::Ascii | Self::Latin1 => true,
            _ => self.is_wide(),
        }
    }

    /// Returns the name of the form as a target: WTF-8 accepts everything that UTF-8 does.
    #[inline(always)]
    const fn as_target(self) -> Self {
        match self {
            Self::Wtf8 => Self::Utf8,
            other => other,
        }
    }

    /// Returns the byte form of a form: machine integers are bytes in the order of the machine.
    #[inline(always)]
    pub(super) const fn in_bytes(self) -> Self {
        match self {
            Self::Utf16 if cfg!(target_endian = "big") => Self::Utf16Be,
            Self::Utf16 => Self::Utf16Le,
            Self::Utf32 if cfg!(target_endian = "big") => Self::Utf32Be,
            Self::Utf32 => Self::Utf32Le,
            other => other,
        }
    }
}

/// Returns `true` if a kernel serves the pair without UTF-8 at either end: between UTF-16 and
/// UTF-32 in any byte order, between these and single-byte encodings, and from multi-byte encodings
/// to UTF-16, for which they have tables.
pub(super) const fn is_direct(from: Bulk, to: Bulk) -> bool {
    from.is_wide() && (to.is_wide() || matches!(to, Bulk::Latin1) || to.is_table())
        || from.is_single_byte() && to.is_wide()
        || from.is_multi_byte() && matches!(to, Bulk::Utf16Le)
}

/// Returns the kernel for the pair if it may write into uninitialized memory.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn writer(from: Bulk, to: Bulk) -> Option<Writer> {
    Some(match (from.in_bytes(), to.in_bytes()) {
        (Bulk::Utf8, Bulk::Utf16Le) => Writer::Utf8ToUtf16Le,
        (Bulk::Utf8, Bulk::Utf16Be) => Writer::Utf8ToUtf16Be,
        (Bulk::Utf8, Bulk::Utf32Le) => Writer::Utf8ToUtf32Le,
        (Bulk::Utf8, Bulk::Utf32Be) => Writer::Utf8ToUtf32Be,
        (Bulk::Utf8, Bulk::Latin1) => Writer::Utf8ToLatin1,
        (Bulk::Utf16Le, Bulk::Utf8) => Writer::Utf16LeToUtf8,
        (Bulk::Utf16Be, Bulk::Utf8) => Writer::Utf16BeToUtf8,
        (Bulk::Utf32Le, Bulk::Utf8) => Writer::Utf32LeToUtf8,
        (Bulk::Utf32Be, Bulk::Utf8) => Writer::Utf32BeToUtf8,
        (Bulk::Latin1, Bulk::Utf8) => Writer::Latin1ToUtf8,
        _ => return None,
    })
}

/// A kernel, from bytes to bytes.
pub(super) type Kernel = fn(&[u8], &mut [u8]) -> Moved;

/// A kernel that converts.
macro_rules! converts {
    ($name:ident) => {
        |src, dst| Kernels::current().$name(src, dst)
    };
}

/// A kernel that only reads.
macro_rules! reads {
    ($name:ident) => {
        |src, _| Moved { read: Kernels::current().$name(src), written: 0 }
    };
}

/// Returns the kernel for a pair that needs no tables. Where both forms are known at compile time,
/// so is the kernel, and the program links no other.
#[inline]
pub(super) const fn between(from: Bulk, to: Bulk) -> Option<Kernel> {
    let from = from.as_target().in_bytes();
    match (from, to.in_bytes()) {
        (from, Bulk::Void) => validating(from),
        (from, Bulk::Utf8) => to_utf8(from),
        (Bulk::Utf8, to) => from_utf8(to),
        (from, to) => without_utf8(from, to),
    }
}

/// Returns the kernel for a pair whose target is the hub: UTF-8, or nothing.
#[inline]
pub(super) const fn to_hub(from: Bulk, to: Bulk) -> Option<Kernel> {
    let from = from.as_target().in_bytes();
    if matches!(to, Bulk::Void) { validating(from) } else { to_utf8(from) }
}

/// Returns the kernel that finds the well-formed prefix.
#[inline]
const fn validating(from: Bulk) -> Option<Kernel> {
    Some(match from {
        Bulk::Utf8 => reads!(utf8_prefix),
        Bulk::Utf16Le => reads!(utf16le_prefix),
        Bulk::Utf16Be => reads!(utf16be_prefix),
        Bulk::Utf32Le => reads!(utf32le_prefix),
        Bulk::Utf32Be => reads!(utf32be_prefix),
        Bulk::Ascii => reads!(ascii_prefix),
        Bulk::Cesu8 => reads!(cesu8_prefix),
        Bulk::ModifiedUtf8 => reads!(mutf8_prefix),
        Bulk::Latin1 => |src, _| Moved { read: src.len(), written: 0 },
        _ => return None,
    })
}

/// Returns the kernel into UTF-8.
#[inline]
const fn to_utf8(from: Bulk) -> Option<Kernel> {
    Some(match from {
        Bulk::Utf8 => converts!(copy_utf8),
        Bulk::Cesu8 => converts!(cesu8_to_utf8),
        Bulk::ModifiedUtf8 => converts!(mutf8_to_utf8),
        Bulk::Utf16Le => converts!(utf16le_to_utf8),
        Bulk::Utf16Be => converts!(utf16be_to_utf8),
        Bulk::Utf32Le => converts!(utf32le_to_utf8),
        Bulk::Utf32Be => converts!(utf32be_to_utf8),
        Bulk::Latin1 => converts!(latin1_to_utf8),
        Bulk::Ascii => converts!(copy_ascii),
        _ => return None,
    })
}

/// Returns the kernel from UTF-8.
#[inline]
pub(super) const fn from_utf8(to: Bulk) -> Option<Kernel> {
    Some(match to.in_bytes() {
        Bulk::Utf8 => converts!(copy_utf8),
        Bulk::Utf16Le => converts!(utf8_to_utf16le),
        Bulk::Utf16Be => converts!(utf8_to_utf16be),
        Bulk::Utf32Le => converts!(utf8_to_utf32le),
        Bulk::Utf32Be => converts!(utf8_to_utf32be),
        Bulk::Latin1 => converts!(utf8_to_latin1),
        Bulk::Cesu8 => converts!(utf8_to_cesu8),
        Bulk::ModifiedUtf8 => converts!(utf8_to_mutf8),
        Bulk::Ascii => converts!(copy_ascii),
        _ => return None,
    })
}

/// Returns the kernel for a pair without UTF-8 at either end.
#[inline]
const fn without_utf8(from: Bulk, to: Bulk) -> Option<Kernel> {
    Some(match (from, to) {
        (Bulk::Utf16Le, Bulk::Utf16Le) => converts!(copy_utf16le),
        (Bulk::Utf16Le, Bulk::Utf16Be) => converts!(utf16le_to_utf16be),
        (Bulk::Utf16Le, Bulk::Utf32Le) => converts!(utf16le_to_utf32le),
        (Bulk::Utf16Le, Bulk::Utf32Be) => converts!(utf16le_to_utf32be),
        (Bulk::Utf16Be, Bulk::Utf16Le) => converts!(utf16be_to_utf16le),
        (Bulk::Utf16Be, Bulk::Utf16Be) => converts!(copy_utf16be),
        (Bulk::Utf16Be, Bulk::Utf32Le) => converts!(utf16be_to_utf32le),
        (Bulk::Utf16Be, Bulk::Utf32Be) => converts!(utf16be_to_utf32be),
        (Bulk::Utf32Le, Bulk::Utf16Le) => converts!(utf32le_to_utf16le),
        (Bulk::Utf32Le, Bulk::Utf16Be) => converts!(utf32le_to_utf16be),
        (Bulk::Utf32Le, Bulk::Utf32Le) => converts!(copy_utf32le),
        (Bulk::Utf32Le, Bulk::Utf32Be) => converts!(utf32le_to_utf32be),
        (Bulk::Utf32Be, Bulk::Utf16Le) => converts!(utf32be_to_utf16le),
        (Bulk::Utf32Be, Bulk::Utf16Be) => converts!(utf32be_to_utf16be),
        (Bulk::Utf32Be, Bulk::Utf32Le) => converts!(utf32be_to_utf32le),
        (Bulk::Utf32Be, Bulk::Utf32Be) => converts!(copy_utf32be),

        (Bulk::Latin1, Bulk::Utf16Le) => converts!(latin1_to_utf16le),
        (Bulk::Latin1, Bulk::Utf16Be) => converts!(latin1_to_utf16be),
        (Bulk::Latin1, Bulk::Utf32Le) => converts!(latin1_to_utf32le),
        (Bulk::Latin1, Bulk::Utf32Be) => converts!(latin1_to_utf32be),
        (Bulk::Ascii, Bulk::Utf16Le) => converts!(ascii_to_utf16le),
        (Bulk::Ascii, Bulk::Utf16Be) => converts!(ascii_to_utf16be),
        (Bulk::Ascii, Bulk::Utf32Le) => converts!(ascii_to_utf32le),
        (Bulk::Ascii, Bulk::Utf32Be) => converts!(ascii_to_utf32be),
        (Bulk::Utf16Le, Bulk::Latin1) => converts!(utf16le_to_latin1),
        (Bulk::Utf16Be, Bulk::Latin1) => converts!(utf16be_to_latin1),
        (Bulk::Utf32Le, Bulk::Latin1) => converts!(utf32le_to_latin1),
        (Bulk::Utf32Be, Bulk::Latin1) => converts!(utf32be_to_latin1),
        (Bulk::Ascii, Bulk::Ascii | Bulk::Latin1) | (Bulk::Latin1, Bulk::Ascii) => converts!(copy_ascii),
        _ => return None,
    })
}

/// Converts by the kernel for the pair, if there is one, up to the first code unit that it does not
/// handle.
#[inline(always)]
pub(super) fn kernel(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    match between(from, to) {
        Some(kernel) => kernel(src, dst),
        None => by_tables(from, to, src, dst),
    }
}

/// Converts like [`kernel`] where the target is the hub: UTF-8, or nothing. A program that only
/// reads other encodings links no kernel that writes them.
#[inline(always)]
pub(super) fn kernel_to_hub(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    match (to_hub(from, to), from) {
        (Some(kernel), _) => kernel(src, dst),
        (None, Bulk::Charset(charset)) => charset_to_hub(charset, to, src, dst),
        (None, _) => Moved::default(),
    }
}

/// Converts like [`kernel`] where the source is UTF-8.
#[inline(always)]
pub(super) fn kernel_from_utf8(to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    match (from_utf8(to), to) {
        (Some(kernel), _) => kernel(src, dst),
        (None, Bulk::Charset(charset)) => (charset.functions.from_utf8)(charset.member, src, dst),
        (None, _) => Moved::default(),
    }
}

/// Converts a character set to UTF-8 or to nothing by its tables.
#[inline(always)]
fn charset_to_hub(charset: Charset, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    if to == Bulk::Void {
        return Moved { read: (charset.functions.prefix)(charset.member, src), written: 0 };
    }
    (charset.functions.to_utf8)(charset.member, src, dst)
}

/// Converts by the tables for the pair, if it needs tables, up to the first code unit that they
/// lack.
#[inline]
fn by_tables(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    match (from, to.in_bytes()) {
        (Bulk::Charset(charset), to @ (Bulk::Void | Bulk::Utf8)) => charset_to_hub(charset, to, src, dst),
        (Bulk::Utf8, Bulk::Charset(charset)) => (charset.functions.from_utf8)(charset.member, src, dst),
        (Bulk::Charset(charset), Bulk::Utf16Le) if charset.single().is_none() => {
            let (read, count) = (charset.functions.to_units)(charset.member, src, dst.as_chunks_mut().0);
            Moved { read, written: 2 * count }
        }
        (Bulk::Charset(charset), wide) if wide.is_wide() => tables::charset_to_wide(charset, wide, src, dst),
        (wide, Bulk::Charset(charset)) if wide.is_wide() => tables::wide_to_charset(wide, charset, src, dst),
        _ => Moved::default(),
    }
}
