//! The file of the model.

use super::bits::{self, SYMBOLS};
use super::characters::{self, MARK, SCRIPTS};
use super::count::{self, Language, Trained};
use super::format::{self, MAGIC, RUN, STEP, UNITS, ZERO};

/// A symbol of a prefix code, with the plain bits after it.
#[derive(Clone, Copy)]
struct Token {
    code: usize,
    symbol: u8,
    bits: u32,
    count: u32,
}

const BIGRAM: usize = 0;
const DISTANCE: usize = 1;
const TRIGRAM: usize = 2;
const WEIGHT: usize = 3;

/// Returns the packed difference of `nats` from `expected` units, and the cost that the library makes of it.
fn difference(expected: i32, nats: f64, most: i32) -> (u8, i32) {
    let difference = ((f64::from(expected) - nats * f64::from(UNITS)) / f64::from(STEP)).round() as i32;
    let symbol = (difference + i32::from(ZERO)).clamp(0, most);
    (symbol as u8, (expected - i32::from(STEP) * (symbol - i32::from(ZERO))).clamp(0, 255))
}

/// The bigrams of a language.
struct Bigrams {
    /// The differences of those of ASCII, five bits each.
    early: Vec<u8>,
    /// The others.
    tokens: Vec<Token>,
    /// The costs that the library reads from both.
    costs: Vec<i32>,
}

fn bigrams(language: &Language, ascii: usize) -> Bigrams {
    let mut early_pairs = Writer::default();
    let mut tokens = Vec::new();
    let mut zeros = 0;
    let n = language.unigram.len();
    let mut costs = vec![0; n * n];
    let close = |zeros: &mut u32, tokens: &mut Vec<Token>| {
        while *zeros > 0 {
            let now = (*zeros).min(64);
            if now <= 2 {
                tokens.extend((0..now).map(|_| Token { code: BIGRAM, symbol: ZERO, bits: 0, count: 0 }));
            } else {
                tokens.push(Token { code: BIGRAM, symbol: RUN, bits: now - 1, count: 6 });
            }
            *zeros -= now;
        }
    };
    let early: Vec<usize> = format::early(&language.alphabet, ascii).collect();
    let is_early = |a: usize, b: usize| early.contains(&a) && early.contains(&b);
    let all = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
    let first = early.iter().flat_map(|&a| early.iter().map(move |&b| (a, b)));
    for (a, b) in first.chain(all.filter(|&(a, b)| !is_early(a, b))) {
        let expected = i32::from(language.weight[a])
            + i32::from(language.unigram[b])
            + super::shared::beside(&language.beside, &language.kinds, a, b);
        let (symbol, cost) = difference(expected, language.bigram[a * n + b], 30);
        costs[a * n + b] = cost;
        if is_early(a, b) {
            early_pairs.put(symbol.into(), 5);
        } else if symbol == ZERO {
            zeros += 1;
        } else {
            close(&mut zeros, &mut tokens);
            tokens.push(Token { code: BIGRAM, symbol, bits: 0, count: 0 });
        }
    }
    close(&mut zeros, &mut tokens);
    Bigrams { early: early_pairs.end(), tokens, costs }
}

fn trigrams(language: &Language, pairs: &[i32]) -> Vec<Token> {
    let n = language.unigram.len();
    let mut tokens = Vec::new();
    let (mut last, mut before) = (0, usize::MAX);
    for &(index, nats, weight) in &language.trigrams {
        let distance = (index - last) as u32;
        let width = u32::BITS - distance.leading_zeros();
        let below = width.saturating_sub(1);
        tokens.push(Token {
            code: DISTANCE,
            symbol: width as u8,
            bits: distance & ((1 << below) - 1),
            count: below,
        });
        last = index;
        let context = index / n;
        let weight = (weight * f64::from(UNITS) / f64::from(STEP)).round().clamp(0.0, 31.0) as i32;
        if context != before {
            before = context;
            tokens.push(Token { code: WEIGHT, symbol: weight as u8, bits: 0, count: 0 });
        }
        let expected = pairs[context % n * n + index % n] + weight * i32::from(STEP);
        tokens.push(Token { code: TRIGRAM, symbol: difference(expected, nats, 31).0, bits: 0, count: 0 });
    }
    tokens
}

/// The lengths of the best prefix code of at most [`bits::LONGEST`] bits.
fn lengths(counts: &[u64; SYMBOLS]) -> [u8; SYMBOLS] {
    // Package and merge: for each length, pairs of the cheapest of the length before join the single symbols.
    let mut singles: Vec<(u64, Vec<usize>)> =
        (0..SYMBOLS).filter(|&s| counts[s] > 0).map(|s| (counts[s], vec![s])).collect();
    singles.sort();
    let mut lengths = [0; SYMBOLS];
    if singles.len() < 2 {
        for (_, symbols) in singles {
            lengths[symbols[0]] = 1;
        }
        return lengths;
    }
    let mut row = singles.clone();
    for _ in 1..bits::LONGEST {
        let pairs =
            row.chunks_exact(2).map(|pair| (pair[0].0 + pair[1].0, [&pair[0].1[..], &pair[1].1].concat()));
        let mut next: Vec<_> = singles.iter().cloned().chain(pairs).collect();
        next.sort();
        row = next;
    }
    for (_, symbols) in row.into_iter().take(2 * singles.len() - 2) {
        for symbol in symbols {
            lengths[symbol] += 1;
        }
    }
    lengths
}

/// Bits, the lowest of each byte first.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    held: u64,
    count: u32,
}

impl Writer {
    fn put(&mut self, bits: u32, count: u32) {
        self.held |= u64::from(bits) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    fn end(mut self) -> Vec<u8> {
        self.put(0, 7);
        self.bytes
    }
}

fn write(tokens: &[Token], codes: &[[(u32, u32); SYMBOLS]; 4]) -> Vec<u8> {
    let mut writer = Writer::default();
    for token in tokens {
        let (code, length) = codes[token.code][usize::from(token.symbol)];
        writer.put(code, length);
        writer.put(token.bits, token.count);
    }
    writer.end()
}

/// Returns the place of a language in the library's list.
pub(super) fn place(code: &str) -> Option<u8> {
    let list = include_str!("../../../crates/placemat-detect/src/detect/model/languages.rs");
    let tags =
        list.lines().filter_map(|line| line.trim().strip_prefix("Language { code: \"")?.split('"').next());
    tags.enumerate().find(|&(_, known)| known == code).map(|(place, _)| place as u8)
}

/// Returns the bytes of the model.
pub(super) fn pack(model: &Trained) -> Vec<u8> {
    let ascii = SCRIPTS + model.inventory.iter().filter(|&&c| c < 0x80).count();
    let tokens: Vec<_> = model
        .languages
        .iter()
        .map(|language| {
            let Bigrams { early, tokens, costs } = bigrams(language, ascii);
            let three = trigrams(language, &costs);
            (early, tokens, three)
        })
        .collect();
    let mut counts = [[0; SYMBOLS]; 4];
    for token in tokens.iter().flat_map(|(_, pairs, three)| pairs.iter().chain(three)) {
        counts[token.code][usize::from(token.symbol)] += 1;
    }
    let lengths = counts.map(|counts| lengths(&counts));
    let codes = lengths.map(|lengths| bits::codes(&lengths));

    let mut out = MAGIC.to_vec();
    out.extend((model.inventory.len() as u16).to_le_bytes());
    out.extend(model.inventory.iter().flat_map(|&c| (c as u16).to_le_bytes()));
    out.extend(
        model
            .inventory
            .chunks(4)
            .map(|four| four.iter().rev().fold(0, |cases, &c| cases << 2 | characters::case(c))),
    );
    out.extend(&model.share);
    out.extend(
        model
            .inventory
            .iter()
            .zip(&model.symbols)
            .filter(|&(&c, _)| characters::script(c) == characters::SYMBOLS)
            .flat_map(|(_, costs)| costs.map(i8::cast_unsigned)),
    );
    out.extend(model.punctuation.iter().flat_map(|costs| count::marks().map(|c| costs[c as usize])));
    out.extend(model.case);
    out.extend(lengths.as_flattened());
    let (mut two, mut three) = (0, 0);
    out.push(model.languages.len() as u8);
    for (language, (early, pairs, triples)) in model.languages.iter().zip(&tokens) {
        out.push(
            place(&language.code).unwrap_or_else(|| panic!("{}: not in the library's list", language.code)),
        );
        out.push(language.script);
        out.extend(((language.beyond_ascii * 65536.0) as u16).to_le_bytes());
        out.push((language.unigram.len() - SCRIPTS) as u8);
        out.extend(language.alphabet.iter().flat_map(|class| class.to_le_bytes()));
        out.extend(&language.unigram);
        out.extend(&language.weight);
        let marks = language.beside.iter().zip(&language.kinds).filter(|&(_, &kind)| kind == MARK);
        out.extend(marks.flat_map(|(costs, _)| costs.as_flattened()).map(|&cost| cost.cast_unsigned()));
        out.extend(language.members.each_ref().map(|(unseen, _)| *unseen));
        for ((_, known), first) in language.members.iter().zip([0x4E00, 0xAC00]) {
            let known: Vec<_> = known.iter().filter(|&&(c, _)| c >= first && c < first + 0x5200).collect();
            out.extend((known.len() as u16).to_le_bytes());
            let mut last = first;
            for &&(c, cost) in &known {
                out.extend(((c - last) as u16).to_le_bytes());
                out.push(cost);
                last = c;
            }
        }
        out.extend(early);
        let pairs = write(pairs, &codes);
        out.extend((pairs.len() as u32).to_le_bytes());
        out.extend(&pairs);
        let triples = write(triples, &codes);
        out.extend((language.trigrams.len() as u32).to_le_bytes());
        out.extend((triples.len() as u32).to_le_bytes());
        out.extend(&triples);
        two += early.len() + pairs.len();
        three += triples.len();
    }
    let count: usize = model.languages.iter().map(|language| language.trigrams.len()).sum();
    println!("inventory {}, bigrams {two} bytes, {count} trigrams {three} bytes", model.inventory.len());
    out
}
