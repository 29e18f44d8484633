//! The lower half of the code page of UTF-8: which blocks each lead byte begins, which scripts each length holds, which second
//! bytes are limited, and why some bytes are in no text.

use super::bytes::Bytes;
use super::well_formed::{counts, errors, rows};
use crate::palette::Palette;
use crate::shown::{SCREEN, grouped, wrap};
use core::cmp::Reverse;
use core::fmt::Write as _;
use unicode_script::{Script, UnicodeScript as _};

/// More blocks of one lead byte are counted instead of listed.
const MAX_LISTED_BLOCKS: usize = 5;
/// The scripts that are listed for one length.
const MAX_LISTED_SCRIPTS: usize = 9;

/// Appends the whole lower half.
pub(super) fn push(to: &mut String, bytes: &Bytes, styles: &Palette) {
    push_blocks(to, bytes, styles);
    push_scripts(to, styles);
    push_limits(to);
    push_counts(to);
}

/// Returns the reason why UTF-8 never uses a byte; `None` if it does.
pub(super) const fn reason(byte: u8) -> Option<&'static str> {
    match byte {
        0xC0..=0xC1 => Some("overlong: would begin two bytes for one of ASCII"),
        0xF5..=0xF7 => Some("beyond U+10FFFF"),
        0xF8..=0xFB => Some("began five bytes until 2003"),
        0xFC..=0xFD => Some("began six bytes until 2003"),
        0xFE..=0xFF => Some("never assigned; both are in the signature of UTF-16"),
        _ => None,
    }
}

/// Returns the names of the blocks of the code points whose first byte this is.
pub(super) fn blocks_of(bytes: &Bytes, first: u8) -> Vec<&'static str> {
    let single = bytes.single[usize::from(first)].iter().map(|c| (c.value(), c.value()));
    let long =
        bytes.sequences[usize::from(first)].iter().map(|all| (all.lowest.value(), all.highest.value()));
    let mut names = Vec::new();
    for (lowest, highest) in single.chain(long) {
        let mut next = lowest;
        while next <= highest {
            let block = char::from_u32(next).and_then(unicode_blocks::find_unicode_block);
            names.extend(block.map(|block| block.name()));
            // Every block begins at a multiple of sixteen.
            next = block.map_or(next | 0xF, |block| block.end()) + 1;
        }
    }
    names
}

fn push_blocks(to: &mut String, bytes: &Bytes, styles: &Palette) {
    let dim = styles.dim;
    _ = writeln!(to, "\n{dim}lead    blocks{dim:#}");
    let all: Vec<_> = (0..=u8::MAX).map(|byte| blocks_of(bytes, byte)).collect();
    let mut first = 0;
    for group in all.chunk_by(|a, b| a == b) {
        let last = first + group.len() - 1;
        let blocks = &group[0];
        let text = match &blocks[..] {
            [] => "no block yet".into(),
            [from, .., last] if blocks.len() > MAX_LISTED_BLOCKS => {
                format!("{from} to {last}, {} blocks", blocks.len())
            }
            _ => blocks.join(", "),
        };
        if bytes.is_first(first) {
            let leads =
                if first == last { format!("{first:02X}") } else { format!("{first:02X}..{last:02X}") };
            push_wrapped(to, &leads, &text);
        }
        first = last + 1;
    }
}

/// Two columns, the second of which may take several lines.
fn push_wrapped(to: &mut String, left: &str, text: &str) {
    for (number, line) in wrap(text, 0, SCREEN - 8).into_iter().enumerate() {
        _ = writeln!(to, "{:8}{line}", if number == 0 { left } else { "" });
    }
}

/// The scripts of the characters of each length, the largest first. Code points without a character have none.
fn push_scripts(to: &mut String, styles: &Palette) {
    let dim = styles.dim;
    _ = writeln!(to, "\n{dim}length  scripts, with their characters{dim:#}");
    let lengths = [0..0x80, 0x80..0x800, 0x800..0x1_0000, 0x1_0000..0x11_0000];
    for (len, range) in (1..).zip(lengths) {
        let mut counts = [0_u64; 256];
        let mut scripts: Vec<Script> = Vec::new();
        for c in range.filter_map(char::from_u32) {
            let script = c.script();
            let count = &mut counts[usize::from(script as u8)];
            if *count == 0 {
                scripts.push(script);
            }
            *count += 1;
        }
        scripts.retain(|script| *script != Script::Unknown);
        let no_script = [Script::Common, Script::Inherited];
        let of = |script: &Script| counts[usize::from(*script as u8)];
        let shared: u64 = no_script.iter().map(of).sum();
        scripts.retain(|script| !no_script.contains(script));
        scripts.sort_by_key(|script| (Reverse(of(script)), script.full_name()));
        let mut parts: Vec<String> = scripts
            .iter()
            .take(MAX_LISTED_SCRIPTS)
            .map(|script| format!("{} {}", script.full_name().replace('_', " "), grouped(of(script))))
            .collect();
        if scripts.len() > MAX_LISTED_SCRIPTS {
            parts.push(format!("{} other scripts", scripts.len() - MAX_LISTED_SCRIPTS));
        }
        parts.push(format!("shared by scripts {}", grouped(shared)));
        push_wrapped(to, &format!("{len:>6}"), &parts.join(", "));
    }
}

/// Appends the limits of the second byte, and the bytes that are in no text, with the reasons.
fn push_limits(to: &mut String) {
    to.push('\n');
    for row in rows().iter().filter(|row| row.is_limited()) {
        let Some(second) = &row.second else { continue };
        let why = match (row.len, second.start()) {
            (_, 0x81..) => "else overlong",
            (3, _) => "else a surrogate",
            _ => "else beyond U+10FFFF",
        };
        _ = writeln!(
            to,
            "byte 2 after {:02X}: {:02X}..{:02X}, {why}",
            row.first.start(),
            second.start(),
            second.end()
        );
    }
    let all: Vec<_> = (0..=u8::MAX).map(reason).collect();
    let mut first = 0;
    for group in all.chunk_by(|a, b| a == b) {
        let last = first + group.len() - 1;
        if let Some(reason) = group[0] {
            _ = writeln!(to, "{first:02X}..{last:02X} in no text: {reason}");
        }
        first = last + 1;
    }
}

/// Appends how many ill-formed sequences there are, and how many well-formed ones there were before 2003.
fn push_counts(to: &mut String) {
    let errors = errors();
    let [one, two, three] = errors.map(grouped);
    let all = grouped(errors.iter().sum());
    _ = writeln!(to, "ill-formed sequences: {one} of 1 byte, {two} of 2, {three} of 3: {all}");
    // The shortest forms by the pattern of bits.
    let [was_three, was_four] = [1_u64 << 16, 1 << 21].map(|all| all - all / 32);
    let [_, _, now_three, now_four] = counts();
    let gone = [(was_three, now_three, "3 bytes"), (was_four, now_four, "4 bytes, all of 5 and 6")];
    for (was, now, bytes) in gone {
        _ = writeln!(to, "gone since 2003: {} of {} sequences of {bytes}", grouped(was - now), grouped(was));
    }
}
