//! One text read from start to end: every ill-formed sequence with its position and its message,
//! like `placemat check` reports, and marks from which any part of the text can be read again.

use crate::encodings::resolve;
use crate::json::Json;
use core::fmt::Write as _;
use placemat::stream::{Checkpoint, Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, IllFormed, UnmappablePolicy, utf8};
use placemat_diagnose::lines::{Place, Tracker};
use placemat_diagnose::{Case, Diagnosis, Part};

/// The bytes around an error that its explanation may use, the same numbers as in the command.
pub(crate) const BYTES_BEFORE: usize = 64;
pub(crate) const BYTES_AFTER: usize = 512;

/// The number of bytes that are decoded at a time.
const PIECE_BYTES: usize = 32 * 1024;

/// The end of a piece truncates no sequence of more than this many bytes.
const MAX_SEQUENCE_BYTES: usize = 16;

/// The number of findings that are reported at a time. If a text has more, the rest is counted, and
/// reported when it is read again from there.
pub const MAX_FINDINGS: u64 = 10_000;

/// The greatest number of marks. When it is reached, every second mark is dropped.
const MARKS: usize = 4096;

/// A position between two code points, from which the text can be decoded again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) offset: u64,
    pub(crate) tracker: Tracker,
    /// The state of the decoder; `None` for UTF-8, which has none.
    pub(crate) checkpoint: Option<Checkpoint>,
    /// The ill-formed sequence to which the next bytes still belong.
    pub(crate) part: Option<Part>,
}

/// A text that is being read.
#[derive(Debug)]
pub struct Scan {
    given: Encoding,
    resolved: Encoding,
    begun: bool,
    source: Vec<u8>,
    /// Offset in the text of the first byte of `source`.
    base: u64,
    /// The length of the decoded and counted part of `source`.
    fed: usize,
    told: usize,
    decoder: Transcoder<ErrorPolicy<'static>>,
    /// Text is checked in place, which is possible for UTF-8.
    in_place: bool,
    text: Box<[u8]>,
    tracker: Tracker,
    diagnosis: Diagnosis,
    part: Option<Part>,
    /// The last finding reported before, if the text is read again for the findings after it.
    after: Option<u64>,
    findings: u64,
    /// The findings in words, one line each, if they are wanted.
    lines: Option<String>,
    /// The number of ill-formed sequences before the limit was reached.
    errors: u64,
    code_points: u64,
    marks: Vec<Mark>,
    stride: u64,
}

impl Scan {
    /// Makes a scan of a text in this encoding that has read nothing.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        let in_place = encoding == Encoding::UTF_8;
        let stop = ErrorPolicy::Stop;
        Self {
            given: encoding,
            resolved: encoding,
            begun: false,
            source: Vec::new(),
            base: 0,
            fed: 0,
            told: 0,
            decoder: if in_place {
                Transcoder::checker(encoding).on_error(stop)
            } else {
                Transcoder::new(encoding, Encoding::UTF_8)
                    .ending_shifted()
                    .on_error(stop)
                    .on_unmappable(UnmappablePolicy::Replace)
            },
            in_place,
            // A byte of Big5 can become four bytes of UTF-8.
            text: vec![0; 4 * PIECE_BYTES].into(),
            tracker: Tracker::default(),
            diagnosis: Diagnosis::default(),
            part: None,
            after: None,
            findings: 0,
            lines: None,
            errors: 0,
            code_points: 0,
            marks: vec![Mark { offset: 0, tracker: Tracker::default(), checkpoint: None, part: None }],
            stride: PIECE_BYTES as u64,
        }
    }

    /// Returns the scan, which will also keep its findings in words, for [`lines`](Self::lines).
    #[must_use]
    pub fn with_lines(mut self) -> Self {
        self.lines = Some(String::new());
        self
    }

    /// Returns the findings so far in words, one line each, as the command writes them for its standard input.
    #[must_use]
    pub fn lines(&self) -> &str {
        self.lines.as_deref().unwrap_or_default()
    }

    /// Returns a scan that starts again at the last mark at or before `after`, to report the findings
    /// past `after`. `before` contains the bytes before the mark.
    #[must_use]
    pub fn again(&self, after: u64, before: &[u8]) -> Self {
        let mark = self.mark(after);
        let mut scan = Self::new(self.given);
        if let Some(checkpoint) = &mark.checkpoint {
            scan.in_place = false;
            scan.decoder = Transcoder::new(checkpoint.encodings().0, Encoding::UTF_8)
                .ending_shifted()
                .on_error(ErrorPolicy::Stop)
                .on_unmappable(UnmappablePolicy::Replace);
            scan.decoder.resume(checkpoint, mark.offset);
        } else {
            scan.decoder = scan.decoder.starting_at(mark.offset);
        }
        Self {
            resolved: self.resolved,
            begun: mark.offset > 0,
            source: before.to_vec(),
            base: mark.offset - before.len() as u64,
            fed: before.len(),
            told: before.len(),
            tracker: mark.tracker,
            part: mark.part,
            after: Some(after),
            ..scan
        }
    }

    pub(crate) fn given(&self) -> Encoding {
        self.given
    }

    /// Returns the encoding, with the byte order of the text.
    #[must_use]
    pub fn resolved(&self) -> Encoding {
        self.resolved
    }

    /// Returns the last mark at or before `offset`.
    pub(crate) fn mark(&self, offset: u64) -> Mark {
        let at = self.marks.partition_point(|mark| mark.offset <= offset);
        self.marks[at.saturating_sub(1)]
    }

    /// Returns the offset of the last mark at or before `offset`.
    #[must_use]
    pub fn mark_before(&self, offset: u64) -> u64 {
        self.mark(offset).offset
    }

    /// Reads the next bytes. Returns the findings in them, and the counts so far.
    pub fn feed(&mut self, bytes: &[u8], last: bool) -> String {
        self.make_room();
        self.source.extend_from_slice(bytes);
        let mut found = Json::array();
        let limit = if last { self.source.len() } else { self.source.len().saturating_sub(BYTES_AFTER) };
        if !self.begun && (limit > 0 || last) {
            self.begun = true;
            self.resolved = resolve(self.given, &self.source);
        }
        loop {
            let end = limit.min(self.fed + PIECE_BYTES);
            let is_end = last && end == limit;
            if end > self.fed || is_end {
                self.piece(end, is_end, &mut found);
            }
            if end == limit {
                break;
            }
            self.set_mark(limit, &mut found);
        }
        let all_errors = self.errors + self.decoder.tally().replaced.count;
        let Place { line, column, .. } = self.tracker.place();
        let mut answer = Json::object();
        answer
            .raw("found", found.end_array())
            .raw("findings", self.findings)
            .raw("errors", all_errors)
            .raw("more", self.is_counting())
            .raw("codePoints", self.code_points)
            .raw("line", line)
            .raw("column", column)
            .raw("offset", self.base + self.told.max(if self.in_place { 0 } else { self.fed }) as u64)
            .string("encoding", self.resolved.name());
        answer.end_object()
    }

    /// Returns `true` if further errors are only counted.
    fn is_counting(&self) -> bool {
        self.findings >= MAX_FINDINGS
    }

    /// Decodes the source up to `end`.
    fn piece(&mut self, end: usize, last: bool, found: &mut Json) {
        loop {
            let src = &self.source[self.fed..end];
            let p = if self.in_place {
                self.decoder.convert(src, &mut [], last)
            } else {
                self.decoder.convert(src, &mut self.text, last)
            };
            self.fed += p.read;
            if !self.in_place {
                count(&mut self.tracker, &mut self.code_points, &self.text[..p.written]);
                self.told = self.fed;
            }
            match p.status {
                Status::IllFormed(e) => {
                    let start = usize::try_from(e.offset() - self.base).unwrap_or(usize::MAX);
                    if self.in_place {
                        self.tell(start);
                    }
                    self.told = start + e.len();
                    self.ill_formed(&e, start, found);
                }
                Status::NeedOutput => {}
                Status::Done | Status::NeedInput | Status::Unmappable(_) => {
                    if self.in_place {
                        let end = if last { self.fed } else { self.surely_text() };
                        self.tell(end);
                    }
                    return;
                }
            }
        }
    }

    fn tell(&mut self, end: usize) {
        if end > self.told {
            count(&mut self.tracker, &mut self.code_points, &self.source[self.told..end]);
            self.told = end;
        }
    }

    /// Returns the end of the checked part, without a sequence that may still prove ill-formed.
    fn surely_text(&self) -> usize {
        let tail = self.told.max(self.fed.saturating_sub(MAX_SEQUENCE_BYTES));
        let open = self.source[tail..self.fed].iter().position(|&byte| byte >= 0xC0);
        open.map_or(self.fed, |at| tail + at)
    }

    fn ill_formed(&mut self, error: &IllFormed, start: usize, found: &mut Json) {
        self.errors += 1;
        let offset = error.offset();
        let end = start + error.len();
        let bytes = &self.source[start..end];
        let part_of = self.part.filter(|part| offset < part.end);
        // The finding for its first bytes covers the whole broken sequence.
        if part_of.is_some() {
            self.tracker.ill_formed(bytes, self.resolved);
            return;
        }
        let is_new = self.after.is_none_or(|after| offset > after);
        self.findings += u64::from(is_new);
        let before = &self.source[start.saturating_sub(BYTES_BEFORE)..start];
        let following = &self.source[start..self.source.len().min(end + BYTES_AFTER)];
        self.diagnosis.make(&Case { before, following, ..Case::new(error, self.resolved) });
        self.part = self.diagnosis.part(error);
        let whole = following.get(..self.diagnosis.extent).unwrap_or(bytes);
        let Place { line, column, utf16_column } = self.tracker.place();
        let mut message = String::new();
        self.diagnosis.write_message(offset, &mut message);
        if let Some(lines) = &mut self.lines {
            _ = writeln!(lines, "<stdin>:{line}:{column}: {message}");
        }
        let mut one = Json::object();
        one.raw("offset", offset)
            .raw("length", whole.len())
            .hex("bytes", whole)
            .string("kind", error.code())
            .raw("line", line)
            .raw("column", column)
            .raw("utf16Column", utf16_column)
            .string("message", &message)
            .maybe("suggestion", Some(&*self.diagnosis.suggestion).filter(|text| !text.is_empty()));
        let one = one.end_object();
        if is_new {
            found.element(one);
        }
        self.tracker.ill_formed(bytes, self.resolved);
        if self.is_counting() {
            if self.in_place {
                self.in_place = false;
                self.decoder = Transcoder::new(self.resolved, Encoding::UTF_8)
                    .ending_shifted()
                    .on_error(ErrorPolicy::Stop)
                    .on_unmappable(UnmappablePolicy::Replace)
                    .starting_at(self.base + self.told as u64);
                self.fed = self.told;
            }
            *self.decoder.policies().0 = ErrorPolicy::Replace;
        }
    }

    /// Sets a mark here, if the last one is far away.
    fn set_mark(&mut self, limit: usize, found: &mut Json) {
        let here = self.base + self.told as u64;
        let far = self.marks.last().is_none_or(|last| here >= last.offset + self.stride);
        if !far {
            return;
        }
        let mut checkpoint = None;
        if !self.in_place {
            // Within a sequence there is no checkpoint; it ends soon.
            for _ in 0..MAX_SEQUENCE_BYTES {
                checkpoint = self.decoder.checkpoint();
                if checkpoint.is_some() || self.fed == limit {
                    break;
                }
                self.piece(self.fed + 1, false, found);
            }
            if checkpoint.is_none() {
                return;
            }
        }
        if self.marks.len() == MARKS {
            let mut keep = false;
            self.marks.retain(|_| {
                keep = !keep;
                keep
            });
            self.stride *= 2;
        }
        let offset = self.base + self.told as u64;
        let part = self.part.filter(|part| offset < part.end);
        self.marks.push(Mark { offset, tracker: self.tracker, checkpoint, part });
    }

    /// Drops bytes that are no longer needed.
    fn make_room(&mut self) {
        let done = if self.in_place { self.told } else { self.fed };
        let drop = done.saturating_sub(BYTES_BEFORE);
        self.source.drain(..drop);
        self.base += drop as u64;
        self.fed -= drop;
        self.told = self.told.saturating_sub(drop);
    }
}

fn count(tracker: &mut Tracker, code_points: &mut u64, text: &[u8]) {
    tracker.text(text);
    *code_points += utf8::count_code_points(text) as u64;
}
