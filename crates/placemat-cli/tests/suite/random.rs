//! Random command lines over random trees of files, and what must hold for every run.
//!
//! `PLACEMAT_FUZZ=SECONDS` tries new ones for so long, from the seed `PLACEMAT_FUZZ_SEED`. Each case has a seed of its own:
//! `PLACEMAT_FUZZ=0` with the seed that a failure names runs that case alone.

#![cfg(target_os = "linux")]

mod laws;
mod lines;
mod options;
mod rng;
mod trees;

use core::time::Duration;
use std::time::{Instant, SystemTime};

/// The cases of every run of the tests.
const CASES: u64 = 600;

#[test]
fn random_command_lines_keep_the_promises_of_the_command() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let long = std::env::var_os("PLACEMAT_LONG").map(|_| 240);
    let Some(seconds) = number("PLACEMAT_FUZZ").or(long) else {
        (0..CASES).for_each(laws::case);
        return;
    };
    let now = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    // Far enough apart that no two runs try the same cases.
    let first = number("PLACEMAT_FUZZ_SEED").unwrap_or_else(|| now() << 20);
    let (began, mut cases) = (Instant::now(), 0);
    while cases == 0 || began.elapsed() < Duration::from_secs(seconds) {
        laws::case(first + cases);
        cases += 1;
    }
    println!("{cases} cases from seed {first}, {} runs of the command", laws::runs());
}
