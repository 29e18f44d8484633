//! Finds the differences between two texts, in time that is linear in their lengths.
//!
//! Tokens that are unique in both texts are matched first, as in a patience diff. What is between them is compared by
//! Myers' algorithm for a limited number of differences at a time: where there are more, the longest path so far is kept,
//! and the search goes on from its end. So the result may match less than it could, but what it matches is equal.

use core::ops::Range;

/// The differences that one search looks for. Each step forward in the texts takes at most about three times as many steps
/// of work.
const MAX_DIFFERENCES: usize = 24;
/// Tokens can be unique between two matches that are not unique in the whole text: how often the gaps are searched again.
const MAX_DEPTH: usize = 3;
/// A token is looked up in at most this many slots; the next one in the same place is taken for a new token.
const MAX_PROBES: usize = 64;

/// Ranges of two texts: what is in the first has become what is in the second.
pub(crate) type Difference = (Range<usize>, Range<usize>);

/// The numbers of tokens: equal numbers are equal tokens.
pub(crate) struct Numbers<'a> {
    /// A hash table: the hash of a token, and its number plus one. At most half of the slots are in use. The hash is here
    /// so that other tokens are passed without a look at their text.
    slots: Vec<[u32; 2]>,
    tokens: Vec<&'a [u8]>,
}

impl<'a> Numbers<'a> {
    /// For at most `count` tokens.
    pub(crate) fn new(count: usize) -> Self {
        Self { slots: vec![[0; 2]; (2 * count).next_power_of_two()], tokens: Vec::new() }
    }

    /// Returns the number of different tokens so far.
    pub(crate) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(crate) fn of(&mut self, token: &'a [u8]) -> u32 {
        let mask = self.slots.len() - 1;
        let hash = hash(token);
        let mut free = None;
        for probe in 0..MAX_PROBES {
            let slot = (hash as usize).wrapping_add(probe) & mask;
            match self.slots[slot] {
                [_, 0] => {
                    free = Some(slot);
                    break;
                }
                [other, number] if other == hash && self.tokens[number as usize - 1] == token => {
                    return number - 1;
                }
                _ => {}
            }
        }
        // Texts have less than 2^32 tokens, or there would be no memory for them.
        let number = u32::try_from(self.tokens.len()).unwrap_or(u32::MAX - 1);
        self.tokens.push(token);
        if let Some(slot) = free {
            self.slots[slot] = [hash, number + 1];
        }
        number
    }
}

/// Multiplies and folds eight bytes at a time. Returns 32 bits.
fn hash(bytes: &[u8]) -> u32 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |state: u64, word: [u8; 8]| {
        let product = (state ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
        product ^ (product >> 32)
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let state = words.iter().fold(bytes.len() as u64, |state, &word| mix(state, word));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    u32::try_from(mix(mix(state, last), [0; 8]) >> 32).unwrap_or(0)
}

/// Returns the differences of two sequences of numbers, and the steps that finding them took.
pub(crate) fn compare(old: &[u32], new: &[u32], numbers: usize) -> (Vec<Difference>, usize) {
    let mut search = Search { old, new, uses: vec![Use::default(); numbers], matches: Vec::new(), steps: 0 };
    search.gap(0..old.len(), 0..new.len(), 0);
    (search.differences(), search.steps)
}

/// Returns the differences of two sequences in which most tokens are repeated, such as characters.
pub(crate) fn compare_repetitive(old: &[u32], new: &[u32]) -> (Vec<Difference>, usize) {
    let mut search = Search { old, new, uses: Vec::new(), matches: Vec::new(), steps: 0 };
    search.gap(0..old.len(), 0..new.len(), MAX_DEPTH);
    (search.differences(), search.steps)
}

/// Returns the differences of two lists of lines, each given by its length and its lines.
pub(crate) fn differing<'a>(
    (old_len, old): (usize, impl Fn(usize) -> &'a [u8]),
    (new_len, new): (usize, impl Fn(usize) -> &'a [u8]),
) -> Vec<Difference> {
    // Most edits change few lines: those before and after them need no numbers.
    let fewer = old_len.min(new_len);
    let same = (0..fewer).take_while(|&line| old(line) == new(line)).count();
    let from_end = |line: &usize| old(old_len - 1 - line) == new(new_len - 1 - line);
    let same_end = (0..fewer - same).take_while(from_end).count();
    let (old_lines, new_lines) = (same..old_len - same_end, same..new_len - same_end);
    let mut numbers = Numbers::new(old_lines.len() + new_lines.len());
    let old_numbers: Vec<u32> = old_lines.map(|line| numbers.of(old(line))).collect();
    let new_numbers: Vec<u32> = new_lines.map(|line| numbers.of(new(line))).collect();
    let (mut found, _) = compare(&old_numbers, &new_numbers, numbers.len());
    for (old, new) in &mut found {
        *old = old.start + same..old.end + same;
        *new = new.start + same..new.end + same;
    }
    found
}

/// How often a token is in a gap: zero, one, or two for more.
#[derive(Clone, Copy, Default)]
struct Use {
    in_old: u8,
    in_new: u8,
    /// The last index of the token in the old sequence.
    at: u32,
}

/// Equal tokens: an index of each sequence, and their number.
struct Match {
    old: usize,
    new: usize,
    len: usize,
}

struct Search<'a> {
    old: &'a [u32],
    new: &'a [u32],
    /// By number, if tokens are not just repeated. All zero between two gaps.
    uses: Vec<Use>,
    /// The matches found so far, in order.
    matches: Vec<Match>,
    steps: usize,
}

impl Search<'_> {
    /// Finds matches between two known matches.
    fn gap(&mut self, mut old: Range<usize>, mut new: Range<usize>, depth: usize) {
        let pairs = self.old[old.clone()].iter().zip(&self.new[new.clone()]);
        let same = pairs.take_while(|(a, b)| a == b).count();
        self.add(old.start, new.start, same);
        (old.start, new.start) = (old.start + same, new.start + same);
        let pairs = self.old[old.clone()].iter().rev().zip(self.new[new.clone()].iter().rev());
        let same_end = pairs.take_while(|(a, b)| a == b).count();
        (old.end, new.end) = (old.end - same_end, new.end - same_end);
        self.steps += same + same_end + 1;
        if !old.is_empty() && !new.is_empty() {
            self.middle(old.clone(), new.clone(), depth);
        }
        self.add(old.end, new.end, same_end);
    }

    /// Matches what it can in ranges that begin and end with different tokens.
    fn middle(&mut self, old: Range<usize>, new: Range<usize>, depth: usize) {
        if self.uses.is_empty() {
            let (x, y) = (old.start, new.start);
            let (a, b) = (&self.old[old], &self.new[new]);
            let mut found = Vec::new();
            self.steps += walk(a, b, |old, new, len| found.push((x + old, y + new, len)));
            found.into_iter().for_each(|(old, new, len)| self.add(old, new, len));
            return;
        }
        self.steps += 4 * (old.len() + new.len());
        for at in old.clone() {
            let uses = &mut self.uses[self.old[at] as usize];
            uses.in_old = (uses.in_old + 1).min(2);
            uses.at = u32::try_from(at).unwrap_or(u32::MAX);
        }
        for &number in &self.new[new.clone()] {
            let uses = &mut self.uses[number as usize];
            uses.in_new = (uses.in_new + 1).min(2);
        }
        let anchors = if depth < MAX_DEPTH { self.anchors(new.clone()) } else { Vec::new() };
        // Tokens that only one sequence has cannot match.
        let (mut common_old, mut common_new) = (Vec::new(), Vec::new());
        if anchors.is_empty() {
            common_old.extend(old.clone().filter(|&at| self.uses[self.old[at] as usize].in_new > 0));
            common_new.extend(new.clone().filter(|&at| self.uses[self.new[at] as usize].in_old > 0));
        }
        for &number in self.old[old.clone()].iter().chain(&self.new[new.clone()]) {
            self.uses[number as usize] = Use::default();
        }
        if anchors.is_empty() {
            let a: Vec<u32> = common_old.iter().map(|&at| self.old[at]).collect();
            let b: Vec<u32> = common_new.iter().map(|&at| self.new[at]).collect();
            let mut found = Vec::new();
            self.steps += walk(&a, &b, |old, new, len| found.push((old, new, len)));
            for (old, new, len) in found {
                (0..len).for_each(|i| self.add(common_old[old + i], common_new[new + i], 1));
            }
            return;
        }
        let (mut old_at, mut new_at) = (old.start, new.start);
        for (anchor_old, anchor_new) in anchors {
            self.gap(old_at..anchor_old, new_at..anchor_new, depth + 1);
            self.add(anchor_old, anchor_new, 1);
            (old_at, new_at) = (anchor_old + 1, anchor_new + 1);
        }
        self.gap(old_at..old.end, new_at..new.end, depth + 1);
    }

    /// Returns the maximum number of tokens, unique in both ranges, that are in one order in both.
    fn anchors(&mut self, new: Range<usize>) -> Vec<(usize, usize)> {
        let is_unique = |uses: Use| uses.in_old == 1 && uses.in_new == 1;
        let uses = |at: usize| self.uses[self.new[at] as usize];
        let unique: Vec<(u32, usize)> =
            new.filter(|&at| is_unique(uses(at))).map(|at| (uses(at).at, at)).collect();
        // The ends of the best rising sequences of each length, and the one before each.
        let (mut ends, mut before): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for (i, (at, _)) in unique.iter().enumerate() {
            let len = match ends.last() {
                Some(&end) if unique[end].0 < *at => ends.len(),
                _ => ends.partition_point(|&end| unique[end].0 < *at),
            };
            before.push(len.checked_sub(1).map_or(usize::MAX, |len| ends[len]));
            if len == ends.len() {
                ends.push(i);
            } else {
                ends[len] = i;
            }
        }
        self.steps += unique.len() * (1 + ends.len().checked_ilog2().unwrap_or(0) as usize);
        let mut anchors: Vec<_> =
            core::iter::successors(ends.last().copied(), |&i| before.get(before[i]).map(|_| before[i]))
                .map(|i| (unique[i].0 as usize, unique[i].1))
                .collect();
        anchors.reverse();
        anchors
    }

    fn add(&mut self, old: usize, new: usize, len: usize) {
        match self.matches.last_mut() {
            Some(last) if last.old + last.len == old && last.new + last.len == new => last.len += len,
            _ if len > 0 => self.matches.push(Match { old, new, len }),
            _ => {}
        }
    }

    /// Returns the parts between the matches.
    fn differences(&self) -> Vec<Difference> {
        let end = Match { old: self.old.len(), new: self.new.len(), len: 0 };
        let (mut old, mut new) = (0, 0);
        let mut differences = Vec::new();
        for next in self.matches.iter().chain([&end]) {
            if next.old > old || next.new > new {
                differences.push((old..next.old, new..next.new));
            }
            (old, new) = (next.old + next.len, next.new + next.len);
        }
        differences
    }
}

/// The diagonals of a search, and one more at each end.
const DIAGONALS: usize = 2 * MAX_DIFFERENCES + 3;
/// The index of the diagonal on which a search starts.
const MIDDLE: usize = MAX_DIFFERENCES + 1;

/// How far each diagonal was reached with some number of differences: the offset in the old sequence.
type Row = [Option<u32>; DIAGONALS];

/// Myers' search, for [`MAX_DIFFERENCES`] at a time. Passes on equal tokens, from the first to the last: the index in both
/// sequences, and their number. Returns the number of steps.
fn walk(old: &[u32], new: &[u32], mut add: impl FnMut(usize, usize, usize)) -> usize {
    let (mut x, mut y, mut steps) = (0, 0, 0);
    let mut rows: Vec<Row> = Vec::with_capacity(MAX_DIFFERENCES + 1);
    while x < old.len() && y < new.len() {
        let (a, b) = (&old[x..], &new[y..]);
        let diagonal = search(a, b, &mut rows, &mut steps);
        let mut found = Vec::new();
        let mut at = diagonal;
        let reached = |row: &Row, at: usize| row[at].unwrap_or(0) as usize;
        let end = rows.last().map_or(0, |row| reached(row, at));
        for count in (0..rows.len()).rev() {
            let reached = reached(&rows[count], at);
            let (start, from) = match count.checked_sub(1) {
                None => (0, at),
                Some(before) => step(&rows[before], at, (a.len(), b.len())).unwrap_or((reached, at)),
            };
            if reached > start {
                found.push((x + start, y + start + MIDDLE - at, reached - start));
            }
            at = from;
        }
        found.into_iter().rev().for_each(|(old, new, len)| add(old, new, len));
        (x, y) = (x + end, y + end + MIDDLE - diagonal);
    }
    steps
}

/// Returns the place in `diagonal` that one more difference reaches, and the diagonal that the difference starts from.
fn step(before: &Row, diagonal: usize, (old_len, new_len): (usize, usize)) -> Option<(usize, usize)> {
    let from = |x: Option<u32>, added: usize, from: usize| {
        let x = x? as usize + added;
        (x <= old_len && x + MIDDLE - diagonal <= new_len).then_some((x, from))
    };
    let deleted = from(before[diagonal - 1], 1, diagonal - 1);
    let inserted = from(before[diagonal + 1], 0, diagonal + 1);
    deleted.max(inserted)
}

/// Fills the rows of a search, until both sequences end or there are too many differences. Returns the diagonal of the
/// longest path.
fn search(old: &[u32], new: &[u32], rows: &mut Vec<Row>, steps: &mut usize) -> usize {
    let lens = (old.len(), new.len());
    rows.clear();
    let mut best = (MIDDLE, 0);
    for count in 0..=MAX_DIFFERENCES {
        let mut row: Row = [None; DIAGONALS];
        best.1 = 0;
        for diagonal in (MIDDLE - count..=MIDDLE + count).step_by(2) {
            *steps += 1;
            let start = match rows.last() {
                None => Some((0, MIDDLE)),
                Some(before) => step(before, diagonal, lens),
            };
            let Some((start, _)) = start else { continue };
            let y = start + MIDDLE - diagonal;
            let same = old[start..].iter().zip(&new[y..]).take_while(|(a, b)| a == b).count();
            *steps += same;
            let end = start + same;
            row[diagonal] = u32::try_from(end).ok();
            let reached = end + end + MIDDLE - diagonal;
            // The path nearest to the middle is the best of equally long ones.
            if (reached, usize::MAX - diagonal.abs_diff(MIDDLE))
                > (best.1, usize::MAX - best.0.abs_diff(MIDDLE))
            {
                best = (diagonal, reached);
            }
        }
        rows.push(row);
        if best.1 == old.len() + new.len() {
            break;
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a generator of its own, so that a failure can be repeated.
    fn random(state: &mut u64, below: u32) -> u32 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        (*state >> 33) as u32 % below
    }

    /// The differences lead from one sequence to the other: what is between them is equal. Returns the steps.
    fn checked(old: &[u32], new: &[u32]) -> usize {
        let numbers = old.iter().chain(new).max().map_or(0, |&most| most as usize + 1);
        let mut most = 0;
        for (differences, steps) in [compare(old, new, numbers), compare_repetitive(old, new)] {
            let (mut old_at, mut new_at) = (0, 0);
            for (from, to) in differences {
                assert!(from.start >= old_at && from.end + to.end > from.start + to.start);
                assert_eq!(old[old_at..from.start], new[new_at..to.start]);
                (old_at, new_at) = (from.end, to.end);
            }
            assert_eq!(old[old_at..], new[new_at..]);
            most = most.max(steps);
        }
        most
    }

    #[test]
    fn equal_tokens_stay() {
        let numbers = |text: &str| -> Vec<u32> { text.bytes().map(u32::from).collect() };
        let found = |old: &str, new: &str| compare(&numbers(old), &numbers(new), 256).0;
        assert_eq!(found("", ""), []);
        assert_eq!(found("", "ab"), [(0..0, 0..2)]);
        assert_eq!(found("abc", "abc"), []);
        assert_eq!(found("abcd", "axcd"), [(1..2, 1..2)]);
        assert_eq!(found("aabbaa", "aaaa"), [(2..4, 2..2)]);
        // The longest run of unique tokens in order stays; the one that moved is deleted and inserted.
        assert_eq!(found("abcdef", "bcdefa"), [(0..1, 0..0), (6..6, 5..6)]);
        let mut state = 1;
        for tokens in [1, 2, 3, 20, 1000] {
            for _ in 0..400 {
                let lens = [0, 1].map(|_| random(&mut state, 80));
                let [old, new] =
                    lens.map(|len| (0..len).map(|_| random(&mut state, tokens)).collect::<Vec<u32>>());
                checked(&old, &new);
            }
        }
    }

    /// For texts of every shape, the steps grow with their length.
    #[test]
    fn work_is_linear() {
        let of = |count: u32, f: &dyn Fn(u32) -> u32| -> Vec<u32> { (0..count).map(f).collect() };
        let shapes = |n: u32| {
            let mut state = 5;
            let mut noise = |below: u32| -> Vec<u32> { (0..n).map(|_| random(&mut state, below)).collect() };
            let sorted = of(n, &|i| i);
            let mut shuffled = sorted.clone();
            shuffled.sort_by_key(|i| i.wrapping_mul(0x9E37_79B9));
            vec![
                ("all changed", sorted.clone(), of(n, &|i| n + i)),
                ("every second changed", sorted.clone(), of(n, &|i| if i % 2 == 0 { i } else { n + i })),
                ("every second deleted", sorted.clone(), of(n / 2, &|i| 2 * i)),
                ("every third inserted", of(n / 3, &|i| 3 * i), sorted.clone()),
                ("reversed", sorted.clone(), of(n, &|i| n - 1 - i)),
                ("shuffled", sorted.clone(), shuffled),
                ("halves exchanged", sorted, of(n, &|i| (i + n / 2) % n)),
                ("one token", of(n, &|_| 0), of(n / 2, &|_| 0)),
                ("two tokens", noise(2), noise(2)),
                ("few tokens", noise(60), noise(60)),
                ("many tokens", noise(n / 8), noise(n / 8)),
                ("periods", of(n, &|i| i % 7), of(n, &|i| if i % 100 == 0 { 7 } else { i % 7 })),
                ("other periods", of(n, &|i| i % 50), of(n, &|i| i % 51)),
                ("nested", of(n, &|i| i.trailing_zeros()), of(n, &|i| (i + 1).trailing_zeros())),
            ]
        };
        for ((what, old, new), (_, more_old, more_new)) in shapes(10_000).into_iter().zip(shapes(40_000)) {
            let (less, more) = (checked(&old, &new), checked(&more_old, &more_new));
            let each = more / (more_old.len() + more_new.len());
            assert!(each <= 4 * MAX_DIFFERENCES, "{what}: {each} steps for each token");
            // A sort has a logarithm.
            assert!(more <= 5 * less + 1000, "{what}: {less}, and {more} for four times the text");
        }
    }

    /// Tokens with one hash cannot make the table slow: they are no longer recognized instead.
    #[test]
    fn numbers_of_tokens() {
        let tokens: Vec<String> = (0..1000).map(|i| format!("token {i}")).collect();
        let mut numbers = Numbers::new(2 * tokens.len());
        for round in 0..2 {
            for (i, token) in tokens.iter().enumerate() {
                assert_eq!(numbers.of(token.as_bytes()), u32::try_from(i).unwrap(), "{round}");
            }
        }
        assert_eq!(numbers.len(), tokens.len());
        let mut full =
            Numbers { slots: vec![[hash(b"other"), 1]; 2 * MAX_PROBES], tokens: vec![b"other".as_slice()] };
        assert_eq!((full.of(b"a"), full.of(b"a"), full.of(b"other")), (1, 2, 0));
    }
}
