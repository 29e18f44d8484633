//! The lints that are wanted.

use super::code::{Family, Lookalikes};
use super::role::Role;
use clap::ValueEnum;
use std::path::Path;

/// `--lint`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LintArg {
    /// All lints listed here
    All,
    /// Text that reads otherwise than it looks: bidi, controls, invisible, confusables, mixed-script; in the
    /// code of source files, by their extensions, also lookalikes
    Security,
    /// Noncharacters, such as U+FFFE
    Noncharacters,
    /// Control codes other than TAB, LF, FF and CR
    Controls,
    /// Controls that change the display order of text (CVE-2021-42574)
    Bidi,
    /// Private-use code points, which have no standard meaning
    PrivateUse,
    /// Code points that show nothing, such as U+200B, tags and stray variation selectors; a signature before #!
    Invisible,
    /// U+FFFD: an earlier conversion lost text
    Replacement,
    /// UTF-8 that was read as another encoding, such as Ã© for é; `placemat repair` restores it
    Mojibake,
    /// U+2028 and U+2029, which end a line only in some programs
    Separators,
    /// Words that look like ASCII words but are not
    Confusables,
    /// Words of several scripts, such as Latin and Cyrillic
    MixedScript,
    /// Spaces and punctuation that look like ASCII, such as U+00A0 and “ ”; `convert --clean` replaces them
    Lookalikes,
    /// Text that is not in normalization form C
    NotNfc,
    /// Lines that end in CR LF: the first of each run
    Crlf,
    /// Line ends that differ from the first one: the first of each kind
    MixedEol,
    /// Text whose lines all end in CR alone
    CrEol,
    /// Declarations of the encoding that the bytes contradict, in the text or in .gitattributes and .editorconfig
    Declaration,
}

/// `--bom`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BomArg {
    /// Report a signature
    Forbid,
    /// Report a missing signature, in encodings that have one; an empty file needs none
    Require,
}

/// The lints that are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(in crate::cmd::check) noncharacters: bool,
    pub(in crate::cmd::check) controls: bool,
    pub(in crate::cmd::check) bidi: bool,
    pub(in crate::cmd::check) private_use: bool,
    pub(in crate::cmd::check) invisible: bool,
    pub(in crate::cmd::check) replacement: bool,
    pub(in crate::cmd::check) mojibake: bool,
    pub(in crate::cmd::check) separators: bool,
    pub(in crate::cmd::check) confusables: bool,
    pub(in crate::cmd::check) mixed_script: bool,
    pub(in crate::cmd::check) lookalikes: Lookalikes,
    pub(in crate::cmd::check) not_nfc: bool,
    pub(in crate::cmd::check) crlf: bool,
    pub(in crate::cmd::check) mixed_eol: bool,
    pub(in crate::cmd::check) cr_eol: bool,
    pub(in crate::cmd::check) declaration: bool,
    /// The file is no source, by its name, which matters to words.
    pub(in crate::cmd::check) is_prose: bool,
    /// Whether findings that are usual where they stand are left out, as in the group `security`.
    pub(in crate::cmd::check) in_context: bool,
    /// The role of the file in its tree.
    pub(super) role: Role,
}

impl Wanted {
    pub(in crate::cmd::check) fn new(lints: &[LintArg]) -> Self {
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
            mojibake: has(LintArg::Mojibake),
            separators: has(LintArg::Separators),
            confusables: has(LintArg::Confusables),
            mixed_script: has(LintArg::MixedScript),
            lookalikes: if lints.contains(&LintArg::Lookalikes) || lints.contains(&LintArg::All) {
                Lookalikes::Everywhere
            } else if lints.contains(&LintArg::Security) {
                Lookalikes::InCode(None)
            } else {
                Lookalikes::Nowhere
            },
            not_nfc: has(LintArg::NotNfc),
            crlf: has(LintArg::Crlf),
            mixed_eol: has(LintArg::MixedEol),
            cr_eol: has(LintArg::CrEol),
            declaration: has(LintArg::Declaration),
            is_prose: false,
            in_context: lints.contains(&LintArg::Security) && !lints.contains(&LintArg::All),
            role: Role::default(),
        }
    }

    /// Returns the lints for a file, by its path in the checked tree. Markup is no source whatever its name.
    pub(in crate::cmd::check) fn of(self, path: &Path, is_markup: bool) -> Self {
        let family = Family::of(path).filter(|_| !is_markup);
        let is_prose = self.words() && family.is_none() && (path.extension().is_some() || is_note(path));
        let role = if self.in_context { Role::of(path) } else { Role::default() };
        match self.lookalikes {
            Lookalikes::InCode(_) => Self { lookalikes: Lookalikes::InCode(family), is_prose, role, ..self },
            _ => Self { is_prose, role, ..self },
        }
    }

    pub(in crate::cmd::check) fn any(&self) -> bool {
        *self != Self::default()
    }

    /// The lints that find code points. They also run on the text as UTF-8, so that a wrong declaration cannot hide
    /// anything.
    pub(in crate::cmd::check) fn of_code_points(self) -> Self {
        Self {
            mojibake: false,
            not_nfc: false,
            crlf: false,
            mixed_eol: false,
            cr_eol: false,
            declaration: false,
            ..self
        }
    }

    /// Returns `true` if any is about single code points.
    pub(super) fn code_points(&self) -> bool {
        self.noncharacters
            || self.controls
            || self.bidi
            || self.private_use
            || self.replacement
            || self.separators
            || self.lookalikes.is_wanted()
    }

    /// Returns `true` if any is about words.
    pub(super) fn words(&self) -> bool {
        self.confusables || self.mixed_script
    }
}

/// Names of files that are text for people, and have no extension.
const NOTES: [&str; 13] = [
    "AUTHORS",
    "CHANGELOG",
    "CHANGES",
    "COPYING",
    "COPYRIGHT",
    "ChangeLog",
    "HISTORY",
    "INSTALL",
    "LICENSE",
    "NEWS",
    "README",
    "THANKS",
    "TODO",
];

/// Returns `true` if a file without an extension is text for people by its name.
pub(super) fn is_note(path: &Path) -> bool {
    path.file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| NOTES.iter().any(|known| known.eq_ignore_ascii_case(name)))
}
