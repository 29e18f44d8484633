//! The tasks that call kernels: `cargo xtask exhaustive` and `cargo xtask instructions`.

mod exhaustive;
mod instructions;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask exhaustive [--threads N]\n       cargo xtask instructions [--update]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *arguments {
        ["exhaustive"] => exhaustive::run(std::thread::available_parallelism().map_or(1, usize::from)),
        ["exhaustive", "--threads", n] if n.parse().is_ok_and(|n: usize| n > 0) => {
            exhaustive::run(n.parse().unwrap_or(1))
        }
        ["instructions"] => instructions::run(false),
        ["instructions", "--update"] => instructions::run(true),
        ["instructions", "--cases"] => instructions::run_cases(),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
