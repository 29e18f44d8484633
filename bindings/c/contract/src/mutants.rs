//! Deliberately wrong libraries: glibc with one mistake each. A comparison that misses them proves
//! nothing.

use crate::library::{Glibc, Iconv, Raw};
use libc::{c_char, c_int, size_t};
use std::ffi::CStr;

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// Reads incomplete input and reports nothing.
    SwallowsIncomplete,
    /// Leaves the pointer after an ill-formed byte.
    PassesIllFormed,
    /// Sets `errno` although there was no error.
    SetsErrno,
    /// Does not count transliterated characters.
    CountsNothing,
    /// Writes no shift sequence when it closes.
    ForgetsShift,
    /// Stays in its state when it is reset without output.
    KeepsState,
    /// Forgets its state between calls.
    LosesState,
    /// Opens unknown names.
    TakesAnyName,
    /// Does not report that `//IGNORE` left out characters.
    HidesIgnored,
    /// Does not update the count of the input.
    StaleCount,
    /// Writes a part of a character if the whole does not fit.
    PartOfCharacter,
    /// Writes a question mark for an unmappable character.
    QuestionMark,
    /// Reports success if the output is full.
    SilentWhenFull,
    /// Writes another byte for U+00E9.
    WrongByte,
    /// Writes before the output.
    WritesBefore,
    /// Changes the input.
    ChangesInput,
    /// Refuses names in small letters.
    CaseMatters,
    /// Closes -1 without an error.
    ClosesAnything,
    /// Writes past the end of the output, which ends the process.
    WritesPastEnd,
    /// Reads past the end of the input, which ends the process.
    ReadsPastEnd,
}

impl Mistake {
    /// The mistakes that show in the answers.
    pub const VISIBLE: &[Self] = &[
        Self::SwallowsIncomplete,
        Self::PassesIllFormed,
        Self::SetsErrno,
        Self::CountsNothing,
        Self::ForgetsShift,
        Self::KeepsState,
        Self::LosesState,
        Self::TakesAnyName,
        Self::HidesIgnored,
        Self::StaleCount,
        Self::PartOfCharacter,
        Self::QuestionMark,
        Self::SilentWhenFull,
        Self::WrongByte,
        Self::WritesBefore,
        Self::ChangesInput,
        Self::CaseMatters,
        Self::ClosesAnything,
    ];
    /// The mistakes that end the process at a guard page.
    pub const DEADLY: &[Self] = &[Self::WritesPastEnd, Self::ReadsPastEnd];
    /// The mistakes about names and handles, which texts cannot show.
    pub const OF_NAMES: &[Self] = &[Self::TakesAnyName, Self::CaseMatters, Self::ClosesAnything];
}

/// glibc with a mistake.
#[derive(Debug)]
pub struct Mutant(pub Mistake);

/// The handle of a mutant.
struct State {
    raw: Raw,
    to: *mut c_char,
    from: *mut c_char,
}

fn minus_one() -> Raw {
    std::ptr::without_provenance_mut(usize::MAX)
}

fn set_errno(value: c_int) {
    // SAFETY: the address of this thread's errno, which is always valid.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: the address is this thread's, and valid.
    unsafe { *errno = value };
}

fn errno() -> c_int {
    // SAFETY: the address of this thread's errno, which is always valid.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: the address is this thread's, and valid.
    unsafe { *errno }
}

impl Iconv for Mutant {
    fn name(&self) -> &'static str {
        "mutant"
    }

    unsafe fn open(&self, to: *const c_char, from: *const c_char) -> Raw {
        // SAFETY: the caller promises that both names end in a zero byte.
        let name = unsafe { CStr::from_ptr(to) };
        if self.0 == Mistake::CaseMatters && name.to_bytes().iter().any(u8::is_ascii_lowercase) {
            set_errno(libc::EINVAL);
            return minus_one();
        }
        // SAFETY: the caller's promise.
        let mut raw = unsafe { Glibc.open(to, from) };
        if raw == minus_one() && self.0 == Mistake::TakesAnyName {
            // SAFETY: both names end in a zero byte.
            raw = unsafe { Glibc.open(c"UTF-8".as_ptr(), c"UTF-8".as_ptr()) };
        }
        if raw == minus_one() {
            return raw;
        }
        // SAFETY: the caller promises that the name ends in a zero byte.
        let to = unsafe { libc::strdup(to) };
        // SAFETY: the caller promises that the name ends in a zero byte.
        let from = unsafe { libc::strdup(from) };
        Box::into_raw(Box::new(State { raw, to, from })).cast()
    }

    unsafe fn iconv(
        &self,
        handle: Raw,
        src: *mut *mut c_char,
        src_left: *mut size_t,
        dst: *mut *mut c_char,
        dst_left: *mut size_t,
    ) -> size_t {
        if handle == minus_one() {
            // SAFETY: glibc allows -1.
            return unsafe { Glibc.iconv(handle, src, src_left, dst, dst_left) };
        }
        // SAFETY: the caller promises a handle of `open`, which made it from a box.
        let state = unsafe { &mut *handle.cast::<State>() };
        // SAFETY: the caller's promise for the pointers; the inner handle is open.
        unsafe { self.convert(state, src, src_left, dst, dst_left) }
    }

    unsafe fn close(&self, handle: Raw) -> c_int {
        if handle == minus_one() {
            if self.0 == Mistake::ClosesAnything {
                return 0;
            }
            // SAFETY: glibc allows -1.
            return unsafe { Glibc.close(handle) };
        }
        // SAFETY: the caller passes a handle of `open`, and does not use it afterwards.
        let state = unsafe { Box::from_raw(handle.cast::<State>()) };
        // SAFETY: the name is of strdup.
        unsafe { libc::free(state.to.cast()) };
        // SAFETY: the name is of strdup.
        unsafe { libc::free(state.from.cast()) };
        // SAFETY: the inner handle is open.
        unsafe { Glibc.close(state.raw) }
    }
}

impl Mutant {
    /// Calls [`Iconv::iconv`], with the mutant's mistake.
    ///
    /// # Safety
    /// The requirements of [`Iconv::iconv`].
    #[expect(clippy::multiple_unsafe_ops_per_block, reason = "each reads or writes a pointer of the call")]
    unsafe fn convert(
        &self,
        state: &mut State,
        src: *mut *mut c_char,
        src_left: *mut size_t,
        dst: *mut *mut c_char,
        dst_left: *mut size_t,
    ) -> size_t {
        // SAFETY: the caller promises that pointers which are not null are valid.
        let (has_input, has_output) =
            unsafe { (!src.is_null() && !(*src).is_null(), !dst.is_null() && !(*dst).is_null()) };
        match self.0 {
            Mistake::ForgetsShift if !has_input && has_output => {
                // SAFETY: the inner handle is open, and there is neither input nor output.
                return unsafe {
                    Glibc.iconv(state.raw, std::ptr::null_mut(), src_left, std::ptr::null_mut(), dst_left)
                };
            }
            Mistake::KeepsState if !has_input && !has_output => return 0,
            Mistake::LosesState if has_input => {
                // SAFETY: the inner handle is open and is replaced; the names are of strdup.
                unsafe {
                    Glibc.close(state.raw);
                    state.raw = Glibc.open(state.to, state.from);
                }
            }
            _ => {}
        }
        if !has_input || !has_output {
            // SAFETY: the caller's promise.
            return unsafe { Glibc.iconv(state.raw, src, src_left, dst, dst_left) };
        }
        // SAFETY: the pointers are not null, as checked.
        let (start, len, out, room) = unsafe { (*src, *src_left, *dst, *dst_left) };
        if self.0 == Mistake::ReadsPastEnd {
            // SAFETY: none. The guard page ends the process here.
            unsafe { std::ptr::read_volatile(start.add(len)) };
        }
        // SAFETY: the caller's promise.
        let mut returned = unsafe { Glibc.iconv(state.raw, src, src_left, dst, dst_left) };
        let failed = (returned == size_t::MAX).then(errno);
        // SAFETY: the pointers are not null, as checked, and glibc left them inside the buffers.
        unsafe {
            match (self.0, failed) {
                (Mistake::SwallowsIncomplete, Some(libc::EINVAL)) => {
                    *src = start.add(len);
                    *src_left = 0;
                    set_errno(0x5EED);
                    returned = 0;
                }
                (Mistake::PassesIllFormed, Some(libc::EILSEQ)) if *src_left > 0 => {
                    *src = (*src).add(1);
                    *src_left -= 1;
                }
                (Mistake::SetsErrno, None) => set_errno(0),
                (Mistake::CountsNothing, None) => returned = 0,
                (Mistake::HidesIgnored, Some(libc::EILSEQ)) if *src_left == 0 => {
                    set_errno(0x5EED);
                    returned = 0;
                }
                (Mistake::StaleCount, _) => *src_left = len,
                (Mistake::PartOfCharacter, Some(libc::E2BIG)) if *dst_left > 0 => {
                    **dst = 0x20;
                    *dst = (*dst).add(1);
                    *dst_left -= 1;
                }
                (Mistake::QuestionMark, Some(libc::EILSEQ)) if *dst_left > 0 && *src_left > 0 => {
                    **dst = 0x3F;
                    *dst = (*dst).add(1);
                    *dst_left -= 1;
                }
                (Mistake::SilentWhenFull, Some(libc::E2BIG)) => {
                    set_errno(0x5EED);
                    returned = 0;
                }
                (Mistake::WrongByte, _) => {
                    for i in 0..room - *dst_left {
                        if *out.add(i).cast::<u8>() == 0xE9 {
                            *out.add(i).cast::<u8>() = 0xE8;
                        }
                    }
                }
                (Mistake::WritesBefore, _) => *out.sub(1) = 0,
                (Mistake::ChangesInput, _) if len > 0 => *start = !*start,
                (Mistake::WritesPastEnd, _) => std::ptr::write_volatile(out.add(room), 0),
                _ => {}
            }
        }
        returned
    }
}
