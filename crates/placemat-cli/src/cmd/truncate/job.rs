//! One run of the command: texts are read, decoded and cut.

use super::args::Args;
use super::field::{Field, Limit, Refused};
use super::window::Window;
use crate::common::Common;
use crate::failure::Failure;
use crate::outcome::Outcome;
use crate::scan::resolve;
use crate::shown::{Name, escaped};
use placemat::policy::Action;
use placemat::stream::{Status, Transcoder};
use placemat::{CodePoint, Encoding, ErrorPolicy, IllFormed, OnError as _, UnmappablePolicy, utf8};
use placemat_diagnose::describe;
use placemat_diagnose::lines::Tracker;
use std::io::{Read, Write};

/// Text that is decoded at a time: more than any input yields that is read at a time in most encodings.
const TEXT: usize = 128 * 1024;

/// The state that all inputs share.
pub(super) struct Job<'a> {
    common: &'a Common,
    policy: ErrorPolicy<'static>,
    limit: Limit,
    text: Box<[u8]>,
}

/// One input under way.
struct Course<'a, W> {
    field: Field,
    by_lines: bool,
    /// The bytes of a CR, which may begin a line end.
    cr: Option<Vec<u8>>,
    tracker: Tracker,
    to: &'a mut W,
}

/// The result of decoding the buffered bytes.
struct Went {
    read: usize,
    /// The ill-formed sequence right after the bytes that were read.
    error: Option<IllFormed>,
}

impl<'a> Job<'a> {
    pub(super) fn new(args: &Args, common: &'a Common) -> Self {
        let (max, unit) = args.limit.chosen();
        let ellipsis = args.ellipsis.clone().unwrap_or_default();
        let limit = Limit { max, unit, by_lines: args.lines, ellipsis };
        Self { common, policy: args.errors.into(), limit, text: vec![0; TEXT].into() }
    }

    /// Writes the beginning of one input.
    pub(super) fn file(
        &mut self,
        stream: &mut impl Read,
        name: &Name,
        from: Encoding,
        to: &mut impl Write,
    ) -> Result<Outcome, Failure> {
        let mut window = Window::new(stream);
        let (encoding, signature) = opening(from, &mut window)?;
        // The bytes of a text without shifts are copied: not every encoding writes all that it reads.
        let copies = encoding.facts().stateless || encoding.facts().self_synchronizing;
        let field = match Field::new(&self.limit, encoding, copies) {
            Ok(field) => field,
            Err(c) => {
                let text = c.to_char().map(String::from).unwrap_or_default();
                let shown = escaped(text.as_ref());
                self.common.error(format_args!("--ellipsis: {encoding} cannot represent \"{shown}\""));
                return Ok(Outcome::Trouble);
            }
        };
        let mut course =
            Course { field, by_lines: self.limit.by_lines, cr: None, tracker: Tracker::default(), to };
        if course.field.signature(signature) {
            course.to.write_all(&window.rest()[..signature]).map_err(Failure::Writing)?;
        }
        window.pass(signature);
        if course.field.is_narrow() {
            let Limit { max, unit, .. } = self.limit;
            let with = if signature > 0 { "with the signature " } else { "" };
            self.common.error(format_args!(
                "{name}: --ellipsis takes {} {}, {with}more than the limit of {max}",
                course.field.ellipsis_cost(),
                unit.name()
            ));
            return Ok(Outcome::Trouble);
        }
        let stopped = self.pieces(&mut window, encoding, copies, &mut course);
        // The text before an error is written.
        if !matches!(stopped, Err(Stopped::Failed(_))) {
            course.field.finish(course.to).map_err(Failure::Writing)?;
        }
        match stopped {
            Ok(()) => Ok(Outcome::Clean),
            Err(Stopped::Failed(e)) => Err(e),
            Err(Stopped::Refused(message)) => {
                let place = course.tracker.place();
                self.common.finding(name, place.line, place.column, message);
                Ok(Outcome::Findings)
            }
        }
    }

    /// Cuts the text of one input, up to where nothing more of it can be written.
    fn pieces<R: Read>(
        &mut self,
        window: &mut Window<'_, R>,
        encoding: Encoding,
        copies: bool,
        course: &mut Course<'_, impl Write>,
    ) -> Result<(), Stopped> {
        // In a text that is copied, a code point that UTF-8 lacks counts like any other.
        let unmappable = if copies { UnmappablePolicy::Replace } else { UnmappablePolicy::Stop };
        let decoder = Transcoder::new(encoding, Encoding::UTF_8).on_unmappable(unmappable).leaving_rest();
        let mut decoder = decoder.starting_at(window.offset());
        while course.by_lines || !course.field.is_full() {
            let (known, last) = (window.rest().len(), window.ended());
            let went = if encoding == Encoding::UTF_8 {
                course.utf8(window)?
            } else {
                course.decode(&mut decoder, window, &mut self.text)?
            };
            window.pass(went.read);
            if let Some(error) = went.error {
                if !course.field.is_full() && !self.put(&error, encoding, course)? {
                    course.flush_cr()?;
                    let (before, following) = window.around().map_err(Failure::Reading)?;
                    return Err(Stopped::Refused(describe(&error, encoding, before, following)));
                }
                course.tracker.ill_formed(error.bytes(), encoding);
                window.pass(error.len());
                if let Some(checkpoint) = decoder.checkpoint() {
                    decoder.resume(&checkpoint, window.offset());
                }
            } else if went.read == 0 && known == window.rest().len() {
                // All that is here begins a sequence that may go on.
                if last {
                    break;
                }
                window.read().map_err(Failure::Reading)?;
            }
        }
        course.flush_cr()
    }

    /// Takes the replacement of an ill-formed sequence. Returns whether the policy has one.
    fn put(
        &mut self,
        error: &IllFormed,
        encoding: Encoding,
        course: &mut Course<'_, impl Write>,
    ) -> Result<bool, Stopped> {
        let text: String = match self.policy.handle(error) {
            Action::Text(text) => text.text().into(),
            Action::CodePoints(c) => c.as_slice().iter().filter_map(|c| c.to_char()).collect(),
            _ => return Ok(false),
        };
        for c in text.chars() {
            let mut utf8 = [0; 4];
            let c = &*c.encode_utf8(&mut utf8);
            let text = if encoding.encode(c, UnmappablePolicy::Stop).is_ok() { c } else { "?" };
            let bytes = encoding.encode(text, UnmappablePolicy::Replace).unwrap_or_default();
            course.step(text, &bytes)?;
        }
        Ok(true)
    }
}

/// Returns the encoding of a text with its byte order, and the length of a signature that is not part of the text.
fn opening<R: Read>(from: Encoding, window: &mut Window<'_, R>) -> Result<(Encoding, usize), Failure> {
    let has_own = from == Encoding::UTF_8_BOM || resolve(from, &[]) != from;
    if !has_own {
        return Ok((from, 0));
    }
    window.reach(resolve(from, &[]).signature().len()).map_err(Failure::Reading)?;
    let encoding = resolve(from, window.rest());
    let signature = encoding.signature();
    let len = if window.rest().starts_with(signature) { signature.len() } else { 0 };
    Ok((if encoding == Encoding::UTF_8_BOM { Encoding::UTF_8 } else { encoding }, len))
}

/// The reason to stop within a text.
enum Stopped {
    Failed(Failure),
    /// A message about the text here.
    Refused(String),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Refused> for Stopped {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Writing(e) => Self::Failed(Failure::Writing(e)),
            Refused::Unmappable(c) => Self::Refused(unmappable(c)),
            Refused::TooLong => Self::Refused(
                "a character here takes more than 1 MiB, which --ellipsis would have to keep: leave it out"
                    .into(),
            ),
        }
    }
}

fn unmappable(c: CodePoint) -> String {
    format!("the encoding reads {c} and does not write it; `placemat convert` writes the text in another one")
}

impl<W: Write> Course<'_, W> {
    /// Takes the text that the window begins with, which is UTF-8.
    fn utf8<R: Read>(&mut self, window: &Window<'_, R>) -> Result<Went, Stopped> {
        let (src, last) = (window.rest(), window.ended());
        let (text, error) = match utf8::validate(src) {
            Ok(text) => (text, None),
            Err(e) => {
                let (text, rest) = src.split_at_checked(e.valid_up_to()).unwrap_or_default();
                // The error is found again, with its offset in the stream.
                let mut checker = Transcoder::checker(Encoding::UTF_8).leaving_rest();
                checker = checker.starting_at(window.offset() + text.len() as u64);
                let error = match checker.convert(rest, &mut [], last).status {
                    Status::IllFormed(e) => Some(e),
                    _ => None,
                };
                (utf8::validate(text).unwrap_or_default(), error)
            }
        };
        if self.by_lines {
            self.lines(text)?;
        } else {
            self.field.utf8(text, self.to)?;
        }
        self.tracker.text(text.as_bytes());
        Ok(Went { read: text.len(), error })
    }

    /// Takes the text of lines.
    fn lines(&mut self, text: &str) -> Result<(), Stopped> {
        for line in text.split_inclusive('\n') {
            let (body, ends) = line.strip_suffix('\n').map_or((line, false), |body| (body, true));
            if !body.is_empty() {
                self.flush_cr()?;
            }
            let (body, cr) = body.strip_suffix('\r').map_or((body, false), |body| (body, true));
            if !self.field.is_over() {
                self.field.utf8(body, self.to)?;
            }
            if cr {
                self.cr = Some(b"\r".into());
            }
            if ends {
                self.end_line(b"\n")?;
            }
        }
        Ok(())
    }

    /// Takes text in another encoding: in one go if it fits, or else code point after code point.
    fn decode<R: Read>(
        &mut self,
        decoder: &mut Transcoder,
        window: &Window<'_, R>,
        room: &mut [u8],
    ) -> Result<Went, Stopped> {
        let (src, last) = (window.rest(), window.ended());
        let start = decoder.checkpoint();
        if let (false, Some(start)) = (self.by_lines, start) {
            let p = decoder.convert(src, room, last);
            let text = utf8::validate(&room[..p.written]).unwrap_or_default();
            let stopped = matches!(p.status, Status::Unmappable(_));
            if !stopped && self.field.stretch(text, &src[..p.read], self.to).map_err(Failure::Writing)? {
                self.tracker.text(text.as_bytes());
                let error = if let Status::IllFormed(e) = p.status { Some(e) } else { None };
                return Ok(Went { read: p.read, error });
            }
            decoder.resume(&start, window.offset());
        }
        let mut read = 0;
        while self.by_lines || !self.field.is_full() {
            let (step, p) = step(decoder, &src[read..], room, last);
            let text = utf8::validate(&room[..p.written]).unwrap_or_default();
            match p.status {
                Status::IllFormed(error) => {
                    self.step(text, &src[read..read + p.read])?;
                    self.tracker.text(text.as_bytes());
                    return Ok(Went { read: read + p.read, error: Some(error) });
                }
                Status::Unmappable(e) => return Err(Stopped::Refused(unmappable(e.code_point()))),
                _ => {}
            }
            self.step(text, &src[read..read + step])?;
            self.tracker.text(text.as_bytes());
            read += step;
            if step == 0 {
                break;
            }
        }
        Ok(Went { read, error: None })
    }

    /// Takes text that is kept or dropped as a whole.
    fn step(&mut self, text: &str, src: &[u8]) -> Result<(), Stopped> {
        match text {
            "" => {}
            "\n" if self.by_lines => self.end_line(src)?,
            _ => {
                self.flush_cr()?;
                if text == "\r" && self.by_lines {
                    self.cr = Some(src.into());
                } else {
                    self.field.step(text, src, self.to)?;
                }
            }
        }
        Ok(())
    }

    /// A CR that begins no line end is a character.
    fn flush_cr(&mut self) -> Result<(), Stopped> {
        match self.cr.take() {
            Some(src) => Ok(self.field.step("\r", &src, self.to)?),
            None => Ok(()),
        }
    }

    fn end_line(&mut self, line_feed: &[u8]) -> Result<(), Stopped> {
        let (text, src) = match self.cr.take() {
            Some(cr) => ("\r\n", [&cr, line_feed].concat()),
            None => ("\n", line_feed.into()),
        };
        Ok(self.field.end_line(text, &src, self.to)?)
    }
}

/// Decodes the first code point of `src`, with as few bytes as yield it. Returns the number of these bytes. They are two code
/// points where two bytes of Big5 are, and after a lone surrogate of WTF-8, which may be half of a pair.
fn step(
    decoder: &mut Transcoder,
    src: &[u8],
    room: &mut [u8],
    last: bool,
) -> (usize, placemat::stream::Progress) {
    let mut len = 1;
    loop {
        let bytes = &src[..len.min(src.len())];
        let p = decoder.convert(bytes, room, last && len >= src.len());
        let goes_on = matches!(p.status, Status::NeedInput | Status::Done) && p.read == 0 && p.written == 0;
        if !goes_on || len >= src.len() {
            return (p.read, p);
        }
        len += 1;
    }
}
