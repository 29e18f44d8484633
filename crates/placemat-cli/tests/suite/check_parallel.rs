//! `check -j`: the report does not depend on the threads.

use crate::run::{Directory, placemat};
use core::fmt::Write as _;
use core::time::Duration;
use std::fs;
use std::process::Stdio;
use std::time::Instant;

/// Makes files of all sizes, some with many findings, some that cannot be read.
fn tree() -> Directory {
    let d = Directory::new();
    for i in 0..12 {
        let directory = format!("t/d{i}");
        fs::create_dir_all(d.path(&directory)).unwrap();
        for j in 0..40 {
            let bytes = match (i + j) % 7 {
                0 => b"caf\xE9 \xFF\n".repeat(j),
                1 => b"ab\xFF".repeat(1500),
                2 => b"\0".to_vec(),
                _ => "fine é\n".repeat(j * 30).into_bytes(),
            };
            d.write(format!("{directory}/f{j}"), bytes);
        }
    }
    #[cfg(unix)]
    for i in [3, 7] {
        std::os::unix::fs::symlink("/proc/self/mem", d.path(format!("t{i}"))).unwrap();
    }
    d
}

#[test]
fn the_report_is_the_same_whatever_the_threads_do() {
    let d = tree();
    let named = if cfg!(target_os = "linux") { "t3 t7" } else { "" };
    for args in [
        "",
        "-v --max 3",
        "--format jsonl --summary",
        "--format sarif --summary",
        "-l",
        "-q",
        "--lint all -l",
    ] {
        let run = |threads: &str| {
            placemat("check missing t/d1")
                .args(named)
                .args("t gone")
                .args(args)
                .arg("-j")
                .arg(threads)
                .within(&d)
                .run()
        };
        let one = run("1");
        one.ends(2);
        for threads in ["3", "16"] {
            let many = run(threads);
            assert_eq!(many.status, one.status, "{args}");
            assert_eq!(many.stderr, one.stderr, "{args}");
            assert!(many.stdout == one.stdout, "{args} -j {threads}");
        }
    }
}

#[test]
fn paths_are_sorted() {
    let d = tree();
    let ran = placemat("check -l t -j 8").within(&d).run();
    let text = String::from_utf8(ran.stdout).unwrap();
    let lines: Vec<_> = text.lines().map(std::path::Path::new).collect();
    assert!(lines.len() > 100);
    assert!(lines.is_sorted());
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_all_threads() {
    let d = tree();
    // A thread waits for this FIFO, into which no process ever writes.
    assert!(std::process::Command::new("mkfifo").arg(d.path("fifo")).status().unwrap().success());
    let keep = fs::File::options().read(true).write(true).open(d.path("fifo")).unwrap();
    for args in ["-j 4 t fifo", "-j 4 t t t t", "-j 1 t t"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let begun = Instant::now();
        placemat("check").args(args).within(&d).run_to(Stdio::from(writer)).ends(1).says("");
        assert!(begun.elapsed() < Duration::from_secs(60), "{args}");
    }
    drop(keep);
}

#[cfg(target_os = "linux")]
#[test]
fn what_waits_for_its_turn_is_bounded() {
    use std::io::{Read as _, Write as _};
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    for i in 0..24 {
        d.write(format!("t/{i:02}"), b"\xFF".repeat(30_000));
    }
    assert!(std::process::Command::new("mkfifo").arg(d.path("first")).status().unwrap().success());
    let mut first = fs::File::options().read(true).write(true).open(d.path("first")).unwrap();
    let mut command = placemat("check --all --format jsonl -j 4 first t").within(&d).command;
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    first.write_all(b"\xFF\n").unwrap();
    // The findings of the other files, 180 MB, cannot be kept in memory.
    std::thread::sleep(Duration::from_millis(1500));
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 48 * 1024, "{peak} KiB");
    drop(first);
    let mut count = 0;
    let mut stdout = child.stdout.take().unwrap();
    let mut buffer = vec![0; 1 << 16];
    while let read @ 1.. = stdout.read(&mut buffer).unwrap() {
        count += buffer[..read].iter().filter(|&&byte| byte == b'\n').count();
    }
    assert_eq!(count, 720_001);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn thousands_of_small_files() {
    let d = Directory::new();
    let mut want = String::new();
    for i in 0..50 {
        let directory = format!("t/{i:02}");
        fs::create_dir_all(d.path(&directory)).unwrap();
        for j in 0..100 {
            let ill = (i * 100 + j) % 37 == 0;
            d.write(format!("{directory}/{j:02}"), if ill { &b"\xFF"[..] } else { b"fine" });
            if ill {
                writeln!(want, "{directory}/{j:02}").unwrap();
            }
        }
    }
    for threads in ["1", "7"] {
        let ran = placemat("check -l t --summary -j").arg(threads).within(&d).run();
        ran.ends(1).says("").wrote(format!("{want}5000 files checked, 136 findings in 136 of them\n"));
    }
}
