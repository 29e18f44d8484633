//! Encoding of a text in pieces.

use crate::encoding::{Encoding, Kind, prefix};
use crate::mem::{SCRATCH_BYTES, SCRATCH_UNITS, to_utf8};
use crate::results::{CoderResult, EncoderResult};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use placemat::length::utf16_from_utf8;
use placemat::stream::{Status, Transcoder};
use placemat::{UnmappablePolicy, utf16};

/// The bytes that are made before they are put into a `Vec`.
#[cfg(feature = "alloc")]
const PIECE_BYTES: usize = 2048;

/// Encodes a text in pieces. [`Encoding::new_encoder`] returns one.
///
/// Call a method with each piece, and with `last` for the last one, which may be empty: only ISO-2022-JP then writes more. If a method
/// answers that the output is full, or that a character is unmappable, call it again with the rest of the piece. Past what was
/// written, the output may be overwritten.
///
/// In UTF-16, half a pair of surrogates becomes U+FFFD, also at the end of a piece: do not divide pairs.
///
/// ```
/// use encoding_rs::{CoderResult, ISO_2022_JP};
/// let mut encoder = ISO_2022_JP.new_encoder();
/// let mut out = [0; 32];
/// let (result, read, written, had_references) = encoder.encode_from_utf8("日 é", &mut out, true);
/// assert_eq!((result, read, had_references), (CoderResult::InputEmpty, 6, true));
/// assert_eq!(&out[..written], b"\x1B$BF|\x1B(B &#233;");
/// ```
pub struct Encoder {
    encoding: &'static Encoding,
    transcoder: Transcoder,
}

/// Why a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Empty,
    Full,
    Unmappable(char),
}

impl From<End> for EncoderResult {
    fn from(end: End) -> Self {
        match end {
            End::Empty => Self::InputEmpty,
            End::Full => Self::OutputFull,
            End::Unmappable(c) => Self::Unmappable(c),
        }
    }
}

impl From<End> for CoderResult {
    fn from(end: End) -> Self {
        match end {
            End::Empty => Self::InputEmpty,
            // There are no others where references are written.
            _ => Self::OutputFull,
        }
    }
}

/// The answer to characters that the encoding cannot represent.
#[derive(Clone, Copy, Debug)]
enum Unmappables {
    Stop,
    Refer,
}

/// The result of a call: why it ended, how much was read and written, and whether references were written.
#[derive(Clone, Copy, Debug)]
struct Done {
    end: End,
    read: usize,
    written: usize,
    had_references: bool,
}

impl Encoder {
    pub(crate) fn new(encoding: &'static Encoding) -> Self {
        // An unmappable character stays unread, since ISO-2022-JP may have to return to ASCII before it.
        let transcoder = Transcoder::new(placemat::Encoding::UTF_8, encoding.encoding).leaving_rest();
        Self { encoding, transcoder }
    }

    /// Returns the encoding that is written.
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Returns `true` if the encoder must still return to ASCII, which only ISO-2022-JP does.
    pub fn has_pending_state(&self) -> bool {
        self.encoding.kind == Kind::Iso2022Jp && self.transcoder.clone().close(&mut [0; 8]).written > 0
    }

    /// Returns the room, in bytes, that is enough to encode a text of `byte_length` bytes in which nothing is unmappable; `None` if that
    /// is more than a `usize` holds.
    pub fn max_buffer_length_from_utf8_if_no_unmappables(&self, byte_length: usize) -> Option<usize> {
        self.max_buffer_length_from_utf8_without_replacement(byte_length)
    }

    /// Returns the room, in bytes, that is enough to encode a text of `byte_length` bytes up to the first unmappable character; `None` if
    /// that is more than a `usize` holds.
    pub fn max_buffer_length_from_utf8_without_replacement(&self, byte_length: usize) -> Option<usize> {
        match self.encoding.kind {
            // A shift before each byte, and one at the end.
            Kind::Iso2022Jp => byte_length.checked_mul(4)?.checked_add(3),
            // Two bytes may become four in gb18030.
            Kind::MultiByte => byte_length.checked_mul(2),
            _ => Some(byte_length),
        }
    }

    /// Encodes a piece, with decimal character references for what is unmappable. Returns why it ended, the bytes read, the bytes
    /// written, and whether there were references.
    pub fn encode_from_utf8(
        &mut self,
        src: &str,
        dst: &mut [u8],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let done = self.encode(src.as_bytes(), dst, last, Unmappables::Refer);
        (done.end.into(), done.read, done.written, done.had_references)
    }

    /// Encodes a piece, up to the first character that is unmappable. Returns why it ended, the bytes read, and the bytes written.
    pub fn encode_from_utf8_without_replacement(
        &mut self,
        src: &str,
        dst: &mut [u8],
        last: bool,
    ) -> (EncoderResult, usize, usize) {
        let done = self.encode(src.as_bytes(), dst, last, Unmappables::Stop);
        (done.end.into(), done.read, done.written)
    }

    /// Does what [`encode_from_utf8`](Self::encode_from_utf8) does, into the free capacity of a vector, which never grows beyond it.
    #[cfg(feature = "alloc")]
    pub fn encode_from_utf8_to_vec(
        &mut self,
        src: &str,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> (CoderResult, usize, bool) {
        let done = into_vec(src, dst, |src, dst| self.encode(src, dst, last, Unmappables::Refer));
        (done.end.into(), done.read, done.had_references)
    }

    /// Does what [`encode_from_utf8_without_replacement`](Self::encode_from_utf8_without_replacement) does, into the free capacity of a
    /// vector, which never grows beyond it.
    #[cfg(feature = "alloc")]
    pub fn encode_from_utf8_to_vec_without_replacement(
        &mut self,
        src: &str,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> (EncoderResult, usize) {
        let done = into_vec(src, dst, |src, dst| self.encode(src, dst, last, Unmappables::Stop));
        (done.end.into(), done.read)
    }

    /// Returns the room, in bytes, that is enough to encode a text of `u16_length` code units in which nothing is unmappable; `None` if
    /// that is more than a `usize` holds.
    pub fn max_buffer_length_from_utf16_if_no_unmappables(&self, u16_length: usize) -> Option<usize> {
        self.max_buffer_length_from_utf16_without_replacement(u16_length)
    }

    /// Returns the room, in bytes, that is enough to encode a text of `u16_length` code units up to the first unmappable character; `None`
    /// if that is more than a `usize` holds.
    pub fn max_buffer_length_from_utf16_without_replacement(&self, u16_length: usize) -> Option<usize> {
        match self.encoding.kind {
            // A shift before each character, and one at the end.
            Kind::Iso2022Jp => u16_length.checked_mul(5)?.checked_add(3),
            Kind::MultiByte => u16_length.checked_mul(4),
            Kind::SingleByte => Some(u16_length),
            _ => u16_length.checked_mul(3),
        }
    }

    /// Encodes a piece of UTF-16, with decimal character references for what is unmappable. Returns why it ended, the code units read, the
    /// bytes written, and whether there were references.
    pub fn encode_from_utf16(
        &mut self,
        src: &[u16],
        dst: &mut [u8],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let done = from_utf16(src, dst, |src, dst, is_last| {
            self.encode(src, dst, last && is_last, Unmappables::Refer)
        });
        (done.end.into(), done.read, done.written, done.had_references)
    }

    /// Encodes a piece of UTF-16, up to the first character that is unmappable. Returns why it ended, the code units read, and the bytes
    /// written.
    pub fn encode_from_utf16_without_replacement(
        &mut self,
        src: &[u16],
        dst: &mut [u8],
        last: bool,
    ) -> (EncoderResult, usize, usize) {
        let done = from_utf16(src, dst, |src, dst, is_last| {
            self.encode(src, dst, last && is_last, Unmappables::Stop)
        });
        (done.end.into(), done.read, done.written)
    }

    /// Encodes a piece.
    fn encode(&mut self, src: &[u8], dst: &mut [u8], last: bool, errors: Unmappables) -> Done {
        *self.transcoder.policies().1 = match errors {
            Unmappables::Stop => UnmappablePolicy::Stop,
            Unmappables::Refer => UnmappablePolicy::XmlReference,
        };
        if self.encoding.kind != Kind::Iso2022Jp {
            // The end of a text means nothing here, and so the encoder can be used again after it.
            return self.convert(src, dst, false);
        }
        let mut done = Done { end: End::Empty, read: 0, written: 0, had_references: false };
        loop {
            // A control that shifts between sets counts as U+FFFD, which is unmappable.
            let (rest, room) = (&src[done.read..], &mut dst[done.written..]);
            let plain = prefix(rest, |byte| (byte != 0x0E) & (byte != 0x0F) & (byte != 0x1B));
            let is_control = plain == 0 && !rest.is_empty();
            let part = if is_control {
                let part = self.convert("\u{FFFD}".as_bytes(), room, false);
                Done { read: usize::from(part.read > 0), ..part }
            } else {
                self.convert(&rest[..plain], room, last && plain == rest.len())
            };
            done = Done {
                end: part.end,
                read: done.read + part.read,
                written: done.written + part.written,
                had_references: done.had_references | part.had_references,
            };
            if part.end != End::Empty || !is_control && plain == rest.len() {
                return done;
            }
        }
    }

    fn convert(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Done {
        let unmappable = self.transcoder.tally().unmappable.count;
        let progress = self.transcoder.convert(src, dst, last);
        let had_references = self.transcoder.tally().unmappable.count > unmappable;
        let done = Done { end: End::Empty, read: progress.read, written: progress.written, had_references };
        match progress.status {
            Status::NeedOutput => Done { end: End::Full, ..done },
            Status::Unmappable(e) => {
                let mut done = Done { had_references: false, ..done };
                if self.encoding.kind == Kind::Iso2022Jp && self.is_in_jis0208() {
                    // The substitute that the caller writes is ASCII.
                    let shift = self.transcoder.close(&mut dst[done.written..]);
                    if shift.status == Status::NeedOutput {
                        return Done { end: End::Full, ..done };
                    }
                    done.written += shift.written;
                }
                let c = e.code_point().to_char().unwrap_or(char::REPLACEMENT_CHARACTER);
                Done { end: End::Unmappable(c), read: done.read + c.len_utf8(), ..done }
            }
            _ => done,
        }
    }

    /// Returns `true` if a letter needs a shift.
    fn is_in_jis0208(&self) -> bool {
        self.transcoder.clone().convert(b"a", &mut [0; 8], false).written > 1
    }
}

/// Encodes `src` into the free capacity of a vector.
#[cfg(feature = "alloc")]
fn into_vec(src: &str, dst: &mut Vec<u8>, mut encode: impl FnMut(&[u8], &mut [u8]) -> Done) -> Done {
    let mut done = Done { end: End::Empty, read: 0, written: 0, had_references: false };
    let mut piece = [0; PIECE_BYTES];
    loop {
        let room = dst.capacity() - dst.len();
        let most = room.min(PIECE_BYTES);
        let part = encode(&src.as_bytes()[done.read..], &mut piece[..most]);
        dst.extend_from_slice(&piece[..part.written]);
        done = Done {
            end: part.end,
            read: done.read + part.read,
            written: done.written + part.written,
            had_references: done.had_references | part.had_references,
        };
        if part.end != End::Full || most == room {
            return done;
        }
    }
}

/// Encodes UTF-16 through UTF-8; `encode` also sees whether it gets the last piece.
fn from_utf16(src: &[u16], dst: &mut [u8], mut encode: impl FnMut(&[u8], &mut [u8], bool) -> Done) -> Done {
    let mut done = Done { end: End::Empty, read: 0, written: 0, had_references: false };
    let mut text = [0; SCRATCH_BYTES];
    loop {
        let rest = &src[done.read..];
        let units = utf16::truncate(rest, SCRATCH_UNITS);
        let len = to_utf8(units, &mut text).written;
        let is_last = units.len() == rest.len();
        let part = encode(&text[..len], &mut dst[done.written..], is_last);
        done = Done {
            end: part.end,
            // Half a pair was read as U+FFFD, which takes one unit too.
            read: done.read + utf16_from_utf8(&text[..part.read]),
            written: done.written + part.written,
            had_references: done.had_references | part.had_references,
        };
        if part.end != End::Empty || is_last {
            return done;
        }
    }
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Encoder {{ {} }}", self.encoding.name())
    }
}
