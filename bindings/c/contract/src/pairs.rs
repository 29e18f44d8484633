//! Every pair of common names, with texts of every kind and random divisions.

use crate::answer::{Answer, Handle, Memory, Null, hex};
use crate::charsets::{COMMON, RARE, repertoire};
use crate::known;
use crate::library::Iconv;
use crate::names::is_left;
use crate::random::Random;
use crate::report::Report;
use crate::scenario::{Both, Difference, Memories, Names, Plan, Run, run, shortest};
use crate::texts::{Kind, make, shared};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How much a run tries.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Seeds for each pair.
    pub seeds: u64,
    /// Also try texts of every code point.
    pub all: bool,
    /// The number of differences that are examined for each pair.
    pub most: usize,
    /// The first seed.
    pub first: u64,
}

impl Extent {
    /// The extent of a run that takes less than a minute.
    pub const QUICK_RUN: Self = Self { seeds: 1, all: false, most: 12, first: 1 };
    /// The extent of a long run, with many seeds.
    pub const FULL_RUN: Self = Self { seeds: 12, all: true, most: 40, first: 1 };

    /// Returns the long extent if `PLACEMAT_LONG=1`, with seeds from `PLACEMAT_SEED`.
    #[must_use]
    pub fn of_environment() -> Self {
        let long = std::env::var_os("PLACEMAT_LONG").is_some_and(|value| value == "1");
        let first = std::env::var("PLACEMAT_SEED").ok().and_then(|seed| seed.parse().ok());
        let extent = if long { Self::FULL_RUN } else { Self::QUICK_RUN };
        Self { first: first.unwrap_or(extent.first), ..extent }
    }
}

/// Returns all pairs: `(to, from)`.
#[must_use]
pub fn all() -> Vec<(&'static str, &'static str)> {
    let pairs = COMMON.iter().flat_map(|to| COMMON.iter().map(move |from| (*to, *from)));
    pairs
        .chain(RARE.iter().flat_map(|rare| [(*rare, "UTF-8"), ("UTF-8", *rare), ("UTF-16LE", *rare)]))
        .collect()
}

/// Runs `work` on each item in one thread for each core of the machine, and adds up the reports.
pub fn in_threads<T: Sync>(items: &[T], work: impl Fn(&T, &mut Memories) -> Report + Sync) -> Report {
    let next = AtomicUsize::new(0);
    let total = Mutex::new(Report::default());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut memories = Memories::default();
                let mut report = Report::default();
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    report.merge(work(item, &mut memories));
                }
                total.lock().expect("no panic before").merge(report);
            });
        }
    });
    total.into_inner().expect("no panic before")
}

/// Keeps the encodings of glibc loaded, so that opening one is fast.
fn keep_loaded() {
    for name in COMMON.iter().chain(RARE) {
        let _ = crate::answer::Handle::open(&crate::library::Glibc, name.as_bytes(), b"UTF-8")
            .map(std::mem::ManuallyDrop::new);
        let _ = crate::answer::Handle::open(&crate::library::Glibc, b"UTF-8", name.as_bytes())
            .map(std::mem::ManuallyDrop::new);
    }
}

/// Compares all pairs.
pub fn compare(both: Both<'_>, pairs: &[(&'static str, &'static str)], extent: Extent) -> Report {
    keep_loaded();
    in_threads(pairs, |(to, from), memories| pair(both, to, from, extent, memories))
}

fn pair(
    both: Both<'_>,
    to: &'static str,
    from: &'static str,
    extent: Extent,
    memories: &mut Memories,
) -> Report {
    let mut report = Report::default();
    let is_known = known::rule_for(known::Kind::Pair, &format!("{from}>{to}")).is_some();
    if is_known || [to, from].into_iter().any(is_left) {
        return report;
    }
    let shared = shared(to, from);
    if shared.is_empty() || repertoire(from).code_points.is_empty() {
        return report;
    }
    let mut looked_into = 0;
    let mut random = Random::new(0);
    for seed in extent.first..extent.first + extent.seeds {
        random = Random::new(seed << 32 ^ hash(to) ^ hash(from).rotate_left(17));
        for kind in Kind::RANDOM {
            let len = *random.pick(&[12, 40, 160, 300]);
            let Some(text) = make(*kind, &shared, from, &mut random, len) else { continue };
            let overruns = known::rule_for(known::Kind::Overrun, from).is_some();
            let suffix = match random.below(8) {
                2 | 3 if overruns => "//TRANSLIT",
                0 | 1 => "//TRANSLIT",
                2 => "//IGNORE",
                3 => "//TRANSLIT//IGNORE",
                _ => "",
            };
            let to = format!("{to}{suffix}");
            let plan = Plan::random(&mut random);
            one(both, Names { to: &to, from }, &text, plan, extent, &mut looked_into, &mut report, memories);
        }
    }
    if extent.all || to == "UTF-8" || from == "UTF-8" {
        let text = make(Kind::All, &shared, from, &mut random, 0).unwrap_or_default();
        for piece in text.chunks(1 << 14) {
            let plan = Plan { piece: 400, room: 1000, closes: false, ..Plan::random(&mut random) };
            one(both, Names { to, from }, piece, plan, extent, &mut looked_into, &mut report, memories);
        }
    }
    report
}

fn hash(name: &str) -> u64 {
    name.bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

/// Compares one text. After a difference, continues with the rest of the text.
#[expect(clippy::too_many_arguments, reason = "every argument varies")]
fn one(
    both: Both<'_>,
    names: Names<'_>,
    mut text: &[u8],
    plan: Plan,
    extent: Extent,
    looked_into: &mut usize,
    report: &mut Report,
    memories: &mut Memories,
) {
    let mut plan = plan;
    let little = plan;
    let is_cut = known::cut(names, text).is_some();
    if is_cut {
        plan.room = Plan::WHOLE.room;
    }
    // With a suffix, glibc also shifts for substitutes that prove unmappable.
    if is_cut && text.len() <= 1000 && !names.to.contains("//") {
        // The output is known to end elsewhere, so it is compared as a whole.
        let wholes =
            [both.glibc, both.ours].map(|library| total(library, names, text, little, &mut memories.ours));
        let same = wholes[0] == wholes[1];
        if !same && matches!(run(both, names, text, plan, memories), Run::Same { .. }) {
            let call = format!("all of [{}] into little rooms", hex(text));
            let [glibc, ours] = wholes.map(|bytes| Answer { bytes, ..Answer::default() });
            let difference = Difference { call: 0, asked: call, at: 0, given: text.len(), glibc, ours };
            report.add(&cause(names), names, text, difference);
        }
    }
    loop {
        report.runs += 1;
        let difference = match run(both, names, text, plan, memories) {
            Run::Same { calls } => {
                report.calls += calls;
                return;
            }
            Run::Opens { glibc } => {
                let asked = format!("open; only {} does", if glibc { "glibc" } else { "placemat" });
                let [glibc, ours] =
                    [glibc, !glibc].map(|opened| Answer { returned: opened.into(), ..Answer::default() });
                let difference = Difference { call: 0, asked, at: 0, given: 0, glibc, ours };
                report.add(&cause(names), names, text, difference);
                return;
            }
            Run::Differs(difference) => difference,
        };
        report.calls += difference.call;
        *looked_into += 1;
        if *looked_into > extent.most {
            return;
        }
        let window = &text[..difference.given.max(1).min(text.len())];
        match shortest(both, names, window, plan, memories) {
            Some((short, _, short_difference)) => {
                match known::explanation(both, names, &short, &short_difference) {
                    Some(rule) => *report.explained.entry(rule.line.clone()).or_default() += 1,
                    None => report.add(&cause(names), names, &short, short_difference),
                }
            }
            None => report.add(&cause(names), names, window, (*difference).clone()),
        }
        let next = (difference.at + 1).max(difference.given.min(difference.at + 2));
        if next >= text.len() {
            return;
        }
        text = &text[next..];
    }
}

/// Returns the whole output for a text, up to the first error, converted in pieces with small
/// buffers.
fn total(library: &dyn Iconv, names: Names<'_>, text: &[u8], plan: Plan, memory: &mut Memory) -> Vec<u8> {
    let Ok(mut handle) = Handle::open(library, names.to.as_bytes(), names.from.as_bytes()) else {
        return Vec::new();
    };
    let mut random = Random::new(plan.seed);
    let (mut all, mut rest, mut least, mut room) = (Vec::new(), text, 1, 1 + random.below(plan.room.min(64)));
    let mut calls = 0;
    while !rest.is_empty() && calls < 8 * text.len() + 100 {
        calls += 1;
        let piece = &rest[..rest.len().min(least)];
        let answer = handle.convert(memory, piece, room);
        all.extend_from_slice(&answer.bytes);
        let read = usize::try_from(answer.read).unwrap_or(0).min(piece.len());
        rest = &rest[read..];
        least = (least - read.min(least)).max(1);
        match answer.errno {
            Some(libc::E2BIG) if answer.bytes.is_empty() => room = (room + 1).min(64),
            Some(libc::E2BIG) => {}
            // Errors are compared with large enough buffers.
            Some(libc::EILSEQ) => break,
            Some(libc::EINVAL) if piece.len() - read == rest.len() => break,
            Some(libc::EINVAL) => least = piece.len() - read + 1,
            _ => {
                (least, room) = (1 + random.below(8), 1 + random.below(plan.room.min(64)));
            }
        }
    }
    all.extend(handle.reset_into(memory, 64, Null::Outer).bytes);
    all
}

/// Returns the encoding that is the more probable cause: the one that is not a form of Unicode.
fn cause(names: Names<'_>) -> String {
    let is_unicode = |name: &str| name.starts_with("UTF-") || name.starts_with("UCS-");
    match (is_unicode(names.from), is_unicode(names.to)) {
        (true, false) => format!("to {}", names.to),
        (false, _) => format!("from {}{}", names.from, suffix(names.to)),
        (true, true) => format!("from {} to {}", names.from, names.to),
    }
}

fn suffix(to: &str) -> String {
    to.find("//").map_or_else(String::new, |at| format!(" with {}", &to[at..]))
}
