//! The benchmark: this library against its peers, in one run. `README.md` explains its use.

mod buffer;
mod damage;
mod document;
mod engines;
mod icu;
mod job;
mod lists;
mod measure;
mod operations;
mod pages;
mod picture;
mod record;
mod report;
mod texts;

use crate::buffer::{Buffer, Shorts};
use crate::engines::{Engine, Engines, Switch, ceiling, page};
use crate::job::Role;
use crate::lists::{Class, Short};
use crate::measure::{Run, Shared};
use crate::operations::{Form, Op};
use crate::record::{Cell, Kind, Measured};
use crate::texts::{Fields, Group, ShortKind, Text};
use placemat::Isa;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The options of the command line.
struct Options {
    /// Parts of names of operations and of texts; empty selects all.
    only: Vec<String>,
    text: Vec<String>,
    levels: Vec<Isa>,
    corpus: Option<PathBuf>,
    rounds: usize,
    slot: Duration,
    check: bool,
    cxx: bool,
    all_engines: bool,
    record: bool,
}

const USAGE: &str =
    "usage: placemat-bench [--only OPERATION,…] [--text TEXT,…] [--levels LEVEL,…] [--rounds N]
    [--slot MICROSECONDS] [--corpus FOLDER] [--no-cxx] [--all-engines] [--record] [--check]";

impl Options {
    fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self {
            only: Vec::new(),
            text: Vec::new(),
            levels: Isa::available().collect(),
            corpus: None,
            rounds: 31,
            slot: Duration::from_micros(250),
            check: false,
            cxx: true,
            all_engines: false,
            record: false,
        };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value\n{USAGE}"));
            let list = |value: String| value.split(',').map(str::to_lowercase).collect::<Vec<_>>();
            let number = |value: String| value.parse::<usize>().map_err(|e| format!("{value}: {e}"));
            match arg.as_str() {
                "--only" => options.only = list(value()?),
                "--text" => options.text = list(value()?),
                "--levels" => {
                    let names = list(value()?);
                    options.levels.retain(|level| names.iter().any(|name| name == level.name()));
                }
                "--rounds" => options.rounds = number(value()?)?.max(1),
                "--slot" => options.slot = Duration::from_micros(number(value()?)? as u64),
                "--corpus" => options.corpus = Some(value()?.into()),
                "--no-cxx" => options.cxx = false,
                "--record" => options.record = true,
                "--all-engines" => options.all_engines = true,
                "--check" => options.check = true,
                _ => return Err(USAGE.to_owned()),
            }
        }
        Ok(options)
    }

    /// Returns `true` if rows that take long are selected: an entry of the option must be a prefix
    /// of this name.
    fn asks_for(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| part.starts_with(name))
    }

    /// Returns `true` if the run is to be recorded: it measures everything, with enough rounds.
    fn is_whole(&self) -> bool {
        self.cxx
            && self.rounds >= 31
            && self.only.is_empty()
            && self.text.is_empty()
            && self.levels.iter().copied().eq(Isa::available())
    }
}

/// Returns `true` if the name is selected; without a list, every name is. A list has commas, so
/// names are compared without theirs.
fn wanted(name: &str, parts: &[String]) -> bool {
    let name = name.to_lowercase().replace(',', "");
    parts.is_empty() || parts.iter().any(|part| name.contains(part.as_str()))
}

fn main() -> Result<(), String> {
    // The operations on UTF-16LE take units in memory order.
    const { assert!(cfg!(target_endian = "little")) };
    let options = Options::parse(std::env::args().skip(1))?;
    measure::keep_memory();
    let started = Instant::now();
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/lipsum");
    let corpus = options.corpus.clone().or_else(|| beside.is_dir().then_some(beside));
    let texts = texts::all(corpus.as_deref());
    let engines = Engines::new(options.levels.clone(), options.cxx);

    let mut cells = Vec::new();
    let mut wrong = Vec::new();
    for op in lists::all().into_iter().filter(|op| wanted(&op.name(), &options.only)) {
        eprintln!("{:5.0} s  {}", started.elapsed().as_secs_f64(), op.name());
        let suits = |text: &&Text| lists::suits(op, &text.name);
        for text in texts.iter().filter(|text| wanted(&text.name, &options.text)).filter(suits) {
            let kind = Kind::Whole(text.group);
            cells.extend(whole(op, kind, text, &engines, &options, &mut wrong));
        }
    }
    for text in texts::distinct().iter().filter(|text| wanted(&text.name, &options.text)) {
        for &op in lists::DISTINCT {
            let kind = Kind::Distinct(text.group);
            if wanted(&format!("{}{}", kind.prefix(), op.name()), &options.only) {
                cells.extend(whole(op, kind, text, &engines, &options, &mut wrong));
            }
        }
    }
    for row in lists::shorts().into_iter().filter(|_| options.asks_for("short")) {
        cells.extend(short(row, &engines, &options, &mut wrong));
    }
    cells.extend(pieces_and_fields(&engines, &options, &mut wrong));
    if options.asks_for("memory") {
        eprintln!("{:5.0} s  megabytes", started.elapsed().as_secs_f64());
        for text in texts::megabytes(if options.check { 1 } else { 64 }) {
            for &op in lists::MEMORY.iter().filter(|_| wanted(&text.name, &options.text)) {
                let kind = Kind::Memory(text.group);
                if wanted(&format!("{}{}", kind.prefix(), op.name()), &options.only) {
                    cells.extend(whole(op, kind, &text, &engines, &options, &mut wrong));
                }
            }
        }
    }

    if !wrong.is_empty() {
        return Err(format!("these answers are wrong:\n{}", wrong.join("\n")));
    }
    if options.check {
        println!("all engines agree, in {:.0} s", started.elapsed().as_secs_f64());
        return Ok(());
    }
    if !options.only.is_empty() || !options.text.is_empty() || options.all_engines {
        print!("{}", report::details(&cells, &options.levels, options.all_engines));
    }
    let rows = report::rows(&cells, &options.levels);
    println!("\nHow many times as fast as the best peer, worst first\n\n{}", report::table(&rows));
    println!(
        "Under the target for every text, worst first\n\n{}",
        report::under_target(&cells, &options.levels)
    );
    if let Some(&best) = options.levels.last() {
        println!(
            "Pure ASCII, and 64 MB, {best}: GB/s, the most that the machine reads or writes, and our share of it\n"
        );
        println!("{}", report::ceilings_table(&cells, best));
        if options.is_whole() {
            keep(&cells, &rows, &options, best);
        } else if options.record {
            println!("written: {}", record::write(&cells).display());
        }
    }
    println!("{:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

/// Writes the record, the picture and the figures of the document.
fn keep(cells: &[Cell], rows: &[report::Row], options: &Options, best: Isa) {
    let mut compilers: Vec<&str> = Vec::new();
    for engine in cells.iter().flat_map(|cell| &cell.engines) {
        // The compiler is in brackets.
        if let Some((_, compiler)) = engine.name.split_once('(')
            && !compilers.contains(&compiler.trim_end_matches(')'))
        {
            compilers.push(compiler.trim_end_matches(')'));
        }
    }
    let caption = format!(
        "{}, {}, other work on it ({}); ours at {best}; simdutf {} by {}; medians of {} rounds",
        record::machine(),
        record::today(),
        record::load(),
        engines::simdutf::version(),
        compilers.join(" and "),
        options.rounds
    );
    println!("written: {}", record::write(cells).display());
    // One picture has space for the conversions of whole texts, at the best level there is.
    if best == Isa::Avx512 {
        let whole = |row: &&report::Row| row.class == Class::Best && !row.name.contains(':');
        let picture: Vec<&report::Row> = rows.iter().filter(whole).collect();
        println!("written: {}", picture::write(&picture, &caption).display());
    }
    match document::write(cells, rows, &options.levels, &caption) {
        Some(path) => println!("written: {}", path.display()),
        None => println!("docs/speed/benchmarks.md has no place for the figures"),
    }
}

/// Checks and measures one operation on one text.
fn whole(
    op: Op,
    kind: Kind,
    text: &Text,
    engines: &Engines,
    options: &Options,
    wrong: &mut Vec<String>,
) -> Option<Cell> {
    let input = op.input(&text.utf8, page::held)?;
    let src = Buffer::of(&input);
    let answer = op.answer(&text.utf8, &input, page::held);
    let output = match &answer {
        operations::Answer::Units(units) if op.writes() => units.len(),
        _ => 0,
    };
    // Space for the longest result of a code unit of any form, and for the widest store past it.
    let room = if matches!(kind, Kind::Memory(_)) { output.max(2 * input.len()) } else { 4 * input.len() };
    let dst = Shared::new(Buffer::new(room + 65_536));
    let what = format!("{}, {}", op.name(), text.name);
    let mut engines = agreeing(engines.of(op, kind), src.bytes(), &dst, &answer, &what, wrong);
    if options.check {
        return None;
    }
    let mut ceiling = |name: &str, job| {
        let (role, level, switch) = (Role::Ceiling, Isa::Portable, Switch::Nothing);
        engines.push(Engine { name: name.to_owned(), role, level, switch, job });
    };
    match kind {
        Kind::Memory(_) if op.writes() => {
            ceiling("read and store", ceiling::both(output, false));
            ceiling("read and store past the caches", ceiling::both(output, true));
        }
        Kind::Memory(_) => ceiling("read", ceiling::read()),
        _ if text.group == Group::Ascii && matches!(op, Op::Validate | Op::Convert(..)) => {
            ceiling("ceiling", if op.writes() { ceiling::write(output) } else { ceiling::read() });
        }
        _ => {}
    }
    let rounds = if matches!(kind, Kind::Memory(_)) { options.rounds.div_ceil(4) } else { options.rounds };
    let mut runs: Vec<Run<'_>> = engines.iter().map(|engine| Run::whole(engine, src.bytes(), &dst)).collect();
    let times = measure::measure(&mut runs, rounds, options.slot);
    drop(runs);
    Some(Cell {
        op,
        kind,
        text: text.name.clone(),
        input: input.len(),
        output,
        engines: measured(engines, &times, op.characters(&input).unwrap_or(1) as f64),
    })
}

/// Measures one operation on short strings of one length.
fn short(row: Short, engines: &Engines, options: &Options, wrong: &mut Vec<String>) -> Option<Cell> {
    let Short { op, kind, latency, len, any } = row;
    let text = format!("{} {}{len}", kind.name(), if any { "1-" } else { "" });
    let kind_of_cell = Kind::Short { latency, len, ascii: kind == ShortKind::Ascii };
    let row = Cell { op, kind: kind_of_cell, text, input: len, output: 0, engines: Vec::new() };
    if !wanted(&row.row(), &options.only) || !wanted(&row.text, &options.text) {
        return None;
    }
    let count = if options.check { CHECKED_STRINGS } else { (131_072 / len).clamp(128, 2048) };
    let strings = kind.strings(len, any, count);
    let inputs = strings.iter().map(|string| op.input(string, page::held)).collect::<Option<Vec<_>>>()?;
    let calls = (262_144 / len).clamp(512, 8192);
    let strings: Vec<&str> = strings.iter().map(String::as_str).collect();
    each(row, &strings, &inputs, || Shorts::random(&inputs, calls, latency), engines, options, wrong)
}

/// Measures pieces of a long text that come once, pieces that repeat, and the fields of files.
fn pieces_and_fields(engines: &Engines, options: &Options, wrong: &mut Vec<String>) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut add = |op: Op, kind: Kind, text: String, strings: &[&str]| {
        let row = Cell { op, kind, text, input: 0, output: 0, engines: Vec::new() };
        if !wanted(&row.row(), &options.only) || !wanted(&row.text, &options.text) {
            return;
        }
        let inputs = match op {
            Op::Lossy(bad) if bad > 0 => damage::in_all(strings, bad),
            _ => {
                strings.iter().map(|string| op.input(string, page::held).expect("text of the form")).collect()
            }
        };
        let shorts = || Shorts::in_order(&inputs);
        cells.extend(each(row, strings, &inputs, shorts, engines, options, wrong));
    };
    for latin1 in [false, true] {
        let ops = lists::PIECES.iter().filter(|&&op| matches!(op, Op::Convert(Form::Latin1, _)) == latin1);
        for (again, name) in [(false, "once"), (true, "again")] {
            if !options.asks_for(name) {
                continue;
            }
            let bytes = if options.check || again { 80_000 } else { 8_000_000 };
            let text = texts::medley(bytes, latin1);
            for len in lists::PIECE_BYTES {
                let pieces = texts::pieces(&text, len);
                for &op in ops.clone() {
                    add(op, Kind::Pieces { len, again }, format!("pieces {len}"), &pieces);
                }
            }
        }
        for file in
            [Fields::Json, Fields::Csv, Fields::Log].into_iter().filter(|_| options.asks_for("fields"))
        {
            let fields = file.of(if options.check { 80_000 } else { 1_000_000 }, latin1);
            let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
            for &op in ops.clone() {
                add(op, Kind::Fields, file.name().to_owned(), &fields);
            }
        }
    }
    cells
}

/// The answers of the first strings of a row are checked, up to this many.
const CHECKED_STRINGS: usize = 64;

/// Measures one operation on many strings, in the order of `shorts`.
fn each(
    mut row: Cell,
    strings: &[&str],
    inputs: &[Vec<u8>],
    shorts: impl FnOnce() -> Shorts,
    engines: &Engines,
    options: &Options,
    wrong: &mut Vec<String>,
) -> Option<Cell> {
    let longest = inputs.iter().map(Vec::len).max()?;
    // Space for the longest result of a code unit of any form, and for the widest store past it.
    let dst = Shared::new(Buffer::new(4 * longest + 16_384));
    let mut engines = engines.of(row.op, row.kind);
    let step = (strings.len() / CHECKED_STRINGS).max(1);
    for (string, input) in strings.iter().zip(inputs).step_by(step).take(CHECKED_STRINGS) {
        let answer = row.op.answer(string, input, page::held);
        let src = Buffer::of(input);
        let what = format!("{}, {:?}", row.row(), string);
        engines = agreeing(engines, src.bytes(), &dst, &answer, &what, wrong);
    }
    if options.check {
        return None;
    }
    if !matches!(row.kind, Kind::Short { .. }) {
        row.input = inputs.iter().map(Vec::len).sum::<usize>() / inputs.len();
    }
    let shorts = shorts();
    let mut runs: Vec<Run<'_>> = engines.iter().map(|engine| Run::shorts(engine, &shorts, &dst)).collect();
    let times = measure::measure(&mut runs, options.rounds, options.slot);
    drop(runs);
    row.engines = measured(engines, &times, shorts.len() as f64);
    Some(row)
}

/// Returns the engines that give the right answer, and records all others.
fn agreeing(
    engines: Vec<Engine>,
    src: &[u8],
    dst: &Shared,
    answer: &operations::Answer,
    what: &str,
    wrong: &mut Vec<String>,
) -> Vec<Engine> {
    let agrees = |engine: &Engine| match measure::check(engine, src, dst, answer) {
        Ok(()) => true,
        Err(got) => {
            wrong.push(format!("{what}: {} gives {got}", engine.name));
            false
        }
    };
    engines.into_iter().filter(agrees).collect()
}

fn measured(engines: Vec<Engine>, times: &[record::Time], calls: f64) -> Vec<Measured> {
    let each = |time: record::Time| record::Time {
        median: time.median / calls,
        low: time.low / calls,
        high: time.high / calls,
    };
    let pairs = engines.into_iter().zip(times);
    pairs
        .map(|(engine, &time)| Measured {
            name: engine.name,
            role: engine.role,
            level: engine.level,
            time: each(time),
        })
        .collect()
}
