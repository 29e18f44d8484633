//! The part of the command `placemat` that the examples of the book run: its output and messages,
//! for bytes in memory.
//!
//! A test of the command runs the same examples and compares the results.

use crate::scan::Scan;
use core::fmt::Write as _;
use placemat::detect::{Detection, Verdict};
use placemat::normalize::Normalization;
use placemat::policy::ByKind;
use placemat::repair::{Change, Lost, Repairer, Step};
use placemat::stream::{Status, Tally, Transcoder};
use placemat::{Encoding, ErrorPolicy, OnError, Replacement, Span, UnmappablePolicy, bom, utf8};
use placemat_diagnose::describe;
use placemat_diagnose::lines::Tracker;
use placemat_diagnose::properties::Properties;
use placemat_diagnose::words::{push_bytes, push_code_point};

/// The number of bytes in a line of `od`.
const BYTES_PER_LINE: usize = 16;

/// The result of a command: its output, its messages, its exit status.
#[derive(Debug, Default)]
struct Outcome {
    output: Vec<u8>,
    messages: String,
    /// The messages come before the output.
    is_told_first: bool,
    status: u8,
}

impl Outcome {
    fn of(output: impl Into<Vec<u8>>) -> Self {
        Self { output: output.into(), ..Self::default() }
    }

    /// Returns everything that a terminal shows, as the book prints it.
    fn seen(&self) -> String {
        let output = String::from_utf8_lossy(&self.output);
        let mut seen = if self.is_told_first {
            self.messages.clone() + &output
        } else {
            output.into_owned() + &self.messages
        };
        if !seen.is_empty() && !seen.ends_with('\n') {
            seen.push('\n');
        }
        if self.status != 0 {
            _ = writeln!(seen, "(exit status {})", self.status);
        }
        seen
    }
}

/// Returns the message for a word of a command line that is unknown here.
fn unknown(word: &str) -> String {
    format!("this page runs a part of the command, without {word:?}")
}

/// Runs a pipeline of commands on the input; returns everything that a terminal shows.
#[must_use]
pub fn run(line: &str, input: &[u8]) -> String {
    let mut input = input.to_vec();
    let mut messages = String::new();
    let mut last = Outcome::default();
    for command in line.split(" | ") {
        let words: Vec<&str> = command.split_whitespace().collect();
        last = match one(&words, &input) {
            Ok(outcome) => outcome,
            Err(message) => {
                Outcome { messages: format!("placemat: {message}\n"), status: 2, ..Outcome::default() }
            }
        };
        input.clone_from(&last.output);
        messages += &last.messages;
    }
    Outcome { messages, ..last }.seen()
}

/// Runs one command of a pipeline.
fn one(words: &[&str], input: &[u8]) -> Result<Outcome, String> {
    match *words {
        ["od", "-An", "-tx1"] => Ok(Outcome::of(od(input))),
        ["placemat", "check", ref options @ ..] => check(options, input),
        ["placemat", "convert", ref options @ ..] => convert(options, input),
        ["placemat", "detect"] => Ok(Outcome::of(detect(input))),
        ["placemat", "repair", ref options @ ..] => repair(options, input),
        ["placemat", "truncate", ref options @ ..] => truncate(options, input),
        _ => Err(unknown(&words.join(" "))),
    }
}

fn od(input: &[u8]) -> String {
    let mut text = String::new();
    for line in input.chunks(BYTES_PER_LINE) {
        for byte in line {
            _ = write!(text, " {byte:02x}");
        }
        text.push('\n');
    }
    text
}

fn encoding(name: &str) -> Result<Encoding, String> {
    name.parse().map_err(|error| format!("{error}"))
}

fn check(options: &[&str], input: &[u8]) -> Result<Outcome, String> {
    let from = match *options {
        [] => Encoding::UTF_8,
        ["-f", name] => encoding(name)?,
        _ => return Err(unknown(&options.join(" "))),
    };
    let mut scan = Scan::new(from).with_lines();
    _ = scan.feed(input, true);
    let lines = scan.lines();
    Ok(Outcome { status: u8::from(!lines.is_empty()), ..Outcome::of(lines) })
}

/// The options of `convert`.
struct Conversion<'a> {
    from: Encoding,
    to: Encoding,
    errors: &'a str,
    unmappable: UnmappablePolicy<'static>,
    span: Option<Span>,
    bom: &'a str,
    normal: Option<Normalization>,
    is_quiet: bool,
}

fn on_unmappable(word: &str) -> Option<UnmappablePolicy<'static>> {
    Some(match word {
        "strict" => UnmappablePolicy::Stop,
        "replace" => UnmappablePolicy::Replace,
        "question" => UnmappablePolicy::ReplaceWith(Replacement::QUESTION),
        "ignore" => UnmappablePolicy::Skip,
        "xmlcharrefreplace" => UnmappablePolicy::XmlReference,
        "backslashreplace" => UnmappablePolicy::HexEscape,
        "translit" => UnmappablePolicy::Transliterate,
        "surrogateescape" => UnmappablePolicy::SurrogateEscape,
        "surrogatepass" => UnmappablePolicy::SurrogatePass,
        "optu" => UnmappablePolicy::Optu,
        _ => return None,
    })
}

impl<'a> Conversion<'a> {
    fn new(options: &[&'a str]) -> Result<Self, String> {
        let mut given = None;
        let mut all = Self {
            from: Encoding::UTF_8,
            to: Encoding::UTF_8,
            errors: "strict",
            unmappable: UnmappablePolicy::Stop,
            span: None,
            bom: "auto",
            normal: None,
            is_quiet: false,
        };
        let mut options = options.iter();
        while let Some(&option) = options.next() {
            if option == "-q" {
                all.is_quiet = true;
                continue;
            }
            let value = *options.next().ok_or_else(|| unknown(option))?;
            match option {
                "-f" => all.from = encoding(value)?,
                "-t" => all.to = encoding(value)?,
                "-e" => all.errors = value,
                "--unmappable" => given = Some(on_unmappable(value).ok_or_else(|| unknown(value))?),
                "--span" => {
                    all.span = Some(match value {
                        "maximal" => Span::Maximal,
                        "byte" => Span::Unit,
                        "lead" => Span::Lead,
                        "structural" => Span::Structural,
                        _ => return Err(unknown(value)),
                    });
                }
                "--bom" if ["keep", "strip", "add"].contains(&value) => all.bom = value,
                "--normalize" => {
                    all.normal = Some(match value {
                        "nfc" => Normalization::Nfc,
                        "nfd" => Normalization::Nfd,
                        "nfkc" => Normalization::Nfkc,
                        "nfkd" => Normalization::Nfkd,
                        "mac" => Normalization::Mac,
                        _ => return Err(unknown(value)),
                    });
                }
                _ => return Err(unknown(option)),
            }
        }
        // Like in Python, a policy that both sides have applies to both; `optu` would undo itself.
        let both = on_unmappable(all.errors).filter(|_| all.errors != "optu");
        all.unmappable = given.or(both).unwrap_or_default();
        Ok(all)
    }
}

/// Converts all of the input. Returns the output, the counts, and the message about the error that ended it.
fn converted(
    from: Encoding,
    to: Encoding,
    on_error: impl OnError,
    on_unmappable: UnmappablePolicy<'_>,
    input: &[u8],
) -> (Vec<u8>, Tally, Option<String>) {
    let mut machine = Transcoder::new(from, to).on_error(on_error).on_unmappable(on_unmappable);
    let mut out = Vec::new();
    let mut room = vec![0; 4096];
    let mut read = 0;
    loop {
        let p = machine.convert(&input[read..], &mut room, true);
        read += p.read;
        out.extend_from_slice(&room[..p.written]);
        let place = |offset: u64| {
            let before = &input[..usize::try_from(offset).unwrap_or(0).min(input.len())];
            let mut tracker = Tracker::default();
            tracker.text(before);
            let place = tracker.place();
            format!("<stdin>:{}:{}: ", place.line, place.column)
        };
        let message = match p.status {
            Status::IllFormed(e) => {
                let at = usize::try_from(e.offset()).unwrap_or(0).min(input.len());
                let (before, following) = input.split_at(at);
                place(e.offset()) + &describe(&e, from, before, following)
            }
            Status::Unmappable(e) => {
                let mut words = format!("{}{to} cannot represent ", place(e.offset()));
                push_code_point(&mut words, e.code_point().value());
                if let Some(c) = e.code_point().to_char() {
                    words = format!("{words} {}", Properties::of(c.into()).name);
                }
                format!("{words} at byte {} (see --unmappable)", e.offset())
            }
            Status::NeedOutput => {
                if p.read == 0 && p.written == 0 {
                    room.resize(2 * room.len(), 0);
                }
                continue;
            }
            Status::Done | Status::NeedInput => return (out, machine.tally(), None),
        };
        return (out, machine.tally(), Some(message + "\n"));
    }
}

fn convert(options: &[&str], input: &[u8]) -> Result<Outcome, String> {
    let Conversion { from, to, errors, unmappable, span, bom: mark, normal, is_quiet } =
        Conversion::new(options)?;
    let is_by_kind = errors.contains('=');
    // A policy only for unmappable text is strict about errors.
    let on_error: ByKind<'static> = match errors {
        "xmlcharrefreplace" | "namereplace" | "translit" => ByKind::new(ErrorPolicy::Stop),
        _ => errors.parse().map_err(|error| format!("{error}"))?,
    };
    let usual = if is_by_kind { Span::Structural } else { Span::Maximal };
    let span = span.unwrap_or(usual);
    // Like the command, drop a signature before the text is read.
    let mut input = input;
    if mark == "strip"
        && let Some(found) = bom::sniff(input)
        && found.encoding == Some(from)
    {
        input = &input[found.len..];
    }
    let (mut output, tally, mut message) = if let Some(form) = normal {
        let (text, tally, message) =
            converted(from, Encoding::UTF_8, on_error.spanning(span), UnmappablePolicy::Replace, input);
        let text = String::from_utf8_lossy(&text);
        let (output, _, unmappable) =
            converted(Encoding::UTF_8, to, ErrorPolicy::Stop, unmappable, form.apply(&text).as_bytes());
        (output, tally, message.or(unmappable))
    } else {
        converted(from, to, on_error.spanning(span), unmappable, input)
    };
    if mark == "add" && !output.starts_with(to.signature()) {
        output.splice(..0, to.signature().iter().copied());
    }
    let status = u8::from(message.is_some());
    if let (None, true, false) = (&message, tally.ignored.count > 0, is_quiet) {
        message = Some(format!(
            "placemat: warning: ignored {} (first at byte {}): the text on both sides is now joined, which can be dangerous\n",
            tally.ignored.count,
            tally.ignored.first.unwrap_or_default(),
        ));
    }
    let messages = if is_quiet { String::new() } else { message.unwrap_or_default() };
    Ok(Outcome { output, messages, status, ..Outcome::default() })
}

/// Formats hundredths, rounded down: only a certain result is 1.00.
fn rounded(confidence: f32) -> String {
    let hundredths = if confidence >= 1.0 { 100.0 } else { (confidence * 100.0).floor() };
    format!("{:.2}", hundredths / 100.0)
}

fn detect(input: &[u8]) -> String {
    let found: Detection = placemat::detect(input);
    let mut line = String::from("<stdin>: ");
    match (found.verdict, found.encoding) {
        (Verdict::Text, Some(encoding)) => {
            _ = write!(line, "{encoding}  {}", rounded(found.confidence));
            if found.encoding == Some(Encoding::UTF_8)
                && let Some(damage) = &found.damage
            {
                let s = if damage.ill_formed == 1 { "" } else { "s" };
                _ = write!(line, "  ({} ill-formed sequence{s})", damage.ill_formed);
            }
        }
        (Verdict::Binary, _) => line.push_str("binary"),
        (Verdict::Empty, _) => line.push_str("empty"),
        _ => line.push_str("unknown"),
    }
    if let Some(declared) = found.declared.as_ref().filter(|declared| declared.contradicted) {
        _ = write!(line, "  (wrongly declared as {} at byte {})", declared.label, declared.offset);
    }
    line.push('\n');
    if !matches!((found.verdict, found.encoding), (Verdict::Text, Some(_)))
        && found.verdict != Verdict::Binary
    {
        for candidate in found.candidates.iter().take(1) {
            _ = writeln!(line, "    {}  {}", candidate.encoding, rounded(candidate.confidence));
        }
    }
    if found.encoding == Some(Encoding::UTF_8) && found.damage.is_none() && found.first_non_ascii.is_some() {
        let steps = [Step::Mojibake, Step::Legacy, Step::Lost];
        let changes = Repairer::new().steps(steps).repair(input).changes;
        if changes.iter().any(|change| change.step != Step::Lost) {
            line += "    looks like mojibake: `placemat repair` mends it\n";
        }
    }
    line
}

/// Writes `<stdin>:1:4: byte 3: mojibake: "Ã©" -> "é": UTF-8 read as windows-1252 (certain)`.
fn explain(change: &Change, text: &str, to: &mut String) {
    let here = usize::try_from(change.repaired_offset).unwrap_or(0).min(text.len());
    let mut tracker = Tracker::default();
    tracker.text(&text.as_bytes()[..here]);
    let place = tracker.place();
    _ = write!(to, "<stdin>:{}:{}: byte {}: {}: ", place.line, place.column, change.offset, change.step);
    match core::str::from_utf8(&change.before) {
        Ok(before) if change.step != Step::Wide => _ = write!(to, "\"{before}\""),
        _ => {
            push_bytes(to, &change.before);
        }
    }
    _ = write!(to, " -> \"{}\": ", change.after);
    let names: Vec<_> = change.encodings.iter().map(|encoding| encoding.name()).collect();
    match change.step {
        Step::Wide => _ = write!(to, "the text is in {}", names.join(", ")),
        Step::Pairs => _ = write!(to, "{}", names.join(", ")),
        Step::Bytes => _ = write!(to, "bytes of {}", names.join(", ")),
        Step::Lost => to.push_str("overlong, cut off, or in no encoding: the text is lost"),
        Step::Controls => _ = write!(to, "controls that are text in {}", names.join(", ")),
        Step::Legacy => _ = write!(to, "read as {}", names.join(", in place of ")),
        _ => _ = write!(to, "UTF-8 read as {}", names.join(", then as ")),
    }
    if change.lossy && change.step != Step::Lost {
        to.push_str(", with something lost");
    }
    if change.step != Step::Lost {
        _ = match change.confidence {
            1.0.. => write!(to, " (certain)"),
            0.99.. => write!(to, " (more than 99 % sure)"),
            sure => write!(to, " ({:.0} % sure)", (sure * 100.0).floor()),
        };
    }
    to.push('\n');
}

fn repair(options: &[&str], input: &[u8]) -> Result<Outcome, String> {
    let mut repairer = Repairer::new();
    let mut is_explained = false;
    let mut options = options.iter();
    while let Some(&option) = options.next() {
        match option {
            "--explain" => is_explained = true,
            "-e" if options.next() == Some(&"backslashreplace") => repairer = repairer.lost(Lost::Escape),
            "--fallback" => {
                let name = options.next().ok_or_else(|| unknown(option))?;
                repairer = repairer.fallback(encoding(name)?);
            }
            _ => return Err(unknown(option)),
        }
    }
    let repaired = repairer.repair(input);
    let mut messages = String::new();
    if is_explained {
        for change in &repaired.changes {
            explain(change, &repaired.text, &mut messages);
        }
    }
    let is_lost = repaired.changes.iter().any(|change| change.step == Step::Lost || change.lossy);
    let output = repaired.text.into_bytes();
    Ok(Outcome { output, messages, is_told_first: true, status: u8::from(is_lost) })
}

fn truncate(options: &[&str], input: &[u8]) -> Result<Outcome, String> {
    let [unit, number] = *options else { return Err(unknown(&options.join(" "))) };
    let number: usize = number.parse().map_err(|_| unknown(number))?;
    let cut = match unit {
        "-c" => utf8::truncate(input, number),
        "-m" => utf8::truncate_code_points(input, number),
        "--utf16" => utf8::truncate_utf16(input, number),
        _ => return Err(unknown(unit)),
    };
    let (output, _, message) =
        converted(Encoding::UTF_8, Encoding::UTF_8, ErrorPolicy::Stop, UnmappablePolicy::Stop, cut);
    let status = u8::from(message.is_some());
    Ok(Outcome { output, messages: message.unwrap_or_default(), status, ..Outcome::default() })
}
