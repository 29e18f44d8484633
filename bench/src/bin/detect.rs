//! Runs detection and repair over sets of samples: `bench/detect/README.md`.
//!
//! ```text
//! detect samples FILE [--threads N]   a line for each sample: id, label, confidence, language, verdict, candidates
//! detect strings FILE                 the same for lines of an id, a tab and bytes in hexadecimal
//! detect regions FILE                 the files of mixed.py, each region decoded by itself: id, a tab, and hexadecimal
//! detect chardetng FILE               the samples by the crate chardetng, without a top-level domain
//! detect files PATH…                  the same for whole files, each in pieces of 64 KiB
//! detect speed FILE…                  MB/s of each file, by this library and by chardetng in turn
//! detect short FILE [SIZE]            microseconds for each of the samples of 100 bytes, or of SIZE, in the same way
//! ```
//!
//! A label with `?` after it is the first candidate, if the verdict is not text.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use placemat::ErrorPolicy;
use placemat::detect;
use placemat::detect::{Detection, Detector, Verdict, regions};
use std::io::{Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match *arguments {
        ["samples", file] => lines(file, 5, threads(), ours),
        ["samples", file, "--threads", n] => lines(file, 5, n.parse().unwrap_or(1), ours),
        ["strings", file] => lines(file, 1, threads(), ours),
        ["regions", file] => lines(file, 3, threads(), by_regions),
        ["chardetng", file] => lines(file, 5, threads(), chardetng),
        ["files", ref paths @ ..] if !paths.is_empty() => files(paths),
        ["speed", ref paths @ ..] if !paths.is_empty() => speed(paths),
        ["short", file] => short(file, "100"),
        ["short", file, size] => short(file, size),
        _ => {
            eprintln!("usage: detect samples|strings|regions|chardetng|short FILE, detect files|speed PATH…");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Detects the encoding of each line's bytes, which are in hexadecimal in a column.
fn lines(file: &str, column: usize, threads: usize, answer: fn(&str, &[u8]) -> String) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
    let lines: Vec<&str> = text.lines().collect();
    let begun = Instant::now();
    let mut out: Vec<(usize, String)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                let lines = &lines;
                scope.spawn(move || {
                    let mine = lines.iter().enumerate().skip(first).step_by(threads);
                    mine.map(|(at, line)| {
                        let fields: Vec<&str> = line.split('\t').collect();
                        (at, answer(fields[0], &unhex(fields[column])))
                    })
                    .collect::<Vec<_>>()
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker panicked")).collect()
    });
    eprintln!("{} texts in {:.2?}", lines.len(), begun.elapsed());
    out.sort_unstable_by_key(|(at, _)| *at);
    let mut stdout = std::io::BufWriter::new(std::io::stdout().lock());
    out.iter().try_for_each(|(_, line)| writeln!(stdout, "{line}")).map_err(|e| e.to_string())
}

fn unhex(hex: &str) -> Vec<u8> {
    let digit = |b: u8| char::from(b).to_digit(16).map_or(0, |d| d as u8);
    hex.as_bytes().chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

fn ours(id: &str, data: &[u8]) -> String {
    answer(id, &detect(data))
}

fn by_regions(id: &str, data: &[u8]) -> String {
    let mut text = String::new();
    for region in regions(data) {
        let (start, len) = (region.offset as usize, region.len as usize);
        if let Ok(read) = region.encoding.decode(&data[start..start + len], ErrorPolicy::Replace) {
            text.push_str(&read);
        }
    }
    let hex: String = text.bytes().map(|b| format!("{b:02x}")).collect();
    format!("{id}\t{hex}")
}

fn guess(data: &[u8]) -> &'static str {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(data, true);
    detector.guess(None, Utf8Detection::Allow).name()
}

/// chardetng has no confidence.
fn chardetng(id: &str, data: &[u8]) -> String {
    format!("{id}\t{}\t0", guess(data).to_lowercase())
}

fn answer(id: &str, found: &Detection) -> String {
    let label = match (found.encoding, found.candidates.first()) {
        (Some(encoding), _) => encoding.name().to_lowercase(),
        (None, Some(first)) => format!("{}?", first.encoding.name().to_lowercase()),
        (None, None) => "none".to_owned(),
    };
    let language = found.language.map_or("-", |language| language.code());
    let candidates: Vec<String> = found
        .candidates
        .iter()
        .take(5)
        .map(|c| format!("{}:{:.4}", c.encoding.name(), c.confidence))
        .collect();
    let verdict = match found.verdict {
        Verdict::Text => "text",
        Verdict::Empty => "empty",
        Verdict::Binary => "binary",
        _ => "unknown",
    };
    format!("{id}\t{label}\t{:.6}\t{language}\t{verdict}\t{}", found.confidence, candidates.join(" "))
}

fn files(paths: &[&str]) -> Result<(), String> {
    let mut stdout = std::io::BufWriter::new(std::io::stdout().lock());
    for path in paths {
        let Ok(mut file) = std::fs::File::open(path) else { continue };
        let mut detector = Detector::new();
        let mut piece = vec![0; 1 << 16];
        while let Ok(read @ 1..) = file.read(&mut piece) {
            detector.feed(&piece[..read]);
        }
        writeln!(stdout, "{}", answer(path, &detector.finish())).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// Measures the best of several runs, on one core.
fn speed(paths: &[&str]) -> Result<(), String> {
    for path in paths {
        let data = std::fs::read(path).map_err(|e| format!("{path}: {e}"))?;
        let rates = best(&data, 1000).map(|time| data.len() as f64 / time.as_secs_f64() / 1e6);
        let label = detect(&data).encoding.map_or("none".into(), |e| e.name().to_lowercase());
        println!("{path}\t{label}\t{:.1}\tchardetng {}\t{:.1}", rates[0], guess(&data), rates[1]);
    }
    Ok(())
}

/// Measures the median and the greatest of the times of all samples, each the best of several runs.
fn short(file: &str, size: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
    let samples = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let mut times = [Vec::new(), Vec::new()];
    for fields in samples.filter(|fields| fields[3] == size) {
        for (times, time) in times.iter_mut().zip(best(&unhex(fields[5]), 1)) {
            times.push(time.as_secs_f64() * 1e6);
        }
    }
    for (name, mut times) in ["placemat", "chardetng"].into_iter().zip(times) {
        times.sort_by(f64::total_cmp);
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        println!("{name}\tmedian {:.2}\t95 % {:.2}\tmost {:.2}\tof {}", at(50), at(95), at(100), times.len());
    }
    Ok(())
}

fn best(data: &[u8], milliseconds: u64) -> [Duration; 2] {
    let mut best = [Duration::MAX; 2];
    let begun = Instant::now();
    let mut rounds = 0;
    while rounds < 3 || (begun.elapsed() < Duration::from_millis(milliseconds) && rounds < 10_000) {
        for (best, run) in
            best.iter_mut().zip([|data| drop(detect(data)), |data| _ = guess(data)] as [fn(&[u8]); 2])
        {
            let start = Instant::now();
            run(std::hint::black_box(data));
            *best = start.elapsed().min(*best);
        }
        rounds += 1;
    }
    best
}
