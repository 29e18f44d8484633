//! Which lints are wanted.

use clap::ValueEnum;

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
    pub(in crate::cmd::check) noncharacters: bool,
    pub(in crate::cmd::check) controls: bool,
    pub(in crate::cmd::check) bidi: bool,
    pub(in crate::cmd::check) private_use: bool,
    pub(in crate::cmd::check) invisible: bool,
    pub(in crate::cmd::check) replacement: bool,
    pub(in crate::cmd::check) separators: bool,
    pub(in crate::cmd::check) confusables: bool,
    pub(in crate::cmd::check) mixed_script: bool,
    pub(in crate::cmd::check) not_nfc: bool,
    pub(in crate::cmd::check) crlf: bool,
    pub(in crate::cmd::check) mixed_eol: bool,
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
            separators: has(LintArg::Separators),
            confusables: has(LintArg::Confusables),
            mixed_script: has(LintArg::MixedScript),
            not_nfc: has(LintArg::NotNfc),
            crlf: has(LintArg::Crlf),
            mixed_eol: has(LintArg::MixedEol),
        }
    }

    pub(in crate::cmd::check) fn any(&self) -> bool {
        *self != Self::default()
    }

    /// Those that find code points, whatever else the text is: they cannot be hidden by calling it something else.
    pub(in crate::cmd::check) fn of_code_points(self) -> Self {
        Self { not_nfc: false, crlf: false, mixed_eol: false, ..self }
    }

    /// Whether any is about single code points.
    pub(super) fn code_points(&self) -> bool {
        self.noncharacters
            || self.controls
            || self.bidi
            || self.private_use
            || self.replacement
            || self.separators
    }

    /// Whether any is about words.
    pub(super) fn words(&self) -> bool {
        self.confusables || self.mixed_script
    }
}
