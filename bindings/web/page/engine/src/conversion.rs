//! Converts the text of the page piece by piece.

use crate::json::Json;
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
use placemat_diagnose::describe;
use placemat_diagnose::words::push_code_point;

/// A conversion in progress.
#[derive(Debug)]
pub struct Conversion {
    transcoder: Transcoder,
    from: Encoding,
    to: Encoding,
    read: u64,
    written: u64,
    /// The message about the error that ended the conversion.
    stopped: Option<(u64, String)>,
    /// The last bytes of the previous pieces.
    tail: Vec<u8>,
    done: bool,
}

/// Returns the policy for ill-formed input with this name.
fn on_error(word: &str) -> ErrorPolicy<'static> {
    match word {
        "replace" => ErrorPolicy::Replace,
        "ignore" => ErrorPolicy::Skip,
        "cp1252" => ErrorPolicy::Windows1252,
        "backslashreplace" => ErrorPolicy::HexEscape,
        _ => ErrorPolicy::Stop,
    }
}

/// Returns the policy with this name for unmappable text.
fn on_unmappable(word: &str) -> UnmappablePolicy<'static> {
    match word {
        "replace" => UnmappablePolicy::Replace,
        "ignore" => UnmappablePolicy::Skip,
        "xmlcharrefreplace" => UnmappablePolicy::XmlReference,
        "backslashreplace" => UnmappablePolicy::HexEscape,
        "translit" => UnmappablePolicy::Transliterate,
        "surrogatepass" => UnmappablePolicy::SurrogatePass,
        _ => UnmappablePolicy::Stop,
    }
}

impl Conversion {
    /// Makes a conversion that has read nothing. The policies have the command's names.
    #[must_use]
    pub fn new(from: Encoding, to: Encoding, errors: &str, unmappable: &str) -> Self {
        Self {
            transcoder: Transcoder::new(from, to)
                .on_error(on_error(errors))
                .on_unmappable(on_unmappable(unmappable)),
            from,
            to,
            read: 0,
            written: 0,
            stopped: None,
            tail: Vec::new(),
            done: false,
        }
    }

    /// Converts the next bytes. Returns the output.
    #[must_use]
    pub fn feed(&mut self, src: &[u8], last: bool) -> Vec<u8> {
        let mut out = Vec::new();
        let mut room = vec![0; (2 * src.len()).clamp(4096, 256 * 1024)];
        let mut fed = 0;
        while self.stopped.is_none() && !self.done {
            let p = self.transcoder.convert(&src[fed..], &mut room, last);
            fed += p.read;
            out.extend_from_slice(&room[..p.written]);
            match p.status {
                Status::IllFormed(e) => {
                    let around = [&*self.tail, src].concat();
                    let base = self.read - self.tail.len() as u64;
                    let at = usize::try_from(e.offset().saturating_sub(base)).unwrap_or(0).min(around.len());
                    let (before, following) = around.split_at(at);
                    self.stopped = Some((e.offset(), describe(&e, self.from, before, following)));
                }
                Status::Unmappable(e) => {
                    let mut words = format!("{} cannot represent ", self.to);
                    push_code_point(&mut words, e.code_point().value());
                    if let Some(c) = e.code_point().to_char() {
                        let name = placemat_diagnose::properties::Properties::of(c.into()).name;
                        words = format!("{words} {name}");
                    }
                    self.stopped = Some((e.offset(), words));
                }
                Status::NeedOutput => {
                    if p.read == 0 && p.written == 0 {
                        room.resize(2 * room.len(), 0);
                    }
                }
                Status::Done => self.done = true,
                Status::NeedInput => break,
            }
        }
        self.read += fed as u64;
        self.written += out.len() as u64;
        self.tail.extend_from_slice(src);
        let drop = self.tail.len().saturating_sub(64);
        self.tail.drain(..drop);
        out
    }

    /// Reports the counts, and the error that ended the conversion.
    #[must_use]
    pub fn report(&self) -> String {
        let tally = self.transcoder.tally();
        let mut answer = Json::object();
        answer
            .raw("read", self.read)
            .raw("written", self.written)
            .raw("replaced", tally.replaced.count + tally.ignored.count)
            .raw("unmappable", tally.unmappable.count)
            .maybe("stopped", self.stopped.as_ref().map(|(_, words)| &**words));
        if let Some((offset, _)) = self.stopped {
            answer.raw("offset", offset);
        }
        answer.end_object()
    }
}
