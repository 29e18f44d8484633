//! `--unwrap` and `--wrap`: the transfer encoding, decoded before the input's encoding is read and applied after the
//! output's is written.

use super::args::{Args, Eol};
use super::kind::Kind;
use super::pieces::PIECE_BYTES;
use crate::input::{self, Input};
use crate::shown::{Name, push_bytes};
use core::fmt::Write as _;
use placemat::Encoding;
use placemat::syntax::{self, Scope};
use placemat::transfer::{self, LineEnd, TransferError};
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};

/// The reason why these options cannot be combined with these encodings.
pub(super) fn refusal(args: &Args) -> Option<String> {
    let utf8 = [Encoding::UTF_8, Encoding::UTF_8_BOM, Encoding::US_ASCII];
    let wrong =
        |kind: Option<Kind>, encoding| kind.filter(|kind| kind.is_textual() && !utf8.contains(&encoding));
    let (from, to) = (args.from.encoding, args.to.encoding);
    if let Some(kind) = wrong(args.unwrap, from) {
        return Some(match kind {
            Kind::Transfer(_) => format!("--unwrap {kind} yields UTF-8, but --from is {from}"),
            Kind::Syntax(_) => {
                format!("--unwrap {kind} reads UTF-8, but --from is {from}: convert the text to UTF-8 first")
            }
        });
    }
    if let Some(Kind::Syntax(syntax)) = args.wrap
        && to == Encoding::US_ASCII
    {
        return Some(format!("--wrap {syntax} takes UTF-8, and escapes make it ASCII: leave out --to {to}"));
    }
    let kind = wrong(args.wrap, to)?;
    Some(format!("--wrap {kind} takes UTF-8, but --to is {to}"))
}

/// Returns how many of the escapes of a language are meant.
fn scope(args: &Args) -> Scope {
    if args.all { Scope::All } else { Scope::NonAscii }
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
    unwrapper: Unwrapper,
    raw: Box<[u8]>,
    text: Vec<u8>,
    /// The number of bytes of the text that were read.
    read: usize,
    ended: bool,
    refused: Option<TransferError>,
}

#[derive(Debug)]
enum Unwrapper {
    Transfer(transfer::Decoder),
    Syntax(syntax::Decoder),
}

impl Unwrapper {
    fn push(&mut self, piece: &[u8], last: bool, out: &mut Vec<u8>) -> Result<(), TransferError> {
        match self {
            Self::Transfer(decoder) => decoder.push(piece, last, out),
            Self::Syntax(decoder) => {
                decoder.push(piece, last, out);
                Ok(())
            }
        }
    }
}

impl Unwrapped {
    pub(super) fn new(input: Input, args: &Args) -> Self {
        let wrapped = args.unwrap.map(|kind| {
            let unwrapper = match kind {
                Kind::Syntax(syntax) => Unwrapper::Syntax(syntax::Decoder::new(syntax, scope(args))),
                Kind::Transfer(transfer) => {
                    let decoder = transfer::Decoder::new(transfer);
                    Unwrapper::Transfer(if args.unwrap_lenient { decoder.lenient() } else { decoder })
                }
            };
            Wrapped {
                unwrapper,
                raw: vec![0; PIECE_BYTES].into(),
                text: Vec::new(),
                read: 0,
                ended: false,
                refused: None,
            }
        });
        Self { name: input.name.clone(), input, wrapped }
    }

    /// Returns the number of escapes that stayed because they have no meaning, and the first of them.
    pub(super) fn kept(&self) -> Option<(u64, TransferError)> {
        match &self.wrapped.as_ref()?.unwrapper {
            Unwrapper::Syntax(decoder) => decoder.first_kept().map(|first| (decoder.kept(), first)),
            Unwrapper::Transfer(_) => None,
        }
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

    /// Returns the first bytes of a regular file, at most `max_bytes`, of which `passed` are read already, and its length if it is
    /// longer.
    pub(super) fn part(&mut self, from: u64, max_bytes: u64, passed: usize) -> Option<(Vec<u8>, u64)> {
        let (file, place) = self.places()?;
        let start = place.checked_sub(passed as u64)?;
        let len = file.metadata().ok()?.len().checked_sub(start)?;
        let wanted = usize::try_from(max_bytes.min(len.checked_sub(from)?)).ok()?;
        let mut bytes = vec![0; wanted];
        let mut filled = 0;
        while filled < wanted {
            match input::read_at(&file, &mut bytes[filled..], start + from + filled as u64) {
                Ok(more) if more > 0 => filled += more,
                _ => return None,
            }
        }
        Some((bytes, len))
    }

    /// Returns the last bytes of a regular file of which `passed` bytes are read already, and their offset.
    pub(super) fn tail(&mut self, len: usize, passed: usize) -> Option<(Vec<u8>, u64)> {
        let (_, whole) = self.part(0, 0, passed)?;
        let from = whole.saturating_sub(len as u64);
        self.part(from, len as u64, passed).map(|(bytes, _)| (bytes, from))
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
                wrapped.unwrapper.push(&wrapped.raw[..len], wrapped.ended, &mut wrapped.text).err();
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

/// Returns the error in words, without its line and column.
pub(super) fn explain(e: &TransferError) -> String {
    format!("{} at byte {} (--unwrap-lenient passes it through)", describe(e), e.offset())
}

/// Returns what stayed as it was, in words.
pub(super) fn explain_kept(count: u64, first: &TransferError) -> String {
    let others = match count - 1 {
        0 => String::new(),
        1 => ", and 1 more".into(),
        others => format!(", and {others} more"),
    };
    format!("{} at byte {}, left as it was{others}", describe(first), first.offset())
}

/// Returns the kind of error, and the malformed text where that is ASCII.
fn describe(e: &TransferError) -> String {
    let mut message = format!("{} ", e.kind().describe());
    let text = e.bytes();
    if text.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        _ = write!(message, "\"{}\"", String::from_utf8_lossy(text));
    } else {
        push_bytes(&mut message, text);
    }
    message
}

/// `--wrap`.
#[derive(Debug)]
pub(super) struct Wrapper {
    encoder: Encoder,
    wrapped: Vec<u8>,
}

#[derive(Debug)]
enum Encoder {
    Transfer(transfer::Encoder),
    Syntax(syntax::Encoder),
}

impl Wrapper {
    pub(super) fn new(args: &Args) -> Option<Self> {
        let encoder = match args.wrap? {
            Kind::Syntax(syntax) => Encoder::Syntax(syntax::Encoder::new(syntax, scope(args))),
            Kind::Transfer(transfer) => {
                let line_end =
                    if matches!(args.eol, Eol::Crlf | Eol::LfToCrlf) { LineEnd::CrLf } else { LineEnd::Lf };
                Encoder::Transfer(transfer::Encoder::in_lines(transfer, line_end))
            }
        };
        Some(Self { encoder, wrapped: Vec::new() })
    }

    /// The transfer-encoded bytes of the next piece.
    pub(super) fn push(&mut self, piece: &[u8], last: bool) -> &[u8] {
        self.wrapped.clear();
        match &mut self.encoder {
            Encoder::Transfer(encoder) => encoder.push(piece, last, &mut self.wrapped),
            Encoder::Syntax(encoder) => encoder.push(piece, last, &mut self.wrapped),
        }
        &self.wrapped
    }

    /// Returns the number of characters that could not be escaped, and the first of them.
    pub(super) fn kept(&self) -> Option<(u64, TransferError)> {
        match &self.encoder {
            Encoder::Syntax(encoder) => encoder.first_kept().map(|first| (encoder.kept(), first)),
            Encoder::Transfer(_) => None,
        }
    }
}
