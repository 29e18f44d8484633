//! The report of a detection: a line of text, a line of JSON, or a media type.

use super::sample::{Sample, is_certain, ranked};
use crate::cmd::encodings::chance;
use crate::input;
use crate::json;
use crate::palette::Palette;
use crate::shown::{escaped, push_bytes};
use crate::streams;
use core::fmt::Write as _;
use placemat::Encoding;
use placemat::detect::{Basis, Candidate, Damage, Detection, Verdict};
use serde::Serialize;
use std::borrow::Cow;
use std::path::Path;

/// A file, and the result for it.
#[derive(Debug)]
pub(super) struct Report<'a> {
    pub(super) path: &'a Path,
    pub(super) found: &'a Detection,
    pub(super) sample: &'a Sample,
    pub(super) styles: Palette,
}

/// A line of `--format jsonl`.
#[derive(Serialize)]
struct Json<'a> {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    verdict: &'a str,
    encoding: Option<&'a str>,
    confidence: f64,
    language: Option<&'a str>,
    language_name: Option<&'a str>,
    bom: Option<&'a str>,
    declared: Option<JsonDeclared<'a>>,
    damage: Option<JsonDamage>,
    mixed: Vec<&'a str>,
    candidates: Vec<JsonCandidate<'a>>,
    evidence: JsonEvidence<'a>,
}

#[derive(Serialize)]
struct JsonDeclared<'a> {
    convention: &'a str,
    label: &'a str,
    encoding: Option<&'a str>,
    offset: u64,
    contradicted: bool,
}

#[derive(Serialize)]
struct JsonDamage {
    ill_formed: u64,
    well_formed: u64,
    first: u64,
}

#[derive(Serialize)]
struct JsonCandidate<'a> {
    encoding: &'a str,
    confidence: f64,
    language: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonEvidence<'a> {
    basis: &'a str,
    bytes: u64,
    first_non_ascii: Option<u64>,
    ruled_out: Vec<JsonRuledOut<'a>>,
}

#[derive(Serialize)]
struct JsonRuledOut<'a> {
    encoding: &'a str,
    offset: u64,
    bytes: String,
}

/// Returns the media type of a file, as the command `file` names it.
pub(crate) const fn media_type(found: &Detection) -> &'static str {
    match found.verdict {
        Verdict::Text => "text/plain",
        Verdict::Empty => "inode/x-empty",
        _ => "application/octet-stream",
    }
}

/// Returns the label of the encoding, as the command `file` names it.
pub(crate) fn charset(found: &Detection) -> String {
    match (found.verdict, found.encoding) {
        (_, Some(encoding)) => encoding.name().to_ascii_lowercase(),
        (Verdict::Unknown, _) => "unknown-8bit".into(),
        _ => "binary".into(),
    }
}

impl Report<'_> {
    /// The encoding alone, as the command `file` names it.
    pub(super) fn brief(&self) -> String {
        charset(self.found) + "\n"
    }

    /// The media type.
    pub(super) fn mime(&self, brief: bool) -> String {
        let (kind, charset) = (media_type(self.found), charset(self.found));
        if brief {
            format!("{kind}; charset={charset}\n")
        } else {
            format!("{}: {kind}; charset={charset}\n", self.name())
        }
    }

    fn name(&self) -> String {
        input::name_of(self.path).to_string()
    }

    /// A line, and one for each of the next candidates; with `verbose`, the reasons.
    pub(super) fn text(&self, top: u64, verbose: bool) -> String {
        let Palette { place, dim, error, .. } = self.styles;
        let found = self.found;
        let mut line = format!("{place}{}:{place:#} ", self.name());
        let groups = if top > 1 || verbose || found.encoding.is_none() {
            self.sample.groups(found)
        } else {
            Vec::new()
        };
        // The chosen encoding is in the line.
        let (chosen, others) = match groups.split_first() {
            Some((first, others)) if found.encoding == Some(first[0].encoding) => (&first[..], others),
            _ => (&[][..], &groups[..]),
        };
        match (found.verdict, found.encoding) {
            (Verdict::Text, Some(encoding)) => {
                _ = match self.foreign_bytes() {
                    Some(what) => write!(line, "{encoding} with {what}  {}", rounded(found.confidence)),
                    None => write!(line, "{encoding}{}  {}", twins(chosen), rounded(found.confidence)),
                };
                if let Some(language) = self.sample.language(found) {
                    _ = write!(line, "  {}", language.name());
                }
            }
            (Verdict::Binary, _) => line.push_str("binary"),
            (Verdict::Empty, _) => line.push_str("empty"),
            _ => line.push_str("unknown"),
        }
        for note in self.notes() {
            _ = write!(line, "  {error}({note}){error:#}");
        }
        line.push('\n');
        let shown = usize::try_from(top).unwrap_or(usize::MAX);
        let shown = shown.saturating_sub(usize::from(found.encoding.is_some()));
        for alike in others.iter().take(shown) {
            let candidate = alike[0];
            _ = writeln!(
                line,
                "    {}{}  {}",
                candidate.encoding,
                twins(alike),
                rounded(candidate.confidence)
            );
        }
        if self.is_mojibake() {
            _ = writeln!(
                line,
                "    {error}looks like mojibake: `placemat repair{}` mends it{error:#}",
                self.argument()
            );
        }
        if verbose {
            for reason in self.reasons() {
                _ = writeln!(line, "    {dim}{reason}{dim:#}");
            }
        }
        line
    }

    /// The foreign bytes in a text in UTF-8: `4 bytes of windows-1252`.
    fn foreign_bytes(&self) -> Option<String> {
        let found = self.found;
        let others = found.mixed.strip_prefix(&[Encoding::UTF_8])?;
        let damage = found.damage.filter(|_| found.encoding == Some(Encoding::UTF_8))?;
        let (count, unit) = match self.sample.ill_formed_bytes() {
            Some(bytes) => (bytes as u64, "byte"),
            None => (damage.ill_formed, "sequence"),
        };
        let s = if count == 1 { "" } else { "s" };
        Some(format!("{count} {unit}{s} of {}", listed(others)))
    }

    /// Whether the text is well-formed UTF-8 that was read in a wrong encoding before.
    fn is_mojibake(&self) -> bool {
        self.found.encoding == Some(Encoding::UTF_8)
            && self.found.damage.is_none()
            && self.found.first_non_ascii.is_some()
            && self.sample.is_mojibake()
    }

    /// The file as an argument in a command that the report names.
    fn argument(&self) -> String {
        if streams::is_stdin(self.path) { String::new() } else { format!(" {}", argument(self.path)) }
    }

    /// Facts that change what a reader does with the text.
    fn notes(&self) -> Vec<String> {
        let found = self.found;
        let mut notes = Vec::new();
        if let Some(Damage { ill_formed, .. }) = found.damage {
            let s = if ill_formed == 1 { "" } else { "s" };
            if self.foreign_bytes().is_some() {
                // The main line already counts the foreign bytes.
            } else if found.encoding == Some(Encoding::UTF_8) {
                notes.push(format!("{ill_formed} ill-formed sequence{s}"));
            } else if found.mixed.is_empty() {
                notes.push("some lines are UTF-8".into());
            }
        }
        if !found.mixed.is_empty() && self.foreign_bytes().is_none() {
            notes.push(format!("lines are in {}", listed(&found.mixed)));
        }
        if let Some(declared) = found.declared.as_ref().filter(|declared| declared.contradicted) {
            notes.push(format!(
                "wrongly declared as {} at byte {}",
                escaped(declared.label.as_ref()),
                declared.offset
            ));
        }
        notes
    }

    /// The reasons for the verdict.
    fn reasons(&self) -> Vec<String> {
        let found = self.found;
        let mut reasons = vec![match found.basis {
            Basis::Signature => "it begins with a signature".to_owned(),
            Basis::Ascii => "all bytes are ASCII".into(),
            Basis::WellFormed => {
                let chance = chance::shown(self.sample.chance_of_utf8());
                format!(
                    "all of it is well-formed UTF-8; the chance of that for letters of windows-1252: {chance}"
                )
            }
            Basis::Structure if found.damage.is_some() => "most sequences are well-formed UTF-8".into(),
            Basis::Structure => {
                "the bytes have the pattern of this encoding, such as its escapes or its zeros".into()
            }
            Basis::Statistics => "the letters make the most probable words in this encoding".into(),
            Basis::Declaration => "the text declares it, and no byte contradicts that".into(),
            _ => "the bytes make words of no known language in any encoding".into(),
        }];
        reasons.extend(self.sample.explanation(found));
        if let Some(declared) = &found.declared {
            let label = escaped(declared.label.as_ref()).to_string();
            reasons
                .push(format!("declared as {label} ({}, at byte {})", declared.convention, declared.offset));
        }
        if let Some(offset) = found.first_non_ascii {
            reasons.push(format!("the first byte that is not ASCII is at {offset}"));
        }
        for ruled_out in found.ruled_out.iter().take(MAX_RULED_OUT) {
            let mut bytes = String::new();
            push_bytes(&mut bytes, &ruled_out.bytes);
            let encoding = ruled_out.encoding;
            reasons.push(format!("not {encoding}: {bytes} at byte {} is ill-formed in it", ruled_out.offset));
        }
        let more = found.ruled_out.len().saturating_sub(MAX_RULED_OUT);
        if more > 0 {
            let s = if more == 1 { "" } else { "s" };
            reasons.push(format!("nor {more} other{s}, for the same reason (--format jsonl lists all)"));
        }
        let is_uncertain =
            found.verdict == Verdict::Unknown || found.encoding.is_some() && !is_certain(found);
        if is_uncertain {
            reasons.push(if self.foreign_bytes().is_some() || found.damage.is_some() {
                format!(
                    "not certain: `placemat detect --mixed` shows which bytes are in which encoding, `placemat repair{}` makes them UTF-8",
                    self.argument()
                )
            } else {
                "not certain: longer text would help; if you know the encoding, name it with -f, or declare it in the text or in .gitattributes"
                    .into()
            });
        }
        reasons
    }

    pub(super) fn json(&self) -> String {
        let found = self.found;
        json::line(&Json {
            path: path_text(self.path).into_owned(),
            path_bytes: path_bytes(self.path),
            verdict: match found.verdict {
                Verdict::Text => "text",
                Verdict::Binary => "binary",
                Verdict::Empty => "empty",
                _ => "unknown",
            },
            encoding: found.encoding.map(Encoding::name),
            confidence: exact(found.confidence),
            language: found.language.map(|language| language.code()),
            language_name: found.language.map(|language| language.name()),
            bom: found.signature.map(|signature| signature.name),
            declared: found.declared.as_ref().map(|declared| JsonDeclared {
                convention: declared.convention,
                label: &declared.label,
                encoding: declared.encoding.map(Encoding::name),
                offset: declared.offset,
                contradicted: declared.contradicted,
            }),
            damage: found.damage.map(|damage| JsonDamage {
                ill_formed: damage.ill_formed,
                well_formed: damage.well_formed,
                first: damage.first,
            }),
            mixed: found.mixed.iter().map(|encoding| encoding.name()).collect(),
            candidates: ranked(found)
                .into_iter()
                .map(|candidate| JsonCandidate {
                    encoding: candidate.encoding.name(),
                    confidence: exact(candidate.confidence),
                    language: candidate.language.map(|language| language.code()),
                })
                .collect(),
            evidence: JsonEvidence {
                basis: found.basis.name(),
                bytes: found.len,
                first_non_ascii: found.first_non_ascii,
                ruled_out: found
                    .ruled_out
                    .iter()
                    .map(|ruled_out| JsonRuledOut {
                        encoding: ruled_out.encoding.name(),
                        offset: ruled_out.offset,
                        bytes: joined_hex(&ruled_out.bytes),
                    })
                    .collect(),
            },
        })
    }
}

/// A report names at most this many encodings that are ruled out.
const MAX_RULED_OUT: usize = 3;
/// A line names at most this many encodings that decode the file to the same text.
const MAX_TWINS: usize = 3;

/// Formats the encodings that decode a file to the same text as the first: ` (or ISO-8859-1, ISO-8859-15: the same text)`.
fn twins(alike: &[&Candidate]) -> String {
    let others = alike.get(1..).unwrap_or_default();
    if others.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = others.iter().take(MAX_TWINS).map(|other| other.encoding.name()).collect();
    let more = others.len().saturating_sub(MAX_TWINS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(" (or {}{more}: the same text)", names.join(", "))
}

/// Returns the path as an argument of a command that a message shows; `FILE` if the path needs quotes in a shell.
pub(crate) fn argument(path: &Path) -> &str {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    path.to_str().filter(|path| path.chars().all(is_plain) && !path.starts_with('-')).unwrap_or("FILE")
}

/// Returns the bytes of a path in hexadecimal, if it is not UTF-8.
pub(super) fn path_bytes(path: &Path) -> Option<String> {
    let bytes = path.as_os_str().as_encoded_bytes();
    core::str::from_utf8(bytes).is_err().then(|| joined_hex(bytes))
}

/// The path as text.
pub(super) fn path_text(path: &Path) -> Cow<'_, str> {
    if streams::is_stdin(path) { "<stdin>".into() } else { path.to_string_lossy() }
}

/// Returns bytes in hexadecimal, without spaces.
pub(super) fn joined_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut hex, byte| {
        _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Names with commas and an "and".
pub(crate) fn listed(encodings: &[Encoding]) -> String {
    let names: Vec<&str> = encodings.iter().map(|encoding| encoding.name()).collect();
    match names.split_last() {
        Some((last, [])) => (*last).into(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Two digits; a confidence below 1 is not shown as 1.
pub(crate) fn rounded(confidence: f32) -> String {
    let hundredths = if confidence >= 1.0 { 100.0 } else { (confidence * 100.0).floor() };
    format!("{:.2}", hundredths / 100.0)
}

/// Four digits, as [`rounded`].
pub(super) fn exact(confidence: f32) -> f64 {
    (f64::from(confidence) * 10_000.0).floor() / 10_000.0
}
