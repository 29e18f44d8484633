//! iconv(3) of the C library, for the legacy encodings.

use crate::job::{Job, convert, owned, read};
use crate::operations::Op;
use crate::pages::Page;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CStr;
use std::ptr;

pub fn job(op: Op) -> Option<Job> {
    // A descriptor stays open; a conversion of a whole text leaves it in its initial state.
    let (to, from) = match op {
        Op::FromPage(page) | Op::DecodeBytes(page) => (c"UTF-8", page.iconv()),
        Op::ToPage(page) | Op::EncodeBytes(page) => (page.iconv(), c"UTF-8"),
        Op::Between(from, to) => (to.iconv(), from.iconv()),
        Op::Open(page) => {
            // Another descriptor stays open, so that the C library keeps its tables loaded.
            Descriptor::open(page.iconv(), c"UTF-8")?;
            return Some(read(move |_| {
                Descriptor::open(page.iconv(), c"UTF-8").expect("it opened before").close();
                1
            }));
        }
        _ => return None,
    };
    let descriptor = Descriptor::open(to, from)?;
    if matches!(op, Op::DecodeBytes(_) | Op::EncodeBytes(_)) {
        return Some(owned!(move |s| {
            let mut out = vec![0; 4 * s.len() + 4];
            let len = descriptor.run(s, &mut out).expect("text of the encoding");
            out.truncate(len);
            out
        }));
    }
    Some(convert(move |s, d| descriptor.run(s, d).expect("text of the encoding")))
}

thread_local! {
    static OPEN: RefCell<HashMap<Page, Option<Descriptor>>> = RefCell::default();
}

/// Encodes one character.
pub fn encode(c: &str, page: Page) -> Option<Vec<u8>> {
    let open = |open: &RefCell<HashMap<Page, _>>| {
        *open.borrow_mut().entry(page).or_insert_with(|| Descriptor::open(page.iconv(), c"UTF-8"))
    };
    let mut bytes = [0; 8];
    let len = OPEN.with(open)?.run(c.as_bytes(), &mut bytes)?;
    Some(bytes[..len].to_vec())
}

#[derive(Clone, Copy)]
struct Descriptor(libc::iconv_t);

impl Descriptor {
    fn open(to: &CStr, from: &CStr) -> Option<Self> {
        // SAFETY: both names are a `CStr` each, so they end in NUL.
        let descriptor = unsafe { libc::iconv_open(to.as_ptr(), from.as_ptr()) };
        (descriptor.addr() != usize::MAX).then_some(Self(descriptor))
    }

    fn close(self) {
        // SAFETY: the descriptor is open, as `open` is the only way to have one, and the one caller that closes it made
        // it and has no copy.
        unsafe { libc::iconv_close(self.0) };
    }

    /// Converts all of `src`; returns `None` if that fails.
    fn run(self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let (mut from, mut left) = (src.as_ptr().cast::<libc::c_char>().cast_mut(), src.len());
        let (mut to, mut room) = (dst.as_mut_ptr().cast::<libc::c_char>(), dst.len());
        // SAFETY: the descriptor is open, as `open` is the only way to have one and a closed one is not used. Pointers
        // and lengths are those of the slices `src` and `dst`, and iconv does not write to its source.
        let result = unsafe { libc::iconv(self.0, &mut from, &mut left, &mut to, &mut room) };
        if result == usize::MAX {
            // SAFETY: the descriptor is open, as `open` is the only way to have one and a closed one is not used; with
            // null pointers the function puts it into its initial state.
            unsafe {
                libc::iconv(self.0, ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut())
            };
            return None;
        }
        Some(dst.len() - room)
    }
}
