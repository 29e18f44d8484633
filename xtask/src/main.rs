//! Tasks of this repository that are too long for its tests: `cargo xtask TASK`.

mod exhaustive;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask TASK

tasks:
  exhaustive [--threads N]   reads all 2^32 strings of four bytes as UTF-8 and compares every answer";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = match *arguments {
        ["exhaustive"] => Some(processors),
        ["exhaustive", "--threads", n] => n.parse().ok().filter(|&n| n > 0),
        _ => None,
    };
    match threads {
        Some(threads) => exhaustive::run(threads),
        None => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
