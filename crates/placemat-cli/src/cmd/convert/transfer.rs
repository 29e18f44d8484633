//! `--unwrap` and `--wrap`: the transfer encoding, decoded before the input's encoding is read and applied after the
//! output's is written.

use super::args::{Args, Eol};
use super::kind::Kind;
use super::pieces::PIECE_BYTES;
use crate::input::{self, Input};
use crate::shown::{Name, push_bytes};
use core::fmt::Write as _;
use placemat::Encoding;
use placemat::transfer::{Decoder, Encoder, LineEnd, TransferError};
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};

/// The reason why these options cannot be combined with these encodings.
pub(super) fn refusal(args: &Args) -> Option<String> {
    let utf8 = [Encoding::UTF_8, Encoding::UTF_8_BOM, Encoding::US_ASCII];
    let wrong = |kind: Option<Kind>, encoding| {
        kind.map(|kind| kind.0).filter(|kind| kind.is_textual() && !utf8.contains(&encoding))
    };
    if let Some(kind) = wrong(args.unwrap, args.from.encoding) {
        return Some(format!("--unwrap {kind} yields UTF-8, but --from is {}", args.from.encoding));
    }
    let kind = wrong(args.wrap, args.to.encoding)?;
    Some(format!("--wrap {kind} takes UTF-8, but --to is {}", args.to.encoding))
}

/// An input without its transfer encoding.
#[derive(Debug)]
pub(super) struct Unwrapped {
    pub(super) name: Name,
    input: Input,
    wrapped: Option<Wrapped>,
}

#[derive(Debug)]
struct Wrapped {
    decoder: Decoder,
    raw: Box<[u8]>,
    text: Vec<u8>,
    /// The number of bytes of the text that were read.
    read: usize,
    ended: bool,
    refused: Option<TransferError>,
}

impl Unwrapped {
    pub(super) fn new(input: Input, args: &Args) -> Self {
        let wrapped = args.unwrap.map(|Kind(transfer)| {
            let decoder = Decoder::new(transfer);
            Wrapped {
                decoder: if args.unwrap_lenient { decoder.lenient() } else { decoder },
                raw: vec![0; PIECE_BYTES].into(),
                text: Vec::new(),
                read: 0,
                ended: false,
                refused: None,
            }
        });
        Self { name: input.name.clone(), input, wrapped }
    }

    /// Whether the input comes from another program.
    pub(super) fn is_pipe(&self) -> bool {
        input::is_pipe(&self.input.file)
    }

    /// A second handle of a file whose bytes can be read by their places, and the place of the next byte.
    pub(super) fn places(&mut self) -> Option<(File, u64)> {
        let file = &mut self.input.file;
        let by_places = cfg!(unix) && self.wrapped.is_none() && file.metadata().ok()?.is_file();
        let place = if by_places { file.stream_position().ok()? } else { return None };
        Some((file.try_clone().ok()?, place))
    }

    /// Reads some bytes from a place in the file.
    pub(super) fn read_at(&self, to: &mut [u8], place: u64) -> io::Result<usize> {
        input::read_at(&self.input.file, to, place)
    }

    /// Goes on to read from a place in the file.
    pub(super) fn go_to(&mut self, place: u64) -> io::Result<()> {
        self.input.file.seek(SeekFrom::Start(place)).map(drop)
    }
}

impl Read for Unwrapped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(wrapped) = &mut self.wrapped else { return self.input.file.read(buffer) };
        while wrapped.read == wrapped.text.len() {
            // The bytes before the error are passed on first.
            if let Some(e) = wrapped.refused {
                return Err(io::Error::new(io::ErrorKind::InvalidData, e));
            }
            if wrapped.ended {
                return Ok(0);
            }
            let len = self.input.file.read(&mut wrapped.raw)?;
            wrapped.ended = len == 0;
            wrapped.text.clear();
            wrapped.read = 0;
            wrapped.refused =
                wrapped.decoder.push(&wrapped.raw[..len], wrapped.ended, &mut wrapped.text).err();
        }
        let len = (&wrapped.text[wrapped.read..]).read(buffer)?;
        wrapped.read += len;
        Ok(len)
    }
}

/// The error in the transfer encoding, if that is why the input could not be read.
pub(super) fn refused(e: &io::Error) -> Option<&TransferError> {
    e.get_ref().and_then(|e| e.downcast_ref())
}

/// The error in words: transfer encodings are ASCII, so the message quotes the malformed text where it can.
pub(super) fn explain(e: &TransferError) -> String {
    let mut message = format!("{} ", e.kind().describe());
    let text = e.bytes();
    if text.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        _ = write!(message, "\"{}\"", String::from_utf8_lossy(text));
    } else {
        push_bytes(&mut message, text);
    }
    _ = write!(message, " at byte {} (--unwrap-lenient passes it through)", e.offset());
    message
}

/// `--wrap`.
#[derive(Debug)]
pub(super) struct Wrapper {
    encoder: Encoder,
    wrapped: Vec<u8>,
}

impl Wrapper {
    pub(super) fn new(args: &Args) -> Option<Self> {
        let Kind(transfer) = args.wrap?;
        let line_end = if args.eol == Eol::Crlf { LineEnd::CrLf } else { LineEnd::Lf };
        Some(Self { encoder: Encoder::in_lines(transfer, line_end), wrapped: Vec::new() })
    }

    /// The transfer-encoded bytes of the next piece.
    pub(super) fn push(&mut self, piece: &[u8], last: bool) -> &[u8] {
        self.wrapped.clear();
        self.encoder.push(piece, last, &mut self.wrapped);
        &self.wrapped
    }
}
