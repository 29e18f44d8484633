//! The language model: how probable a text is in each language, in Unicode.
//!
//! One model serves all legacy encodings, since P(bytes | encoding, language) = P(text | language). Its letters are folded
//! code points ([`characters`]); each language has an alphabet of at most some hundred, and the probability of a letter
//! after two others: trigrams, which fall back on bigrams, which fall back on letters.
//!
//! Probabilities are costs: negative logarithms, in eighths of a nat. `cargo train model` writes the file.

pub(crate) mod bits;
pub(crate) mod characters;
mod format;
mod languages;
mod pairs;

use self::bits::{Bits, Code, Fives, SYMBOLS};
use self::characters::{HANGUL, IDEOGRAPHS, KINDS, MARK, SCRIPTS};
pub(crate) use self::format::UNITS;
use self::format::{MAGIC, STEP, ZERO};
pub(crate) use self::languages::LANGUAGES;
pub use self::languages::Language;
use alloc::vec;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};
use placemat_core::ground::once::Once;

/// Code points below this have their class in a table.
const TABLE: usize = 0x3100;

static FILE: &[u8] = include_bytes!("model/model.bin");

/// The class of a code point: its script if it is below [`SCRIPTS`], else one folded code point.
pub(crate) type Class = u16;

/// The language model: the statistics of all languages.
pub(crate) struct Model {
    /// The folded code points that have a class of their own.
    inventory: Vec<u16>,
    /// The class and the case of the code points below [`TABLE`], those outside the inventory as they are asked for: class,
    /// 65536 × case, and [`KNOWN`].
    table: Vec<AtomicU32>,
    /// The cost of each class within its script, for languages that do not have it in their alphabet.
    pub(crate) share: Vec<u8>,
    /// The cost of each class within its script after each kind, over its cost after any.
    symbols: Vec<[i8; KINDS]>,
    /// The kind of each class.
    kinds: Vec<u8>,
    /// The cost of each ASCII character within those that fold alike, between two kinds: 4 × kind before + kind after.
    punctuation: Vec<[u8; 128]>,
    /// The cost of a case after two others: 16 × first + 4 × second + third.
    pub(crate) case: [u8; 64],
    pub(crate) languages: Vec<LanguageModel>,
    codes: Codes,
}

/// The bit that is set in an entry of the table that was made.
const KNOWN: u32 = 1 << 31;

/// The prefix codes of the packed streams.
struct Codes {
    bigram: Code,
    distance: Code,
    trigram: Code,
    weight: Code,
}

/// The statistics of one language.
pub(crate) struct LanguageModel {
    pub(crate) language: Language,
    /// The script of most of its letters.
    pub(crate) script: u8,
    /// The share of non-ASCII letters, in its text.
    pub(crate) beyond_ascii: f32,
    /// The number of the language's letters: scripts first, then its alphabet.
    pub(crate) n: usize,
    /// From a class to a letter of this language.
    pub(crate) local: Vec<u8>,
    /// The classes of its alphabet, letter [`SCRIPTS`] first.
    pub(crate) alphabet: Vec<Class>,
    /// The cost of each letter.
    pub(crate) unigram: Vec<u8>,
    /// The classes below this are those of ASCII.
    ascii: usize,
    /// The cost of any letter after each letter, over what it costs anywhere.
    weight: Vec<u8>,
    /// The kind of each letter, and the costs of marks after and before each kind.
    kinds: Vec<u8>,
    beside: Vec<[[i8; KINDS]; 2]>,
    /// The number of letters that represent ASCII, and the differences of their pairs.
    early_letters: usize,
    early_pairs: Fives<'static>,
    packed_pairs: &'static [u8],
    /// The cost of letter b after letter a: n × a + b.
    pairs: Once<Vec<u8>>,
    packed: &'static [u8],
    count: usize,
    trigrams: Once<Trigrams>,
    /// The cost of each ideograph from U+4E00 and of each Hangul syllable within its script.
    ideographs: Vec<u8>,
    hangul: Vec<u8>,
    /// The cost of an ideograph, and of a syllable, that the language was never seen to use.
    unseen: [u8; 2],
}

/// The costs of a letter after two others, in a language.
pub(crate) struct Threes<'a> {
    model: &'a Model,
    language: &'a LanguageModel,
    pairs: &'a [u8],
    trigrams: &'a Trigrams,
}

/// The trigrams of a language that differ from what its bigrams say.
struct Trigrams {
    /// 256 × index + cost at the slot of the index or after it; all ones where there is none.
    slots: Vec<u32>,
    /// The cost of falling back on the bigram, after each pair of letters.
    weight: Vec<u8>,
}

/// Reads the head of the file. Reads past its end return zeros: a damaged file gives a wrong model,
/// never a panic.
struct Reader {
    rest: &'static [u8],
}

impl Reader {
    fn bytes(&mut self, n: usize) -> &'static [u8] {
        let (now, rest) = self.rest.split_at(n.min(self.rest.len()));
        self.rest = rest;
        now
    }

    fn u8(&mut self) -> u8 {
        self.bytes(1).first().copied().unwrap_or(0)
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes([self.u8(), self.u8()])
    }

    fn u32(&mut self) -> usize {
        usize::from(self.u16()) | usize::from(self.u16()) << 16
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        self.bytes(N).try_into().unwrap_or([0; N])
    }
}

impl Model {
    /// Returns the model of the crate, unpacked at the first call.
    pub(crate) fn get() -> &'static Self {
        static MODEL: Once<Model> = Once::new();
        MODEL.get_or_make(|| Self::unpack(FILE))
    }

    fn unpack(file: &'static [u8]) -> Self {
        let mut reader = Reader { rest: file };
        debug_assert_eq!(reader.rest.first_chunk(), Some(MAGIC));
        reader.bytes(MAGIC.len());
        let count = usize::from(reader.u16());
        let inventory: Vec<u16> = (0..count).map(|_| reader.u16()).collect();
        // Two bits each: the tables of the standard library would take a thousand instructions for each.
        let cases = reader.bytes(count.div_ceil(4));
        let share = reader.bytes(SCRIPTS + count).to_vec();
        let kinds: Vec<u8> = (0..SCRIPTS)
            .map(|script| characters::kind_of_script(u8::try_from(script).unwrap_or(0)))
            .chain(inventory.iter().map(|&c| characters::kind(c.into())))
            .collect();
        let mut symbols = vec![[0; KINDS]; SCRIPTS];
        symbols.extend(inventory.iter().map(|&c| match characters::script(c.into()) {
            characters::SYMBOLS => reader.array().map(u8::cast_signed),
            _ => [0; KINDS],
        }));
        let mut punctuation = vec![[0; 128]; KINDS * KINDS];
        for costs in &mut punctuation {
            for (c, cost) in (0..).zip(costs) {
                if characters::is_ascii_mark(c) {
                    *cost = reader.u8();
                }
            }
        }
        let case = reader.array();
        let mut code = || Code::new(&reader.array::<SYMBOLS>());
        let codes = Codes { bigram: code(), distance: code(), trigram: code(), weight: code() };

        let scripts: Vec<u8> = inventory.iter().map(|&c| characters::script(c.into())).collect();
        let ascii = SCRIPTS + inventory.iter().filter(|&&c| c < 0x80).count();
        let languages = usize::from(reader.u8());
        let languages =
            (0..languages).map(|_| LanguageModel::unpack(&mut reader, &scripts, &kinds, ascii)).collect();
        let mut table: Vec<AtomicU32> = (0..TABLE).map(|_| AtomicU32::new(0)).collect();
        for (place, &c) in inventory.iter().enumerate() {
            let case = cases.get(place / 4).map_or(0, |cases| cases >> (place % 4 * 2) & 3);
            if let (Some(entry), Ok(class)) =
                (table.get_mut(usize::from(c)), Class::try_from(SCRIPTS + place))
            {
                *entry.get_mut() = Self::entry(class, case);
            }
        }
        Self { inventory, table, share, symbols, kinds, punctuation, case, languages, codes }
    }

    /// Returns the class and the case of a code point below [`TABLE`].
    #[inline]
    fn known(&self, c: u32) -> Option<(Class, u8)> {
        let entry = self.table.get(c as usize)?;
        let known = match entry.load(Ordering::Relaxed) {
            0 => self.learn(entry, c),
            known => known,
        };
        let [class @ .., case, _] = known.to_le_bytes();
        Some((Class::from_le_bytes(class), case))
    }

    /// Makes an entry of the table.
    #[cold]
    fn learn(&self, entry: &AtomicU32, c: u32) -> u32 {
        let folded = characters::fold(c);
        let own = u16::try_from(folded).ok().and_then(|folded| self.inventory.binary_search(&folded).ok());
        let own = own.and_then(|place| Class::try_from(SCRIPTS + place).ok());
        let class = own.unwrap_or(characters::script(folded).into());
        let known = Self::entry(class, characters::case(c));
        entry.store(known, Ordering::Relaxed);
        known
    }

    /// Returns an entry of the table.
    const fn entry(class: Class, case: u8) -> u32 {
        KNOWN | (case as u32) << 16 | class as u32
    }

    /// Returns the class of `c`.
    #[inline]
    pub(crate) fn class(&self, c: u32) -> Class {
        match self.known(c) {
            Some((class, _)) => class,
            None if matches!(c, 0x3400..=0x9FFF) => IDEOGRAPHS.into(),
            None if (0xFF00..0xFFA0).contains(&c) => match characters::fold(c) {
                folded if (folded as usize) < TABLE => self.class(folded),
                folded => characters::script(folded).into(),
            },
            None => characters::script(c).into(),
        }
    }

    /// Returns `true` if a class is a non-ASCII letter.
    pub(crate) fn is_letter_beyond_ascii(&self, class: Class) -> bool {
        let Some(&c) = usize::from(class).checked_sub(SCRIPTS).and_then(|place| self.inventory.get(place))
        else {
            return false;
        };
        c >= 0x80 && self.case_of(c.into()) != characters::NO_LETTER
    }

    /// Returns the case of `c`.
    #[inline]
    pub(crate) fn case_of(&self, c: u32) -> u8 {
        match self.known(c) {
            Some((_, case)) => case,
            None if matches!(c, 0x3400..=0x9FFF | 0xAC00..=0xD7A3) => characters::UNCASED,
            None => characters::case(c),
        }
    }

    /// Returns the cost of class `c` after `b`, in `language`. `ideograph` is the code point where that matters.
    #[inline]
    pub(crate) fn after_one(&self, language: &LanguageModel, b: Class, c: Class, ideograph: u32) -> u32 {
        let (y, z) = (language.letter(b), language.letter(c));
        u32::from(self.pairs(language)[y * language.n + z]) + self.within(language, z, b, c, ideograph)
    }

    /// Returns the cost of a class by itself.
    pub(crate) fn alone(&self, language: &LanguageModel, class: Class) -> u16 {
        let (letter, within) = self.letter(language, class);
        u16::from(language.unigram[usize::from(letter)]) + u16::from(within)
    }

    /// Returns the letter that represents a class, and the cost of the class within that letter, wherever
    /// it occurs.
    #[inline]
    pub(crate) fn letter(&self, language: &LanguageModel, class: Class) -> (u8, u8) {
        let letter = language.local[usize::from(class)];
        (letter, if usize::from(letter) < SCRIPTS { self.share[usize::from(class)] } else { 0 })
    }

    /// Returns the cost of class `c` after `b`, in `language`, both of ASCII. No other pairs are unpacked for it.
    pub(crate) fn after_one_in_ascii(&self, language: &LanguageModel, b: Class, c: Class) -> u16 {
        let (y, _) = self.letter(language, b);
        let (z, within) = self.letter(language, c);
        u16::from(language.early_pair(y.into(), z.into())) + u16::from(within)
    }

    /// Returns the cost of letter b after letter a, in `language`: n × a + b.
    #[inline]
    pub(crate) fn pairs<'a>(&self, language: &'a LanguageModel) -> &'a [u8] {
        language.pairs.get_or_make(|| language.unpack_pairs(&self.codes.bigram))
    }

    /// Returns the cost of class `c` after `a` and `b`, in `language`. `ideograph` is the code point where that matters.
    #[inline]
    pub(crate) fn after_two(
        &self,
        language: &LanguageModel,
        a: Class,
        b: Class,
        c: Class,
        ideograph: u32,
    ) -> u32 {
        self.threes(language).of(a, b, c, ideograph)
    }

    /// Returns the threes of a language.
    pub(crate) fn threes<'a>(&'a self, language: &'a LanguageModel) -> Threes<'a> {
        let pairs = self.pairs(language);
        let trigrams = language.trigrams.get_or_make(|| language.unpack_trigrams(pairs, &self.codes));
        Threes { model: self, language, pairs, trigrams }
    }

    /// Returns the cost of a class, after another, within the letter that represents it.
    #[inline]
    fn within(
        &self,
        language: &LanguageModel,
        letter: usize,
        before: Class,
        class: Class,
        ideograph: u32,
    ) -> u32 {
        if letter >= SCRIPTS {
            return 0;
        }
        let share = i32::from(self.share[usize::from(class)]);
        let beside = self.symbols[usize::from(class)][usize::from(self.kinds[usize::from(before)])];
        (share + i32::from(beside)).max(0).unsigned_abs() + language.ideograph(letter, ideograph)
    }

    /// Returns the cost of an ASCII character between two classes, within those that fold alike.
    #[inline]
    pub(crate) fn mark(&self, before: Class, c: u32, after: Class) -> u8 {
        let [before, after] = [before, after].map(|class| usize::from(self.kinds[usize::from(class)]));
        self.punctuation[before * KINDS + after].get(c as usize).copied().unwrap_or(0)
    }
}

impl Threes<'_> {
    /// Returns the cost of class `c` after `a` and `b`. None is an ideograph or a syllable.
    #[inline]
    pub(crate) fn cost(&self, a: Class, b: Class, c: Class) -> u32 {
        self.of(a, b, c, 0)
    }

    /// Returns the cost of class `c` after `a` and `b`, where `ideograph` is the last code point.
    #[inline]
    pub(crate) fn of(&self, a: Class, b: Class, c: Class, ideograph: u32) -> u32 {
        let Self { model, language, pairs, trigrams } = self;
        let (x, y, z) = (language.letter(a), language.letter(b), language.letter(c));
        let context = x * language.n + y;
        let cost = match trigrams.find(context * language.n + z) {
            Some(cost) => cost.into(),
            None => u32::from(trigrams.weight[context]) + u32::from(pairs[y * language.n + z]),
        };
        cost + model.within(language, z, b, c, ideograph)
    }
}

impl LanguageModel {
    fn unpack(reader: &mut Reader, scripts: &[u8], kinds: &[u8], ascii: usize) -> Self {
        let name = usize::from(reader.u8());
        let script = reader.u8();
        let beyond_ascii = f32::from(reader.u16()) / 65536.0;
        let letters = usize::from(reader.u8());
        let alphabet: Vec<Class> = (0..letters).map(|_| reader.u16()).collect();
        let n = SCRIPTS + letters;
        let mut unigram = reader.bytes(n).to_vec();
        unigram.resize(n, 0);
        let mut weight = reader.bytes(n).to_vec();
        weight.resize(n, 0);
        let kinds: Vec<u8> = (0..SCRIPTS)
            .chain(alphabet.iter().map(|&class| class.into()))
            .map(|class| kinds.get(class).copied().unwrap_or(0))
            .collect();
        let beside: Vec<[[i8; KINDS]; 2]> = kinds
            .iter()
            .map(|&kind| {
                let mut costs =
                    || if kind == MARK { reader.array().map(u8::cast_signed) } else { [0; KINDS] };
                [costs(), costs()]
            })
            .collect();
        let unseen = reader.array();
        let mut ideographs = Vec::new();
        let mut hangul = Vec::new();
        for (first, last, seen, table) in
            [(0x4E00u32, 0xA000u32, unseen[0], &mut ideographs), (0xAC00, 0xD7A4, unseen[1], &mut hangul)]
        {
            let known = reader.u16();
            if known > 0 {
                table.resize((last - first) as usize, seen);
            }
            let mut at = 0;
            for _ in 0..known {
                let (distance, cost) = (usize::from(reader.u16()), reader.u8());
                at += distance;
                if let Some(slot) = table.get_mut(at) {
                    *slot = cost;
                }
            }
        }
        let early_letters = format::early(&alphabet, ascii).count();
        let early_pairs = Fives::new(reader.bytes(Fives::bytes(early_letters * early_letters)));
        let length = reader.u32();
        let packed_pairs = reader.bytes(length);
        let count = reader.u32();
        let length = reader.u32();
        let packed = reader.bytes(length);
        let mut local: Vec<u8> = Vec::with_capacity(SCRIPTS + scripts.len());
        local.extend((0..SCRIPTS).map_while(|script| u8::try_from(script).ok()));
        local.extend(scripts);
        for (letter, &class) in alphabet.iter().enumerate() {
            if let Some(slot) = local.get_mut(usize::from(class)) {
                *slot = u8::try_from(SCRIPTS + letter).unwrap_or(0);
            }
        }
        Self {
            language: LANGUAGES[name.min(LANGUAGES.len() - 1)],
            script,
            beyond_ascii,
            n,
            local,
            alphabet,
            unigram,
            ascii,
            weight,
            kinds,
            beside,
            early_letters,
            early_pairs,
            packed_pairs,
            pairs: Once::new(),
            packed,
            count,
            trigrams: Once::new(),
            ideographs,
            hangul,
            unseen,
        }
    }

    /// Returns the letter that represents `class`.
    #[inline]
    pub(crate) fn letter(&self, class: Class) -> usize {
        self.local[usize::from(class)].into()
    }

    /// Returns `true` if the language writes a letter often enough that a line of it is not surprising.
    #[cfg(feature = "repair")]
    pub(crate) fn writes(&self, class: Class) -> bool {
        const RARE: u8 = 72;
        let letter = self.letter(class);
        letter >= SCRIPTS && self.unigram.get(letter).is_some_and(|&cost| cost <= RARE)
    }

    /// Returns the cost of an ideograph or a syllable within its script; 0 for all other code points.
    #[inline]
    fn ideograph(&self, letter: usize, c: u32) -> u32 {
        let (table, first, unseen) = if letter == usize::from(IDEOGRAPHS) {
            (&self.ideographs, 0x4E00, self.unseen[0])
        } else if letter == usize::from(HANGUL) {
            (&self.hangul, 0xAC00, self.unseen[1])
        } else {
            return 0;
        };
        let place = c.wrapping_sub(first) as usize;
        table.get(place).copied().unwrap_or(unseen).into()
    }

    /// Returns the letters that represent ASCII.
    pub(crate) fn early(&self) -> impl Iterator<Item = usize> {
        format::early(&self.alphabet, self.ascii)
    }

    fn unpack_trigrams(&self, pairs: &[u8], codes: &Codes) -> Trigrams {
        let n = self.n;
        let mut trigrams = Trigrams {
            slots: vec![u32::MAX; (self.count * 2).next_power_of_two().max(2)],
            weight: vec![0; n * n],
        };
        let mut bits = Bits::new(self.packed);
        // The index is context × n + c.
        let (mut context, mut c) = (0, 0);
        let mut before = usize::MAX;
        for _ in 0..self.count {
            // The distance to the index before: the number of its bits, then those below the highest.
            let width = u32::from(bits.symbol(&codes.distance));
            let distance = if width == 0 { 0 } else { 1 << (width - 1) | bits.take(width - 1) };
            c += distance as usize;
            if c >= n {
                context += c / n;
                c %= n;
            }
            let (Some(&pair), Some(weight)) =
                (pairs.get(context % n * n + c), trigrams.weight.get_mut(context))
            else {
                break;
            };
            if context != before {
                before = context;
                *weight = bits.symbol(&codes.weight) * STEP;
            }
            let difference = bits.symbol(&codes.trigram);
            let own = cost(i32::from(pair) + i32::from(*weight), difference);
            trigrams.insert(context * n + c, own);
        }
        trigrams
    }
}

impl Trigrams {
    #[inline]
    fn slot(&self, index: usize) -> usize {
        index.wrapping_mul(0x9E37_79B1) >> 7 & (self.slots.len() - 1)
    }

    fn insert(&mut self, index: usize, cost: u8) {
        let mut at = self.slot(index);
        while self.slots[at] != u32::MAX {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = u32::try_from(index << 8).unwrap_or(0) | u32::from(cost);
    }

    #[inline]
    fn find(&self, index: usize) -> Option<u8> {
        let mut at = self.slot(index);
        loop {
            let slot = self.slots[at];
            if (slot >> 8) as usize == index {
                return Some(slot.to_le_bytes()[0]);
            }
            if slot == u32::MAX {
                return None;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }
}

/// Returns the cost that differs from `expected` by a packed difference.
#[inline]
pub(crate) fn cost(expected: i32, difference: u8) -> u8 {
    let cost = expected - i32::from(STEP) * (i32::from(difference) - i32::from(ZERO));
    u8::try_from(cost.clamp(0, 255)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float;

    #[test]
    fn the_file_is_small_and_read_to_its_end() {
        assert!(FILE.len() <= 530_000, "{} bytes", FILE.len());
        let model = Model::get();
        assert_eq!(model.languages.len(), 96);
        let mut names: Vec<&str> = model.languages.iter().map(|language| language.language.code()).collect();
        names.dedup();
        assert_eq!(names.len(), 96, "each language once, in the order of their tags");
        assert!(names.is_sorted());
    }

    #[test]
    fn what_the_file_says_about_the_inventory_is_what_is_computed() {
        let model = Model::get();
        for &c in model.inventory.iter().filter(|&&c| usize::from(c) < TABLE) {
            let known = model.table[usize::from(c)].load(Ordering::Relaxed);
            assert_eq!(known, model.learn(&AtomicU32::new(0), c.into()), "U+{c:04X}");
        }
    }

    #[test]
    fn the_probabilities_of_what_comes_next_add_up_to_one() {
        // Costs are rounded to half a nat where they differ from the expected ones. Each letter
        // counts as often as it occurs.
        let model = Model::get();
        for language in &model.languages {
            let rows = model.pairs(language).chunks(language.n);
            let sums: Vec<f32> =
                rows.map(|row| row.iter().map(|&cost| float::exp(-f32::from(cost) / UNITS)).sum()).collect();
            let off: f32 = sums
                .iter()
                .zip(&language.unigram)
                .map(|(sum, &cost)| (sum - 1.0).abs() * float::exp(-f32::from(cost) / UNITS))
                .sum();
            assert!(off < 0.12, "{:?}: off by {off}", language.language);
        }
    }

    #[test]
    fn letters_that_follow_one_another_cost_less_than_others() {
        let model = Model::get();
        for (code, usual, unusual) in
            [("en", "the", "hte"), ("de", "sch", "hcs"), ("ru", "ств", "втс"), ("el", "και", "ικα")]
        {
            let language = model.languages.iter().find(|language| language.language.code() == code);
            let language = language.expect("a language of the model");
            let cost = |text: &str| {
                let classes: Vec<Class> = text.chars().map(|c| model.class(c.into())).collect();
                model.after_two(language, classes[0], classes[1], classes[2], 0)
            };
            assert!(
                cost(usual) + 8 < cost(unusual),
                "{code}: {usual} {}, {unusual} {}",
                cost(usual),
                cost(unusual)
            );
        }
    }
}
