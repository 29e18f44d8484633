//! Large inputs: constant memory, and no waiting.

use crate::run::{Directory, placemat};
use std::fs::File;
use std::process::Stdio;

/// Returns the memory of a process in KiB, without pages of the program's file, which are more in
/// test builds.
#[cfg(target_os = "linux")]
fn taken(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let taken = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    taken.trim().trim_end_matches(" kB").parse().ok()
}

/// Feeds `piece` to a command `times` times, and checks its memory after each, and its exit status.
#[cfg(target_os = "linux")]
fn stays_small(args: &str, piece: &[u8], times: usize, status: i32) {
    use std::io::Write as _;
    let mut command = placemat(args).command;
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut peak = 0;
    for _ in 0..times {
        stdin.write_all(piece).unwrap();
        peak = peak.max(taken(child.id()).unwrap());
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(status), "{args}");
    // The largest is `count --sizes`, which holds the tables of all encodings.
    assert!((1..=16 * 1024).contains(&peak), "{args}: {peak} KiB");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow() {
    let line = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich €\n";
    let text = line.repeat((1 << 20) / line.len());
    for args in [
        "convert -t utf-16le",
        "convert --eol crlf -t utf-32",
        "convert -t ascii -e namereplace",
        "iconv -f utf-8 -t utf-16",
    ] {
        stays_small(args, text.as_bytes(), 32, 0);
    }
    for (args, piece, status) in [
        ("check", "Zwölf Boxkämpfer jagen Viktor €\n".repeat(30_000).into_bytes(), 0),
        ("check -v", vec![b'a'; 1 << 20], 0),
        ("check -f utf-16le", vec![b'a'; 1 << 20], 0),
        ("check", b"a\xFF\xE2\x82".repeat(1 << 18), 1),
        ("check --lint security", "Ещё немного, и со всеми Web\u{200B} ".repeat(20_000).into_bytes(), 1),
        ("check --format gitlab", b"a\xFF\xE2\x82".repeat(1 << 16), 1),
        ("check --format github", b"a\xFF\xE2\x82".repeat(1 << 16), 1),
        ("count", vec![0; 1 << 20], 0),
        // All these marks are one grapheme cluster.
        ("count --columns", "\u{301}".repeat(400_000).into_bytes(), 0),
        ("count", vec![0xFF; 1 << 20], 0),
        ("count --sizes", "Zwölf €\n".repeat(20_000).into_bytes(), 0),
        ("iconv -c -f utf-8 -t ascii//TRANSLIT", "Zwölf €\n".repeat(100_000).into_bytes(), 0),
        ("inspect --as escapes", vec![b'a'; 1 << 20], 0),
        ("inspect --framing java", [&b"\x1F\xFE"[..], &[b'a'; 0x1FFE]].concat().repeat(32), 0),
        (
            "truncate -l -c 20 --ellipsis …",
            "Zwölf Boxkämpfer jagen Viktor €\n".repeat(30_000).into_bytes(),
            0,
        ),
        ("truncate --graphemes 2", "\u{301}".repeat(400_000).into_bytes(), 0),
        ("truncate -l -m 2", vec![b'a'; 1 << 20], 0),
        ("truncate -m 99999999 -f utf-16le", vec![b'a'; 1 << 20], 0),
        ("truncate -l -c 99999999 -f iso-2022-jp", vec![b'a'; 1 << 16], 0),
    ] {
        stays_small(args, &piece, 16, status);
    }
}

/// Files in several encodings are read twice, so the memory is checked until the command ends.
#[cfg(target_os = "linux")]
#[test]
fn regions_take_constant_memory() {
    let text = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich\n";
    let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
    let russian: &[u8] = b"\xC2\xF1\xE5 \xEB\xFE\xE4\xE8 \xF0\xEE\xE6\xE4\xE0\xFE\xF2\xF1\xFF \xF1\xE2\xEE\xE1\xEE\xE4\xED\xFB\xEC\xE8\n";
    let alternating = [russian, text.as_bytes(), &latin].concat();
    let one_line = russian[..russian.len() - 1].repeat(20);
    let len = if std::env::var_os("PLACEMAT_LONG").is_some() { 200 << 20 } else { 4 << 20 };
    for (what, piece) in [("lines in turn", alternating), ("one line", one_line)] {
        let d = Directory::new();
        d.write("a", piece.repeat(len / piece.len()));
        let mut child =
            placemat("detect --mixed a").within(&d).command.stdout(Stdio::null()).spawn().unwrap();
        let (mut most, mut seen) = (0, 0);
        let status = loop {
            if let Some(now) = taken(child.id()) {
                most = most.max(now);
                seen += 1;
            }
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            std::thread::sleep(core::time::Duration::from_millis(2));
        };
        assert!(status.success() && seen > 20, "{what}: seen {seen} times");
        assert!(most <= 10 * 1024, "{what}: {most} KiB");
    }
}

/// Makes a file of one GiB; with `PLACEMAT_LONG` set, of the promised five, which take half a
/// minute to read.
#[cfg(unix)]
fn zeros(d: &Directory) -> u64 {
    let len = if std::env::var_os("PLACEMAT_LONG").is_some() { 5_u64 << 30 } else { 1 << 30 };
    File::create(d.path("zeros")).unwrap().set_len(len).unwrap();
    len
}

#[cfg(unix)]
#[test]
fn converting_a_large_sparse_file() {
    let d = Directory::new();
    let len = zeros(&d);
    let ran = placemat("convert zeros -v").within(&d).run_to(Stdio::null());
    ran.ends(0).says(&format!("zeros: UTF-8 to UTF-8, {len} bytes read, {len} written\n"));
}

#[cfg(unix)]
#[test]
fn checking_a_large_sparse_file() {
    let d = Directory::new();
    let len = zeros(&d);
    let ran = placemat("check zeros -v").within(&d).run();
    ran.writes(format!("zeros: well-formed UTF-8 ({len} bytes, {len} code points)\n"));
}
