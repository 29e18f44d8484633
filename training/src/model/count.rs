//! From text to costs.

use super::characters::{self, HANGUL, IDEOGRAPHS, KINDS, LATIN, MARK, SCRIPTS, SYMBOLS as SYMBOL_SCRIPT};
use super::common::{self, SYMBOLS};
use super::format::UNITS;
use super::shared::{self, Limits, Texts};
use super::vietnamese;
use std::collections::{BTreeMap, BTreeSet};

/// All that the file holds.
pub(super) struct Trained {
    /// The folded code points that have a class of their own.
    pub(super) inventory: Vec<u32>,
    pub(super) share: Vec<u8>,
    pub(super) punctuation: Vec<[u8; 128]>,
    /// The cost of each symbol within its script after each kind of letter, over its cost after any.
    pub(super) symbols: Vec<[i8; KINDS]>,
    pub(super) case: [u8; 64],
    pub(super) languages: Vec<Language>,
}

/// The costs of a language, in units; see `detect/model.rs` of the library.
pub(super) struct Language {
    pub(super) code: String,
    pub(super) script: u8,
    pub(super) beyond_ascii: f64,
    /// Classes.
    pub(super) alphabet: Vec<u16>,
    pub(super) unigram: Vec<u8>,
    /// The kind of each letter, and the cost of each mark beside each kind.
    pub(super) kinds: Vec<u8>,
    pub(super) beside: Vec<[[i8; KINDS]; 2]>,
    /// The cost of falling back on the unigram after each letter.
    pub(super) weight: Vec<u8>,
    /// n × n, in nats.
    pub(super) bigram: Vec<f64>,
    /// Index, cost in nats, and cost of falling back after the first two letters in nats; in the order of the indices.
    pub(super) trigrams: Vec<(usize, f64, f64)>,
    /// For ideographs, and for syllables: the cost of one that was never seen, and the costs of the
    /// others.
    pub(super) members: [(u8, Vec<(u32, u8)>); 2],
}

/// Returns a probability as a cost in units.
pub(super) fn units(probability: f64) -> u8 {
    (-libm::log(probability) * f64::from(UNITS)).round().clamp(0.0, 255.0) as u8
}

/// Letters whose lines are tables of character sets and not text.
const TABLES: [char; 5] = ['¤', '¬', '¦', '¸', '¯'];

/// A language's text, folded, with one space between words, and counts of the text as it was.
struct Folded {
    text: Vec<u32>,
    alphabet: Vec<u32>,
    beyond_ascii: f64,
    /// After each kind, and before each.
    punctuation: Vec<[f64; 128]>,
}

fn fold(language: &str, paragraphs: &[String], limits: Limits, cases: &mut [f64; 64]) -> Folded {
    let east_asian = matches!(language, "ja" | "ko" | "zh-Hans" | "zh-Hant");
    let mut text = Vec::new();
    let mut punctuation = vec![[0.0; 128]; KINDS * KINDS];
    let (mut before, mut last) = (0, 0);
    let (mut letters, mut read) = (0u64, 0u64);
    let mut line = |paragraph: &str| {
        let kind =
            |c: Option<char>| usize::from(characters::kind(characters::fold(c.map_or(0x20, u32::from))));
        let mut behind = None;
        let mut chars = paragraph.chars().peekable();
        while let Some(c) = chars.next() {
            if c.is_ascii() {
                punctuation[kind(behind) * KINDS + kind(chars.peek().copied())][c as usize] += 1.0;
            }
            behind = Some(c);
        }
        for c in paragraph.chars().map(u32::from).chain([0x20]) {
            let case = usize::from(characters::case(c));
            cases[before * 4 + case] += 1.0;
            before = (before * 4 + case) % 16;
            letters += u64::from(c >= 0x80 && case > 0);
            read += 1;
            let folded = characters::fold(c);
            if folded != 0x20 || last != 0x20 {
                text.push(folded);
            }
            last = folded;
        }
    };
    for (number, paragraph) in paragraphs.iter().enumerate() {
        let foreign = |c: char| !east_asian && (19..=22).contains(&characters::script(c.into()));
        if paragraph.contains(TABLES) || paragraph.contains(foreign) {
            continue;
        }
        if language == "vi" && number % 2 == 0 {
            line(&vietnamese::apart(paragraph));
        } else {
            line(paragraph);
        }
    }
    let mut counts = BTreeMap::new();
    for &c in &text {
        *counts.entry(c).or_insert(0u64) += 1;
    }
    let least = (text.len() as f64 * 8e-6).max(3.0) as u64;
    let mut alphabet: Vec<(u64, u32)> = counts
        .into_iter()
        .filter(|&(c, n)| n >= least && c < 0x3100 && !matches!(characters::script(c), 1 | 2 | 21..=23))
        .map(|(c, n)| (n, c))
        .collect();
    alphabet.sort_by(|a, b| b.cmp(a));
    alphabet.truncate(limits.letters);
    let mut alphabet: Vec<u32> = alphabet.into_iter().map(|(_, c)| c).collect();
    alphabet.sort_unstable();
    for count in punctuation.as_flattened_mut() {
        *count /= read as f64;
    }
    Folded { beyond_ascii: letters as f64 / read as f64, text, alphabet, punctuation }
}

/// Returns the model of these texts.
pub(super) fn train(texts: &Texts, limits: Limits) -> Trained {
    let mut cases = [1.0; 64];
    let folded: Vec<(&String, Folded)> =
        texts.iter().map(|(language, text)| (language, fold(language, text, limits, &mut cases))).collect();

    let mut inventory: BTreeSet<u32> = SYMBOLS.iter().map(|&(c, ..)| characters::fold(c.into())).collect();
    inventory.extend(folded.iter().flat_map(|(_, text)| &text.alphabet));
    let inventory: Vec<u32> = inventory.into_iter().collect();
    let class =
        |c: u32| inventory.binary_search(&c).map_or(characters::script(c).into(), |place| SCRIPTS + place);
    let mut table: Vec<usize> = (0..0x3100).map(class).collect();
    table.extend((0x3100..0x11_0000).map(|c| usize::from(characters::script(c))));

    let share = shares(&folded, &inventory, &table);
    let symbols = symbols(&folded, &inventory, &table);
    let punctuation = punctuation(&folded);
    let languages = std::thread::scope(|scope| {
        let threads: Vec<_> = folded
            .chunks(folded.len().div_ceil(4))
            .map(|some| {
                let (table, inventory) = (&table, &inventory);
                scope.spawn(move || {
                    some.iter()
                        .map(|(code, text)| language(code, text, table, inventory, limits))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("a thread that trains ended early"))
            .collect()
    });
    Trained { share, symbols, punctuation, case: case(&cases), languages, inventory }
}

/// Returns the cost of each class within its script, over all languages.
fn shares(folded: &[(&String, Folded)], inventory: &[u32], table: &[usize]) -> Vec<u8> {
    let classes = SCRIPTS + inventory.len();
    let script = |class: usize| match class.checked_sub(SCRIPTS) {
        Some(place) => usize::from(characters::script(inventory[place])),
        None => class,
    };
    let mut share = vec![0.0f64; classes];
    for (language, text) in folded {
        let weight = common::weight(language) / text.text.len() as f64;
        for &c in &text.text {
            share[table[c as usize]] += weight;
        }
    }
    let all: f64 = folded.iter().map(|(language, _)| common::weight(language)).sum();
    for &(c, least, _) in SYMBOLS {
        let own = &mut share[table[characters::fold(c.into()) as usize]];
        *own = if least < 2e-6 { all * least } else { own.max(all * least) };
    }
    // All languages of Latin letters have those of ASCII in their alphabets, so that the others share the script.
    let is_at_home = |class: usize| class >= SCRIPTS && inventory[class - SCRIPTS] < 0x80;
    let mut sum = [0.0; SCRIPTS];
    for class in (SCRIPTS..classes).filter(|&class| !is_at_home(class)) {
        sum[script(class)] += share[class];
    }
    (0..classes)
        .map(|class| match script(class) {
            0 | 1 | 21 | 22 => 0,
            _ if class < SCRIPTS => units(1e-4),
            _ if is_at_home(class) => units(0.02),
            script => units(0.97 * share[class] / sum[script].max(1e-9) + 1e-4),
        })
        .collect()
}

/// Returns the cost of each ASCII character within those that fold as it does, between each kind and each.
fn punctuation(folded: &[(&String, Folded)]) -> Vec<[u8; 128]> {
    let mut shares = vec![[0.0; 128]; KINDS * KINDS];
    for (language, text) in folded {
        for (all, own) in shares.as_flattened_mut().iter_mut().zip(text.punctuation.as_flattened()) {
            *all += own * common::weight(language);
        }
    }
    // A mark that was never seen in this place is as rare there as it is anywhere.
    let mut anywhere = [1e-5; 128];
    for share in &shares {
        for (all, own) in anywhere.iter_mut().zip(share) {
            *all += own;
        }
    }
    // Interface texts ask and exclaim less than others.
    let kinds = |share: &[f64; 128], c: u32| -> f64 {
        let kind = characters::fold(c);
        (0x21..0x7F).filter(|&other| characters::fold(other) == kind).map(|other| share[other as usize]).sum()
    };
    for &(mark, least) in common::MARKS {
        let raised = (least * kinds(&anywhere, mark.into()) / anywhere[mark as usize]).max(1.0);
        anywhere[mark as usize] *= raised;
        for share in &mut shares {
            share[mark as usize] *= raised;
        }
    }
    shares
        .iter()
        .map(|share| {
            let mut costs = [0; 128];
            for c in marks() {
                let own = anywhere[c as usize] / kinds(&anywhere, c);
                let here = kinds(share, c);
                // The places of marks that are too few are not known.
                let is_raised =
                    common::MARKS.iter().any(|&(mark, ..)| u32::from(mark) == c && !".!?".contains(mark));
                let least = if is_raised { own * 0.3 } else { 0.0 };
                costs[c as usize] = units(((share[c as usize] + PRIOR * own) / (here + PRIOR)).max(least));
            }
            costs
        })
        .collect()
}

/// Returns the ASCII characters that fold to one another.
pub(super) fn marks() -> impl Iterator<Item = u32> {
    (0x21..0x7F).filter(|&c| characters::is_ascii_mark(c))
}

/// The cost of lower and upper case after two other cases.
fn case(counts: &[f64; 64]) -> [u8; 64] {
    let mut costs = [0; 64];
    for context in 0..16 {
        let both = counts[context * 4 + 1] + counts[context * 4 + 2];
        for case in 1..3 {
            costs[context * 4 + case] = units(counts[context * 4 + case] / both * 0.99 + 0.005);
        }
    }
    costs
}

fn language(code: &str, folded: &Folded, table: &[usize], inventory: &[u32], limits: Limits) -> Language {
    let n = SCRIPTS + folded.alphabet.len();
    let mut local: Vec<usize> = (0..SCRIPTS).collect();
    local.extend(inventory.iter().map(|&c| usize::from(characters::script(c))));
    let alphabet: Vec<u16> = folded.alphabet.iter().map(|&c| table[c as usize] as u16).collect();
    for (letter, &class) in alphabet.iter().enumerate() {
        local[usize::from(class)] = SCRIPTS + letter;
    }
    let letters: Vec<usize> = folded.text.iter().map(|&c| local[table[c as usize]]).collect();

    let mut one = vec![0.0; n];
    let mut two = vec![0.0; n * n];
    let mut three = vec![0u32; n * n * n];
    let space = local[table[0x20]];
    let (mut a, mut b) = (space, space);
    for &c in &letters {
        one[c] += 1.0;
        two[b * n + c] += 1.0;
        three[(a * n + b) * n + c] += 1;
        (a, b) = (b, c);
    }

    let script = script_of(folded, &one, &local, table);
    let total: f64 = one.iter().sum();
    let p1: Vec<f64> = (0..n)
        .map(|letter| {
            let share = one[letter] / total;
            if letter < SCRIPTS { share.max(common::least_share(letter as u8, script)) } else { share }
        })
        .collect();
    let kinds: Vec<u8> = (0..SCRIPTS)
        .map(|script| characters::kind_of_script(script as u8))
        .chain(folded.alphabet.iter().map(|&c| characters::kind(c)))
        .collect();
    let beside = beside(&two, &one, &p1, &kinds);
    let mut p2 = vec![0.0; n * n];
    let mut weight = vec![0; n];
    for a in 0..n {
        let row = &two[a * n..][..n];
        let count: f64 = row.iter().sum();
        let fallback = row.iter().filter(|&&count| count > 0.0).count() as f64 + 2.0;
        for b in 0..n {
            let extra = f64::from(shared::beside(&beside, &kinds, a, b)) / f64::from(UNITS);
            let unseen = p1[b] * libm::exp(-extra);
            p2[a * n + b] = 0.98 * (row[b] + fallback * unseen) / (count + fallback) + 0.02 * unseen;
        }
        weight[a] = units(0.98 * fallback / (count + fallback) + 0.02);
    }
    let trigrams = trigrams(&three, &p2, n, limits, total);
    Language {
        code: code.to_owned(),
        script,
        beyond_ascii: folded.beyond_ascii,
        alphabet,
        unigram: p1.iter().map(|&p| units(p)).collect(),
        beside,
        kinds,
        weight,
        bigram: p2.iter().map(|&p| -libm::log(p)).collect(),
        trigrams,
        members: [
            members(folded, IDEOGRAPHS, if code.starts_with("zh") { 8000.0 } else { 7000.0 }),
            members(folded, HANGUL, 4000.0),
        ],
    }
}

/// Returns the cost of each symbol of the inventory after each kind, over its cost after any.
fn symbols(folded: &[(&String, Folded)], inventory: &[u32], table: &[usize]) -> Vec<[i8; KINDS]> {
    const TRUST: f64 = 3e-5;
    let mut shares = vec![[0.0; KINDS]; inventory.len()];
    let mut all = [0.0; KINDS];
    for (language, text) in folded {
        let weight = common::weight(language) / text.text.len() as f64;
        let mut kind = 2;
        for &c in &text.text {
            if characters::script(c) == SYMBOL_SCRIPT {
                all[kind] += weight;
                if let Some(place) = table[c as usize].checked_sub(SCRIPTS) {
                    shares[place][kind] += weight;
                }
            }
            kind = usize::from(characters::kind(c));
        }
    }
    let of_all: f64 = all.iter().sum();
    let weights: f64 = folded.iter().map(|(language, _)| common::weight(language)).sum();
    for &(c, least, usual) in SYMBOLS {
        if let Some(place) = table[characters::fold(c.into()) as usize].checked_sub(SCRIPTS) {
            for (kind, letter) in "Ld_M".chars().enumerate() {
                let share = if usual.contains(letter) {
                    0.9 / usual.len() as f64
                } else {
                    0.1 / (4 - usual.len()) as f64
                };
                shares[place][kind] += weights * least * share;
            }
        }
    }
    shares
        .iter()
        .map(|share| {
            let own: f64 = share.iter().sum();
            core::array::from_fn(|kind| {
                let expected = own * all[kind] / of_all;
                let ratio = (share[kind] + TRUST) / (expected + TRUST);
                (-libm::log(ratio) * f64::from(UNITS)).round().clamp(-64.0, 63.0) as i8
            })
        })
        .collect()
}

/// The share of text by which a mark in a place is what it is anywhere.
const PRIOR: f64 = 3e-5;

/// Returns the costs of marks beside each kind of letter, over what they cost anywhere: before a mark, and after it. For
/// each letter of kind [`MARK`] in its place, others are 0.
fn beside(two: &[f64], one: &[f64], p1: &[f64], kinds: &[u8]) -> Vec<[[i8; KINDS]; 2]> {
    /// The number of a pair is significant only if at least this many are expected.
    const TRUST: f64 = 4.0;
    let n = p1.len();
    let total: f64 = one.iter().sum();
    let mut share = [0.0; KINDS];
    for (&kind, &count) in kinds.iter().zip(one) {
        share[usize::from(kind)] += count / total;
    }
    let cost = |seen: f64, expected: f64| {
        let ratio = (seen + TRUST) / (expected + TRUST);
        (-libm::log(ratio) * f64::from(UNITS)).round().clamp(-64.0, 63.0) as i8
    };
    (0..n)
        .map(|mark| {
            if kinds[mark] != MARK {
                return [[0; KINDS]; 2];
            }
            let (mut before, mut after) = ([0.0; KINDS], [0.0; KINDS]);
            for other in 0..n {
                before[usize::from(kinds[other])] += two[other * n + mark];
                after[usize::from(kinds[other])] += two[mark * n + other];
            }
            let costs =
                |seen: [f64; KINDS]| core::array::from_fn(|kind| cost(seen[kind], one[mark] * share[kind]));
            [costs(before), costs(after)]
        })
        .collect()
}

/// Returns the script of most letters.
fn script_of(folded: &Folded, one: &[f64], local: &[usize], table: &[usize]) -> u8 {
    let count = |c: u32| one[local[table[c as usize]]];
    let basic: f64 = (0x61..=0x7A).map(count).sum();
    if basic > folded.text.len() as f64 * 0.5 {
        return LATIN;
    }
    let beyond =
        folded.alphabet.iter().filter(|&&c| c >= 0x80 && !matches!(characters::script(c), 0..=3 | 14));
    beyond.max_by(|&&a, &&b| count(a).total_cmp(&count(b))).map_or(LATIN, |&c| characters::script(c))
}

/// Returns the trigrams that tell enough more than their bigrams, by absolute discounting.
fn trigrams(three: &[u32], p2: &[f64], n: usize, limits: Limits, total: f64) -> Vec<(usize, f64, f64)> {
    const DISCOUNT: f64 = 0.75;
    let mut kept = Vec::new();
    for context in 0..n * n {
        let counts = &three[context * n..][..n];
        let pairs = &p2[context % n * n..][..n];
        let all: f64 = counts.iter().map(|&count| f64::from(count)).sum();
        if all == 0.0 {
            continue;
        }
        let kinds = counts.iter().filter(|&&count| count > 0).count() as f64;
        let fallback = ((DISCOUNT * kinds + 0.02 * all).min(all)) / all;
        let probability =
            |c: usize| (f64::from(counts[c]) - DISCOUNT).max(0.0) / all * 0.98 + fallback * pairs[c];
        // A trigram is worth its place if it is much better than the estimate from its pair.
        let chosen: Vec<usize> = (0..n)
            .filter(|&c| {
                let gained = libm::log(probability(c) / pairs[c]) * f64::from(counts[c]);
                counts[c] >= 3 && gained.abs() / total * 1e6 >= limits.gain
            })
            .collect();
        if chosen.is_empty() {
            continue;
        }
        // The rest shares what the chosen leave over.
        let taken: f64 = chosen.iter().map(|&c| probability(c)).sum();
        let left: f64 = 1.0 - chosen.iter().map(|&c| pairs[c]).sum::<f64>();
        let weight = -libm::log(((1.0 - taken) / left.max(1e-6)).clamp(1e-6, 1.0));
        kept.extend(chosen.into_iter().map(|c| (context * n + c, -libm::log(probability(c)), weight)));
    }
    kept
}

/// Returns the costs of the members of a script of thousands.
fn members(folded: &Folded, script: u8, size: f64) -> (u8, Vec<(u32, u8)>) {
    let mut counts = BTreeMap::new();
    for &c in &folded.text {
        if characters::script(c) == script {
            *counts.entry(c).or_insert(0.0) += 1.0;
        }
    }
    let all: f64 = counts.values().sum();
    if all < 1000.0 {
        return (units(1.0 / size), Vec::new());
    }
    let cost = |count: f64| units((count + 0.3) / (all + 0.3 * size));
    let unseen = cost(0.0);
    (unseen, counts.into_iter().map(|(c, n)| (c, cost(n))).filter(|&(_, cost)| cost + 6 < unseen).collect())
}
