//! Faults around a run, provoked one by one: it is killed, the disk is full, files change, vanish
//! or cannot be read, names are strange, the output is closed. No file is lost, and a message
//! reports each fault.

#![cfg(unix)]

use crate::replaced::is_writing;
use crate::run::{Directory, placemat, utf16le};
use core::time::Duration;
use std::ffi::OsStr;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs a shell in a directory; `$placemat` is the command.
fn shell(d: &Directory, script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]).env("placemat", env!("CARGO_BIN_EXE_placemat")).current_dir(d.path(""));
    command
}

/// Runs the command as the user `nobody`, who may write in the directory, if the test itself runs
/// as root, whom permissions do not bind.
fn unprivileged(command: &mut Command, d: &Directory) {
    let probe = d.write("probe", "");
    fs::set_permissions(&probe, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&probe).is_ok() {
        assert!(Command::new("chown").args(["-R", "65534"]).arg(d.path("")).status().unwrap().success());
        // The user must be able to reach the directory and the command.
        command.uid(65534);
    }
    fs::remove_file(probe).unwrap();
}

/// Killed at random moments while it changes a tree: each file is the old or the new one, and the next run cleans up.
#[test]
fn killed_while_it_changes_a_tree() {
    let moments = if std::env::var_os("PLACEMAT_LONG").is_some() { 200 } else { 25 };
    let d = Directory::new();
    let names: Vec<_> = (0..40).map(|i| format!("{}/file{i}", i % 4)).collect();
    let text = |name: &str, end: &str| format!("{name} é\u{1F600}{end}").repeat(3000).into_bytes();
    for sub in 0..4 {
        fs::create_dir(d.path(sub.to_string())).unwrap();
    }
    for name in &names {
        d.write(name, text(name, "\n"));
    }
    let convert = |end: &str| {
        let mut command = placemat("convert -r -i --eol").args(end).args("0 1 2 3").within(&d).command;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let strays = || {
        let entries = (0..4).flat_map(|sub| fs::read_dir(d.path(sub.to_string())).unwrap());
        entries.filter(|entry| entry.as_ref().unwrap().file_name().as_bytes().starts_with(b".")).count()
    };
    let whole = || (names.iter().filter(|name| d.read(name) == text(name, "\r\n"))).count();
    // Measure how long a run takes, so that kills meet all parts of it.
    let start = Instant::now();
    assert!(convert("crlf").status().unwrap().success());
    let mut longest = start.elapsed();
    let (mut stray, mut half) = (0, 0);
    let mut state = 1_u32;
    for moment in 0..moments {
        let start = Instant::now();
        assert!(convert("lf").status().unwrap().success());
        longest = longest.max(start.elapsed());
        assert_eq!((whole(), strays()), (0, 0), "the next run takes away what is left");
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let mut child = convert("crlf").spawn().unwrap();
        std::thread::sleep(longest.mul_f64(f64::from(state >> 8) / f64::from(1 << 24)));
        child.kill().unwrap();
        child.wait().unwrap();
        let mut changed = 0;
        for name in &names {
            let now = d.read(name);
            changed += usize::from(now == text(name, "\r\n"));
            assert!(now == text(name, "\n") || now == text(name, "\r\n"), "{name}, moment {moment}");
        }
        stray += strays();
        half += usize::from((1..names.len()).contains(&changed));
    }
    println!("{moments} moments: {half} in the middle of the tree, {stray} strays, all taken away");
    assert!(half > 0, "some moments are in the middle");
}

/// A limit on the size of files imitates a full disk: a write ends in the middle.
#[test]
fn no_room_for_the_output() {
    let d = Directory::new();
    let old = "text\n".repeat(100_000);
    d.write("a", &old);
    let limited = |what: &str| {
        // No signal may end the command.
        let script = format!("ulimit -f 64; \"$placemat\" {what}");
        shell(&d, &script).output().unwrap()
    };
    let ran = limited("convert -t utf-16le -i a");
    assert_eq!(ran.status.code(), Some(2));
    assert_eq!(
        String::from_utf8(ran.stderr).unwrap(),
        "placemat: a: file too large\nplacemat: a: left as it was\n"
    );
    assert!(d.read("a") == old.as_bytes());
    assert_eq!(fs::read_dir(d.path("")).unwrap().count(), 1);
    for end in ["not written", "left as it was"] {
        let ran = limited("convert -t utf-16le a -o b");
        assert_eq!(ran.status.code(), Some(2));
        let said = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(said, format!("placemat: b: file too large\nplacemat: b: {end}\n"));
        assert_eq!(d.path("b").exists(), end == "left as it was");
        d.write("b", "b");
    }
    assert_eq!(d.read("b"), b"b");
    let ran = limited("convert -t utf-16le a > c");
    assert_eq!(ran.status.code(), Some(2));
    assert_eq!(ran.stderr, b"placemat: <stdout>: file too large\n");
    let written = d.read("c");
    assert!(!written.is_empty() && utf16le(&old).starts_with(&written));
}

/// Fills a disk, where one can be mounted.
#[test]
fn a_full_disk() {
    let d = Directory::new();
    fs::create_dir(d.path("disk")).unwrap();
    let mount =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=300k", "tmpfs"]).arg(d.path("disk")).output();
    if !mount.is_ok_and(|ran| ran.status.success()) {
        println!("skipped: mounts are forbidden here");
        return;
    }
    let old = "text\n".repeat(40_000);
    d.write("disk/a", &old);
    let ran = placemat("convert -t utf-16le -i disk/a").within(&d).run();
    let to = placemat("convert -t utf-16le disk/a -o disk/b").within(&d).run();
    let (now, count) = (d.read("disk/a"), fs::read_dir(d.path("disk")).unwrap().count());
    assert!(Command::new("umount").arg(d.path("disk")).status().unwrap().success());
    ran.ends(2).says("placemat: disk/a: no space left on device\nplacemat: disk/a: left as it was\n");
    to.ends(2).mentions(&["disk/b: no space left on device\n", "disk/b: not written\n"]);
    assert!(now == old.as_bytes());
    assert_eq!(count, 1, "a alone");
}

#[test]
fn what_may_not_be_read_or_written() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    d.write("t/a", b"\xE9");
    d.write("t/b", b"\xE9");
    d.write("t/c", b"\xE9");
    // The home directory belongs to another user, as after `sudo -u`.
    fs::create_dir(d.path("home")).unwrap();
    d.write("home/.gitconfig", b"[core]\nexcludesFile = ~/ignored\n");
    fs::set_permissions(d.path("home"), fs::Permissions::from_mode(0o000)).unwrap();
    d.write("probed", "probed");
    let mut command = Command::new("true");
    unprivileged(&mut command, &d);
    if !command.status().is_ok_and(|status| status.success()) {
        println!("skipped: no other user to be");
        return;
    }
    let as_user = |args: &str| {
        // The user must be able to reach the command.
        let program = d.path("placemat");
        if !program.exists() {
            fs::copy(env!("CARGO_BIN_EXE_placemat"), &program).unwrap();
        }
        let mut command = Command::new("./placemat");
        command.args(args.split(' ')).current_dir(d.path(""));
        command.env("HOME", d.path("home")).env_remove("XDG_CONFIG_HOME");
        unprivileged(&mut command, &d);
        command.output()
    };
    if as_user("--version").is_err() {
        println!("skipped: another user cannot come here");
        return;
    }
    fs::set_permissions(d.path("t/b"), fs::Permissions::from_mode(0o200)).unwrap();
    let ran = as_user("convert -f latin1 -ri t").unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert_eq!(String::from_utf8(ran.stderr).unwrap(), "placemat: t/b: permission denied\n");
    assert_eq!((d.read("t/a"), d.read("t/c")), ("é".into(), "é".into()));
    let ran = as_user("check -f latin1 t").unwrap();
    assert_eq!((ran.status.code(), ran.stderr), (Some(2), b"placemat: t/b: permission denied\n".into()));
    // No file can be created in this directory.
    fs::set_permissions(d.path("t"), fs::Permissions::from_mode(0o555)).unwrap();
    let ran = as_user("convert -t utf-16le -i t/a").unwrap();
    assert_eq!(ran.status.code(), Some(2));
    let said = String::from_utf8(ran.stderr).unwrap();
    let output = ["t/a", "t/new"].map(|to| as_user(&format!("convert -f latin1 probed -o {to}")).unwrap());
    let output: String = output.into_iter().map(|ran| String::from_utf8(ran.stderr).unwrap()).collect();
    fs::set_permissions(d.path("t"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(d.path("home"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(said, "placemat: t/a: permission denied\nplacemat: t/a: left as it was\n");
    assert_eq!(
        output,
        "placemat: t/a: cannot create a temporary file in its directory (redirect standard output to write \
         into the file itself)\nplacemat: t/new: permission denied\n"
    );
    assert_eq!(d.read("t/a"), "é".as_bytes());
}

/// Another program writes to a file while it is converted in place: the file keeps what that
/// program wrote.
#[test]
fn changed_while_it_is_read() {
    let d = Directory::new();
    let old = "text\r\n".repeat(3_000_000);
    let mut refused = false;
    for _ in 0..20 {
        d.write("a", &old);
        let mut command = placemat("convert -i --eol lf a").within(&d).command;
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // Once there is a new file, the run is in the middle of it.
        while !is_writing(&child, &d) && child.try_wait().unwrap().is_none() {
            core::hint::spin_loop();
        }
        let busy = child.try_wait().unwrap().is_none();
        fs::OpenOptions::new().append(true).open(d.path("a")).unwrap().write_all(b"more").unwrap();
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let status = child.wait().unwrap();
        if busy && status.code() == Some(2) {
            assert_eq!(said, "placemat: a: changed while it was being read; left as it was\n");
            assert!(d.read("a") == [old.as_bytes(), b"more"].concat());
            refused = true;
            break;
        }
        assert!(d.read("a").ends_with(b"more"));
    }
    assert!(refused, "one of the attempts met the time between");
    assert_eq!(fs::read_dir(d.path("")).unwrap().count(), 1);
}

#[test]
fn loops_of_links() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    d.write("t/a", "a\n");
    symlink("..", d.path("t/up")).unwrap();
    symlink("self", d.path("t/self")).unwrap();
    placemat("check --summary t").within(&d).run().ends(0);
    let ran = placemat("check t/self t").within(&d).run();
    ran.ends(2).mentions(&["t/self: "]);
    placemat("convert t/self").within(&d).run().ends(2).mentions(&["t/self: "]);
}

#[test]
fn names_hold_anything() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    for name in [&b"\xFF\xFE"[..], b"two\nlines", b"\x1B]0;title\x07", b"-v", "\u{202E}gpj.sh".as_bytes()] {
        fs::write(d.path("t").join(OsStr::from_bytes(name)), b"\xFF").unwrap();
    }
    for args in ["check t", "check -v t", "check -l t", "check --format jsonl t", "convert -ri t"] {
        let ran = placemat(args).within(&d).run();
        ran.ends(1);
        for text in [ran.stdout, ran.stderr.into_bytes()] {
            let text = String::from_utf8(text).unwrap();
            assert!(
                !text.contains(|c: char| c != '\n' && c.is_control() || c == '\u{202E}'),
                "{args}: {text:?}"
            );
        }
    }
}

#[test]
fn more_files_than_may_be_open() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    let count = if std::env::var_os("PLACEMAT_LONG").is_some() { 10_000 } else { 1_000 };
    for i in 0..count {
        d.write(format!("t/{i}"), b"\xE9\n");
    }
    let limited =
        |args: &str| shell(&d, &format!("ulimit -n 64; exec \"$placemat\" {args}")).output().unwrap();
    let ran = limited("convert -f latin1 -ri t");
    assert_eq!((ran.status.code(), ran.stderr), (Some(0), Vec::new()));
    let ran = limited("check --summary t");
    assert_eq!((ran.status.code(), ran.stderr), (Some(0), Vec::new()));
    assert!(String::from_utf8(ran.stdout).unwrap().contains(&count.to_string()));
    let ran = limited("convert t/*");
    assert_eq!((ran.status.code(), ran.stdout.len()), (Some(0), 3 * count));
    let ran = limited("count t/*");
    assert_eq!(ran.status.code(), Some(0));
}

#[test]
fn pipes_and_devices() {
    let d = Directory::new();
    let fifo = d.path("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for args in ["convert -t utf-16le fifo", "check -f latin1 fifo", "count fifo", "inspect fifo"] {
        let writer = fifo.clone();
        let writer = std::thread::spawn(move || fs::write(writer, "é\n"));
        placemat(args).within(&d).run().ends(0);
        writer.join().unwrap().unwrap();
    }
    if Path::new("/dev/stdin").exists() {
        placemat("convert -t latin1 /dev/stdin").reads("é").run().writes(b"\xE9");
        placemat("check /dev/stdin").reads(b"\xFF").run().ends(1);
    }
    placemat("convert /dev/null").run().writes("");
}

/// An output that goes into the input would never end.
#[test]
fn input_that_grows() {
    let d = Directory::new();
    d.write("a", "text\n");
    for script in
        ["\"$placemat\" convert a >> a", "\"$placemat\" convert - < a >> a", "\"$placemat\" convert a > a"]
    {
        let ran = shell(&d, script).output().unwrap();
        assert_eq!(ran.status.code(), Some(2), "{script}");
        let said = String::from_utf8(ran.stderr).unwrap();
        assert!(said.contains("input and output are the same file"), "{said}");
    }
    // Here the shell empties the file before the command starts.
    assert_eq!(d.read("a"), b"");
    // A file to which another program writes is read up to its current end.
    let path = d.write("log", "line\n".repeat(1000));
    let (sender, receiver) = std::sync::mpsc::channel::<()>();
    let writer = std::thread::spawn(move || {
        let mut log = fs::OpenOptions::new().append(true).open(path).unwrap();
        while receiver
            .recv_timeout(Duration::from_millis(1))
            .is_err_and(|e| e == std::sync::mpsc::RecvTimeoutError::Timeout)
        {
            log.write_all(b"line\n").unwrap();
        }
    });
    placemat("check log").within(&d).run().ends(0);
    let ran = placemat("convert log").within(&d).run();
    assert!(ran.ends(0).stdout.len() >= 5000 && ran.stdout.len().is_multiple_of(5));
    drop(sender);
    writer.join().unwrap();
}

#[test]
fn the_output_is_closed_early() {
    let d = Directory::new();
    d.write("a", b"text \xFF\n".repeat(300_000));
    for args in [
        "convert -e replace a",
        "check a",
        "check -v a",
        "check --format jsonl a",
        "inspect -n 100000 a",
        "encodings",
        "--help",
    ] {
        let ran = shell(&d, &format!("{{ \"$placemat\" {args}; echo $? >status; }} | head -c 10"))
            .output()
            .unwrap();
        assert_eq!((ran.stdout.len(), ran.stderr), (10, Vec::new()), "{args}");
        let status = d.read("status");
        // Earlier findings decide the status; otherwise the signal does, unless all output fitted
        // into the pipe.
        let want: &[&[u8]] = if args.starts_with("check") { &[b"1\n"] } else { &[b"0\n", b"141\n"] };
        assert!(want.contains(&&*status), "{args}: {}", status.escape_ascii());
    }
}

/// A closed output ends the program although more input may come.
#[test]
fn the_output_is_closed_while_the_input_waits() {
    let d = Directory::new();
    assert!(Command::new("mkfifo").arg(d.path("fifo")).status().unwrap().success());
    for args in ["convert -j1 fifo", "convert -j4 fifo", "convert -j4 -t utf-16le fifo"] {
        let script = format!("\"$placemat\" {args} | head -c 10; echo over >over");
        let mut child = shell(&d, &script).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut writer = fs::OpenOptions::new().write(true).open(d.path("fifo")).unwrap();
        // Write more than is converted at once, and then nothing, but leave the input open.
        let _ = writer.write_all(&b"text\n".repeat(400_000));
        let patience = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(patience.elapsed() < Duration::from_secs(20), "{args} goes on");
            std::thread::sleep(Duration::from_millis(10));
        }
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(said, "", "{args}");
        assert_eq!(d.read("over"), b"over\n");
        fs::remove_file(d.path("over")).unwrap();
    }
}
