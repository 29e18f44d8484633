//! The figures of `docs/speed/benchmarks.md`: the tool rewrites the part between the two marks of this machine and leaves the rest unchanged.

use crate::lists::Class;
use crate::operations::Op;
use crate::record::{self, Cell, Kind};
use crate::report::{Row, ceilings, geometric_mean, names};
use crate::texts::Group;
use placemat::Isa;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const END: &str = "<!-- end of figures -->";

/// Writes the figures of a run into the document, in place of the older figures of this machine or
/// after those of others.
pub fn write(cells: &[Cell], rows: &[Row], levels: &[Isa], caption: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/speed/benchmarks.md");
    let old = std::fs::read_to_string(&path).ok()?;
    let start = format!("<!-- figures of {}: written by the benchmark -->", record::machine());
    let (before, after) = match old.split_once(&start) {
        Some((before, rest)) => (before.to_owned(), rest.split_once(END)?.1),
        None => (format!("{old}\n"), "\n"),
    };
    let figures = figures(cells, rows, levels, caption);
    std::fs::write(&path, format!("{before}{start}\n\n{figures}\n{END}{after}")).ok()?;
    Some(path)
}

fn figures(cells: &[Cell], rows: &[Row], levels: &[Isa], caption: &str) -> String {
    let mut out = format!("### {}\n\n{caption}\n", record::machine());
    let mut put = |line: String| writeln!(out, "{line}").expect("writing to a string");
    let best = levels.last().copied();
    for (level, about) in [
        (best, "The slowest cells of all rows at our best level: one text, or strings of one length."),
        (levels.contains(&Isa::Avx2).then_some(Isa::Avx2), "The slowest cells with AVX2."),
    ] {
        let Some(level) = level else { continue };
        put(format!("\n{about}\n"));
        put("| operation | on | ours | peer | ratio | against |".to_owned());
        put("| --- | --- | --- | --- | --- | --- |".to_owned());
        for (ratio, cell) in slowest(cells, level).into_iter().take(SLOWEST) {
            let (Some(ours), Some(peer)) = (cell.ours(level), cell.best_peer(level)) else { continue };
            let unit = cell.unit();
            put(format!(
                "| {} | {} | {:.1} {unit} | {:.1} {unit} | {ratio:.2} | {} |",
                cell.row(),
                cell.text,
                cell.figure(ours.time.median),
                cell.figure(peer.time.median),
                peer.name
            ));
        }
    }
    for (class, about) in [
        (Class::Best, "All rows: our best level against the best peer of each text, slowest text first."),
        (Class::Avx2, "All rows: ours held to AVX2 against peers that use no more."),
    ] {
        let level = if class == Class::Best { best } else { Some(Isa::Avx2) };
        let mut rows = rows.iter().filter(|row| row.class == class && Some(row.level) == level).peekable();
        if rows.peek().is_none() {
            continue;
        }
        put(format!("\n{about}\n"));
        put("| operation | ASCII | lipsum | mixed | slowest | on | against | target |".to_owned());
        put("| --- | --- | --- | --- | --- | --- | --- | --- |".to_owned());
        for row in rows {
            let number = |n: Option<f64>| n.map_or(String::new(), |n| format!("{n:.2}"));
            put(format!(
                "| {} | {} | {} | {} | {:.2} | {} | {} | {} |",
                row.name,
                number(row.ascii),
                number(row.lipsum),
                number(row.mixed),
                row.worst.0,
                row.worst.1,
                row.worst.2,
                row.verdict()
            ));
        }
    }
    put("\nOurs at each level, GB/s of input: geometric means of lipsum / mixed texts.\n".to_owned());
    put(format!(
        "| operation | {} |",
        levels.iter().map(|level| level.name()).collect::<Vec<_>>().join(" | ")
    ));
    put(format!("| --- {}|", "| --- ".repeat(levels.len())));
    for name in names(cells).into_iter().filter(|name| !name.contains(':')) {
        let mean = |level, group| {
            let cells = cells.iter().filter(|cell| cell.row() == name && cell.kind == Kind::Whole(group));
            geometric_mean(cells.filter_map(|cell| Some(cell.figure(cell.ours(level)?.time.median))))
        };
        let figures = levels.iter().map(|&level| {
            let [lipsum, mixed] = [Group::Lipsum, Group::Mixed]
                .map(|group| mean(level, group).map_or("–".to_owned(), |mean| format!("{mean:.1}")));
            format!("{lipsum} / {mixed}")
        });
        put(format!("| {name} | {} |", figures.collect::<Vec<_>>().join(" | ")));
    }
    if let Some(level) = best {
        for (memory, about) in [
            (
                false,
                "Pure ASCII in cache against the limit of the machine: reading in vectors of 64 bytes, or memcpy of as many \
                 bytes as are written.",
            ),
            (
                true,
                "64 MB that do not repeat, against the limit of the machine in that minute: reading the same number \
                 of bytes, and writing the same number, by ordinary stores or by stores past the caches, whichever is \
                 faster.",
            ),
        ] {
            put(format!("\n{about}\n"));
            put("| operation | ours, GB/s | at most | share |".to_owned());
            put("| --- | --- | --- | --- |".to_owned());
            for (name, ours, most) in ceilings(cells, level, memory) {
                put(format!("| {name} | {ours:.1} | {most:.1} | {:.0} % |", 100.0 * ours / most));
            }
        }
    }
    out
}

/// The number of cells in the list of the slowest.
const SLOWEST: usize = 40;

/// Returns all cells that have a peer, the slowest first.
fn slowest(cells: &[Cell], level: Isa) -> Vec<(f64, &Cell)> {
    // The only peer of a policy is our own U+FFFD.
    let compared = cells.iter().filter(|cell| !matches!(cell.op, Op::Policy(..)));
    let mut all: Vec<(f64, &Cell)> = compared.filter_map(|cell| Some((cell.ratio(level)?, cell))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}
