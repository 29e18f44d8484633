//! The tables: each operation against its best peer, the worst text first, and the cells that miss their targets.

use crate::lists::Class;
use crate::operations::Op;
use crate::record::{Cell, Kind};
use crate::texts::Group;
use placemat::Isa;
use std::fmt::Write as _;

/// An operation in one class of peers.
pub struct Row {
    pub name: String,
    pub level: Isa,
    pub class: Class,
    /// Geometric means: over pure ASCII, over lipsum, over mixed texts or strings.
    pub ascii: Option<f64>,
    pub lipsum: Option<f64>,
    pub mixed: Option<f64>,
    /// The text on which we are slowest against the best peer: the ratio, the text, the peer.
    pub worst: (f64, String, String),
    /// The targets that are missed.
    pub missed: Vec<String>,
    pub has_target: bool,
}

impl Row {
    /// Returns "Met", or the missed targets.
    pub fn verdict(&self) -> String {
        match (self.has_target, self.missed.is_empty()) {
            (false, _) => "-".to_owned(),
            (true, true) => "met".to_owned(),
            (true, false) => self.missed.join(", "),
        }
    }
}

/// Returns the levels to report, and the class of targets that applies to each.
fn classes(levels: &[Isa]) -> Vec<(Isa, Class)> {
    let best = levels.last().map(|&level| (level, Class::Best));
    let avx2 = levels.iter().filter(|&&level| level == Isa::Avx2).map(|&level| (level, Class::Avx2));
    best.into_iter().chain(avx2.filter(|&(level, _)| Some(&level) != levels.last())).collect()
}

pub fn geometric_mean(ratios: impl Iterator<Item = f64>) -> Option<f64> {
    let logs: Vec<f64> = ratios.map(f64::ln).collect();
    (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

/// Returns the names of the rows, in the order of measurement.
pub fn names(cells: &[Cell]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for cell in cells {
        if !names.contains(&cell.row()) {
            names.push(cell.row());
        }
    }
    names
}

/// Returns all rows, worst cell first.
pub fn rows(cells: &[Cell], levels: &[Isa]) -> Vec<Row> {
    let mut rows = Vec::new();
    for name in &names(cells) {
        let cells: Vec<&Cell> = cells.iter().filter(|cell| cell.row() == *name).collect();
        rows.extend(classes(levels).into_iter().filter_map(|(level, class)| row(name, &cells, level, class)));
    }
    rows.sort_by(|a, b| a.worst.0.total_cmp(&b.worst.0));
    rows
}

fn row(name: &str, cells: &[&Cell], level: Isa, class: Class) -> Option<Row> {
    let ratios: Vec<(f64, &Cell)> =
        cells.iter().filter_map(|&cell| Some((cell.ratio(level)?, cell))).collect();
    let &(worst, cell) = ratios.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let mean = |group: Group| {
        let of_group = ratios.iter().filter(|(_, cell)| cell.kind.group() == group);
        geometric_mean(of_group.map(|&(ratio, _)| ratio))
    };
    let (ascii, lipsum, mixed) = (mean(Group::Ascii), mean(Group::Lipsum), mean(Group::Mixed));
    let emoji = ratios.iter().find(|(_, cell)| cell.text == "Emoji").map(|&(ratio, _)| ratio);
    let target = cell.target(class);
    let mut missed = Vec::new();
    for (what, target, got) in [
        ("every", target.every, Some(worst)),
        ("lipsum", target.lipsum, lipsum),
        ("mixed", target.mixed, mixed),
        ("emoji", target.emoji, emoji),
    ] {
        if let (Some(target), Some(got)) = (target, got)
            && got < target
        {
            missed.push(format!("{what} {got:.2} < {target}"));
        }
    }
    // The means of short strings cover some of the sizes.
    if let Some((from, to, wanted)) = short_means(cell) {
        let within = ratios
            .iter()
            .filter(|(_, cell)| matches!(cell.kind, Kind::Short { len, .. } if (from..=to).contains(&len)));
        if let Some(got) = geometric_mean(within.map(|&(ratio, _)| ratio))
            && class == Class::Best
            && got < wanted
        {
            missed.push(format!("{from}-{to} bytes {got:.2} < {wanted}"));
        }
    }
    let peer = cell.best_peer(level).map(|peer| peer.name.clone()).unwrap_or_default();
    Some(Row {
        name: name.to_owned(),
        level,
        class,
        ascii,
        lipsum,
        mixed,
        worst: (worst, cell.text.clone(), peer),
        missed,
        has_target: target.every.is_some() || target.mixed.is_some(),
    })
}

/// Returns the sizes over which the mean of short strings has a target.
fn short_means(cell: &Cell) -> Option<(usize, usize, f64)> {
    match (cell.kind, cell.op) {
        (Kind::Short { .. }, Op::Validate) => Some((4, 64, 1.5)),
        (Kind::Short { .. }, Op::Convert(..) | Op::Owned(..) | Op::OwnedStr(_)) => Some((64, 512, 1.2)),
        _ => None,
    }
}

/// Returns the table of operations.
pub fn table(rows: &[Row]) -> String {
    let mut out = String::new();
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let number = |n: Option<f64>| n.map_or("-".to_owned(), |n| format!("{n:.2}"));
    line(
        &mut out,
        format_args!(
            "{:<width$} {:<8} {:>6} {:>6} {:>6} {:>6}  {:<44} target",
            "operation", "level", "ASCII", "lipsum", "mixed", "worst", "on, against"
        ),
    );
    for row in rows {
        line(
            &mut out,
            format_args!(
                "{:<width$} {:<8} {:>6} {:>6} {:>6} {:>6.2}  {:<44} {}",
                row.name,
                row.level.name(),
                number(row.ascii),
                number(row.lipsum),
                number(row.mixed),
                row.worst.0,
                format!("{}, {}", row.worst.1, row.worst.2),
                row.verdict(),
            ),
        );
    }
    out
}

/// Lists each cell that is slower than its target for every text, worst first.
pub fn under_target(cells: &[Cell], levels: &[Isa]) -> String {
    let mut under: Vec<(f64, String)> = Vec::new();
    for cell in cells {
        for (level, class) in classes(levels) {
            let (Some(ratio), Some(every)) = (cell.ratio(level), cell.target(class).every) else { continue };
            if ratio < every {
                let [ours, peer] = [cell.ours(level), cell.best_peer(level)].map(Option::unwrap);
                let figures = format!(
                    "{:>8.2} {:>8.2}  {}",
                    cell.figure(ours.time.median),
                    cell.figure(peer.time.median),
                    peer.name
                );
                let name = format!("{} ({level})", cell.row());
                under.push((
                    ratio / every,
                    format!("{ratio:6.2} {every:6.2} {name:<44} {:<16} {figures}", cell.text),
                ));
            }
        }
    }
    under.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out =
        format!("{:>6} {:>6} {:<44} {:<16} {:>8} {:>8}\n", "ratio", "target", "", "text", "ours", "peer");
    under.iter().for_each(|(_, text)| line(&mut out, format_args!("{text}")));
    out
}

/// Returns, for pure ASCII or for megabytes, the operation, our GB/s, and the machine's limit, in
/// reading for operations that read and in writing for all others.
pub fn ceilings(cells: &[Cell], level: Isa, memory: bool) -> Vec<(String, f64, f64)> {
    let rate = |cell: &Cell| {
        let bytes = if cell.op.writes() { cell.output } else { cell.input } as f64 / 1e9;
        let name = if matches!(cell.kind, Kind::Memory(_)) {
            format!("{}, {}", cell.row(), cell.text)
        } else {
            cell.row()
        };
        Some((name, bytes / cell.ours(level)?.time.median, bytes / cell.ceiling()?.time.median))
    };
    cells.iter().filter(|cell| matches!(cell.kind, Kind::Memory(_)) == memory).filter_map(rate).collect()
}

/// Returns the ceilings as a table.
pub fn ceilings_table(cells: &[Cell], level: Isa) -> String {
    let mut out = String::new();
    for (name, ours, most) in [false, true].into_iter().flat_map(|memory| ceilings(cells, level, memory)) {
        line(&mut out, format_args!("{name:<46} {ours:8.1} {most:8.1} {:5.0} %", 100.0 * ours / most));
    }
    out
}

/// Lists every cell at each of our levels, with the best peer of that level: for work on one
/// operation.
pub fn details(cells: &[Cell], levels: &[Isa], all_engines: bool) -> String {
    let mut out = String::new();
    let mut last = String::new();
    for cell in cells {
        if cell.row() != last {
            last = cell.row();
            let unit = if cell.unit() == "ns" { "ns each" } else { "GB/s of input" };
            line(&mut out, format_args!("\n{last}: {unit}, quartiles in %"));
        }
        for &level in levels.iter().rev() {
            let (Some(ours), Some(peer)) = (cell.ours(level), cell.best_peer(level)) else { continue };
            line(
                &mut out,
                format_args!(
                    "  {:<16} {:<9} {:>8.2} ±{:<3.0} {:>8.2} ±{:<3.0} {:>6.2}x  {}",
                    cell.text,
                    level.name(),
                    cell.figure(ours.time.median),
                    ours.spread(),
                    cell.figure(peer.time.median),
                    peer.spread(),
                    peer.time.median / ours.time.median,
                    peer.name,
                ),
            );
        }
        if all_engines {
            for engine in &cell.engines {
                let figure = cell.figure(engine.time.median);
                line(&mut out, format_args!("      {figure:>8.2} ±{:<3.0} {}", engine.spread(), engine.name));
            }
        }
    }
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a string");
}
