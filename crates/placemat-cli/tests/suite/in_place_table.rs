//! The tables of `docs/reference/in-place.md`: what happens to a file and each of its attributes,
//! found by doing it.
//!
//! With `PLACEMAT_RECORD` set, the test writes the results into the page instead. It needs root, to
//! act as other users, and a file system with access lists and extended attributes.

#![cfg(target_os = "linux")]

use crate::run::{Directory, in_repository};
use core::fmt::Write as _;
use core::time::Duration;
use std::fs::{self, File, FileTimes, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

const ACCESS_LIST: &str = "system.posix_acl_access";
const DEFAULT_LIST: &str = "system.posix_acl_default";

/// Returns an access list in the form of the kernel: the owner, user 1004, the group, the mask,
/// others.
fn access_list(named: u16, mask: u16) -> Vec<u8> {
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in [
        (1_u16, 6_u16, u32::MAX),
        (2, named, 1004),
        (4, 4, u32::MAX),
        (16, mask, u32::MAX),
        (32, 4, u32::MAX),
    ] {
        list.extend(tag.to_le_bytes());
        list.extend(rights.to_le_bytes());
        list.extend(id.to_le_bytes());
    }
    list
}

/// The users who run the command: the owner of the file, a member of its group, another user, root.
const USERS: [(&str, u32, u32, &str); 4] = [
    ("its owner", 1001, 2001, "2001"),
    ("a member of its group", 1002, 1002, "2001"),
    ("another user", 1003, 1003, "1003"),
    ("root", 0, 0, "0"),
];

/// Runs the command in a directory as a user.
fn run(d: &Directory, args: &str, (_, user, group, groups): (&str, u32, u32, &str)) -> Output {
    let mut command = Command::new("setpriv");
    command.args(["--reuid", &user.to_string(), "--regid", &group.to_string(), "--groups", groups]);
    command
        .arg(env!("CARGO_BIN_EXE_placemat"))
        .args(args.split(' '))
        .current_dir(d.path(""))
        .output()
        .unwrap()
}

/// Returns a time long ago.
fn then() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000)
}

/// Makes a file of user 1001 and group 2001.
fn file(d: &Directory, name: &str, mode: u32) -> PathBuf {
    let path = d.write(name, b"\xE9\n");
    chown(&path, Some(1001), Some(2001)).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
    let times = FileTimes::new().set_modified(then()).set_accessed(then());
    File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
    path
}

/// A function that shows an attribute of a file in a row.
type Shown = fn(&Path) -> String;

fn mode(path: &Path) -> String {
    format!("{:o}", fs::metadata(path).unwrap().mode() & 0o7777)
}
fn list(path: &Path) -> String {
    match xattr::get(path, ACCESS_LIST).unwrap() {
        Some(list) => format!("{} {}", mode(path), list.escape_ascii()),
        None => format!("none, {}", mode(path)),
    }
}
fn note(path: &Path) -> String {
    format!("{:?}", xattr::get(path, "user.note").unwrap())
}
fn capability(path: &Path) -> String {
    xattr::get(path, "security.capability")
        .unwrap()
        .map_or("none".into(), |value| value.escape_ascii().to_string())
}
fn owner(path: &Path) -> String {
    let owner = fs::metadata(path).unwrap().uid();
    if owner == 1001 { "its owner".into() } else { "the user".into() }
}
fn group(path: &Path) -> String {
    let group = fs::metadata(path).unwrap().gid();
    if group == 2001 { "its group".into() } else { "the user's group".into() }
}
fn modified(path: &Path) -> String {
    if fs::metadata(path).unwrap().modified().unwrap() == then() { "then" } else { "now" }.into()
}
fn accessed(path: &Path) -> String {
    if fs::metadata(path).unwrap().accessed().unwrap() == then() { "then" } else { "now" }.into()
}
fn text(path: &Path) -> String {
    fs::read(path).unwrap().escape_ascii().to_string()
}

/// An attribute of a file, a function that sets it, and a function that shows it.
type Row = (&'static str, fn(&Directory), Shown);

fn rows() -> Vec<Row> {
    vec![
        ("owner", |d| drop(file(d, "a", 0o664)), owner),
        ("group", |d| drop(file(d, "a", 0o664)), group),
        ("mode 664", |d| drop(file(d, "a", 0o664)), mode),
        (
            "access list (user 1004 reads and writes)",
            |d| {
                let path = file(d, "a", 0o640);
                xattr::set(path, ACCESS_LIST, &access_list(6, 6)).unwrap();
            },
            list,
        ),
        (
            "mode 604, which shuts the group out",
            |d| {
                file(d, "a", 0o604);
            },
            mode,
        ),
        (
            "mode 664 in a directory that gives new files a list",
            |d| {
                xattr::set(d.path(""), DEFAULT_LIST, &access_list(7, 7)).unwrap();
                let path = file(d, "a", 0o664);
                xattr::remove(&path, ACCESS_LIST).unwrap();
                fs::set_permissions(path, Permissions::from_mode(0o664)).unwrap();
            },
            list,
        ),
        ("set-user-ID, mode 4755", |d| drop(file(d, "a", 0o4755)), mode),
        ("set-group-ID, mode 2775", |d| drop(file(d, "a", 0o2775)), mode),
        (
            "attribute `user.note`",
            |d| {
                let path = file(d, "a", 0o664);
                xattr::set(path, "user.note", b"kept").unwrap();
            },
            note,
        ),
        (
            "capabilities",
            |d| {
                let path = file(d, "a", 0o755);
                xattr::set(path, "security.capability", b"\x01\0\0\x02\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0")
                    .unwrap();
            },
            capability,
        ),
        ("time of the last change", |d| drop(file(d, "a", 0o664)), modified),
        ("time of the last access", |d| drop(file(d, "a", 0o664)), accessed),
        ("text of a read-only file, mode 444", |d| drop(file(d, "a", 0o444)), text),
        (
            "text in a directory of mode 555",
            |d| {
                file(d, "a", 0o664);
                fs::set_permissions(d.path(""), Permissions::from_mode(0o555)).unwrap();
            },
            text,
        ),
        (
            "text in a directory of mode 1777, as `/tmp`",
            |d| {
                file(d, "a", 0o664);
                fs::set_permissions(d.path(""), Permissions::from_mode(0o1777)).unwrap();
            },
            text,
        ),
        ("text of a file that may not be read", |d| drop(file(d, "a", 0o200)), text),
        (
            "text of an immutable file (`chattr +i`)",
            |d| {
                let path = file(d, "a", 0o664);
                assert!(Command::new("chattr").arg("+i").arg(path).status().unwrap().success());
            },
            text,
        ),
    ]
}

/// Returns `kept`, or the new value.
fn outcome(before: &str, after: &str, ran: &Output, changed: bool) -> String {
    let said = String::from_utf8_lossy(&ran.stderr);
    let mut outcome = match (ran.status.code(), changed) {
        (Some(0), true) if after.starts_with("\\xc3") => "changed".to_owned(),
        (Some(0), true) if before == after => "kept".to_owned(),
        (Some(0), true) => after.to_owned(),
        (Some(2), false) if said.contains("as it ") || said.contains("denied") => {
            assert_eq!(before, after, "{said}");
            return "refused".to_owned();
        }
        other => panic!("{other:?}: {said}"),
    };
    if !matches!(outcome.as_str(), "kept" | "changed") && said.contains("warning: ") {
        outcome += ", and said";
    }
    outcome
}

fn by_users() -> String {
    let mut table = String::from(
        "| what a file has | by its owner | by a member of its group | by another user | by root |\n",
    );
    table += "| --- | --- | --- | --- | --- |\n";
    for (name, make, shown) in rows() {
        write!(table, "| {name} |").unwrap();
        for user in USERS {
            let d = Directory::new();
            fs::set_permissions(d.path(""), Permissions::from_mode(0o777)).unwrap();
            make(&d);
            let path = d.path("a");
            let before = shown(&path);
            let ran = run(&d, "convert -f latin1 -i a", user);
            let _ = Command::new("chattr").arg("-i").arg(&path).stderr(std::process::Stdio::null()).status();
            let after = shown(&path);
            fs::set_permissions(d.path(""), Permissions::from_mode(0o777)).unwrap();
            let changed = d.read("a") == "é\n".as_bytes();
            assert!(changed || d.read("a") == b"\xE9\n");
            let entries: Vec<_> = fs::read_dir(d.path("")).unwrap().collect();
            assert_eq!(entries.len(), 1, "{name} {user:?}");
            write!(table, " {} |", outcome(&before, &after, &ran, changed)).unwrap();
        }
        table += "\n";
    }
    table
}

/// Returns the results for a file with several names, for each of them.
fn by_options() -> String {
    let mut table = String::from(
        "| options | the file | its other hard link | a symbolic link to it | `FILE.bak` | last change | status |\n",
    );
    table += "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (shown, args, backup) in [
        ("`-i FILE`", "-i t/a", false),
        ("`-i LINK`, a symbolic link", "-i t/link", false),
        ("`-ri DIRECTORY`, with both in it", "-ri t", false),
        ("`-i.bak FILE`", "-i.bak t/a", false),
        ("`-i.bak FILE`, where there is a `FILE.bak`", "-i.bak t/a", true),
        ("`-i --mtime keep FILE`", "-i --mtime keep t/a", false),
        ("`-i --mtime now FILE`", "-i --mtime now t/a", false),
        ("`-i --dry-run FILE`", "-i --dry-run t/a", false),
        ("`-i FILE`, whose text does not change", "-i -t latin1 t/a", false),
        ("`-i FILE`, which is refused", "-i -t ascii t/a", false),
        ("`FILE -o FILE`", "t/a -o t/a", false),
        ("`OTHER -o FILE`", "other -o t/a", false),
        ("`OTHER -o FILE`, which is refused", "other -t ascii -o t/a", false),
    ] {
        let d = Directory::new();
        fs::create_dir(d.path("t")).unwrap();
        let path = file(&d, "t/a", 0o664);
        d.write("other", b"\xE9\n");
        // The other name lies outside, so that a walk meets the file once.
        fs::hard_link(&path, d.path("hard")).unwrap();
        symlink("a", d.path("t/link")).unwrap();
        if backup {
            d.write("t/a.bak", "older");
        }
        let before = fs::metadata(&path).unwrap();
        let ran = run(&d, &format!("convert -f latin1 {args}"), USERS[3]);
        let text = |name: &str| match fs::read(d.path(name)) {
            Ok(text) if text == b"\xE9\n" => "the old text",
            Ok(text) if text == "é\n".as_bytes() => "the new text",
            Ok(text) if text == b"older" => "as it was",
            Ok(text) => panic!("{}", text.escape_ascii()),
            Err(_) => "none",
        };
        let new = fs::metadata(&path).unwrap().ino() != before.ino();
        let file = match (text("t/a"), new) {
            ("the old text", false) => "untouched",
            ("the new text", true) => "the new text",
            other => panic!("{other:?}"),
        };
        let hard = match (text("hard"), String::from_utf8_lossy(&ran.stderr).contains("hard link")) {
            ("the old text", true) => "the old text, and said",
            ("the old text", false) => "the old text",
            other => panic!("{other:?}"),
        };
        let link =
            if fs::symlink_metadata(d.path("t/link")).unwrap().is_symlink() { "kept" } else { "replaced" };
        let status = ran.status.code().unwrap();
        let row =
            [shown, file, hard, link, text("t/a.bak"), &modified(&path), &status.to_string()].join(" | ");
        writeln!(table, "| {row} |").unwrap();
    }
    table
}

/// Returns the reason why the tables cannot be made here, if any.
fn obstacle() -> Option<&'static str> {
    let d = Directory::new();
    fs::set_permissions(d.path(""), Permissions::from_mode(0o777)).unwrap();
    let path = d.write("a", "");
    if chown(&path, Some(1001), Some(2001)).is_err() {
        return Some("this is not root");
    }
    let lists = xattr::set(&path, ACCESS_LIST, &access_list(6, 6)).is_ok();
    let notes = xattr::set(&path, "user.note", b"").is_ok();
    if !lists || !notes {
        return Some("the file system has no access lists or no extended attributes");
    }
    for (program, args) in [
        ("setpriv", &["--reuid", "1001", "--clear-groups", env!("CARGO_BIN_EXE_placemat"), "--version"][..]),
        ("chattr", &["+i"]),
    ] {
        let mut command = Command::new(program);
        command.args(args).args((program == "chattr").then_some(&path));
        if !command.output().is_ok_and(|ran| ran.status.success()) {
            let _ = Command::new("chattr").arg("-i").arg(&path).status();
            return Some("no setpriv or chattr, or other users cannot come here");
        }
    }
    let _ = Command::new("chattr").arg("-i").arg(&path).status();
    None
}

#[test]
fn what_is_kept_of_a_file() {
    let Some(page) = in_repository("docs/reference/in-place.md") else { return };
    if let Some(obstacle) = obstacle() {
        println!("SKIPPED, the tables of docs/reference/in-place.md are unproven here: {obstacle}");
        return;
    }
    let old = fs::read_to_string(&page).unwrap();
    let mut new = String::new();
    let mut rest = old.as_str();
    for (begin, table) in [("<!-- by users -->\n", by_users()), ("<!-- by options -->\n", by_options())] {
        let (before, behind) = rest.split_once(begin).unwrap();
        new += &format!("{before}{begin}{table}");
        rest = &behind[behind.find("<!-- end -->").unwrap()..];
    }
    new += rest;
    if std::env::var_os("PLACEMAT_RECORD").is_some() {
        fs::write(page, new).unwrap();
        return;
    }
    for (want, have) in old.lines().zip(new.lines()) {
        assert_eq!(have, want);
    }
    assert_eq!(old.len(), new.len());
}
