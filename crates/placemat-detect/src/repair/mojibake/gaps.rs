//! Sequences that lack a byte: the page in which they were read has no character for it, and a program dropped it, or wrote a
//! question mark or U+FFFD in its place; or the character is invisible, or a space, and was lost later.
//!
//! What is left names the few code points that may have stood there. The words around say which of them did.

use super::line::Line;
use super::scorer::{Scorer, is_space};
use alloc::vec::Vec;

/// The maximum number of choices that one gap has.
pub(super) const MAX_CHOICES: usize = 16;
/// A line with more gaps than this is not repaired. The longest line has this many if one letter in
/// eight lost a byte.
pub(super) const MAX_GAPS: usize = 512;
/// The rounds in which gaps are chosen again, by those that were chosen after them.
const ROUNDS: usize = 2;

/// Texts that may stand somewhere, each with its nats before it is read.
pub(super) type Choices = Vec<(Vec<u32>, f32)>;

/// A place in a line whose text is one of several.
#[derive(Clone, Debug)]
pub(super) struct Gap {
    /// The index of the gap in the line without a layer, if every gap before it is empty.
    pub(super) at: usize,
    /// The texts that may stand there; never empty.
    pub(super) choices: Choices,
    /// The code points of the line at the gap, and their place in the original.
    pub(super) source: Vec<u32>,
    pub(super) origin: u32,
}

/// Nats by which a text must be more probable in a gap than any other: else what is left of it stays.
const CLEAR_NATS: f32 = 0.8;

/// The gaps, and the code points, up to which all of a line says what stands there. In a longer line the words around do.
const SHORT_LINE_GAPS: usize = 24;
const SHORT_LINE_CODE_POINTS: usize = 1024;
/// The code points before a gap, and after it, that a longer line is read for.
const AROUND_CODE_POINTS: usize = 32;
/// The code points between two gaps that are chosen together.
const NEIGHBOUR_CODE_POINTS: usize = 4;

/// Fills the gaps of a line, in order, each with the text that makes the line most probable. Returns how many code points stay as
/// they are because no text is clearly the most probable.
pub(super) fn fill(line: &mut Line, gaps: &[Gap], scorer: &mut Scorer) -> usize {
    let mut chosen: Vec<usize> = gaps.iter().map(|_| 0).collect();
    for round in 0..ROUNDS {
        for number in 0..gaps.len() {
            // In the first round, what comes after the next gap is not known.
            let last = if round == 0 { number } else { gaps.len() };
            let next = gaps.get(number + 1).filter(|next| {
                round > 0
                    && gaps.len() <= SHORT_LINE_GAPS
                    && next.at - gaps[number].at < NEIGHBOUR_CODE_POINTS
            });
            let others = next.map_or(1, |next| next.choices.len());
            let mut best = (f32::MIN, chosen[number], chosen.get(number + 1).copied().unwrap_or(0));
            for choice in 0..gaps[number].choices.len() {
                for other in 0..others {
                    chosen[number] = choice;
                    if next.is_some() {
                        chosen[number + 1] = other;
                    }
                    let text = around(line, gaps, &chosen, number, last);
                    let prior =
                        gaps[number].choices[choice].1 + next.map_or(0.0, |next| next.choices[other].1);
                    let score = scorer.line(&text) + prior;
                    if score > best.0 {
                        best = (score, choice, other);
                    }
                }
            }
            chosen[number] = best.1;
            if next.is_some() {
                chosen[number + 1] = best.2;
            }
        }
    }
    let is_clear: Vec<bool> =
        (0..gaps.len()).map(|number| is_clear(line, gaps, &chosen, number, scorer)).collect();
    let mut filled = Line::default();
    let (mut from, mut left) = (0, 0);
    for ((gap, &choice), is_clear) in gaps.iter().zip(&chosen).zip(is_clear) {
        filled.copy(line, from..gap.at);
        if is_clear {
            for &c in &gap.choices[choice].0 {
                filled.push(c, gap.origin);
            }
        } else {
            left += gap.source.len();
            for (&c, origin) in gap.source.iter().zip(gap.origin..) {
                filled.push(c, origin);
            }
        }
        from = gap.at;
    }
    filled.copy(line, from..line.text.len());
    *line = filled;
    left
}

/// Returns `true` if the choice for one gap is clearly more probable than all alternatives, given the choices for the other gaps.
fn is_clear(line: &Line, gaps: &[Gap], chosen: &[usize], number: usize, scorer: &mut Scorer) -> bool {
    let mut chosen = chosen.to_vec();
    let best = chosen[number];
    let mut score = |choice: usize| {
        chosen[number] = choice;
        scorer.line(&around(line, gaps, &chosen, number, gaps.len())) + gaps[number].choices[choice].1
    };
    let own = score(best);
    (0..gaps[number].choices.len())
        .filter(|&choice| choice != best)
        .all(|choice| own > score(choice) + CLEAR_NATS)
}

/// Returns the words around a gap, with the gaps up to `last` filled as they are chosen, and the others empty.
fn around(line: &Line, gaps: &[Gap], chosen: &[usize], number: usize, last: usize) -> Vec<u32> {
    let (start, end) = extent(line, gaps, number);
    let first = gaps.partition_point(|gap| gap.at < start);
    let mut words = Vec::with_capacity(end - start + 8);
    let mut from = start;
    for (gap, (place, &choice)) in gaps.iter().zip(chosen.iter().enumerate()).skip(first) {
        if gap.at > end {
            break;
        }
        if place > last {
            continue;
        }
        words.extend_from_slice(&line.text[from..gap.at]);
        words.extend_from_slice(&gap.choices[choice].0);
        from = gap.at;
    }
    words.extend_from_slice(&line.text[from..end]);
    words
}

/// Returns the start and the end of the words around a gap. Each is at most 32 code points away: a line of many gaps without
/// spaces would be read whole for each gap.
fn extent(line: &Line, gaps: &[Gap], number: usize) -> (usize, usize) {
    let (at, len) = (gaps[number].at, line.text.len());
    if gaps.len() <= SHORT_LINE_GAPS && len <= SHORT_LINE_CODE_POINTS {
        return (0, len);
    }
    let (least, most) = (at.saturating_sub(AROUND_CODE_POINTS), (at + AROUND_CODE_POINTS).min(len));
    let start =
        line.text[least..at].iter().rposition(|&c| is_space(c)).map_or(least, |space| least + space + 1);
    let end = line.text[at..most].iter().position(|&c| is_space(c)).map_or(most, |space| at + space);
    (start, end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn a_long_line_without_spaces_is_not_read_whole_for_each_gap() {
        let mut line = Line::default();
        for place in 0..8000 {
            line.push(0x4E00, place);
        }
        let gap = |at| Gap { at, choices: vec![(vec![0x4E01], 0.0)], source: Vec::new(), origin: 0 };
        for gaps in
            [(0..16).map(|n| gap(n * 500)).collect(), (0..500).map(|n| gap(n * 16)).collect::<Vec<_>>()]
        {
            for number in 0..gaps.len() {
                let (start, end) = extent(&line, &gaps, number);
                assert!(start <= gaps[number].at && gaps[number].at <= end);
                assert!(end - start <= 2 * AROUND_CODE_POINTS, "{start}..{end}");
            }
        }
    }
}
