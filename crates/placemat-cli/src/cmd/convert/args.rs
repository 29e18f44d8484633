//! The options of `placemat convert`.

use super::clean::CleanArg;
use super::errors::{ErrorsArg, ErrorsParser};
use super::kind::Kind;
use crate::config::Config;
use crate::ebcdic::EbcdicNewline;
use crate::names::NamesArgs;
use crate::options::{Given, InPlace, MEANING, OrAuto, SpanArg, Threads, Verbose};
use crate::refused::Refused;
use crate::walk::WalkArgs;
use clap::ValueEnum;
use placemat::label::Meaning;
use placemat::normalize::Normalization;
use placemat::transliteration::Transliteration;
use placemat::{Encoding, Replacement};
use std::path::PathBuf;

/// Convert text from one encoding to another
///
/// The command reads text in one encoding and writes it in another, in constant memory. An ill-formed sequence in the input,
/// or a code point that the target encoding cannot represent, stops the conversion with an exact message, unless --errors or
/// --unmappable says otherwise.
#[derive(clap::Args, Clone, Debug)]
#[command(group = clap::ArgGroup::new("one_by_one").args(["in_place", "output_dir", "file_names"]).multiple(true))]
#[command(after_long_help = "\
Examples:
  placemat convert -f latin1 -o new.txt old.txt        from ISO-8859-1 to UTF-8
  placemat convert -f utf-16 a.txt > b.txt             from UTF-16 to UTF-8
  placemat convert -t ascii -e xmlcharrefreplace a     write &#8364; for €
  placemat convert -e replace --report damaged.txt     U+FFFD for errors, a count
  placemat convert -e replace,overlong=strict in.txt   but stop at an attack
  placemat convert --eol lf --bom strip windows.txt    Unix line ends, no BOM
  placemat convert -i --clean lookalikes ci.yml        spaces and quotes in ASCII
  placemat convert --unwrap base64 -f shift_jis mail   decode base64 first
  placemat convert -f latin1 -i notes.txt              change the file itself
  placemat convert -f latin1 -r --output-dir out src   convert a tree
  placemat convert -f cp1252 -ri --dry-run src         which files would change?
  placemat convert --names -f cp437 -r photos          which names would change?
  placemat convert --wrap escapes a.txt                write \\u20ac and the like")]
pub(crate) struct Args {
    /// Files, joined; standard input if there are none, or for `-`
    #[arg(value_name = "FILE", value_parser = crate::options::any_path())]
    pub(super) files: Vec<PathBuf>,

    /// The encoding of the input; `auto` detects it
    ///
    /// With `auto`, the command reads the input twice, and keeps standard input in a temporary file meanwhile. It refuses
    /// input whose encoding is not certain. The default is UTF-8, unless a file declares another encoding:
    /// .git/info/attributes or .gitattributes (working-tree-encoding), then .editorconfig (charset). Declarations do not
    /// apply to standard input, nor to input that --unwrap decodes. `placemat encodings` lists all encodings.
    #[arg(
        short = 'f',
        long = "from",
        value_name = "ENCODING",
        value_parser = OrAuto(MEANING),
        hide_possible_values = true
    )]
    pub(super) given: Option<Given<Meaning>>,
    /// The encoding in which the input is read.
    #[arg(skip = Meaning::from(Encoding::UTF_8))]
    pub(super) from: Meaning,
    /// The encoding of the output
    #[arg(
        short,
        long,
        value_name = "ENCODING",
        default_value = "utf-8",
        value_parser = MEANING,
        hide_possible_values = true
    )]
    pub(super) to: Meaning,
    /// For ill-formed input: `strict`, `replace`, …
    ///
    /// The default is strict. As in Python, a policy that --unmappable also has sets both. xmlcharrefreplace, namereplace and translit set only
    /// --unmappable.
    ///
    /// KIND=POLICY sets the policy for one kind of error: `-e replace,overlong=strict,end=ignore` has a policy for each of two
    /// kinds, and one for all others, which is strict if none is named. The kinds are those that `placemat check --format
    /// jsonl` names; also overlong (of any length), surrogate (all kinds of surrogates), lead (bytes that start no sequence),
    /// stray (unexpected-continuation) and end (incomplete: the end of the text truncates a sequence; truncated does not
    /// include that). One error is then a whole broken sequence, as in `placemat check`. pass is short for surrogatepass:
    /// what cannot pass goes to the policy for the other kinds. unclosed-shift is a text that ends in a shifted state: no
    /// policy writes anything for it.
    #[arg(short, long, value_name = "POLICY", value_parser = ErrorsParser, default_value = "strict", hide_default_value = true)]
    pub(super) errors: ErrorsArg,
    /// For characters that the output cannot represent
    ///
    /// The default is the policy of --errors, else strict.
    #[arg(long, value_name = "POLICY", value_enum)]
    pub(super) unmappable: Option<UnmappableArg>,
    /// `strip`, `add` or `keep` a signature (BOM)
    ///
    /// The signature is U+FEFF at the start. The default is auto.
    #[arg(long, value_enum, default_value_t, hide_default_value = true, value_name = "WHAT")]
    pub(super) bom: Bom,
    /// End lines with `lf`, `crlf` or `cr`
    ///
    /// The line ends of the input are LF, CR LF, CR and NEL (U+0085). U+2028 and U+2029 end lines for some programs only, and
    /// stay, unless --eol-separators is given. Three more values change one kind of line end and leave the others:
    /// crlf-to-lf, lf-to-crlf and cr-to-lf, as dos2unix, unix2dos and mac2unix do.
    #[arg(long, value_enum, default_value_t, value_name = "ENDS")]
    pub(super) eol: Eol,
    /// Normalize the text: `nfc`, `nfd`, …
    ///
    /// The default leaves the text unchanged, except for mac with -t utf-8-mac, and nfc with -f utf-8-mac.
    #[arg(long, value_enum, value_name = "FORM")]
    pub(super) normalize: Option<NormalizeArg>,
    /// Write to this file
    ///
    /// The file is replaced as a whole or not at all; it must not be one of the inputs. It keeps its old text until all of the
    /// output is written, and if anything goes wrong. An existing file keeps its mode, owner, access list and extended
    /// attributes. The command follows a symbolic link. Devices and pipes get the text as it is converted.
    #[arg(short, long, value_name = "FILE", conflicts_with = "in_place")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) in_place: InPlace,
    /// With -i, convert all files in directories
    ///
    /// Also with --output-dir.
    ///
    /// In a directory, the command skips files whose names end in SUFFIX. If --from is UTF-16, UTF-32 or an encoding with
    /// a signature, it takes only files that begin with the signature or have NULs in the places typical of the encoding.
    #[arg(short, long, requires = "one_by_one")]
    pub(super) recursive: bool,
    /// Write nothing; print what would be written
    ///
    /// With --in-place, the command lists the files that would change.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// With --in-place, write nothing; print what would change as a unified diff
    ///
    /// Controls, invisible characters and ill-formed bytes are escaped, as in messages, so that patch cannot always apply the
    /// diff. If an encoding does not contain ASCII as it is, such as UTF-16, the diff shows the changes to the text alone.
    /// Texts of more than 64 MiB are named without a diff.
    #[arg(long, requires = "in_place", conflicts_with = "file_names", help_heading = "Output")]
    pub(super) diff: bool,
    #[command(flatten)]
    pub(super) verbose: Verbose,

    /// Do not read .gitattributes and .editorconfig
    #[arg(long, help_heading = "Input")]
    pub(super) no_config: bool,
    #[command(flatten)]
    pub(super) newline: EbcdicNewline,
    /// The text that `replace` inserts, at most 1024 bytes [default: U+FFFD, or ? if the target cannot represent that]
    #[arg(long, value_name = "TEXT", value_parser = parse_replacement, help_heading = "Ill-formed input")]
    pub(super) replacement: Option<String>,
    /// How many bytes make one error [default: maximal, or structural if --errors names kinds]
    #[arg(long, value_enum, value_name = "SPAN", help_heading = "Ill-formed input")]
    pub(super) span: Option<SpanArg>,

    /// The locale whose spellings translit uses: `de_DE` writes ue for ü, `da_DK` writes aa for å [default: none]
    #[arg(long, value_name = "LOCALE", value_parser = parse_locale, help_heading = "Unmappable text")]
    pub(super) translit_locale: Option<String>,

    /// With --eol lf, crlf or cr, U+2028 and U+2029 are line ends too
    #[arg(long, help_heading = "Form of the text")]
    pub(super) eol_separators: bool,
    /// Drop the U+001A at the end of each input, with which CP/M and DOS fill the last record; others stay
    #[arg(long = "eof-1a", help_heading = "Form of the text")]
    pub(super) eof_1a: bool,

    /// Remove or replace `invisible`, `lookalikes`, `controls`, `bidi`
    ///
    /// Separate several kinds with commas. Each kind is what the lint of its name finds in `placemat check`, with the whole
    /// text taken for code: comments in the text change nothing. Escapes written in ASCII stay.
    #[arg(long, value_name = "KINDS", value_enum, value_delimiter = ',', help_heading = "Form of the text")]
    pub(super) clean: Vec<CleanArg>,

    /// `keep` a declaration of the encoding that becomes wrong, or `fix` it
    ///
    /// The default is fix: the declaration in XML, HTML, CSS, Python, Ruby, LaTeX, a mail, a catalog of gettext, for Emacs or
    /// Vim gets the name that the format has for the new encoding, and a message says so. The kind of the file must be
    /// certain, by its extension or by its start. XML without a declaration gets one if the new encoding needs it. In a stream,
    /// only declarations at the start change.
    #[arg(
        long,
        value_enum,
        default_value_t,
        hide_default_value = true,
        value_name = "WHAT",
        help_heading = "Form of the text"
    )]
    pub(super) declaration: DeclarationArg,

    /// Decode this transfer encoding of the input first, or the escapes of this language
    ///
    /// Malformed transfer-encoded input stops the conversion. Later messages about the text count bytes of the decoded
    /// input.
    ///
    /// The kinds up to escapes decode everything. The others are languages: their text stays a file of that language, and the
    /// command replaces only escapes of visible characters outside ASCII, where the language has escapes. Escapes without
    /// a meaning stay, and a message tells of them.
    #[arg(long, value_enum, value_name = "KIND", help_heading = "Transfer encodings")]
    pub(super) unwrap: Option<Kind>,
    /// Pass malformed transfer-encoded input through unchanged
    #[arg(long, requires = "unwrap", help_heading = "Transfer encodings")]
    pub(super) unwrap_lenient: bool,
    /// Apply this transfer encoding to the output last, or write escapes of this language for text outside ASCII
    ///
    /// All inputs together make one output. Lines break at 76 characters, with LF, or with CR LF if --eol crlf is given.
    ///
    /// In a language, ASCII stays as it is, and so does text in which the language has no escapes; a message tells of it.
    #[arg(long, value_enum, value_name = "KIND", help_heading = "Transfer encodings")]
    pub(super) wrap: Option<Kind>,
    /// For the languages of --unwrap and --wrap: all escapes, in the content of one literal
    ///
    /// The text is what stands between the quotes; a file of the language would not stay one.
    #[arg(long, help_heading = "Transfer encodings")]
    pub(super) all: bool,

    /// Write each FILE to a file of its own in DIR, under its path
    ///
    /// The command creates DIR and the directories it needs in it. If the path of FILE is absolute or contains `..`, only
    /// its last name counts, so that no output lies outside DIR. If two inputs would have one output, or an output would
    /// overwrite an input, the command writes nothing at all. It replaces each existing file as a whole or not at all. It does
    /// not copy files that --recursive skips.
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["output", "in_place"],
        help_heading = "Output"
    )]
    pub(super) output_dir: Option<PathBuf>,
    /// Also convert a file that seems not to be in the encoding of --from
    ///
    /// Without --force, the command does not convert such a file with --in-place, from a directory, or if only .gitattributes or
    /// .editorconfig names its encoding, because that would destroy its text: a file that is UTF-8
    /// already, a file that begins with the signature of another encoding or has NULs where UTF-16 has them, and an ASCII
    /// file if --from is UTF-16, UTF-32 or EBCDIC. If the command line names the file, the command refuses it with
    /// status 1; if it is in a directory, the command skips it with a message.
    #[arg(long, help_heading = "Output")]
    pub(super) force: bool,
    /// Convert the names of files and directories, and not the text in them
    ///
    /// Each FILE gets the name that its bytes are in --from, written in --to; with -r, so do all files and directories in a
    /// directory. Without -i, the command only lists the new names. It leaves a name that is UTF-8 already, unless --force is
    /// given, one whose new name another file has or would get, and one whose new name would contain a slash, a NUL or
    /// another control character. `-f auto` detects one encoding for all names together. --normalize nfc or nfd changes the form of names.
    #[arg(
        long = "names",
        conflicts_with_all = [
            "output", "output_dir", "mtime", "bom", "eol", "eol_separators", "eof_1a", "clean", "unwrap", "wrap", "report",
            "fail_on_loss", "follow", "text", "threads",
        ],
        help_heading = "Names of files"
    )]
    pub(super) file_names: bool,
    /// Record the renames in this new file, for --undo
    ///
    /// The format is JSON Lines.
    #[arg(long, value_name = "FILE", requires_all = ["file_names", "in_place"], conflicts_with = "dry_run", help_heading = "Names of files")]
    pub(super) log: Option<PathBuf>,
    /// Take back the renames of this log
    ///
    /// Without -i, the command only lists the old names. It gives no file a name that another file has by now.
    #[arg(long, value_name = "LOG", requires = "file_names", conflicts_with_all = ["log", "given", "files", "recursive", "normalize", "force"], help_heading = "Names of files")]
    pub(super) undo: Option<PathBuf>,
    #[command(flatten)]
    pub(super) names: NamesArgs,
    #[command(flatten)]
    pub(super) walk: WalkArgs,
    #[command(flatten)]
    pub(super) threads: Threads,
    /// At the end, print the counts of what was decoded, replaced, ignored and unmappable, with the first offset of each
    #[arg(long, help_heading = "Messages")]
    pub(super) report: bool,
    /// Exit with status 1 if anything was replaced, ignored or unmappable
    #[arg(long, help_heading = "Messages")]
    pub(super) fail_on_loss: bool,
}

fn parse_replacement(text: &str) -> Result<String, Refused> {
    match Replacement::new(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err(Refused::new(format!(
            "--replacement: the text is {} bytes long; at most {} are allowed",
            text.len(),
            Replacement::MAX_BYTES
        ))),
    }
}

/// Returns the name of a locale, with or without its charset.
fn parse_locale(name: &str) -> Result<String, Refused> {
    match Transliteration::new(Encoding::US_ASCII).locale(name) {
        Ok(_) => Ok(name.to_owned()),
        Err(e) => Err(Refused::new(e.to_string())),
    }
}

/// `--unmappable`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
#[value(rename_all = "lower")]
pub(crate) enum UnmappableArg {
    /// Stop with a message that says where
    Strict,
    /// Write the target's own substitute: U+FFFD if it can represent that, else ?
    Replace,
    /// Drop it
    Ignore,
    /// Write &#8364;
    XmlCharRefReplace,
    /// Write \xe9, \u20ac, \U0001f600
    BackslashReplace,
    /// Write \N{EURO SIGN}
    NameReplace,
    /// Write the same character as the target has it: ～ for 〜, μ for µ, ş for ș; stop at other characters
    Twins,
    /// Write the twin, or similar text: e for é, EUR for €, != for ≠; else like replace. See --translit-locale
    Translit,
    /// Write the bytes that --errors optu read as U+EF80..U+EFFF; stop at other code points
    Optu,
}

/// `--bom`.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Bom {
    /// Remove it from and write it in utf-16, utf-32, ucs-2, ucs-4 and utf-8-bom; remove it for utf-8n and utf-8-nobom; else
    /// keep that of the first input if the target can represent it
    #[default]
    Auto,
    /// Keep it in each input, even if the encoding removes it
    Keep,
    /// Remove it from each input
    Strip,
    /// Write it once
    Add,
}

/// `--declaration`.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DeclarationArg {
    /// Leave it as it is
    Keep,
    /// Write the name of the new encoding
    #[default]
    Fix,
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
    /// The form of names in Apple's file systems
    Mac,
    /// The form of RFC 5198 for network text: NFC, lines that end in CR LF, no signature
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

impl Args {
    /// Returns `true` if each input has an output of its own.
    pub(super) const fn one_by_one(&self) -> bool {
        self.in_place.is_given() || self.output_dir.is_some()
    }

    /// Returns these arguments for input in another encoding.
    pub(super) fn reading(&self, from: Meaning) -> Self {
        Self { from, ..self.clone() }
    }

    /// Returns these arguments for input that is declared or detected to be in `encoding`.
    pub(super) fn reading_declared(&self, encoding: Encoding) -> Self {
        self.reading(encoding.into())
    }

    /// Applies `--ebcdic-newline` to the named encodings.
    pub(super) fn choose_newline(&mut self) -> Result<(), &'static str> {
        self.newline
            .check([self.given.and_then(Given::named).map(|from| from.encoding), Some(self.to.encoding)])?;
        for meaning in [&mut self.from, &mut self.to] {
            meaning.encoding = self.newline.of(meaning.encoding);
        }
        Ok(())
    }

    /// Returns the configuration that declares the encodings of files, if it is used. It does not apply to text that `--unwrap`
    /// decodes.
    pub(super) fn config(&self) -> Option<Config> {
        (self.given.is_none() && !self.no_config && self.unwrap.is_none()).then(Config::new)
    }

    /// Returns the requested normal form, from `--normalize` or from the name of an encoding.
    pub(super) fn normalization(&self) -> Option<Normalization> {
        match self.normalize {
            Some(form) => Some(form.into()),
            None if self.to.apple => Some(Normalization::Mac),
            None if self.from.apple => Some(Normalization::Nfc),
            None => None,
        }
    }
}

/// `--eol`.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Eol {
    /// Leave line ends unchanged
    #[default]
    Keep,
    /// Write each line end as LF
    Lf,
    /// Write each line end as CR LF
    Crlf,
    /// Write each line end as CR
    Cr,
    /// Write CR LF as LF, as dos2unix does; other line ends stay
    CrlfToLf,
    /// Write an LF without a CR before it as CR LF, as unix2dos does; other line ends stay
    LfToCrlf,
    /// Write a CR without an LF after it as LF, as mac2unix does; other line ends stay
    CrToLf,
}

impl Eol {
    /// Returns `true` if every line end is written alike.
    pub(super) const fn is_for_all(self) -> bool {
        matches!(self, Self::Lf | Self::Crlf | Self::Cr)
    }
}
