//! Whole programs on 200 MB in the page cache: `placemat` against `iconv`, CPU seconds and peak memory.
//!
//! `cargo run --release --manifest-path bench/Cargo.toml --bin programs -- PLACEMAT [MEGABYTES]`. Each program runs
//! five times, the two in turn; the table has the medians of user and system time together, and the greatest peak.

use nix::sys::resource::{UsageWho, getrusage};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs per program.
const RUNS: usize = 5;

/// Runs a command in a child of its own, which measures it, because the usage of children is only known in sum.
fn measure(args: &[String]) -> (f64, f64) {
    let me = std::env::current_exe().expect("the path of this program");
    let output = Command::new(me).arg("--measure").args(args).output().expect("to start itself");
    let line = String::from_utf8(output.stdout).expect("two numbers");
    let numbers: Vec<f64> = line.split_whitespace().map(|n| n.parse().expect("a number")).collect();
    (numbers[0], numbers[1])
}

/// In the child: CPU seconds and peak memory in MiB of a command, with its output thrown away.
fn measured(args: &[String]) {
    let status =
        Command::new(&args[0]).args(&args[1..]).stdout(Stdio::null()).status().expect("to start the program");
    assert!(status.success(), "{args:?} failed");
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the usage of children");
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    println!(
        "{} {}",
        seconds(usage.user_time()) + seconds(usage.system_time()),
        usage.max_rss() as f64 / 1024.0
    );
}

/// A file of about `megabytes` that repeats `text`.
fn fill(path: &Path, text: &str, megabytes: usize) {
    let mut file = BufWriter::new(File::create(path).expect("a file beside the build"));
    for _ in 0..megabytes * 1_000_000 / text.len() {
        file.write_all(text.as_bytes()).expect("room for the file");
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|arg| arg == "--measure") {
        return measured(&args[1..]);
    }
    let placemat = args.first().expect("the path of the placemat program").clone();
    let megabytes = args.get(1).map_or(200, |n| n.parse().expect("megabytes"));

    let lipsum = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/lipsum");
    let mut texts = vec![
        ("ASCII".to_owned(), "The diner is open all night, and the pie is good.\n".repeat(2000)),
        ("mixed".to_owned(), "Zürich, Москва 北京 😀 and some ASCII in between;\n".repeat(2000)),
    ];
    for name in ["Russian", "Chinese", "Emoji"] {
        if let Ok(text) = std::fs::read_to_string(lipsum.join(format!("{name}-Lipsum.utf8.txt"))) {
            texts.push((name.to_owned(), text));
        }
    }
    let file: PathBuf = std::env::temp_dir().join(format!("placemat-bench-{}.txt", std::process::id()));
    println!("{megabytes} MB, CPU seconds (medians of {RUNS}) and peak memory in MiB");
    println!(
        "{:<10} {:<34} {:>9} {:>9} {:>7} {:>9}",
        "text", "job", "placemat", "iconv", "ratio", "peak MiB"
    );
    for (name, text) in &texts {
        fill(&file, text, megabytes);
        let path = file.to_str().expect("a path in UTF-8");
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for (job, ours, theirs) in [
            ("convert -t utf-16le", "convert -t utf-16le FILE", "iconv -f utf-8 -t utf-16le FILE"),
            ("check, iconv UTF-8 to UTF-8", "check FILE", "iconv -f utf-8 -t utf-8 FILE"),
        ] {
            let ours = words(&format!("{placemat} {}", ours.replace("FILE", path)));
            let theirs = words(&theirs.replace("FILE", path));
            let (mut a, mut b, mut peak) = (Vec::new(), Vec::new(), 0.0_f64);
            for _ in 0..RUNS {
                let (seconds, memory) = measure(&ours);
                a.push(seconds);
                peak = peak.max(memory);
                b.push(measure(&theirs).0);
            }
            a.sort_by(f64::total_cmp);
            b.sort_by(f64::total_cmp);
            let (a, b) = (a[RUNS / 2], b[RUNS / 2]);
            println!("{name:<10} {job:<34} {a:9.3} {b:9.3} {:6.1}x {peak:9.1}", b / a);
        }
    }
    std::fs::remove_file(&file).expect("to remove the file again");
}
