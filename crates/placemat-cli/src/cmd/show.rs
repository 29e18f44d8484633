//! `placemat show`: the text of a file in any encoding, in UTF-8.

use crate::cmd::edit::breaks::{Breaks, Line};
use crate::cmd::edit::job::encoding_of;
use crate::cmd::edit::parse_lines;
use crate::cmd::edit::refusal::enough_memory;
use crate::cmd::edit::text::{Lines, MAX_TEXT_BYTES};
use crate::common::Common;
use crate::input;
use crate::options::{FromArg, Verbose, any_path};
use crate::outcome::Outcome;
use crate::output::Data;
use crate::shown::{escaped, grouped};
use core::fmt::Write as _;
use core::ops::Range;
use placemat::Encoding;
use placemat::edit::{Document, StandIns};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

/// Show the text of a file in any encoding, as UTF-8
///
/// The command prints the text without its signature, with LF at the end of each line. `placemat edit --write` puts such a
/// text back, in the file's own encoding and with its own line ends.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  placemat show old.txt                       detect the encoding, and print
  placemat show -n --lines 10-20 old.txt      number the lines, and print some
  placemat show -v old.txt                    say the encoding and the line ends
  placemat show old.txt > new.txt             edit new.txt, and put it back:
  placemat edit old.txt --write new.txt

Without -f, and where no configuration file declares the encoding, the command detects it. If it is not certain, the \
command prints nothing and names the likely ones.

A byte that does not decode is one private-use code point in the text, U+10FE00 plus the byte; `edit` makes it the byte \
again. On a terminal, the byte is shown as \\xHH, and everything that a terminal would obey is escaped.

Exit status:
  0  done
  1  the encoding is not certain, or there are no such lines
  2  a usage or I/O error")]
pub(crate) struct Args {
    /// The file to show; standard input if there is none, or for `-`
    #[arg(value_name = "FILE", value_parser = any_path(), default_value = "-", hide_default_value = true)]
    file: PathBuf,
    /// Show only these lines: 10, 10-20 or 10-
    #[arg(long, value_name = "A-B", value_parser = parse_lines)]
    lines: Option<Lines>,
    /// Number the lines
    #[arg(short, long)]
    number: bool,
    #[command(flatten)]
    from: FromArg,
    #[command(flatten)]
    verbose: Verbose,
}

/// Runs the command.
pub(crate) fn run(args: &Args, common: &Common) -> Outcome {
    if common.ok(args.from.check()).is_none() {
        return Outcome::Trouble;
    }
    let (name, bytes) = match input::read_whole(&args.file, MAX_TEXT_BYTES as u64) {
        Ok(read) => read,
        Err(e) => {
            common.error(input::trouble(&args.file, &e));
            return Outcome::Trouble;
        }
    };
    if let Err(why) = enough_memory(bytes.len()) {
        common.error(format_args!("{name}: {why}"));
        return Outcome::Trouble;
    }
    let shown = encoding_of(&bytes, &args.file, &name, args.from, common)
        .and_then(|encoding| Text::of(&bytes, encoding).map_err(|why| format!("{name}: {why}")));
    let Some(text) = common.ok(shown) else { return Outcome::Findings };
    let lines = text.lines();
    let wanted = args.lines.map_or(Ok(0..lines.len()), |wanted| wanted.within(lines.len()));
    let Some(wanted) = common.ok(wanted.map_err(|why| format!("{name}: {why}"))) else {
        return Outcome::Findings;
    };
    if args.verbose.verbose {
        common.line(format_args!("{name}: {}", text.head(&lines)));
    }
    let is_raw = !io::stdout().is_terminal();
    let shown = text.shown(&lines, wanted, args.number, is_raw);
    common.written(Data::stdout().and_then(|mut data| {
        data.write_all(shown.as_bytes())?;
        data.flush()?;
        Ok(Outcome::Clean)
    }))
}

/// The text of a file.
pub(crate) struct Text {
    encoding: Encoding,
    has_signature: bool,
    text: String,
    stand_ins: Option<StandIns>,
}

impl Text {
    /// Decodes a file.
    ///
    /// # Errors
    /// A message; this takes a text of over a million different code points.
    pub(crate) fn of(bytes: &[u8], encoding: Encoding) -> Result<Self, String> {
        let document = Document::open(bytes, encoding).map_err(|e| e.to_string())?;
        let stand_ins = document.stand_ins().cloned();
        let has_signature = !document.signature().is_empty();
        Ok(Self { encoding, has_signature, text: document.text(), stand_ins })
    }

    /// Returns the lines of the text.
    pub(crate) fn lines(&self) -> Vec<Line<'_>> {
        Breaks::of(&self.text).lines(&self.text)
    }

    /// Returns the encoding, the line ends, the signature and the number of lines, in words.
    pub(crate) fn head(&self, lines: &[Line<'_>]) -> String {
        let mut head = format!("{}, {}", self.encoding, line_ends(lines));
        head.push_str(if self.has_signature { ", with a signature, " } else { ", no signature, " });
        let count = lines.len();
        _ = write!(head, "{} line{}", grouped(count as u64), if count == 1 { "" } else { "s" });
        if let Some(stand_ins) = &self.stand_ins {
            let bytes = self.text.chars().filter(|&c| stand_ins.byte_of(c).is_some()).count();
            let first = u32::from(stand_ins.char_of(0));
            let (s, verb) = if bytes == 1 { ("", "does") } else { ("s", "do") };
            _ = write!(
                head,
                ", {bytes} byte{s} that {verb} not decode (in the text U+{first:04X} plus the byte)"
            );
        }
        head
    }

    /// Returns some lines, as they are or fit for a terminal.
    pub(crate) fn shown(
        &self,
        lines: &[Line<'_>],
        wanted: Range<usize>,
        is_numbered: bool,
        is_raw: bool,
    ) -> String {
        let mut shown = String::new();
        for (number, line) in lines.iter().enumerate().take(wanted.end).skip(wanted.start) {
            if is_numbered {
                _ = write!(shown, "{:>6}\t", number + 1);
            }
            if is_raw {
                shown.push_str(line.text);
            } else {
                self.push_escaped(&mut shown, line.text);
            }
            if !line.end.is_empty() || is_numbered {
                shown.push('\n');
            }
        }
        shown
    }

    /// Appends a line without anything that a terminal would obey, except for tabs.
    fn push_escaped(&self, shown: &mut String, line: &str) {
        let byte_of = |c| self.stand_ins.as_ref().and_then(|stand_ins| stand_ins.byte_of(c));
        let mut rest = line;
        let special = |c: char| c == '\t' || byte_of(c).is_some();
        while let Some(at) = rest.find(special) {
            let c = rest[at..].chars().next().unwrap_or_default();
            _ = write!(shown, "{}", escaped(rest[..at].as_ref()));
            match byte_of(c) {
                Some(byte) => _ = write!(shown, "\\x{byte:02x}"),
                None => shown.push(c),
            }
            rest = &rest[at + c.len_utf8()..];
        }
        _ = write!(shown, "{}", escaped(rest.as_ref()));
    }
}

/// Returns the line ends of a text, in words.
fn line_ends(lines: &[Line<'_>]) -> String {
    let mut counts = [("CR LF", 0_u64), ("LF", 0), ("CR", 0), ("CR CR LF", 0)];
    for line in lines {
        let kind = match line.end {
            "\r\n" => 0,
            "\n" => 1,
            "\r" => 2,
            "" => continue,
            _ => 3,
        };
        counts[kind].1 += 1;
    }
    let kinds: Vec<_> = counts.into_iter().filter(|&(_, count)| count > 0).collect();
    match kinds.as_slice() {
        [] => "no line ends".into(),
        [(name, _)] => format!("line ends {name}"),
        several => {
            let listed: Vec<_> =
                several.iter().map(|(name, count)| format!("{} {name}", grouped(*count))).collect();
            format!("mixed line ends ({})", listed.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_raw_reaches_a_terminal() {
        let text = Text::of(b"a\x1B[2J\tb\xFF\xC2\x9B\xE2\x80\xAE\r\nc", Encoding::UTF_8).expect("text");
        let lines = text.lines();
        assert_eq!(text.shown(&lines, 0..2, false, false), "a\\x1b[2J\tb\\xff\\x9b\\u{202e}\nc");
        assert_eq!(text.shown(&lines, 0..1, true, true), "     1\ta\u{1B}[2J\tb\u{10FEFF}\u{9B}\u{202E}\n");
        assert_eq!(
            text.head(&lines),
            "UTF-8, line ends CR LF, no signature, 2 lines, 1 byte that does not decode (in the text U+10FE00 plus the byte)"
        );
    }

    #[test]
    fn line_ends_in_words() {
        for (text, words) in [
            ("", "no line ends"),
            ("a\rb\r", "line ends CR"),
            ("a\r\nb\nc\n", "mixed line ends (1 CR LF, 2 LF)"),
            ("a\r\r\n", "line ends CR CR LF"),
        ] {
            assert_eq!(line_ends(&Breaks::of(text).lines(text)), words);
        }
    }
}
