//! Findings in well-formed text, each searched for only if asked for.
//!
//! | lint | finds |
//! | --- | --- |
//! | `noncharacters` | U+FDD0..U+FDEF and the last two code points of each plane |
//! | `controls` | U+0000..U+001F without TAB, LF, FF and CR; U+007F..U+009F; a run of U+001A at the end is one finding |
//! | `bidi` | embeddings, overrides, isolates and their ends (CVE-2021-42574), and where one is still open at the end of a line |
//! | `private-use` | U+E000..U+F8FF, U+F0000..U+FFFFD, U+100000..U+10FFFD |
//! | `invisible` | code points that show nothing, where no script and no emoji needs them; a run of them is one finding; a signature before `#!` |
//! | `replacement` | U+FFFD: an earlier conversion lost text |
//! | `mojibake` | UTF-8 that was read as another encoding, as `repair` finds it |
//! | `separators` | U+2028 and U+2029 |
//! | `confusables` | words that look like ASCII words but are not (UTS #39, section 4) |
//! | `mixed-script` | words of scripts that are not written together (UTS #39, section 5) |
//! | `lookalikes` | spaces and punctuation that look like ASCII; as a part of `security`, only in the code of source files |
//! | `not-nfc` | stretches of text that are not in NFC |
//! | `crlf` | the first CR LF of each run |
//! | `mixed-eol` | the first line end of each kind other than the first |
//! | `cr-eol` | the first CR, if no line ends in anything else |
//! | `declaration` | declarations of the encoding that the bytes contradict: [`declared`](super::declared) finds them |
//!
//! The marks U+200E, U+200F and U+061C are not reported: right-to-left text needs them, and they do not reach beyond their
//! neighbors. FF separates pages in sources of old.
//!
//! Candidates are searched for in blocks of bytes; text is decoded only around them.

mod bidi;
mod code;
mod explain;
mod invisible;
mod kind;
mod line_ends;
mod lookalike;
mod mojibake;
mod normal;
mod role;
mod search;
mod spelling;
mod usual;
mod wanted;
mod words;

pub(super) use explain::{Context, explain};
pub(super) use kind::{Fault, Hit, Kind};
pub(super) use wanted::{BomArg, LintArg, Wanted};

use bidi::Bidi;
use code::{Code, Family};
use invisible::Invisible;
use line_ends::LineEnds;
use placemat::normalize;
use usual::Usual;
use words::Words;

/// The state of all lints in one text.
#[derive(Debug)]
pub(super) struct Lints {
    wanted: Wanted,
    bidi: Bidi,
    line_ends: LineEnds,
    invisible: Invisible,
    words: Words,
    /// Follows the code of a source file, if lookalikes are findings only there.
    code: Option<Code>,
    /// Knows what is usual where it stands, for the group `security`.
    usual: Option<Usual>,
    mojibake: Option<mojibake::Mojibake>,
}

impl Lints {
    pub(super) fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            bidi: Bidi::default(),
            line_ends: LineEnds::default(),
            invisible: Invisible::default(),
            words: Words::new(wanted.confusables, wanted.mixed_script, wanted.is_prose),
            code: wanted.lookalikes.family().map(Code::new),
            usual: wanted.in_context.then(|| Usual::new(wanted.is_prose, wanted.role)),
            mojibake: wanted.mojibake.then(mojibake::Mojibake::new),
        }
    }

    pub(super) fn any(&self) -> bool {
        self.wanted.any()
    }

    /// How much of a piece can be examined before the following text is known. The cut never splits a CR LF, a
    /// composing sequence, a word, or the neighborhood of an invisible code point.
    pub(super) fn settled(&self, text: &[u8], longest: usize) -> usize {
        let least = text.len().saturating_sub(longest);
        let mut settled = text.len();
        loop {
            let next = self.settled_once(&text[..settled], longest);
            // A run of this length is not text; it is cut.
            if next == settled || next < least {
                return settled;
            }
            settled = next;
        }
    }

    fn settled_once(&self, text: &[u8], longest: usize) -> usize {
        let mut settled = text.len();
        if self.wanted.mojibake {
            // A line of this length is examined in parts.
            match mojibake::settled(text) {
                0 => {}
                whole => settled = whole,
            }
            if settled < text.len() {
                return settled;
            }
        }
        let from = placemat::utf8::floor_boundary(text, text.len().saturating_sub(longest));
        let tail = core::str::from_utf8(&text[from..]).unwrap_or_default();
        if self.wanted.not_nfc {
            // A run of marks of this length is not text; it is cut at the end of the piece.
            match normalize::settled(tail) {
                0 if from > 0 => {}
                begun => settled = from + begun,
            }
        }
        if self.wanted.invisible {
            settled = settled.min(from + invisible::settled(tail));
        }
        if self.wanted.words() {
            settled = settled.min(from + self.words.settled(tail, from == 0));
        }
        if self.wanted.controls {
            settled -= run_of_1a(&text[..settled]);
        }
        if self.code.is_some() {
            settled -= code::open_marker(&text[..settled]);
        }
        settled - usize::from(text[..settled].ends_with(b"\r"))
    }

    /// Finds the hits of a piece, in order.
    pub(super) fn find(&mut self, text: &str, hits: &mut Vec<Hit>) {
        hits.clear();
        let wanted = self.wanted;
        if wanted.code_points() {
            search::code_points(text, wanted, hits);
        }
        if wanted.bidi {
            self.bidi.follow(text, hits);
        }
        if wanted.invisible {
            self.invisible.find(text, hits);
        }
        if wanted.words() {
            self.words.find(text, hits);
        }
        if let Some(mojibake) = &mut self.mojibake {
            mojibake.find(text, hits);
        }
        if wanted.not_nfc {
            normal::not_nfc(text, hits);
        }
        if wanted.crlf {
            self.line_ends.crlf(text.as_bytes(), hits);
        }
        if wanted.mixed_eol {
            self.line_ends.mixed(text.as_bytes(), hits);
        }
        if wanted.cr_eol {
            self.line_ends.cr_alone(text.as_bytes(), hits);
        }
        hits.sort_by_key(|hit| hit.at.start);
        let usual = &mut self.usual;
        let mut keeps =
            |hit: &Hit, in_code| !usual.as_mut().is_some_and(|usual| usual.has(text, hit, in_code));
        match &mut self.code {
            Some(code) => code.keep(text, hits, keeps),
            // A file without an extension may be a program.
            None => hits.retain(|hit| keeps(hit, !self.wanted.is_prose)),
        }
        if let Some(usual) = &mut self.usual {
            usual.end_piece(text);
        }
    }

    /// Returns the start of the run of U+001A with which a piece ends, if they are findings. At the end of the text, the run is
    /// one finding.
    pub(super) fn padding(&self, text: &str) -> Option<usize> {
        let run = if self.wanted.controls { run_of_1a(text.as_bytes()) } else { 0 };
        (run > 0).then_some(text.len() - run)
    }

    /// Returns `true` if a signature before `#!` is a finding.
    pub(super) const fn wants_shebang(&self) -> bool {
        self.wanted.invisible
    }

    /// Returns the number of lines, if they all end in CR alone and that is a finding.
    pub(super) const fn lines_of_cr(&self) -> Option<u64> {
        self.line_ends.lines_of_cr()
    }

    /// An ill-formed sequence stands here: the next text has no neighbor before it.
    pub(super) fn interrupted(&mut self) {
        self.invisible.interrupted();
        self.words.interrupted();
        if let Some(usual) = &mut self.usual {
            usual.interrupted();
        }
    }

    /// Returns the finding that the end of the text reveals.
    pub(super) fn end(&mut self) -> Option<Kind> {
        self.bidi.end_line().map(Kind::BidiUnterminated)
    }
}

/// Returns `true` if a file is a source of a program by its name, or has no name that tells.
pub(super) fn is_source(path: &std::path::Path) -> bool {
    Family::of(path).is_some() || path.extension().is_none() && !wanted::is_note(path)
}

/// Returns the number of bytes 1A at the end of a text.
fn run_of_1a(text: &[u8]) -> usize {
    text.iter().rev().take_while(|byte| **byte == 0x1A).count()
}
