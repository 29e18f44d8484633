//! The options of `placemat convert`.

use super::kind::Kind;
use crate::config::Config;
use crate::names::NamesArgs;
use crate::options::{FormParser, NamedForm, SpanArg, Threads, Verbose};
use crate::refused::Refused;
use crate::replace::Mtime;
use crate::walk::WalkArgs;
use clap::ValueEnum;
use placemat::normalize::Normalization;
use placemat::transliteration::Transliteration;
use placemat::{Encoding, Replacement};
use std::path::PathBuf;

/// Change the encoding of text
///
/// Reads text in one encoding and writes it in another, in constant memory. What is ill-formed in the input, or cannot be
/// written in the target, stops the conversion with an exact message, unless a policy says otherwise.
#[derive(clap::Args, Clone, Debug)]
#[command(group = clap::ArgGroup::new("one_by_one").args(["in_place", "output_dir"]))]
#[command(after_long_help = "\
Examples:
  placemat convert -f utf-16 report.txt > report.utf8     byte order from the signature
  placemat convert -f latin1 -o new.txt old.txt           ISO-8859-1 to UTF-8, into a file
  placemat convert -t ascii -e xmlcharrefreplace a.html   what ASCII cannot hold as &#8364;
  placemat convert -e replace --report damaged.txt        U+FFFD for damage, and how much there was
  placemat convert --eol lf --bom strip from-windows.txt  line ends and signature as on Unix
  placemat convert --unwrap quoted-printable -f latin1 a  the body of a message
  placemat convert -f latin1 -i notes.txt                 the file itself
  placemat convert -f latin1 -r --output-dir out src      all files of a tree, into another tree
  placemat convert -f cp1252 -ri --dry-run -g '*.c' src   which files of a tree would change
  placemat convert --wrap escapes a.txt                   \\u20ac for what is not ASCII")]
pub(crate) struct Args {
    /// What to convert, joined in this order; none or `-` is standard input
    #[arg(value_name = "FILE", value_parser = crate::options::any_path())]
    pub(super) files: Vec<PathBuf>,

    /// The encoding of the input [default: what .gitattributes or .editorconfig say, else utf-8]
    ///
    /// Files around the input can declare it: working-tree-encoding in .git/info/attributes or .gitattributes, then charset
    /// in .editorconfig. They say nothing of standard input, nor of text that --unwrap takes something off.
    /// `placemat encodings` lists all encodings.
    #[arg(
        short = 'f',
        long = "from",
        value_name = "ENCODING",
        value_parser = FormParser,
        hide_possible_values = true,
        help_heading = "Encodings"
    )]
    pub(super) given: Option<NamedForm>,
    /// What the input is read as.
    #[arg(skip = UTF8)]
    pub(super) from: NamedForm,
    /// Leave .gitattributes and .editorconfig unread
    #[arg(long, help_heading = "Encodings")]
    pub(super) no_config: bool,
    /// The encoding of the output
    #[arg(
        short,
        long,
        value_name = "ENCODING",
        default_value = "utf-8",
        value_parser = FormParser,
        hide_possible_values = true,
        help_heading = "Encodings"
    )]
    pub(super) to: NamedForm,

    /// What to do with ill-formed input
    ///
    /// A word that also has a meaning for text that the target cannot hold sets both, as in Python;
    /// xmlcharrefreplace, namereplace and translit set only that.
    #[arg(
        short,
        long,
        value_name = "POLICY",
        value_enum,
        default_value_t,
        help_heading = "Ill-formed input"
    )]
    pub(super) errors: Errors,
    /// The text that `replace` puts, at most 1024 bytes [default: U+FFFD; where the target holds none, ?]
    #[arg(long, value_name = "TEXT", value_parser = parse_replacement, help_heading = "Ill-formed input")]
    pub(super) replacement: Option<String>,
    /// How many bytes are one error
    #[arg(long, value_enum, value_name = "SPAN", default_value_t, help_heading = "Ill-formed input")]
    pub(super) span: SpanArg,

    /// What to do with a code point that the target cannot hold [default: as --errors says, else strict]
    #[arg(long, value_name = "POLICY", value_enum, help_heading = "Text that the target cannot hold")]
    pub(super) unmappable: Option<UnmappableArg>,
    /// The language by which translit writes: with `de_DE`, ue for ü; with `da_DK`, aa for å [default: none]
    #[arg(
        long,
        value_name = "LOCALE",
        value_parser = parse_locale,
        help_heading = "Text that the target cannot hold"
    )]
    pub(super) translit_locale: Option<String>,

    /// What to do with a signature, U+FEFF at the start
    #[arg(long, value_enum, default_value_t, value_name = "WHAT", help_heading = "Form of the text")]
    pub(super) bom: Bom,
    /// How lines end; a CR without LF is no line end and stays
    #[arg(long, value_enum, default_value_t, value_name = "ENDS", help_heading = "Form of the text")]
    pub(super) eol: Eol,
    /// The normal form of the text; of utf-8-mac as output mac, as input nfc
    #[arg(long, value_enum, value_name = "FORM", help_heading = "Form of the text")]
    pub(super) normalize: Option<NormalizeArg>,

    /// Take this off the input before its encoding is read
    ///
    /// What is malformed in it stops the conversion. Messages about the text count bytes of what was in it.
    #[arg(long, value_enum, value_name = "KIND", help_heading = "Around the text")]
    pub(super) unwrap: Option<Kind>,
    /// What is malformed in what is taken off stays as it is
    #[arg(long, requires = "unwrap", help_heading = "Around the text")]
    pub(super) unwrap_lenient: bool,
    /// Put this around the output after it is written; all inputs together are one
    ///
    /// Lines that it breaks have 76 characters and end in LF, with --eol crlf in CR LF.
    #[arg(long, value_enum, value_name = "KIND", help_heading = "Around the text")]
    pub(super) wrap: Option<Kind>,

    /// Write to this file, all at once or not at all; it must not be one of the inputs
    ///
    /// Until all is written, and if anything goes wrong, the file holds its old text. Mode, owner, access list and extended
    /// attributes of a file that is there are kept, and a symbolic link is followed. Devices and pipes get the text as it
    /// comes.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(super) output: Option<PathBuf>,
    /// Change each FILE itself, all at once or not at all; with =SUFFIX the old one is kept as FILE and SUFFIX
    ///
    /// Whatever goes wrong with a file, it is left as it was. Owner, group, mode, access list, extended attributes and times
    /// are kept, or it is said which are not. A symbolic link that is named is followed. A file whose text does not change
    /// is not written, and a backup never overwrites a file. -i.bak is -i=.bak.
    #[arg(
        short,
        long,
        value_name = "SUFFIX",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = parse_suffix,
        conflicts_with = "output",
        help_heading = "Output"
    )]
    pub(super) in_place: Option<String>,
    /// With --in-place, when the files were changed last
    ///
    /// With `keep`, `make` and the like do not see that a file has changed; `rsync` does by its size, in most cases.
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        requires = "in_place",
        help_heading = "Output"
    )]
    pub(super) mtime: Mtime,
    /// Write each FILE to a file of its own in DIR, under its path
    ///
    /// DIR and what is needed in it are made. Of a FILE whose path is absolute or has `..` in it, only the name counts: no
    /// output is outside of DIR. If two inputs would become one output, or an input would be overwritten, nothing is written
    /// at all. Files that are there are replaced, each all at once or not at all. Files that --recursive skips are not copied.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["output", "in_place"],
        help_heading = "Output"
    )]
    pub(super) output_dir: Option<PathBuf>,
    /// With --in-place or --output-dir, directories too: all files in them
    ///
    /// In a directory, files whose names end in SUFFIX are skipped. Of encodings with a signature and of UTF-16 and UTF-32,
    /// only files are taken that begin with the signature or have their NULs where the encoding has them.
    #[arg(short, long, requires = "one_by_one", help_heading = "Output")]
    pub(super) recursive: bool,
    /// With --in-place, or from a directory, also convert a file that seems to be in another encoding than --from says
    ///
    /// Without it, such a file is left as it is, as converting it would destroy its text: one that is UTF-8 already and
    /// would be converted twice, one that begins with the signature of another encoding or has its NULs where UTF-16 has
    /// them, and one in ASCII where --from is UTF-16, UTF-32 or EBCDIC. Named on the command line, it is refused with
    /// status 1; found in a directory, it is skipped with a line.
    #[arg(long, requires = "one_by_one", help_heading = "Output")]
    pub(super) force: bool,
    /// Write nothing, and say what would be written, or with --in-place which files would change
    #[arg(long, help_heading = "Output")]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) names: NamesArgs,
    #[command(flatten)]
    pub(super) walk: WalkArgs,
    #[command(flatten)]
    pub(super) threads: Threads,
    /// Say at the end how much was decoded, replaced, ignored and unmappable, and where first
    #[arg(long, help_heading = "Messages")]
    pub(super) report: bool,
    /// Exit with status 1 if anything was replaced, ignored or unmappable
    #[arg(long, help_heading = "Messages")]
    pub(super) fail_on_loss: bool,
    #[command(flatten)]
    pub(super) verbose: Verbose,
}

fn parse_replacement(text: &str) -> Result<String, Refused> {
    match Replacement::new(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err(Refused::new(format!(
            "the replacement is {} bytes long, and at most {} are allowed",
            text.len(),
            Replacement::MAX_BYTES
        ))),
    }
}

/// The name of a locale, with or without its charset.
fn parse_locale(name: &str) -> Result<String, Refused> {
    match Transliteration::new(Encoding::US_ASCII).locale(name) {
        Ok(_) => Ok(name.to_owned()),
        Err(e) => Err(Refused::new(e.to_string())),
    }
}

/// The end of a name: it must not lead elsewhere.
fn parse_suffix(suffix: &str) -> Result<String, Refused> {
    if suffix.contains(std::path::is_separator) {
        let shown = crate::shown::escaped(suffix.as_ref());
        return Err(Refused::new(format!(
            "--in-place={shown}: the suffix must not hold a separator of directories"
        )));
    }
    Ok(suffix.to_owned())
}

/// `--errors`.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[value(rename_all = "lower")]
pub(crate) enum Errors {
    /// Stop and say where and why
    #[default]
    Strict,
    /// U+FFFD, or the text of --replacement
    Replace,
    /// ?
    Question,
    /// Nothing; dangerous, as it joins what stood apart
    Ignore,
    /// Its bytes read as ISO-8859-1
    Latin1,
    /// Its bytes read as windows-1252
    Cp1252,
    /// \xHH for each byte; \u20ac for what the target cannot hold
    BackslashReplace,
    /// U+DC80..U+DCFF for each byte, written back as the byte where ASCII is ASCII; other targets must hold surrogates
    SurrogateEscape,
    /// Surrogates pass, all else stops
    SurrogatePass,
    /// U+EF80..U+EFFF for each byte; --unmappable optu writes them back
    Optu,
    /// As strict; &#8364; for what the target cannot hold
    XmlCharRefReplace,
    /// As strict; \N{EURO SIGN} for what the target cannot hold
    NameReplace,
    /// As strict; something similar for what the target cannot hold
    Translit,
}

/// `--unmappable`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
#[value(rename_all = "lower")]
pub(crate) enum UnmappableArg {
    /// Stop and say where
    Strict,
    /// The target's own substitute: U+FFFD if it holds that, else ?
    Replace,
    /// Nothing
    Ignore,
    /// &#8364;
    XmlCharRefReplace,
    /// \xe9, \u20ac, \U0001f600
    BackslashReplace,
    /// \N{EURO SIGN}
    NameReplace,
    /// Something similar that the target holds: e for é, EUR for €, != for ≠; else as replace. See --translit-locale
    Translit,
    /// The bytes that --errors optu put U+EF80..U+EFFF for; stops at all else
    Optu,
}

/// `--bom`.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Bom {
    /// Written by utf-16, utf-32 and utf-8-bom, removed from them; else that of the first input is kept if the output can hold it
    #[default]
    Auto,
    /// Kept in each input, also where the encoding removes it
    Keep,
    /// Removed from each input
    Strip,
    /// Written, once
    Add,
}

/// `--normalize`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NormalizeArg {
    /// Canonical composition
    Nfc,
    /// Canonical decomposition
    Nfd,
    /// Compatibility composition; loses distinctions
    Nfkc,
    /// Compatibility decomposition; loses distinctions
    Nfkd,
    /// As Apple's file systems write names
    Mac,
    /// As RFC 5198 has it for the network: NFC, lines that end in CR LF, no signature
    Net,
}

impl From<NormalizeArg> for Normalization {
    fn from(arg: NormalizeArg) -> Self {
        match arg {
            NormalizeArg::Nfc => Self::Nfc,
            NormalizeArg::Nfd => Self::Nfd,
            NormalizeArg::Nfkc => Self::Nfkc,
            NormalizeArg::Nfkd => Self::Nfkd,
            NormalizeArg::Mac => Self::Mac,
            NormalizeArg::Net => Self::Net,
        }
    }
}

/// What an input is that nothing is said of.
const UTF8: NamedForm = NamedForm { encoding: Encoding::UTF_8, is_mac: false };

impl Args {
    /// Whether each input has an output of its own.
    pub(super) const fn one_by_one(&self) -> bool {
        self.in_place.is_some() || self.output_dir.is_some()
    }

    /// The same for input in this encoding.
    pub(super) fn reading(&self, from: NamedForm) -> Self {
        Self { from, ..self.clone() }
    }

    /// The same for input of which files around it say that it is in this encoding.
    pub(super) fn reading_declared(&self, encoding: Encoding) -> Self {
        self.reading(NamedForm { encoding, is_mac: false })
    }

    /// What says which encodings files have, if that is heeded. Of text that something is to be taken off first, it says
    /// nothing.
    pub(super) fn config(&self) -> Option<Config> {
        (self.given.is_none() && !self.no_config && self.unwrap.is_none()).then(Config::new)
    }

    /// The normal form that is asked for, by itself or by the name of an encoding.
    pub(super) fn normalization(&self) -> Option<Normalization> {
        match self.normalize {
            Some(form) => Some(form.into()),
            None if self.to.is_mac => Some(Normalization::Mac),
            None if self.from.is_mac => Some(Normalization::Nfc),
            None => None,
        }
    }
}

/// `--eol`.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Eol {
    /// As they are
    #[default]
    Keep,
    /// LF; CR LF becomes LF
    Lf,
    /// CR LF; an LF with no CR before it gets one
    Crlf,
}
