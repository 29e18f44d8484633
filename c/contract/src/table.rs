//! The contract, probe by probe. A probe is a list of calls; both libraries must give the same answers to all of them.

mod odd;
mod rows;

use crate::answer::{Handle, Memory, Null, errno_name};
use crate::library::Iconv;

/// One step of a probe.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Gives the unread bytes and these, with room for so many bytes.
    In(&'static [u8], usize),
    /// Leaves out so many unread bytes.
    Skip(usize),
    /// Returns to the start; there is room for so many bytes.
    Close(usize, Null),
    /// Returns to the start without output.
    Reset(Null),
}

/// What a probe does.
#[derive(Clone, Copy)]
pub enum Doing {
    /// Opens a conversion to and from these names, and takes these steps.
    Steps(&'static str, &'static str, &'static [Step]),
    /// Anything else. Returns a line for each answer.
    Odd(fn(&dyn Iconv, &mut Memory) -> Vec<String>),
}

/// A row of the table.
#[derive(Clone, Copy)]
pub struct Probe {
    /// The promise.
    pub name: &'static str,
    /// How it is tried.
    pub doing: Doing,
}

impl std::fmt::Debug for Probe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All probes.
#[must_use]
pub fn probes() -> Vec<Probe> {
    rows::ROWS
        .iter()
        .map(|(name, to, from, steps)| Probe { name, doing: Doing::Steps(to, from, steps) })
        .chain(odd::ODD.iter().map(|(name, probe)| Probe { name, doing: Doing::Odd(*probe) }))
        .collect()
}

impl Probe {
    /// Whether it uses a name that the library leaves to the next.
    #[must_use]
    pub fn is_left(&self) -> bool {
        matches!(self.doing, Doing::Steps(to, from, _) if [to, from].into_iter().any(crate::names::is_left))
    }

    /// A line for each answer of the library.
    #[must_use]
    pub fn answers(&self, library: &dyn Iconv, memory: &mut Memory) -> Vec<String> {
        match self.doing {
            Doing::Steps(to, from, steps) => take(library, memory, to.as_bytes(), from.as_bytes(), steps),
            Doing::Odd(probe) => probe(library, memory),
        }
    }
}

/// Takes the steps: a line for each answer.
fn take(library: &dyn Iconv, memory: &mut Memory, to: &[u8], from: &[u8], steps: &[Step]) -> Vec<String> {
    let mut handle = match Handle::open(library, to, from) {
        Ok(handle) => handle,
        Err(errno) => return vec![format!("open: {}", errno_name(errno))],
    };
    let mut lines = vec!["open".to_owned()];
    let mut unread = Vec::new();
    for step in steps {
        let answer = match *step {
            Step::In(bytes, room) => {
                unread.extend_from_slice(bytes);
                let answer = handle.convert(memory, &unread, room);
                unread.drain(..usize::try_from(answer.read).unwrap_or(0).min(unread.len()));
                answer
            }
            Step::Skip(count) => {
                unread.drain(..count.min(unread.len()));
                continue;
            }
            Step::Close(room, null) => handle.reset_into(memory, room, null),
            Step::Reset(null) => handle.reset(null),
        };
        lines.push(format!("{step:?}: {answer}"));
    }
    let (returned, errno) = handle.close();
    lines.push(format!("close: {returned} {}", errno_name(errno)));
    lines
}
