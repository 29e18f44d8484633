//! Sample texts for each form: the boundaries of every length, surrogates, noncharacters, escapes,
//! and every kind of error, some adjacent and one at the end.

use crate::oracle::{self, Form, Order, Unmappable};

/// Both sides of every border between code points that some form treats differently.
pub(crate) const BORDERS: [u32; 42] = [
    0x00, 0x0A, 0x24, 0x7F, 0x80, 0xA3, 0xE9, 0xFF, 0x100, 0x7FF, 0x800, 0xFFF, 0x1000, 0x20AC, 0xCFFF,
    0xD000, 0xD7FF, 0xE000, 0xEF7F, 0xEF80, 0xEFC3, 0xEFE9, 0xEFFF, 0xF000, 0xFDCF, 0xFDD0, 0xFDEF, 0xFEFF,
    0xFFFC, 0xFFFD, 0xFFFE, 0xFFFF, 0x1_0000, 0x1_F600, 0x3_FFFF, 0x4_0000, 0xF_FFFF, 0x10_0000, 0x10_FFFD,
    0x10_FFFE, 0x10_FFFF, 0x2028,
];

/// Both sides of the borders among surrogates.
pub(crate) const SURROGATES: [u32; 10] =
    [0xD800, 0xD83D, 0xDBFF, 0xDC00, 0xDC7F, 0xDC80, 0xDCC3, 0xDCE9, 0xDCFF, 0xDFFF];

/// Both sides of the borders above Unicode.
pub(crate) const BEYOND: [u32; 8] =
    [0x11_0000, 0x1F_FFFF, 0x20_0000, 0x3FF_FFFF, 0x400_0000, 0x1234_5678, 0x7FFF_FFFE, 0x7FFF_FFFF];

/// Returns the bytes of the code points in a form, including surrogates if the form has a pattern
/// for them; others are left out.
fn bytes(form: Form, text: &[u32]) -> Vec<u8> {
    let form = form.plain();
    if form.is_stateful() {
        return oracle::encode(form, text, Unmappable::Ignore).bytes;
    }
    let one = |&c: &u32| {
        let done = oracle::encode(form, &[c], Unmappable::SurrogatePass);
        if done.fault.is_some() { Vec::new() } else { done.bytes }
    };
    text.iter().flat_map(one).collect()
}

/// Ill-formed sequences of UTF-8, of every kind and length.
const UTF8_ERRORS: &[&[u8]] = &[
    b"\x80",
    b"\xBF\xBF",
    b"\xC0\xAF",
    b"\xC1\xBF",
    b"\xC3",
    b"\xE0\x80\x80",
    b"\xE0\x9F",
    b"\xE2\x82",
    b"\xED\xA0\x80",
    b"\xED\xBF\xBF",
    b"\xED\xA0",
    b"\xED\xB2\x80",
    b"\xEF",
    b"\xEF\xBB",
    b"\xF0\x80\x80\xAF",
    b"\xF0\x90",
    b"\xF0\x9F\x98",
    b"\xF4\x90\x80\x80",
    b"\xF4\x8F",
    b"\xF5\x80",
    b"\xF8\x88\x80\x80\x80",
    b"\xFA\x80\x80",
    b"\xFC\x84\x80\x80\x80\x80",
    b"\xFD\xBF",
    b"\xFE",
    b"\xFF",
    b"\xE1\xA0\xC0",
];

/// Sequences of I8 of every kind and length.
fn i8(form: Form) -> Vec<Vec<u8>> {
    let texts: [&[u8]; 6] = [
        b"\xA0 \xBF\xBF\xC0\xA0\xC4\xBF\xC5\xC5A\xE0\xA0\xA0\xE1\xA0\xE1\xA0B\xC7\xA9",
        b"\xF0\xA0\xA0\xA0\xF0\xAF\xBF\xBF\xF0\xB0\xA0\xF1\xB6\xA0\xA0\xF1\xB7\xBF\xBF\xF1\xB6\xA0",
        b"\xF8\xA0\xA0\xA0\xA0\xF8\xA7\xF8\xA8\xA0\xA0\xF9\xA2\xA0\xA0\xA0\xF9\xA1\xBF\xBF\xBF",
        b"\xFA\xA0\xFC\xFE\xFF\xF1\xBF\xB7\xC5\xE2\xA5\xC5\xA0\x85\x9F\xF8\xA8\xA0\xA0",
        b"\xF1\xB6",
        b"\xF1\xB6\xA0",
    ];
    let ebcdic = |byte: &u8| oracle::helpers::PERMUTATION[usize::from(*byte)];
    let mapped = |text: &&[u8]| match form {
        Form::I8 => text.to_vec(),
        _ => text.iter().map(ebcdic).collect(),
    };
    texts.iter().map(mapped).collect()
}

/// Runs with well-formed and ill-formed ends, with every kind of end, and errors outside runs.
const UTF7: &[&[u8]] = &[
    b"A+ImIDkQ.Hi Mom -+Jjo--!+ZeVnLIqe-",
    b"+AKM+-+AGE-+AGEAYg-b+AGE.+2D3eAAAh-a",
    b"\xE9a\xFFb~\\\x01\x7F+!+ a+",
    b"+AKN-x+AGH.+A-+AG-+AGEA-+AGE\xE9",
    b"+2AA-+2D0-+3gA-+2D0AYQ-+2D0AYR-+2D3YPd4A-+2D3YPQ-",
    b"+2D0AYQ",
    b"+AKN",
    b"+AG",
    b"+2AA",
    b"+2D3eAA",
    b"+2D3eAd4A3gAAYQ-+",
    b"+AOk+AOk-+/v8-+/v8AYQ",
    b"+2D3YPdg93gDgAO8A-",
];

/// Runs of mailbox names, with their ends and errors.
const IMAP: &[&[u8]] = &[
    b"~peter/mail/&U,BTFw-/&ZeVnLIqe-&-x&AOk-&-",
    b"&AGE-&AOkAYQDp-&AOk-&AOk-&AOk-&AOl-",
    b"&Jjo!&ZeZ/-\xC3\xA9a\x01\x7F&&-&!&\xE9",
    b"&AO-&A-&2D0-&2D0AYQ-&2D0A6Q-&3gA-&2D3eAA-",
    b"&AOk",
    b"&A",
    b"x&",
    b"&2D3YPd4A-&2D3YPQ",
    b"&AOk-&",
];

/// Tags of both modes, in all orders; code units that pair up or do not, with tags between them;
/// reserved and truncated sequences.
const SCSU: &[&[u8]] = &[
    b"\xD6l flie\xDFt\x12\x9C\xBE\xC1\x05\x10\x02\x41\x01\x80\x0E\x20\xAC",
    b"\x41\xDF\x12\x81\x03\x5F\x10\xDF\x1B\x03\xDF\x1C\x88\x80\x0B\xBF\xFF\xFF\x0D\x0A\x41\x10\xDF\x13\xDF\x15\xFF",
    b"\x0F\x4E\x2D\xF0\xE0\x00\xF1\x3E\x8C\x80\x0F\xE8\x08\x80\x0F\xD8\x3D\xDE\x00\xE2\x9C",
    b"\x0C\x18\x00\x18\xA8a\x0F\xF2\xE8\xF8\xE0b\x1A\xFF\x80\xFF",
    b"\x0E\xD8\x3D\x0E\xDE\x00\x0E\xD8\x3D\x10\x0F\xDE\x00\xE1a",
    b"\x0E\xD8\x3Da\x0E\xDE\x00\x0E\xD8\x3D\x0E\xD8\x3D\x11\x1A\xFBb\x0E\xD8\x00\x0C",
    b"\x0F\xD8\x00\xD8\x00\xDC\x00\xDC\x00\xD8\x00\xE0\x0F\xF0\xDC\x00\xD8\x00\x4E\x2D\xD8\x00",
    b"\x0F\xD8\x00\xDC",
    b"\x0F\xD8\x00\xE0\x0B\xBF",
    b"\x0E\xD8\x00\x10",
    b"\x0E\x20",
    b"\x0B\x00",
    b"\x01",
    b"\x0F\x4E",
    b"\x0F\xE8",
    b"\x19",
];

/// Differences of every length, resets, differences that leave the code points, and truncated ones.
const BOCU1: &[&[u8]] = &[
    b"\x98\xB5\xBC\xBC\xBF \xFB\x4C\xD4\x3F\x8B\xE4\x5E\n\xD0\x63\x4F\xEC\xFF\x98",
    b"\xFE\x19\xB4\x54\x00\xFE\x19\xB4\x55\x21\xF0\x58\xD9\xFE\xFF\xFF\xFF\x50",
    b"\xD0\x07\xFB\x01\x20\xFE\x01\x01\x1A\x22\x00\x4F\x0A\x4F\x01\x98",
    b"\xFB\xB8\x3F\x50\x98\x21\xFF\xFF\xFF\x4F\xFF\x98",
    b"\xFB\x4C",
    b"\xFE\x19\xB4",
    b"\xD0",
    b"\xFB\xEE\x28\xFB\xEE\x28\xEE",
];

/// Returns texts of a form, including ill-formed ones, of at most about a hundred code units each.
pub(crate) fn samples(form: Form) -> Vec<Vec<u8>> {
    let plain = form.plain();
    let mut all = vec![Vec::new()];
    for text in [&BORDERS[..], &SURROGATES, &BEYOND] {
        all.extend(text.chunks(14).map(|some| bytes(form, some)));
    }
    // Escapes that together form well-formed sequences, and some that do not; with text between them.
    all.push(bytes(
        form,
        &[0x41, 0xDCC3, 0xDCA9, 0x42, 0xDCE2, 0xDC82, 0x20AC, 0xDCAC, 0xDCF0, 0xDC9F, 0xDCC3],
    ));
    all.push(bytes(form, &[0x41, 0xEFC3, 0xEFA9, 0x42, 0xEFE2, 0xEF82, 0xEFAC, 0xEFEE, 0xEFBE, 0xEF80]));
    all.extend(match plain {
        Form::Utf8 | Form::Ascii | Form::Latin1 | Form::Table(_) => {
            let some = |chunk: &[&[u8]]| chunk.join(&b"a\xC3\xA9"[..]);
            let mut texts: Vec<Vec<u8>> = UTF8_ERRORS.chunks(9).map(some).collect();
            texts.extend([UTF8_ERRORS[..13].concat(), UTF8_ERRORS[13..].concat()]);
            texts.extend([
                b"ok \xF0\x9F\x98".to_vec(),
                b"\xEF\xBB\xBF\xEF\xBB\xBFx".to_vec(),
                b"\xEF\xBB".to_vec(),
                b"\xFC\x80\x80".to_vec(),
            ]);
            if matches!(plain, Form::Table(_)) {
                texts.extend((0..=0xFF).collect::<Vec<u8>>().chunks(64).map(<[u8]>::to_vec));
            }
            texts
        }
        Form::I8 | Form::UtfEbcdic => i8(plain),
        Form::Utf7 | Form::Utf7Strict => UTF7.iter().map(|text| text.to_vec()).collect(),
        Form::Imap => IMAP.iter().map(|text| text.to_vec()).collect(),
        Form::Scsu => SCSU.iter().map(|text| text.to_vec()).collect(),
        Form::Bocu1 => BOCU1.iter().map(|text| text.to_vec()).collect(),
        form if form.unit() == 1 => relatives(form),
        Form::Utf16(order) | Form::Ucs2(order) => sixteen(order),
        Form::Utf32(order) | Form::Ucs4(order) => thirty_two(order),
        _ => panic!("{plain:?} is not plain"),
    });
    if form != plain {
        for order in [Order::Big, Order::Little] {
            all.extend(samples_after_signature(form, order));
        }
    }
    all.dedup();
    all
}

/// For the relatives of UTF-8: halves and pairs of surrogates, zero bytes, overlong sequences and values out of range,
/// and each of them truncated.
fn relatives(form: Form) -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> =
        UTF8_ERRORS.chunks(14).map(|chunk| chunk.join(&bytes(form, &[0x61, 0xE9])[..])).collect();
    let own: &[&[u8]] = match form {
        Form::Utf1 => &[
            b"\xA0A\xA0\x9F\xA0\xFF\xF5\xFF\xF6\x21\x20\xF7\x64L\xFC\x21\x37\xB2\x7A\xFF\xFF\xFF\xFF\xFF/",
            b"\xFD\xBD+\xB9@\xFD\xBD+\xB9A\xFC!!!",
            b"x\xF6\x2F",
        ],
        Form::Fss1992 => &[
            b"\xBF\x7F\xC0\x80a\xE0\x80\x80/\xF7\xFF\xFF\xFF\xFF\xF8\xF7\xEF\xDF\xBE\xFF\xFF",
            b"\xF0\x80\x80\x80",
            b"\x80",
        ],
        Form::Utf8Bits31 | Form::PerlUtf8 => &[
            b"\xFE\x82\x80\x80\x80\x80\x80a\xFE\x81\xBF\xBF\xBF\xBF\xBF\xFF\x80\x80\x80\x80\x80\x81\x80\x80\x80\x80\x80\x80z",
            b"\xFF\x80\x87\xBF\xBF\xBF\xBF\xBF\xBF\xBF\xBF\xBF\xBF\xFF\x80\x88\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
            b"\xFF\x80\x80\x80\x80\x80\x80\xBF\xBF\xBF\xBF\xBF\xBF\xF8\x87\xFC\x83\xF7\xBF\xBF\xBF\xFB\xBF\xC3",
            b"\xFF\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
            b"\xFE\x82\x80\x80\x80\x80",
        ],
        _ => &[
            b"\xED\xA0\xBD\xED\xB8\x80a\xED\xB8\x80\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80\xED\xA0\xBD\xED\x95\x9C\xED\xA0z",
            b"\0\xC0\x80a\0b\xC1\x81\xE0\x80\x80\xE0\x81\x81\xC0A\xC0\xC0\x81\xF0\x9F\x98\x80\xC0",
            b"a\xED\xA0\xBD",
            b"a\xED\xA0\xBD\xED",
            b"a\xED\xA0\xBD\xED\xB8",
            b"\xED\xAF\xBF\xED\xBF\xBF\xED\xA0\xBD\xED\xB8a\xED\xA0\xBD\xC3",
            b"\xED\xA0",
        ],
    };
    texts.extend(own.iter().map(|text| text.to_vec()));
    // Escapes that together form long sequences: a pair of surrogates, a long value.
    let long = [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80, 0xFC, 0x84, 0x80, 0x80, 0x80, 0x80];
    texts.push(bytes(form, &long.map(|byte| 0xEF00 + byte)));
    texts.push(bytes(form, &[0xEFC3, 0xD800, 0xEFA9, 0xD83D, 0x11_0000, 0xDE00, 0xD800]));
    texts
}

fn samples_after_signature(form: Form, order: Order) -> Vec<Vec<u8>> {
    let (marked, plain) = match form {
        Form::Utf16Bom(_) => (Form::Utf16Bom(order), Form::Utf16(order)),
        Form::Utf32Bom(_) => (Form::Utf32Bom(order), Form::Utf32(order)),
        Form::Ucs2Bom(_) => (Form::Ucs2Bom(order), Form::Ucs2(order)),
        Form::Ucs4Bom(_) => (Form::Ucs4Bom(order), Form::Ucs4(order)),
        other => (other, other.plain()),
    };
    samples(plain).into_iter().map(|text| [marked.signature(), &text].concat()).collect()
}

fn sixteen(order: Order) -> Vec<Vec<u8>> {
    let in_order = |unit: &u16| match order {
        Order::Big => unit.to_be_bytes(),
        Order::Little => unit.to_le_bytes(),
    };
    let units: [&[u16]; 5] = [
        &[0x41, 0xDC00, 0x42, 0xD800, 0x43, 0xD83D, 0xDE00, 0xD83D, 0xD83D, 0xDE00, 0xDE00, 0xDBFF, 0xE9],
        &[0xD800],
        &[0xFEFF, 0xFFFE, 0xDFFF, 0xD9E9, 0xDCE9, 0x20AC],
        &[0xD8E9, 0xEF80, 0xDCA9, 0xDC80, 0xDC80],
        &[0xD880, 0xDBFF, 0xDFFF, 0xD8FE],
    ];
    let whole = units.map(|units| units.iter().flat_map(in_order).collect::<Vec<u8>>());
    // Half a code unit follows each text.
    let cut = whole.iter().map(|bytes| [bytes, &b"\xD8"[..]].concat()).collect::<Vec<_>>();
    whole.into_iter().chain(cut).collect()
}

fn thirty_two(order: Order) -> Vec<Vec<u8>> {
    let in_order = |unit: &u32| match order {
        Order::Big => unit.to_be_bytes(),
        Order::Little => unit.to_le_bytes(),
    };
    let units: [&[u32]; 3] = [
        &[0x41, 0xD800, 0x42, 0x11_0000, 0x1_F600, 0xFFFF_FFFF, 0xDFFF, 0x8000_0000, 0x20AC],
        &[0x8080_8080, 0xE9, 0xFFFE_0000, 0xFEFF],
        &[0x7FFF_FFFF, 0xDC80],
    ];
    let whole = units.map(|units| units.iter().flat_map(in_order).collect::<Vec<u8>>());
    let cut = whole.iter().enumerate().map(|(i, bytes)| [bytes, &b"\x00\xD8\xFF"[..=i]].concat());
    let cut: Vec<_> = cut.collect();
    whole.into_iter().chain(cut).collect()
}

/// Returns the texts of [`samples`], each truncated to whole code units for forms whose code units
/// are wider than a byte.
pub(crate) fn whole_units(form: Form, width: usize) -> Vec<Vec<u8>> {
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() / width * width].to_vec();
    samples(form).into_iter().map(cut).collect()
}
