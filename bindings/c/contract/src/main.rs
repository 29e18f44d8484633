//! Compares the library with glibc: `cargo run --release -p contract -- --report` prints all
//! unexplained differences.
//!
//! `contract PART...` runs parts of it: `table`, `names`, `read`, `write`, `translit`, `pairs`;
//! `--report` runs all. Other arguments select encodings, by name. The exit status is 1 if there is
//! a difference that `known.txt` does not explain.

use contract::answer::Memory;
use contract::charsets::{COMMON, RARE};
use contract::library::{Glibc, ours};
use contract::scenario::{Both, Memories};
use contract::sweep::{Direction, items, sweep};
use contract::{guide, known, names, pairs, table};
use std::process::ExitCode;

const PARTS: &[&str] = &["table", "names", "read", "write", "translit", "pairs"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.is_empty() {
        eprintln!("usage: contract --report | PART... [NAME...]\nparts: {}", PARTS.join(", "));
        return ExitCode::from(2);
    }
    let wants = |part: &str| arguments.iter().any(|argument| argument == part || argument == "--report");
    let chosen: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|a| !PARTS.contains(a) && *a != "--report").collect();
    let both = Both { glibc: &Glibc, ours: ours() };
    let mut differences = 0;
    if wants("table") {
        differences += run_table(both);
    }
    if wants("names") {
        differences += run_names(both, &chosen);
    }
    for (part, direction) in
        [("read", Direction::Read), ("write", Direction::Write), ("translit", Direction::Translit)]
    {
        if wants(part) {
            differences += run_sweep(both, &chosen, direction, part);
        }
    }
    if wants("pairs") {
        let is_chosen = |name: &str| chosen.is_empty() || chosen.contains(&name);
        let pairs: Vec<_> =
            pairs::all().into_iter().filter(|(to, from)| is_chosen(to) || is_chosen(from)).collect();
        let report = pairs::compare(both, &pairs, pairs::Extent::of_environment());
        println!("pairs: {report}");
        differences += report.len();
    }
    if wants("--report") {
        println!("{}", guide::differences());
    }
    ExitCode::from(u8::from(differences > 0))
}

fn run_table(both: Both<'_>) -> usize {
    let mut memories = [Memory::new(), Memory::new()];
    let (mut count, mut differing) = (0, 0);
    for probe in table::probes() {
        count += 1;
        let glibc = probe.answers(both.glibc, &mut memories[0]);
        let ours = probe.answers(both.ours, &mut memories[1]);
        if glibc == ours {
            continue;
        }
        if probe.is_left() || known::rule_for(known::Kind::Probe, probe.name).is_some() {
            continue;
        }
        differing += 1;
        println!("table: {}", probe.name);
        for at in 0..glibc.len().max(ours.len()) {
            let line = |lines: &[String]| lines.get(at).cloned().unwrap_or_else(|| "nothing".into());
            if line(&glibc) == line(&ours) {
                println!("    both     {}", shortened(&line(&glibc)));
            } else {
                println!(
                    "    glibc    {}\n    placemat {}",
                    shortened(&line(&glibc)),
                    shortened(&line(&ours))
                );
            }
        }
    }
    println!("table: {differing} of {count} probes differ and are not listed");
    differing
}

fn shortened(line: &str) -> String {
    if line.len() <= 300 {
        line.to_owned()
    } else {
        format!("{} …", line.chars().take(300).collect::<String>())
    }
}

fn run_names(both: Both<'_>, chosen: &[&str]) -> usize {
    let mut memories = [Memory::new(), Memory::new()];
    let (mut count, mut differing) = (0, 0);
    for name in names::all() {
        if !chosen.is_empty() && !chosen.contains(&name.as_str()) {
            continue;
        }
        count += 1;
        if let Some(difference) = names::compare(both, &name, &mut memories)
            && !names::is_listed(&name)
        {
            differing += 1;
            println!("name {name}: {difference}");
        }
    }
    println!("names: {differing} of {count} differ and are not listed");
    differing
}

fn run_sweep(both: Both<'_>, chosen: &[&str], direction: Direction, part: &str) -> usize {
    let all = std::env::var_os("PLACEMAT_LONG").is_some_and(|value| value == "1");
    let mut memories = Memories::default();
    let mut differing = 0;
    for name in COMMON.iter().chain(RARE) {
        if !chosen.is_empty() && !chosen.contains(name) {
            continue;
        }
        let Some(found) = sweep(both, name, direction, all, &mut memories) else {
            println!("{part} {name}: not opened by both");
            continue;
        };
        for line in &found.stale {
            println!("{part} {name}: {line}");
        }
        differing += found.kinds.len() + found.stale.len();
        for (kind, (inputs, difference)) in &found.kinds {
            println!(
                "{part} {name}: {}: {kind}: {}",
                inputs.len(),
                shortened(items(direction, inputs).trim())
            );
            println!("    {difference}");
        }
    }
    println!("{part}: {differing} kinds of differences that are not listed");
    differing
}
