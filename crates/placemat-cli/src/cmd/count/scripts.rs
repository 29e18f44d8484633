//! `--scripts`: the share of each script in a text.

use super::text::{Reader, Sink};
use crate::input::Input;
use crate::json;
use crate::palette::Palette;
use core::fmt::Write as _;
use placemat::Encoding;
use serde::Serialize;
use std::io::{self, Write};
use unicode_script::{Script, UnicodeScript as _};

/// Code points of a page.
const PAGE: usize = 256;

/// Code points of each script, and ill-formed sequences.
#[derive(Debug)]
pub(super) struct Scripts {
    /// By the number of the script.
    counts: [u64; 256],
    ill_formed: u64,
    /// The scripts of the code points of each page used so far: looking one up in the tables is a search.
    pages: Vec<Option<Box<[Script; PAGE]>>>,
}

impl Scripts {
    /// Returns the scripts of a text.
    pub(super) fn of(reader: &mut Reader, input: &mut Input, from: Encoding) -> io::Result<Self> {
        let mut scripts = Self { counts: [0; 256], ill_formed: 0, pages: vec![None; 0x11_0000 / PAGE] };
        reader.read(&mut input.file, from, &mut scripts)?;
        // The U+FFFD of ill-formed sequences belong to no script.
        scripts.counts[char::REPLACEMENT_CHARACTER.script() as usize] -= scripts.ill_formed;
        Ok(scripts)
    }

    fn page(&mut self, c: u32) -> &[Script; PAGE] {
        let number = c as usize / PAGE;
        self.pages[number].get_or_insert_with(|| {
            let mut page = [Script::Unknown; PAGE];
            for (script, c) in page.iter_mut().zip(c - c % 256..) {
                *script = char::from_u32(c).map_or(Script::Unknown, |c| c.script());
            }
            Box::new(page)
        })
    }

    /// Returns the scripts that occur, the most frequent first, with the number of their code points.
    fn ranked(&self) -> Vec<(Script, u64)> {
        let mut all: Vec<_> = self
            .pages
            .iter()
            .flatten()
            .flat_map(|page| page.iter().copied())
            .filter(|script| self.counts[*script as usize] > 0)
            .collect();
        all.sort_unstable_by_key(|script| *script as u8);
        all.dedup();
        let mut all: Vec<_> = all.into_iter().map(|script| (script, self.counts[script as usize])).collect();
        all.sort_by_key(|&(script, count)| (core::cmp::Reverse(count), script.full_name()));
        all
    }
}

impl Sink for Scripts {
    fn text(&mut self, text: &str) {
        for c in text.chars().map(u32::from) {
            let script = self.page(c)[c as usize % PAGE];
            self.counts[script as usize] += 1;
        }
    }

    fn ill_formed(&mut self, count: u64) {
        self.ill_formed += count;
    }
}

/// A line of `--format jsonl`; the script is null for ill-formed sequences.
#[derive(Debug, Serialize)]
struct JsonScript<'a> {
    path: &'a str,
    script: Option<&'static str>,
    code: Option<&'static str>,
    count: u64,
}

pub(super) fn write_json(to: &mut impl Write, path: &str, scripts: &Scripts) -> io::Result<()> {
    for (script, count) in scripts.ranked() {
        let (name, code) = (script.full_name(), script.short_name());
        json::write_line(to, &JsonScript { path, script: Some(name), code: Some(code), count })?;
    }
    if scripts.ill_formed > 0 {
        json::write_line(to, &JsonScript { path, script: None, code: None, count: scripts.ill_formed })?;
    }
    Ok(())
}

/// Columns that a bar takes at the most.
const BAR: u64 = 32;

/// Returns the scripts as a table with bars.
pub(super) fn table(name: &str, scripts: &Scripts, styles: Palette) -> String {
    let Palette { dim, name: heading, error, .. } = styles;
    let mut rows: Vec<_> = scripts
        .ranked()
        .into_iter()
        .map(|(script, count)| (script.full_name().replace('_', " "), count, anstyle::Style::new()))
        .collect();
    if scripts.ill_formed > 0 {
        rows.push(("ill-formed".into(), scripts.ill_formed, error));
    }
    let all: u64 = rows.iter().map(|(_, count, _)| count).sum();
    let most = rows.iter().map(|&(_, count, _)| count).max().unwrap_or(0).max(1);
    let width = rows.iter().map(|(script, ..)| script.len()).chain([6]).max().unwrap_or(0);
    let digits = rows.iter().map(|(_, count, _)| count.to_string().len()).chain([6]).max().unwrap_or(0);
    let mut to = String::new();
    _ = writeln!(to, "{heading}{name}{heading:#}");
    _ = writeln!(to, "{dim}{:width$}  {:>digits$}  {:>6}{dim:#}", "script", "points", "share");
    for (script, count, style) in rows {
        let share = count as f64 * 100.0 / all as f64;
        let bar = "█".repeat(usize::try_from(count.saturating_mul(BAR).div_ceil(most)).unwrap_or(0));
        _ = writeln!(to, "{style}{script:width$}  {count:>digits$}  {share:>5.1}%  {bar}{style:#}");
    }
    to
}
