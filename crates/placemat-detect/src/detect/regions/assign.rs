//! Which encoding each line of a block is in.
//!
//! The lines are a chain: a line is likely to be in the encoding of its neighbors. The probability of each encoding for
//! each line is that of all chains through it (the forward-backward algorithm).

use super::mixture::{Mixture, Part, Readings, is_hybrid};
use super::runs::{ill_formed_runs, leads, legacy_parts};
use super::score::sum;
use crate::float;
use alloc::vec;
use alloc::vec::Vec;

/// The logarithms of the probability that the next line is in the same encoding, and that it is in another.
const STAYS: f32 = -0.4;
const CHANGES: f32 = -1.1;
/// Nats against an encoding that cannot be.
const NEVER: f32 = -1000.0;

/// The encoding of a line that is ill-formed UTF-8.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Choice {
    /// The encoding of the ill-formed runs of the line.
    pub(crate) part: Part,
    /// `true` if the whole line is in the encoding. Otherwise only its ill-formed runs are, and the rest is UTF-8.
    pub(crate) is_whole: bool,
}

impl Default for Choice {
    fn default() -> Self {
        Self { part: super::mixture::USUAL, is_whole: false }
    }
}

/// The state at the line before a block: the logarithm of the probability of each encoding, UTF-8 first.
pub(crate) type Before = Vec<f32>;

/// Returns the encoding of each line of a block that is ill-formed UTF-8, in order.
pub(crate) fn assign(block: &[u8], mixture: &Mixture, is_legacy: bool, before: &mut Before) -> Vec<Choice> {
    let states = mixture.parts.len() + 1;
    before.resize(states, 0.0);
    // For each line that is not ASCII: its readings; `None` if it is UTF-8.
    let mut lines: Vec<Option<Readings>> = Vec::new();
    for line in block.split_inclusive(|&byte| byte == b'\n') {
        let (text, rest) = placemat_core::checked::split_well_formed(line);
        if rest.is_empty() {
            // One line of UTF-8 is as good a neighbor as many.
            if !text.is_ascii() && lines.last().is_none_or(Option::is_some) {
                lines.push(None);
            }
            continue;
        }
        let runs = ill_formed_runs(line);
        let parts = legacy_parts(line, &runs, leads(line, &runs));
        // With one encoding, lines that have nothing of UTF-8 need no score.
        if !is_legacy {
            lines.push(Some(Readings { utf8: (0.0, 0), whole: vec![NEVER] }));
        } else if states == 2 && !is_hybrid(line, &parts) {
            lines.push(Some(Readings { utf8: (NEVER, 0), whole: vec![0.0] }));
        } else {
            lines.push(Some(mixture.readings(line, &parts)));
        }
    }
    let scores: Vec<Vec<f32>> = lines.iter().map(|line| each(line.as_ref(), states)).collect();
    let forward: Vec<Vec<f32>> = scores
        .iter()
        .map(|own| {
            *before = next(before, own);
            before.clone()
        })
        .collect();
    let mut after = vec![0.0; states];
    let mut choices = Vec::new();
    for ((line, own), forward) in lines.iter().zip(&scores).zip(&forward).rev() {
        let all: Vec<f32> = forward.iter().zip(&after).map(|(a, b)| a + b).collect();
        if let Some(line) = line {
            choices.push(choice(line, &all, mixture));
        }
        let with_own: Vec<f32> = own.iter().zip(&after).map(|(a, b)| a + b).collect();
        after = step(&with_own);
    }
    choices.reverse();
    choices
}

/// Returns the score of a line in each state.
fn each(line: Option<&Readings>, states: usize) -> Vec<f32> {
    match line {
        None => (0..states).map(|state| if state == 0 { 0.0 } else { NEVER }).collect(),
        Some(line) => core::iter::once(line.utf8.0).chain(line.whole.iter().copied()).collect(),
    }
}

/// Returns the probabilities before a line, by those of the line before it.
fn step(before: &[f32]) -> Vec<f32> {
    let all = before.iter().enumerate();
    let to = |state: usize| {
        let all = all.clone();
        sum(all.map(move |(from, own)| own + if from == state { STAYS } else { CHANGES }))
    };
    let stepped: Vec<f32> = (0..before.len()).map(to).collect();
    let best = stepped.iter().copied().fold(f32::MIN, f32::max);
    stepped.into_iter().map(|own| own - best).collect()
}

/// Returns the probabilities of a line and all before it.
fn next(before: &[f32], own: &[f32]) -> Vec<f32> {
    step(before).iter().zip(own).map(|(a, b)| a + b).collect()
}

/// Returns the choice for a line by the probabilities of its states.
fn choice(line: &Readings, all: &[f32], mixture: &Mixture) -> Choice {
    let total = sum(all.iter().copied());
    let best = (0..all.len()).max_by(|&a, &b| all[a].total_cmp(&all[b])).unwrap_or(0);
    let probability = float::exp(all[best] - total);
    let (place, is_whole) = if best == 0 { (line.utf8.1, false) } else { (best - 1, true) };
    let part = mixture.parts.get(place).copied().unwrap_or(super::mixture::USUAL);
    Choice { part: Part { confidence: part.confidence * probability, ..part }, is_whole }
}
