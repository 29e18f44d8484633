//! Counts the instructions of a fixed set of cases at the level AVX2 and compares them with the record.
//!
//! Times on a shared machine differ by tens of percent; the instructions that valgrind counts are the same from run to
//! run, so a kernel that lost an inlining or gained a bounds check is seen at once. The record is of one compiler; with
//! another it is shown and not compared.

use core::fmt::Write as _;
use core::hint::black_box;
use placemat::Isa;
use placemat::internals::Kernels;
use std::collections::BTreeMap;
use std::process::{Command, ExitCode};

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.csv");
/// How far a count may be from the record, as a part of it.
const TOLERANCE: f64 = 0.02;

/// Words of a script each, with the markup that real pages have for the second.
const TEXTS: [(&str, &str); 6] = [
    ("ascii", "The placemat of that diner is lost, and what was drawn on it is everywhere. "),
    ("markup", "<p class=\"note\">Größe: 3 m²; naïve café</p>\n<a href=\"/index.html\">Übersicht</a>\n"),
    ("russian", "Съешь же ещё этих мягких французских булок, да выпей чаю. "),
    ("chinese", "色は匂へど散りぬるを我が世誰ぞ常ならむ，有為の奥山今日越えて。"),
    ("emoji", "😀😁😂🤣😃😄😅😆😉😊 😋😎😍😘🥰😗😙😚🙂🤗"),
    ("mixed", "a é 日 😀 — plain words, then ещё раз, 日本語 and 🤔. "),
];
/// Lengths in bytes of UTF-8, to the next border: one that fits no block, one of a few, and one that is all loop.
const LENGTHS: [usize; 3] = [24, 200, 4000];

type Run = fn(Kernels, &Input, &mut [u8]) -> usize;

/// A text in every form.
struct Input {
    utf8: Vec<u8>,
    dirty: Vec<u8>,
    utf16: Vec<u8>,
    units: Vec<u16>,
    utf32: Vec<u8>,
    latin1: Vec<u8>,
    latin1_utf8: Vec<u8>,
}

const KERNELS: &[(&str, Run)] = &[
    ("utf8_prefix", |k, i, _| k.utf8_prefix(&i.utf8)),
    ("utf16le_prefix", |k, i, _| k.utf16le_prefix(&i.utf16)),
    ("copy_utf8", |k, i, dst| k.copy_utf8(&i.utf8, dst).written),
    ("utf8_to_utf16le", |k, i, dst| k.utf8_to_utf16le(&i.utf8, dst).written),
    ("utf8_to_utf32le", |k, i, dst| k.utf8_to_utf32le(&i.utf8, dst).written),
    ("utf8_to_latin1", |k, i, dst| k.utf8_to_latin1(&i.latin1_utf8, dst).written),
    ("utf16le_to_utf8", |k, i, dst| k.utf16le_to_utf8(&i.utf16, dst).written),
    ("utf32le_to_utf8", |k, i, dst| k.utf32le_to_utf8(&i.utf32, dst).written),
    ("latin1_to_utf8", |k, i, dst| k.latin1_to_utf8(&i.latin1, dst).written),
    ("count_code_points", |k, i, _| k.count_code_points(&i.utf8)),
    ("utf16_len_of_utf8", |k, i, _| k.utf16_len_of_utf8(&i.utf8)),
    ("utf8_len_of_utf16", |k, i, _| k.utf8_len_of_utf16(&i.units)),
    ("dirty_utf8_prefix", |k, i, _| k.utf8_prefix(&i.dirty)),
];

/// The stretch that is counted: its name is what valgrind looks for.
#[inline(never)]
fn counted_stretch(run: Run, kernels: Kernels, input: &Input, dst: &mut [u8]) -> usize {
    run(black_box(kernels), black_box(input), black_box(dst))
}

fn input(words: &str, len: usize) -> Input {
    let long = words.repeat(len / words.len() + 1);
    let text = &long[..long.floor_char_boundary(len)];
    let latin1: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap_or(b'~')).collect();
    let mut dirty = text.as_bytes().to_vec();
    dirty[len * 3 / 4] = 0xFF;
    let units: Vec<u16> = text.encode_utf16().collect();
    Input {
        utf8: text.into(),
        dirty,
        utf16: units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        units,
        utf32: text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect(),
        latin1_utf8: latin1.iter().map(|&byte| char::from(byte)).collect::<String>().into(),
        latin1,
    }
}

/// Runs one case, to be counted.
pub(crate) fn case(name: &str) -> ExitCode {
    let mut parts = name.split('/');
    let mut part = || parts.next().unwrap_or_default();
    let (kernel, text, len) = (part(), part(), part());
    let found = KERNELS.iter().find(|(name, _)| *name == kernel);
    let words = TEXTS.iter().find(|(name, _)| *name == text);
    let (Some((_, run)), Some((_, words)), Ok(len)) = (found, words, len.parse()) else {
        eprintln!("no case {name}");
        return ExitCode::from(2);
    };
    let Some(kernels) = Kernels::of(Isa::Avx2) else {
        eprintln!("this machine has no AVX2");
        return ExitCode::from(2);
    };
    let input = input(words, len);
    let mut dst = vec![0; 8 * len + 512];
    black_box(counted_stretch(*run, kernels, &input, &mut dst));
    ExitCode::SUCCESS
}

/// What a command writes to both its outputs, if it goes well.
fn output(command: &mut Command) -> Result<String, String> {
    let shown = format!("{command:?}");
    let output = command.output().map_err(|e| format!("{shown}: {e}"))?;
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    if output.status.success() { Ok(text) } else { Err(format!("{shown}: {text}")) }
}

fn count_all() -> Result<BTreeMap<String, u64>, String> {
    let program = crate::symbols::build()?;
    let mut counts = BTreeMap::new();
    for (kernel, _) in KERNELS {
        for (text, _) in TEXTS {
            for len in LENGTHS {
                let name = format!("{kernel}/{text}/{len}");
                let said = output(
                    Command::new("valgrind")
                        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
                        .arg("--toggle-collect=*counted_stretch*")
                        .arg(&program)
                        .args(["instructions", "--case", &name]),
                )?;
                let count = said
                    .lines()
                    .find_map(|line| line.split("Collected : ").nth(1))
                    .and_then(|number| number.trim().parse().ok())
                    .filter(|&count| count > 0)
                    .ok_or_else(|| format!("{name}: nothing was counted:\n{said}"))?;
                counts.insert(name, count);
            }
        }
    }
    Ok(counts)
}

/// Counts, and compares with the record, or makes it.
pub(crate) fn run(update: bool) -> Result<(), String> {
    let compiler = output(Command::new("rustc").arg("--version"))?.trim().to_owned();
    let counts = count_all()?;
    if update {
        let mut text =
            format!("# instructions of one call at the level avx2, {compiler}\ncase,instructions\n");
        for (name, count) in &counts {
            let _ = writeln!(text, "{name},{count}");
        }
        return std::fs::write(RECORD, text).map_err(|e| format!("{RECORD}: {e}"));
    }
    let record = std::fs::read_to_string(RECORD).map_err(|e| format!("{RECORD}: {e}"))?;
    let same_compiler = record.lines().next().is_some_and(|line| line.ends_with(&compiler));
    let recorded: BTreeMap<&str, u64> = record
        .lines()
        .filter_map(|line| line.split_once(','))
        .filter_map(|(name, count)| Some((name, count.parse().ok()?)))
        .collect();
    let mut off = Vec::new();
    for (name, &count) in &counts {
        match recorded.get(name.as_str()) {
            Some(&before) if (count as f64 / before as f64 - 1.0).abs() <= TOLERANCE => {}
            Some(&before) => off.push(format!(
                "{name}: {before} -> {count} ({:+.1} %)",
                (count as f64 / before as f64 - 1.0) * 100.0
            )),
            None => off.push(format!("{name}: not in the record, {count}")),
        }
    }
    off.extend(
        recorded.keys().filter(|name| !counts.contains_key(**name)).map(|name| format!("{name}: gone")),
    );
    println!(
        "{} cases counted, {} off the record by more than {} %",
        counts.len(),
        off.len(),
        TOLERANCE * 100.0
    );
    for line in &off {
        println!("{line}");
    }
    if off.is_empty() {
        Ok(())
    } else if same_compiler {
        Err("look at the cases above; `cargo xtask instructions --update` makes a new record".into())
    } else {
        println!("the record is of another compiler, so this is no failure");
        Ok(())
    }
}
