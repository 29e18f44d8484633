//! The engines: ours and its peers, one file each. Each engine defines how it does an operation.

mod bstr;
mod bytecount;
pub mod ceiling;
mod encoding_rs;
mod iconv;
mod ours;
pub mod simdutf;
mod simdutf8;
mod std;

pub use self::iconv::{code_points, encode as encode_page};

use crate::measure::Shorts;
use crate::operations::Op;
use ::std::borrow::Cow;
use placemat::Isa;

/// From units to a number.
type Read<S> = Box<dyn Fn(&S) -> usize>;
/// From units to units; returns the number of bytes written.
type Convert<S> = Box<dyn Fn(&S, &mut [u8]) -> usize>;
/// From bytes to text, which it allocates or borrows.
type Decode = Box<dyn for<'a> Fn(&'a [u8]) -> Cow<'a, str>>;

/// The job of an engine in an operation: on one whole text, or on many short ones.
pub enum Job {
    Read { whole: Read<[u8]>, shorts: Read<Shorts> },
    Convert { whole: Convert<[u8]>, shorts: Convert<Shorts> },
    Text(Decode),
}

/// The role of an engine in a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Ours,
    Peer,
    /// The most that the machine can do; it gives no answer.
    Ceiling,
}

/// An engine for one operation.
pub struct Engine {
    pub name: String,
    pub role: Role,
    /// For ours, the level to select; for a peer, our least level that it is compared with.
    pub level: Isa,
    pub job: Job,
}

/// The resources of the engines.
pub struct Engines {
    /// Our levels.
    pub levels: Vec<Isa>,
    simdutf: Vec<simdutf::Build>,
}

impl Engines {
    pub fn new(levels: Vec<Isa>, cxx: bool) -> Self {
        let simdutf = if cxx { simdutf::builds(&levels) } else { Vec::new() };
        Self { levels, simdutf }
    }

    /// The engines that can do `op`.
    pub fn of(&self, op: Op) -> Vec<Engine> {
        let mut engines = Vec::new();
        for &level in &self.levels {
            if let Some(job) = ours::job(op) {
                engines.push(Engine { name: format!("placemat {level}"), role: Role::Ours, level, job });
            }
        }
        for build in &self.simdutf {
            if let Some(job) = build.job(op) {
                engines.push(Engine { name: build.name.clone(), role: Role::Peer, level: build.needs, job });
            }
        }
        let mut peer = |name: &str, level, job: Option<Job>| {
            let compared = self.levels.iter().any(|&ours| level <= ours);
            if let (Some(job), true) = (job, compared) {
                engines.push(Engine { name: name.to_owned(), role: Role::Peer, level, job });
            }
        };
        peer("std", Isa::Portable, self::std::job(op));
        peer("encoding_rs", Isa::Portable, encoding_rs::job(op));
        peer("bstr", Isa::Portable, bstr::job(op));
        peer("iconv", Isa::Portable, iconv::job(op));
        peer("bytecount", bytecount::LEVEL, bytecount::job(op));
        for (name, level, job) in simdutf8::jobs(op) {
            peer(name, level, Some(job));
        }
        engines
    }
}

/// A job that reads.
fn read(f: impl Fn(&[u8]) -> usize + Copy + 'static) -> Job {
    Job::Read { whole: Box::new(f), shorts: Box::new(move |shorts| shorts.each(f)) }
}

/// A job that converts; the closure returns the number of bytes that it wrote.
fn convert(f: impl Fn(&[u8], &mut [u8]) -> usize + Copy + 'static) -> Job {
    Job::Convert {
        whole: Box::new(f),
        shorts: Box::new(move |shorts, dst| shorts.each(|src| f(src, &mut *dst))),
    }
}

/// Types for which any bytes of their size are a value.
trait Unit: Copy {}
impl Unit for u8 {}
impl Unit for u16 {}
impl Unit for u32 {}

/// The bytes as units. Every buffer and every short string in it is aligned for them.
fn units<U: Unit>(bytes: &[u8]) -> &[U] {
    assert!(bytes.as_ptr().cast::<U>().is_aligned(), "a text of the benchmark is not aligned");
    // SAFETY: the assertion found the pointer aligned, the length in units does not reach beyond the slice, and any
    // bytes are such units.
    unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<U>()) }
}

/// The bytes as units to write.
fn units_mut<U: Unit>(bytes: &mut [u8]) -> &mut [U] {
    assert!(bytes.as_ptr().cast::<U>().is_aligned(), "a text of the benchmark is not aligned");
    // SAFETY: the assertion found the pointer aligned, the length in units does not reach beyond the slice, any bytes
    // are such units, and any units such bytes.
    unsafe { core::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len() / size_of::<U>()) }
}
