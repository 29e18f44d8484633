//! Whether a file is clearly in several encodings, by the sample of its lines.

use super::kept::{Kept, Line};
use super::mixture::Mixture;
use crate::detect::sample::Sample;
use crate::detect::verdict::{Candidate, Damage};
use crate::forms::encoding::Encoding;
use alloc::vec;
use alloc::vec::Vec;

/// The fewest lines that are clearly in an encoding, and the confidence in it.
const LINES: usize = 2;
const CLEAR: f32 = 0.8;
/// Among as many lines, one that is UTF-8 may be so by chance in an encoding of several bytes.
const CHANCE: u64 = 20;

/// The encodings of the lines of a file, the first that of the file; empty unless there are clearly several. `damage` are
/// the counts of sequences if some lines are UTF-8.
pub(in crate::detect) fn mixed(
    sample: &Sample,
    encoding: Encoding,
    candidates: &[Candidate],
    damage: Option<Damage>,
) -> Vec<Encoding> {
    let mut kept = Kept::default();
    let lines = sample.pieces().flat_map(|piece| piece.split_inclusive(|&byte| byte == b'\n'));
    lines.for_each(|line| kept.ill_formed(line));
    let lines: Vec<&Line> = kept.lines().collect();
    let is_utf8 = encoding == Encoding::UTF_8;
    let by_chance =
        |damage: &Damage| encoding.max_bytes() > 1 && damage.well_formed * CHANCE < damage.ill_formed;
    let has_utf8 = is_utf8 || damage.is_some_and(|damage| !by_chance(&damage));
    let mut all = vec![encoding];
    if !lines.is_empty() && (is_utf8 || Mixture::is_suspected(&lines, candidates)) {
        let mixture = Mixture::learn(&kept);
        let fewest = if is_utf8 { 1 } else { LINES };
        let found = mixture.parts.iter().zip(&mixture.lines);
        let clear: Vec<Encoding> = found
            .filter(|(part, lines)| part.confidence >= CLEAR && **lines >= fewest)
            .map(|(part, _)| part.encoding)
            .collect();
        if is_utf8 {
            all.extend(clear);
        } else if clear.len() > 1 {
            all = clear;
            // The file's own first.
            all.sort_by_key(|&own| own != encoding);
        }
    }
    if has_utf8 && !is_utf8 {
        all.push(Encoding::UTF_8);
    }
    if all.len() > 1 { all } else { Vec::new() }
}
