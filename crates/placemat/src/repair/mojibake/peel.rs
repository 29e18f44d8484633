//! Takes off one layer: the code points of a line become the bytes of a page, and those UTF-8.

use super::gaps::{Choices, Gap, MAX_CHOICES};
use super::line::Line;
use super::pages::{Double, Member, Singles};
use super::scorer::is_unknown;
use super::symbols;
use alloc::vec::Vec;

/// How to take U+0020 after a lead byte, where a program may have put it for U+00A0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spaces {
    /// As a space.
    Stay,
    /// As the continuation byte A0, and as the space after it.
    Join,
    /// As the continuation byte A0 alone.
    Replace,
    /// As any byte that a program may have dropped or replaced: see [`gaps`](super::gaps).
    Fill,
    /// As the last byte of a dagger, which otherwise counts as a quotation mark without its last byte.
    Dagger,
}

/// A line without a layer.
#[derive(Clone, Debug, Default)]
pub(super) struct Peeled {
    pub(super) line: Line,
    /// Sequences of UTF-8 that were found.
    pub(super) sequences: usize,
    /// Code points that they use up.
    pub(super) used: usize,
    /// Code points beyond ASCII that stay as they are.
    pub(super) left: usize,
    /// C1 controls that stand for bytes which the page gives another meaning.
    pub(super) controls: usize,
    /// Something was guessed.
    pub(super) lossy: bool,
    /// The symbols of which the last byte is a space in the line.
    pub(super) guessed_symbols: usize,
    /// The places at which it is still open what the text is.
    pub(super) gaps: Vec<Gap>,
}

/// The sequences in a line that show that box drawing in it is none either.
const MIN_TEXT_SEQUENCES: usize = 12;

/// The bytes of a line's code points in the pages of single bytes.
pub(super) fn members(line: &Line) -> Vec<&'static Member> {
    let singles = Singles::get();
    line.text.iter().map(|&c| singles.member(c)).collect()
}

/// Takes a layer off `range` of a line, by a page of single bytes. `members` are those of its code points. `None` if there is
/// no sequence in it.
pub(super) fn single(
    line: &Line,
    members: &[&Member],
    range: core::ops::Range<usize>,
    page: usize,
    spaces: Spaces,
) -> Option<Peeled> {
    let mut frames = 0;
    let peeled = runs(line, members, range.clone(), page, spaces, Some(&mut frames))?;
    if frames > 0 && peeled.sequences >= MIN_TEXT_SEQUENCES * frames {
        return runs(line, members, range, page, spaces, None);
    }
    Some(peeled)
}

/// Takes a layer off the runs of a line. Runs that look like frames stay, and are counted, if `framed` is given.
fn runs(
    line: &Line,
    members: &[&Member],
    range: core::ops::Range<usize>,
    page: usize,
    spaces: Spaces,
    mut framed: Option<&mut usize>,
) -> Option<Peeled> {
    let pages = Singles::get();
    let bit = 1_u64 << page;
    let text = &line.text;
    let byte = |at: usize| members.get(at).map_or(0, |member| member.bytes[page]);
    let mut new = Line { text: Vec::with_capacity(text.len()), origin: Vec::with_capacity(text.len()) };
    new.copy(line, 0..range.start);
    let mut all = Peeled::default();
    // Sequences that end with a space, and code points in damaged runs that belong to none.
    let (mut guessed, mut broken) = (0, 0);
    let mut at = range.start;
    while at < range.end {
        if text[at] < 0x80 {
            let end = text[at..range.end].iter().position(|&c| c >= 0x80).map_or(range.end, |len| at + len);
            new.copy(line, at..end);
            at = end;
            continue;
        }
        // One run beyond ASCII.
        let start = at;
        let mark = new.text.len();
        let (mut sequences, mut used, mut left, mut controls, mut lossy, mut boxes) = (0, 0, 0, 0, false, 0);
        let first_gap = all.gaps.len();
        while at < range.end && text[at] >= 0x80 {
            let lead = byte(at);
            let len = match lead {
                0xC2..=0xDF => 2,
                0xE0..=0xEF => 3,
                0xF0..=0xF4 => 4,
                _ => {
                    left += 1;
                    new.push(text[at], line.origin[at]);
                    at += 1;
                    continue;
                }
            };
            let mut value = u32::from(lead) & (0xFF >> (len + 1));
            let mut found = 1;
            let (mut by_space, mut gone) = (false, false);
            for next in at + 1..at + len {
                let continuation = match text.get(next) {
                    None => break,
                    Some(0xFFFD) if pages.holes & bit != 0 => {
                        gone = true;
                        0x80
                    }
                    Some(0x20)
                        if !matches!(spaces, Spaces::Stay | Spaces::Fill)
                            && pages.no_break_space & bit != 0
                            // A quotation mark without its last byte is more frequent than a dagger.
                            && (spaces == Spaces::Dagger || (lead, found, value) != (0xE2, 2, 0x80)) =>
                    {
                        by_space = true;
                        0xA0
                    }
                    Some(_) => match byte(next) {
                        continuation @ 0x80..=0xBF => continuation,
                        _ => break,
                    },
                };
                value = value << 6 | u32::from(continuation & 0x3F);
                found += 1;
            }
            let origin = line.origin[at];
            if spaces == Spaces::Fill && (found < len || gone) {
                let rest = &text[at + 1..text.len().min(at + len)];
                let known: Vec<u8> = (at..at + len).map(byte).collect();
                if let Some((choices, taken)) = choices(&known, rest, pages.lost[page]) {
                    let source = text[at..at + taken].to_vec();
                    all.gaps.push(Gap { at: new.text.len(), choices, source, origin });
                    sequences += 1;
                    used += taken;
                    lossy = true;
                    at += taken;
                    continue;
                }
            }
            if found == len && gone {
                new.push(0xFFFD, origin);
                lossy = true;
                used += len;
                at += len;
                continue;
            }
            let least = [0, 0, 0x80, 0x800, 0x1_0000][len];
            if found == len && (0xD800..0xDC00).contains(&value) && byte(at + 3) == 0xED {
                // A surrogate pair, each half in a sequence of three bytes.
                if let (low @ 0xB0..=0xBF, last @ 0x80..=0xBF) = (byte(at + 4), byte(at + 5)) {
                    let low = u32::from(low & 0xF) << 6 | u32::from(last & 0x3F);
                    new.push(0x1_0000 + ((value - 0xD800) << 10) + low, origin);
                    sequences += 1;
                    used += 6;
                    at += 6;
                    continue;
                }
            }
            if found == len && value >= least && char::from_u32(value).is_some() {
                new.push(value, origin);
                let sources = &text[at..at + len];
                for &c in sources {
                    let control = (0x80..0xA0).contains(&c) && pages.defines_c1[page] >> (c & 0x1F) & 1 != 0;
                    controls += usize::from(control);
                }
                let around = [at.wrapping_sub(1), at + len];
                if sources.iter().all(|&c| is_box(c))
                    && around.iter().any(|&at| text.get(at).is_some_and(|&c| is_box(c)))
                {
                    boxes += 1;
                }
                if by_space {
                    lossy = true;
                    guessed += 1;
                    all.guessed_symbols += usize::from(symbols::is_symbol(value));
                    if spaces == Spaces::Join && len == 2 && text.get(at + 2).is_some_and(|&c| c != 0x20) {
                        new.push(0x20, line.origin.get(at + 1).copied().unwrap_or(origin));
                    }
                }
                sequences += 1;
                used += len;
                at += len;
                continue;
            }
            if !matches!(spaces, Spaces::Stay | Spaces::Fill)
                && (lead, found, value) == (0xE2, 2, 0x80)
                && may_end_quotation(at.checked_sub(1).map(|at| text[at]), text.get(at + 2).copied())
            {
                // The closing quotation mark, whose last byte has no meaning in windows-1252.
                new.push(0x201D, origin);
                sequences += 1;
                used += 2;
                lossy = true;
                at += 2;
                continue;
            }
            new.push(text[at], origin);
            left += 1;
            at += 1;
        }
        let at = at.min(range.end);
        let run = &text[start..at];
        let frames = run.iter().filter(|&&c| is_frame(c)).count();
        // Inside a word there is no frame: its sequences are letters.
        let is_letter = |&c: &u32| c < 0x80 && char::from_u32(c).is_some_and(|c| c.is_ascii_lowercase());
        let glued =
            left == 0 && start.checked_sub(1).is_some_and(|at| is_letter(&text[at])) && run.len() <= 4;
        let is_framed = boxes > 0 && run.iter().all(|&c| is_box(c)) && frames * 5 > run.len() * 2 && !glued;
        if is_framed && let Some(framed) = &mut framed {
            **framed += 1;
        }
        if sequences == 0 && !lossy || left > used || is_framed && framed.is_some() {
            // This run stays.
            all.gaps.truncate(first_gap);
            new.truncate(mark);
            new.copy(line, start..at);
            all.left += at - start;
        } else {
            all.sequences += sequences;
            all.used += used;
            all.left += left;
            broken += left;
            all.controls += controls;
            all.lossy |= lossy;
        }
    }
    // A program that makes spaces of U+00A0 damages nothing else: other gaps say that what stood before the spaces is lost.
    if all.sequences == 0 || broken * 2 > guessed && guessed > 0 {
        return None;
    }
    let end = at.max(range.end);
    new.copy(line, end.min(text.len())..text.len());
    all.line = new;
    Some(all)
}

/// The texts that a sequence may have been which lacks one byte, each with its nats, and how many code points of the text were
/// it. `known` are the bytes of its first code points, 0 for those that are none in the page, and `rest` the code points after
/// its first. `lost` are the continuation bytes that a program may have dropped.
fn choices(known: &[u8], rest: &[u32], lost: u64) -> Option<(Choices, usize)> {
    /// Nats for U+00A0, where a space stands in its place.
    const SPACE_NATS: f32 = 3.0;
    /// Nats for a quotation mark that was made straight.
    const STRAIGHT_NATS: f32 = 0.0;
    let len = known.len();
    let is_continuation = |byte: &&u8| (0x80..0xC0).contains(*byte);
    let held = 1 + known.iter().skip(1).take_while(is_continuation).count();
    // A sign that stands for the byte, after which the sequence may go on; or nothing.
    let sign = rest.get(held - 1).copied();
    let is_sign = matches!(sign, Some(0xFFFD | 0x3F));
    let after = if is_sign { known.iter().skip(held + 1).take_while(is_continuation).count() } else { 0 };
    if held + after + 1 != len {
        return None;
    }
    let mut choices: Choices = Vec::new();
    let mut add = |bytes: &[u8], kept: Option<u32>, nats: f32| {
        let Some(c) = core::str::from_utf8(bytes).ok().and_then(|text| text.chars().next()) else { return };
        let c = u32::from(c);
        if choices.len() < MAX_CHOICES && !is_unknown(c) && !(0x80..0xA0).contains(&c) {
            let text: Vec<u32> = core::iter::once(c).chain(kept).collect();
            if !choices.iter().any(|choice| choice.0 == text) {
                choices.push((text, nats));
            }
        }
    };
    let with = |at: usize, byte: u8| {
        let mut bytes: Vec<u8> = known.to_vec();
        if is_sign {
            bytes[at] = byte;
        } else {
            bytes.insert(at, byte);
            bytes.truncate(len);
        }
        bytes
    };
    // A line that ends here was cut: what stood there is anyone's guess.
    if !is_sign && matches!(sign, None | Some(0x0A | 0x0D)) {
        return None;
    }
    let is_space = sign == Some(0x20);
    // Quotation marks of the page that a program made straight.
    let straight: &[u8] = match sign {
        Some(0x27) => &[0x91, 0x92],
        Some(0x22) => &[0x93, 0x94],
        _ => &[],
    };
    let kept = sign.filter(|_| is_space || !straight.is_empty());
    let places = if is_sign { held..held + 1 } else { 1..held + 1 };
    for at in places {
        for byte in (0x80..0xC0_u8).filter(|byte| lost >> (byte & 0x3F) & 1 != 0) {
            add(&with(at, byte), kept, 0.0);
        }
    }
    let mut taken = held + usize::from(is_sign) + after;
    if is_space && lost >> 0x20 & 1 != 0 {
        let bytes = with(held, 0xA0);
        add(&bytes, None, SPACE_NATS);
        // The space after it may be gone too, but not if one is there.
        if rest.get(held) != Some(&0x20) {
            add(&bytes, kept, SPACE_NATS);
        }
    }
    for &byte in straight {
        add(&with(held, byte), None, STRAIGHT_NATS);
    }
    taken += usize::from(kept.is_some());
    if known[0] == 0xC2 && !is_space {
        // What stood there was a control of a layer below, or invisible.
        choices.insert(0, (Vec::new(), 0.0));
    }
    (!choices.is_empty()).then_some((choices, taken))
}

/// Takes a layer off `range` of a line, by a double-byte page. Only runs that are well-formed as a whole count.
pub(super) fn double(line: &Line, range: core::ops::Range<usize>, number: usize) -> Option<Peeled> {
    let page = Double::get(number);
    let text = &line.text;
    let mut new = Line::default();
    new.copy(line, 0..range.start);
    let mut all = Peeled::default();
    let mut bytes = Vec::new();
    let mut at = range.start;
    while at < range.end {
        if text[at] < 0x80 {
            new.push(text[at], line.origin[at]);
            at += 1;
            continue;
        }
        let start = at;
        bytes.clear();
        let mut held = true;
        while at < range.end && text[at] >= 0x80 && text[at] != 0xFFFD {
            match page.bytes(text[at]).to_be_bytes() {
                [0, 0] => held = false,
                [0, byte] => bytes.push(byte),
                code => bytes.extend_from_slice(&code),
            }
            at += 1;
        }
        // A question mark or U+FFFD stands for a last sequence that was no text in the page.
        let cut = matches!(text.get(at), Some(0x3F | 0xFFFD));
        let (whole, lossy) = match core::str::from_utf8(&bytes) {
            _ if !held => ("", false),
            Ok(whole) => (whole, false),
            Err(e) if cut && e.error_len().is_none() && e.valid_up_to() >= 4 => {
                (core::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default(), true)
            }
            Err(_) => ("", false),
        };
        if at == start {
            at += 1;
        }
        let sequences = whole.chars().filter(|c| !c.is_ascii()).count();
        if sequences == 0 {
            all.left += at - start;
            new.copy(line, start..at);
            continue;
        }
        for c in whole.chars() {
            new.push(c.into(), line.origin[start]);
        }
        if lossy {
            new.push(0xFFFD, line.origin[start]);
            all.lossy = true;
            at += 1;
        }
        all.sequences += sequences;
        all.used += at - start;
    }
    if all.sequences == 0 || all.left > all.used {
        return None;
    }
    new.copy(line, at.min(text.len())..text.len());
    all.line = new;
    Some(all)
}

/// Whether a closing quotation mark can stand between these code points. A straight mark after it would be its last byte, in
/// a text whose curly marks were made straight.
fn may_end_quotation(before: Option<u32>, after: Option<u32>) -> bool {
    before.is_some_and(|c| !matches!(c, 0..=0x20 | 0x28 | 0x5B | 0x7B | 0xA0))
        && after.is_none_or(|c| c < 0x80 && !matches!(c, 0x22 | 0x27))
}

/// Box drawing and block elements.
pub(super) const fn is_box(c: u32) -> bool {
    matches!(c, 0x2500..=0x259F)
}

/// The lines that frames are drawn with.
pub(super) const fn is_frame(c: u32) -> bool {
    matches!(c, 0x2500 | 0x2501 | 0x2502 | 0x2503 | 0x2550 | 0x2551)
}
