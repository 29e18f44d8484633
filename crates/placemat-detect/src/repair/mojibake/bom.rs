//! The signature of UTF-8 that was read as another encoding: `ï»¿` at the start of a text, or of one that was joined to it.

use super::super::change::Step;
use super::super::edits::{Edit, Why};
use super::pages;
use alloc::string::String;
use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_core::ground::once::Lazy;
use placemat_core::policy::ErrorPolicy;

/// The confidence: no line of a language begins so.
const CONFIDENCE: f32 = 0.98;
/// The byte order mark U+FEFF in UTF-8.
const SIGNATURE: &[u8] = b"\xEF\xBB\xBF";

/// The signature as each page of single bytes reads it, the most usual pages first.
static READ: Lazy<Vec<(String, Encoding)>> = Lazy::new(|| {
    let mut all: Vec<(String, Encoding)> = Vec::new();
    for (page, _) in pages::SINGLE {
        if let Ok(text) = page.decode(SIGNATURE, ErrorPolicy::Stop)
            && all.iter().all(|known| known.0 != text)
        {
            all.push((text.into_owned(), page));
        }
    }
    all
});

/// The first two bytes of each of these, which few lines begin with.
static STARTS: Lazy<Vec<[u8; 2]>> =
    Lazy::new(|| READ.iter().filter_map(|(text, _)| text.as_bytes().first_chunk().copied()).collect());

/// Returns the signature in a page with which a line begins, and the page.
pub(super) fn start(line: &str) -> Option<&'static (String, Encoding)> {
    // Three non-ASCII code points, of two bytes at least.
    let &[first, second, ..] =
        line.as_bytes().first_chunk::<6>().filter(|bytes| !bytes.iter().any(u8::is_ascii))?;
    if !STARTS.contains(&[first, second]) {
        return None;
    }
    READ.iter().find(|(text, _)| line.starts_with(text))
}

/// Returns `true` if a line begins so at an offset of a text.
pub(super) fn begins_at(text: &str, at: usize) -> bool {
    let is_start = at.checked_sub(1).is_none_or(|before| matches!(text.as_bytes()[before], b'\n' | b'\r'));
    is_start && start(&text[at..]).is_some()
}

/// Returns `true` if a reading takes the signature in a page for something else.
pub(super) fn is_misread(old: &[u32], new: &[u32]) -> bool {
    let begins = |line: &[u32], text: &str| {
        let mut line = line.iter();
        text.chars().all(|c| line.next() == Some(&u32::from(c)))
    };
    // The signature is not ASCII in any page.
    let beyond = |line: &[u32]| (0..line.len()).filter(|&at| line[at] >= 0x80).collect::<Vec<_>>();
    let has = |line: &[u32], text: &str| beyond(line).into_iter().any(|at| begins(&line[at..], text));
    !new.contains(&0xFEFF)
        && beyond(old)
            .into_iter()
            .any(|at| READ.iter().any(|(text, _)| begins(&old[at..], text) && !has(new, text)))
}

/// Restores the signature at the start of a line.
pub(super) fn read(line: &str) -> Option<(String, Vec<Edit>)> {
    let (text, page) = start(line)?;
    let rest = &line[text.len()..];
    let why = Why { confidence: CONFIDENCE, ..Why::certain(Step::Mojibake, &[*page]) };
    let restored = String::from('\u{FEFF}') + rest;
    Some((restored, Vec::from([Edit { before: 0..text.len(), after: 0..SIGNATURE.len(), why }])))
}
