//! `convert` on large inputs: constant memory, and no waiting.

use crate::run::{Directory, placemat};
use std::fs::File;
use std::process::Stdio;

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow() {
    use std::io::Write as _;
    let d = Directory::new();
    let line = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich €\n";
    let text = line.repeat((1 << 20) / line.len());
    for args in ["convert -t utf-16le", "convert --eol crlf -t utf-32", "convert -t ascii -e namereplace"] {
        let mut run = placemat(args).within(&d);
        let mut child = run.command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        for _ in 0..48 {
            stdin.write_all(text.as_bytes()).unwrap();
        }
        // It still waits for more.
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        drop(stdin);
        assert!(child.wait().unwrap().success());
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(peak <= 16 * 1024, "{args}: {peak} KiB");
    }
}

/// One GiB; five, as the promise is, with `PLACEMAT_LONG` set, since reading that takes the system half a minute.
#[cfg(unix)]
#[test]
fn a_large_sparse_file() {
    let len = if std::env::var_os("PLACEMAT_LONG").is_some() { 5_u64 << 30 } else { 1 << 30 };
    let d = Directory::new();
    File::create(d.path("zeros")).unwrap().set_len(len).unwrap();
    let ran = placemat("convert zeros -v").within(&d).run_to(Stdio::null());
    ran.ends(0).says(&format!("zeros: UTF-8 to UTF-8, {len} bytes read, {len} written\n"));
}
