//! The contract, probe by probe. A probe is a list of calls; both libraries must give the same answers to all of them.

mod odd;
mod rows;
mod steps;

pub use self::steps::Step;

use self::steps::take;
use crate::answer::Memory;
use crate::library::Iconv;

/// The action of a probe.
#[derive(Clone, Copy)]
pub enum Doing {
    /// Opens a conversion between these encodings, and takes these steps.
    Steps(&'static str, &'static str, &'static [Step]),
    /// Makes other calls. Returns a line for each answer.
    Odd(fn(&dyn Iconv, &mut Memory) -> Vec<String>),
}

/// A row of the table.
#[derive(Clone, Copy)]
pub struct Probe {
    /// The promise in words.
    pub name: &'static str,
    /// The calls that test the promise.
    pub doing: Doing,
}

impl std::fmt::Debug for Probe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Returns all probes of the table.
#[must_use]
pub fn probes() -> Vec<Probe> {
    rows::ROWS
        .iter()
        .map(|(name, to, from, steps)| Probe { name, doing: Doing::Steps(to, from, steps) })
        .chain(odd::ODD.iter().map(|(name, probe)| Probe { name, doing: Doing::Odd(*probe) }))
        .collect()
}

impl Probe {
    /// Returns `true` if the probe uses a name that the library leaves to the next one.
    #[must_use]
    pub fn is_left(&self) -> bool {
        matches!(self.doing, Doing::Steps(to, from, _) if [to, from].into_iter().any(crate::names::is_left))
    }

    /// Returns a line for each answer of the library.
    #[must_use]
    pub fn answers(&self, library: &dyn Iconv, memory: &mut Memory) -> Vec<String> {
        match self.doing {
            Doing::Steps(to, from, steps) => take(library, memory, to.as_bytes(), from.as_bytes(), steps),
            Doing::Odd(probe) => probe(library, memory),
        }
    }
}
