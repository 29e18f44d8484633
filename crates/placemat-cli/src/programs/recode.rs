//! The program under the name `recode`: its common requests as lines of `placemat convert`.

use super::call::Call;
use super::getopt::{Word, option, words};
use crate::cmd::iconv;
use crate::outcome::Outcome;
use crate::shown::{Name, escaped};
use placemat::Encoding;
use placemat_iconv::{Charset, Locale};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

pub(super) const USAGE: &str = "\
Usage: recode [OPTION]... REQUEST [FILE]...
Convert each FILE in place, or standard input to standard output.

REQUEST is BEFORE..AFTER, each a CHARSET with /SURFACE after it, if any. A
CHARSET that is left out is that of the locale. The surfaces are CR-LF (cl), CR,
QP (qp) and Base64 (64, b64); / alone means none.

  -f, --force      write ? for what AFTER lacks
  -q, --quiet      print no messages
  -t, --touch      set the time of a changed FILE to now
  -i, -p           accepted; they have no effect
      --version    print the version
      --help       print this help

  recode latin1..utf8 notes.txt        convert a file
  recode ..latin1 < old > new          from the encoding of the locale
  recode utf8..cp1252/CR-LF a.txt      with the line ends of Windows
  recode latin1/QP..utf8 mail.txt      decode quoted-printable
";

pub(super) fn run(call: &Call, arguments: Vec<OsString>) -> ExitCode {
    let (mut force, mut touch, mut quiet) = (false, false, false);
    let mut operands = Vec::new();
    for word in words(arguments) {
        match word {
            Word::Operand(operand) => operands.push(operand),
            Word::Option(option) => match option.as_str() {
                "--help" => return call.help(),
                "--version" => return call.version(),
                "-f" | "--force" => force = true,
                "-t" | "--touch" => touch = true,
                "-q" | "--quiet" | "--silent" => quiet = true,
                "-i" | "-p" | "-v" | "--verbose" => {}
                _ if option.starts_with("--sequence=") => {}
                _ => return call.refuse(option),
            },
        }
    }
    let Some((request, files)) = operands.split_first() else { return call.help() };
    let request = request.to_string_lossy();
    let conversion = match Conversion::new(&request) {
        Ok(conversion) => conversion,
        Err(why) => {
            let request = escaped(request.as_ref().as_ref()).to_string();
            call.say(format_args!("Request `{request}' is erroneous: {why}"));
            return ExitCode::from(1);
        }
    };
    let call = &call.quieted(quiet);
    if files.is_empty() {
        let outcome = call.convert(conversion.line(force));
        if outcome == Outcome::Findings {
            call.say(format_args!("Invalid input in step `{}'", conversion.step()));
        }
        return outcome.min(Outcome::Findings).end();
    }
    let mut worst = Outcome::Clean;
    for file in files.iter().map(PathBuf::from) {
        let mut line = conversion.line(force);
        line.extend(["--in-place", "--force"].map(OsString::from));
        line.extend(option("--mtime", if touch { "now" } else { "keep" }));
        line.extend(["--".into(), file.clone().into()]);
        let outcome = call.convert(line);
        if outcome == Outcome::Findings {
            let name = Name::new(file);
            call.say(format_args!("{name} failed: Invalid input in step `{}'", conversion.step()));
        }
        worst = worst.max(outcome);
    }
    worst.min(Outcome::Findings).end()
}

/// A request.
#[derive(Debug)]
struct Conversion {
    from: Side,
    to: Side,
}

/// One end of a conversion.
#[derive(Debug, PartialEq)]
struct Side {
    encoding: Encoding,
    /// The last surface, from the text outwards.
    transfer: Option<&'static str>,
    line_ends: LineEnds,
}

/// The line ends of one side.
#[derive(Clone, Copy, Debug, PartialEq)]
enum LineEnds {
    Lf,
    CrLf,
    Cr,
}

impl Conversion {
    /// Returns the conversion for a request, or the reason of a refusal.
    fn new(request: &str) -> Result<Self, String> {
        if request.contains(',') {
            return Err("one conversion at a time is supported here".into());
        }
        let mut sides: Vec<_> = request.split("..").map(Side::new).collect::<Result<_, _>>()?;
        if sides.len() == 1 {
            sides.push(Side::new("")?);
        }
        let [from, to] = <[Side; 2]>::try_from(sides)
            .map_err(|_| "a conversion of two steps is two commands here".to_owned())?;
        if to.line_ends == LineEnds::Cr {
            return Err("text with CR as line ends is not written here".into());
        }
        Ok(Self { from, to })
    }

    /// Returns the words after `placemat convert`.
    fn line(&self, force: bool) -> Vec<OsString> {
        let mut line = Vec::new();
        let mut add = |name: &str, value: &str| line.extend(option(name, value));
        let (from, to) = (&self.from, &self.to);
        add("--from", from.encoding.name());
        if to.encoding == Encoding::UTF_16 {
            // recode writes the byte order that comes first in the standard, and says so.
            add("--to", Encoding::UTF_16BE.name());
            add("--bom", "add");
        } else {
            add("--to", to.encoding.name());
        }
        if let Some(kind) = from.transfer {
            add("--unwrap", kind);
        }
        if let Some(kind) = to.transfer {
            add("--wrap", kind);
        }
        match (from.line_ends, to.line_ends) {
            (LineEnds::Cr, LineEnds::CrLf) => add("--eol", "crlf"),
            (_, LineEnds::CrLf) => add("--eol", "lf-to-crlf"),
            (LineEnds::CrLf, _) => add("--eol", "crlf-to-lf"),
            (LineEnds::Cr, _) => add("--eol", "cr-to-lf"),
            _ => {}
        }
        if force {
            line.extend(option("--errors", "question"));
            line.extend(option("--unmappable", "replace"));
        }
        line
    }

    /// Returns the conversion as recode names its steps.
    fn step(&self) -> String {
        format!("{}..{}", self.from.encoding, self.to.encoding)
    }
}

impl Side {
    /// Returns one end of a request: `CHARSET/SURFACE/SURFACE`.
    fn new(text: &str) -> Result<Self, String> {
        let mut parts = text.split('/');
        let name = parts.next().unwrap_or_default();
        let (encoding, implied) = encoding(name)?;
        let mut side = Self { encoding, transfer: None, line_ends: LineEnds::Lf };
        let surfaces: Vec<_> = parts.collect();
        if surfaces.is_empty() {
            side.line_ends = implied;
        }
        for surface in surfaces {
            let folded = surface.to_ascii_lowercase().replace('-', "");
            match folded.as_str() {
                "" => {}
                "crlf" | "cl" if side.transfer.is_none() => side.line_ends = LineEnds::CrLf,
                "cr" if side.transfer.is_none() => side.line_ends = LineEnds::Cr,
                "qp" | "quotedprintable" if side.transfer.is_none() => {
                    side.transfer = Some("quoted-printable");
                }
                "64" | "b64" | "base64" if side.transfer.is_none() => side.transfer = Some("base64"),
                _ => {
                    return Err(format!(
                        "the surface {} is not supported here, or not in this place",
                        escaped(surface.as_ref())
                    ));
                }
            }
        }
        Ok(side)
    }
}

/// Names of recode that mean nothing elsewhere, and the line ends that they imply.
const NAMES: [(&str, Encoding, LineEnds); 7] = [
    ("ibmpc", Encoding::IBM437, LineEnds::CrLf),
    ("pc", Encoding::IBM437, LineEnds::CrLf),
    ("dos", Encoding::IBM437, LineEnds::CrLf),
    ("mac", Encoding::MACINTOSH, LineEnds::Cr),
    ("lat1", Encoding::ISO_8859_1, LineEnds::Lf),
    ("u6", Encoding::UTF_16, LineEnds::Lf),
    ("u2", Encoding::UTF_16, LineEnds::Lf),
];

/// Returns `true` if recode knows the name as a code page of DOS or Windows, whose lines end in CR LF. It does not take
/// `windows-1252` for one, nor the code pages that it has from iconv.
fn is_of_dos(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let number = name.strip_prefix("cp").or(name.strip_prefix("ibm")).unwrap_or(&name);
    matches!(
        number.parse::<u16>(),
        Ok(437 | 819 | 850..=852 | 855 | 857 | 860..=865 | 868 | 869 | 1250..=1257)
    )
}

/// Returns the encoding of a name, and the line ends that the name implies.
fn encoding(name: &str) -> Result<(Encoding, LineEnds), String> {
    if let Some(&(_, encoding, implied)) = NAMES.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)) {
        return Ok((encoding, implied));
    }
    let default = std::env::var("DEFAULT_CHARSET").ok().filter(|_| name.is_empty());
    let locale = iconv::locale();
    let name = default.as_deref().unwrap_or(name);
    let implied = if is_of_dos(name) { LineEnds::CrLf } else { LineEnds::Lf };
    Charset::new(name, Locale { codeset: "", name: &locale })
        .map(|charset| (charset.encoding, implied))
        .map_err(|_| match crate::options::parse_encoding(name) {
            Ok(_) => "its charset is not supported".into(),
            Err(why) => why.to_string(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_become_lines() {
        for (request, want) in [
            ("latin1..utf8", "--from ISO-8859-1 --to UTF-8"),
            ("u8..l1/", "--from UTF-8 --to ISO-8859-1"),
            ("u8..cp1252/CR-LF", "--from UTF-8 --to windows-1252 --eol lf-to-crlf"),
            ("u8..cp1252", "--from UTF-8 --to windows-1252 --eol lf-to-crlf"),
            ("u8..windows-1252", "--from UTF-8 --to windows-1252"),
            ("pc..l1", "--from IBM437 --to ISO-8859-1 --eol crlf-to-lf"),
            ("850..l1", "--from IBM850 --to ISO-8859-1 --eol crlf-to-lf"),
            ("pc/..l1", "--from IBM437 --to ISO-8859-1"),
            ("l1/QP..u8", "--from ISO-8859-1 --to UTF-8 --unwrap quoted-printable"),
            ("l1..u8/cl/64", "--from ISO-8859-1 --to UTF-8 --wrap base64 --eol lf-to-crlf"),
            ("l1..utf-16", "--from ISO-8859-1 --to UTF-16BE --bom add"),
        ] {
            let line = Conversion::new(request).map(|conversion| conversion.line(false).join(" ".as_ref()));
            assert_eq!(line, Ok(want.into()), "{request}");
        }
        for request in ["l1..u8..u7", "l1..u8,u8..u7", "l1..u8/x1", "utf9..l1", "l1..u8/64/cl", "l1..mac"] {
            assert!(Conversion::new(request).is_err(), "{request}");
        }
    }
}
