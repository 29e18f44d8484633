//! The last steps of the converted text: the signature, the line ends, the transfer encoding.

use super::args::{Args, Eol};
use super::line_ends::{self, LineEnds};
use super::padding::Padding;
use super::signature;
use super::target::Target;
use super::transfer::Wrapper;
use crate::common::Common;
use crate::lines::has_plain_line_feeds;
use crate::outcome::Outcome;
use placemat::Encoding;
use placemat::transfer::TransferError;
use std::io;

/// The output.
#[derive(Debug)]
pub(super) struct Sink {
    target: Target,
    open: bool,
    encoding: Encoding,
    signature: Signature,
    /// Text arrives through a [`TextStage`](super::text::TextStage).
    as_text: bool,
    padding: Option<Padding>,
    line_ends: Option<LineEnds>,
    /// A buffer with converted line ends.
    converted: Vec<u8>,
    wrapper: Option<Wrapper>,
}

/// The start of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signature {
    Bytes(&'static [u8]),
    /// Text, for the text stage.
    Text,
}

/// The output could not be opened or written.
#[derive(Debug)]
pub(super) struct Unwritten(io::Error);

impl Sink {
    /// Returns the sink of the arguments, or the reason of a refusal. `joined`: there is more than one input.
    pub(super) fn new(args: &Args, joined: bool, target: Target) -> Result<Self, String> {
        let (encoding, signature) = signature::closing(args.to.encoding, args.bom)?;
        if args.eol_separators && !args.eol.is_for_all() {
            return Err("--eol-separators needs --eol lf, --eol crlf or --eol cr".into());
        }
        let plain = has_plain_line_feeds(encoding);
        let as_text = args.normalization().is_some()
            || !args.clean.is_empty()
            || (args.eol.is_for_all() && line_ends::needs_text(args.from.encoding, encoding))
            || (!plain && (args.eol != Eol::Keep || args.eof_1a || joined || !signature.is_empty()))
            || signature::may_drop_text(args, joined);
        Ok(Self {
            target,
            open: false,
            encoding,
            signature: if plain || signature.is_empty() {
                Signature::Bytes(signature)
            } else {
                Signature::Text
            },
            as_text,
            padding: Padding::new(args.eof_1a && !as_text, encoding),
            line_ends: if as_text { None } else { LineEnds::new(args.eol, args.eol_separators, encoding) },
            converted: Vec::new(),
            wrapper: Wrapper::new(args),
        })
    }

    /// Returns the encoding to convert to: the signature is written here.
    pub(super) const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns `true` if a step needs the text stage.
    pub(super) const fn as_text(&self) -> bool {
        self.as_text
    }

    /// Returns `true` if the output begins with the signature of its encoding.
    pub(super) fn is_signed(&self) -> bool {
        self.signature != Signature::Bytes(&[])
    }

    /// Bytes written so far.
    pub(super) fn written(&self) -> u64 {
        self.target.written()
    }

    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Opens the output, if it is not open yet, and writes the signature. Returns whether the text stage must still
    /// write it.
    pub(super) fn open(&mut self) -> Result<bool, Unwritten> {
        if !self.open {
            self.target.open().map_err(Unwritten)?;
            self.open = true;
            match self.signature {
                Signature::Bytes(signature) => self.write(signature)?,
                Signature::Text => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Writes a piece of the text: whole code units of the target.
    pub(super) fn push(&mut self, text: &[u8]) -> Result<(), Unwritten> {
        let Some(mut padding) = self.padding.take() else { return self.push_line_ends(text) };
        let result = padding.push(text, |part| self.push_line_ends(part));
        self.padding = Some(padding);
        result
    }

    /// An input ends: drops the padding at its end, or writes it if the conversion stopped at an error after it.
    pub(super) fn end_input(&mut self, drops: bool) -> Result<(), Unwritten> {
        let Some(mut padding) = self.padding.take() else { return Ok(()) };
        if drops {
            padding.drop_run();
        }
        let result = padding.put(|part| self.push_line_ends(part));
        self.padding = Some(padding);
        result
    }

    fn push_line_ends(&mut self, text: &[u8]) -> Result<(), Unwritten> {
        let Some(line_ends) = &mut self.line_ends else { return self.write(text) };
        self.converted.clear();
        line_ends.convert(text, &mut self.converted);
        self.write_converted()
    }

    /// Writes the text that was held back.
    pub(super) fn finish(&mut self) -> Result<(), Unwritten> {
        if let Some(line_ends) = &mut self.line_ends {
            self.converted.clear();
            line_ends.finish(&mut self.converted);
            self.write_converted()?;
        }
        self.wrap(&[], true)
    }

    /// Returns the number of characters that `--wrap` could not escape, and the first of them.
    pub(super) fn unescaped(&self) -> Option<(u64, TransferError)> {
        self.wrapper.as_ref().and_then(Wrapper::kept)
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

    /// Applies the transfer encoding and writes the result.
    fn wrap(&mut self, bytes: &[u8], last: bool) -> Result<(), Unwritten> {
        let Some(mut wrapper) = self.wrapper.take() else { return Ok(()) };
        let result = self.write_raw(wrapper.push(bytes, last));
        self.wrapper = Some(wrapper);
        result
    }

    fn write_raw(&mut self, bytes: &[u8]) -> Result<(), Unwritten> {
        if self.open { self.target.write(bytes).map_err(Unwritten) } else { Ok(()) }
    }

    /// Reports that writing failed, and what was written.
    pub(super) fn failed(&self, Unwritten(e): &Unwritten, common: &Common) -> Outcome {
        self.target.failed(e, common)
    }

    /// Returns the target.
    pub(super) fn into_target(self) -> Target {
        self.target
    }

    /// Returns the target.
    pub(super) const fn target(&self) -> &Target {
        &self.target
    }
}
