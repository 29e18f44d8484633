//! The pages as which UTF-8 was read: from code points back to bytes.

use alloc::vec;
use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_core::engine::any::Place;
use placemat_core::forms::form::Step;
use placemat_core::forms::unicode::utf8;
use placemat_core::ground::once::{Lazy, Once};
use placemat_core::policy::ErrorPolicy;

/// A page of single bytes, and how much less often text is read as it than as windows-1252, in nats.
#[rustfmt::skip]
pub(super) const SINGLE: [(Encoding, f32); 46] = [
    (Encoding::WINDOWS_1252, 0.0), (Encoding::ISO_8859_1, -0.2), (Encoding::WINDOWS_1250, -0.7),
    (Encoding::WINDOWS_1251, -0.7), (Encoding::WINDOWS_1254, -0.7), (Encoding::MACINTOSH, -0.7),
    (Encoding::IBM437, -0.7), (Encoding::IBM850, -0.7), (Encoding::WINDOWS_1253, -1.2),
    (Encoding::KOI8_R, -1.2), (Encoding::IBM866, -1.2), (Encoding::IBM852, -1.2),
    (Encoding::WINDOWS_1255, -2.0), (Encoding::WINDOWS_1256, -2.0), (Encoding::WINDOWS_1257, -2.0),
    (Encoding::WINDOWS_1258, -2.0), (Encoding::WINDOWS_874, -2.0), (Encoding::ISO_8859_2, -2.0),
    (Encoding::ISO_8859_3, -2.0), (Encoding::ISO_8859_4, -2.0), (Encoding::ISO_8859_5, -2.0),
    (Encoding::ISO_8859_6, -2.0), (Encoding::ISO_8859_7, -2.0), (Encoding::ISO_8859_8, -2.0),
    (Encoding::ISO_8859_10, -2.0), (Encoding::ISO_8859_13, -2.0), (Encoding::ISO_8859_14, -2.0),
    (Encoding::ISO_8859_15, -4.0), (Encoding::ISO_8859_16, -2.0), (Encoding::KOI8_U, -2.0),
    (Encoding::X_KOI8_U, -2.0), (Encoding::X_MAC_CENTRALEUROPE, -2.0),
    (Encoding::X_MAC_CYRILLIC, -2.0), (Encoding::X_MAC_GREEK, -2.0),
    (Encoding::X_MAC_TURKISH, -2.0), (Encoding::IBM855, -2.0), (Encoding::IBM857, -2.0),
    (Encoding::IBM858, -2.0), (Encoding::IBM860, -2.0), (Encoding::IBM861, -2.0),
    (Encoding::IBM862, -2.0), (Encoding::IBM863, -2.0), (Encoding::IBM865, -2.0),
    (Encoding::IBM737, -2.0), (Encoding::IBM775, -2.0), (Encoding::IBM869, -2.0),
];

/// Returns `true` if a page is one of Windows: the bytes to which it gives no meaning are C1 controls to some programs.
fn is_windows(page: usize) -> bool {
    SINGLE[page].0.name().starts_with("windows-")
}

/// The pages of one and two bytes.
pub(super) const DOUBLE: [(Encoding, f32); 5] = [
    (Encoding::GB18030, -0.7),
    (Encoding::SHIFT_JIS, -1.2),
    (Encoding::BIG5, -1.2),
    (Encoding::EUC_KR, -1.2),
    (Encoding::EUC_JP, -2.0),
];

/// The number of pages: those of single bytes come first.
pub(super) const COUNT: usize = SINGLE.len() + DOUBLE.len();

/// Returns the encoding of a page, and how probable it is.
pub(super) fn page(number: usize) -> (Encoding, f32) {
    if number < SINGLE.len() { SINGLE[number] } else { DOUBLE[(number - SINGLE.len()).min(DOUBLE.len() - 1)] }
}

/// The byte of each code point in the pages of single bytes.
pub(super) struct Singles {
    /// For blocks of 256 code points, the place of the numbers of their members.
    blocks: [u16; 256],
    numbers: Vec<u16>,
    members: Vec<Member>,
    /// Whether a page has another meaning than C1 controls for 80..9F.
    pub(super) defines_c1: [u32; SINGLE.len()],
    /// The code point of A0 is U+00A0.
    pub(super) no_break_space: u64,
    /// Pages in which some continuation bytes have no meaning.
    pub(super) holes: u64,
    /// The continuation bytes of each page that have no meaning, or that of an invisible character or a space: a bit for each.
    pub(super) lost: [u64; SINGLE.len()],
}

/// A code point that some page has above 7F. The masks have a bit for each page.
#[derive(Clone)]
pub(super) struct Member {
    /// The pages in which the code point is the lead byte of a sequence of two, three or four
    /// bytes.
    pub(super) lead: u64,
    /// The pages in which the code point is a continuation byte.
    pub(super) continuation: u64,
    /// The pages in which the code point is the lead byte of most symbols: E2 or F0.
    pub(super) symbol: u64,
    /// The byte of the code point in each page, or 0.
    pub(super) bytes: [u8; SINGLE.len()],
}

const NOBODY: Member = Member { lead: 0, continuation: 0, symbol: 0, bytes: [0; SINGLE.len()] };

static SINGLES: Lazy<Singles> = Lazy::new(Singles::new);

impl Singles {
    pub(super) fn get() -> &'static Self {
        &SINGLES
    }

    fn new() -> Self {
        let mut singles = Self {
            blocks: [0; 256],
            numbers: vec![0; 256],
            members: vec![NOBODY],
            defines_c1: [0; SINGLE.len()],
            no_break_space: 0,
            holes: 1,
            lost: [0; SINGLE.len()],
        };
        for (page, &(encoding, _)) in SINGLE.iter().enumerate() {
            let mut defined = [false; 256];
            for byte in 0x80..=0xFF_u8 {
                let text = encoding.decode(core::slice::from_ref(&byte), ErrorPolicy::Stop);
                let Some(c) = text.ok().and_then(|text| text.chars().next()) else {
                    if byte < 0xC0 {
                        singles.holes |= 1 << page;
                        singles.lost[page] |= 1 << (byte & 0x3F);
                    }
                    continue;
                };
                if byte < 0xC0
                    && (matches!(c, '\u{A0}' | '\u{AD}')
                        || is_windows(page) && ('\u{80}'..='\u{9F}').contains(&c))
                {
                    singles.lost[page] |= 1 << (byte & 0x3F);
                }
                if byte == 0xA0 && c == '\u{A0}' {
                    singles.no_break_space |= 1 << page;
                }
                defined[usize::from(byte)] = !('\u{80}'..='\u{9F}').contains(&c);
                singles.add(page, c.into(), byte);
            }
            // Programs that read a page often let the bytes without a meaning through as ISO-8859-1 does.
            if is_windows(page) {
                (0xA0..=0xBF).for_each(|byte| singles.add(page, byte.into(), byte));
            }
            for byte in 0x80..=0x9F_u8 {
                singles.add(page, byte.into(), byte);
                singles.defines_c1[page] |= u32::from(defined[usize::from(byte)]) << (byte - 0x80);
            }
        }
        // A program that knows one of these pages drops what has no character in it.
        singles
            .lost
            .iter_mut()
            .enumerate()
            .filter(|(page, _)| !is_windows(*page))
            .for_each(|(_, lost)| *lost = 0);
        singles
    }

    fn add(&mut self, page: usize, c: u32, byte: u8) {
        let Ok(c) = u16::try_from(c) else { return };
        if c < 0x80 {
            return;
        }
        let [high, low] = c.to_be_bytes();
        if self.blocks[usize::from(high)] == 0 {
            self.blocks[usize::from(high)] = u16::try_from(self.numbers.len() / 256).unwrap_or(0);
            self.numbers.resize(self.numbers.len() + 256, 0);
        }
        let number = &mut self.numbers[usize::from(self.blocks[usize::from(high)]) * 256 + usize::from(low)];
        if *number == 0 {
            *number = u16::try_from(self.members.len()).unwrap_or(0);
            self.members.push(NOBODY);
        }
        let member = &mut self.members[usize::from(*number)];
        if member.bytes[page] != 0 {
            return;
        }
        member.bytes[page] = byte;
        if matches!(byte, 0xE2 | 0xF0) {
            member.symbol |= 1 << page;
        }
        match byte {
            0x80..=0xBF => member.continuation |= 1 << page,
            0xC2..=0xF4 => member.lead |= 1 << page,
            _ => {}
        }
    }

    #[inline(always)]
    pub(super) fn member(&self, c: u32) -> &Member {
        let Ok(c) = u16::try_from(c) else { return &self.members[0] };
        let [high, low] = c.to_be_bytes();
        let number = self.numbers[usize::from(self.blocks[usize::from(high)]) * 256 + usize::from(low)];
        &self.members[usize::from(number)]
    }
}

/// A page of one and two bytes.
pub(super) struct Double {
    /// The bytes of each code point of the BMP: one or two, or 0.
    bytes: Vec<u16>,
}

static DOUBLES: [Once<Double>; DOUBLE.len()] = [const { Once::new() }; DOUBLE.len()];

impl Double {
    /// Returns the table of a page, made at its first use.
    pub(super) fn get(number: usize) -> &'static Self {
        let number = number.min(DOUBLE.len() - 1);
        DOUBLES[number].get_or_make(|| Self::new(DOUBLE[number].0))
    }

    fn new(encoding: Encoding) -> Self {
        let mut bytes = vec![0; 0x1_0000];
        let mut add = |c: char, code: u16| {
            if let Some(slot) = bytes.get_mut(c as usize)
                && *slot == 0
                && c >= '\u{80}'
                && c != '\u{FFFD}'
            {
                *slot = code;
            }
        };
        let start = Place::start(encoding.descriptor());
        let whole = |src: &[u8]| match start.step(src) {
            Step::CodePoint { value, len } if len == src.len() => value.to_char(),
            _ => None,
        };
        for lead in 0x80..=0xFF_u8 {
            whole(&[lead]).into_iter().for_each(|c| add(c, lead.into()));
            for trail in 0x40..=0xFE_u8 {
                whole(&[lead, trail]).into_iter().for_each(|c| add(c, u16::from_be_bytes([lead, trail])));
            }
        }
        // Windows maps these undefined bytes to C1 controls and U+00A0.
        add('\u{80}', 0x80);
        add('\u{A0}', 0xA0);
        if encoding == Encoding::SHIFT_JIS {
            add('\u{F8F0}', 0xA0);
        }
        Self { bytes }
    }

    /// Returns the bytes of a code point: 0 if it is not in the page, below 100 if it is one byte.
    #[inline(always)]
    pub(super) fn bytes(&self, c: u32) -> u16 {
        self.bytes.get(c as usize).copied().unwrap_or(0)
    }
}

/// The places of the BMP's code points in the double-byte pages: sets of pages, each with a bit for each of [`DOUBLE`].
#[derive(Clone, Copy, Default)]
pub(super) struct Kinds {
    /// The pages in which the code point's bytes may begin UTF-8.
    pub(super) starts: u8,
    /// The pages in which the code point's first byte begins a sequence of three or four bytes.
    long: u8,
    /// The pages in which the code point's first byte is a continuation byte.
    continues: u8,
    /// The pages in which the code point has two bytes.
    pairs: u8,
}

/// Returns the place of each code point of the BMP in the double-byte pages.
pub(super) fn kinds() -> &'static [Kinds] {
    static KINDS: Lazy<Vec<Kinds>> = Lazy::new(|| {
        let mut kinds = vec![Kinds::default(); 0x1_0000];
        for number in 0..DOUBLE.len() {
            let page = Double::get(number);
            for (kinds, &code) in kinds.iter_mut().zip(&page.bytes).filter(|(_, code)| **code != 0) {
                let bytes = code.to_be_bytes();
                let first = if bytes[0] == 0 { bytes[1] } else { bytes[0] };
                let starts = matches!(bytes, [0, 0xC2..=0xF4] | [0xC2..=0xF4, 0x80..=0xBF]);
                kinds.starts |= u8::from(starts) << number;
                kinds.long |= u8::from(first >= 0xE0) << number;
                kinds.continues |= u8::from((0x80..0xC0).contains(&first)) << number;
                kinds.pairs |= u8::from(bytes[0] != 0) << number;
            }
        }
        kinds
    });
    &KINDS
}

/// Returns the double-byte pages in which UTF-8 can begin with the code point at an offset of well-formed text, by it and
/// those after it. Only pages are left out in which the bytes are ill-formed at once, and their run is not cut short.
#[inline(always)]
pub(super) fn double_starts_at(all: &[Kinds], src: &[u8], at: usize) -> u8 {
    let kinds = |at: usize| match utf8::decode_step(src.get(at..).filter(|rest| !rest.is_empty())?) {
        Step::CodePoint { value, len: len @ 2.. } => {
            Some((all.get(value.value() as usize).copied().unwrap_or_default(), at + len))
        }
        _ => None,
    };
    let Some((first, at)) = kinds(at) else { return 0 };
    if first.starts == 0 {
        return 0;
    }
    let long = first.starts & first.pairs & first.long;
    let short = first.starts & first.pairs & !first.long;
    let Some((second, at)) = kinds(at) else { return first.starts & !long };
    // A longer sequence goes on; after one of two bytes comes another.
    let mut ill_formed = short & second.pairs & !second.starts;
    if ill_formed != 0 {
        let third = kinds(at);
        let fourth = third.and_then(|(_, at)| kinds(at));
        ill_formed &= third.zip(fourth).map_or(0, |((third, _), (fourth, _))| third.pairs & fourth.pairs);
    }
    first.starts & !(long & !second.continues) & !ill_formed
}
