//! Where the converted text goes: a file or standard output, which must not be one of the inputs.

use super::args::{Args, Eol};
use super::line_ends::LineEnds;
use super::signature;
use super::transfer::Wrapper;
use crate::cmd::{Common, Outcome};
use crate::identity::Identity;
use crate::input;
use crate::lines::has_plain_line_feeds;
use crate::output::{self, Name};
use placemat::Encoding;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

/// The output. It is opened, and a file of that name is lost, only when an input has been opened.
#[derive(Debug)]
pub(super) struct Sink {
    name: Name,
    /// `None` for standard output.
    path: Option<PathBuf>,
    file: Option<File>,
    encoding: Encoding,
    signature: Signature,
    /// Text comes here by way of a [`TextStage`](super::text::TextStage).
    as_text: bool,
    line_ends: Option<LineEnds>,
    /// What became of the line ends of one buffer.
    converted: Vec<u8>,
    wrapper: Option<Wrapper>,
    written: u64,
}

/// What the output begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signature {
    Bytes(&'static [u8]),
    /// It is text, for the text stage.
    Text,
}

/// The output could not be opened or written.
#[derive(Debug)]
pub(super) struct Unwritten(io::Error);

impl Sink {
    /// The output that the arguments name, or why it cannot be.
    pub(super) fn new(args: &Args, inputs: &[PathBuf]) -> Result<Self, String> {
        let (encoding, signature) = signature::closing(args.to.encoding, args.bom)?;
        let plain = has_plain_line_feeds(encoding);
        let as_text = args.normalization().is_some()
            || (!plain && (args.eol != Eol::Keep || inputs.len() > 1 || !signature.is_empty()))
            || signature::may_drop_text(args);
        let path = args.output.clone().filter(|path| !input::is_stdin(path));
        let name = path.as_ref().map_or_else(Name::stdout, Name::new);
        let target = match &path {
            Some(path) => Identity::of_path(path),
            None => output::stdout_file().ok().and_then(|file| Identity::of_file(&file)),
        };
        if let Some(target) = target
            && let Some(same) = inputs.iter().find(|path| Identity::of_input(path).as_ref() == Some(&target))
        {
            return Err(format!("{}: input and output are the same file", input::name_of(same)));
        }
        Ok(Self {
            name,
            path,
            file: None,
            encoding,
            signature: if plain || signature.is_empty() {
                Signature::Bytes(signature)
            } else {
                Signature::Text
            },
            as_text,
            line_ends: if as_text { None } else { LineEnds::new(args.eol, encoding) },
            converted: Vec::new(),
            wrapper: Wrapper::new(args),
            written: 0,
        })
    }

    /// The encoding to convert to: the signature is written here.
    pub(super) const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Whether there is something to be done that takes the text stage.
    pub(super) const fn as_text(&self) -> bool {
        self.as_text
    }

    /// Bytes written so far.
    pub(super) const fn written(&self) -> u64 {
        self.written
    }

    pub(super) const fn is_open(&self) -> bool {
        self.file.is_some()
    }

    /// Opens it, if it is not open yet, and writes the signature. Whether that is still to be done, as text.
    pub(super) fn open(&mut self) -> Result<bool, Unwritten> {
        if self.file.is_none() {
            let file = match &self.path {
                Some(path) => File::create(path),
                None => output::stdout_file(),
            };
            self.file = Some(file.map_err(Unwritten)?);
            match self.signature {
                Signature::Bytes(signature) => self.write(signature)?,
                Signature::Text => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Writes a piece of the text: whole code units of the target.
    pub(super) fn push(&mut self, text: &[u8]) -> Result<(), Unwritten> {
        let Some(line_ends) = &mut self.line_ends else { return self.write(text) };
        self.converted.clear();
        line_ends.convert(text, &mut self.converted);
        self.write_converted()
    }

    /// Writes what was held back.
    pub(super) fn finish(&mut self) -> Result<(), Unwritten> {
        if let Some(line_ends) = &mut self.line_ends {
            self.converted.clear();
            line_ends.finish(&mut self.converted);
            self.write_converted()?;
        }
        self.wrap(&[], true)
    }

    fn write_converted(&mut self) -> Result<(), Unwritten> {
        let converted = core::mem::take(&mut self.converted);
        let result = self.write(&converted);
        self.converted = converted;
        result
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Unwritten> {
        if self.wrapper.is_some() { self.wrap(bytes, false) } else { self.write_raw(bytes) }
    }

    /// Puts around it what is to be, and writes that.
    fn wrap(&mut self, bytes: &[u8], last: bool) -> Result<(), Unwritten> {
        let Some(mut wrapper) = self.wrapper.take() else { return Ok(()) };
        let result = self.write_raw(wrapper.push(bytes, last));
        self.wrapper = Some(wrapper);
        result
    }

    /// As `write_all`, but what was written is known when it fails.
    fn write_raw(&mut self, mut bytes: &[u8]) -> Result<(), Unwritten> {
        let Some(file) = &mut self.file else { return Ok(()) };
        while !bytes.is_empty() {
            match file.write(bytes) {
                Ok(0) => return Err(Unwritten(ErrorKind::WriteZero.into())),
                Ok(len) => {
                    self.written += len as u64;
                    bytes = &bytes[len..];
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(Unwritten(e)),
            }
        }
        Ok(())
    }

    /// Says that writing failed, and what there is nevertheless.
    pub(super) fn failed(&self, Unwritten(e): &Unwritten, common: &Common) -> Outcome {
        let outcome = common.cannot_write(&self.name, e);
        if outcome != Outcome::Clean {
            self.partial(common);
        }
        outcome
    }

    /// Says that the file holds only part of the text.
    pub(super) fn partial(&self, common: &Common) {
        if self.path.is_some() && self.file.is_some() {
            common.error(format_args!("{}: incomplete, {} bytes were written", self.name, self.written));
        }
    }
}
