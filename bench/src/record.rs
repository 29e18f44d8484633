//! The rows of a run, and the file that keeps them.

use crate::job::Role;
use crate::lists::{self, Class, Target};
use crate::operations::Op;
use crate::texts::Group;
use placemat::Isa;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The time of one call in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    pub median: f64,
    /// The quartiles.
    pub low: f64,
    pub high: f64,
}

/// An engine in a cell.
pub struct Measured {
    pub name: String,
    pub role: Role,
    pub level: Isa,
    pub time: Time,
}

impl Measured {
    /// Returns half of the distance between the quartiles, in percent of the median.
    pub fn spread(&self) -> f64 {
        (self.time.high - self.time.low) / self.time.median * 50.0
    }
}

/// The kind of input of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Whole(Group),
    /// A text that is longer than a processor can learn.
    Distinct(Group),
    /// A text that is much longer than the caches.
    Memory(Group),
    /// Short strings of this many bytes of UTF-8, each waiting for the previous one or independent.
    Short {
        latency: bool,
        len: usize,
        ascii: bool,
    },
    /// Pieces of at most `len` bytes of UTF-8, in random order: megabytes of them, each once in a
    /// pass, or the same 80 KB in every pass.
    Pieces {
        len: usize,
        again: bool,
    },
    /// The fields of a file, in their order.
    Fields,
}

impl Kind {
    /// Returns the group whose mean includes the cell.
    pub const fn group(self) -> Group {
        match self {
            Self::Whole(group) | Self::Distinct(group) | Self::Memory(group) => group,
            Self::Short { ascii: true, .. } => Group::Ascii,
            Self::Short { ascii: false, .. } | Self::Pieces { .. } | Self::Fields => Group::Mixed,
        }
    }

    /// Returns the first part of the names of its rows.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Whole(_) => "",
            Self::Distinct(_) => "distinct: ",
            Self::Memory(_) => "memory: ",
            Self::Short { .. } => "short: ",
            Self::Pieces { again: false, .. } => "once: ",
            Self::Pieces { again: true, .. } => "again: ",
            Self::Fields => "fields: ",
        }
    }

    /// Returns `true` if one call is on many strings, so that figures are per string.
    pub const fn is_strings(self) -> bool {
        matches!(self, Self::Short { .. } | Self::Pieces { .. } | Self::Fields)
    }
}

/// One operation on one text, by every engine.
pub struct Cell {
    pub op: Op,
    pub kind: Kind,
    pub text: String,
    /// Bytes of input of one call, and bytes of output if they matter.
    pub input: usize,
    pub output: usize,
    pub engines: Vec<Measured>,
}

impl Cell {
    /// Returns the name of the row: the operation, and for short strings the method of measuring.
    pub fn row(&self) -> String {
        let suffix = match self.kind {
            Kind::Short { latency: true, .. } => ", latency",
            Kind::Short { latency: false, .. } => ", throughput",
            _ => "",
        };
        format!("{}{}{suffix}", self.kind.prefix(), self.op.name())
    }

    pub fn ours(&self, level: Isa) -> Option<&Measured> {
        self.engines.iter().find(|engine| engine.role == Role::Ours && engine.level == level)
    }

    /// Returns the upper limit of the machine.
    pub fn ceiling(&self) -> Option<&Measured> {
        let all = self.engines.iter().filter(|engine| engine.role == Role::Ceiling);
        all.min_by(|a, b| a.time.median.total_cmp(&b.time.median))
    }

    /// Returns the fastest peer that uses no level above `level`.
    pub fn best_peer(&self, level: Isa) -> Option<&Measured> {
        let peers = self.engines.iter().filter(|engine| engine.role == Role::Peer && engine.level <= level);
        peers.min_by(|a, b| a.time.median.total_cmp(&b.time.median))
    }

    /// Returns our speed as a multiple of that of the best peer.
    pub fn ratio(&self, level: Isa) -> Option<f64> {
        Some(self.best_peer(level)?.time.median / self.ours(level)?.time.median)
    }

    pub fn target(&self, class: Class) -> Target {
        match (self.kind, class) {
            (Kind::Whole(_) | Kind::Distinct(_), _) => lists::target(self.op, class),
            // The target is a share of the machine's limit.
            (Kind::Memory(_), _) => Target::default(),
            // One target for every size; the report has the means over some sizes.
            (_, Class::Best) => Target { every: Some(1.0), ..Target::default() },
            (_, Class::Avx2) => Target::default(),
        }
    }

    /// Returns GB/s of input, or nanoseconds per string or character.
    pub fn figure(&self, seconds: f64) -> f64 {
        match self.kind {
            _ if self.unit() == "ns" => seconds * 1e9,
            _ => self.input as f64 / seconds / 1e9,
        }
    }

    /// Returns the unit of the figures.
    pub const fn unit(&self) -> &'static str {
        if self.kind.is_strings() || matches!(self.op, Op::ToAscii(_)) { "ns" } else { "GB/s" }
    }
}

/// Returns the model of the processor, as a folder name.
pub fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.split(':').next().is_some_and(|key| key.trim() == name))?;
        Some(line.split_once(':')?.1.trim().to_lowercase())
    };
    let model = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    // Several models share a name on some machines in the cloud.
    let numbers = match (field("cpu family"), field("model")) {
        (Some(family), Some(model)) => format!(" family {family} model {model}"),
        _ => String::new(),
    };
    let words = model + &numbers;
    let words = words.replace("(r)", "").replace("(tm)", "");
    let words = words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// Returns the mean number of running processes in the last five minutes, from the system, and the
/// number of processors.
pub fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let processors = info.lines().filter(|line| line.starts_with("processor")).count();
    format!("load {} on {processors} processors", text.split(' ').nth(1).unwrap_or("unknown"))
}

/// Returns today's date in UTC, such as 2026-03-04.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    // Days become a date of the Gregorian calendar by Howard Hinnant's "chrono-compatible low-level
    // date algorithms".
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + carry)
}

/// Writes `bench/record/<machine>/<date>.csv`.
pub fn write(cells: &[Cell]) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("record").join(machine());
    std::fs::create_dir_all(&folder).expect("the folder of records");
    let path = folder.join(format!("{}.csv", today()));
    std::fs::write(&path, csv(cells)).expect("to write the record");
    path
}

/// Writes one line for each cell: for each engine the median in nanoseconds of a call, which for
/// short strings is one string and for unmappable characters one character, and half of the
/// distance between the quartiles in percent of it.
fn csv(cells: &[Cell]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for engine in cells.iter().flat_map(|cell| &cell.engines) {
        if !names.contains(&engine.name.as_str()) {
            names.push(&engine.name);
        }
    }
    let heads: String = names.iter().map(|name| format!(",{name} ns,± %")).collect();
    let mut out = format!("operation,text,bytes{heads}\n");
    for cell in cells {
        write!(out, "\"{}\",{},{}", cell.row(), cell.text, cell.input).expect("writing to a string");
        for name in &names {
            match cell.engines.iter().find(|engine| engine.name == *name) {
                Some(engine) => {
                    let nanoseconds = engine.time.median * 1e9;
                    let places = if nanoseconds < 1000.0 { 1 } else { 0 };
                    write!(out, ",{nanoseconds:.places$},{:.0}", engine.spread())
                }
                None => write!(out, ",,"),
            }
            .expect("writing to a string");
        }
        out.push('\n');
    }
    out
}
