//! The search for the layers of a line.

use super::accept::{self, Evidence};
use super::as_utf8;
use super::features::{Feature, Features};
use super::gaps;
use super::line::Line;
use super::pages::{self, Member, Singles};
use super::peel::{self, Peeled, Spaces};
use super::scorer::{self, Scorer};
use super::suspect;
use super::symbols;
use alloc::vec::Vec;
use core::ops::Range;
use placemat_core::forms::unicode::utf8::is_continuation;

/// The layers at most.
const MAX_LAYERS: usize = 3;
/// The lines that are kept at each layer.
const BEAM_LINES: usize = 4;
/// The readings of a line that the model is asked about.
const MAX_READINGS: usize = 16;
/// How much better than a rival a reading must be, in nats.
const RIVAL_NATS: f32 = 4.0;
/// How much of what the layers above showed counts for a layer: it is seen again below.
const ABOVE: f32 = 0.5;
/// The worth of one sequence if no other page explains the line: a continuation byte is one byte of four, in nats.
const SEQUENCE_NATS: f32 = 1.4;

/// The pages that explained the lines before, and how many lines in a row.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) pages: Vec<u8>,
    pub(super) lines: u32,
}

impl Known {
    /// Forgets all lines; what is `assumed` then is the page as which text is misread most often.
    pub(super) fn reset(&mut self, assumed: bool) {
        self.pages.clear();
        self.pages.extend(assumed.then_some(0));
        self.lines = 0;
    }

    /// Returns `true` if no line has shown the pages.
    pub(super) const fn is_assumed(&self) -> bool {
        self.lines == 0
    }

    /// Returns the sequences that a line must have at least, to be read in the same way.
    pub(super) const fn least(&self) -> usize {
        match self.lines {
            // What is asked of assumed pages is evidence of another kind.
            0 | TRUSTED_LINES.. => 1,
            _ => 3,
        }
    }
}

/// The lines after which one sequence is enough.
const TRUSTED_LINES: u32 = 4;

/// A line with layers taken off.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) line: Line,
    /// The pages, outermost first.
    pub(super) pages: Vec<u8>,
    pub(super) lossy: bool,
    /// Nats that the model gains.
    pub(super) gain: f32,
    /// Nats above what was asked for.
    pub(super) margin: f32,
}

/// A line on the way.
struct Node {
    line: Line,
    pages: Vec<u8>,
    /// The maximum number of sequences that one layer had.
    sequences: usize,
    lossy: bool,
    /// Nats of the text.
    score: f32,
    /// The features of the structure and the pages.
    features: Features,
}

impl Node {
    fn total(&self) -> f32 {
        self.score + self.features.nats()
    }
}

/// Searches for the layers of a line: one round. `last` are the pages of the line before, which are tried first.
pub(super) fn search(line: &Line, last: &Known, scorer: &mut Scorer) -> Option<Found> {
    search_and_show(line, last, scorer, &mut |_| {})
}

/// A reading of a line: its text, the nats that the model gains, and its features.
#[cfg_attr(
    not(feature = "internals"),
    expect(dead_code, reason = "read by the program that fits the weights")
)]
pub(super) struct Reading<'a> {
    pub(super) text: &'a [u32],
    pub(super) gain: f32,
    pub(super) features: Features,
}

/// Searches for the layers of a line, and shows each reading that is judged.
pub(super) fn search_and_show(
    line: &Line,
    last: &Known,
    scorer: &mut Scorer,
    show: &mut dyn FnMut(&Reading<'_>),
) -> Option<Found> {
    let mask = mask(&line.text);
    if mask == 0 {
        return None;
    }
    if let Some(found) = as_before(line, last, scorer) {
        return Some(found);
    }
    let mut seen = Vec::from([scorer::hash(&line.text)]);
    let mut peels = peels(line, true, &mut seen, scorer);
    if peels.is_empty() {
        return None;
    }
    let base = scorer.line(&line.text);
    let start = Node {
        line: line.clone(),
        pages: Vec::new(),
        sequences: 0,
        lossy: false,
        score: base,
        features: Features::default(),
    };
    let mut front = Vec::from([start]);
    let mut best: Option<(Node, f32)> = None;
    let mut first_pages = Vec::new();
    for depth in 0..MAX_LAYERS {
        let mut next: Vec<Node> = Vec::new();
        for node in &front {
            if depth > 0 {
                peels = self::peels(&node.line, false, &mut seen, scorer);
            }
            // Another page may read what is left over, but not guess at it.
            let is_layer = |(peeled, _): &(Peeled, usize)| {
                depth == 0 || !peeled.counts.lossy || is_below(line, &node.line, &peeled.line)
            };
            next.extend(
                peels.drain(..).filter(is_layer).map(|(peeled, page)| below(node, peeled, page, scorer)),
            );
        }
        if next.is_empty() {
            break;
        }
        next.sort_by(|a, b| b.total().total_cmp(&a.total()));
        keep_best(&mut next);
        if depth == 0 {
            first_pages = next.iter().filter_map(|node| node.pages.first().copied()).collect();
        }
        for node in &next {
            let Some(margin) = margin(line, node, base, show) else { continue };
            let better = best.as_ref().is_none_or(|(best, _)| node.total() > best.total());
            if margin >= 0.0 && better && !(depth == 0 && is_guessed_dagger(line, node)) {
                let copy = Node { line: node.line.clone(), pages: node.pages.clone(), ..*node };
                best = Some((copy, margin));
            }
        }
        front = next;
    }
    let Some((node, margin)) = best else {
        // No page explains the line: one may explain some runs.
        first_pages.dedup();
        return first_pages.into_iter().take(3).find_map(|page| by_runs(line, page, base, scorer));
    };
    settle(line, node, margin, base, scorer)
}

/// Nats of a node above what is asked for; `None` for a line that is never better.
fn margin(line: &Line, node: &Node, base: f32, show: &mut dyn FnMut(&Reading<'_>)) -> Option<f32> {
    if accept::is_never_better(&line.text, &node.line.text, &node.pages) {
        return None;
    }
    let share = distinct(line, &node.line);
    let features = accept::features(&evidence(line, node)).with(&node.features, share);
    let gain = (node.score - base) * share;
    show(&Reading { text: &node.line.text, gain, features });
    Some(gain + features.nats())
}

/// Returns the best node of a line, or what its page finds run by run, where that is clearly better. `None` if it is chance.
fn settle(line: &Line, mut node: Node, mut margin: f32, base: f32, scorer: &mut Scorer) -> Option<Found> {
    if node.pages.iter().all(|&page| usize::from(page) < pages::SINGLE.len())
        && accept::is_chance(&line.text, &node.line)
    {
        return None;
    }
    if let [page] = *node.pages
        && node.sequences > 1
        && let Some(runs) = by_runs(line, page, base, scorer)
        && runs.gain + base > node.score + 2.0
    {
        margin = margin.max(runs.margin);
        node.score = runs.gain + base;
        node.line = runs.line;
    }
    Some(Found { line: node.line, pages: node.pages, lossy: node.lossy, gain: node.score - base, margin })
}

/// Returns the lines without a layer, by each page that explains some of it; those first that explain most.
fn peels(line: &Line, with_spaces: bool, seen: &mut Vec<u64>, scorer: &mut Scorer) -> Vec<(Peeled, usize)> {
    let mask = mask(&line.text);
    let odd = suspect::count_odd(&line.text);
    let mut all = Vec::new();
    let members = peel::members(line);
    for page in distinct_pages(&line.text, &members, mask) {
        for spaces in [Spaces::Stay, Spaces::Fill, Spaces::Join, Spaces::Replace, Spaces::Dagger] {
            if spaces == Spaces::Fill && (page >= pages::SINGLE.len() || Singles::get().lost[page] == 0) {
                continue;
            }
            if spaces.replace_bytes() && (!with_spaces || !may_lack(&line.text, page)) {
                break;
            }
            let Some(mut peeled) = peel(line, &members, page, spaces) else { continue };
            if !peeled.gaps.is_empty() {
                // Whole sequences must show the page.
                let fewest = if with_spaces { peeled.gaps.len().max(2) } else { peeled.gaps.len() };
                if peeled.counts.sequences < peeled.gaps.len() + fewest || peeled.gaps.len() > gaps::MAX_GAPS
                {
                    continue;
                }
                peeled.counts.left += gaps::fill(&mut peeled.line, &peeled.gaps, scorer);
            }
            if spaces != Spaces::Stay && !peeled.counts.lossy {
                continue;
            }
            // A page that leaves most of the line as it is must mend what is odd.
            if peeled.counts.left > peeled.counts.used && suspect::count_odd(&peeled.line.text) >= odd.max(1)
            {
                continue;
            }
            let hash = scorer::hash(&peeled.line.text);
            if seen.contains(&hash) {
                // If two pages give this text, the true one is the page that assigns characters to the bytes.
                let same = all.iter_mut().find(|(other, _): &&mut (Peeled, usize)| {
                    peeled.counts.controls < other.counts.controls && other.line.text == peeled.line.text
                });
                if let Some(same) = same {
                    *same = (peeled, page);
                }
                continue;
            }
            seen.push(hash);
            all.push((peeled, page));
        }
    }
    all.sort_by_key(|(peeled, _)| {
        (peeled.counts.left + peeled.counts.controls / 2, core::cmp::Reverse(peeled.counts.used))
    });
    all.truncate(MAX_READINGS);
    all
}

/// Keeps the best nodes, and some more from which their own page can take another layer: most text that was misread twice was
/// misread alike.
fn keep_best(nodes: &mut Vec<Node>) {
    let mut place = 0;
    nodes.retain(|node| {
        place += 1;
        let again = || node.pages.last().is_some_and(|&page| mask(&node.line.text) >> page & 1 != 0);
        place <= BEAM_LINES || place <= 2 * BEAM_LINES && again()
    });
}

/// Returns `true` if some of what `new` reads otherwise than `now` is text that `now` reads otherwise than `old`. Where
/// nothing is, two pages each explain another part of the line, and none of them lies below the other.
fn is_below(old: &Line, now: &Line, new: &Line) -> bool {
    let (mut nows, mut olds) = (stretches(now), stretches(old));
    stretches(new).any(|stretch| {
        let now = nows.by_ref().find(|now| now.1.start >= stretch.1.start);
        let old = olds.by_ref().find(|old| old.1.start >= stretch.1.start);
        now.as_ref() != Some(&stretch) && now != old
    })
}

/// Returns the code points of a line, and the stretch of the original that each comes from.
fn stretches(line: &Line) -> impl Iterator<Item = (u32, Range<u32>)> {
    let ends = line.origin.iter().copied().skip(1).chain([u32::MAX]);
    line.text.iter().copied().zip(line.origin.iter().copied().zip(ends).map(|(start, end)| start..end))
}

/// Returns the node below another.
fn below(node: &Node, peeled: Peeled, page: usize, scorer: &mut Scorer) -> Node {
    let score = scorer.line(&peeled.line.text);
    let mut pages = node.pages.clone();
    let known = pages.iter().any(|&known| usize::from(known) == page);
    let first = pages.is_empty();
    pages.extend(u8::try_from(page));
    let is_single = page < pages::SINGLE.len();
    let mut layer = Features::only(Feature::Layer);
    if !known {
        layer.add(Feature::PageNats, pages::page(page).1);
        layer.add_if(Feature::OtherPage, !first);
        // Text in which nothing is odd is not mojibake of a page of letters and symbols.
        let is_needless = !first && is_single && suspect::count_odd(&node.line.text) == 0;
        layer.add_if(Feature::NeedlessLayer, is_needless);
        layer.add_if(Feature::SingleSequenceLayer, !first && peeled.counts.sequences == 1);
    }
    layer.add_if(Feature::AllSequences, peeled.counts.left == 0 && peeled.counts.sequences > 2);
    layer.add(Feature::Controls, counted(peeled.counts.controls.min(MAX_CONTROLS)));
    layer.add_if(Feature::Guessed, peeled.counts.lossy);
    layer.add(Feature::Gaps, counted(peeled.gaps.len()));
    add_symbols(&mut layer, &node.line.text, &peeled.line.text, is_single);
    if is_single {
        // A symbol whose last byte was a space is not structure.
        let guessed = layer.count(Feature::Symbols).min(counted(peeled.guessed_symbols));
        layer.add(Feature::Symbols, -guessed);
    }
    Node {
        features: layer.with(&node.features, ABOVE),
        line: peeled.line,
        pages,
        sequences: node.sequences.max(peeled.counts.sequences),
        lossy: node.lossy || peeled.counts.lossy,
        score,
    }
}

/// The C1 controls of a layer that count.
const MAX_CONTROLS: usize = 4;

#[expect(clippy::cast_precision_loss, reason = "a count of code points in a line")]
const fn counted(count: usize) -> f32 {
    count as f32
}

/// Adds the symbols that `new` has and `old` has not. By a page of one and two bytes, only emoji count.
fn add_symbols(features: &mut Features, old: &[u32], new: &[u32], is_single: bool) {
    let (symbols, emoji) = symbols::new_symbols(old, new);
    features.add(Feature::Emoji, counted(emoji));
    if is_single {
        features.add(Feature::Symbols, counted(symbols));
    }
}

/// Returns `true` if a dagger took the place of a space. In text that was misread once, a quotation mark that is lost is as
/// probable.
fn is_guessed_dagger(line: &Line, node: &Node) -> bool {
    let has = |line: &Line| line.text.contains(&0x2020);
    node.lossy && has(&node.line) && !has(line)
}

fn evidence<'a>(old: &'a Line, node: &'a Node) -> Evidence<'a> {
    Evidence {
        old: &old.text,
        new: &node.line.text,
        sequences: node.sequences,
        page: node.pages.first().copied().unwrap_or(0).into(),
    }
}

/// Returns the share of distinct words among those that changed: a word that a line has many times proves no more than one.
#[expect(clippy::cast_precision_loss, reason = "a count of code points in a line")]
fn distinct(old: &Line, new: &Line) -> f32 {
    if new.text == old.text {
        return 1.0;
    }
    let is_in_word = |c: u32| c >= 0x80 || char::from_u32(c).is_some_and(|c| c.is_ascii_alphanumeric());
    let words = old.text.split(|&c| !is_in_word(c)).filter(|word| word.iter().any(|&c| c >= 0x80));
    let mut words: Vec<u64> = words.map(scorer::hash).collect();
    let all = words.len();
    words.sort_unstable();
    words.dedup();
    // If there are several, a few of them repeated may look like words of a language.
    if all < 2 || words.len() > 3 { 1.0 } else { words.len() as f32 / all as f32 }
}

/// Returns the worth of sequences if no other page explains a line, in nats.
#[expect(clippy::cast_precision_loss, reason = "a count of code points in a line")]
pub(super) fn gain(sequences: usize) -> f32 {
    sequences as f32 * SEQUENCE_NATS
}

/// Returns the layer of the previous line, if it explains all of this line, nothing odd is left, and no
/// other page does as well.
fn as_before(line: &Line, last: &Known, scorer: &mut Scorer) -> Option<Found> {
    if last.is_assumed() {
        return None;
    }
    let mut now: Option<Line> = None;
    let mut sequences = 0;
    for &page in &last.pages {
        let old = now.as_ref().unwrap_or(line);
        let members = peel::members(old);
        let peeled = peel(old, &members, page.into(), Spaces::Stay)?;
        if peeled.counts.left > 0 || peeled.counts.controls > 0 || peeled.counts.lossy {
            return None;
        }
        for other in rivals(&old.text, page.into()) {
            let other = peel(old, &members, other, Spaces::Stay)?;
            if scorer.line(&other.line.text) > scorer.line(&peeled.line.text) - RIVAL_NATS {
                return None;
            }
        }
        sequences = peeled.counts.sequences;
        now = Some(peeled.line);
    }
    let now = now?;
    // Ideographs beside Latin letters are not odd.
    let double = last.pages.first().is_some_and(|&page| usize::from(page) >= pages::SINGLE.len());
    let odd = double || suspect::count_odd(&line.text) > 0;
    if sequences < last.least() || !odd || suspect::count_odd(&now.text) > 0 {
        return None;
    }
    let gain = gain(sequences);
    Some(Found { line: now, pages: last.pages.clone(), lossy: false, gain, margin: gain })
}

/// Returns the pages other than `page` that explain all non-ASCII code points too, in another way, and as text.
fn rivals(text: &[u32], page: usize) -> impl Iterator<Item = usize> {
    let singles = Singles::get();
    let beyond = move || text.iter().filter(|&&c| c >= 0x80).map(|&c| singles.member(c));
    let mut all = 0;
    if page < pages::SINGLE.len() {
        all = beyond().fold(u64::MAX, |all, member| all & (member.lead | member.continuation));
        all &= !(1 << page);
    }
    (0..pages::SINGLE.len()).filter(move |&other| {
        all >> other & 1 != 0
            && beyond().any(|member| member.bytes[other] != member.bytes[page])
            && as_utf8::reads_as_text(beyond().map(|member| member.bytes[other]))
    })
}

/// Takes a layer off each run by itself, where that alone gains.
fn by_runs(line: &Line, page: u8, base: f32, scorer: &mut Scorer) -> Option<Found> {
    let mut now = line.clone();
    let mut members = peel::members(&now);
    let mut score = base;
    let mut at = 0;
    let mut margin = f32::INFINITY;
    while at < now.text.len() {
        if now.text[at] < 0x80 {
            at += 1;
            continue;
        }
        let start = at;
        while now.text.get(at).is_some_and(|&c| c >= 0x80) {
            at += 1;
        }
        let peeled = if usize::from(page) < pages::SINGLE.len() {
            peel::single(&now, &members, start..at, page.into(), Spaces::Stay)
        } else {
            peel::double(&now, start..at, usize::from(page) - pages::SINGLE.len())
        };
        let Some(peeled) = peeled else { continue };
        let new = scorer.line(&peeled.line.text);
        let evidence = Evidence {
            old: &now.text,
            new: &peeled.line.text,
            sequences: peeled.counts.sequences,
            page: page.into(),
        };
        let is_single = usize::from(page) < pages::SINGLE.len();
        let mut layer = Features::default();
        if !margin.is_finite() {
            layer.add(Feature::PageNats, pages::page(page.into()).1);
        }
        if is_single {
            add_symbols(&mut layer, &now.text, &peeled.line.text, is_single);
        }
        let share = distinct(&now, &peeled.line);
        let over = (new - score) * share + accept::features(&evidence).with(&layer, share).nats();
        if over >= 0.0
            && !accept::is_never_better(&now.text, &peeled.line.text, &[page])
            && !(is_single && accept::is_chance(&line.text, &peeled.line))
        {
            margin = margin.min(over);
            at = at + peeled.line.text.len() - now.text.len();
            now = peeled.line;
            members = peel::members(&now);
            score = new;
        }
    }
    margin.is_finite().then(|| Found {
        line: now,
        pages: Vec::from([page]),
        lossy: false,
        gain: score - base,
        margin,
    })
}

fn peel(line: &Line, members: &[&Member], page: usize, spaces: Spaces) -> Option<Peeled> {
    let all = 0..line.text.len();
    match page.checked_sub(pages::SINGLE.len()) {
        None => peel::single(line, members, all, page, spaces),
        Some(number) if spaces == Spaces::Stay => peel::double(line, all, number),
        Some(_) => None,
    }
}

/// Returns the pages in which some neighbors may be a lead byte and a continuation byte.
fn mask(text: &[u32]) -> u64 {
    let singles = Singles::get();
    let mut mask = 0;
    let mut before = 0x20;
    for (at, &c) in text.iter().enumerate() {
        if c < 0x80 {
            before = c;
            continue;
        }
        if before < 0x80 {
            let starts = pages::kinds().get(c as usize).copied().unwrap_or_default().starts;
            mask |= u64::from(starts) << pages::SINGLE.len();
        }
        before = c;
        let lead = singles.member(c).lead;
        if lead == 0 {
            continue;
        }
        match text.get(at + 1) {
            Some(0x20) => mask |= lead & singles.no_break_space & 1,
            Some(0xFFFD) => mask |= lead,
            Some(&next) if next >= 0x80 => mask |= lead & singles.member(next).continuation,
            _ => {}
        }
    }
    mask
}

/// Returns the pages of a mask, without those that read a text as one before them does.
fn distinct_pages(text: &[u32], members: &[&'static Member], mask: u64) -> Vec<usize> {
    let all = (0..pages::COUNT).filter(|page| mask >> page & 1 != 0);
    if (mask & ((1 << pages::SINGLE.len()) - 1)).count_ones() <= 1 {
        return all.collect();
    }
    let singles = Singles::get();
    let mut kinds: Vec<(&Member, u32)> =
        members.iter().copied().zip(text.iter().copied()).filter(|&(_, c)| c >= 0x80).collect();
    kinds.sort_unstable_by_key(|&(_, c)| c);
    kinds.dedup_by_key(|&mut (_, c)| c);
    let controls =
        kinds.iter().filter(|(_, c)| *c < 0xA0).fold(0_u32, |all, (_, control)| all | 1 << (control & 0x1F));
    let is_alike = |a: usize, b: usize| {
        let flags = |page: usize| [singles.holes, singles.no_break_space].map(|pages| pages >> page & 1);
        let meanings = |page: usize| singles.defines_c1[page] & controls;
        flags(a) == flags(b)
            && meanings(a) == meanings(b)
            && kinds.iter().all(|(member, _)| member.bytes[a] == member.bytes[b])
    };
    let mut pages: Vec<usize> = Vec::new();
    for page in all {
        let is_single = |&other: &usize| page < pages::SINGLE.len() && other < pages::SINGLE.len();
        if !pages.iter().copied().filter(is_single).any(|other| is_alike(page, other)) {
            pages.push(page);
        }
    }
    pages
}

/// Returns `true` if a sequence of the page may lack its last byte, or have a space for U+00A0.
fn may_lack(text: &[u32], page: usize) -> bool {
    let singles = Singles::get();
    if page >= pages::SINGLE.len() || singles.no_break_space >> page & 1 == 0 {
        return false;
    }
    let byte = |c: u32| if c < 0x80 { 0 } else { singles.member(c).bytes[page] };
    (0..text.len()).any(|at| {
        let next = |n: usize| text.get(at + n).copied().unwrap_or(0x0A);
        match byte(text[at]) {
            0xC2..=0xDF => next(1) == 0x20,
            0xE0..=0xEF => {
                next(1) == 0x20
                    || is_continuation(byte(next(1)))
                        && (next(2) == 0x20
                            || byte(text[at]) == 0xE2 && byte(next(1)) == 0x80 && next(2) < 0x80)
            }
            _ => false,
        }
    })
}
