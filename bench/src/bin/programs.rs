//! Whole programs on files in the page cache: `placemat` against the usual programs for each job, by CPU and wall time
//! and peak memory.
//!
//! `cargo build --release --manifest-path bench/Cargo.toml --bins`, then
//! `cargo run --release --manifest-path bench/Cargo.toml --bin programs -- PLACEMAT [MEGABYTES] [--only ROW,…] [--sutf PROGRAM] [--folder FOLDER] [--keep]`.
//! Each row runs all its programs in turn, seven times; the table has medians. `--keep` writes it
//! to `docs/speed/programs.md`. A program that is not installed leaves its cells empty. `sutf`, the
//! command of simdutf, is searched for in the path unless an option gives its path; `over_simdutf`
//! is built with this program. The files are in the folder, by default in `/dev/shm`, a file system
//! in memory, if there is one.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs per program.
const RUNS: usize = 7;

/// The cost of one run.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    wall: f64,
    cpu: f64,
    /// The peak memory in MiB.
    peak: f64,
    /// The bytes of output, if they are counted.
    out: f64,
}

/// Runs a shell line in a child process that measures it, because a process knows only the sum of
/// its children's usage.
fn measure(line: &str) -> Option<Cost> {
    let me = std::env::current_exe().expect("the path of this program");
    let output = Command::new(me).args(["--measure", line]).output().expect("to start itself");
    if !output.status.success() {
        return None;
    }
    let line = String::from_utf8(output.stdout).expect("numbers");
    let numbers: Vec<f64> = line.split_whitespace().map(|n| n.parse().expect("a number")).collect();
    let [wall, cpu, peak, out] = numbers[..] else { return None };
    Some(Cost { wall, cpu, peak, out })
}

/// Measures the cost of a line; runs in the child. Its output is counted if the line ends in
/// `| count`, otherwise discarded.
fn measured(line: &str) {
    let (line, counted) = match line.strip_suffix(" | count") {
        Some(line) => (line, true),
        None => (line, false),
    };
    let stdout = if counted { Stdio::piped() } else { Stdio::null() };
    let start = Instant::now();
    let mut child = Command::new("sh")
        .args(["-c", line])
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(Stdio::null())
        .spawn()
        .expect("to start a shell");
    let mut out = 0;
    if let Some(mut pipe) = child.stdout.take() {
        let mut buffer = vec![0; 1 << 20];
        while let Ok(len @ 1..) = pipe.read(&mut buffer) {
            out += len;
        }
    }
    let status = child.wait().expect("to wait for the shell");
    let wall = start.elapsed().as_secs_f64();
    // Status 1 means findings.
    assert!(matches!(status.code(), Some(0 | 1)), "{line} failed");
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the usage of children");
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    let cpu = seconds(usage.user_time()) + seconds(usage.system_time());
    println!("{wall} {cpu} {} {out}", usage.max_rss() as f64 / 1024.0);
}

/// Runs all lines in turn; returns the medians, and the greatest peak.
fn compare(lines: &[String]) -> Vec<Option<Cost>> {
    let mut costs: Vec<Vec<Option<Cost>>> = vec![Vec::new(); lines.len()];
    for _ in 0..RUNS {
        for (costs, line) in costs.iter_mut().zip(lines) {
            costs.push(measure(line));
        }
    }
    let median = |costs: &[Cost], of: fn(&Cost) -> f64| {
        let mut values: Vec<f64> = costs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let all = |costs: Vec<Option<Cost>>| {
        let costs: Vec<Cost> = costs.into_iter().collect::<Option<_>>()?;
        let peak = costs.iter().map(|cost| cost.peak).fold(0.0, f64::max);
        Some(Cost {
            wall: median(&costs, |c| c.wall),
            cpu: median(&costs, |c| c.cpu),
            peak,
            out: costs[0].out,
        })
    };
    costs.into_iter().map(all).collect()
}

/// Writes a file of about `megabytes` that repeats `text`.
fn fill(path: &Path, text: &[u8], megabytes: usize) {
    let mut file = BufWriter::new(File::create(path).expect("a file in the folder"));
    for _ in 0..megabytes * 1_000_000 / text.len() {
        file.write_all(text).expect("room for the file");
    }
}

/// Writes a file of random bytes.
fn noise(path: &Path, megabytes: usize) {
    let mut state = 1_u64;
    let mut bytes = Vec::with_capacity(megabytes * 1_000_000);
    while bytes.len() < megabytes * 1_000_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        bytes.extend_from_slice(&(state >> 24).to_le_bytes()[..4]);
    }
    fs::write(path, bytes).expect("room for the file");
}

/// Writes a tree of `count` small files.
fn tree(path: &Path, count: usize, text: &str) {
    for i in 0..count {
        let folder = path.join((i % 200).to_string());
        fs::create_dir_all(&folder).expect("a folder");
        let start = (i * 37) % (text.len() / 2);
        let start = (start..).find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let end = (start + 500 + i % 3000..).find(|&at| at >= text.len() || text.is_char_boundary(at));
        let end = end.unwrap_or(text.len()).min(text.len());
        fs::write(folder.join(format!("{i}.txt")), &text[start..end]).expect("room for a file");
    }
}

/// Makes git track all files of a directory. Returns whether it does.
fn track(path: &Path) -> bool {
    [&["init", "-q"][..], &["add", "."]].iter().all(|args| {
        let mut git = Command::new("git");
        // A hook of git names the repository that it runs in.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            git.env_remove(name);
        }
        let git = git.current_dir(path).args(*args).stderr(Stdio::null()).status();
        git.is_ok_and(|status| status.success())
    })
}

/// The table so far, and parts of the names of the wanted rows; if there are none, all rows are
/// wanted.
struct Table {
    page: String,
    only: Vec<String>,
}

impl Table {
    /// Adds a row for each of the peers. The first line runs `placemat`.
    fn row(&mut self, what: &str, goal: &str, lines: &[(&str, String)]) {
        if !self.wants(what) {
            return;
        }
        let costs = compare(&lines.iter().map(|(_, line)| line.clone()).collect::<Vec<_>>());
        let Some(ours) = costs[0] else { panic!("{} failed", lines[0].1) };
        let mut row =
            format!("| {what} | {:.0} ms, {:.0} ms, {:.0} MiB |", 1e3 * ours.wall, 1e3 * ours.cpu, ours.peak);
        let mut cells = Vec::new();
        for ((name, _), cost) in lines.iter().zip(&costs).skip(1) {
            cells.push(match cost {
                Some(cost) => format!(
                    "{name}: {:.0} ms, {:.0} ms, {:.0} MiB: wall {:.2} ×, CPU {:.2} ×",
                    1e3 * cost.wall,
                    1e3 * cost.cpu,
                    cost.peak,
                    ours.wall / cost.wall,
                    ours.cpu / cost.cpu,
                ),
                None => format!("{name}: not here"),
            });
        }
        if ours.out > 0.0 {
            cells.push(format!("{:.0} MB/s of output", ours.out / ours.wall / 1e6));
        }
        _ = writeln!(row, " {} | {goal} |", cells.join("; "));
        print!("{row}");
        self.page.push_str(&row);
    }

    fn wants(&self, what: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| what.contains(part.as_str()))
    }
}

/// Returns the value after an option.
fn option(args: &[String], name: &str) -> Option<String> {
    let at = args.iter().position(|arg| arg == name)?;
    Some(args.get(at + 1).unwrap_or_else(|| panic!("{name} needs a value")).clone())
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [measure, line] = &args[..]
        && measure == "--measure"
    {
        return measured(line);
    }
    let placemat = args.first().expect("the path of the placemat program").clone();
    let megabytes: usize = args.iter().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(200);
    let lipsum = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/lipsum");
    let read = |name: &str, other: &str| {
        fs::read_to_string(lipsum.join(format!("{name}-Lipsum.utf8.txt")))
            .unwrap_or_else(|_| other.repeat(2000))
    };
    let ascii = "The diner is open all night, and the pie is good.\n".repeat(2000);
    let mixed = "Zürich, Москва 北京 😀 and some ASCII in between;\n".repeat(2000);
    let (russian, chinese) =
        (read("Russian", "Съешь же ещё этих мягких булок.\n"), read("Chinese", "天地玄黃，宇宙洪荒。\n"));
    let sutf = option(&args, "--sutf").unwrap_or_else(|| "sutf".to_owned());
    let over_simdutf =
        std::env::current_exe().expect("the path of this program").with_file_name("over_simdutf");
    let over_simdutf = over_simdutf.display();
    let memory = Path::new("/dev/shm").is_dir().then(|| PathBuf::from("/dev/shm"));
    let folder = option(&args, "--folder").map(PathBuf::from).or(memory).unwrap_or_else(std::env::temp_dir);
    let folder = folder.join(format!("placemat-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for files");
    let at = |name: &str| folder.join(name).display().to_string();
    let only =
        option(&args, "--only").map_or(Vec::new(), |list| list.split(',').map(str::to_owned).collect());
    let mut table = Table { page: String::new(), only };

    let texts = [("ASCII", &ascii), ("Chinese", &chinese), ("Russian", &russian), ("mixed", &mixed)];
    for (name, text) in texts {
        let file = at(name);
        fill(Path::new(&file), text.as_bytes(), megabytes);
        table.row(
            &format!("check, {name}"),
            "CPU 0.33 × isutf8, wall 1.5 × cat, 32 MiB",
            &[
                ("", format!("{placemat} check {file}")),
                ("isutf8", format!("isutf8 {file}")),
                ("cat", format!("cat {file}")),
            ],
        );
        let (out, other) = (at("out"), at("other"));
        table.row(
            &format!("convert -t utf-16le -o, {name}"),
            "CPU 0.14 ×, wall 0.13 × iconv, wall 1.3 × cp",
            &[
                ("", format!("{placemat} convert -t utf-16le {file} -o {out}")),
                ("iconv", format!("iconv -f utf-8 -t utf-16le {file} -o {other}")),
                ("sutf", format!("{sutf} -f UTF-8 -t UTF-16LE -o {other} {file}")),
                ("over simdutf", format!("{over_simdutf} utf-8 {file} {other}")),
                ("cp", format!("cp {out} {other}")),
            ],
        );
        table.row(
            &format!("convert -t utf-16le > /dev/null, {name}"),
            "wall 0.95 × sutf",
            &[
                ("", format!("{placemat} convert -t utf-16le {file}")),
                ("sutf", format!("{sutf} -f UTF-8 -t UTF-16LE {file}")),
                ("over simdutf", format!("{over_simdutf} utf-8 {file}")),
                ("cat", format!("cat {file}")),
            ],
        );
        let wide = at("wide");
        let made = Command::new(&placemat).args(["convert", "-t", "utf-16le", &file, "-o", &wide]).status();
        assert!(made.is_ok_and(|status| status.success()));
        table.row(
            &format!("convert -f utf-16le -o, {name}"),
            "CPU 0.14 ×, wall 0.13 × iconv, wall 1.3 × cp",
            &[
                ("", format!("{placemat} convert -f utf-16le {wide} -o {out}")),
                ("iconv", format!("iconv -f utf-16le -t utf-8 {wide} -o {other}")),
                ("sutf", format!("{sutf} -f UTF-16LE -t UTF-8 -o {other} {wide}")),
                ("over simdutf", format!("{over_simdutf} utf-16le {wide} {other}")),
                ("cp", format!("cp {wide} {other}")),
            ],
        );
        let longer = if fs::metadata(&wide)
            .is_ok_and(|wide| wide.len() > fs::metadata(&file).map_or(0, |f| f.len()))
        {
            &wide
        } else {
            &file
        };
        table.row(
            &format!("cat FILE \\| convert -t utf-16le, {name}"),
            "wall 1.3 ×",
            &[
                ("", format!("cat {file} | {placemat} convert -t utf-16le")),
                ("cat \\| cat of the longer side", format!("cat {longer} | cat")),
            ],
        );
        table.row(
            &format!("count, {name}"),
            "wall 0.1 ×",
            &[("", format!("{placemat} count {file}")), ("wc -lm", format!("LC_ALL=C.UTF-8 wc -lm {file}"))],
        );
        for name in [&out, &other, &wide] {
            let _ = fs::remove_file(name);
        }
    }
    for (encoding, peer, text, goal) in [
        ("windows-1251", "cp1251", "Russian", "CPU 0.33 ×"),
        ("shift_jis", "cp932", "Chinese", "CPU 1 ×"),
        ("gb18030", "gb18030", "Chinese", "CPU 1 ×"),
    ] {
        let (file, legacy) = (at(text), at("legacy"));
        let made = Command::new(&placemat)
            .args(["-q", "convert", "-t", encoding, "--unmappable", "ignore", &file, "-o", &legacy])
            .status();
        assert!(made.is_ok_and(|status| status.success()));
        table.row(
            &format!("convert -f {encoding}, {text}"),
            goal,
            &[
                ("", format!("{placemat} convert -f {encoding} {legacy}")),
                ("iconv", format!("iconv -f {peer} -t utf-8 {legacy}")),
            ],
        );
    }
    let small = at("tree");
    let row = "check -l of a tree of 20,000 small files";
    let tracked = "check -l of that tree, tracked by git";
    if table.wants(row) || table.wants(tracked) {
        tree(Path::new(&small), 20_000, &mixed);
    }
    let lines = [("", format!("{placemat} check -l {small}")), ("rg", format!("rg -l '(?-u)\\xff' {small}"))];
    table.row(row, "wall 1 ×", &lines);
    if table.wants(tracked) {
        if track(Path::new(&small)) {
            table.row(tracked, "wall 1 ×", &lines);
        } else {
            eprintln!("git is not here, so the row \"{tracked}\" is left out");
        }
    }
    let random = at("random");
    noise(Path::new(&random), (megabytes / 10).max(1));
    table.row(
        "check --max 0 --format jsonl of random bytes, a tenth as long",
        "100 MB/s",
        &[("", format!("{placemat} check --max 0 --format jsonl {random} | count"))],
    );
    let hundred = |program: &str| {
        format!("for i in 0 1 2 3 4 5 6 7 8 9; do for j in 0 1 2 3 4 5 6 7 8 9; do {program}; done; done")
    };
    table.row(
        "--version, a hundred times",
        "200 ms",
        &[("", hundred(&format!("{placemat} --version"))), ("true", hundred("/bin/true"))],
    );
    fs::remove_dir_all(&folder).expect("to remove the files");
    if args.iter().any(|arg| arg == "--keep") {
        let page = format!(
            "# The command: speed\n\nAfter `cargo build --release --manifest-path bench/Cargo.toml --bins`, \
             `cargo run --release --manifest-path bench/Cargo.toml --bin programs -- PLACEMAT --keep` writes this page. \
             It measures wall time, CPU time of user and system, and peak memory on {megabytes} MB in the page cache, where `cp` \
             and `-o` write to a file system in memory: medians of {RUNS} runs, with all programs of a row in turn. Below 1 × \
             we are faster. `sutf` is the command of simdutf, `over simdutf` a loop that reads 64 KiB, converts them by simdutf and writes \
             them, `rg` is ripgrep.\n\n| | placemat | others | goal |\n\
             | --- | --- | --- | --- |\n{}",
            table.page
        );
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/speed/programs.md");
        fs::write(docs, page).expect("to write the page");
    }
}
