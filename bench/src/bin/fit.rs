//! Fits the weights of repair: `bench/detect/FIT.md`.
//!
//! ```text
//! fit WEIGHTS LOG --damaged FILE… --clean PATH…
//! ```
//!
//! FILE is a set of damaged texts from `damage.py` or `emoji.py`, PATH a text that is not damaged.
//! The program rewrites the source WEIGHTS, and writes a report to LOG.
//!
//! Each line has readings, of which repair takes the best. The weights have to predict whether that
//! is the text before the damage: the logarithm of its odds is half of the nats that the reading
//! gains and its features weigh. A damaged line counts less if its page is rare, and a line without
//! damage more, as the world has more of those. Each weight stays near its previous value unless
//! lines contradict it.

use placemat::internals::{readings, weights};
use placemat::repair::Repairer;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;

/// The logarithm of the odds for each nat. At 0, where repair begins to take a reading, it is right
/// as often as wrong.
const ODDS_PER_NAT: f64 = 0.5;
/// The expected distance of a weight from its previous value, in nats.
const DEVIATION_NATS: f64 = 1.0;
/// The weight of all damaged lines of a file together, in lines without damage.
const DAMAGED: f64 = 2000.0;
const CLEAN: f64 = 10.0;
/// The name of the feature that is the page.
const PAGE: &str = "PageNats";
/// Beyond this many nats, for or against, the model has decided, and no feature changes that: such
/// a line does not depend on the weights.
const DECIDED_NATS: f64 = 30.0;
/// One line in this many is held out for judging.
const HELD_OUT: usize = 4;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match &arguments[..] {
        [weights, log, rest @ ..] if !rest.is_empty() => fit(weights, log, rest),
        _ => Err("usage: fit WEIGHTS LOG --damaged FILE… --clean PATH…".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

/// A reading of a line.
struct Reading {
    gain: f64,
    counts: Vec<f64>,
    is_right: bool,
}

/// A line with its readings.
struct Line {
    readings: Vec<Reading>,
    is_damaged: bool,
    weight: f64,
}

impl Line {
    /// Returns the readings of a line whose text is `wanted`.
    fn of(line: &str, wanted: &str, is_damaged: bool) -> Option<Self> {
        let mut all = Vec::new();
        readings(line, |text, gain, counts| {
            let counts = counts.iter().map(|&count| f64::from(count)).collect();
            all.push(Reading { gain: gain.into(), counts, is_right: text == wanted });
        });
        (!all.is_empty()).then_some(Self { readings: all, is_damaged, weight: CLEAN })
    }

    /// Returns the reading that is taken, and its nats.
    fn best(&self, weights: &[f64]) -> (f64, &Reading) {
        let nats = |reading: &Reading| {
            reading.gain
                + reading.counts.iter().zip(weights).map(|(count, weight)| count * weight).sum::<f64>()
        };
        let each = self.readings.iter().map(|reading| (nats(reading), reading));
        each.max_by(|a, b| a.0.total_cmp(&b.0)).expect("a line has readings")
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn fit(to: &str, log: &str, sources: &[String]) -> Result<(), String> {
    let (names, before): (Vec<String>, Vec<f64>) =
        weights().into_iter().map(|(name, nats)| (name, f64::from(nats))).unzip();
    let page = names.iter().position(|name| name == PAGE).ok_or("no page")?;
    let (lines, counts) = read(sources, page)?;
    let mut weights = before.clone();
    for _ in 0..60 {
        weights = step(&lines, &weights, &before);
    }
    let mut source = std::fs::read_to_string(to).map_err(|e| format!("{to}: {e}"))?;
    let start = source.find("= [\n").ok_or("no weights")? + 4;
    source.truncate(start);
    for (name, weight) in names.iter().zip(&weights) {
        writeln!(source, "    (\"{name}\", {weight:.1}),").map_err(|e| e.to_string())?;
    }
    source.push_str("];\n");
    std::fs::write(to, source).map_err(|e| format!("{to}: {e}"))?;
    let report = report(&lines, &names, &before, &weights, &counts).map_err(|e| e.to_string())?;
    std::fs::write(log, report).map_err(|e| format!("{log}: {e}"))
}

/// Returns the lines of all sources, and the number of lines of each.
fn read(sources: &[String], page: usize) -> Result<(Vec<Line>, BTreeMap<String, usize>), String> {
    let mut lines = Vec::new();
    let mut counts = BTreeMap::new();
    let mut is_damaged = false;
    for source in sources {
        match source.as_str() {
            "--damaged" => is_damaged = true,
            "--clean" => is_damaged = false,
            path if is_damaged => {
                let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
                let found = text.lines().filter_map(|line| damaged(line, page));
                let before = lines.len();
                lines.extend(found);
                let all: f64 = lines[before..].iter().map(|line: &Line| line.weight).sum();
                lines[before..].iter_mut().for_each(|line| line.weight *= DAMAGED / all);
                let name = path.rsplit('/').next().unwrap_or(path);
                *counts.entry(format!("damaged lines of {name}")).or_default() += lines.len() - before;
            }
            path => {
                let Ok(text) = std::fs::read_to_string(path) else { continue };
                let before = lines.len();
                let mut seen = std::collections::HashSet::new();
                lines.extend(
                    text.lines().filter(|line| !line.is_ascii() && seen.insert(*line)).filter_map(clean),
                );
                *counts.entry("lines without damage that have readings".into()).or_default() +=
                    lines.len() - before;
                *counts.entry("bytes without damage".into()).or_default() += text.len();
            }
        }
    }
    Ok((lines, counts))
}

/// Parses text in hexadecimal. Returns `None` for pieces with alternatives.
fn unhex(hex: &str) -> Option<String> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    String::from_utf8(hex.as_bytes().chunks(2).map(byte).collect::<Option<_>>()?).ok()
}

/// Parses a line of a set: id, group, damaged text, original text. Returns `None` if no single
/// reading is the original.
fn damaged(line: &str, page: usize) -> Option<Line> {
    let fields: Vec<&str> = line.split('\t').collect();
    let (text, wanted) = (unhex(fields.get(2)?)?, unhex(fields.get(3)?.split('|').next()?)?);
    let (text, wanted) = (text.trim_end_matches('\n'), wanted.trim_end_matches('\n'));
    if text.contains('\n') || text == wanted {
        return None;
    }
    let mut line = Line::of(text, wanted, true)?;
    let right = line.readings.iter().find(|reading| reading.is_right)?;
    line.weight = right.counts[page].exp();
    Some(line)
}

/// Parses a line without damage. Returns `None` if repair changes it, since it is damaged then:
/// those were inspected. Also returns `None` if its best reading would be taken, but a rule for
/// quotations, lists and the like forbids it.
fn clean(line: &str) -> Option<Line> {
    let found = Line::of(line, line, false)?;
    let weights: Vec<f64> = weights().into_iter().map(|(_, nats)| nats.into()).collect();
    let is_changed = !Repairer::new().repair(line.as_bytes()).changes.is_empty();
    (!is_changed && found.best(&weights).0 < 0.0).then_some(found)
}

/// Takes one step of Newton's method.
#[expect(clippy::needless_range_loop, reason = "a matrix")]
fn step(lines: &[Line], weights: &[f64], before: &[f64]) -> Vec<f64> {
    let n = weights.len();
    let trust = 1.0 / (DEVIATION_NATS * DEVIATION_NATS);
    let mut slope: Vec<f64> =
        weights.iter().zip(before).map(|(now, before)| (now - before) * trust).collect();
    let mut bend = vec![vec![0.0; n]; n];
    for (place, own) in bend.iter_mut().enumerate() {
        own[place] = trust;
    }
    for (number, line) in lines.iter().enumerate() {
        if number % HELD_OUT == 0 {
            continue;
        }
        let (nats, reading) = line.best(weights);
        if nats.abs() > DECIDED_NATS {
            continue;
        }
        let p = sigmoid(ODDS_PER_NAT * nats);
        let error = line.weight * (p - f64::from(u8::from(reading.is_right))) * ODDS_PER_NAT;
        let curve = line.weight * p * (1.0 - p) * ODDS_PER_NAT * ODDS_PER_NAT;
        for i in (0..n).filter(|&i| reading.counts[i] != 0.0) {
            slope[i] += error * reading.counts[i];
            for j in 0..n {
                bend[i][j] += curve * reading.counts[i] * reading.counts[j];
            }
        }
    }
    let change = solve(bend, slope);
    // Short steps: the best reading may change with the weights.
    weights.iter().zip(change).map(|(weight, change)| weight - change.clamp(-0.5, 0.5)).collect()
}

/// Solves a system of linear equations by Gaussian elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&a, &b| matrix[a][i].abs().total_cmp(&matrix[b][i].abs())).unwrap_or(i);
        matrix.swap(i, pivot);
        right.swap(i, pivot);
        let (above, below) = matrix.split_at_mut(i + 1);
        let (right_above, right_below) = right.split_at_mut(i + 1);
        for (row, right) in below.iter_mut().zip(right_below) {
            let times = row[i] / above[i][i];
            row.iter_mut().zip(&above[i]).skip(i).for_each(|(own, pivot)| *own -= times * pivot);
            *right -= times * right_above[i];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|column| matrix[i][column] * right[column]).sum();
        right[i] = (right[i] - known) / matrix[i][i];
    }
    right
}

/// The lower ends of the ranges of confidence that are counted separately.
const BINS: [f64; 6] = [0.0, 0.5, 0.9, 0.99, 0.999, 0.9999];

fn report(
    lines: &[Line],
    names: &[String],
    before: &[f64],
    after: &[f64],
    counts: &BTreeMap<String, usize>,
) -> Result<String, std::fmt::Error> {
    let mut out = String::from(
        "# The fit of repair\n\nWritten by `fit` of the benchmarks, whose source says what is fitted and how; docs/explained/repair.md says what the features are for.\n\n| learned from | |\n| --- | --- |\n",
    );
    for (name, count) in counts {
        writeln!(out, "| {name} | {count} |")?;
    }
    let held: Vec<&Line> = lines.iter().step_by(HELD_OUT).collect();
    writeln!(
        out,
        "\nOne line of {HELD_OUT} was held out. On those, with the weights of before and with the new ones:\n"
    )?;
    writeln!(out, "| | before | now |\n| --- | --- | --- |")?;
    let each = |judge: &dyn Fn(&Line, &[f64]) -> f64| {
        [before, after].map(|w| held.iter().map(|line| judge(line, w)).sum::<f64>())
    };
    let loss = |line: &Line, w: &[f64]| {
        let (nats, reading) = line.best(w);
        let odds = ODDS_PER_NAT * nats.clamp(-DECIDED_NATS, DECIDED_NATS);
        let odds = if reading.is_right { odds } else { -odds };
        line.weight * (-odds).exp().ln_1p()
    };
    let right = |line: &Line, w: &[f64]| {
        let (nats, reading) = line.best(w);
        f64::from(u8::from(nats >= 0.0 && reading.is_right))
    };
    let wrong = |is_damaged: bool| {
        move |line: &Line, w: &[f64]| {
            let (nats, reading) = line.best(w);
            f64::from(u8::from(line.is_damaged == is_damaged && nats >= 0.0 && !reading.is_right))
        }
    };
    let damaged = held.iter().filter(|line| line.is_damaged).count();
    let rows: [(String, [f64; 2]); 4] = [
        ("logarithm of the odds, weighted: loss".into(), each(&loss)),
        (format!("damaged lines restored, of {damaged}"), each(&right)),
        ("damaged lines changed wrongly".into(), each(&wrong(true))),
        (format!("other lines changed, of {}", held.len() - damaged), each(&wrong(false))),
    ];
    for (name, [a, b]) in rows {
        writeln!(out, "| {name} | {a:.0} | {b:.0} |")?;
    }
    writeln!(
        out,
        "\nHow sure the best reading of a held-out line is, weighted, and how often it is right:\n"
    )?;
    writeln!(out, "| confidence from | lines | right before | right now |\n| --- | --- | --- | --- |")?;
    for (place, &least) in BINS.iter().enumerate() {
        let most = BINS.get(place + 1).copied().unwrap_or(2.0);
        let share = |w: &[f64]| {
            let (mut all, mut right, mut count) = (0.0, 0.0, 0);
            for line in &held {
                let (nats, reading) = line.best(w);
                let p = sigmoid(ODDS_PER_NAT * nats);
                if (least..most).contains(&p) {
                    all += line.weight;
                    count += 1;
                    right += line.weight * f64::from(u8::from(reading.is_right));
                }
            }
            (count, 100.0 * right / all.max(f64::MIN_POSITIVE))
        };
        let ((_, a), (count, b)) = (share(before), share(after));
        writeln!(out, "| {least} | {count} | {a:.2} % | {b:.2} % |")?;
    }
    writeln!(out, "\n| feature | lines that have it | nats before | now |\n| --- | --- | --- | --- |")?;
    for (place, name) in names.iter().enumerate() {
        let has = |line: &&Line| line.best(after).1.counts[place] != 0.0;
        let count = lines.iter().filter(has).count();
        writeln!(out, "| {name} | {count} | {:.1} | {:.1} |", before[place], after[place])?;
    }
    Ok(out)
}
