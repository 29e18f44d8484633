//! An undo from a stream into a stream.

use super::super::change::Change;
use super::position::Position;
use alloc::vec::Vec;
use placemat_charsets::Encoding;
use std::io::{self, Read, Write};

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
    at: Position,
    /// The last piece that was read, and its source.
    piece: Vec<u8>,
    bytes: Vec<u8>,
}

impl<R: Read, W: Write> Undo<R, W> {
    /// Reads the repaired text from `repaired`, and writes the bytes of the source to `source`.
    pub fn new(repaired: R, source: W, encoding: Encoding) -> Self {
        Self { repaired, source, at: Position::new(encoding), piece: Vec::new(), bytes: Vec::new() }
    }

    /// Undoes the next change. Changes come in the order of their offsets.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] with an [`UndoError`](super::position::UndoError) if the text differs from the record; otherwise those of the
    /// streams.
    pub fn change(&mut self, change: &Change) -> io::Result<()> {
        let mut gap = self.at.gap(change)?;
        while gap > 0 {
            let most = usize::try_from(gap).unwrap_or(PIECE_BYTES).min(PIECE_BYTES);
            match self.keep(most)? {
                0 => return Err(self.at.differs().into()),
                read => gap -= read as u64,
            }
        }
        self.at.arrive(change)?;
        for now in change.after.as_bytes().chunks(PIECE_BYTES) {
            self.piece.resize(now.len(), 0);
            match self.repaired.read_exact(&mut self.piece) {
                Err(e) if e.kind() != io::ErrorKind::UnexpectedEof => return Err(e),
                Ok(()) if self.piece == now => self.at.offset += now.len() as u64,
                _ => return Err(self.at.differs().into()),
            }
        }
        self.at.written += change.before.len() as u64;
        self.source.write_all(&change.before)
    }

    /// Copies the text after the last change.
    ///
    /// # Errors
    /// The errors of the streams.
    pub fn finish(&mut self) -> io::Result<()> {
        while self.keep(PIECE_BYTES)? > 0 {}
        self.at.end()?;
        self.source.flush()
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

    /// Copies at most `most` bytes of text that the repair left as it was. Returns their number.
    fn keep(&mut self, most: usize) -> io::Result<usize> {
        self.piece.resize(most, 0);
        let read = loop {
            match self.repaired.read(&mut self.piece) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                result => break result?,
            }
        };
        self.bytes.clear();
        self.at.keep(&self.piece[..read], &mut self.bytes)?;
        self.source.write_all(&self.bytes)?;
        Ok(read)
    }
}

/// The bytes that are read at a time.
const PIECE_BYTES: usize = 64 * 1024;
