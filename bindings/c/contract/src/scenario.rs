//! A text, converted by both libraries in step with random divisions, and the shortest text that
//! shows a difference.

use crate::answer::{Answer, Handle, Memory, Null, errno_name, hex};
use crate::library::Iconv;
use crate::random::Random;
use std::fmt;

/// The reaction of the caller to an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// One byte is skipped, or a whole code unit of this many bytes.
    Skip(usize),
    /// The conversion returns to the start of a text and continues after the byte.
    Reset,
}

/// How a text is divided.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The seed of the random divisions.
    pub seed: u64,
    /// The longest new piece of input.
    pub piece: usize,
    /// The largest output buffer, in bytes.
    pub room: usize,
    /// The reaction to an error.
    pub after: After,
    /// `true` if the conversion is sometimes closed before its end.
    pub closes: bool,
}

impl Plan {
    /// One call for the whole text, with a large enough buffer.
    pub const WHOLE: Self =
        Self { seed: 0, piece: 1 << 12, room: 1 << 14, after: After::Skip(1), closes: false };

    /// Returns a random plan.
    pub fn random(random: &mut Random) -> Self {
        Self {
            seed: random.next(),
            piece: *random.pick(&[1, 2, 3, 8, 40, 400]),
            room: *random.pick(&[1, 2, 3, 4, 7, 16, 100, 1000]),
            after: *random.pick(&[
                After::Skip(1),
                After::Skip(1),
                After::Skip(2),
                After::Skip(4),
                After::Reset,
            ]),
            closes: random.one_in(4),
        }
    }
}

/// The names of a conversion, with suffixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Names<'a> {
    /// The encoding of the output.
    pub to: &'a str,
    /// The encoding of the input.
    pub from: &'a str,
}

/// The two libraries under comparison, the first of which is right.
#[derive(Clone, Copy)]
pub struct Both<'a> {
    /// The judge.
    pub glibc: &'a dyn Iconv,
    /// The library under test.
    pub ours: &'a dyn Iconv,
}

impl fmt::Debug for Both<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Both({}, {})", self.glibc.name(), self.ours.name())
    }
}

/// The first call to which two libraries give different answers.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The number of the call, from 0.
    pub call: usize,
    /// The call.
    pub asked: String,
    /// The offset in the text at which the input of the call begins.
    pub at: usize,
    /// The offset at which the input passed so far ends.
    pub given: usize,
    /// The answer of glibc.
    pub glibc: Answer,
    /// The answer of the library under test.
    pub ours: Answer,
}

impl Difference {
    /// Describes the kind of the difference in a few words, for grouping.
    #[must_use]
    pub fn kind(&self) -> String {
        let (a, b) = (&self.glibc, &self.ours);
        if let Some(damage) = b.damage {
            return damage.into();
        }
        let word = |answer: &Answer| match answer.returned {
            -1 => errno_name(answer.errno),
            0 => "0".into(),
            _ => "counted".into(),
        };
        let ends = |answer: &Answer| (answer.returned, answer.errno);
        let mut parts = Vec::new();
        if ends(a) != ends(b) {
            parts.push(format!("{} not {}", word(b), word(a)));
        }
        if (a.read, a.src_left) != (b.read, b.src_left) {
            parts.push(if b.read > a.read { "reads more" } else { "reads less" }.into());
        }
        if a.bytes.len() != b.bytes.len() {
            parts.push(if b.written > a.written { "writes more" } else { "writes less" }.into());
        } else if a.bytes != b.bytes {
            parts.push("writes others".into());
        }
        if parts.is_empty() {
            parts.push("counts disagree with pointers".into());
        }
        if self.asked.starts_with("close") {
            parts.push("when closed".into());
        }
        parts.join(", ")
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "call {}, {}:\n      glibc    {}\n      placemat {}",
            self.call, self.asked, self.glibc, self.ours
        )
    }
}

/// The memory of both libraries.
#[derive(Debug, Default)]
pub struct Memories {
    pub(crate) glibc: Memory,
    pub(crate) ours: Memory,
}

/// The result of a comparison.
#[derive(Debug)]
pub enum Run {
    /// All answers were equal; perhaps neither library opened the conversion.
    Same {
        /// The number of calls.
        calls: usize,
    },
    /// Only one library opened the conversion.
    Opens {
        /// Whether glibc opened the conversion.
        glibc: bool,
    },
    /// A call had different answers.
    Differs(Box<Difference>),
}

/// Converts `text` with both libraries, in step.
pub fn run(both: Both<'_>, names: Names<'_>, text: &[u8], plan: Plan, memories: &mut Memories) -> Run {
    let open = |library| Handle::open(library, names.to.as_bytes(), names.from.as_bytes());
    match (open(both.glibc), open(both.ours)) {
        (Ok(glibc), Ok(ours)) => {
            Pass { glibc, ours, memories, random: Random::new(plan.seed), plan, calls: 0 }.run(text)
        }
        (Err(a), Err(b)) if a == b => Run::Same { calls: 0 },
        (a, _) => Run::Opens { glibc: a.is_ok() },
    }
}

struct Pass<'a> {
    glibc: Handle<'a>,
    ours: Handle<'a>,
    memories: &'a mut Memories,
    random: Random,
    plan: Plan,
    calls: usize,
}

impl Pass<'_> {
    fn run(mut self, text: &[u8]) -> Run {
        let most = 16 * text.len() + 400;
        let mut at = 0;
        // The minimum of bytes in the next piece, and of output bytes for it.
        let (mut least, mut room_least) = (1, 0);
        while at < text.len() && self.calls < most {
            if self.plan.closes && self.random.one_in(12) {
                if let Err(difference) = self.close(at) {
                    return Run::Differs(difference);
                }
                continue;
            }
            let wished = if self.random.one_in(24) { 0 } else { 1 + self.random.below(self.plan.piece) };
            let wished = if self.plan.piece >= Plan::WHOLE.piece { text.len() } else { wished };
            let end = text.len().min(at + wished.max(if wished == 0 { 0 } else { least }));
            let room = if self.plan.room >= Plan::WHOLE.room {
                self.plan.room
            } else {
                self.random.below(self.plan.room + 1).max(room_least)
            };
            let piece = &text[at..end];
            let glibc = self.glibc.convert(&mut self.memories.glibc, piece, room);
            let ours = self.ours.convert(&mut self.memories.ours, piece, room);
            if glibc != ours {
                let asked = format!("convert [{}] into {room}", hex(piece));
                let call = self.calls;
                return Run::Differs(Box::new(Difference { call, asked, at, given: end, glibc, ours }));
            }
            self.calls += 1;
            let read = usize::try_from(glibc.read).unwrap_or(0).min(piece.len());
            at += read;
            (least, room_least) = (1, 0);
            if glibc.returned < 0 {
                match glibc.errno {
                    Some(libc::E2BIG) if read == 0 && glibc.written == 0 => {
                        room_least = (2 * room + 1).min(64);
                    }
                    Some(libc::EINVAL) if end == text.len() => break,
                    Some(libc::EINVAL) => least = piece.len() - read + 1,
                    Some(libc::EILSEQ) if read < piece.len() => match self.plan.after {
                        After::Skip(unit) => at += unit,
                        After::Reset => {
                            if let Err(difference) = self.reset(at) {
                                return Run::Differs(difference);
                            }
                            at += 1;
                        }
                    },
                    _ => {}
                }
            }
        }
        match self.close(at.min(text.len())) {
            Err(difference) => Run::Differs(difference),
            Ok(()) => Run::Same { calls: self.calls },
        }
    }

    fn null(&mut self) -> Null {
        *self.random.pick(&[Null::Outer, Null::Inner])
    }

    fn compared(
        &mut self,
        asked: String,
        at: usize,
        glibc: Answer,
        ours: Answer,
    ) -> Result<(), Box<Difference>> {
        if glibc != ours {
            return Err(Box::new(Difference { call: self.calls, asked, at, given: at, glibc, ours }));
        }
        self.calls += 1;
        Ok(())
    }

    fn reset(&mut self, at: usize) -> Result<(), Box<Difference>> {
        let null = self.null();
        let (glibc, ours) = (self.glibc.reset(null), self.ours.reset(null));
        self.compared("return to the start".into(), at, glibc, ours)
    }

    /// Closes the text; the second try has a large enough buffer.
    fn close(&mut self, at: usize) -> Result<(), Box<Difference>> {
        let null = self.null();
        let mut room = if self.plan.room >= Plan::WHOLE.room { 64 } else { self.random.below(9) };
        for _ in 0..2 {
            let glibc = self.glibc.reset_into(&mut self.memories.glibc, room, null);
            let ours = self.ours.reset_into(&mut self.memories.ours, room, null);
            let full = glibc.errno == Some(libc::E2BIG);
            self.compared(format!("close into {room}"), at, glibc, ours)?;
            if !full {
                return Ok(());
            }
            room = 64;
        }
        Ok(())
    }
}

/// Returns the shortest text and the simplest plan found that still show a difference.
pub fn shortest(
    both: Both<'_>,
    names: Names<'_>,
    text: &[u8],
    plan: Plan,
    memories: &mut Memories,
) -> Option<(Vec<u8>, Plan, Difference)> {
    let mut differs = |text: &[u8], plan| match run(both, names, text, plan, memories) {
        Run::Differs(difference) => Some(*difference),
        _ => None,
    };
    let bytewise = Plan { piece: 1, ..Plan::WHOLE };
    let tight = Plan { piece: 1, room: 1, ..Plan::WHOLE };
    let (plan, mut found) = [Plan::WHOLE, bytewise, tight, plan]
        .into_iter()
        .find_map(|plan| Some((plan, differs(text, plan)?)))?;
    let mut text = text.to_vec();
    if found.given < text.len()
        && let Some(shorter) = differs(&text[..found.given], plan)
    {
        text.truncate(found.given);
        found = shorter;
    }
    let mut size = text.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        let before = text.len();
        while at < text.len() {
            let shorter = [&text[..at], &text[text.len().min(at + size)..]].concat();
            match differs(&shorter, plan) {
                Some(difference) => (text, found) = (shorter, difference),
                None => at += size,
            }
        }
        if size == 1 && text.len() == before {
            return Some((text, plan, found));
        }
        size = (size / 2).max(1);
    }
}
