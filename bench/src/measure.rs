//! Measurement: all engines of a row run on the same buffers in turn, in an order that changes from round to round.

use crate::buffer::{Buffer, Shorts};
use crate::engines::Engine;
use crate::job::{Job, Role};
use crate::operations::Answer;
use crate::record::Time;
use std::hint::black_box;
use std::time::Duration;

/// The repeated work of one engine.
pub struct Run<'a> {
    engine: &'a Engine,
    call: Box<dyn FnMut() -> usize + 'a>,
}

impl<'a> Run<'a> {
    /// Prepares work on whole texts. `dst` is shared, because the engines take turns.
    pub fn whole(engine: &'a Engine, src: &'a [u8], dst: &'a Shared) -> Self {
        let call: Box<dyn FnMut() -> usize + 'a> = match &engine.job {
            Job::Read { whole, .. } => Box::new(move || whole(black_box(src))),
            Job::Convert { whole, .. } => {
                Box::new(move || whole(black_box(src), dst.borrow_mut().bytes_mut()))
            }
            Job::Owned { whole, .. } => Box::new(move || whole(black_box(src))),
        };
        Self { engine, call }
    }

    pub fn shorts(engine: &'a Engine, src: &'a Shorts, dst: &'a Shared) -> Self {
        let call: Box<dyn FnMut() -> usize + 'a> = match &engine.job {
            Job::Read { shorts, .. } => Box::new(move || shorts(black_box(src))),
            Job::Convert { shorts, .. } => {
                Box::new(move || shorts(black_box(src), dst.borrow_mut().bytes_mut()))
            }
            Job::Owned { shorts, .. } => Box::new(move || shorts(black_box(src))),
        };
        Self { engine, call }
    }
}

/// The buffer for the output of all engines.
pub type Shared = std::cell::RefCell<Buffer>;

/// Checks that the engine gives the answer; otherwise describes its result.
pub fn check(engine: &Engine, src: &[u8], dst: &Shared, answer: &Answer) -> Result<(), String> {
    if !engine.is_checked() {
        return Ok(());
    }
    engine.select();
    let units = |got: &[u8]| match answer {
        Answer::Units(units) if got == units => Ok(()),
        Answer::Units(units) => {
            let at = got.iter().zip(units).take_while(|(a, b)| a == b).count();
            Err(format!("{} bytes, expected {}; the first that differs is at {at}", got.len(), units.len()))
        }
        Answer::Number(_) => Err("units, expected a number".into()),
    };
    match &engine.job {
        Job::Read { whole, .. } => match (whole(src), answer) {
            (got, Answer::Number(number)) if got == *number => Ok(()),
            (got, Answer::Number(number)) => Err(format!("{got}, expected {number}")),
            (got, Answer::Units(_)) => Err(format!("{got}, expected units")),
        },
        Job::Convert { whole, .. } => {
            let mut dst = dst.borrow_mut();
            dst.bytes_mut().fill(0xAA);
            let written = whole(src, dst.bytes_mut());
            units(&dst.bytes()[..written])
        }
        Job::Owned { answer: result, .. } => match result(src) {
            Ok(bytes) => units(&bytes),
            // A wrong answer of a peer costs it time, which is measured.
            Err(_) if engine.role != Role::Ours => Ok(()),
            Err(wrong) => Err(wrong.to_owned()),
        },
    }
}

/// Measures all runs in turn; each takes about `slot` in each round.
pub fn measure(runs: &mut [Run<'_>], rounds: usize, slot: Duration) -> Vec<Time> {
    let calls: Vec<u32> = runs
        .iter_mut()
        .map(|run| {
            run.engine.select();
            black_box((run.call)());
            let once = (0..3).map(|_| timed(run, 1)).fold(f64::INFINITY, f64::min);
            (slot.as_secs_f64() / once.max(1e-9)).clamp(1.0, 1e6) as u32
        })
        .collect();
    let mut times: Vec<Vec<f64>> = vec![Vec::with_capacity(rounds); runs.len()];
    for round in 0..rounds {
        for turn in 0..runs.len() {
            // The order is forwards and backwards in turn, each time from another start.
            let turn = if round % 2 == 0 { turn } else { runs.len() - 1 - turn };
            let i = (turn + round / 2) % runs.len();
            runs[i].engine.select();
            // Bring code and branches back into the caches.
            if calls[i] > 1 {
                black_box((runs[i].call)());
            }
            let time = timed(&mut runs[i], calls[i]);
            times[i].push(time);
        }
    }
    times
        .into_iter()
        .map(|mut all| {
            all.sort_by(f64::total_cmp);
            let at = |share: f64| all[((all.len() - 1) as f64 * share).round() as usize];
            Time { median: at(0.5), low: at(0.25), high: at(0.75) }
        })
        .collect()
}

/// Makes the allocator keep freed memory, so that engines that allocate do not pay for new pages
/// each time.
pub fn keep_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    for option in [libc::M_MMAP_THRESHOLD, libc::M_TRIM_THRESHOLD] {
        // SAFETY: the function takes two numbers and sets an option of the allocator; no memory is
        // involved.
        let set = unsafe { libc::mallopt(option, 1 << 28) };
        if set != 1 {
            eprintln!("the allocator gives memory back after each call");
        }
    }
}

fn timed(run: &mut Run<'_>, calls: u32) -> f64 {
    let start = now();
    for _ in 0..calls {
        black_box((run.call)());
    }
    (now() - start) / f64::from(calls)
}

/// Returns the seconds that this thread has run, without the time in which other threads had the
/// core.
fn now() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is that of a local value of the type that the function writes.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(failed, 0, "there is such a clock");
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
