//! Differences grouped by their cause.

use crate::scenario::{Difference, Names};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// One cause of differences, with their number.
#[derive(Debug)]
pub struct Group {
    /// The number of differences of this cause.
    pub count: usize,
    /// The pairs of encodings in which the differences occur.
    pub pairs: BTreeSet<String>,
    /// The shortest text.
    pub text: Vec<u8>,
    /// The first difference.
    pub difference: Difference,
}

/// All causes of differences that a run found.
#[derive(Debug, Default)]
pub struct Report {
    groups: BTreeMap<(String, String), Group>,
    /// The number of comparisons made.
    pub runs: usize,
    /// Calls of each library.
    pub calls: usize,
    /// Differences that a rule explains, by the line of the rule.
    pub explained: BTreeMap<String, usize>,
}

impl Report {
    /// Adds a difference. `cause` names the encoding to which it belongs.
    pub fn add(&mut self, cause: &str, names: Names<'_>, text: &[u8], difference: Difference) {
        let key = (cause.to_owned(), difference.kind());
        let pair = format!("{} to {}", names.from, names.to);
        let group = self.groups.entry(key).or_insert_with(|| Group {
            count: 0,
            pairs: BTreeSet::new(),
            text: text.to_vec(),
            difference: difference.clone(),
        });
        group.count += 1;
        group.pairs.insert(pair);
        if text.len() < group.text.len() {
            (group.text, group.difference) = (text.to_vec(), difference);
        }
    }

    /// Adds another report.
    pub fn merge(&mut self, other: Self) {
        self.runs += other.runs;
        self.calls += other.calls;
        for (line, count) in other.explained {
            *self.explained.entry(line).or_default() += count;
        }
        for (key, group) in other.groups {
            match self.groups.get_mut(&key) {
                None => {
                    self.groups.insert(key, group);
                }
                Some(known) => {
                    known.count += group.count;
                    known.pairs.extend(group.pairs);
                    if group.text.len() < known.text.len() {
                        (known.text, known.difference) = (group.text, group.difference);
                    }
                }
            }
        }
    }

    /// Returns `true` if there is no difference.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns the number of causes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.groups.len()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} runs, {} calls of each library, {} causes of differences, {} differences explained",
            self.runs,
            self.calls,
            self.groups.len(),
            self.explained.values().sum::<usize>()
        )?;
        let mut groups: Vec<_> = self.groups.iter().collect();
        groups.sort_by_key(|(_, group)| std::cmp::Reverse((group.pairs.len(), group.count)));
        for ((cause, kind), group) in groups {
            writeln!(f, "{cause}: {kind}: {} × in {} pairs", group.count, group.pairs.len())?;
            let pairs: Vec<_> = group.pairs.iter().take(4).map(String::as_str).collect();
            writeln!(f, "    {}", pairs.join(", "))?;
            writeln!(f, "    {}", group.difference)?;
        }
        Ok(())
    }
}
