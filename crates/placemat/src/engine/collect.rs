//! Conversion of whole texts into a `Vec` that grows as needed.

use super::at_once::at_once;
use super::{Progress, Status};
use crate::checked;
use crate::forms::encoding::Encoding;
use crate::forms::form::Bulk;
use crate::ground::error::{ConvertError, Unmappable, UnmappableKind};
use crate::ground::policy::{CodePoints, OnUnmappable, Substitute};
use crate::ground::unit::CodeUnit;
use alloc::string::String;
use alloc::vec::Vec;

/// Texts up to this length, and the starts of longer ones, are converted on the stack.
const SHORT: usize = 256;

/// Converts the start of a text between UTF-8 and an encoding without states, up to the first place where there may be
/// something to decide. Returns the result and the number of bytes read; nothing for other encodings.
///
/// A short result is made on the stack, where room for the most that it can become costs little. From a longer text, the
/// first 256 bytes say how much room the rest takes.
#[inline]
pub(crate) fn start(from: Encoding, to: Encoding, src: &[u8]) -> (Vec<u8>, usize) {
    match src.len() {
        0..=16 => start_in(&mut [0; 4 * 16], from, to, src),
        17..=64 => start_in(&mut [0; 4 * 64], from, to, src),
        65..=SHORT => start_in(&mut [0; 4 * SHORT], from, to, src),
        len => {
            let (mut out, read) = start_in(&mut [0; 4 * SHORT], from, to, &src[..SHORT]);
            let written = out.len();
            if read == 0 {
                return (out, 0);
            }
            // An eighth more, for text that becomes longer further on.
            let rest = ((len - read) / read + 1).saturating_mul(written);
            out.resize(written + rest + rest / 8, 0);
            let moved = at_once(from.bulk(), to.bulk(), &src[read..], &mut out[written..]);
            out.truncate(written + moved.written);
            (out, read + moved.read)
        }
    }
}

/// Decodes the start of a text as [`start`] does.
#[inline]
pub(crate) fn decode_start(from: Encoding, src: &[u8]) -> (String, usize) {
    if let Bulk::Charset(charset) = from.bulk()
        && let Some(single) = charset.single()
        && src.len() > SHORT
    {
        return checked::decode_single_bytes((single.decoder)(charset.member), src);
    }
    let (bytes, read) = start(from, Encoding::UTF_8, src);
    (checked::string(bytes), read)
}

#[inline(always)]
fn start_in(room: &mut [u8], from: Encoding, to: Encoding, src: &[u8]) -> (Vec<u8>, usize) {
    let moved = at_once(from.bulk(), to.bulk(), src, room);
    (room[..moved.written].to_vec(), moved.read)
}

/// Bytes after a code point that the target lacks in which the next one often is: kernels do so few one by one.
const NEAR: usize = 15;
/// Room that kernels like to have beyond a result.
const BEYOND: usize = 64;

/// Goes on with a text after the first `read` bytes of it, in an encoding without states: puts what the policy says for
/// each code point that the encoding lacks. Returns where it stops: at the end, or before what the engine has to see,
/// which is all that a policy says and that is not text in the encoding.
///
/// Russian in windows-1252 with references takes the engine 1.4 times as long, 16 KB with one in a hundred 1.5 times
/// (2026-11-23).
#[inline]
pub(crate) fn substitute(
    encoding: Encoding,
    text: &str,
    mut read: usize,
    out: &mut Vec<u8>,
    on_unmappable: &mut dyn OnUnmappable,
) -> Result<usize, Unmappable> {
    let bulk = encoding.bulk();
    if !bulk.is_stateless() || !stops_at_lacks(bulk) {
        return Ok(read);
    }
    // A character of two bytes may have four, as é in gb18030; none of three has more.
    let most = if encoding.max_bytes() == 1 { 1 } else { 2 };
    let mut written = out.len();
    // Converts what the encoding has of the bytes, with room for all of them.
    let mut put = |bytes: &[u8], written: usize| {
        let room = written + most * bytes.len() + BEYOND;
        if out.len() < room {
            out.resize(room + bytes.len() / 2, 0);
        }
        at_once(Bulk::Utf8, bulk, bytes, &mut out[written..])
    };
    let src = text.as_bytes();
    loop {
        let near = src.len().min(read + NEAR);
        let moved = put(&src[read..near], written);
        (read, written) = (read + moved.read, written + moved.written);
        // The end of the near bytes may cut a character off.
        if read + 3 >= near && read < src.len() {
            let moved = put(&src[read..], written);
            (read, written) = (read + moved.read, written + moved.written);
        }
        let Some(c) = text[read..].chars().next() else { break };
        let kind = encoding.repertoire().check(c.into()).err().unwrap_or(UnmappableKind::NotHeld);
        let unmappable = Unmappable::new(read as u64, c.into(), kind);
        let mut array = [0; 4 * CodePoints::MAX];
        let bytes = match on_unmappable.handle(&unmappable) {
            Substitute::Stop => return Err(unmappable),
            Substitute::Text(text) => text.text().as_bytes(),
            Substitute::CodePoints(all) => match utf8_of(&all, &mut array) {
                Some(bytes) => bytes,
                None => break,
            },
            _ => break,
        };
        // If the encoding lacks some of it, the engine says so.
        let moved = put(bytes, written);
        if moved.read < bytes.len() {
            break;
        }
        (read, written) = (read + c.len_utf8(), written + moved.written);
    }
    out.truncate(written);
    Ok(read)
}

/// Whether [`at_once`] stops only where the encoding lacks a character, and not for want of tables, which another thread may
/// make at any time.
#[inline]
fn stops_at_lacks(bulk: Bulk) -> bool {
    match bulk {
        Bulk::Charset(charset) => (charset.functions.stops_at_lacks)(charset.member),
        _ => true,
    }
}

/// The code points as UTF-8, if all are scalar values.
fn utf8_of<'a>(all: &CodePoints, array: &'a mut [u8; 4 * CodePoints::MAX]) -> Option<&'a [u8]> {
    let mut len = 0;
    for c in all.as_slice() {
        len += c.to_char()?.encode_utf8(array.get_mut(len..)?).len();
    }
    array.get(..len)
}

/// Calls `run` until it is done, with room that grows as needed.
pub(crate) fn collect<F, T: CodeUnit>(
    src: &[F],
    run: impl FnMut(&[F], &mut [T]) -> Progress,
) -> Result<Vec<T>, ConvertError> {
    collect_after(Vec::new(), src, run)
}

/// Calls `run` as [`collect`] does and appends to `out`.
pub(crate) fn collect_after<F, T: CodeUnit>(
    mut out: Vec<T>,
    src: &[F],
    mut run: impl FnMut(&[F], &mut [T]) -> Progress,
) -> Result<Vec<T>, ConvertError> {
    let mut room = src.len() + 16;
    let before = out.len();
    let (mut read, mut written) = (0, 0);
    loop {
        out.resize(before + written + room, T::default());
        let p = run(&src[read..], &mut out[before + written..]);
        read += p.read;
        written += p.written;
        match p.status {
            Status::Done | Status::NeedInput => break,
            // The next unit of output is written whole or not at all, so it may need more room than there was.
            Status::NeedOutput if p.read == 0 && p.written == 0 => room = room.saturating_mul(2),
            Status::NeedOutput => {
                // Enough for the rest of the source at the rate so far, but at most as much again as there is: a few
                // long replacements at the start may have raised the rate.
                let rate = written / read.max(1) + 1;
                room = (src.len() - read).saturating_mul(rate).min(out.len()).max(64);
            }
            Status::IllFormed(e) => return Err(e.into()),
            Status::Unmappable(e) => return Err(e.into()),
        }
    }
    out.truncate(before + written);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::hub::Mode;
    use crate::engine::{Extent, any};
    use crate::kernels::portable::samples::Numbers;
    use crate::policy::{ErrorPolicy, UnmappablePolicy};

    #[test]
    fn references_are_for_what_an_encoding_lacks_and_nothing_else() {
        let letters: Vec<char> = "aZ \\~é߀д“ｱ日本漢字한😀\u{E5E5}".chars().collect();
        let mut numbers = Numbers::new(12);
        // In the first round some tables do not exist yet, and come to exist at any call.
        for _ in 0..20 {
            for &encoding in Encoding::ALL {
                let len = [3, 12, 40, 400][numbers.below(4)];
                let often = if numbers.below(2) == 0 { 3 } else { letters.len() };
                let text: String = (0..len)
                    .map(|_| {
                        let some = if numbers.below(8) == 0 { letters.len() } else { often };
                        letters[numbers.below(some)]
                    })
                    .collect();
                let policy = UnmappablePolicy::XmlReference;
                let mut driver = any::To::new(Mode::Utf8, encoding);
                driver.begin(0, false);
                let (mut replace, mut on_unmappable) = (ErrorPolicy::Replace, policy);
                let by_steps = collect_after(Vec::new(), text.as_bytes(), |src, dst| {
                    driver.run(src, dst, true, Extent::All, &mut replace, &mut on_unmappable)
                });
                assert_eq!(
                    encoding.encode(&text, policy).ok().as_deref(),
                    by_steps.ok().as_deref(),
                    "{encoding:?} {text}"
                );
            }
        }
    }
}
