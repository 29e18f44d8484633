//! The work of an engine in an operation.

use crate::buffer::Shorts;
use std::borrow::Cow;

/// A job whose result is owned, or borrowed from the input: `Vec`, `String` or `Cow`.
macro_rules! owned {
    (move |$src:ident| $result:expr) => {
        $crate::job::Job::Owned {
            whole: Box::new(move |$src: &[u8]| $crate::job::finish(&$result)),
            shorts: Box::new(move |shorts: &$crate::buffer::Shorts| {
                shorts.each(|$src| $crate::job::finish(&$result))
            }),
            answer: Box::new(move |$src: &[u8]| $crate::job::Outcome::answer(&$result, $src)),
        }
    };
}
pub(crate) use owned;

/// Reads code units and returns a number.
type Read<S> = Box<dyn Fn(&S) -> usize>;
/// Converts code units; returns the number of bytes written.
type Convert<S> = Box<dyn Fn(&S, &mut [u8]) -> usize>;
/// Returns the bytes of a result; an error describes a wrong result.
type Check = Box<dyn Fn(&[u8]) -> Result<Vec<u8>, &'static str>>;

/// The work of an engine in an operation: on one whole text, or on many short ones.
pub enum Job {
    Read { whole: Read<[u8]>, shorts: Read<Shorts> },
    Convert { whole: Convert<[u8]>, shorts: Convert<Shorts> },
    Owned { whole: Read<[u8]>, shorts: Read<Shorts>, answer: Check },
}

/// The result of a job that allocates.
pub trait Outcome {
    fn bytes(&self) -> &[u8];

    /// Returns the bytes, unless the result is a copy that could have been borrowed.
    fn answer(&self, _src: &[u8]) -> Result<Vec<u8>, &'static str> {
        Ok(self.bytes().to_vec())
    }
}

impl<U: Unit> Outcome for Vec<U> {
    fn bytes(&self) -> &[u8] {
        let bytes = size_of_val(self.as_slice());
        // SAFETY: the slice has `bytes` bytes, and a code unit is a number without padding.
        unsafe { core::slice::from_raw_parts(self.as_ptr().cast(), bytes) }
    }
}

impl Outcome for String {
    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<T: ?Sized + ToOwned + AsRef<[u8]>> Outcome for Cow<'_, T>
where
    T::Owned: AsRef<[u8]>,
{
    fn bytes(&self) -> &[u8] {
        match self {
            Cow::Borrowed(all) => (*all).as_ref(),
            Cow::Owned(all) => all.as_ref(),
        }
    }

    fn answer(&self, src: &[u8]) -> Result<Vec<u8>, &'static str> {
        match self {
            Cow::Owned(all) if all.as_ref() == src && !src.is_empty() => {
                Err("a copy of what it could borrow")
            }
            _ => Ok(self.bytes().to_vec()),
        }
    }
}

/// Makes the compiler assume that the result is used, and returns its length in bytes.
#[inline(always)]
pub fn finish(result: &impl Outcome) -> usize {
    std::hint::black_box(result.bytes()).len()
}

/// The role of an engine in a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Ours,
    Peer,
    /// The upper limit of the machine; it gives no answer.
    Ceiling,
}

/// Makes a job that reads.
pub fn read(f: impl Fn(&[u8]) -> usize + Copy + 'static) -> Job {
    Job::Read { whole: Box::new(f), shorts: Box::new(move |shorts| shorts.each(f)) }
}

/// Makes a job that converts; the closure returns the number of bytes that it wrote.
pub fn convert(f: impl Fn(&[u8], &mut [u8]) -> usize + Copy + 'static) -> Job {
    Job::Convert {
        whole: Box::new(f),
        shorts: Box::new(move |shorts, dst| shorts.each(|src| f(src, &mut *dst))),
    }
}

/// Types for which any bytes of their size are a value.
pub trait Unit: Copy {}
impl Unit for u8 {}
impl Unit for u16 {}
impl Unit for u32 {}

/// Returns the bytes as code units. Every buffer and every short string in it is aligned for them.
pub fn units<U: Unit>(bytes: &[u8]) -> &[U] {
    assert!(bytes.as_ptr().cast::<U>().is_aligned(), "a text of the benchmark is not aligned");
    // SAFETY: the assertion found the pointer aligned, the length in code units stays within the
    // slice, and any bytes are such code units.
    unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<U>()) }
}

/// Returns the bytes as code units to write.
pub fn units_mut<U: Unit>(bytes: &mut [u8]) -> &mut [U] {
    assert!(bytes.as_ptr().cast::<U>().is_aligned(), "a text of the benchmark is not aligned");
    // SAFETY: the assertion found the pointer aligned, the length in code units stays within the
    // slice, any bytes are such code units, and any code units are such bytes.
    unsafe { core::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len() / size_of::<U>()) }
}

/// Reads pieces into `dst` until the input ends; returns the number of bytes.
pub fn read_pieces(dst: &mut [u8], piece: usize, mut read: impl FnMut(&mut [u8]) -> usize) -> usize {
    let mut at = 0;
    loop {
        let end = (at + piece).min(dst.len());
        match read(&mut dst[at..end]) {
            0 => return at,
            len => at += len,
        }
    }
}
