//! Runs repair over sets of damaged texts and over clean files: `bench/detect/README.md`.
//!
//! ```text
//! repair texts FILE                what becomes of each damaged text, by group; FILE is from damage.py
//! repair answers FILE FOUND        the same for the answers of another tool: id, a tab, and hexadecimal
//! repair decode FILE               the repaired text of each file of mixed.py: id, a tab, and hexadecimal
//! repair clean FILE…               the changes to files that are not damaged
//! repair speed FILE…               MB/s
//! ```
//!
//! Each repair is undone from its record, and must restore the source, byte for byte; a second
//! repair must change nothing.

use placemat::repair::{Repaired, Repairer, undo};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match *arguments {
        ["texts", file] => texts(file, None, 12),
        ["texts", file, "--fails", n] => texts(file, None, n.parse().unwrap_or(12)),
        ["answers", file, found] => texts(file, Some(found), 0),
        ["decode", file] => decode(file),
        ["clean", ref paths @ ..] if !paths.is_empty() => clean(paths),
        ["speed", ref paths @ ..] if !paths.is_empty() => speed(paths),
        _ => {
            eprintln!(
                "usage: repair texts FILE [--fails N], repair answers FILE FOUND, repair clean|speed PATH…"
            );
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))
}

fn unhex(hex: &str) -> Vec<u8> {
    let digit = |b: u8| char::from(b).to_digit(16).map_or(0, |d| d as u8);
    hex.as_bytes().chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// Repairs, and checks the promises of every repair.
fn repair(src: &[u8], broken_promises: &mut u64) -> Repaired {
    let repaired = Repairer::new().repair(src);
    let undone = undo(repaired.text.as_bytes(), repaired.encoding, &repaired.changes);
    if undone.as_deref() != Ok(src) {
        *broken_promises += 1;
        eprintln!("not undone: {}", hex(src));
    }
    if repaired.changes.is_empty() && repaired.text.as_bytes() == src {
        return repaired;
    }
    let again = Repairer::new().repair(repaired.text.as_bytes());
    if again.text != repaired.text {
        *broken_promises += 1;
        eprintln!("not idempotent: {}", hex(src));
    }
    repaired
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[derive(Default)]
struct Count {
    all: u32,
    right: u32,
    wrong: u32,
}

/// Judges each text: restored exactly, changed to another text, or left.
fn texts(file: &str, found: Option<&str>, mut fails: usize) -> Result<(), String> {
    let answers: BTreeMap<String, Vec<u8>> = match found {
        Some(found) => read(found)?
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .map(|(id, text)| (id.to_owned(), unhex(text)))
            .collect(),
        None => BTreeMap::new(),
    };
    let mut groups: BTreeMap<String, Count> = BTreeMap::new();
    let mut said: [Count; BINS.len()] = Default::default();
    let mut broken_promises = 0;
    let mut size = 0;
    let begun = Instant::now();
    for line in read(file)?.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let src = unhex(fields[2]);
        size += src.len();
        let mut confidence = None;
        let result = if found.is_some() {
            answers.get(fields[0]).cloned().unwrap_or_else(|| src.clone())
        } else {
            let repaired = repair(&src, &mut broken_promises);
            confidence = repaired.changes.iter().map(|change| change.confidence).min_by(f32::total_cmp);
            repaired.text.into_bytes()
        };
        let right = is_wanted(fields[3], &result);
        if let Some(confidence) = confidence {
            let bin = BINS.iter().rposition(|&bin| confidence >= bin).unwrap_or(0);
            said[bin].all += 1;
            said[bin].right += u32::from(right);
        }
        for group in [fields[1], fields[1].split(' ').next().unwrap_or_default(), "ALL"] {
            let count = groups.entry(group.to_owned()).or_default();
            count.all += 1;
            count.right += u32::from(right);
            count.wrong += u32::from(!right && result != src);
        }
        if !right && fails > 0 {
            fails -= 1;
            println!("FAIL {} {}", fields[0], fields[1]);
            println!("   src  {}", String::from_utf8_lossy(&src));
            println!("   got  {}", String::from_utf8_lossy(&result));
            println!("   want {}", String::from_utf8_lossy(&first_wanted(fields[3])));
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    for (group, count) in &groups {
        println!(
            "{group:44} {:6} of {:6} restored {:6.2} %, changed wrongly {:5}",
            count.right,
            count.all,
            f64::from(count.right) * 100.0 / f64::from(count.all),
            count.wrong
        );
    }
    for (bin, count) in BINS.iter().zip(&said).filter(|(_, count)| count.all > 0) {
        let right = f64::from(count.right) * 100.0 / f64::from(count.all);
        println!("least confidence from {bin}: {} of {} texts right, {right:.2} %", count.right, count.all);
    }
    if found.is_none() {
        println!(
            "promises broken (undo, idempotence): {broken_promises}; {:.1} MB/s with them",
            size as f64 / seconds / 1e6
        );
    }
    Ok(())
}

/// The lower ends of the ranges of confidence that are counted.
const BINS: [f32; 7] = [0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999];

/// Repairs files in two encodings.
fn decode(file: &str) -> Result<(), String> {
    let mut stdout = std::io::BufWriter::new(std::io::stdout().lock());
    let mut broken_promises = 0;
    for line in read(file)?.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let repaired = repair(&unhex(fields[3]), &mut broken_promises);
        writeln!(stdout, "{}\t{}", fields[0], hex(repaired.text.as_bytes())).map_err(|e| e.to_string())?;
    }
    eprintln!("promises broken: {broken_promises}");
    stdout.flush().map_err(|e| e.to_string())
}

/// Returns `true` if a result is wanted: whole texts with `|` between them, or pieces with `/`
/// between them and `,` between the alternatives of each.
fn is_wanted(wanted: &str, result: &[u8]) -> bool {
    if !wanted.contains('/') {
        return wanted.split('|').any(|wanted| unhex(wanted) == result);
    }
    let mut reached = BTreeSet::from([0]);
    for piece in wanted.split('/') {
        let alternatives: Vec<Vec<u8>> = piece.split(',').map(unhex).collect();
        let next = reached.iter().flat_map(|&at| {
            alternatives.iter().filter(move |a| result[at..].starts_with(a)).map(move |a| at + a.len())
        });
        reached = next.collect();
    }
    reached.contains(&result.len())
}

fn first_wanted(wanted: &str) -> Vec<u8> {
    let first = wanted.split('|').next().unwrap_or_default();
    first.split('/').flat_map(|piece| unhex(piece.split(',').next().unwrap_or_default())).collect()
}

/// Prints each change of each file, with the text around it.
fn clean(paths: &[&str]) -> Result<(), String> {
    let (mut size, mut changes, mut broken_promises) = (0, 0, 0);
    let mut stdout = std::io::BufWriter::new(std::io::stdout().lock());
    let begun = Instant::now();
    for path in paths {
        let data = std::fs::read(path).map_err(|e| format!("{path}: {e}"))?;
        // Binary files and other encodings do not belong to this test.
        let Ok(text) = core::str::from_utf8(&data) else { continue };
        size += data.len();
        let repaired = repair(&data, &mut broken_promises);
        for change in &repaired.changes {
            changes += 1;
            let around = |text: &str, offset: u64, len: usize| {
                let start = text.floor_char_boundary((offset as usize).saturating_sub(24));
                let end = text.ceil_char_boundary((offset as usize + len + 24).min(text.len()));
                text[start..end].replace(['\n', '\r', '\t'], " ")
            };
            writeln!(
                stdout,
                "{}\t{}\t{:?}\t{:.4}\t{}\t{}",
                path.rsplit('/').next().unwrap_or(path),
                change.offset,
                change.step,
                change.confidence,
                around(text, change.offset, change.before.len()),
                around(&repaired.text, change.repaired_offset, change.after.len())
            )
            .map_err(|e| e.to_string())?;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    writeln!(
        stdout,
        "{changes} changes in {:.1} MB, promises broken {broken_promises}, {seconds:.1} s",
        size as f64 / 1e6
    )
    .map_err(|e| e.to_string())
}

fn speed(paths: &[&str]) -> Result<(), String> {
    for path in paths {
        let data = std::fs::read(path).map_err(|e| format!("{path}: {e}"))?;
        let mut best = f64::MAX;
        let mut changes = 0;
        let begun = Instant::now();
        let mut rounds = 0;
        while rounds < 3 || (begun.elapsed().as_secs_f64() < 1.0 && rounds < 1000) {
            let start = Instant::now();
            changes = std::hint::black_box(Repairer::new().repair(&data)).changes.len();
            best = best.min(start.elapsed().as_secs_f64());
            rounds += 1;
        }
        println!("{path}\t{:.1} MB/s, {changes} changes", data.len() as f64 / best / 1e6);
    }
    Ok(())
}
