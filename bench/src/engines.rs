//! The engines: ours and its peers, one file each. Each engine defines how it runs an operation.

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

use crate::job::{Job, Role};
use crate::operations::Op;
use crate::record::Kind;
use ::std::ffi::CStr;
use placemat::Isa;

/// An engine for one operation.
pub struct Engine {
    pub name: String,
    pub role: Role,
    /// For our engine, the level to select; for a peer, our lowest level that it is compared with.
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
    /// Switches the library of this engine to the instruction set of this engine.
    pub fn select(&self) {
        match self.switch {
            Switch::Nothing => {}
            Switch::Ours(level) => level.select().expect("a level of this machine"),
            Switch::Simdutf(library, name) => assert!(library.select(name), "simdutf has no {name:?} here"),
        }
    }

    /// Returns `true` if the engine must give the right answer.
    pub fn is_checked(&self) -> bool {
        self.role != Role::Ceiling && self.name != WITH_FFFD
    }
}

/// The name of our own U+FFFD, with which our other policies are compared.
const WITH_FFFD: &str = "our U+FFFD";

/// The resources of the engines.
pub struct Engines {
    /// Our levels of instructions.
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

    /// Returns the engines that can run `op`.
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
