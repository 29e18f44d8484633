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

#[cfg(unix)]
#[test]
fn a_large_sparse_file() {
    sparse(1 << 30);
}

#[cfg(unix)]
#[test]
#[ignore = "reading 5 GiB takes the system half a minute"]
fn a_huge_sparse_file() {
    sparse(5 << 30);
}

#[cfg(unix)]
fn sparse(len: u64) {
    let d = Directory::new();
    File::create(d.path("zeros")).unwrap().set_len(len).unwrap();
    let ran = placemat("convert zeros -v").within(&d).run_to(Stdio::null());
    ran.ends(0).says(&format!("zeros: UTF-8 to UTF-8, {len} bytes read, {len} written\n"));
}
