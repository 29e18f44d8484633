//! iconv(3) of the C library, for single-byte encodings.

use super::{Job, convert};
use crate::operations::{Op, Page};
use std::ffi::CStr;
use std::ptr;

pub fn job(op: Op) -> Option<Job> {
    // A descriptor stays open; a conversion of whole texts leaves it in its initial state.
    let descriptor = match op {
        Op::SingleByte(page) => Descriptor::open(c"UTF-8", name(page))?,
        Op::ToSingleByte(page) => Descriptor::open(name(page), c"UTF-8")?,
        _ => return None,
    };
    Some(convert(move |s, d| descriptor.run(s, d).expect("text of the encoding")))
}

/// The code points of all bytes, with U+FFFD for undefined ones.
pub fn code_points(page: Page) -> Option<[u16; 256]> {
    let descriptor = Descriptor::open(c"UTF-16LE", name(page))?;
    let mut code_points = [0xFFFF; 256];
    for (byte, code_point) in (0..=u8::MAX).zip(&mut code_points) {
        let mut unit = [0; 2];
        if descriptor.run(&[byte], &mut unit) == Some(2) {
            *code_point = u16::from_le_bytes(unit);
        }
    }
    Some(code_points)
}

/// The text in the encoding, and the text without the characters that the encoding lacks.
pub fn encode(text: &str, page: Page) -> Option<(Vec<u8>, String)> {
    let descriptor = Descriptor::open(name(page), c"UTF-8")?;
    let (mut bytes, mut kept) = (Vec::new(), String::new());
    for c in text.chars() {
        let mut byte = [0; 1];
        if descriptor.run(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut byte) == Some(1) {
            bytes.extend(byte);
            kept.push(c);
        }
    }
    Some((bytes, kept))
}

fn name(page: Page) -> &'static CStr {
    match page {
        Page::Windows1251 => c"CP1251",
        Page::Windows1252 => c"CP1252",
        Page::Koi8R => c"KOI8-R",
        Page::Ibm037 => c"IBM037",
        Page::Cp874 => c"CP874",
    }
}

#[derive(Clone, Copy)]
struct Descriptor(libc::iconv_t);

impl Descriptor {
    fn open(to: &CStr, from: &CStr) -> Option<Self> {
        // SAFETY: both names are a `CStr` each, so they end in NUL.
        let descriptor = unsafe { libc::iconv_open(to.as_ptr(), from.as_ptr()) };
        (descriptor.addr() != usize::MAX).then_some(Self(descriptor))
    }

    /// Converts all of `src`; `None` if that fails.
    fn run(self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let (mut from, mut left) = (src.as_ptr().cast::<libc::c_char>().cast_mut(), src.len());
        let (mut to, mut room) = (dst.as_mut_ptr().cast::<libc::c_char>(), dst.len());
        // SAFETY: the descriptor is open, as `open` is the only way to have one and nothing closes it. Pointers and
        // lengths are those of the slices `src` and `dst`, and iconv does not write to its source.
        let result = unsafe { libc::iconv(self.0, &mut from, &mut left, &mut to, &mut room) };
        if result == usize::MAX {
            // SAFETY: the descriptor is open, as `open` is the only way to have one and nothing closes it; with null
            // pointers the function puts it into its initial state.
            unsafe {
                libc::iconv(self.0, ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut())
            };
            return None;
        }
        Some(dst.len() - room)
    }
}
