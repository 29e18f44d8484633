//! ISO/IEC 6937: Latin letters with accents, for Teletext, Videotex and the program guides of television. ISO/IEC 6937:2001;
//! registration 156 of the ISO register of coded character sets; ITU-T T.51.
//!
//! | | UTF-8 | ISO 6937 |
//! | --- | --- | --- |
//! | lead and continuation bytes | disjoint | the byte of an accent, and the byte of a letter, which is ASCII |
//! | bytes below 80 | always ASCII | also the second byte of a sequence |
//! | one sequence | one code point | one code point: a letter with its accent |
//! | repertoire | scalar values | ASCII, C1, and 238 others |
//!
//! An accent without a letter that it has in the table is an error of one byte, so that no ASCII byte is lost. The tables are those of
//! glibc. Known to disagree: ISO 6937-2:1983 and ETSI EN 300 468 (television), which have other symbols in some places and add
//! the euro sign at A4; the standard writes `ģ` with the acute accent (C2 67), glibc with the cedilla, as its capital.

use placemat_core::forms::form::{AsciiBytes, EncodeStep, Facts, Form, Names, Repertoire, Step};
use placemat_core::forms::latin1::encode_byte;
use placemat_core::forms::names::labels;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::{IllFormedKind, UnmappableKind};

/// ISO/IEC 6937.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Iso6937;

/// The characters of the bytes A0..FF; U+FFFF where there is none.
const UPPER: [char; 96] = {
    const N: char = '\u{FFFF}';
    [
        '\u{A0}', '¡', '¢', '£', N, '¥', N, '§', '¤', '‘', '“', '«', '←', '↑', '→', '↓', //
        '°', '±', '²', '³', '×', 'µ', '¶', '·', '÷', '’', '”', '»', '¼', '½', '¾', '¿', //
        N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, //
        '—', '¹', '®', '©', '™', '♪', '¬', '¦', N, N, N, N, '⅛', '⅜', '⅝', '⅞', //
        '\u{2126}', 'Æ', 'Ð', 'ª', 'Ħ', N, 'Ĳ', 'Ŀ', 'Ł', 'Ø', 'Œ', 'º', 'Þ', 'Ŧ', 'Ŋ', 'ŉ', //
        'ĸ', 'æ', 'đ', 'ð', 'ħ', 'ı', 'ĳ', 'ŀ', 'ł', 'ø', 'œ', 'ß', 'þ', 'ŧ', 'ŋ', '\u{AD}',
    ]
};

/// The lead bytes from C1 on, each with letters and what they are with its accent.
const ACCENTS: [&str; 15] = [
    "AÀEÈIÌOÒUÙaàeèiìoòuù",
    " ´AÁCĆEÉIÍLĹNŃOÓRŔSŚUÚYÝZŹaácćeéiílĺnńoórŕsśuúyýzź",
    "AÂCĈEÊGĜHĤIÎJĴOÔSŜUÛWŴYŶaâcĉeêgĝhĥiîjĵoôsŝuûwŵyŷ",
    "AÃIĨNÑOÕUŨaãiĩnñoõuũ",
    " ¯AĀEĒIĪOŌUŪaāeēiīoōuū",
    " ˘AĂGĞUŬaăgğuŭ",
    " ˙CĊEĖGĠIİZŻcċeėgġzż",
    " ¨AÄEËIÏOÖUÜYŸaäeëiïoöuüyÿ",
    "",
    " ˚AÅUŮaåuů",
    " ¸CÇGĢKĶLĻNŅRŖSŞTŢcçgģkķlļnņrŗsştţ",
    "",
    " ˝OŐUŰoőuű",
    " ˛AĄEĘIĮUŲaąeęiįuų",
    " ˇCČDĎEĚLĽNŇRŘSŠTŤZŽcčdďeělľnňrřsštťzž",
];
const FIRST_ACCENT: u8 = 0xC1;

/// Returns the letters of an accent, each with what it is with that accent.
fn pairs(accent: &str) -> impl Iterator<Item = (char, char)> {
    accent.chars().step_by(2).zip(accent.chars().skip(1).step_by(2))
}

impl Form for Iso6937 {
    type Unit = u8;
    type State = ();

    const NAMES: Names = Names {
        name: "ISO-6937",
        labels: labels!["iso6937", "iso_6937:1992", "iso-ir-156", "csiso156"],
        web_labels: labels![],
        about: "Latin letters of Europe: the byte of an accent comes before the byte of its letter. Teletext, television.",
        specified_in: "ISO/IEC 6937:2001",
    };
    const FACTS: Facts = Facts {
        ascii: AsciiBytes::InSequences,
        takes_escapes: true,
        self_synchronizing: false,
        ascii_but: Some(&[]),
        ..Facts::new(Repertoire::Table, 2)
    };

    #[inline]
    fn decode_step((): &mut (), src: &[u8]) -> Step {
        let byte = src[0];
        let accent = byte.checked_sub(FIRST_ACCENT).and_then(|accent| ACCENTS.get(usize::from(accent)));
        if let Some(accent) = accent.filter(|accent| !accent.is_empty()) {
            let Some(&letter) = src.get(1) else { return Step::Incomplete { needs: 1 } };
            return match pairs(accent).find(|&(plain, _)| plain == char::from(letter)) {
                Some((_, c)) => Step::CodePoint { value: c.into(), len: 2 },
                None => Step::IllFormed { len: 1, seen: 2, kind: IllFormedKind::BadTrail },
            };
        }
        match byte.checked_sub(0xA0).map(|place| UPPER[usize::from(place)]) {
            None => Step::CodePoint { value: CodePoint::from_byte(byte), len: 1 },
            Some('\u{FFFF}') => Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::Undefined },
            Some(c) => Step::CodePoint { value: c.into(), len: 1 },
        }
    }

    #[inline]
    fn encode_step((): &mut (), c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        if c.value() < 0xA0 {
            return encode_byte(c, dst);
        }
        let Some(c) = c.to_char().filter(|&c| c != '\u{FFFF}') else {
            return EncodeStep::Unmappable(UnmappableKind::NotInRepertoire);
        };
        if let Some((_, byte)) = UPPER.iter().zip(0xA0..=0xFF).find(|&(&known, _)| known == c) {
            return EncodeStep::of(dst.first_mut().map(|to| *to = byte).is_some(), 1);
        }
        let accented = ACCENTS.iter().zip(FIRST_ACCENT..).find_map(|(accent, byte)| {
            let (letter, _) = pairs(accent).find(|&(_, known)| known == c)?;
            Some([byte, u8::try_from(letter).ok()?])
        });
        let Some(units) = accented else { return EncodeStep::Unmappable(UnmappableKind::NotInRepertoire) };
        EncodeStep::of(dst.first_chunk_mut().map(|to| *to = units).is_some(), 2)
    }
}
