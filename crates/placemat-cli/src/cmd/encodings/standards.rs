//! `--standards`: who defined UTF-8 when, what changed, and on which bytes the editions differ.

use crate::shown::SCREEN;
use crate::shown::wrap;
use core::fmt::Write as _;

/// The sequences that a standard reads, and not all of the others do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reads {
    /// The maximum number of bytes of a sequence.
    longest: u8,
    /// Overlong forms: longer than the shortest.
    overlong: bool,
    /// Surrogates, each in three bytes.
    surrogates: bool,
}

/// All that has the pattern of bits, of six bytes and of four.
const PATTERNS: Reads = Reads { longest: 6, overlong: true, surrogates: true };
const SHORT_PATTERNS: Reads = Reads { longest: 4, overlong: true, surrogates: true };
/// The sequences that are read today.
const TODAY: Reads = Reads { longest: 4, overlong: false, surrogates: false };

/// A standard: when, its name, a short name for it, what it changed, and what it reads.
struct Standard {
    when: &'static str,
    name: &'static str,
    short: &'static str,
    about: &'static str,
    reads: Reads,
}

/// In the order of time.
const STANDARDS: [Standard; 14] = [
    Standard {
        when: "1992-09",
        name: "Plan 9; FSS-UTF of X/Open",
        short: "FSS-UTF",
        about: "Ken Thompson and Rob Pike design it on 2 September in a diner in New Jersey, in answer to a proposal of X/Open by Dave \
                Prosser; Plan 9 uses it within days. One to six bytes for 31 bits, and every byte shows whether a character begins there.",
        reads: PATTERNS,
    },
    Standard {
        when: "1993-06",
        name: "Unicode 1.1, appendix F",
        short: "Unicode 1.1",
        about: "FSS-UTF as a transformation format of Unicode.",
        reads: PATTERNS,
    },
    Standard {
        when: "1996-07",
        name: "Unicode 2.0, appendix A.2",
        short: "Unicode 2.0",
        about: "UTF-8 by its name, and for surrogate pairs one sequence of four bytes, the most that Unicode needs.",
        reads: SHORT_PATTERNS,
    },
    Standard {
        when: "1996-10",
        name: "RFC 2044; ISO/IEC 10646-1:1993, amendment 2",
        short: "RFC 2044",
        about: "UTF-8 for the Internet, and annex R of ISO 10646: 31 bits.",
        reads: PATTERNS,
    },
    Standard {
        when: "1998-01",
        name: "RFC 2279",
        short: "RFC 2279",
        about: "Replaces RFC 2044; warns of overlong forms, and does not forbid to read them.",
        reads: PATTERNS,
    },
    Standard {
        when: "1999-09",
        name: "Unicode 3.0",
        short: "Unicode 3.0",
        about: "Programs must not write overlong forms, and may read them.",
        reads: SHORT_PATTERNS,
    },
    Standard {
        when: "2000-11",
        name: "Corrigendum 1 to Unicode 3.0; UAX 27 (Unicode 3.1, 2001)",
        short: "Unicode 3.1",
        about: "Overlong forms must not be read any more: `C0 AF` had passed as a slash.",
        reads: Reads { longest: 4, overlong: false, surrogates: true },
    },
    Standard {
        when: "2002-03",
        name: "Unicode 3.2",
        short: "Unicode 3.2",
        about: "Sequences of three bytes for surrogates are ill-formed, in pairs too.",
        reads: TODAY,
    },
    Standard {
        when: "2003-11",
        name: "RFC 3629, STD 63",
        short: "RFC 3629",
        about: "An Internet Standard: ends at U+10FFFF, four bytes at most, no surrogates, no overlong forms; says so in ABNF.",
        reads: TODAY,
    },
    Standard {
        when: "2008-03",
        name: "RFC 5198",
        short: "RFC 5198",
        about: "Text for the network is UTF-8 in normalization form C, with CR LF at the ends of lines.",
        reads: TODAY,
    },
    Standard {
        when: "2009-10",
        name: "Unicode 5.2, chapter 3",
        short: "Unicode 5.2",
        about: "Recommends one U+FFFD for each maximal subpart of an ill-formed sequence.",
        reads: TODAY,
    },
    Standard {
        when: "2011-03",
        name: "ISO/IEC 10646:2011",
        short: "ISO/IEC 10646:2011",
        about: "Ends at U+10FFFF too; until then its UTF-8 had six bytes.",
        reads: TODAY,
    },
    Standard {
        when: "2012",
        name: "WHATWG Encoding Standard",
        short: "WHATWG",
        about: "What browsers do, byte for byte: which labels mean UTF-8, the signature goes, and U+FFFD for each maximal subpart.",
        reads: TODAY,
    },
    Standard {
        when: "2014-09",
        name: "ISO/IEC 10646:2014, clause 9",
        short: "ISO/IEC 10646:2014",
        about: "The same form as that of the Unicode Standard, and so in all editions after it.",
        reads: TODAY,
    },
];

/// Sequences on which standards differ: the bytes, what they are, the number of bytes, overlong, a surrogate.
const DIFFERENCES: [(&[u8], &str, Reads); 4] = [
    (b"\xC0\xAF", "an overlong slash", Reads { longest: 2, overlong: true, surrogates: false }),
    (b"\xED\xA0\x80", "a surrogate, U+D800", Reads { longest: 3, overlong: false, surrogates: true }),
    (b"\xF4\x90\x80\x80", "beyond Unicode, 110000", Reads { longest: 5, overlong: false, surrogates: false }),
    (b"\xF8\x88\x80\x80\x80", "five bytes, 200000", Reads { longest: 5, overlong: false, surrogates: false }),
];

impl Reads {
    /// Returns `true` if a sequence with these properties is read.
    const fn has(self, sequence: Self) -> bool {
        sequence.longest <= self.longest
            && (self.overlong || !sequence.overlong)
            && (self.surrogates || !sequence.surrogates)
    }
}

/// Returns the report.
pub(super) fn text() -> String {
    const LEFT: usize = 9;
    let mut to = String::new();
    for standard in &STANDARDS {
        _ = writeln!(to, "{:LEFT$}{}", standard.when, standard.name);
        for line in wrap(standard.about, 0, SCREEN - LEFT - 1) {
            _ = writeln!(to, "{:LEFT$}{line}", "");
        }
    }
    to.push_str("\nSequences that not all of them read:\n\n");
    for (bytes, about, properties) in &DIFFERENCES {
        let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        let names = |reads: bool| {
            let each = STANDARDS.iter().filter(|standard| standard.reads.has(*properties) == reads);
            each.map(|standard| standard.short).collect::<Vec<_>>().join(", ")
        };
        _ = writeln!(to, "{}  {about}", bytes.join(" "));
        for (what, names) in [("read", names(true)), ("not", names(false))] {
            let mut what = what;
            for line in wrap(&names, 0, SCREEN - LEFT - 1) {
                _ = writeln!(to, "  {what:7}{line}");
                what = "";
            }
        }
    }
    to.push('\n');
    for line in wrap(
        "`placemat check -f rfc2279` checks by the rules of 1992 to 1998, without overlong forms: utf-8-31 is the encoding. \
         `placemat check` checks by those of today.",
        0,
        SCREEN,
    ) {
        _ = writeln!(to, "{line}");
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;
    use placemat::{Encoding, ErrorPolicy};

    /// The first and the last standard, by the encodings of the library that they are.
    #[test]
    fn what_is_read_is_what_the_encodings_read() {
        let today = TODAY;
        for (bytes, about, properties) in DIFFERENCES {
            assert_eq!(
                Encoding::UTF_8.decode(bytes, ErrorPolicy::Stop).is_ok(),
                today.has(properties),
                "{about}"
            );
            assert!(PATTERNS.has(properties), "{about}");
            // The 31-bit form of UTF-8 reads all of these sequences except overlong ones.
            let mut values = [0; 8];
            let mut decoder = placemat::stream::Transcoder::new(Encoding::UTF_8_31_BIT, Encoding::UCS_4BE)
                .on_error(ErrorPolicy::Stop);
            let progress = decoder.convert(bytes, &mut values, true);
            assert_eq!(progress.written == 4, !properties.overlong, "{about}");
        }
    }

    #[test]
    fn in_the_order_of_time() {
        assert!(STANDARDS.is_sorted_by_key(|standard| standard.when));
    }
}
