//! Every command with standard streams that are closed, full, or a pipe without a reader: the
//! status is never success if output was lost, and no file takes the place of a stream.

#![cfg(target_os = "linux")]

use crate::run::Directory;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Output};

/// Runs a script; `$placemat` is the command.
fn shell(d: &Directory, script: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", script]).env("placemat", env!("CARGO_BIN_EXE_placemat")).current_dir(d.path(""));
    command.output().unwrap()
}

/// Asserts the status of the command in a script, and its messages.
#[track_caller]
fn ends(d: &Directory, script: &str, status: i32, stderr: &str) {
    let ran = shell(d, script);
    let said = String::from_utf8(ran.stderr).unwrap();
    assert_eq!((ran.status.code(), said.as_str()), (Some(status), stderr), "{script}");
}

fn files() -> Directory {
    let d = Directory::new();
    d.write("good", "text\n");
    d.write("bad", b"text \xFF\n");
    d.write("many", b"text \xFF\n".repeat(20_000));
    d.write("long", "text\n".repeat(20_000));
    fs::create_dir(d.path("tree")).unwrap();
    for i in 0..40 {
        d.write(format!("tree/{i}"), b"text \xFF\n".repeat(1000));
    }
    d
}

/// Commands that write to standard output.
const WRITERS: &[&str] = &[
    "convert long",
    "convert -j1 long",
    "convert - <long",
    "check many",
    "check -j4 tree",
    "check --format jsonl many",
    "check --format sarif many",
    "check -v good",
    "check --summary good",
    "count good",
    "count --sizes good",
    "count --scripts good",
    "inspect good",
    "inspect --as hex good",
    "encodings",
    "completions bash",
    "man",
    "--help",
    "--version",
];

#[test]
fn standard_output_is_closed_or_full() {
    let d = files();
    for args in WRITERS {
        let script = format!("\"$placemat\" {args} >&-");
        ends(&d, &script, 2, "placemat: <stdout>: is not open\n");
        let script = format!("\"$placemat\" {args} >/dev/full");
        ends(&d, &script, 2, "placemat: <stdout>: no space left on device\n");
    }
    // The status equals that of glibc's.
    ends(
        &d,
        "\"$placemat\" iconv -f utf-8 long >&-",
        1,
        "iconv: cannot open output file: Bad file descriptor\n",
    );
    ends(
        &d,
        "\"$placemat\" iconv -f utf-8 long >/dev/full",
        1,
        "iconv: unable to write output: No space left on device\n",
    );
    // A command that writes nothing needs no output.
    for (args, status) in
        [("check good", 0), ("check -q bad", 1), ("convert good -o new", 0), ("convert -t utf-16 -i good", 0)]
    {
        ends(&d, &format!("\"$placemat\" {args} >&-"), status, "");
    }
}

/// A stream open in the wrong direction counts as closed; `/dev/null` never does.
#[test]
fn streams_on_other_files() {
    let d = files();
    ends(&d, "\"$placemat\" count good 1<good", 2, "placemat: <stdout>: is not open\n");
    ends(&d, "\"$placemat\" check 0>new", 2, "placemat: <stdin>: is not open\n");
    for args in ["check many", "convert long", "count good"] {
        for null in [">/dev/null", "1<>/dev/null", "1<>/dev/null 0<>/dev/null"] {
            ends(&d, &format!("\"$placemat\" {args} {null}"), i32::from(args == "check many"), "");
        }
    }
    ends(&d, "\"$placemat\" check 0<>/dev/null", 0, "");
}

#[test]
fn standard_input_is_closed() {
    let d = files();
    for args in [
        "check",
        "check -q",
        "convert",
        "convert -o new",
        "count",
        "count --sizes",
        "count --scripts",
        "truncate -c 9",
        "inspect",
    ] {
        let quiet = args.ends_with("-q");
        let said = if quiet { "" } else { "placemat: <stdin>: is not open\n" };
        ends(&d, &format!("\"$placemat\" {args} <&-"), 2, said);
        ends(&d, &format!("\"$placemat\" {args} <&- >&-"), 2, said);
    }
    assert!(!d.path("new").exists(), "nothing was read");
    ends(
        &d,
        "\"$placemat\" iconv -f utf-8 <&-",
        1,
        "iconv: cannot open input file `-': Bad file descriptor\n",
    );
    // Commands that read files do not need standard input.
    for args in ["check good", "convert good", "count good", "inspect good"] {
        ends(&d, &format!("\"$placemat\" {args} <&-"), 0, "");
    }
    // All other inputs are read.
    let ran = shell(&d, "\"$placemat\" convert good - good <&-");
    assert_eq!((ran.status.code(), &*ran.stdout), (Some(2), &b"text\ntext\n"[..]));
}

/// Messages are dropped then; in particular, they never go into a file that got the number of the
/// stream.
#[test]
fn standard_error_is_closed() {
    let d = files();
    for (args, status) in [
        ("check good missing", 2),
        ("check -v good", 0),
        ("convert -e ignore bad -o new", 0),
        ("convert bad -o new", 1),
        ("convert -t latin1 -i bad", 1),
        ("count missing", 2),
        ("inspect missing", 2),
        ("check --no-such-option", 2),
    ] {
        for closed in ["2>&-", "<&- 2>&-"] {
            ends(&d, &format!("\"$placemat\" {args} {closed}"), status, "");
            assert!(!d.path("new").exists() || d.read("new").starts_with(b"text"), "{args}");
            assert_eq!(d.read("bad"), b"text \xFF\n");
        }
    }
    ends(&d, "\"$placemat\" convert -e ignore bad -o new <&- >&- 2>&-", 0, "");
    assert_eq!(d.read("new"), b"text \n");
    ends(&d, "\"$placemat\" check missing 2>/dev/full", 2, "");
}

/// Without a reader the program ends quietly, by the signal, like `cat`; if there were findings,
/// with their status.
#[test]
fn nobody_reads_the_output() {
    let d = files();
    for args in WRITERS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new("sh");
        command.args(["-c", &format!("exec \"$placemat\" {args}")]);
        command.env("placemat", env!("CARGO_BIN_EXE_placemat")).current_dir(d.path("")).stdout(writer);
        let mut ran =
            command.stderr(std::process::Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
        let finds = args.contains("many") || args.contains("tree");
        let want = if finds { (Some(1), None) } else { (None, Some(13)) };
        assert_eq!((ran.status.code(), ran.status.signal()), want, "{args}");
        assert_eq!(core::mem::take(&mut ran.stderr), b"", "{args}");
    }
}

/// One finding is enough, early or late, with or without output.
#[test]
fn findings_count_although_the_pipe_is_closed() {
    let d = files();
    let noise: Vec<u8> = (0..3_000_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    d.write("noise", noise);
    for args in [
        "check noise",
        "check -v noise",
        "check --format jsonl noise",
        "check -j1 tree",
        "check -j4 tree noise",
        "check -l bad tree",
    ] {
        let script = format!("{{ \"$placemat\" {args}; echo $? >status; }} | head -n 1 >/dev/null");
        let ran = shell(&d, &script);
        assert_eq!((&*ran.stderr, &*d.read("status")), (&b""[..], &b"1\n"[..]), "{args}");
    }
    // Trouble outranks findings.
    let ran = shell(&d, "{ \"$placemat\" check missing noise 2>/dev/null; echo $? >status; } | head -n 1");
    assert_eq!((&*ran.stderr, &*d.read("status")), (&b""[..], &b"2\n"[..]));
}
