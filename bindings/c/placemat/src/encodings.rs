//! Encodings by their labels, and signatures.

use crate::memory::{put, room, slice};
use core::ffi::c_char;
use placemat::{Encoding, Isa, bom, label};

/// An encoding: a number from 1 to `placemat_encoding_count()`, a higher one for a page of EBCDIC with the other byte of LF
/// (`ibm500,swaplfnl`), or 0 for none. The numbers are those of this version of the library: look encodings up by their labels.
pub type placemat_encoding = u32;

/// Returns the encoding of a number.
pub(crate) fn encoding(number: placemat_encoding) -> Option<Encoding> {
    let index = usize::try_from(number.checked_sub(1)?).ok()?;
    let listed = |index: usize| Encoding::ALL.get(index).copied();
    listed(index).or_else(|| exchanged(listed(index.checked_sub(Encoding::ALL.len())?)?))
}

/// Returns the number of an encoding. The numbers of pages that are not listed are those of their partners, after all others.
pub(crate) fn number(encoding: Option<Encoding>) -> placemat_encoding {
    let place = |wanted: Encoding| Encoding::ALL.iter().position(|&known| known == wanted);
    let index = encoding.and_then(|encoding| {
        place(encoding).or_else(|| Some(Encoding::ALL.len() + place(partner(encoding)?)?))
    });
    index.and_then(|index| placemat_encoding::try_from(index + 1).ok()).unwrap_or(0)
}

/// Returns the page of EBCDIC with the other byte of LF.
fn partner(page: Encoding) -> Option<Encoding> {
    page.with_ebcdic_newline(if page.ebcdic_newline()? == 0x15 { 0x25 } else { 0x15 })
}

/// Returns the partner of a page, if it is not listed itself.
fn exchanged(page: Encoding) -> Option<Encoding> {
    partner(page).filter(|partner| !Encoding::ALL.contains(partner))
}

/// Returns the label at an address; `None` if it is not UTF-8.
///
/// # Safety
/// The requirements of [`slice`].
unsafe fn text<'a>(label: *const c_char, length: usize) -> Option<&'a str> {
    // SAFETY: the caller keeps the contract of this function.
    core::str::from_utf8(unsafe { slice(label.cast(), length) }).ok()
}

/// The encoding that a label names: `UTF-8`, `latin1`, `cp1251`, and the names that iconv(3) has for encodings known here. Case and
/// punctuation do not matter. A locale (`en_AU.UTF-8`) and a `Content-Type` (`text/html;charset=UTF-8`) are taken for the label in
/// them. 0 if it is unknown; `placemat_label_about` explains some. The suffixes of iconv, `//TRANSLIT` and `//IGNORE`, belong to no label: they are
/// `PLACEMAT_TRANSLITERATE` and `PLACEMAT_SKIP` in a policy.
///
/// # Safety
/// `label` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_encoding_for_label(
    label: *const c_char,
    length: usize,
) -> placemat_encoding {
    // SAFETY: the caller keeps the contract of this function.
    number(unsafe { text(label, length) }.and_then(Encoding::for_label))
}

/// The encoding that a browser uses for a label (WHATWG Encoding Standard, section 4.2). 0 if it knows none.
///
/// # Safety
/// `label` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_encoding_for_web_label(
    label: *const c_char,
    length: usize,
) -> placemat_encoding {
    // SAFETY: the caller keeps the contract of this function.
    number(unsafe { text(label, length) }.and_then(placemat::web::for_label))
}

/// The encoding of a POSIX locale such as `de_DE.ISO8859-1`. 0 if the name has none.
///
/// # Safety
/// `locale` has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_encoding_for_locale(
    locale: *const c_char,
    length: usize,
) -> placemat_encoding {
    // SAFETY: the caller keeps the contract of this function.
    number(unsafe { text(locale, length) }.and_then(label::of_locale))
}

/// Writes to `buffer` what a name is that looks like a label and is no encoding, and what to use, for a message: `utf-8b`, `utf-9`,
/// `utf-18`, `utf-8-mac`. The text ends with a zero byte and is truncated where there is no room. Returns the length of the whole text,
/// without the zero byte; 0 if there is nothing to say, which is so for the label of an encoding. No text is longer than 255 bytes.
///
/// # Safety
/// `label` has `length` bytes; `buffer` has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_label_about(
    label: *const c_char,
    length: usize,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let unknown = unsafe { text(label, length) }.and_then(|label| label.parse::<Encoding>().err());
    // SAFETY: the caller keeps the contract of this function.
    unsafe { ended(unknown.and_then(|unknown| unknown.about()).unwrap_or_default(), buffer, capacity) }
}

/// Writes a text ended by a zero byte, truncated if it does not fit. Returns the length of the
/// whole text.
///
/// # Safety
/// `buffer` has room for `capacity` bytes.
unsafe fn ended(text: &str, buffer: *mut c_char, capacity: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let out = unsafe { room::<u8>(buffer.cast(), capacity) };
    if let Some(most) = out.len().checked_sub(1) {
        let len = text.len().min(most);
        out[..len].copy_from_slice(&text.as_bytes()[..len]);
        out[len] = 0;
    }
    text.len()
}

/// The number of encodings.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_encoding_count() -> u32 {
    u32::try_from(Encoding::ALL.len()).unwrap_or(u32::MAX)
}

/// Writes the name of an encoding to `buffer`, ended by a zero byte and truncated where there is no room. Returns the length of
/// the whole name, without the zero byte; 0 if there is no such encoding. No name is longer than 63 bytes.
///
/// # Safety
/// `buffer` has room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_encoding_name(
    encoding: placemat_encoding,
    buffer: *mut c_char,
    capacity: usize,
) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    unsafe { ended(self::encoding(encoding).map_or("", Encoding::name), buffer, capacity) }
}

/// The maximum number of bytes that one code point takes in an encoding, without a signature at the start; 0 if there is no such encoding.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_encoding_max_bytes(encoding: placemat_encoding) -> usize {
    self::encoding(encoding).map_or(0, Encoding::max_bytes)
}

/// The encoding that the signature (the byte order mark) at the start of a text gives; 0 if there is none.
/// `signature_length` may be null.
///
/// # Safety
/// `text` has `length` bytes; `signature_length` is null or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn placemat_sniff(
    text: *const c_char,
    length: usize,
    signature_length: *mut usize,
) -> placemat_encoding {
    // SAFETY: the caller keeps the contract of this function.
    let sniffed = bom::sniff(unsafe { slice(text.cast(), length) });
    let found = sniffed.filter(|sniffed| sniffed.encoding.is_some());
    // SAFETY: the caller keeps the contract of this function.
    unsafe { put(signature_length, found.map_or(0, |sniffed| sniffed.len)) };
    number(found.and_then(|sniffed| sniffed.encoding))
}

/// The version of the library: `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The level of instructions that this machine runs: `avx512`, `avx2`, `neon` or `portable`.
#[unsafe(no_mangle)]
pub extern "C" fn placemat_isa() -> *const c_char {
    let name = match Isa::current() {
        Isa::Avx2 => c"avx2",
        Isa::Avx512 => c"avx512",
        Isa::Neon => c"neon",
        Isa::Simd128 => c"simd128",
        _ => c"portable",
    };
    name.as_ptr()
}
