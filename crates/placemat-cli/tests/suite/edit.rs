//! `placemat edit`: bytes outside the changes of a command stay the same, in any encoding.

#![cfg(unix)]

use crate::run::{Directory, Ran, placemat, utf16le};
use placemat::Encoding;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

/// Edits `file` of a directory by a shell command.
fn edit(d: &Directory, options: &str, file: &str, command: &str) -> Ran {
    placemat("edit").args(options).arg(file).args("-- sh -c").arg(command).within(d).run()
}

/// Returns pseudo-random bytes, some of which decode.
fn noise(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32).to_le_bytes()[0]
    };
    let mut bytes = Vec::new();
    while bytes.len() < len {
        match next() % 8 {
            0 => bytes.push(next()),
            1 => bytes.extend_from_slice([&b"\n"[..], b"\r\n", b"\r"][usize::from(next() % 3)]),
            2 => bytes.extend([0x80 | next(), next()]),
            _ => bytes.push(b' ' + next() % 95),
        }
    }
    bytes
}

#[test]
fn cat_changes_nothing() {
    let d = Directory::new();
    for (i, encoding) in Encoding::ALL.iter().enumerate() {
        let mut bytes = encoding.signature().to_vec();
        bytes.extend(noise(i as u64, 400));
        let path = d.write("a", &bytes);
        let before = fs::metadata(&path).unwrap().ino();
        let name = encoding.name().to_lowercase().replace(' ', "-");
        let ran = placemat("edit -f").arg(&name).arg(&path).args("-- cat").run();
        ran.writes("");
        assert_eq!(d.read("a"), bytes, "{name}");
        // The file was not even replaced.
        assert_eq!(fs::metadata(&path).unwrap().ino(), before);
        assert_eq!(placemat("edit -f").arg(&name).args("- -- cat").reads(bytes.clone()).run().stdout, bytes);
    }
}

#[test]
fn a_changed_line_changes_its_bytes_alone() {
    let d = Directory::new();
    // A stray byte, NEC's form of a symbol that encoders write differently, and three kinds of line
    // ends.
    let old = b"\x81\xE6 \xFF\r\nthe colour\x87\x9A\n\x93\xFA\xA0\r";
    d.write("a", old);
    edit(&d, "-f shift_jis", "a", "sed s/colour/color/").writes("");
    assert_eq!(d.read("a"), b"\x81\xE6 \xFF\r\nthe color\x87\x9A\n\x93\xFA\xA0\r");
    // Shift sequences around the change.
    d.write("b", b"\x1B$BF|K\\\x1B(B colour\n\x1B$BF|\x1B(J\n");
    edit(&d, "-f iso-2022-jp", "b", "sed 's/日本 col/日 col/'").writes("");
    assert_eq!(d.read("b"), b"\x1B$BF|\x1B(B colour\n\x1B$BF|\x1B(J\n");
    // A signature, and half a surrogate pair.
    let text = |word: &str| [b"\xFF\xFE", &utf16le("x\n")[..], &utf16le(word), b"\x00\xDC\n\0"].concat();
    d.write("c", text("red"));
    edit(&d, "-f utf-16", "c", "sed s/red/grün/").writes("");
    assert_eq!(d.read("c"), text("grün"));
    // The bytes move with their lines.
    d.write("d", b"b\xFF\na\xE9\n");
    edit(&d, "", "d", "LC_ALL=C sort").writes("");
    assert_eq!(d.read("d"), b"a\xE9\nb\xFF\n");
}

#[test]
fn line_ends_of_one_kind_are_lf_for_the_command() {
    let d = Directory::new();
    d.write("a", "one\r\ntwo\r\n");
    edit(&d, "", "a", "sed 's/$/;/' && echo three").writes("");
    assert_eq!(d.read("a"), b"one;\r\ntwo;\r\nthree\r\n");
    edit(&d, "--eol keep", "a", "tr -d '\\r'").writes("");
    assert_eq!(d.read("a"), b"one;\ntwo;\nthree\n");
    // Line ends of several kinds stay as they are.
    d.write("b", "one\r\ntwo\n");
    edit(&d, "", "b", "od -An -c | tr -d ' '").writes("");
    assert_eq!(d.read("b"), b"one\\r\\ntwo\\n\n");
}

#[test]
fn what_cannot_be_written_is_refused() {
    let d = Directory::new();
    let refused = |options: &str, old: &[u8], command: &str, status: i32, said: &str| {
        d.write("a", old);
        edit(&d, options, "a", command).ends(status).wrote("").says(said);
        assert_eq!(d.read("a"), old);
    };
    refused(
        "-f latin1",
        b"caf\xE9\nprice\n",
        "sed 's/ice/& 5 €/'",
        1,
        "placemat: a: ISO-8859-1 cannot represent U+20AC EURO SIGN, in line 2, column 9 of the output of sh; left as it was\n",
    );
    refused(
        "",
        b"a\n",
        "printf 'a\\377b'",
        1,
        "placemat: a: the output of sh is not UTF-8: invalid lead byte 0xff at offset 1; left as it was\n",
    );
    refused(
        "",
        b"a\n\xE9 b\n",
        "tr -d '\\200-\\377'",
        1,
        "placemat: a: the output of sh lacks a byte 0xe9 that does not decode, from line 2 or after (--lossy accepts that); left \
         as it was\n",
    );
    // The change would complete a sequence with a stray byte.
    refused(
        "",
        b"\xE2\x82 \xAC\n",
        "tr -d ' '",
        1,
        "placemat: a: line 1 of the output of sh: the new text and the bytes around it would read as another text; left as it \
         was\n",
    );
    d.write("a", b"a\n\xE9 b\n");
    edit(&d, "--lossy", "a", "tr -d '\\200-\\377'").writes("");
    assert_eq!(d.read("a"), b"a\n b\n");
    d.write("a", b"a\n\xE9 b\n");
    edit(&d, "", "a", "sed 2d").writes("");
    assert_eq!(d.read("a"), b"a\n");
}

#[test]
fn a_command_that_fails_changes_nothing() {
    let d = Directory::new();
    let old = b"a\nb\n";
    for (command, said) in [
        ("echo x; exit 3", "placemat: a: sh failed with status 3; left as it was\n"),
        (
            "echo x; kill -9 $$",
            "placemat: a: sh was ended by signal 9 (SIGKILL), as when memory runs out; left as it was\n",
        ),
        ("cat; kill -15 $$", "placemat: a: sh was ended by signal 15 (SIGTERM); left as it was\n"),
        // These programs fail after they wrote all of their output, read nothing, or close their
        // input.
        ("cat; exit 1", "placemat: a: sh failed with status 1; left as it was\n"),
        ("exit 7", "placemat: a: sh failed with status 7; left as it was\n"),
        ("exec <&-; echo x; exit 2", "placemat: a: sh failed with status 2; left as it was\n"),
    ] {
        d.write("a", old);
        edit(&d, "", "a", command).ends(2).wrote("").says(said);
        assert_eq!(d.read("a"), old);
    }
    let ran = placemat("edit a -- /no/such/program").within(&d).run();
    ran.ends(2)
        .says("placemat: a: /no/such/program cannot be run: no such file or directory; left as it was\n");
    placemat("edit a --").within(&d).run().ends(2).mentions(&["COMMAND"]);
    placemat("edit none -- cat").within(&d).run().ends(2).says("placemat: none: no such file or directory\n");
    placemat("edit . -- cat").within(&d).run().ends(2).mentions(&["placemat: .: "]);
    edit(&d, "-q", "a", "exit 1").ends(2).says("");
    assert_eq!(d.read("a"), old);
}

#[test]
fn both_sides_may_write_at_once() {
    let d = Directory::new();
    let old = "0123456789abcdef\n".repeat(100_000);
    d.write("a", &old);
    // The program writes much before it reads anything.
    edit(&d, "", "a", "head -c 3000000 /dev/zero | tr '\\0' x; cat").writes("");
    assert_eq!(d.read("a"), ["x".repeat(3_000_000), old.clone()].concat().as_bytes());
    // The program reads only the start.
    d.write("a", &old);
    edit(&d, "", "a", "head -n 1").writes("");
    assert_eq!(d.read("a"), b"0123456789abcdef\n");
}

/// A command that writes nothing may have failed silently.
#[test]
fn a_file_is_emptied_only_if_asked() {
    let d = Directory::new();
    let said = "placemat: a: the output of sh is empty (--allow-empty accepts that); left as it was\n";
    for options in ["", "--lossy", "--dry-run", "-f latin1", "-i.orig"] {
        d.write("a", "one\ntwo\n");
        edit(&d, options, "a", "true").ends(1).wrote("").says(said);
        edit(&d, options, "a", "cat > /dev/null").ends(1).wrote("").says(said);
        assert_eq!(d.read("a"), b"one\ntwo\n");
    }
    assert!(!d.path("a.orig").exists());
    // The text is longer than the buffer of a pipe, and never read.
    d.write("a", "one\n".repeat(100_000));
    edit(&d, "", "a", "true").ends(1).wrote("").says(said);
    edit(&d, "--allow-empty", "a", "true").writes("");
    assert_eq!(d.read("a"), b"");
    // The file has nothing to lose: no text, or only a signature.
    edit(&d, "", "a", "true").writes("");
    d.write("b", "\u{FEFF}");
    edit(&d, "-f utf-8", "b", "true").writes("");
    assert_eq!(d.read("b"), "\u{FEFF}".as_bytes());
    placemat("edit - -- true").reads("a").run().ends(1).wrote("").mentions(&["the output of true is empty"]);
    placemat("edit --allow-empty - -- true").reads("a").run().writes("");
}

/// When memory runs out, the message says so, and the file stays whole.
#[test]
#[cfg(target_os = "linux")]
fn a_lack_of_memory_is_named() {
    let d = Directory::new();
    let old = "0123456789abcdef\n".repeat(1 << 20);
    d.write("a", &old);
    let limited = |kilobytes: u32, command: &str| {
        let script = format!("ulimit -v {kilobytes}; exec \"$0\" edit a -- {command}");
        let mut shell = std::process::Command::new("sh");
        let shell = shell.args(["-c", &script, env!("CARGO_BIN_EXE_placemat")]).current_dir(d.path("."));
        let output = shell.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert_eq!(d.read("a"), old.as_bytes());
        assert_eq!(fs::read_dir(d.path(".")).unwrap().count(), 1, "{said}");
        said
    };
    let said = limited(100_000, "cat");
    assert!(
        said.starts_with("placemat: a: there is not enough memory: ") && said.ends_with("; left as it was\n"),
        "{said}"
    );
    assert_eq!(limited(400_000, "yes"), "placemat: a: yes writes more than fits in memory; left as it was\n");
}

/// Lines, hunks and single lines of all shapes that once took minutes; the texts are right, and
/// undecodable bytes stay.
#[test]
fn large_changes() {
    let d = Directory::new();
    let numbered: String = (0..20_000).map(|i| format!("{i},abc,def/\n")).collect();
    let one_line = |len: usize| -> String { (0..len).map(|i| format!("{},", i * i % 9973)).collect() };
    for (old, command) in [
        (numbered.clone(), "sed 's/,/;/g'"),
        (numbered.clone(), "sed 's/,/;/g; 500d; 900i x'"),
        (numbered.clone(), "sed -n '0~2p'"),
        (numbered.clone(), "sed '0~2s/abc/x/'"),
        (numbered.clone(), "tac"),
        (numbered.clone(), "tr '\\n' ' '"),
        (one_line(100_000), "sed 's/7,/8;/g'"),
        (one_line(100_000), "tr ',' '\\n'"),
        ("x\n".repeat(200_000), "sed '0~3d'"),
    ] {
        for encoding in ["utf-8", "shift_jis", "utf-16le"] {
            // NEC's form of a symbol, and in UTF-8 bytes that do not decode.
            let (head, bytes) = match encoding {
                "utf-16le" => (b"\x00\xDC \0\x61\x22,\0!\0".to_vec(), utf16le(&old)),
                _ => (b"\xFF \x87\x9A,!".to_vec(), old.clone().into_bytes()),
            };
            let file = [&head[..], &bytes, &head].concat();
            d.write("a", &file);
            edit(&d, &format!("-f {encoding} --lossy"), "a", command).writes("");
            // A line that moves is encoded again, and then gets the usual form of the symbol.
            if encoding == "utf-8" || encoding == "shift_jis" && command != "tac" {
                let input = fs::File::open(d.write("b", &file)).unwrap();
                let mut shell = std::process::Command::new("sh");
                let shell = shell.args(["-c", command]).env("LC_ALL", "C").stdin(input);
                assert!(d.read("a") == shell.output().unwrap().stdout, "{encoding}, {command}");
            }
        }
    }
}

#[test]
fn other_programs_lose_nothing() {
    let d = Directory::new();
    d.write("a", "one\n");
    let changed = "placemat: a: changed while it was being read; left as it was\n";
    edit(&d, "", "a", "sed s/one/two/; echo three >> a").ends(2).says(changed);
    assert_eq!(d.read("a"), b"one\nthree\n");
    let other = env!("CARGO_BIN_EXE_placemat");
    edit(&d, "", "a", &format!("sed s/one/two/; {other} edit a -- sed s/one/four/ || true"))
        .ends(0)
        .says("placemat: a: is locked by another program; left as it was\n");
    assert_eq!(d.read("a"), b"two\nthree\n");
}

#[test]
fn links_and_modes_stay() {
    let d = Directory::new();
    let path = d.write("a", "one\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("a", d.path("link")).unwrap();
    edit(&d, "", "link", "sed s/one/two/").writes("");
    assert_eq!(d.read("a"), b"two\n");
    assert!(fs::symlink_metadata(d.path("link")).unwrap().is_symlink());
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o640);
    fs::hard_link(&path, d.path("other")).unwrap();
    let said = "placemat: warning: a: has another hard link, which keeps the old text\n";
    edit(&d, "", "a", "sed s/two/three/").ends(0).says(said);
    assert_eq!((d.read("a"), d.read("other")), (b"three\n".to_vec(), b"two\n".to_vec()));
}

#[test]
fn the_old_file_is_kept_as_asked() {
    let d = Directory::new();
    let path = d.write("a", b"caf\xE9 \xFF one\r\n");
    fs::File::options().write(true).open(&path).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    // Nothing changes, so no backup is kept.
    edit(&d, "-i=.orig", "a", "cat").writes("");
    assert!(!d.path("a.orig").exists());
    edit(&d, "-i.orig --dry-run", "a", "sed s/one/two/").writes("a: would change, 12 bytes to 12\n");
    assert!(!d.path("a.orig").exists());
    edit(&d, "-i.orig --mtime keep", "a", "sed s/one/two/").writes("");
    assert_eq!(
        (d.read("a"), d.read("a.orig")),
        (b"caf\xE9 \xFF two\r\n".into(), b"caf\xE9 \xFF one\r\n".into())
    );
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), std::time::UNIX_EPOCH);
    // A backup never overwrites a file.
    edit(&d, "-i.orig", "a", "sed s/two/three/").ends(2).mentions(&["a.orig", "left as it was"]);
    assert_eq!(
        (d.read("a"), d.read("a.orig")),
        (b"caf\xE9 \xFF two\r\n".into(), b"caf\xE9 \xFF one\r\n".into())
    );
    // Without a suffix, no backup is kept.
    edit(&d, "-i", "a", "sed s/two/three/").writes("");
    assert_eq!(d.read("a"), b"caf\xE9 \xFF three\r\n");
    assert!(fs::metadata(&path).unwrap().modified().unwrap() > std::time::UNIX_EPOCH);
    placemat("edit -i.orig - -- cat").run().ends(2).mentions(&["--in-place"]);
}

#[test]
fn changes_are_shown() {
    let d = Directory::new();
    let old = b"1\n2\n3\n4\n5\ncaf\xE9 \xFF\n7\n8\n9\n10";
    d.write("a", old);
    let shown = "--- a\n+++ a (edited)\n@@ -3,8 +3,8 @@\n 3\n 4\n 5\n-café ÿ\n+kafé ÿ\n 7\n 8\n 9\n-10\n\\ No newline at end of file\n\
                 +11\n";
    let ran = edit(&d, "-f latin1 --diff --dry-run", "a", "sed 's/ca/ka/; s/10/11/'; echo");
    ran.writes(format!("{shown}a: would change, 25 bytes to 26\n"));
    assert_eq!(d.read("a"), old);
    edit(&d, "-f latin1 --diff", "a", "sed 's/ca/ka/; s/10/11/'; echo").writes(shown);
    assert_eq!(d.read("a"), b"1\n2\n3\n4\n5\nkaf\xE9 \xFF\n7\n8\n9\n11\n");
    edit(&d, "--diff --dry-run", "a", "cat").writes("");
    d.write("b", b"a \xFF\xFE\n");
    let shown = "--- b\n+++ b (edited)\n@@ -1 +1 @@\n-a \\xff\\xfe\n+b \\xff\\xfe\n";
    edit(&d, "--diff", "b", "sed s/a/b/").writes(shown);
    placemat("edit --diff - -- cat").run().ends(2).mentions(&["--diff"]);
}

#[test]
fn the_lines_of_a_diff_are_red_and_green() {
    let d = Directory::new();
    d.write("a", b"caf\xE9\n");
    let shown = "--- a\n+++ a (edited)\n\u{1B}[36m@@ -1 +1 @@\u{1B}[0m\n\u{1B}[31m-café\u{1B}[0m\n\u{1B}[32m+kafé\u{1B}[0m\n";
    edit(&d, "-f latin1 --diff --color always", "a", "sed s/c/k/").writes(shown);
    assert_eq!(d.read("a"), b"kaf\xE9\n");
}

#[test]
fn the_encoding_is_as_declared() {
    let d = Directory::new();
    d.write(".editorconfig", "root = true\n[*.txt]\ncharset = latin1\n");
    d.write("a.txt", b"caf\xE9\n");
    edit(&d, "", "a.txt", "sed s/é/ê/").writes("");
    assert_eq!(d.read("a.txt"), b"caf\xEA\n");
    edit(&d, "--no-config", "a.txt", "sed s/caf/tea/").writes("");
    assert_eq!(d.read("a.txt"), b"tea\xEA\n");
}
