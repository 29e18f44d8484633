//! A trial of another encoding: the text of the bytes in it, or the bytes that rule it out.

use crate::encodings::resolve;
use crate::json::Json;
use crate::scan::{BYTES_AFTER, BYTES_BEFORE};
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, IllFormed, UnmappablePolicy};
use placemat_diagnose::{Case, Diagnosis};

/// The number of code points of text that are shown.
const SHOWN: usize = 120;
/// The number of shown code points before the first non-ASCII byte.
const LED: usize = 24;

/// Reads `bytes` in `encoding`. `whole` means that the text ends with them.
#[must_use]
pub fn trial(encoding: Encoding, bytes: &[u8], whole: bool) -> String {
    let focus = bytes.iter().position(|&byte| byte >= 0x80 || byte == 0x1B || byte == b'+' || byte == b'~');
    let mut decoder = Transcoder::new(encoding, Encoding::UTF_8)
        .ending_shifted()
        .on_error(ErrorPolicy::Stop)
        .on_unmappable(UnmappablePolicy::Replace);
    let mut text = Vec::new();
    let mut room = vec![0; 64 * 1024];
    let mut fed = 0;
    let mut at = None;
    let error = loop {
        let pause = focus.filter(|&focus| at.is_none() && focus > fed).unwrap_or(bytes.len());
        let last = whole && pause == bytes.len();
        let p = decoder.convert(&bytes[fed..pause], &mut room, last);
        fed += p.read;
        text.extend_from_slice(&room[..p.written]);
        match p.status {
            Status::IllFormed(e) => break Some(e),
            Status::Done => break None,
            Status::NeedInput if pause == bytes.len() && !last => break None,
            Status::NeedInput => {}
            Status::NeedOutput | Status::Unmappable(_) => continue,
        }
        if fed == pause {
            at = at.or(Some(text.len()));
        }
    };
    let text = String::from_utf8(text).unwrap_or_default();
    let mut answer = Json::object();
    answer.string("name", encoding.name());
    if let Some(error) = error {
        ruled_out(&mut answer, encoding, bytes, &error);
    }
    let at = at.unwrap_or(0).min(text.len());
    let start = text[..at].char_indices().rev().nth(LED).map_or(0, |(start, _)| start);
    let mut shown: String = text[start..].chars().take(SHOWN).collect();
    let cut = start + shown.len() < text.len();
    if shown.len() > 4 * SHOWN {
        shown.clear();
    }
    answer
        .string("text", &shown)
        .raw("from", start > 0)
        .raw("cut", cut)
        .raw("codePoints", text.chars().count())
        .raw("controls", text.chars().filter(|&c| is_control(c)).count())
        .string("same", &format!("{:016x}", fnv(text.as_bytes())));
    answer.end_object()
}

fn ruled_out(answer: &mut Json, encoding: Encoding, bytes: &[u8], error: &IllFormed) {
    let start = usize::try_from(error.offset()).unwrap_or(0).min(bytes.len());
    let before = &bytes[start.saturating_sub(BYTES_BEFORE)..start];
    let following = &bytes[start..bytes.len().min(start + error.len() + BYTES_AFTER)];
    let mut diagnosis = Diagnosis::default();
    diagnosis.make(&Case { before, following, ..Case::new(error, resolve(encoding, bytes)) });
    let mut message = String::new();
    diagnosis.write_message(error.offset(), &mut message);
    answer
        .raw("offset", error.offset())
        .hex("bytes", &following[..diagnosis.extent.min(following.len())])
        .string("kind", error.code())
        .string("message", &message);
}

/// Returns `true` for controls that text hardly ever contains.
fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\x0C')
}

/// Computes an FNV-1a hash, which shows which encodings read the bytes alike.
fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}
