//! The rows: which operations are measured, on which texts, and our targets.

use crate::damage::Damage;
use crate::operations::{
    Form::{self, Latin1, Utf8, Utf16Be, Utf16Le, Utf32},
    Op, Policy, Unmapped,
};
use crate::pages::Page;
use crate::texts::ShortKind;

/// Conversions from slice to slice, and operations that only read.
const WHOLE: &[Op] = &[
    Op::Validate,
    Op::Convert(Utf8, Utf16Le),
    Op::Convert(Utf8, Utf16Be),
    Op::Convert(Utf16Le, Utf8),
    Op::Convert(Utf16Be, Utf8),
    Op::Convert(Utf8, Utf32),
    Op::Convert(Utf32, Utf8),
    Op::Convert(Utf16Le, Utf32),
    Op::Convert(Utf32, Utf16Le),
    Op::Convert(Latin1, Utf16Le),
    Op::Convert(Utf16Le, Latin1),
    Op::Convert(Latin1, Utf8),
    Op::Convert(Utf8, Latin1),
    Op::CountCodePoints,
    Op::CountLineFeeds,
    Op::Utf16FromUtf8,
    Op::Utf8FromUtf16,
    Op::Utf32FromUtf16,
    Op::Utf8FromUtf32,
    Op::Utf8FromLatin1,
    Op::ValidateUtf16,
    Op::Lossy(0),
];

/// Ill-formed bytes in a million, at random places.
const RATES: [u32; 11] = [100, 250, 500, 1000, 2000, 2500, 3500, 5000, 7000, 10_000, 100_000];

const DAMAGES: [Damage; 5] =
    [Damage::Latin1Words, Damage::Latin1Lines, Damage::CutLines, Damage::CesuPairs, Damage::LongNul];

const POLICIES: [Policy; 5] = [Policy::Skip, Policy::Question, Policy::Hex, Policy::Latin1, Policy::Cp1252];

const OWNED: &[Op] = &[
    Op::Owned(Utf8, Utf16Le),
    Op::OwnedStr(Utf16Le),
    Op::Owned(Utf8, Utf32),
    Op::Owned(Utf8, Latin1),
    Op::Owned(Utf16Le, Utf8),
    Op::Owned(Utf32, Utf8),
    Op::Owned(Latin1, Utf8),
    Op::DecodeBytes(Page::Utf16Le),
    Op::DecodeBytes(Page::Utf16),
    Op::DecodeBytes(Page::Windows1252),
    Op::DecodeBytes(Page::ShiftJis),
    Op::EncodeBytes(Page::Windows1252),
    Op::EncodeBytes(Page::ShiftJis),
];

/// Streams with a buffer of the usual size, and with a small one.
const STREAMS: &[Op] = &[
    Op::Read(Utf8, 8192, 0),
    Op::Read(Utf8, 256, 0),
    Op::Read(Utf8, 8192, 1000),
    Op::Read(Utf8, 8192, 10_000),
    Op::Read(Utf16Le, 65_536, 0),
    Op::Read(Utf16Le, 8192, 0),
    Op::Read(Utf16Le, 256, 0),
    Op::Read(Latin1, 8192, 0),
    Op::Write(Utf16Le, 8192),
    Op::Write(Utf16Le, 256),
    Op::Write(Latin1, 8192),
];

const PAGES: [Page; 11] = [
    Page::Windows1251,
    Page::Windows1252,
    Page::Koi8R,
    Page::Ibm037,
    Page::Cp874,
    Page::ShiftJis,
    Page::EucJp,
    Page::Gbk,
    Page::Gb18030,
    Page::Big5,
    Page::EucKr,
];

const BETWEEN: [Op; 2] =
    [Op::Between(Page::Windows1251, Page::Koi8R), Op::Between(Page::ShiftJis, Page::EucJp)];

/// Returns all operations on whole texts, in the order of the lists.
pub fn all() -> Vec<Op> {
    let mut all = WHOLE.to_vec();
    all.extend(RATES.map(Op::Lossy));
    all.extend(DAMAGES.into_iter().flat_map(|damage| [1000, 10_000].map(|rate| Op::Damaged(damage, rate))));
    all.push(Op::Damaged(Damage::CutBlocks, 0));
    for policy in POLICIES {
        all.extend([100, 1000, 10_000, 100_000].map(|rate| Op::Policy(policy, rate)));
    }
    all.extend(OWNED);
    all.extend(STREAMS);
    all.push(Op::FromPage(Page::Utf16));
    all.extend(PAGES.map(Op::FromPage));
    all.extend(PAGES.map(Op::ToPage));
    all.extend(BETWEEN);
    all.extend([Unmapped::Question, Unmapped::Skip, Unmapped::Reference].map(Op::ToAscii));
    all
}

/// Returns `true` if the operation is measured on this text: some rows need only a few texts.
pub fn suits(op: Op, text: &str) -> bool {
    const MEASURED_TEXTS: [&str; 9] = [
        "Latin",
        "Russian",
        "Chinese",
        "HTML French",
        "HTML Arabic",
        "JSON emoji",
        "CSV many",
        "typographic",
        "source code",
    ];
    // Only a few texts fit into Latin-1, and a legacy encoding has its own.
    let few = matches!(
        op,
        Op::Policy(..)
            | Op::Owned(Utf8 | Utf16Le | Utf32, Utf8 | Utf16Le | Utf32)
            | Op::OwnedStr(_)
            | Op::DecodeBytes(Page::Utf16Le | Page::Utf16)
            | Op::FromPage(Page::Utf16)
            | Op::Read(Utf8 | Utf16Le, ..)
            | Op::Write(Utf8 | Utf16Le, _)
    );
    op.suits(text) && (!few || MEASURED_TEXTS.contains(&text))
}

/// Operations on a megabyte that does not repeat.
pub const DISTINCT: &[Op] = &[
    Op::Validate,
    Op::Convert(Utf8, Utf16Le),
    Op::Convert(Utf16Le, Utf8),
    Op::Convert(Utf8, Utf32),
    Op::Convert(Utf32, Utf8),
    Op::Utf16FromUtf8,
    Op::Lossy(0),
    Op::Lossy(1000),
];

/// Operations on 64 MB.
pub const MEMORY: &[Op] = &[
    Op::Validate,
    Op::ValidateUtf16,
    Op::CountCodePoints,
    Op::Convert(Utf8, Utf16Le),
    Op::Convert(Utf16Le, Utf8),
    Op::Convert(Utf8, Utf32),
    Op::Convert(Utf32, Utf8),
    Op::Convert(Utf16Le, Utf32),
    Op::Convert(Utf32, Utf16Le),
    Op::Convert(Latin1, Utf16Le),
    Op::Convert(Utf16Le, Latin1),
    Op::Convert(Latin1, Utf8),
    Op::Convert(Utf8, Latin1),
];

/// Operations on pieces of a long text and on the fields of a file.
pub const PIECES: &[Op] = &[
    Op::Validate,
    Op::Convert(Utf8, Utf16Le),
    Op::Convert(Utf16Le, Utf8),
    Op::Convert(Latin1, Utf8),
    Op::Lossy(0),
    Op::Lossy(5000),
];

/// Lengths of such pieces, in bytes of UTF-8.
pub const PIECE_BYTES: [usize; 7] = [32, 64, 128, 256, 1024, 3072, 10_240];

/// Lengths of short strings, in bytes of UTF-8: powers of two, the first above them, and others.
pub const SIZES: &[usize] =
    &[1, 2, 3, 4, 6, 8, 12, 16, 17, 24, 32, 33, 48, 64, 65, 80, 96, 128, 129, 192, 256, 384, 512, 768, 1024];

/// Lengths for operations with many rows, in bytes of UTF-8.
const FEW_SIZES: &[usize] = &[1, 4, 8, 16, 17, 33, 64, 65, 80, 129, 256, 1024];

/// Short strings of one length, or of every length up to it.
#[derive(Clone, Copy)]
pub struct Short {
    pub op: Op,
    pub kind: ShortKind,
    /// Each call waits for the answer of the previous one.
    pub latency: bool,
    pub len: usize,
    pub any: bool,
}

/// Returns all rows of short strings.
pub fn shorts() -> Vec<Short> {
    use ShortKind::{Ascii, Chinese, French, Japanese, Mixed, OneSymbol, Russian};
    let mut all = Vec::new();
    let mut add = |op, kinds: &[ShortKind], latency, sizes: &[usize]| {
        for &kind in kinds {
            all.extend(sizes.iter().map(|&len| Short { op, kind, latency, len, any: false }));
            if !latency {
                let any = [16, 64, 256].into_iter().filter(|len| sizes.iter().any(|size| size >= len));
                all.extend(any.map(|len| Short { op, kind, latency, len, any: true }));
            }
        }
    };
    const KINDS: [ShortKind; 5] = [Ascii, Mixed, French, Russian, Chinese];
    for op in [Op::Validate, Op::Convert(Utf8, Utf16Le), Op::Convert(Utf16Le, Utf8)] {
        add(op, &[Ascii, Mixed], true, SIZES);
        add(op, &KINDS, false, SIZES);
        add(op, &[OneSymbol], false, &[8, 24, 64, 129, 256, 512, 1024]);
    }
    for op in [
        Op::CountCodePoints,
        Op::Utf16FromUtf8,
        Op::Utf8FromUtf16,
        Op::Boundary,
        Op::Lossy(0),
        Op::Owned(Utf8, Utf16Le),
        Op::OwnedStr(Utf16Le),
        Op::Owned(Utf16Le, Utf8),
        Op::DecodeBytes(Page::Utf16Le),
    ] {
        add(op, &KINDS, false, FEW_SIZES);
    }
    let below: &[usize] = &[2, 8, 16, 33, 63];
    for (op, kind) in [
        (BETWEEN[0], Russian),
        (BETWEEN[1], Japanese),
        (Op::FromPage(Page::Windows1252), French),
        (Op::ToPage(Page::Windows1252), French),
        (Op::FromPage(Page::ShiftJis), Japanese),
        (Op::ToPage(Page::ShiftJis), Japanese),
    ] {
        add(op, &[kind], false, below);
    }
    add(Op::Damaged(Damage::OneError, 0), &KINDS, false, &[9, 41, 101, 402]);
    for page in [Page::Windows1252, Page::ShiftJis, Page::EucJp, Page::Gbk, Page::Gb18030, Page::EucKr] {
        add(Op::Open(page), &[Ascii], false, &[8]);
    }
    all
}

/// Our targets, as multiples of the speed of the best peer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Target {
    /// The target for every text.
    pub every: Option<f64>,
    /// The targets for the geometric means over the two groups of texts.
    pub lipsum: Option<f64>,
    pub mixed: Option<f64>,
    /// The target for the text that has only characters beyond the BMP.
    pub emoji: Option<f64>,
}

impl Target {
    const fn new(every: f64, lipsum: f64, mixed: f64) -> Self {
        Self { every: Some(every), lipsum: Some(lipsum), mixed: Some(mixed), emoji: None }
    }
    const fn mixed(every: f64, mixed: f64) -> Self {
        Self { every: Some(every), lipsum: None, mixed: Some(mixed), emoji: None }
    }
    const fn with_emoji(self, emoji: f64) -> Self {
        Self { emoji: Some(emoji), ..self }
    }
    /// Returns targets for the worst text, and for both means.
    const fn means(every: f64, mean: f64) -> Self {
        Self::new(every, mean, mean)
    }
}

/// The peers of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// All peers, with the best level of this machine.
    Best,
    /// AVX2 against the peers that use no more.
    Avx2,
}

/// Returns the target of an operation on whole texts.
pub fn target(op: Op, class: Class) -> Target {
    const EVERY: Target = Target { every: Some(1.0), lipsum: None, mixed: None, emoji: None };
    match (op, class) {
        (Op::Validate, Class::Best) => Target::new(1.0, 1.5, 1.35),
        (Op::Validate, Class::Avx2) => Target::new(1.05, 1.4, 1.4),
        (Op::Lossy(0), _) => EVERY,
        (Op::Lossy(10_000) | Op::Damaged(_, 10_000), _) => Target::means(1.2, 2.5),
        (Op::Damaged(..), _) => Target::means(1.1, 2.0),
        (Op::Lossy(_), _) => Target::means(1.2, 2.0),
        // A policy is compared with our own U+FFFD.
        (Op::Policy(..), _) => Target { every: Some(0.77), ..Target::default() },
        (Op::Owned(..) | Op::OwnedStr(_) | Op::DecodeBytes(_) | Op::EncodeBytes(_), _) => {
            Target::means(1.0, 1.5)
        }
        (Op::Read(..) | Op::Write(..) | Op::ToAscii(_), _) => EVERY,
        (Op::ToPage(_), _) => Target::means(1.1, 2.0),
        (Op::Convert(Form::Latin1, Form::Utf8), Class::Avx2) => Target::mixed(1.0, 1.4),
        (Op::Convert(Form::Utf8, Form::Latin1), Class::Avx2) => Target::mixed(1.0, 3.0),
        (Op::Convert(Form::Utf16Le | Form::Utf16Be, Form::Utf8), Class::Avx2) => Target::mixed(1.2, 1.4),
        (Op::Convert(..) | Op::FromPage(_) | Op::Between(..), Class::Avx2) => EVERY,
        (_, Class::Avx2) => Target::default(),
        (Op::Convert(Form::Utf8, Form::Utf16Le | Form::Utf16Be), _) => Target::new(1.0, 1.9, 1.7),
        (Op::Convert(Form::Utf16Le | Form::Utf16Be, Form::Utf8), _) => Target::new(1.2, 1.65, 1.7),
        (Op::Convert(Form::Utf8, Form::Utf32), _) => Target::new(1.0, 2.3, 1.8),
        (Op::Convert(Form::Utf32, Form::Utf8), _) => Target::new(1.4, 2.6, 2.1).with_emoji(8.0),
        (Op::Convert(Form::Latin1, Form::Utf8) | Op::Convert(Form::Utf8, Form::Latin1), _) => {
            Target::mixed(1.0, 1.1)
        }
        (Op::Convert(..), _) => Target::means(1.0, 1.2),
        (Op::ValidateUtf16, _) => Target::new(1.0, 1.6, 1.4).with_emoji(5.0),
        (Op::CountCodePoints | Op::CountLineFeeds, _)
        | (Op::Utf16FromUtf8 | Op::Utf8FromUtf16 | Op::Utf32FromUtf16, _)
        | (Op::Utf8FromUtf32 | Op::Utf8FromLatin1, _) => Target::new(1.0, 1.6, 1.4),
        (Op::FromPage(_) | Op::Between(..) | Op::Open(_) | Op::Boundary, _) => EVERY,
    }
}
