//! What can be wrong with well-formed text: found only where it is asked for.
//!
//! | lint | finds |
//! | --- | --- |
//! | `noncharacters` | U+FDD0..U+FDEF and the last two code points of each plane |
//! | `controls` | U+0000..U+001F without TAB, LF, FF and CR; U+007F..U+009F |
//! | `bidi` | embeddings, overrides, isolates and their ends (CVE-2021-42574), and where one is still open at the end of a line |
//! | `private-use` | U+E000..U+F8FF, U+F0000..U+FFFFD, U+100000..U+10FFFD |
//! | `invisible` | code points that show nothing, where no script and no emoji needs them; a run of them is one finding |
//! | `replacement` | U+FFFD: something was lost before |
//! | `separators` | U+2028 and U+2029 |
//! | `confusables` | words that look like ASCII and are not (UTS #39, section 4) |
//! | `mixed-script` | words of scripts that are not written together (UTS #39, section 5) |
//! | `not-nfc` | stretches of text that NFC has otherwise |
//! | `crlf` | CR LF, where lines begin to end so |
//! | `mixed-eol` | the first line end of each kind that is not the first of all |
//!
//! The marks U+200E, U+200F and U+061C are not reported: right-to-left text needs them, and they do not reach beyond their
//! neighbours. FF separates pages in sources of old.
//!
//! Candidates are searched for in blocks of bytes; text is decoded only around them.

mod bidi;
mod explain;
mod invisible;
mod line_ends;
mod lookalike;
mod normal;
mod search;
mod words;

pub(super) use explain::{Context, explain};

use bidi::Bidi;
use clap::ValueEnum;
use core::ops::Range;
use invisible::Invisible;
use line_ends::LineEnds;
use placemat::{Encoding, normalize};
use words::Words;

/// `--lint`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LintArg {
    /// All of those below
    All,
    /// What can make text read otherwise than it looks: bidi, controls, invisible, confusables, mixed-script
    Security,
    /// Code points that no text has, such as U+FFFE
    Noncharacters,
    /// Controls other than TAB, LF, FF and CR
    Controls,
    /// Controls that change the order in which text is shown (CVE-2021-42574)
    Bidi,
    /// Code points without a meaning that all agree on
    PrivateUse,
    /// Code points that show nothing, such as U+200B, tags and stray variation selectors
    Invisible,
    /// U+FFFD: text was lost before
    Replacement,
    /// U+2028 and U+2029, which end lines for some programs only
    Separators,
    /// Words that look like ASCII and are not
    Confusables,
    /// Words of several scripts, such as Latin and Cyrillic
    MixedScript,
    /// What normalization form C has otherwise
    NotNfc,
    /// Lines that end in CR LF: the first of each run of them
    Crlf,
    /// Line ends of another kind than the first: the first of each kind
    MixedEol,
}

/// `--bom`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BomArg {
    /// A signature is a finding
    Forbid,
    /// That there is none is a finding, in encodings that have one; an empty file needs none
    Require,
}

/// Which lints are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(super) noncharacters: bool,
    pub(super) controls: bool,
    pub(super) bidi: bool,
    pub(super) private_use: bool,
    pub(super) invisible: bool,
    pub(super) replacement: bool,
    pub(super) separators: bool,
    pub(super) confusables: bool,
    pub(super) mixed_script: bool,
    pub(super) not_nfc: bool,
    pub(super) crlf: bool,
    pub(super) mixed_eol: bool,
}

impl Wanted {
    pub(super) fn new(lints: &[LintArg]) -> Self {
        let security = |lint| {
            use LintArg::{Bidi, Confusables, Controls, Invisible, MixedScript};
            matches!(lint, Bidi | Controls | Invisible | Confusables | MixedScript)
        };
        let has = |lint| {
            lints.contains(&lint)
                || lints.contains(&LintArg::All)
                || lints.contains(&LintArg::Security) && security(lint)
        };
        Self {
            noncharacters: has(LintArg::Noncharacters),
            controls: has(LintArg::Controls),
            bidi: has(LintArg::Bidi),
            private_use: has(LintArg::PrivateUse),
            invisible: has(LintArg::Invisible),
            replacement: has(LintArg::Replacement),
            separators: has(LintArg::Separators),
            confusables: has(LintArg::Confusables),
            mixed_script: has(LintArg::MixedScript),
            not_nfc: has(LintArg::NotNfc),
            crlf: has(LintArg::Crlf),
            mixed_eol: has(LintArg::MixedEol),
        }
    }

    pub(super) fn any(&self) -> bool {
        *self != Self::default()
    }

    /// Those that find code points, whatever else the text is: they cannot be hidden by calling it something else.
    pub(super) fn of_code_points(self) -> Self {
        Self { not_nfc: false, crlf: false, mixed_eol: false, ..self }
    }

    /// Whether any is about single code points.
    fn code_points(&self) -> bool {
        self.noncharacters
            || self.controls
            || self.bidi
            || self.private_use
            || self.replacement
            || self.separators
    }

    /// Whether any is about words.
    fn words(&self) -> bool {
        self.confusables || self.mixed_script
    }
}

/// What was found in well-formed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Noncharacter,
    Control,
    BidiControl,
    /// This one is open where the line ends.
    BidiUnterminated(char),
    PrivateUse,
    Invisible,
    Replacement,
    Separator,
    Confusable,
    MixedScript,
    NotNfc,
    Crlf,
    /// The line ends before it are of this kind.
    MixedEol(Eol),
    BomForbidden,
    BomMissing,
    /// All of the text is in UTF-16 or UTF-32, by its signature or its NULs.
    OtherEncoding {
        found: Encoding,
        signed: bool,
    },
}

impl Kind {
    /// As reports name it.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::Noncharacter => "noncharacter",
            Self::Control => "control",
            Self::BidiControl => "bidi-control",
            Self::BidiUnterminated(_) => "bidi-unterminated",
            Self::PrivateUse => "private-use",
            Self::Invisible => "invisible",
            Self::Replacement => "replacement",
            Self::Separator => "separator",
            Self::Confusable => "confusable",
            Self::MixedScript => "mixed-script",
            Self::NotNfc => "not-nfc",
            Self::Crlf => "crlf",
            Self::MixedEol(_) => "mixed-eol",
            Self::BomForbidden => "bom-forbidden",
            Self::BomMissing => "bom-missing",
            Self::OtherEncoding { .. } => "other-encoding",
        }
    }
}

/// A line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Eol {
    Lf,
    CrLf,
    Cr,
}

impl Eol {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Lf => "LF",
            Self::CrLf => "CR LF",
            Self::Cr => "CR",
        }
    }
}

/// Something that was found, and where in the text of the piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) kind: Kind,
    pub(super) at: Range<usize>,
}

/// The lints on their way through one text.
#[derive(Debug)]
pub(super) struct Lints {
    wanted: Wanted,
    bidi: Bidi,
    line_ends: LineEnds,
    invisible: Invisible,
    words: Words,
}

impl Lints {
    pub(super) fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            bidi: Bidi::default(),
            line_ends: LineEnds::default(),
            invisible: Invisible::default(),
            words: Words::new(wanted.confusables, wanted.mixed_script),
        }
    }

    pub(super) fn any(&self) -> bool {
        self.wanted.any()
    }

    /// How much of a piece can be looked at before what follows is known: CR LF, what composes, words and what stands
    /// beside an invisible code point are not torn apart.
    pub(super) fn settled(&self, text: &[u8], longest: usize) -> usize {
        let least = text.len().saturating_sub(longest);
        let mut settled = text.len();
        loop {
            let next = self.settled_once(&text[..settled], longest);
            // What goes on for so long is no text. It is cut.
            if next == settled || next < least {
                return settled;
            }
            settled = next;
        }
    }

    fn settled_once(&self, text: &[u8], longest: usize) -> usize {
        let mut settled = text.len();
        let from = placemat::utf8::floor_boundary(text, text.len().saturating_sub(longest));
        let tail = core::str::from_utf8(&text[from..]).unwrap_or_default();
        if self.wanted.not_nfc {
            // So many marks on one letter are no text. They are cut where the piece ends.
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
        settled - usize::from(text[..settled].ends_with(b"\r"))
    }

    /// What is in a piece, in order.
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
        if wanted.not_nfc {
            normal::not_nfc(text, hits);
        }
        if wanted.crlf {
            self.line_ends.crlf(text.as_bytes(), hits);
        }
        if wanted.mixed_eol {
            self.line_ends.mixed(text.as_bytes(), hits);
        }
        hits.sort_by_key(|hit| hit.at.start);
    }

    /// Something ill-formed stands here: what follows is beside nothing.
    pub(super) fn interrupted(&mut self) {
        self.invisible.interrupted();
        self.words.interrupted();
    }

    /// What the end of the text shows.
    pub(super) fn end(&mut self) -> Option<Kind> {
        self.bidi.end_line().map(Kind::BidiUnterminated)
    }
}

/// U+FDD0..U+FDEF and the last two code points of each plane.
pub(super) const fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{FDD0}'..='\u{FDEF}') || c as u32 & 0xFFFE == 0xFFFE
}

/// Controls but for those that texts are made of.
pub(super) const fn is_control(c: char) -> bool {
    matches!(c, '\0'..='\x1F' | '\x7F'..='\u{9F}') && !matches!(c, '\t' | '\n' | '\x0C' | '\r')
}

/// Embeddings, overrides, isolates, and what ends them.
pub(super) const fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Not the noncharacters at the ends of the planes.
pub(super) const fn is_private_use(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}')
}

/// What ends a line, or a paragraph, for some programs only.
pub(super) const fn is_separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}
