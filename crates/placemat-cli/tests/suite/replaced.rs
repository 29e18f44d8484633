//! Files replaced by `convert -i` and `-o`: several runs on one file, signals, links that are put
//! in the path, failing system calls. Either the old text or the new one exists at any moment, and
//! no other file is left.

#![cfg(unix)]

use crate::run::{Directory, placemat};
use core::sync::atomic::{AtomicBool, Ordering};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

fn is_long() -> bool {
    std::env::var_os("PLACEMAT_LONG").is_some()
}

/// Returns the names in a directory, sorted.
fn names(d: &Directory, within: &str) -> Vec<String> {
    let entries = fs::read_dir(d.path(within)).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Returns `true` while a run writes a new file in a directory, with or without a name.
pub(crate) fn is_writing(child: &Child, d: &Directory) -> bool {
    stray(d).is_some() || {
        let open = fs::read_dir(format!("/proc/{}/fd", child.id()));
        let links = open.into_iter().flatten().filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
        let directory = d.path("");
        links.into_iter().any(|link| {
            link.starts_with(&directory) && link.as_os_str().as_encoded_bytes().ends_with(b" (deleted)")
        })
    }
}

/// Finds a file that is being written, if it has a name.
fn stray(d: &Directory) -> Option<PathBuf> {
    let entries = fs::read_dir(d.path("")).unwrap();
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.find(|path| path.as_os_str().as_encoded_bytes().ends_with(b".placemat-tmp"))
}

/// Starts a run whose end is awaited later.
fn spawn(args: &str, d: &Directory) -> Child {
    let mut command = placemat(args).within(d).command;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Starts a run on a file system that has no nameless files; `None` if this user may not have one.
fn spawn_named(args: &str, d: &Directory) -> Option<Child> {
    let script = "mount -t tmpfs none /proc && exec \"$0\" \"$@\"";
    let within = |rest: &[&str]| {
        let mut command = Command::new("unshare");
        command.args(["-m", "sh", "-c", script]).args(rest).current_dir(d.path(""));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    if !within(&["true"]).status().is_ok_and(|status| status.success()) {
        println!("skipped: no other place to be");
        return None;
    }
    let mut rest = vec![env!("CARGO_BIN_EXE_placemat")];
    rest.extend(args.split(' '));
    Some(within(&rest).spawn().unwrap())
}

/// Returns `strace` with a fault for a program's system calls, if it is installed and permitted.
fn strace(inject: &str) -> Option<Command> {
    let of = |program: &str| {
        let mut command = Command::new("strace");
        command.args(["-f", "-o", "/dev/null", "-e", &format!("inject={inject}")]).arg(program);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    if !of("true").output().is_ok_and(|ran| ran.stderr.is_empty()) {
        println!("skipped: there is no strace, or it may not");
        return None;
    }
    Some(of(env!("CARGO_BIN_EXE_placemat")))
}

fn said(child: &mut Child) -> String {
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    said
}

/// Returns a text in up to `count` layers of base64.
fn layers(text: &[u8], count: usize) -> Vec<Vec<u8>> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut all = vec![text.to_vec()];
    for _ in 0..count {
        let mut digits = Vec::new();
        for group in all.last().unwrap().chunks(3) {
            let bits = (0..3).fold(0, |bits, i| bits << 8 | u32::from(*group.get(i).unwrap_or(&0)));
            for i in 0..4 {
                let digit = DIGITS[(bits >> (18 - 6 * i)) as usize & 63];
                digits.push(if i <= group.len() { digit } else { b'=' });
            }
        }
        let lines: Vec<_> = digits.chunks(76).flat_map(|line| [line, b"\n"].concat()).collect();
        all.push(lines);
    }
    all
}

/// Six runs work on one file at the same time, and each puts one layer around the text that it
/// finds, while a reader reads it all the time: every reading is a whole text, and at the end there
/// is a layer for each run that reports success.
#[test]
fn several_runs_on_one_file() {
    const RUNS: usize = 6;
    let rounds = if is_long() { 10_000 } else { 40 };
    let d = Directory::new();
    let texts = layers("a text é\n".repeat(2000).as_bytes(), RUNS);
    let (mut readings, mut successes) = (0, 0);
    for round in 0..rounds {
        let path = d.write("a", &texts[0]);
        let over = AtomicBool::new(false);
        let went_well = std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let (mut seen, mut readings) = (0, 0);
                while !over.load(Ordering::Relaxed) {
                    let text = fs::read(&path).unwrap();
                    let layer = texts.iter().position(|layer| *layer == text);
                    let layer = layer.unwrap_or_else(|| panic!("round {round}: torn, {} bytes", text.len()));
                    assert!(layer >= seen, "round {round}: back from {seen} to {layer}");
                    seen = layer;
                    readings += 1;
                }
                readings
            });
            let mut went_well = 0;
            let children: Vec<_> = (0..RUNS).map(|_| spawn("convert -i --wrap base64 a", &d)).collect();
            for mut child in children {
                let said = said(&mut child);
                match child.wait().unwrap().code() {
                    Some(0) => went_well += 1,
                    code => {
                        assert_eq!(code, Some(2), "{said}");
                        assert_eq!(said, "placemat: a: is locked by another program; left as it was\n");
                    }
                }
            }
            over.store(true, Ordering::Relaxed);
            readings += reader.join().unwrap();
            went_well
        });
        assert!(went_well > 0 && d.read("a") == texts[went_well], "round {round}: {went_well} went well");
        assert_eq!(names(&d, ""), ["a"], "round {round}");
        successes += went_well;
    }
    println!("{rounds} rounds of {RUNS} runs: {successes} went well, {readings} readings, none torn");
}

/// Another run replaces the file after it was opened and before it is locked.
#[test]
fn a_lock_that_comes_late() {
    let d = Directory::new();
    let texts = layers("a text é\n".repeat(2000).as_bytes(), 2);
    for _ in 0..if is_long() { 20 } else { 2 } {
        let Some(mut late) = strace("flock:delay_enter=200000") else { return };
        d.write("a", &texts[0]);
        let mut late =
            late.args(["convert", "-i", "--wrap", "base64", "a"]).current_dir(d.path("")).spawn().unwrap();
        std::thread::sleep(core::time::Duration::from_millis(100));
        let mut quick = spawn("convert -i --wrap base64 a", &d);
        let (quick, late) = (quick.wait().unwrap().success(), late.wait().unwrap().success());
        assert!(quick || late);
        assert!(d.read("a") == texts[usize::from(quick) + usize::from(late)], "{quick} {late}");
        assert_eq!(names(&d, ""), ["a"]);
    }
}

/// Another run removes the leftovers of killed runs while the new file has its first name and not
/// its final one.
#[test]
fn another_run_tidies_in_between() {
    let d = Directory::new();
    for _ in 0..if is_long() { 20 } else { 2 } {
        let Some(mut late) = strace("rename,renameat,renameat2:delay_enter=300000") else { return };
        d.write("a", "text\r\n");
        d.write("b", "text\n");
        let mut late =
            late.args(["convert", "-i", "--eol", "lf", "a"]).current_dir(d.path("")).spawn().unwrap();
        let mut met = false;
        while late.try_wait().unwrap().is_none() {
            met |= stray(&d).is_some();
            placemat("convert -i --eol lf b").within(&d).run().writes("");
        }
        assert!(met && late.wait().unwrap().success());
        assert_eq!((d.read("a"), names(&d, "")), (b"text\n".to_vec(), vec!["a".into(), "b".into()]));
    }
}

/// Each system call that a run depends on fails: the old text is there, and no other file.
#[test]
fn calls_that_fail() {
    let d = Directory::new();
    let old = b"caf\xE9\n".repeat(1000);
    d.write("a", &old);
    d.write("o", "old");
    let listed = xattr::set(d.path("a"), "user.note", b"kept").is_ok();
    xattr::set(d.path("o"), "user.note", b"kept").ok();
    let mut faults = vec![
        "fsync:error=ENOSPC",
        "fsync:error=EIO",
        "fchmod:error=EPERM",
        "utimensat:error=EACCES",
        "rename,renameat,renameat2:error=EXDEV",
        "rename,renameat,renameat2:error=ENOSPC",
        "linkat:error=ENOSPC",
        "flistxattr:error=EIO",
        "copy_file_range,sendfile,write:error=ENOSPC:when=1",
    ];
    if listed {
        faults.push("fsetxattr:error=ENOSPC");
        faults.push("fgetxattr:error=EIO:when=1");
    }
    let faults = if is_long() { &faults[..] } else { &faults[4..] };
    for fault in faults {
        for args in ["-i a", "-i=.old a", "-o o a"] {
            let Some(mut run) = strace(fault) else { return };
            let run = run.args(["convert", "-f", "latin1"]).args(args.split(' ')).current_dir(d.path(""));
            let run = run.output().unwrap();
            let said = String::from_utf8(run.stderr).unwrap();
            assert_eq!(run.status.code(), Some(2), "{fault} {args}: {said}");
            assert!(fault.contains("write") || said.contains("left as it was"), "{fault} {args}: {said}");
            assert!(d.read("a") == old && d.read("o") == b"old", "{fault} {args}");
            assert_eq!(names(&d, ""), ["a", "o"], "{fault} {args}");
        }
    }
}

/// A run works on a file system without links or locks.
#[test]
fn calls_that_are_not_there() {
    let d = Directory::new();
    let then = std::time::SystemTime::UNIX_EPOCH + core::time::Duration::from_secs(1_000_000_000);
    let fresh = || {
        let path = d.write("a", b"caf\xE9\n");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o604)).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(then).unwrap();
    };
    let run = |fault: &str, args: &str| {
        let mut run = strace(fault)?;
        let args = args.split(' ');
        let run = run.args(["convert", "-f", "latin1"]).args(args).current_dir(d.path("")).output().unwrap();
        assert_eq!((run.status.code(), run.stderr), (Some(0), Vec::new()), "{fault}");
        Some(())
    };
    fresh();
    // The old text is copied.
    let Some(()) = run("linkat:error=EPERM:when=1", "-i=.old a") else { return };
    assert_eq!((d.read("a"), d.read("a.old")), ("café\n".into(), b"caf\xE9\n".into()));
    for name in ["a", "a.old"] {
        let metadata = fs::metadata(d.path(name)).unwrap();
        let has = (metadata.mode() & 0o7777, metadata.modified().unwrap(), metadata.nlink());
        assert_eq!(has, (0o604, then, 1), "{name}");
    }
    fresh();
    run("flock:error=EOPNOTSUPP", "-i a");
    assert_eq!(d.read("a"), "café\n".as_bytes());
    assert_eq!(names(&d, ""), ["a", "a.old"]);
}

/// At no moment does any user have more rights to the new file than to the old one: the text comes first, while only
/// the user can read it; then owner and group, then the access list, then the mode; the name comes last.
#[test]
fn rights_in_order() {
    let d = Directory::new();
    let path = d.write("a", b"caf\xE9\n");
    let known = xattr::set(&path, "user.note", b"kept").is_ok()
        && xattr::set(
            &path,
            "system.posix_acl_access",
            b"\x02\0\0\0\x01\0\x06\0\xFF\xFF\xFF\xFF\x02\0\x06\0\xEC\x03\0\0\x04\0\x04\0\xFF\xFF\xFF\xFF\x10\0\x06\0\xFF\xFF\xFF\xFF\x20\0\0\0\xFF\xFF\xFF\xFF",
        )
        .is_ok()
        && std::os::unix::fs::chown(&path, Some(1001), Some(2001)).is_ok();
    if !known || strace("fsync:delay_enter=0").is_none() {
        println!("skipped: no other users, attributes or strace");
        return;
    }
    let calls = "openat,write,fsetxattr,fchown,fchmod,utimensat,fsync,linkat,renameat,renameat2";
    let mut run = Command::new("strace");
    run.args(["-f", "-o", "calls", "-e", &format!("trace={calls}"), env!("CARGO_BIN_EXE_placemat")]);
    run.args(["convert", "-f", "latin1", "-i", "a"]).current_dir(d.path(""));
    assert!(run.status().unwrap().success());
    let calls = String::from_utf8(d.read("calls")).unwrap();
    let from = calls.find("O_TMPFILE").unwrap_or(0);
    let told = |call: &str| match call.split_once(' ')?.1.trim_start() {
        call if call.starts_with("openat") => call.contains("0600").then_some("create"),
        call if call.starts_with("write") => call.contains("caf").then_some("text"),
        call if call.contains("user.note") => Some("attribute"),
        call if call.contains("posix_acl_access") => Some("access list"),
        call if call.starts_with("fchown") && call.contains("-1, 2001") => Some("group"),
        call if call.starts_with("fchown") && call.contains("1001, -1") => Some("owner"),
        call => ["fchmod", "utimensat", "fsync", "linkat", "rename"]
            .into_iter()
            .find(|name| call.starts_with(name)),
    };
    let line = calls[..from].rfind('\n').map_or(0, |end| end + 1);
    let order: Vec<_> = calls[line..].lines().filter_map(told).collect();
    assert_eq!(
        order,
        [
            "create",
            "text",
            "attribute",
            "group",
            "owner",
            "access list",
            "fchmod",
            "utimensat",
            "fsync",
            "linkat",
            "rename",
            "fsync"
        ],
        "{calls}"
    );
}

/// Signals also end a run cleanly while many files are converted.
#[test]
fn signals_and_threads() {
    let d = Directory::new();
    let files: Vec<_> = (0..8).map(|i| format!("file{i}")).collect();
    let (old, new) = ("text\r\n".repeat(300_000), "text\n".repeat(300_000));
    let mut met = 0;
    for _ in 0..if is_long() { 100 } else { 6 } {
        for name in &files {
            d.write(name, &old);
        }
        let Some(mut child) = spawn_named("convert -ri -j4 --eol lf .", &d) else { return };
        while stray(&d).is_none() && child.try_wait().unwrap().is_none() {
            core::hint::spin_loop();
        }
        let _ = kill_process(Pid::from_child(&child), Signal::TERM);
        met += usize::from(child.wait().unwrap().signal() == Some(Signal::TERM.as_raw()));
        assert_eq!(names(&d, ""), files);
        for name in &files {
            let text = d.read(name);
            assert!(text == old.as_bytes() || text == new.as_bytes(), "{name}: {} bytes", text.len());
        }
    }
    assert!(met > 0);
}

/// A signal ends the run as usual, and removes the file that it was writing.
#[test]
fn signals() {
    let d = Directory::new();
    let old = "text\r\n".repeat(2_000_000);
    let new = "text\n".repeat(2_000_000);
    let times = if is_long() { 20 } else { 2 };
    let all = [("INT", Signal::INT), ("TERM", Signal::TERM), ("HUP", Signal::HUP)];
    for (args, named) in [("convert -i --eol lf a", false), ("convert -i=.old --eol lf a", true)] {
        for (name, signal) in all {
            if is_ignored(signal) {
                println!("skipped: SIG{name} is ignored here, and so is it by what is started");
                continue;
            }
            let mut met = 0;
            for _ in 0..10 * times {
                d.write("a", &old);
                let child = if named { spawn_named(args, &d) } else { Some(spawn(args, &d)) };
                let Some(mut child) = child else { return };
                let there = |child: &Child| if named { stray(&d).is_some() } else { is_writing(child, &d) };
                while !there(&child) && child.try_wait().unwrap().is_none() {
                    core::hint::spin_loop();
                }
                let _ = kill_process(Pid::from_child(&child), signal);
                let status = child.wait().unwrap();
                let text = d.read("a");
                assert!(text == old.as_bytes() || text == new.as_bytes(), "{name}: {} bytes", text.len());
                if text == new.as_bytes() {
                    // The signal came after the end of the work.
                    let _ = fs::remove_file(d.path("a.old"));
                }
                if !status.success() {
                    assert_eq!((status.signal(), status.code()), (Some(signal.as_raw()), None), "{name}");
                    met += usize::from(text == old.as_bytes());
                }
                assert_eq!(names(&d, ""), ["a"], "{name}");
                if met == times {
                    break;
                }
            }
            assert_eq!(met, times, "{name} met the time between");
        }
    }
}

/// Returns `true` if this process was started with the signal ignored.
fn is_ignored(signal: Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    mask >> (signal.as_raw() - 1) & 1 == 1
}

/// A program started with an ignored signal, as by `nohup`, must continue.
#[test]
fn signals_that_are_ignored() {
    let d = Directory::new();
    d.write("a", "text\r\n".repeat(2_000_000));
    let script = format!("trap '' HUP; exec {} convert -i --eol lf a", env!("CARGO_BIN_EXE_placemat"));
    let mut child = Command::new("sh").args(["-c", &script]).current_dir(d.path("")).spawn().unwrap();
    while !is_writing(&child, &d) && child.try_wait().unwrap().is_none() {
        core::hint::spin_loop();
    }
    let _ = kill_process(Pid::from_child(&child), Signal::HUP);
    assert!(child.wait().unwrap().success());
    assert!(d.read("a") == "text\n".repeat(2_000_000).as_bytes());
}

/// The next run removes the files of a killed run, which it recognizes by more than their names,
/// and no file of a user.
#[test]
fn strays() {
    let d = Directory::new();
    let old = "text\r\n".repeat(2_000_000);
    d.write("a", &old);
    let left = loop {
        let Some(mut child) = spawn_named("convert -i --eol lf a", &d) else { return };
        while stray(&d).is_none() && child.try_wait().unwrap().is_none() {
            core::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if let Some(left) = stray(&d) {
            break left;
        }
        d.write("a", &old);
    };
    assert!(d.read("a") == old.as_bytes());
    // Files of users with similar names.
    let own = [".a.placemat-tmp", ".placemat-tmp", ".0123456789abcdef.placemat-tmp", ".a.placemat-tmp-old"];
    for name in own {
        d.write(name, "mine");
    }
    let convert = || placemat("convert -t utf-16le -i b").within(&d).run().writes("").status;
    // Another run is writing it.
    let other = fs::File::open(&left).unwrap();
    other.lock().unwrap();
    d.write("b", "b");
    convert();
    assert!(left.exists());
    drop(other);
    // A leftover that is not a regular file: the run neither waits for it nor removes it.
    for make in ["mkfifo", "mkdir"] {
        let aside = d.path("aside");
        fs::rename(&left, &aside).unwrap();
        assert!(Command::new(make).arg(&left).status().unwrap().success());
        d.write("b", "b");
        convert();
        let kind = fs::symlink_metadata(&left).unwrap().file_type();
        assert!(kind.is_fifo() || kind.is_dir());
        if kind.is_dir() { fs::remove_dir(&left) } else { fs::remove_file(&left) }.unwrap();
        fs::rename(&aside, &left).unwrap();
    }
    d.write("b", "b");
    placemat("convert -i --dry-run --eol lf b").within(&d).run().writes("");
    assert!(left.exists());
    // A run that changes no text removes it too.
    placemat("convert -i --eol lf b").within(&d).run().writes("");
    assert!(!left.exists());
    for name in own {
        assert_eq!(d.read(name), b"mine", "{name}");
    }
    // A file that is named is converted like any other.
    placemat("convert -t utf-16le -i .a.placemat-tmp").within(&d).run().writes("");
}

/// A link that is put in the path after the walk and before its turn has no effect.
#[test]
fn links_that_are_put_in_the_way() {
    let d = Directory::new();
    for directory in ["t", "t/z", "outside"] {
        fs::create_dir(d.path(directory)).unwrap();
    }
    let mut met = 0;
    for round in 0..20 {
        d.write("outside/f", b"secret\r\n");
        d.write("outside/y", b"secret\r\n");
        d.write("t/a", "text\r\n".repeat(2_000_000));
        for name in ["t/y", "t/z/f"] {
            let _ = fs::remove_file(d.path(name));
            d.write(name, "text\r\n");
        }
        let mut child = spawn("convert -ri -j1 --eol lf t", &d);
        while !is_writing(&child, &d) && child.try_wait().unwrap().is_none() {
            core::hint::spin_loop();
        }
        fs::remove_file(d.path("t/y")).unwrap();
        symlink("../outside/y", d.path("t/y")).unwrap();
        fs::rename(d.path("t/z"), d.path("z")).unwrap();
        symlink("../outside", d.path("t/z")).unwrap();
        let said = said(&mut child);
        child.wait().unwrap();
        for name in ["outside/f", "outside/y"] {
            assert_eq!(d.read(name), b"secret\r\n", "round {round}: {name}");
        }
        met += usize::from(said.contains("t/y: is now reached through a symbolic link; left as it was\n"));
        fs::remove_file(d.path("t/z")).unwrap();
        fs::rename(d.path("z"), d.path("t/z")).unwrap();
        if met == 3 {
            break;
        }
    }
    assert!(met > 0, "some rounds met the time between");
}

/// The new text never replaces a change that another program made to the file meanwhile.
#[test]
fn changed_in_any_way() {
    let d = Directory::new();
    let old = "text\r\n".repeat(2_000_000);
    for change in
        ["chmod 600 a", "mv other a", "ln a another", "rm a", "rm a; ln -s other a", "setfacl -m u:1004:r a"]
    {
        let mut met = false;
        for _ in 0..20 {
            let _ = fs::remove_file(d.path("a"));
            let path = d.write("a", &old);
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            d.write("other", "someone's\r\n");
            let mut child = spawn("convert -i.old --eol lf a", &d);
            while !is_writing(&child, &d) && child.try_wait().unwrap().is_none() {
                core::hint::spin_loop();
            }
            let early = child.try_wait().unwrap().is_none();
            let done = Command::new("sh").args(["-c", change]).current_dir(d.path("")).output().unwrap();
            if !done.status.success() {
                child.wait().unwrap();
                println!("skipped: {change}");
                met = true;
                break;
            }
            let there = fs::symlink_metadata(&path).ok().map(|metadata| (metadata.ino(), metadata.mode()));
            let said = said(&mut child);
            let failed = child.wait().unwrap().code() == Some(2);
            for name in ["another", "a.old"] {
                let made = fs::remove_file(d.path(name)).is_ok();
                assert!(!(made && failed && name == "a.old"), "{change}");
            }
            if early && failed {
                assert_eq!(said, "placemat: a: changed while it was being read; left as it was\n");
                let now = fs::symlink_metadata(&path).ok().map(|metadata| (metadata.ino(), metadata.mode()));
                assert_eq!(now, there, "{change}");
                met = true;
                break;
            }
        }
        assert!(met, "{change} met the time between");
    }
}

/// A named link is followed, even if its target does not exist yet.
#[test]
fn output_by_links() {
    let d = Directory::new();
    fs::create_dir(d.path("sub")).unwrap();
    d.write("in", b"\xE9");
    d.write("sub/there", "old");
    symlink("sub/there", d.path("link")).unwrap();
    symlink("sub/new", d.path("dangling")).unwrap();
    symlink("dangling", d.path("twice")).unwrap();
    placemat("convert -f latin1 in -o link").within(&d).run().writes("");
    placemat("convert -f latin1 in -o twice").within(&d).run().writes("");
    assert_eq!((d.read("sub/there"), d.read("sub/new")), ("é".into(), "é".into()));
    assert!(
        ["link", "dangling", "twice"]
            .iter()
            .all(|link| fs::symlink_metadata(d.path(link)).unwrap().is_symlink())
    );
    symlink("self", d.path("self")).unwrap();
    placemat("convert in -f latin1 -o self").within(&d).run().ends(2).mentions(&["self: "]);
    assert_eq!(names(&d, "sub"), ["new", "there"]);
}

/// A new output file has the rights that the user gives to new files, an existing one keeps its
/// own; its time is the time of the run.
#[test]
fn rights_of_the_output() {
    let d = Directory::new();
    d.write("in", "a");
    for (mask, mode) in [("022", 0o644), ("077", 0o600), ("002", 0o664)] {
        let script = format!("umask {mask}; {} convert in -o out", env!("CARGO_BIN_EXE_placemat"));
        assert!(Command::new("sh").args(["-c", &script]).current_dir(d.path("")).status().unwrap().success());
        assert_eq!(fs::metadata(d.path("out")).unwrap().mode() & 0o7777, mode);
        fs::remove_file(d.path("out")).unwrap();
    }
    let out = d.write("out", "old");
    fs::set_permissions(&out, fs::Permissions::from_mode(0o604)).unwrap();
    let long_ago = std::time::SystemTime::UNIX_EPOCH + core::time::Duration::from_secs(1_000_000_000);
    fs::File::options().write(true).open(&out).unwrap().set_modified(long_ago).unwrap();
    fs::hard_link(&out, d.path("other")).unwrap();
    placemat("convert in -o out")
        .within(&d)
        .run()
        .ends(0)
        .says("placemat: warning: out: has another hard link, which keeps the old text\n");
    let now = fs::metadata(&out).unwrap();
    assert_eq!(now.mode() & 0o7777, 0o604);
    assert!(now.modified().unwrap() > long_ago);
    assert_eq!((d.read("out"), d.read("other")), (b"a".into(), b"old".into()));
}

/// Open descriptors and devices get the text as it is converted.
#[test]
fn streams() {
    let d = Directory::new();
    d.write("in", "new\n");
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "./log"] {
        if !name.starts_with('.') && fs::metadata(name).is_err() {
            continue;
        }
        d.write("log", "old\n");
        let append = fs::OpenOptions::new().append(true).open(d.path("log")).unwrap();
        placemat("convert in -o").args(name).within(&d).run_to(append.into()).ends(0).says("");
        assert_eq!(d.read("log"), b"old\nnew\n", "{name}");
    }
    assert!(Command::new("mkfifo").arg(d.path("fifo")).status().unwrap().success());
    let mut child = spawn("convert in -o fifo", &d);
    assert_eq!(d.read("fifo"), b"new\n");
    assert!(child.wait().unwrap().success());
    assert!(fs::symlink_metadata(d.path("fifo")).unwrap().file_type().is_fifo());
    placemat("convert in -o /dev/null").within(&d).run().writes("");
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    placemat("convert in -o new/").within(&d).run().ends(2).says("placemat: new/: is a directory\n");
}

/// A file that cannot be replaced stays, and a message says why.
#[test]
fn places_that_cannot_be_replaced() {
    let d = Directory::new();
    fs::create_dir(d.path("ro")).unwrap();
    let script =
        "mount --bind b a && mount -t tmpfs none ro && echo old >ro/a && mount -o remount,ro ro || exit 99
        \"$0\" convert -t utf-16le -i a; echo $?; \"$0\" convert b -o a; echo $?
        \"$0\" convert -t utf-16le -i ro/a; echo $?; \"$0\" convert b -o ro/a; echo $?; cat a ro/a";
    d.write("a", "a\n");
    d.write("b", "b\n");
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", &format!("exec 2>&1; {script}"), env!("CARGO_BIN_EXE_placemat")]);
    let ran = command.current_dir(d.path("")).output();
    let Some(ran) = ran.ok().filter(|ran| ran.status.success()) else {
        println!("skipped: mounts are forbidden here");
        return;
    };
    let busy = "is a mount point, and cannot be replaced; left as it was";
    let full = "read-only filesystem or storage medium";
    let said = String::from_utf8(ran.stdout).unwrap().to_lowercase();
    let said = said.replace("read-only file system", full);
    assert_eq!(
        said,
        format!(
            "placemat: a: {busy}\n2\nplacemat: b: input and output are the same file (-i changes a file in place)\n2\n\
             placemat: ro/a: {full}\nplacemat: ro/a: left as it was\n2\nplacemat: ro/a: {full}\n2\nb\nold\n"
        )
    );
    assert_eq!(names(&d, ""), ["a", "b", "ro"]);
}

/// File names have the greatest possible length.
#[test]
fn long_names() {
    let d = Directory::new();
    let long = "n".repeat(255);
    d.write(&long, b"\xE9");
    placemat("convert -f latin1 -i").arg(&long).within(&d).run().writes("");
    assert_eq!(d.read(&long), "é".as_bytes());
    placemat("convert -t utf-16le -i.x")
        .arg(&long)
        .within(&d)
        .run()
        .ends(2)
        .mentions(&["; left as it was\n"]);
    placemat("convert -t utf-16le -o").arg(&long).reads("a").within(&d).run().writes("");
    assert_eq!(d.read(&long), b"a\0");
    assert_eq!(names(&d, ""), [long]);
}

/// The modification time is that of the old text, or the present.
#[test]
fn mtime() {
    let d = Directory::new();
    let then = std::time::SystemTime::UNIX_EPOCH + core::time::Duration::new(1_000_000_000, 123_456_789);
    for (args, kept) in
        [("-i", true), ("-i --mtime keep", true), ("-i --mtime now", false), ("-i.o --mtime now", false)]
    {
        let path = d.write("a", b"\xE9");
        let times = fs::FileTimes::new().set_modified(then).set_accessed(then);
        fs::File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
        placemat("convert -f latin1").args(args).args("a").within(&d).run().writes("");
        let after = fs::metadata(&path).unwrap();
        assert_eq!(after.modified().unwrap() == then, kept, "{args}");
        assert_eq!(after.accessed().unwrap(), then, "{args}");
    }
    assert_eq!(fs::metadata(d.path("a.o")).unwrap().modified().unwrap(), then);
    placemat("convert --mtime now a").within(&d).run().ends(2).mentions(&["--in-place"]);
}

/// A dry run opens and reads files, and does nothing else.
#[test]
fn a_dry_run_touches_nothing() {
    let d = Directory::new();
    let path = d.write("a", b"\xE9");
    let before = fs::metadata(&path).unwrap();
    let locked = fs::File::open(&path).unwrap();
    locked.lock().unwrap();
    placemat("convert -f latin1 -i.old --dry-run a")
        .within(&d)
        .run()
        .writes("a: would change, 1 byte to 2\n");
    placemat("convert -f latin1 --dry-run a -o b").within(&d).run().ends(0);
    let after = fs::metadata(&path).unwrap();
    let shown = |m: &fs::Metadata| (m.ino(), m.ctime(), m.ctime_nsec(), m.mtime_nsec(), m.nlink());
    assert_eq!((shown(&before), names(&d, "")), (shown(&after), vec!["a".to_owned()]));
}
