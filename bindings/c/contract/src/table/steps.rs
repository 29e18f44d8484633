//! The steps of a probe that opens one conversion.

use crate::answer::{Handle, Memory, Null, errno_name};
use crate::library::Iconv;

/// One step of a probe.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A call with the unread bytes and these new ones, and an output buffer of this many bytes.
    In(&'static [u8], usize),
    /// Skips this many unread bytes.
    Skip(usize),
    /// A call that returns to the start, with an output buffer of this many bytes.
    Close(usize, Null),
    /// A call that returns to the start without output.
    Reset(Null),
}

/// Takes the steps, and returns a line for each answer.
pub(super) fn take(
    library: &dyn Iconv,
    memory: &mut Memory,
    to: &[u8],
    from: &[u8],
    steps: &[Step],
) -> Vec<String> {
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
