//! Text with many code points that the target lacks, such as Russian in ASCII.
//!
//! A step that asks the policy about one code point takes tens of nanoseconds. Where the policy's
//! answer follows from the code point alone, this loop writes it without asking, and leaves
//! mappable text to the target's kernel. The loop never reports errors and has no state: it stops
//! before anything suspicious, and the engine takes over.

use super::Core;
use super::pairs::Pair;
use super::text::Text;
use crate::forms::form::{Bulk, EncodeStep, Form, Step};
use crate::forms::unicode::utf8;
use crate::ground::code_point::CodePoint;
use crate::ground::error::UnmappableKind;
use crate::ground::hints::{MAX_TEXT_BYTES, Substitutes};
use crate::ground::unit::CodeUnit;
use crate::ground::work;
use crate::kernels::Moved;
use crate::kernels::single_byte::SingleByteEncoder;
use crate::simd::{bytes_of, bytes_of_mut};

/// After this many mappable code points in a row, the kernel of the target takes over.
const MAPPABLE_IN_A_ROW: usize = 4;

/// How to find the byte of a code point in the target.
enum Bytes {
    /// The target has the code points below this limit, each as the byte of the same value.
    Below(u32),
    /// A table has the byte.
    Table(&'static SingleByteEncoder),
    /// The target does not have one byte for each code point.
    Other,
}

impl Bytes {
    fn of(target: Bulk) -> Self {
        match target {
            Bulk::Ascii => Self::Below(0x80),
            Bulk::Latin1 => Self::Below(0x100),
            _ => match target.single() {
                Some((charset, single)) => Self::Table((single.encoder)(charset.member)),
                None => Self::Other,
            },
        }
    }
}

/// Returns the code point at the start of UTF-8 and its length in bytes, or `None` if the text is
/// ill-formed or ends there.
#[inline(always)]
fn first(src: &[u8]) -> Option<(CodePoint, usize)> {
    match *src {
        [a @ 0xC2..=0xDF, b @ 0x80..=0xBF, ..] => {
            Some((CodePoint::from_u16(u16::from(a & 0x1F) << 6 | u16::from(b & 0x3F)), 2))
        }
        [] => None,
        _ => match utf8::decode_step(src) {
            Step::CodePoint { value, len } => Some((value, len)),
            _ => None,
        },
    }
}

/// Writes one byte if there is room for it.
#[inline(always)]
fn put<U: CodeUnit>(byte: u8, room: &mut [U]) -> EncodeStep {
    match bytes_of_mut(room).first_mut() {
        Some(slot) => {
            *slot = byte;
            EncodeStep::Written(1)
        }
        None => EncodeStep::NoRoom,
    }
}

impl<F: Form, T: Form> Core<F, T> {
    /// Converts UTF-8, with the substitute that `substitutes` gives for each code point that the
    /// target lacks. The last step wrote such a substitute, of `len` bytes.
    #[inline(never)]
    pub(super) fn substitute_many(
        &mut self,
        text: &mut Text<'_, F::Unit, T::Unit>,
        substitutes: Substitutes,
        mut len: usize,
    ) {
        let pair = Pair::of::<F, T>(&self.from, &self.to);
        // A substitute of ASCII text must be the same bytes in the target, apart from some.
        let facts = T::facts(&self.to);
        let not_ascii = facts.ascii_but.filter(|_| facts.takes_escapes);
        let is_readable = matches!(substitutes, Substitutes::Same) || not_ascii.is_some();
        let is_plain = T::Unit::BYTES == 1 && pair.to.is_stateless() && self.escapes.len == 0;
        if pair.from != Bulk::Utf8 || !is_plain || !is_readable {
            return;
        }
        let mut substitute = [0; MAX_TEXT_BYTES];
        let Some(same) = substitute.get_mut(..len) else { return };
        same.copy_from_slice(bytes_of(&text.dst[text.written - len..text.written]));
        let (start, bytes) = ((text.read, text.written), Bytes::of(pair.to));
        let (mut decoded, mut lacking, mut held) = (0, 0, 0);
        while let Some((c, read)) = first(bytes_of(text.rest())) {
            let room = text.room();
            let encoded = match &bytes {
                Bytes::Below(limit) if c.value() < *limit => put(c.value().to_le_bytes()[0], room),
                Bytes::Below(_) => EncodeStep::Unmappable(UnmappableKind::NotInRepertoire),
                Bytes::Table(encoder) => match encoder.byte_of(c.value()) {
                    Some(byte) => put(byte, room),
                    None => EncodeStep::Unmappable(UnmappableKind::NotInRepertoire),
                },
                Bytes::Other => T::encode_step(&mut self.to, c, room),
            };
            let written = match encoded {
                EncodeStep::NoRoom => break,
                EncodeStep::Written(written) => {
                    held += 1;
                    written
                }
                EncodeStep::Unmappable(_) => {
                    if let Substitutes::Ascii(text_of) = substitutes {
                        let Some(made) = text_of(c, &mut substitute) else { break };
                        let is_other = |byte| not_ascii.is_some_and(|not_ascii| not_ascii.contains(byte));
                        if substitute.iter().take(made).any(is_other) {
                            break;
                        }
                        len = made;
                    }
                    let room = bytes_of_mut(text.room());
                    match room.first_chunk_mut() {
                        Some(room) => *room = substitute,
                        None => {
                            let Some(room) = room.get_mut(..len) else { break };
                            room.copy_from_slice(&substitute[..len]);
                        }
                    }
                    lacking += 1;
                    held = 0;
                    len
                }
            };
            text.advance(Moved { read, written });
            decoded += 1;
            if held == MAPPABLE_IN_A_ROW {
                held = 0;
                self.by_kernel(pair, text, text.src.len());
            }
        }
        self.tally.unmappable.count += lacking;
        self.tally.decoded(|| decoded);
        work::add(text.read - start.0 + text.written - start.1);
    }
}
