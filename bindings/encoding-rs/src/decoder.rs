//! Decoding of a text in pieces.

mod utf16;

use crate::bom::{Bom, Found};
use crate::encoding::{Encoding, Kind, prefix};
use crate::results::{CoderResult, DecoderResult};
use crate::text::{Text, Within};
#[cfg(feature = "alloc")]
use alloc::string::String;
use core::fmt;
use placemat::stream::{Status, Transcoder};
use placemat::{ErrorPolicy, IllFormed, utf8};

/// The bytes of text that are made before they are put into a `str` or a `String`.
const PIECE_BYTES: usize = 4096;
/// A short source is decoded in pieces of this length, so that less has to be cleared.
const SHORT_PIECE_BYTES: usize = 256;
/// A source of at most this many bytes is short.
const MAX_SHORT_BYTES: usize = SHORT_PIECE_BYTES / 4;
/// A decoder may have read this many bytes whose text it has not written: a truncated sequence, or the start of a byte order mark.
const MAX_HELD_BYTES: usize = 6;

/// Decodes a text in pieces. The methods of [`Encoding`] that begin with `new_decoder` return one.
///
/// Call a method with each piece, and with `last` for the last one, which may be empty; then the text is over. If a method answers
/// that the output is full, or that a sequence is ill-formed, call it again with the rest of the piece. A method makes progress if
/// there is room for four bytes of UTF-8 or two units of UTF-16. Past what was written, the output may be overwritten; a `str` stays
/// well-formed, with U+0000 in place of a divided character.
///
/// ```
/// use encoding_rs::{CoderResult, SHIFT_JIS};
/// let mut decoder = SHIFT_JIS.new_decoder();
/// let mut text = String::with_capacity(decoder.max_utf8_buffer_length(4).unwrap());
/// // 日本 in two pieces, which divide a character.
/// for (piece, last) in [(&b"\x93\xFA\x96"[..], false), (b"\x7B", true)] {
///     let (result, read, had_errors) = decoder.decode_to_string(piece, &mut text, last);
///     assert_eq!((result, read, had_errors), (CoderResult::InputEmpty, piece.len(), false));
/// }
/// assert_eq!(text, "日本");
/// ```
pub struct Decoder {
    encoding: &'static Encoding,
    bom: Bom,
    transcoder: Transcoder,
    /// The number of bytes that the transcoder read.
    fed: u64,
    /// How many of them came after the last error.
    fed_after_error: usize,
    is_over: bool,
}

/// Why a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Empty,
    Full,
    Malformed(Malformed),
}

/// An ill-formed sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Malformed {
    len: u8,
    after: u8,
}

impl From<End> for DecoderResult {
    fn from(end: End) -> Self {
        match end {
            End::Empty => Self::InputEmpty,
            End::Full => Self::OutputFull,
            End::Malformed(Malformed { len, after }) => Self::Malformed(len, after),
        }
    }
}

impl From<End> for CoderResult {
    fn from(end: End) -> Self {
        match end {
            End::Empty => Self::InputEmpty,
            // There are no others where errors are replaced.
            _ => Self::OutputFull,
        }
    }
}

/// The answer to errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errors {
    Stop,
    Replace,
}

/// The result of a call: why it ended, how much was read and written, and whether errors were replaced.
#[derive(Clone, Copy, Debug)]
struct Done {
    end: End,
    read: usize,
    written: usize,
    had_errors: bool,
}

impl Done {
    fn replaced(self) -> (CoderResult, usize, usize, bool) {
        (self.end.into(), self.read, self.written, self.had_errors)
    }

    fn stopped(self) -> (DecoderResult, usize, usize) {
        (self.end.into(), self.read, self.written)
    }
}

impl Decoder {
    pub(crate) fn new(encoding: &'static Encoding, bom: Bom) -> Self {
        let transcoder = Transcoder::new(encoding.encoding, placemat::Encoding::UTF_8).ending_shifted();
        Self { encoding, bom, transcoder, fed: 0, fed_after_error: 0, is_over: false }
    }

    /// Returns the encoding of the text, which a byte order mark may change.
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Returns the room, in bytes, that is enough to decode `byte_length` more bytes with U+FFFD for each error; `None` if that is more
    /// than a `usize` holds.
    pub fn max_utf8_buffer_length(&self, byte_length: usize) -> Option<usize> {
        byte_length.checked_add(MAX_HELD_BYTES)?.checked_mul(3)
    }

    /// Returns the room, in bytes, that is enough to decode `byte_length` more bytes up to the first error; `None` if that is more than
    /// a `usize` holds.
    pub fn max_utf8_buffer_length_without_replacement(&self, byte_length: usize) -> Option<usize> {
        let may_be_utf8 = self.bom.is_over() && self.encoding.kind == Kind::Utf8;
        let most = byte_length.checked_add(MAX_HELD_BYTES)?;
        if may_be_utf8 { Some(most) } else { most.checked_mul(3) }
    }

    /// Returns the room, in code units, that is enough to decode `byte_length` more bytes to UTF-16, with replacements or without; `None`
    /// if that is more than a `usize` holds.
    pub fn max_utf16_buffer_length(&self, byte_length: usize) -> Option<usize> {
        byte_length.checked_add(MAX_HELD_BYTES)
    }

    /// Decodes a piece to UTF-8, with U+FFFD for each error. Returns why it ended, the bytes read, the bytes written, and whether there
    /// were errors.
    pub fn decode_to_utf8(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        self.decode(src, dst, last, Errors::Replace).replaced()
    }

    /// Decodes a piece to UTF-8, up to the first error. Returns why it ended, the bytes read, and the bytes written.
    pub fn decode_to_utf8_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        self.decode(src, dst, last, Errors::Stop).stopped()
    }

    /// Does what [`decode_to_utf8`](Self::decode_to_utf8) does, into a `str`.
    pub fn decode_to_str(
        &mut self,
        src: &[u8],
        dst: &mut str,
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        self.decode_text(src, &mut Within { all: dst, written: 0 }, last, Errors::Replace).replaced()
    }

    /// Does what [`decode_to_utf8_without_replacement`](Self::decode_to_utf8_without_replacement) does, into a `str`.
    pub fn decode_to_str_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut str,
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        self.decode_text(src, &mut Within { all: dst, written: 0 }, last, Errors::Stop).stopped()
    }

    /// Does what [`decode_to_utf8`](Self::decode_to_utf8) does, into the free capacity of a string, which never grows beyond it.
    #[cfg(feature = "alloc")]
    pub fn decode_to_string(
        &mut self,
        src: &[u8],
        dst: &mut String,
        last: bool,
    ) -> (CoderResult, usize, bool) {
        let done = self.decode_text(src, dst, last, Errors::Replace);
        (done.end.into(), done.read, done.had_errors)
    }

    /// Does what [`decode_to_utf8_without_replacement`](Self::decode_to_utf8_without_replacement) does, into the free capacity of a
    /// string, which never grows beyond it.
    #[cfg(feature = "alloc")]
    pub fn decode_to_string_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut String,
        last: bool,
    ) -> (DecoderResult, usize) {
        let done = self.decode_text(src, dst, last, Errors::Stop);
        (done.end.into(), done.read)
    }

    /// Decodes a piece to UTF-16, with U+FFFD for each error. Returns why it ended, the bytes read, the code units written, and whether
    /// there were errors.
    pub fn decode_to_utf16(
        &mut self,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        self.decode_units(src, dst, last, Errors::Replace).replaced()
    }

    /// Decodes a piece to UTF-16, up to the first error. Returns why it ended, the bytes read, and the code units written.
    pub fn decode_to_utf16_without_replacement(
        &mut self,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
    ) -> (DecoderResult, usize, usize) {
        self.decode_units(src, dst, last, Errors::Stop).stopped()
    }

    /// Returns the number of bytes at the start of the next piece that mean the code points of the same value. `None` if the decoder is
    /// within a sequence or may find a byte order mark, or if no bytes of the encoding mean that.
    pub fn latin1_byte_compatible_up_to(&self, bytes: &[u8]) -> Option<usize> {
        if !self.bom.is_over() || !self.is_between_characters() {
            return None;
        }
        match self.encoding.kind {
            Kind::Utf16 | Kind::Replacement => None,
            Kind::Iso2022Jp => Some(Encoding::iso_2022_jp_ascii_valid_up_to(bytes)),
            Kind::Utf8 | Kind::MultiByte => Some(Encoding::ascii_valid_up_to(bytes)),
            Kind::SingleByte => {
                let ascii = Encoding::ascii_valid_up_to(bytes);
                if ascii == bytes.len() {
                    return Some(ascii);
                }
                let same: [bool; 0x80] = core::array::from_fn(|low| {
                    u8::try_from(0x80 + low).is_ok_and(|byte| self.means_its_value(byte))
                });
                let is_same = |byte: u8| byte < 0x80 || same[usize::from(byte & 0x7F)];
                Some(ascii + prefix(&bytes[ascii..], is_same))
            }
        }
    }

    fn means_its_value(&self, byte: u8) -> bool {
        let mut text = [0; 4];
        let mut transcoder =
            Transcoder::new(self.encoding.encoding, placemat::Encoding::UTF_8).ending_shifted();
        let done = transcoder.convert(&[byte], &mut text, true);
        let is = |text: &str| text.chars().eq([char::from(byte)]);
        done.status == Status::Done && utf8::validate(&text[..done.written]).is_ok_and(is)
    }

    /// Returns `true` if no part of a character was read, and no shift.
    fn is_between_characters(&self) -> bool {
        let reads = |src: &[u8], last| {
            let (mut trial, mut text) = (self.transcoder.clone(), [0; 16]);
            *trial.policies().0 = ErrorPolicy::Stop;
            let done = trial.convert(src, &mut text, last);
            matches!(done.status, Status::Done | Status::NeedInput).then_some((text, done.written))
        };
        let is_whole = self.fed == 0 || reads(&[], true).is_some_and(|(_, written)| written == 0);
        // In another set of ISO-2022-JP, these bytes mean something else; after an escape, another one is an error.
        is_whole
            && (self.encoding.kind != Kind::Iso2022Jp
                || reads(b"!\\~", false).is_some_and(|(text, len)| text[..len] == *b"!\\~")
                    && reads(b"\x1B(B", false).is_some())
    }

    /// Decodes a piece.
    fn decode(&mut self, src: &[u8], dst: &mut [u8], last: bool, errors: Errors) -> Done {
        assert!(!self.is_over, "a decoder cannot be used after the end of its text");
        let mut done = Done { end: End::Empty, read: 0, written: 0, had_errors: false };
        if !self.bom.is_over() {
            match self.bom.search(src, last) {
                Found::More => return Done { read: src.len(), ..done },
                Found::Text(Some((encoding, read))) => {
                    if encoding != self.encoding {
                        *self = Self::new(encoding, Bom::none());
                    }
                    done.read = read;
                }
                Found::Text(None) => {}
            }
            while !self.bom.held().is_empty() {
                let held = self.bom.clone();
                let ends = last && src.is_empty();
                let part = self.convert(held.held(), &mut dst[done.written..], ends, errors);
                self.bom.forget(part.read);
                done.written += part.written;
                done.had_errors |= part.had_errors;
                match part.end {
                    End::Empty if ends => {
                        self.is_over = true;
                        return done;
                    }
                    End::Empty => {}
                    End::Full => return Done { end: End::Full, ..done },
                    End::Malformed(error) => return self.after_error(error, src, done),
                }
            }
        }
        let part = self.convert(&src[done.read..], &mut dst[done.written..], last, errors);
        done.read += part.read;
        done.written += part.written;
        done.had_errors |= part.had_errors;
        match part.end {
            End::Empty => self.is_over = last,
            End::Full => done.end = End::Full,
            End::Malformed(error) => return self.after_error(error, src, done),
        }
        done
    }

    /// Returns the result of a call that ended with an error. Some bytes after the error count as read, though they are not decoded yet:
    /// a decoder that takes a byte at a time has read them before it knew of the error, perhaps in an earlier piece.
    /// `encoding_rs` also reads the unit after half a pair of surrogates, depending on where the text was cut; this decoder does not.
    fn after_error(&mut self, mut error: Malformed, src: &[u8], mut done: Done) -> Done {
        let byte = |value: usize| u8::try_from(value).unwrap_or(u8::MAX);
        let held = self.bom.held().len();
        let known = self.fed_after_error + held;
        let more = self.bom.hold(&src[done.read..], usize::from(error.after).saturating_sub(known));
        done.read += more;
        error.after = byte(known + more);
        if self.encoding.kind == Kind::Iso2022Jp && error.len == 3 {
            // The sequence is the escape before, which this one makes useless.
            error.after += 3;
        }
        Done { end: End::Malformed(error), ..done }
    }

    /// Converts some of the text after a byte order mark.
    #[inline(always)]
    fn convert(&mut self, src: &[u8], dst: &mut [u8], last: bool, errors: Errors) -> Done {
        *self.transcoder.policies().0 = match errors {
            Errors::Stop => ErrorPolicy::Stop,
            Errors::Replace => ErrorPolicy::Replace,
        };
        let replaced = self.transcoder.tally().replaced.count;
        let progress = self.transcoder.convert(src, dst, last);
        self.fed += progress.read as u64;
        let end = match progress.status {
            Status::Done | Status::NeedInput => End::Empty,
            Status::NeedOutput => End::Full,
            Status::IllFormed(e) => {
                let end = e.offset() + e.len() as u64;
                self.fed_after_error = usize::try_from(self.fed.saturating_sub(end)).unwrap_or(0);
                End::Malformed(Malformed {
                    len: u8::try_from(e.len()).unwrap_or(u8::MAX),
                    after: read_after(self.encoding.kind, &e),
                })
            }
            // UTF-8 holds every scalar value, and these encodings have no others.
            _ => End::Malformed(Malformed { len: 1, after: 0 }),
        };
        let had_errors = self.transcoder.tally().replaced.count > replaced;
        Done { end, read: progress.read, written: progress.written, had_errors }
    }

    /// Decodes a piece into a place for text.
    fn decode_text(&mut self, src: &[u8], dst: &mut impl Text, last: bool, errors: Errors) -> Done {
        if src.len() <= MAX_SHORT_BYTES {
            self.decode_text_by(&mut [0; SHORT_PIECE_BYTES], src, dst, last, errors)
        } else {
            self.decode_text_by(&mut [0; PIECE_BYTES], src, dst, last, errors)
        }
    }

    #[inline(always)]
    fn decode_text_by(
        &mut self,
        piece: &mut [u8],
        src: &[u8],
        dst: &mut impl Text,
        last: bool,
        errors: Errors,
    ) -> Done {
        let mut done = Done { end: End::Empty, read: 0, written: 0, had_errors: false };
        loop {
            let room = dst.room();
            let most = room.min(piece.len());
            let part = self.decode(&src[done.read..], &mut piece[..most], last, errors);
            let text = utf8::validate(&piece[..part.written]).expect("a decoder writes UTF-8");
            dst.put(text);
            done = Done {
                end: part.end,
                read: done.read + part.read,
                written: done.written + part.written,
                had_errors: done.had_errors | part.had_errors,
            };
            if part.end != End::Full || most == room {
                return done;
            }
        }
    }
}

/// Returns the number of bytes after an ill-formed sequence that a decoder has read that takes a byte at a time.
fn read_after(kind: Kind, error: &IllFormed) -> u8 {
    match (kind, error.len(), error.seen()) {
        // The second and third byte of four of gb18030.
        (Kind::MultiByte, 1, [_, _, _]) => 1,
        (Kind::MultiByte, 1, [_, _, _, _]) => 2,
        (Kind::Iso2022Jp, 1, [0x1B, b'$' | b'(', ..] | [0x21..=0x7E, 0x1B]) => 1,
        _ => 0,
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Decoder {{ {} }}", self.encoding.name())
    }
}
