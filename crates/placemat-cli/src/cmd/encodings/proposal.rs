//! FSS-UTF as adopted beside the proposal that it replaced: the rows of both tables, and what a reader makes of their
//! bytes if it starts in the middle of a character.

use crate::shown::{SCREEN, push_hex, wrap};
use core::fmt::Write as _;
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
use serde_json::{Value, json};

/// The highest value of either form.
const MAX: u64 = 0x7FFF_FFFF;

/// One of the two forms.
struct Form {
    name: &'static str,
    encoding: Encoding,
    /// The first byte of a sequence of each length; the value has the bits marked `x`.
    first: &'static [&'static str],
    /// Each byte after the first.
    later: &'static str,
    /// Whether each row counts from the end of the row before, and not from 0.
    is_offset: bool,
}

const PROPOSAL: Form = Form {
    name: "proposal",
    encoding: Encoding::FSS_UTF_1992,
    first: &["0xxxxxxx", "10xxxxxx", "110xxxxx", "1110xxxx", "11110xxx"],
    later: "1xxxxxxx",
    is_offset: true,
};
const ADOPTED: Form = Form {
    name: "adopted",
    encoding: Encoding::UTF_8_31_BIT,
    first: &["0xxxxxxx", "110xxxxx", "1110xxxx", "11110xxx", "111110xx", "1111110x"],
    later: "10xxxxxx",
    is_offset: false,
};

/// The text that both readers start to read at its second byte. It has two bytes for each letter in both forms.
const SAMPLE: &str = "αβγδ";
const START: usize = 1;

/// The sequences of one length in one form.
struct Row {
    first: &'static str,
    bits: u32,
    /// The number that is added to the bits.
    offset: u64,
    lowest: u64,
    highest: u64,
}

impl Form {
    fn rows(&self) -> Vec<Row> {
        let free = |pattern: &str| pattern.bytes().map(|b| u32::from(b == b'x')).sum::<u32>();
        let mut rows = Vec::new();
        let (mut bits_after, mut lowest) = (0, 0);
        for &first in self.first {
            let bits = free(first) + bits_after;
            let offset = if self.is_offset { lowest } else { 0 };
            let highest = (offset + (1_u64 << bits) - 1).min(MAX);
            rows.push(Row { first, bits, offset, lowest, highest });
            bits_after += free(self.later);
            lowest = highest + 1;
        }
        rows
    }

    /// Returns the bytes of the sample from [`START`] on, in hex, and the text that a reader makes of them.
    fn read_from_the_middle(&self) -> (String, String) {
        let bytes = self.encoding.encode(SAMPLE, UnmappablePolicy::Stop).unwrap_or_default();
        let rest = bytes.get(START..).unwrap_or_default();
        let text = self.encoding.decode(rest, ErrorPolicy::Replace).map(|text| text.into_owned());
        let mut hex = String::new();
        push_hex(&mut hex, rest);
        (hex, text.unwrap_or_default())
    }
}

/// Returns `true` if an encoding is one of the two.
pub(super) fn is_about(encoding: Encoding) -> bool {
    [PROPOSAL.encoding, ADOPTED.encoding].contains(&encoding)
}

fn points(text: &str) -> Vec<String> {
    text.chars().map(|c| format!("U+{:04X}", u32::from(c))).collect()
}

/// Both tables side by side, and both readers.
pub(super) fn text() -> String {
    let mut to = format!(
        "Bytes after the first are {} in the proposal of 1992, {} as adopted:\n\n",
        PROPOSAL.later, ADOPTED.later
    );
    to += "   proposal                                  FSS-UTF as adopted\n";
    to += "   first    bits  counts from     up to      first    bits     up to\n";
    let (proposal, adopted) = (PROPOSAL.rows(), ADOPTED.rows());
    for (i, new) in adopted.iter().enumerate() {
        let old = proposal.get(i).map_or_else(String::new, |old| {
            format!("{} {:5} {:12X} {:9X}", old.first, old.bits, old.offset, old.highest)
        });
        _ = writeln!(to, "{}  {old:37}     {} {:5} {:9X}", i + 1, new.first, new.bits, new.highest);
    }
    _ = writeln!(to, "\nA reader that starts at the second byte of \"{SAMPLE}\":\n");
    for form in [PROPOSAL, ADOPTED] {
        let (bytes, text) = form.read_from_the_middle();
        _ = writeln!(to, "{:8}  {}  {}  {text}", form.name, bytes, points(&text).join(" "));
    }
    to.push('\n');
    for line in wrap(
        "In the proposal, each row counts from the end of the row before, so there are no overlong forms. But its later \
         bytes can begin a sequence too: a reader in the middle of a character takes letters for others and sees no \
         error, often up to the next ASCII byte. As adopted, no character begins with 10xxxxxx, so such a reader loses \
         one character.",
        0,
        SCREEN,
    ) {
        _ = writeln!(to, "{line}");
    }
    to
}

/// Returns the proposal as JSON, for programs.
pub(super) fn json() -> Value {
    let form = |form: &Form| {
        let rows = form.rows().into_iter().enumerate().map(|(i, row)| {
            let value = |value: u64| format!("{value:X}");
            json!({
                "bytes": i + 1, "first": row.first, "later": (i > 0).then_some(form.later), "bits": row.bits,
                "offset": value(row.offset), "lowest": value(row.lowest), "highest": value(row.highest),
            })
        });
        let (bytes, text) = form.read_from_the_middle();
        json!({
            "encoding": form.encoding.name(), "rows": rows.collect::<Vec<_>>(),
            "bytes_from_the_middle": bytes, "code_points_read": points(&text),
        })
    };
    json!({"proposal": form(&PROPOSAL), "adopted": form(&ADOPTED), "text": SAMPLE, "starts_at": START})
}

#[cfg(test)]
mod tests {
    use super::*;
    use placemat::stream::Transcoder;

    /// Returns the bytes of a value, by the encoding of the library.
    fn encoded(form: &Form, value: u64) -> Vec<u8> {
        let mut bytes = [0; 16];
        let units = u32::try_from(value).expect("31 bits").to_be_bytes();
        let mut encoder = Transcoder::new(Encoding::UCS_4BE, form.encoding).on_error(ErrorPolicy::Stop);
        let progress = encoder.convert(&units, &mut bytes, true);
        bytes[..progress.written].to_vec()
    }

    /// Returns `true` if a byte has the bits of a pattern.
    fn fits(pattern: &str, byte: u8) -> bool {
        pattern.bytes().enumerate().all(|(i, bit)| bit == b'x' || (bit == b'1') == (byte & 0x80 >> i != 0))
    }

    #[test]
    fn the_rows_are_those_that_the_library_writes() {
        for form in [PROPOSAL, ADOPTED] {
            for (i, row) in form.rows().iter().enumerate() {
                for value in [row.lowest, row.highest] {
                    let bytes = encoded(&form, value);
                    assert_eq!(bytes.len(), i + 1, "{} {value:X}", form.name);
                    assert!(fits(row.first, bytes[0]), "{} {value:X}", form.name);
                    assert!(bytes[1..].iter().all(|&byte| fits(form.later, byte)), "{} {value:X}", form.name);
                    // The bits marked `x` are the value less the offset.
                    let bits = bytes.iter().enumerate().fold(0_u64, |bits, (i, byte)| {
                        let pattern = if i == 0 { row.first } else { form.later };
                        let free = pattern.bytes().filter(|&bit| bit == b'x').count();
                        bits << free | u64::from(*byte) & ((1 << free) - 1)
                    });
                    assert_eq!(bits + row.offset, value, "{}", form.name);
                }
            }
        }
    }

    /// A reader of the proposal errs until the text ends, a reader of the adopted form for one byte.
    #[test]
    fn only_the_adopted_form_is_found_again() {
        assert_eq!(PROPOSAL.read_from_the_middle().1, "\u{1906}\u{1986}\u{1A06}\u{FFFD}");
        assert_eq!(ADOPTED.read_from_the_middle().1, "\u{FFFD}βγδ");
    }
}
