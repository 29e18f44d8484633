//! One call, and everything that it changes.

use crate::guard::Guarded;
use crate::library::{Iconv, Raw};
use libc::{c_char, c_int};
use std::ffi::CString;
use std::fmt;
use std::ptr;

/// The value of `errno` before each call. No function sets it.
const UNTOUCHED: c_int = 0x5EED;
/// The longest piece of input or output, in bytes.
pub const LONGEST: usize = 1 << 16;

/// Everything that one call of `iconv` returns or changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The return value; -1 for an error.
    pub returned: isize,
    /// `errno`; `None` if the call left it as it was.
    pub errno: Option<c_int>,
    /// The distance by which the pointer to the input moved, in bytes.
    pub read: isize,
    /// The number of input bytes left, from the count.
    pub src_left: usize,
    /// The distance by which the pointer to the output moved, in bytes.
    pub written: isize,
    /// The number of output bytes left, from the count.
    pub dst_left: usize,
    /// The bytes written.
    pub bytes: Vec<u8>,
    /// A change beside the output, or to the input.
    pub damage: Option<&'static str>,
}

/// Returns the name of an error.
#[must_use]
pub fn errno_name(errno: Option<c_int>) -> String {
    match errno {
        None => "untouched".into(),
        Some(libc::E2BIG) => "E2BIG".into(),
        Some(libc::EILSEQ) => "EILSEQ".into(),
        Some(libc::EINVAL) => "EINVAL".into(),
        Some(libc::EBADF) => "EBADF".into(),
        Some(libc::ENOMEM) => "ENOMEM".into(),
        Some(other) => format!("errno {other}"),
    }
}

/// Writes bytes in hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.returned)?;
        if self.errno.is_some() || self.returned < 0 {
            write!(f, " {}", errno_name(self.errno))?;
        }
        write!(
            f,
            ", read {} (left {}), wrote {} (left {})",
            self.read, self.src_left, self.written, self.dst_left
        )?;
        if !self.bytes.is_empty() {
            write!(f, " [{}]", hex(&self.bytes))?;
        }
        self.damage.map_or(Ok(()), |damage| write!(f, ", {damage}"))
    }
}

/// Sets `errno` to a value that no function sets, before a call.
pub fn clear_errno() {
    // SAFETY: the address of this thread's errno, which is always valid.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: the address is this thread's, and valid.
    unsafe { *errno = UNTOUCHED };
}

/// Returns `errno` after a call; `None` if it is unchanged since [`clear_errno`].
#[must_use]
pub fn errno() -> Option<c_int> {
    // SAFETY: the address of this thread's errno, which is always valid.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: the address is this thread's, and valid.
    let errno = unsafe { *errno };
    (errno != UNTOUCHED).then_some(errno)
}

/// The memory for the input and the output of one library in one thread.
#[derive(Debug)]
pub struct Memory {
    src: Guarded,
    dst: Guarded,
}

impl Memory {
    /// Allocates memory for pieces of up to [`LONGEST`] bytes.
    #[must_use]
    pub fn new() -> Self {
        Self { src: Guarded::new(LONGEST), dst: Guarded::new(LONGEST) }
    }
}

impl Default for Memory {
    fn default() -> Self {
        Self::new()
    }
}

/// An open handle, closed when it is dropped.
pub struct Handle<'a> {
    library: &'a dyn Iconv,
    raw: Raw,
}

impl fmt::Debug for Handle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handle({}, {:?})", self.library.name(), self.raw)
    }
}

/// Converts the names to C strings.
fn names(to: &[u8], from: &[u8]) -> [CString; 2] {
    [to, from].map(|name| CString::new(name).expect("a name without a zero byte"))
}

impl<'a> Handle<'a> {
    /// Opens a conversion.
    ///
    /// # Errors
    /// The `errno` of a conversion that cannot be opened.
    pub fn open(library: &'a dyn Iconv, to: &[u8], from: &[u8]) -> Result<Self, Option<c_int>> {
        let [to, from] = names(to, from);
        clear_errno();
        // SAFETY: both names end in a zero byte.
        let raw = unsafe { library.open(to.as_ptr(), from.as_ptr()) };
        if raw as isize == -1 { Err(errno()) } else { Ok(Self { library, raw }) }
    }

    /// Converts `src` into `room` bytes.
    pub fn convert(&mut self, memory: &mut Memory, src: &[u8], room: usize) -> Answer {
        let (start, end) = (memory.src.put(src), memory.dst.room(room));
        let (mut from, mut to) = (start.cast::<c_char>(), end.cast::<c_char>());
        let (mut src_left, mut dst_left) = (src.len(), room);
        clear_errno();
        // SAFETY: the handle is open; `start` covers `src.len()` bytes and `end` covers `room`.
        let returned = unsafe {
            self.library.iconv(self.raw, &raw mut from, &raw mut src_left, &raw mut to, &raw mut dst_left)
        };
        let errno = errno();
        let written = to as isize - end as isize;
        let mut damage = None;
        if !memory.dst.margin_is_whole(room) {
            damage = Some("wrote before the output");
        }
        if memory.src.last(src.len()) != src {
            damage = Some("changed the input");
        }
        let held = usize::try_from(written).unwrap_or(0).min(room);
        Answer {
            returned: returned.cast_signed(),
            errno,
            read: from as isize - start as isize,
            src_left,
            written,
            dst_left,
            bytes: memory.dst.last(room)[..held].to_vec(),
            damage,
        }
    }

    /// Returns to the start of a text and writes the bytes that close it into `room` bytes. `null`
    /// chooses how to pass "no input": the pointer to the input may be null, or point to a null
    /// pointer.
    pub fn reset_into(&mut self, memory: &mut Memory, room: usize, null: Null) -> Answer {
        let end = memory.dst.room(room);
        let mut to = end.cast::<c_char>();
        let (mut from, mut src_left, mut dst_left) = (ptr::null_mut::<c_char>(), 0, room);
        let (from, src_left_at) = match null {
            Null::Outer => (ptr::null_mut(), ptr::null_mut()),
            Null::Inner => (&raw mut from, &raw mut src_left),
        };
        clear_errno();
        // SAFETY: the handle is open; there is no input; `end` covers `room` bytes.
        let returned =
            unsafe { self.library.iconv(self.raw, from, src_left_at, &raw mut to, &raw mut dst_left) };
        let errno = errno();
        let written = to as isize - end as isize;
        let held = usize::try_from(written).unwrap_or(0).min(room);
        Answer {
            returned: returned.cast_signed(),
            errno,
            written,
            dst_left,
            bytes: memory.dst.last(room)[..held].to_vec(),
            damage: (!memory.dst.margin_is_whole(room)).then_some("wrote before the output"),
            ..Answer::default()
        }
    }

    /// Returns to the start of a text and writes nothing: the output is null.
    pub fn reset(&mut self, null: Null) -> Answer {
        let (mut from, mut to) = (ptr::null_mut::<c_char>(), ptr::null_mut::<c_char>());
        let (mut src_left, mut dst_left) = (0, 0);
        clear_errno();
        let returned = match null {
            // SAFETY: the handle is open; there is neither input nor output.
            Null::Outer => unsafe {
                self.library.iconv(
                    self.raw,
                    ptr::null_mut(),
                    ptr::null_mut(),
                    ptr::null_mut(),
                    ptr::null_mut(),
                )
            },
            // SAFETY: the handle is open; there is neither input nor output, as the inner pointers say.
            Null::Inner => unsafe {
                self.library.iconv(self.raw, &raw mut from, &raw mut src_left, &raw mut to, &raw mut dst_left)
            },
        };
        Answer {
            returned: returned.cast_signed(),
            errno: errno(),
            read: from as isize,
            src_left,
            written: to as isize,
            dst_left,
            ..Answer::default()
        }
    }

    /// Closes the handle. Returns the return value, and `errno`.
    #[must_use]
    pub fn close(self) -> (c_int, Option<c_int>) {
        let this = std::mem::ManuallyDrop::new(self);
        clear_errno();
        // SAFETY: the handle is open, and nothing uses it hereafter.
        let returned = unsafe { this.library.close(this.raw) };
        (returned, errno())
    }
}

impl Drop for Handle<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle is open, and nothing uses it hereafter.
        unsafe { self.library.close(self.raw) };
    }
}

/// How a call passes "no input" or "no output".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Null {
    /// The pointer to the pointer is null.
    Outer,
    /// The pointer to the pointer points to a null pointer.
    Inner,
}
