//! The conformance table: the vectors of the specification and the cases of other projects that the library and the command
//! pass. The tests of both check them and print a line for each suite; this task runs the tests and joins the lines.

use std::collections::BTreeMap;
use std::process::Command;

/// The package, and the tests in it that print such lines.
const TESTS: [(&str, &[&str]); 2] = [
    (
        "placemat",
        &["library_passes_every_vector", "library_passes_every_case", "library_passes_the_whole_collection"],
    ),
    ("placemat-cli", &["the_command_passes_every_vector", "the_command_passes_every_case"]),
];

/// The counts of a suite on a line.
#[derive(Clone, Debug, Default)]
struct Row {
    passed: usize,
    failed: usize,
    not_applicable: usize,
    reasons: String,
}

/// Parses `name  400 passed, 0 failed, 0 not applicable {"why": 1}`.
fn parse(line: &str) -> Option<(String, Row)> {
    let (name, rest) = line.split_once(' ')?;
    let (passed, rest) = rest.trim_start().split_once(" passed, ")?;
    let (failed, rest) = rest.split_once(" failed, ")?;
    let (not_applicable, reasons) = rest.trim_start().split_once(" not applicable ")?;
    let reasons = reasons.trim_matches(['{', '}']).replace('"', "");
    let row = Row {
        passed: passed.parse().ok()?,
        failed: failed.parse().ok()?,
        not_applicable: not_applicable.parse().ok()?,
        reasons,
    };
    // The test runner prints the dots of passed tests before the line.
    Some((name.trim_start_matches('.').to_owned(), row))
}

/// Returns the rows of one package's tests, and whether all passed.
fn rows(package: &str, tests: &[&str]) -> Result<(BTreeMap<String, Row>, bool), String> {
    let output = Command::new("cargo")
        .args(["test", "--quiet", "--package", package, "--all-features", "--test", "suite", "--"])
        .args(["--nocapture", "--test-threads", "1"])
        .args(tests)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .map_err(|e| format!("cargo: {e}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    // The collection, where it exists, includes the cases that are copied into the repository.
    let rows: BTreeMap<_, _> = printed.lines().filter_map(parse).collect();
    if rows.is_empty() {
        return Err(format!("{package} printed nothing:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok((rows, output.status.success()))
}

/// Prints the table.
pub(crate) fn run() -> Result<(), String> {
    let mut all = Vec::new();
    for (package, tests) in TESTS {
        all.push(rows(package, tests)?);
    }
    let [(library, library_passed), (command, command_passed)] = &all[..] else { unreachable!() };
    println!(
        "| suite | library: passed | failed | not applicable | command: passed | failed | not applicable |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let mut names: Vec<&String> = library.keys().chain(command.keys()).collect();
    names.sort();
    names.dedup();
    let mut sums = [Row::default(), Row::default()];
    for name in names {
        let mut line = format!("| {name} |");
        for (sum, rows) in sums.iter_mut().zip([library, command]) {
            let Some(row) = rows.get(name) else {
                line += " | | |";
                continue;
            };
            sum.passed += row.passed;
            sum.failed += row.failed;
            sum.not_applicable += row.not_applicable;
            let reasons = if row.reasons.is_empty() { String::new() } else { format!(": {}", row.reasons) };
            line += &format!(" {} | {} | {}{reasons} |", row.passed, row.failed, row.not_applicable);
        }
        println!("{line}");
    }
    let [library, command] = sums;
    println!(
        "| all | {} | {} | {} | {} | {} | {} |",
        library.passed,
        library.failed,
        library.not_applicable,
        command.passed,
        command.failed,
        command.not_applicable
    );
    if *library_passed && *command_passed { Ok(()) } else { Err("not everything passed".into()) }
}
