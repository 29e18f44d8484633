//! The engines: ours and its peers, one file each. Each engine defines how it does an operation.

/// A job whose result is owned, or borrowed from the input: `Vec`, `String` or `Cow`.
macro_rules! owned {
    (move |$src:ident| $result:expr) => {
        $crate::engines::Job::Owned {
            whole: Box::new(move |$src: &[u8]| $crate::engines::finish(&$result)),
            shorts: Box::new(move |shorts: &$crate::measure::Shorts| {
                shorts.each(|$src| $crate::engines::finish(&$result))
            }),
            answer: Box::new(move |$src: &[u8]| $crate::engines::Outcome::answer(&$result, $src)),
        }
    };
}

mod bstr;
mod bytecount;
pub mod ceiling;
mod encoding_rs;
mod iconv;
mod icu;
mod ours;
pub mod page;
pub mod simdutf;
mod simdutf8;
mod smoothutf8;
mod std;

use crate::measure::Shorts;
use crate::operations::Op;
use crate::record::Kind;
use ::std::borrow::Cow;
use ::std::ffi::CStr;
use placemat::Isa;

/// From units to a number.
type Read<S> = Box<dyn Fn(&S) -> usize>;
/// From units to units; returns the number of bytes written.
type Convert<S> = Box<dyn Fn(&S, &mut [u8]) -> usize>;
/// From units to the bytes of a result; an error says what is wrong with it.
type Check = Box<dyn Fn(&[u8]) -> Result<Vec<u8>, &'static str>>;

/// The job of an engine in an operation: on one whole text, or on many short ones.
pub enum Job {
    Read { whole: Read<[u8]>, shorts: Read<Shorts> },
    Convert { whole: Convert<[u8]>, shorts: Convert<Shorts> },
    Owned { whole: Read<[u8]>, shorts: Read<Shorts>, answer: Check },
}

/// The result of a job that allocates.
trait Outcome {
    fn bytes(&self) -> &[u8];

    /// The bytes, unless the result is a copy of what could have been borrowed.
    fn answer(&self, _src: &[u8]) -> Result<Vec<u8>, &'static str> {
        Ok(self.bytes().to_vec())
    }
}

impl<U: Unit> Outcome for Vec<U> {
    fn bytes(&self) -> &[u8] {
        let bytes = size_of_val(self.as_slice());
        // SAFETY: the slice has so many bytes, and a unit is a number without padding.
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

/// Makes the compiler believe that the result is used, and returns its length in bytes.
#[inline(always)]
fn finish(result: &impl Outcome) -> usize {
    ::std::hint::black_box(result.bytes()).len()
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
    pub switch: Switch,
    pub job: Job,
}

/// How an engine is limited to an instruction set.
#[derive(Clone, Copy)]
pub enum Switch {
    Nothing,
    Ours(Isa),
    Simdutf(&'static simdutf::Simdutf, &'static CStr),
}

impl Engine {
    /// Makes the library of this engine use the instruction set of this engine.
    pub fn select(&self) {
        match self.switch {
            Switch::Nothing => {}
            Switch::Ours(level) => level.select().expect("a level of this machine"),
            Switch::Simdutf(library, name) => assert!(library.select(name), "simdutf has no {name:?} here"),
        }
    }

    /// Whether the engine has to give the right answer.
    pub fn is_checked(&self) -> bool {
        self.role != Role::Ceiling && self.name != WITH_FFFD
    }
}

/// Our own U+FFFD, with which our other policies are compared.
const WITH_FFFD: &str = "our U+FFFD";

/// The resources of the engines.
pub struct Engines {
    /// Our levels.
    pub levels: Vec<Isa>,
    simdutf: Vec<simdutf::Build>,
}

impl Engines {
    pub fn new(levels: Vec<Isa>, cxx: bool) -> Self {
        let simdutf = if cxx { simdutf::builds(&levels) } else { Vec::new() };
        if icu::name().is_none() {
            eprintln!("ICU is not installed and is left out");
        }
        Self { levels, simdutf }
    }

    /// The engines that can do `op`.
    pub fn of(&self, op: Op, kind: Kind) -> Vec<Engine> {
        let mut engines = Vec::new();
        let all = op.all_levels() && matches!(kind, Kind::Whole(_));
        let least =
            if all || self.levels.iter().all(|&level| level < Isa::Avx2) { Isa::Portable } else { Isa::Avx2 };
        for &level in self.levels.iter().filter(|&&level| level >= least) {
            let mut ours = |name: String, role, job| {
                engines.push(Engine { name, role, level, switch: Switch::Ours(level), job });
            };
            if let Some(job) = ours::job(op) {
                ours(format!("placemat {level}"), Role::Ours, job);
            }
            if let Op::Policy(_, bad) = op
                && let Some(job) = ours::job(Op::Lossy(bad))
            {
                ours(WITH_FFFD.to_owned(), Role::Peer, job);
            }
        }
        for build in self.simdutf.iter().filter(|build| build.needs >= least) {
            if let Some(job) = build.job(op) {
                engines.push(Engine {
                    name: build.name.clone(),
                    role: Role::Peer,
                    level: build.needs,
                    switch: Switch::Simdutf(build.library, build.force),
                    job,
                });
            }
        }
        let mut peer = |name: &str, level, job: Option<Job>| {
            let compared = self.levels.iter().any(|&ours| level <= ours);
            if let (Some(job), true) = (job, compared) {
                let switch = Switch::Nothing;
                engines.push(Engine { name: name.to_owned(), role: Role::Peer, level, switch, job });
            }
        };
        peer("std", Isa::Portable, self::std::job(op));
        peer("encoding_rs", Isa::Portable, encoding_rs::job(op));
        peer("bstr", Isa::Portable, bstr::job(op));
        peer("iconv", Isa::Portable, iconv::job(op));
        if let Some(name) = icu::name() {
            peer(&name, Isa::Portable, icu::job(op));
        }
        peer("smoothutf8", Isa::Portable, smoothutf8::job(op, kind));
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

/// Reads pieces into `dst` until there is no more; returns the number of bytes.
fn read_pieces(dst: &mut [u8], piece: usize, mut read: impl FnMut(&mut [u8]) -> usize) -> usize {
    let mut at = 0;
    loop {
        let end = (at + piece).min(dst.len());
        match read(&mut dst[at..end]) {
            0 => return at,
            len => at += len,
        }
    }
}
