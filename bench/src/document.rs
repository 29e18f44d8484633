//! The figures of `docs/benchmarks.md`: the tool rewrites the part between two marks and leaves the rest unchanged.

use crate::lists::Class;
use crate::record::{Cell, Kind};
use crate::report::{Row, ceilings, geometric_mean, names};
use crate::texts::Group;
use placemat::Isa;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const START: &str = "<!-- figures: written by the benchmark -->";
const END: &str = "<!-- end of figures -->";

/// Writes the figures of a run into the document.
pub fn write(cells: &[Cell], rows: &[Row], levels: &[Isa], caption: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/benchmarks.md");
    let old = std::fs::read_to_string(&path).ok()?;
    let (before, rest) = old.split_once(START)?;
    let (_, after) = rest.split_once(END)?;
    let figures = figures(cells, rows, levels, caption);
    std::fs::write(&path, format!("{before}{START}\n\n{figures}\n{END}{after}")).ok()?;
    Some(path)
}

fn figures(cells: &[Cell], rows: &[Row], levels: &[Isa], caption: &str) -> String {
    let mut out = format!("{caption}\n");
    let mut put = |line: String| writeln!(out, "{line}").expect("writing to a string");
    let best = levels.last().copied();
    for (class, about) in [
        (Class::Best, "Our best level against the best peer of each text, slowest text first."),
        (Class::Avx2, "Ours held to AVX2 against peers that use no more."),
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
    put("\nPure ASCII against the limit of the machine: reading in vectors of 64 bytes, or memcpy of as many bytes as \
         are written.\n"
        .to_owned());
    put("| operation | ours, GB/s | at most | share |".to_owned());
    put("| --- | --- | --- | --- |".to_owned());
    if let Some(level) = best {
        for (name, ours, most) in ceilings(cells, level) {
            put(format!("| {name} | {ours:.1} | {most:.1} | {:.0} % |", 100.0 * ours / most));
        }
    }
    out
}
