//! The default alphabet of GSM, for short messages. 3GPP TS 23.038 (formerly GSM 03.38), section 6.2.1.
//!
//! | | UTF-8 | GSM 03.38 |
//! | --- | --- | --- |
//! | unit | 8 bits | 7 bits, here each in a byte of its own |
//! | ASCII bytes | always ASCII | letters and digits, and most punctuation: 00 is `@`, 24 is `¤` |
//! | one sequence | one code point | one code point, in two bytes after the escape 1B |
//!
//! The septets of a message are packed on the air, eight into seven bytes; that is a transfer encoding and not part of this one.
//! An escape that begins no known sequence is an error of one byte, so that the byte after it is read by itself, as the
//! specification wants it displayed. Known to disagree: Perl, which reads 00 at the end of a text as nothing; tables on the web
//! that read 09 as U+00E7, where the specification has U+00C7.

use placemat_core::forms::form::{EncodeStep, Facts, Form, Names, Repertoire, Step};
use placemat_core::forms::names::labels;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::{IllFormedKind, UnmappableKind};

/// The default alphabet of GSM.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gsm0338;

const ESCAPE: u8 = 0x1B;

/// The characters of the bytes 00..7F. The escape stands as itself.
const DEFAULT: [char; 128] = [
    '@', '£', '$', '¥', 'è', 'é', 'ù', 'ì', 'ò', 'Ç', '\n', 'Ø', 'ø', '\r', 'Å', 'å', //
    'Δ', '_', 'Φ', 'Γ', 'Λ', 'Ω', 'Π', 'Ψ', 'Σ', 'Θ', 'Ξ', '\x1B', 'Æ', 'æ', 'ß', 'É', //
    ' ', '!', '"', '#', '¤', '%', '&', '\'', '(', ')', '*', '+', ',', '-', '.', '/', //
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', ':', ';', '<', '=', '>', '?', //
    '¡', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', //
    'P', 'Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z', 'Ä', 'Ö', 'Ñ', 'Ü', '§', //
    '¿', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', //
    'p', 'q', 'r', 's', 't', 'u', 'v', 'w', 'x', 'y', 'z', 'ä', 'ö', 'ñ', 'ü', 'à',
];

/// The characters of bytes after the escape.
const EXTENSION: [(u8, char); 10] = [
    (0x0A, '\x0C'),
    (0x14, '^'),
    (0x28, '{'),
    (0x29, '}'),
    (0x2F, '\\'),
    (0x3C, '['),
    (0x3D, '~'),
    (0x3E, ']'),
    (0x40, '|'),
    (0x65, '€'),
];

impl Form for Gsm0338 {
    type Unit = u8;
    type State = ();

    const NAMES: Names = Names {
        name: "GSM-03.38",
        labels: labels!["gsm0338", "gsm-7bit", "gsm7", "3gpp-23.038", "ts-23.038"],
        web_labels: labels![],
        about: "The default alphabet of short messages: seven bits, each septet in a byte of its own.",
        specified_in: "3GPP TS 23.038 section 6.2.1",
    };
    const FACTS: Facts = Facts { self_synchronizing: false, ..Facts::new(Repertoire::Table, 2) };

    #[inline]
    fn decode_step((): &mut (), src: &[u8]) -> Step {
        let undefined = Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::Undefined };
        if src[0] != ESCAPE {
            return match DEFAULT.get(usize::from(src[0])) {
                Some(&c) => Step::CodePoint { value: c.into(), len: 1 },
                None => undefined,
            };
        }
        let Some(second) = src.get(1) else { return Step::Incomplete { needs: 1 } };
        match EXTENSION.iter().find(|(byte, _)| byte == second) {
            Some(&(_, c)) => Step::CodePoint { value: c.into(), len: 2 },
            None => Step::IllFormed { len: 1, seen: 2, kind: IllFormedKind::UnknownEscape },
        }
    }

    #[inline]
    fn encode_step((): &mut (), c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        let not_held = EncodeStep::Unmappable(UnmappableKind::NotInRepertoire);
        let Some(c) = c.to_char().filter(|&c| c != char::from(ESCAPE)) else { return not_held };
        let escaped = EXTENSION.iter().find(|&&(_, known)| known == c);
        let plain = DEFAULT.iter().zip(0..).find(|&(&known, _)| known == c);
        let (units, len) = match (plain, escaped) {
            (Some((_, byte)), _) => ([byte, 0], 1),
            (None, Some(&(byte, _))) => ([ESCAPE, byte], 2),
            (None, None) => return not_held,
        };
        let Some(dst) = dst.get_mut(..len) else { return EncodeStep::NoRoom };
        dst.copy_from_slice(&units[..len]);
        EncodeStep::Written(len)
    }
}
