//! From a repaired text and its record back to the bytes of the source.

use super::change::Change;
use super::source::Source;
use alloc::vec::Vec;
use core::fmt;
use placemat_charsets::Encoding;
use std::io::{self, Read, Write};

/// The reason why a repair cannot be undone: the text or the record is not the one that the repair made.
///
/// ```
/// use placemat::{Encoding, repair::{Change, Step, UndoError, undo}};
/// let change = Change::new(Step::Bytes, (3, b"\xE9".to_vec()), (3, "é".into()));
/// let e: UndoError = undo(b"cafe", Encoding::UTF_8, &[change]).unwrap_err();
/// assert_eq!((e.offset(), &*e.to_string()), (3, "the text at offset 3 is not what the record says"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndoError {
    offset: u64,
}

impl UndoError {
    /// Returns the offset in the repaired text where it differs from the record.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}

impl fmt::Display for UndoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text at offset {} is not what the record says", self.offset)
    }
}

impl core::error::Error for UndoError {}

placemat_core::into_io_error!(InvalidData: UndoError);

/// Returns the bytes of the source from which a repair made `repaired`.
///
/// `encoding` is that of the source (see [`Repaired::encoding`](super::Repaired::encoding)).
///
/// ```
/// use placemat::{Encoding, repair::{Repairer, undo}};
/// let source = b"a well-formed \xC3\xA9, a lone \xE9";
/// let repaired = Repairer::new().repair(source);
/// assert_eq!(repaired.text, "a well-formed é, a lone é");
/// assert_eq!(undo(repaired.text.as_bytes(), repaired.encoding, &repaired.changes)?, source);
/// // Any other text is refused.
/// assert!(undo(b"a text", repaired.encoding, &repaired.changes).is_err());
/// # Ok::<(), placemat::repair::UndoError>(())
/// ```
///
/// # Errors
/// If the text differs from the record.
pub fn undo(repaired: &[u8], encoding: Encoding, changes: &[Change]) -> Result<Vec<u8>, UndoError> {
    let mut source = Vec::new();
    let mut undo = Undo::new(repaired, &mut source, encoding);
    let done = changes.iter().try_for_each(|change| undo.change(change)).and_then(|()| undo.finish());
    let offset = undo.offset;
    match done {
        Ok(()) => Ok(source),
        // Reading and writing memory cannot fail.
        Err(_) => Err(UndoError { offset }),
    }
}

/// Undoes a repair from a stream into a stream, in constant memory.
///
/// ```
/// use placemat::{Encoding, repair::{Change, Step, Undo}};
/// let mut source = Vec::new();
/// let mut undo = Undo::new("café".as_bytes(), &mut source, Encoding::UTF_8);
/// undo.change(&Change::new(Step::Bytes, (3, b"\xE9".to_vec()), (3, "é".into())))?;
/// // The text ends before the next change.
/// assert!(undo.change(&Change::new(Step::Bytes, (9, b"\xE9".to_vec()), (10, "é".into()))).is_err());
/// undo.finish()?;
/// assert_eq!(source, b"caf\xE9");
/// # std::io::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct Undo<R, W> {
    repaired: R,
    source: W,
    encoding: Source,
    /// The bytes of the repaired text that were read.
    offset: u64,
    /// The bytes of the source that were written.
    written: u64,
    /// The start of a sequence that the last piece truncated.
    held: Vec<u8>,
    buffer: Vec<u8>,
}

impl<R: Read, W: Write> Undo<R, W> {
    /// Reads the repaired text from `repaired`, and writes the bytes of the source to `source`.
    pub fn new(repaired: R, source: W, encoding: Encoding) -> Self {
        let encoding = Source::of(encoding);
        Self { repaired, source, encoding, offset: 0, written: 0, held: Vec::new(), buffer: Vec::new() }
    }

    /// Undoes the next change. Changes come in the order of their offsets.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] with an [`UndoError`] if the text differs from the record; otherwise those of the
    /// streams.
    pub fn change(&mut self, change: &Change) -> io::Result<()> {
        let gap = change.repaired_offset.checked_sub(self.offset).ok_or_else(|| self.differs())?;
        self.copy(gap)?;
        if self.written != change.offset || !self.held.is_empty() {
            return Err(self.differs());
        }
        let mut rest = change.after.as_bytes();
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(PIECE_BYTES));
            self.buffer.resize(now.len(), 0);
            match self.repaired.read_exact(&mut self.buffer) {
                Err(e) if e.kind() != io::ErrorKind::UnexpectedEof => return Err(e),
                Err(_) => return Err(self.differs()),
                Ok(()) if self.buffer != now => return Err(self.differs()),
                Ok(()) => self.offset += now.len() as u64,
            }
            rest = later;
        }
        self.write(&change.before)
    }

    /// Copies the text after the last change.
    ///
    /// # Errors
    /// The errors of the streams.
    pub fn finish(&mut self) -> io::Result<()> {
        while self.piece(PIECE_BYTES)? > 0 {}
        if self.held.is_empty() { self.source.flush() } else { Err(self.differs()) }
    }

    /// Returns the stream that the bytes of the source were written to.
    ///
    /// ```
    /// use placemat::{Encoding, repair::Undo};
    /// let mut undo = Undo::new(&b"unchanged"[..], Vec::new(), Encoding::UTF_8);
    /// undo.finish()?;
    /// assert_eq!(undo.into_source(), b"unchanged");
    /// # std::io::Result::Ok(())
    /// ```
    #[must_use]
    pub fn into_source(self) -> W {
        self.source
    }

    /// Copies text that the repair left as it was.
    fn copy(&mut self, mut len: u64) -> io::Result<()> {
        while len > 0 {
            let most = usize::try_from(len).unwrap_or(PIECE_BYTES).min(PIECE_BYTES);
            match self.piece(most)? {
                0 => return Err(self.differs()),
                read => len -= read as u64,
            }
        }
        Ok(())
    }

    /// Copies at most `most` bytes of text. Returns their number.
    fn piece(&mut self, most: usize) -> io::Result<usize> {
        self.buffer.resize(most, 0);
        let read = loop {
            match self.repaired.read(&mut self.buffer) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        let source = self.encoding;
        if source == Source::Utf8 {
            self.source.write_all(&self.buffer[..read])?;
            self.written += read as u64;
        } else {
            self.held.extend_from_slice(&self.buffer[..read]);
            let (text, rest) = placemat_core::checked::split_well_formed(&self.held);
            if rest.len() > 3 {
                return Err(self.differs());
            }
            let mut bytes = Vec::new();
            source.encode(text, &mut bytes);
            let text = text.len();
            self.write(&bytes)?;
            self.held.drain(..text);
        }
        self.offset += read as u64;
        Ok(read)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.source.write_all(bytes)
    }

    fn differs(&self) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, UndoError { offset: self.offset })
    }
}

/// The bytes that are read at a time.
const PIECE_BYTES: usize = 64 * 1024;
