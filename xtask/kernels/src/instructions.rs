//! Counts the instructions of a fixed set of cases at the level AVX2 and compares them with the record.
//!
//! Times on a shared machine differ by tens of percent. The instruction counts of valgrind are the
//! same from run to run, so a kernel that lost an inlining or gained a bounds check is noticed at
//! once. The record belongs to one compiler; with another compiler the counts are shown and not
//! compared.

use core::fmt::Write as _;
use core::hint::black_box;
use placemat::Isa;
use placemat::internals::{Kernels, SingleByteDecoder, SingleByteEncoder};
use std::collections::BTreeMap;
use std::process::{Command, ExitCode};

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.csv");
/// The tolerated distance of a count from the record, as a fraction of it.
const TOLERANCE: f64 = 0.02;

/// Words of one script each, with the usual markup of real pages in the second text.
const TEXTS: [(&str, &str); 6] = [
    ("ascii", "The placemat of that diner is lost, and what was drawn on it is everywhere. "),
    ("markup", "<p class=\"note\">Größe: 3 m²; naïve café</p>\n<a href=\"/index.html\">Übersicht</a>\n"),
    ("russian", "Съешь же ещё этих мягких французских булок, да выпей чаю. "),
    ("chinese", "色は匂へど散りぬるを我が世誰ぞ常ならむ，有為の奥山今日越えて。"),
    ("emoji", "😀😁😂🤣😃😄😅😆😉😊 😋😎😍😘🥰😗😙😚🙂🤗"),
    ("mixed", "a é 日 😀 — plain words, then ещё раз, 日本語 and 🤔. "),
];
/// Lengths in bytes of UTF-8, up to the next character boundary: less than a block, a few blocks,
/// and almost only the loop.
const LENGTHS: [usize; 3] = [24, 200, 4000];

/// A single-byte encoding with Cyrillic in its upper half, and one whose upper half takes three
/// bytes of UTF-8.
const CYRILLIC: [u16; 256] = single_byte_encoding(0x400);
const THAI: [u16; 256] = single_byte_encoding(0xE00);
static FROM_CYRILLIC: SingleByteDecoder = SingleByteDecoder::new(&CYRILLIC);
static FROM_THAI: SingleByteDecoder = SingleByteDecoder::new(&THAI);
static TO_CYRILLIC: SingleByteEncoder<[[u8; 64]; SingleByteEncoder::rows(&CYRILLIC)]> =
    SingleByteEncoder::<[[u8; 64]; SingleByteEncoder::rows(&CYRILLIC)]>::new(&CYRILLIC);

const fn single_byte_encoding(upper: u16) -> [u16; 256] {
    let (mut points, mut byte) = ([0; 256], 0);
    while byte < 256 {
        points[byte as usize] = if byte < 0x80 { byte } else { upper + byte - 0x80 };
        byte += 1;
    }
    points
}

type Run = fn(Kernels, &Input, &mut [u8]) -> usize;

/// A text in every form.
struct Input {
    utf8: Vec<u8>,
    dirty: Vec<u8>,
    utf16: Vec<u8>,
    units: Vec<u16>,
    utf32: Vec<u8>,
    points: Vec<u32>,
    latin1: Vec<u8>,
    latin1_utf8: Vec<u8>,
    latin1_utf16: Vec<u8>,
    latin1_utf32: Vec<u8>,
    bytes: Vec<u8>,
    cyrillic_utf8: Vec<u8>,
}

/// One kernel of each kind; of those for both byte orders, one that swaps bytes.
const KERNELS: &[(&str, Run)] = &[
    ("ascii_prefix", |k, i, _| k.ascii_prefix(&i.utf8)),
    ("utf8_prefix", |k, i, _| k.utf8_prefix(&i.utf8)),
    ("utf16le_prefix", |k, i, _| k.utf16le_prefix(&i.utf16)),
    ("utf32le_prefix", |k, i, _| k.utf32le_prefix(&i.utf32)),
    ("copy_ascii", |k, i, dst| k.copy_ascii(&i.utf8, dst).written),
    ("copy_utf8", |k, i, dst| k.copy_utf8(&i.utf8, dst).written),
    ("utf8_to_utf16le", |k, i, dst| k.utf8_to_utf16le(&i.utf8, dst).written),
    ("utf8_to_utf16be", |k, i, dst| k.utf8_to_utf16be(&i.utf8, dst).written),
    ("utf8_to_utf32le", |k, i, dst| k.utf8_to_utf32le(&i.utf8, dst).written),
    ("utf8_to_utf32be", |k, i, dst| k.utf8_to_utf32be(&i.utf8, dst).written),
    ("utf8_to_latin1", |k, i, dst| k.utf8_to_latin1(&i.latin1_utf8, dst).written),
    ("utf16le_to_utf8", |k, i, dst| k.utf16le_to_utf8(&i.utf16, dst).written),
    ("utf32le_to_utf8", |k, i, dst| k.utf32le_to_utf8(&i.utf32, dst).written),
    ("latin1_to_utf8", |k, i, dst| k.latin1_to_utf8(&i.latin1, dst).written),
    ("copy_utf16le", |k, i, dst| k.copy_utf16le(&i.utf16, dst).written),
    ("utf16le_to_utf16be", |k, i, dst| k.utf16le_to_utf16be(&i.utf16, dst).written),
    ("copy_utf32le", |k, i, dst| k.copy_utf32le(&i.utf32, dst).written),
    ("utf32le_to_utf32be", |k, i, dst| k.utf32le_to_utf32be(&i.utf32, dst).written),
    ("utf16le_to_utf32le", |k, i, dst| k.utf16le_to_utf32le(&i.utf16, dst).written),
    ("utf16le_to_utf32be", |k, i, dst| k.utf16le_to_utf32be(&i.utf16, dst).written),
    ("utf32le_to_utf16le", |k, i, dst| k.utf32le_to_utf16le(&i.utf32, dst).written),
    ("utf32le_to_utf16be", |k, i, dst| k.utf32le_to_utf16be(&i.utf32, dst).written),
    ("latin1_to_utf16le", |k, i, dst| k.latin1_to_utf16le(&i.latin1, dst).written),
    ("latin1_to_utf32le", |k, i, dst| k.latin1_to_utf32le(&i.latin1, dst).written),
    ("ascii_to_utf16le", |k, i, dst| k.ascii_to_utf16le(&i.utf8, dst).written),
    ("ascii_to_utf32le", |k, i, dst| k.ascii_to_utf32le(&i.utf8, dst).written),
    ("utf16le_to_latin1", |k, i, dst| k.utf16le_to_latin1(&i.latin1_utf16, dst).written),
    ("utf32le_to_latin1", |k, i, dst| k.utf32le_to_latin1(&i.latin1_utf32, dst).written),
    ("cyrillic_to_utf8", |k, i, dst| k.single_byte_to_utf8(&FROM_CYRILLIC, &i.bytes, dst).written),
    ("thai_to_utf8", |k, i, dst| k.single_byte_to_utf8(&FROM_THAI, &i.bytes, dst).written),
    ("utf8_to_cyrillic", |k, i, dst| k.utf8_to_single_byte(&TO_CYRILLIC, &i.cyrillic_utf8, dst).written),
    ("count_code_points", |k, i, _| k.count_code_points(&i.utf8)),
    ("count_line_feeds", |k, i, _| k.count_line_feeds(&i.utf8)),
    ("utf16_len_of_utf8", |k, i, _| k.utf16_len_of_utf8(&i.utf8)),
    ("utf8_len_of_latin1", |k, i, _| k.utf8_len_of_latin1(&i.latin1)),
    ("count_code_points_of_utf16", |k, i, _| k.count_code_points_of_utf16(&i.units)),
    ("utf8_len_of_utf16le", |k, i, _| k.utf8_len_of_utf16le(&i.utf16)),
    ("utf8_len_of_utf16be", |k, i, _| k.utf8_len_of_utf16be(&i.utf16)),
    ("utf8_len_of_utf32le", |k, i, _| k.utf8_len_of_utf32le(&i.utf32)),
    ("utf16_len_of_utf32", |k, i, _| k.utf16_len_of_utf32(&i.points)),
    ("replace_utf8", |k, i, dst| k.replace_utf8(&i.utf8, dst).written),
    ("dirty_replace_utf8", |k, i, dst| k.replace_utf8(&i.dirty, dst).written),
    ("dirty_utf8_prefix", |k, i, _| k.utf8_prefix(&i.dirty)),
];

/// The code that valgrind counts, which it finds by the function's name.
#[inline(never)]
fn counted_stretch(run: Run, kernels: Kernels, input: &Input, dst: &mut [u8]) -> usize {
    run(black_box(kernels), black_box(input), black_box(dst))
}

fn input(words: &str, len: usize) -> Input {
    let long = words.repeat(len / words.len() + 1);
    let text = &long[..long.floor_char_boundary(len)];
    let latin1: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap_or(b'~')).collect();
    // The text has one byte from 80 up for each non-ASCII letter.
    let byte = |c: char| u32::from(c).to_le_bytes()[0] | if c.is_ascii() { 0 } else { 0x80 };
    let bytes: Vec<u8> = text.chars().map(byte).collect();
    let cyrillic: String =
        bytes.iter().filter_map(|&byte| char::from_u32(CYRILLIC[usize::from(byte)].into())).collect();
    let mut dirty = text.as_bytes().to_vec();
    dirty[len * 3 / 4] = 0xFF;
    let units: Vec<u16> = text.encode_utf16().collect();
    let points: Vec<u32> = text.chars().map(u32::from).collect();
    Input {
        utf8: text.into(),
        dirty,
        utf16: units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        units,
        utf32: points.iter().flat_map(|point| point.to_le_bytes()).collect(),
        points,
        latin1_utf8: latin1.iter().map(|&byte| char::from(byte)).collect::<String>().into(),
        latin1_utf16: latin1.iter().flat_map(|&byte| u16::from(byte).to_le_bytes()).collect(),
        latin1_utf32: latin1.iter().flat_map(|&byte| u32::from(byte).to_le_bytes()).collect(),
        latin1,
        bytes,
        cyrillic_utf8: cyrillic.into(),
    }
}

/// Calls `case` for every text of every length.
fn for_each_text(mut case: impl FnMut(&str, &str, usize)) {
    for (name, words) in TEXTS {
        for len in LENGTHS {
            case(name, words, len);
        }
    }
}

/// Runs every case once, to be counted.
pub(crate) fn run_cases() -> ExitCode {
    let Some(kernels) = Kernels::of(Isa::Avx2) else {
        eprintln!("this machine has no AVX2");
        return ExitCode::from(2);
    };
    for_each_text(|_, words, len| {
        let input = input(words, len);
        let mut dst = vec![0; 8 * len + 512];
        for (_, run) in KERNELS {
            black_box(counted_stretch(*run, kernels, &input, &mut dst));
        }
    });
    ExitCode::SUCCESS
}

/// Returns the output of a command, if it succeeds.
fn output(command: &mut Command) -> Result<String, String> {
    let shown = format!("{command:?}");
    let output = command.output().map_err(|e| format!("{shown}: {e}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{shown}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}

fn count_all() -> Result<BTreeMap<String, u64>, String> {
    let program = std::env::current_exe().map_err(|e| format!("where is this program? {e}"))?;
    let dumps = program.with_file_name("instructions.callgrind");
    let _ = std::fs::remove_file(&dumps);
    output(
        Command::new("valgrind")
            .args(["--tool=callgrind", "--quiet", "--combine-dumps=yes"])
            // The second pattern has to begin with a name, and must be spelled differently from the
            // first, or it would replace it.
            .args([
                "--toggle-collect=*counted_stretch*",
                "--dump-after=xtask_kernels::instructions::counted_stretch*",
            ])
            .arg(format!("--callgrind-out-file={}", dumps.display()))
            .arg(&program)
            .args(["instructions", "--cases"]),
    )?;
    // One part for each call, in their order, and an empty one for the end of the program.
    let text = std::fs::read_to_string(&dumps).map_err(|e| format!("{}: {e}", dumps.display()))?;
    let mut totals = text
        .lines()
        .filter_map(|line| line.strip_prefix("totals:"))
        .filter_map(|number| number.trim().parse().ok());
    let mut counts = BTreeMap::new();
    for_each_text(|text, _, len| {
        for (kernel, _) in KERNELS {
            counts.insert(format!("{kernel}/{text}/{len}"), totals.next().unwrap_or(0));
        }
    });
    let rest: Vec<u64> = totals.filter(|&count| count > 0).collect();
    match counts.iter().find(|&(_, &count)| count == 0) {
        None if rest.is_empty() => Ok(counts),
        None => Err(format!("{}: {} calls more than there are cases", dumps.display(), rest.len())),
        Some((name, _)) => Err(format!("{}: nothing was counted for {name}", dumps.display())),
    }
}

/// Counts, and compares with the record, or writes it.
pub(crate) fn run(update: bool) -> ExitCode {
    match compare(update) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn compare(update: bool) -> Result<(), String> {
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
        println!("the record is of another compiler, so this is not a failure");
        Ok(())
    }
}
