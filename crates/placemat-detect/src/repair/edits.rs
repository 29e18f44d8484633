//! The changes of one line, as ranges before and after, and how those of two steps join.

use super::change::Step;
use alloc::vec::Vec;
use core::ops::Range;
use placemat_charsets::Encoding;

/// A stretch of a line that a step replaced.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Edit {
    /// Offsets in the line before the step.
    pub(super) before: Range<usize>,
    /// The offsets of the edit in the line after the step.
    pub(super) after: Range<usize>,
    pub(super) why: Why,
}

impl Edit {
    /// Returns the edit in a text with other text before it, of `before` bytes before the step and `after`
    /// bytes after it.
    pub(super) fn moved(self, before: usize, after: usize) -> Self {
        let by = |range: Range<usize>, by: usize| range.start + by..range.end + by;
        Self { before: by(self.before, before), after: by(self.after, after), why: self.why }
    }
}

/// The reason for an edit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Why {
    pub(super) step: Step,
    pub(super) encodings: Vec<Encoding>,
    pub(super) lossy: bool,
    pub(super) gain: f32,
    pub(super) confidence: f32,
}

impl Why {
    /// Returns a reason that needs no language model.
    pub(super) fn certain(step: Step, encodings: &[Encoding]) -> Self {
        Self { step, encodings: encodings.to_vec(), lossy: false, gain: 0.0, confidence: 1.0 }
    }

    /// Returns the reason of an edit that replaces lost text.
    pub(super) fn lost() -> Self {
        Self { lossy: true, ..Self::certain(Step::Lost, &[]) }
    }

    /// Both reasons, of a step and a later one, for one edit.
    fn and(&mut self, later: &Self) {
        self.step = later.step;
        self.encodings.extend_from_slice(&later.encodings);
        self.lossy |= later.lossy;
        self.gain += later.gain;
        self.confidence = self.confidence.min(later.confidence);
    }
}

/// Adds an edit, or adds to the one right before it that has the same reason.
pub(super) fn add(edits: &mut Vec<Edit>, before: Range<usize>, after: Range<usize>, why: &Why) {
    match edits.last_mut() {
        Some(last)
            if last.before.end == before.start && last.after.end == after.start && last.why == *why =>
        {
            last.before.end = before.end;
            last.after.end = after.end;
        }
        _ => edits.push(Edit { before, after, why: why.clone() }),
    }
}

/// Joins the edits of a step with those of the step after it, both in order and without overlaps. Edits that meet in the
/// middle become one. `measure` gives the length before the first step of a stretch, by its offsets in the middle, that the
/// first step left as it was.
pub(super) fn join(
    first: Vec<Edit>,
    second: Vec<Edit>,
    mut measure: impl FnMut(Range<usize>) -> usize,
) -> Vec<Edit> {
    if second.is_empty() {
        return first;
    }
    let mut all = Vec::with_capacity(first.len() + second.len());
    let mut first = first.into_iter().peekable();
    let mut second = second.into_iter().peekable();
    // An offset in the text between the two steps, and the corresponding offsets in the source and
    // the result.
    let (mut middle, mut before, mut after) = (0, 0, 0);
    loop {
        let starts = [first.peek().map(|a| a.after.start), second.peek().map(|b| b.before.start)];
        let Some(start) = starts.into_iter().flatten().min() else { return all };
        before += measure(middle..start);
        after += start - middle;
        let (old, new) = (before, after);
        // The offsets in the middle up to which the lengths before and after are counted, and the end of the cluster.
        let (mut counted_before, mut counted_after, mut end) = (start, start, start);
        let mut why: Option<Why> = None;
        let mut later: Option<Why> = None;
        loop {
            if let Some(a) = first.next_if(|a| a.after.start <= end) {
                before += measure(counted_before..a.after.start) + a.before.len();
                counted_before = a.after.end;
                end = end.max(a.after.end);
                why.get_or_insert(a.why);
            } else if let Some(b) = second.next_if(|b| b.before.start <= end) {
                after += b.before.start - counted_after + b.after.len();
                counted_after = b.before.end;
                end = end.max(b.before.end);
                later.get_or_insert(b.why);
            } else {
                break;
            }
        }
        before += measure(counted_before..end);
        after += end - counted_after;
        middle = end;
        let why = match (why, later) {
            (Some(mut why), Some(later)) => {
                why.and(&later);
                Some(why)
            }
            (why, later) => why.or(later),
        };
        all.extend(why.map(|why| Edit { before: old..before, after: new..after, why }));
    }
}

/// Returns the edits of a stretch, with others for all that lies between them. `before` and `after` are its lengths.
pub(super) fn fill(edits: Vec<Edit>, before: usize, after: usize, why: &Why) -> Vec<Edit> {
    let mut all = Vec::with_capacity(edits.len() * 2 + 1);
    let (mut old, mut new) = (0, 0);
    let gap = |old: Range<usize>, new: Range<usize>| {
        (!old.is_empty() || !new.is_empty()).then(|| Edit { before: old, after: new, why: why.clone() })
    };
    for edit in edits {
        all.extend(gap(old..edit.before.start, new..edit.after.start));
        (old, new) = (edit.before.end, edit.after.end);
        all.push(edit);
    }
    all.extend(gap(old..before, new..after));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(before: Range<usize>, after: Range<usize>) -> Edit {
        Edit { before, after, why: Why::certain(Step::Bytes, &[]) }
    }

    fn ranges(edits: Vec<Edit>) -> Vec<(Range<usize>, Range<usize>)> {
        edits.into_iter().map(|edit| (edit.before, edit.after)).collect()
    }

    /// Random edits of two steps: outside the joined edits, before and after must be the same length, and each edit of a
    /// step must lie in one of them.
    #[test]
    fn joined_edits_cover_both_steps() {
        let mut seed = 1_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for _ in 0..20_000 {
            let mut steps = [Vec::new(), Vec::new()];
            for step in &mut steps {
                let (mut before, mut after) = (0, 0);
                for _ in 0..random(4) {
                    let gap = random(4) + usize::from(before > 0);
                    let (long, longer) = (random(4), random(4) + 1);
                    before += gap;
                    after += gap;
                    step.push(edit(before..before + long, after..after + longer));
                    before += long;
                    after += longer;
                }
            }
            let [first, second] = steps;
            let joined = ranges(join(first.clone(), second.clone(), |range| range.len()));
            let (mut before, mut after) = (0, 0);
            for (old, new) in &joined {
                assert_eq!(old.start - before, new.start - after, "{first:?} {second:?} {joined:?}");
                (before, after) = (old.end, new.end);
            }
            let growth = |edits: &[(Range<usize>, Range<usize>)]| {
                edits.iter().map(|(old, new)| new.len() as isize - old.len() as isize).sum::<isize>()
            };
            assert_eq!(growth(&joined), growth(&ranges(first.clone())) + growth(&ranges(second.clone())));
            for edit in &first {
                assert!(
                    joined
                        .iter()
                        .any(|(old, _)| old.start <= edit.before.start && edit.before.end <= old.end)
                );
            }
            for edit in &second {
                assert!(
                    joined.iter().any(|(_, new)| new.start <= edit.after.start && edit.after.end <= new.end)
                );
            }
        }
    }
}
