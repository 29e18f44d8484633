//! The command under the names of other programs: what it writes and returns is what they write and return.
//!
//! Each line of the table was run by the program itself, of Debian 12. Where that program is installed, it runs again.

#![cfg(unix)]

use crate::run::{Directory, Ran, Run};
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

const NAMES: [&str; 9] =
    ["uchardet", "file", "isutf8", "dos2unix", "unix2dos", "mac2unix", "native2ascii", "recode", "convmv"];

/// The files of every case.
const FILES: [(&str, &[u8]); 12] = [
    ("ascii", b"abc\n"),
    ("dos", b"a\r\nb\rc\r\n"),
    ("unix", b"a\nb\r\n\nc"),
    ("mac", b"a\rb\r\n\r\rc"),
    ("utf8", "naïve café, déjà vu: élève\n".as_bytes()),
    ("latin1", b"na\xEFve caf\xE9, d\xE9j\xE0 vu: \xE9l\xE8ve\n"),
    ("bom", b"\xEF\xBB\xBFa\r\n"),
    ("utf16", b"\xFF\xFEa\0\r\0\n\0\xAC\x20"),
    ("binary", b"\0\x01\x02\xFF"),
    ("empty", b""),
    ("cp1251", b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xE4\xE5\xEB\xE0? \xDD\xF2\xEE \xF0\xF3\xF1\xF1\xEA\xE8\xE9 \xF2\xE5\xEA\xF1\xF2.\n"),
    ("sjis", b"\x82\xB1\x82\xF1\x82\xC9\x82\xBF\x82\xCD\x81A\x90\xA2\x8AE\x81B\x93\xFA\x96{\x8C\xEA\x82\xC5\x82\xB7\n"),
];

/// A line of the shell, its status, and the bytes that it writes, with `|` and each changed file after them.
struct Case(&'static str, i32, &'static str);

const CASES: &[Case] = &[
    Case("uchardet ascii", 0, "ASCII\\n"),
    Case(
        "uchardet utf16 cp1251 sjis empty ascii",
        0,
        "utf16: UTF-16\\ncp1251: WINDOWS-1251\\nsjis: SHIFT_JIS\\nempty: unknown\\nascii: ASCII\\n",
    ),
    Case("uchardet < cp1251", 0, "WINDOWS-1251\\n"),
    Case("uchardet nope ascii", 1, "ascii: ASCII\\n"),
    Case(
        "file -i ascii utf8 empty binary utf16 bin link nope",
        0,
        "ascii:  text/plain; charset=us-ascii\\nutf8:   text/plain; charset=utf-8\\nempty:  inode/x-empty; charset=binary\\nbinary: application/octet-stream; charset=binary\\nutf16:  text/plain; charset=utf-16le\\nbin:    inode/directory; charset=binary\\nlink:   inode/symlink; charset=binary\\nnope:   cannot open `nope\\' (No such file or directory)\\n",
    ),
    Case("file -bi utf8 ascii", 0, "text/plain; charset=utf-8\\ntext/plain; charset=us-ascii\\n"),
    Case("file --mime-encoding -N ascii utf8", 0, "ascii: us-ascii\\nutf8: utf-8\\n"),
    Case("file -b --mime-encoding - < utf8", 0, "utf-8\\n"),
    Case("file -i - < utf8", 0, "/dev/stdin: text/plain; charset=utf-8\\n"),
    Case("file --mime --brief utf16", 0, "text/plain; charset=utf-16le\\n"),
    Case("file -L -i link", 0, "link: text/plain; charset=us-ascii\\n"),
    Case("isutf8 ascii utf8 empty bom", 0, ""),
    Case("isutf8 -q latin1", 1, ""),
    Case("isutf8 -l latin1 ascii utf16 utf8", 1, "latin1\\nutf16\\n"),
    Case("isutf8 -i latin1 ascii utf8", 1, "ascii\\nutf8\\n"),
    Case("isutf8 -q ascii utf8", 0, ""),
    Case("isutf8 --list < latin1", 1, "(standard input)\\n"),
    Case("isutf8 < utf8", 0, ""),
    Case("dos2unix dos unix mac", 0, "|dos: a\\nb\\rc\\n|mac: a\\rb\\n\\r\\rc|unix: a\\nb\\n\\nc"),
    Case("dos2unix < dos", 0, "a\\nb\\rc\\n"),
    Case("dos2unix -q bom", 0, "|bom: a\\n"),
    Case("dos2unix -b bom", 0, "|bom: \\xef\\xbb\\xbfa\\n"),
    Case("dos2unix utf16", 0, "|utf16: a\\n\\xe2\\x82\\xac"),
    Case("dos2unix -u utf16", 0, "|utf16: a\\x00\\n\\x00\\xac "),
    Case("dos2unix -n dos new bom other", 0, "|new: a\\nb\\rc\\n|other: a\\n"),
    Case("dos2unix -n dos dos", 0, "|dos: a\\nb\\rc\\n"),
    Case("dos2unix -f binary", 0, ""),
    Case("dos2unix binary", 0, ""),
    Case("dos2unix -c mac mac", 0, "|mac: a\\nb\\r\\n\\n\\nc"),
    Case("dos2unix link", 0, ""),
    Case("dos2unix -F -m ascii", 0, "|ascii: \\xef\\xbb\\xbfabc\\n"),
    Case("dos2unix -ascii -k dos", 0, "|dos: a\\nb\\rc\\n"),
    Case("dos2unix nope dos", 2, "|dos: a\\nb\\rc\\n"),
    Case("printf 'a\\0\\r\\0\\n\\0' | dos2unix -ul", 0, "a\\n"),
    Case("printf 'a\\0b\\r\\n' | dos2unix -f", 0, "a\\x00b\\n"),
    Case("unix2dos unix dos", 0, "|unix: a\\r\\nb\\r\\n\\r\\nc"),
    Case("unix2dos bom", 0, ""),
    Case("unix2dos -r bom", 0, "|bom: a\\r\\n"),
    Case("unix2dos utf16", 0, "|utf16: \\xef\\xbb\\xbfa\\r\\n\\xe2\\x82\\xac"),
    Case("unix2dos latin1", 0, "|latin1: na\\xefve caf\\xe9, d\\xe9j\\xe0 vu: \\xe9l\\xe8ve\\r\\n"),
    Case("unix2dos < unix", 0, "a\\r\\nb\\r\\n\\r\\nc"),
    Case("mac2unix mac", 0, "|mac: a\\nb\\r\\n\\n\\nc"),
    Case("mac2unix < mac", 0, "a\\nb\\r\\n\\n\\nc"),
    Case(
        "recode latin1..utf8 latin1",
        0,
        "|latin1: na\\xc3\\xafve caf\\xc3\\xa9, d\\xc3\\xa9j\\xc3\\xa0 vu: \\xc3\\xa9l\\xc3\\xa8ve\\n",
    ),
    Case("recode utf8..latin1 < utf8", 0, "na\\xefve caf\\xe9, d\\xe9j\\xe0 vu: \\xe9l\\xe8ve\\n"),
    Case("recode ..latin1 < utf8", 0, "na\\xefve caf\\xe9, d\\xe9j\\xe0 vu: \\xe9l\\xe8ve\\n"),
    Case(
        "recode latin1 < latin1",
        0,
        "na\\xc3\\xafve caf\\xc3\\xa9, d\\xc3\\xa9j\\xc3\\xa0 vu: \\xc3\\xa9l\\xc3\\xa8ve\\n",
    ),
    Case(
        "recode latin1.. < latin1",
        0,
        "na\\xc3\\xafve caf\\xc3\\xa9, d\\xc3\\xa9j\\xc3\\xa0 vu: \\xc3\\xa9l\\xc3\\xa8ve\\n",
    ),
    Case("recode u8..l1 utf8", 0, "|utf8: na\\xefve caf\\xe9, d\\xe9j\\xe0 vu: \\xe9l\\xe8ve\\n"),
    Case(
        "recode latin1..utf8/CR-LF < latin1",
        0,
        "na\\xc3\\xafve caf\\xc3\\xa9, d\\xc3\\xa9j\\xc3\\xa0 vu: \\xc3\\xa9l\\xc3\\xa8ve\\r\\n",
    ),
    Case("recode latin1/cl..utf8 < dos", 0, "a\\nb\\rc\\n"),
    Case("recode /cl../ < dos", 0, "a\\nb\\rc\\n"),
    Case("recode ../cl < ascii", 0, "abc\\r\\n"),
    Case("recode pc..l1 < dos", 0, "a\\nb\\rc\\n"),
    Case("recode latin1..utf8/64 < ascii", 0, "YWJjCg==\\n"),
    Case("recode latin1/QP..utf8 < ascii", 0, "abc\\n"),
    Case("recode l1..utf16 < ascii", 0, "\\xfe\\xff\\x00a\\x00b\\x00c\\x00\\n"),
    Case("recode utf16..u8 < utf16", 0, "a\\r\\n\\xe2\\x82\\xac"),
    Case("recode utf8..cp1251 utf8", 1, ""),
    Case(
        "recode windows-1251..utf8 < cp1251",
        0,
        "\\xd0\\x9f\\xd1\\x80\\xd0\\xb8\\xd0\\xb2\\xd0\\xb5\\xd1\\x82, \\xd0\\xba\\xd0\\xb0\\xd0\\xba \\xd0\\xb4\\xd0\\xb5\\xd0\\xbb\\xd0\\xb0? \\xd0\\xad\\xd1\\x82\\xd0\\xbe \\xd1\\x80\\xd1\\x83\\xd1\\x81\\xd1\\x81\\xd0\\xba\\xd0\\xb8\\xd0\\xb9 \\xd1\\x82\\xd0\\xb5\\xd0\\xba\\xd1\\x81\\xd1\\x82.\\n",
    ),
    Case("recode utf8..cp1252 utf8", 0, "|utf8: na\\xefve caf\\xe9, d\\xe9j\\xe0 vu: \\xe9l\\xe8ve\\r\\n"),
    Case("recode 850..l1 < dos", 0, "a\\nb\\rc\\n"),
    Case(
        "recode -t windows-1252..utf8 ascii latin1",
        0,
        "|latin1: na\\xc3\\xafve caf\\xc3\\xa9, d\\xc3\\xa9j\\xc3\\xa0 vu: \\xc3\\xa9l\\xc3\\xa8ve\\n",
    ),
];

/// Makes the folders of names that `convmv` converts.
const MAKE_NAMES: &str = "mkdir -p d/$(printf 's\\202') \
    u/$(printf '\\303\\274') r j .h && touch \
    d/$(printf 'caf\\202') d/plain d/$(printf 's\\202/\\201a') u/$(printf '\\303\\274/\\303\\251.txt') \
    r/$(printf '\\317\\326') j/$(printf '\\223\\372\\226{') .h/$(printf '\\202') && ln -s nowhere d/$(printf 'l\\202')";

/// Arguments of `convmv`, the folder to list after it, the status, and what it writes with the list.
const RENAMES: &[(&str, &str, i32, &str)] = &[
    (
        "-f cp437 -t utf8 -r d | sort",
        "d",
        0,
        "mv \\\"d/caf\\x82\\\"\\t\\\"d/caf\\xc3\\xa9\\\"\\nmv \\\"d/l\\x82\\\"\\t\\\"d/l\\xc3\\xa9\\\"\\nmv \\\"d/s\\x82\\\"\\t\\\"d/s\\xc3\\xa9\\\"\\nmv \\\"d/s\\x82/\\x81a\\\"\\t\\\"d/s\\x82/\\xc3\\xbca\\\"\\nd\\nd/caf\\x82\\nd/l\\x82\\nd/plain\\nd/s\\x82\\nd/s\\x82/\\x81a\\n",
    ),
    (
        "-f cp437 -t utf-8 -r --notest d | sort",
        "d",
        0,
        "mv \\\"d/caf\\x82\\\"\\t\\\"d/caf\\xc3\\xa9\\\"\\nmv \\\"d/l\\x82\\\"\\t\\\"d/l\\xc3\\xa9\\\"\\nmv \\\"d/s\\x82\\\"\\t\\\"d/s\\xc3\\xa9\\\"\\nmv \\\"d/s\\x82/\\x81a\\\"\\t\\\"d/s\\x82/\\xc3\\xbca\\\"\\nd\\nd/caf\\xc3\\xa9\\nd/l\\xc3\\xa9\\nd/plain\\nd/s\\xc3\\xa9\\nd/s\\xc3\\xa9/\\xc3\\xbca\\n",
    ),
    (
        "-fcp437 -tutf8 --notest d/* | sort",
        "d",
        0,
        "mv \\\"d/caf\\x82\\\"\\t\\\"d/caf\\xc3\\xa9\\\"\\nmv \\\"d/l\\x82\\\"\\t\\\"d/l\\xc3\\xa9\\\"\\nmv \\\"d/s\\x82\\\"\\t\\\"d/s\\xc3\\xa9\\\"\\nd\\nd/caf\\xc3\\xa9\\nd/l\\xc3\\xa9\\nd/plain\\nd/s\\xc3\\xa9\\nd/s\\xc3\\xa9/\\x81a\\n",
    ),
    (
        "-f cp850 -t utf8 --nosmart -r d | sort",
        "d",
        0,
        "mv \\\"d/caf\\x82\\\"\\t\\\"d/caf\\xc3\\xa9\\\"\\nmv \\\"d/l\\x82\\\"\\t\\\"d/l\\xc3\\xa9\\\"\\nmv \\\"d/s\\x82\\\"\\t\\\"d/s\\xc3\\xa9\\\"\\nmv \\\"d/s\\x82/\\x81a\\\"\\t\\\"d/s\\x82/\\xc3\\xbca\\\"\\nd\\nd/caf\\x82\\nd/l\\x82\\nd/plain\\nd/s\\x82\\nd/s\\x82/\\x81a\\n",
    ),
    (
        "-r -f cp437 -t cp850 d/s*",
        "d",
        0,
        "d\\nd/caf\\x82\\nd/l\\x82\\nd/plain\\nd/s\\x82\\nd/s\\x82/\\x81a\\n",
    ),
    (
        "-f cp437 -t ascii -r --notest d",
        "d",
        255,
        "d\\nd/caf\\x82\\nd/l\\x82\\nd/plain\\nd/s\\x82\\nd/s\\x82/\\x81a\\n",
    ),
    (
        "-f utf8 -t utf8 --nfd --notest u/*",
        "u",
        0,
        "mv \\\"u/\\xc3\\xbc\\\"\\t\\\"u/u\\xcc\\x88\\\"\\nu\\nu/u\\xcc\\x88\\nu/u\\xcc\\x88/\\xc3\\xa9.txt\\n",
    ),
    ("-f utf8 -t utf8 --nfc -r --notest u", "u", 0, "u\\nu/\\xc3\\xbc\\nu/\\xc3\\xbc/\\xc3\\xa9.txt\\n"),
    (
        "-rf utf8 -t iso-8859-1 --notest u | sort",
        "u",
        0,
        "mv \\\"u/\\xc3\\xbc\\\"\\t\\\"u/\\xfc\\\"\\nmv \\\"u/\\xc3\\xbc/\\xc3\\xa9.txt\\\"\\t\\\"u/\\xc3\\xbc/\\xe9.txt\\\"\\nu\\nu/\\xfc\\nu/\\xfc/\\xe9.txt\\n",
    ),
    (
        "-f utf8 -t cp437 -r u",
        "u",
        0,
        "mv \\\"u/\\xc3\\xbc/\\xc3\\xa9.txt\\\"\\t\\\"u/\\xc3\\xbc/\\x82.txt\\\"\\nmv \\\"u/\\xc3\\xbc\\\"\\t\\\"u/\\x81\\\"\\nu\\nu/\\xc3\\xbc\\nu/\\xc3\\xbc/\\xc3\\xa9.txt\\n",
    ),
    ("-f utf8 -t ascii -r --notest u", "u", 255, "u\\nu/\\xc3\\xbc\\nu/\\xc3\\xbc/\\xc3\\xa9.txt\\n"),
    (
        "-f utf8 -t utf8 --nfd -r --notest d",
        "d",
        255,
        "d\\nd/caf\\x82\\nd/l\\x82\\nd/plain\\nd/s\\x82\\nd/s\\x82/\\x81a\\n",
    ),
    ("-f cp437 -t utf8 -r --notest u", "u", 0, "u\\nu/\\xc3\\xbc\\nu/\\xc3\\xbc/\\xc3\\xa9.txt\\n"),
    ("-f latin1 -t utf9 d", "r", 255, "r\\nr/\\xcf\\xd6\\n"),
    ("-t utf8 d", "r", 255, "r\\nr/\\xcf\\xd6\\n"),
    ("-f utf8 d", "r", 255, "r\\nr/\\xcf\\xd6\\n"),
    ("-f utf8 -t latin1 u nope", "u", 2, "u\\nu/\\xc3\\xbc\\nu/\\xc3\\xbc/\\xc3\\xa9.txt\\n"),
    (
        "--lowmem -r -f koi8-r -t utf8 r",
        "r",
        0,
        "mv \\\"r/\\xcf\\xd6\\\"\\t\\\"r/\\xd0\\xbe\\xd0\\xb6\\\"\\nr\\nr/\\xcf\\xd6\\n",
    ),
    (
        "-f shiftjis -t utf8 -r --no-preserve-mtimes --notest j",
        "j",
        0,
        "mv \\\"j/\\x93\\xfa\\x96{\\\"\\t\\\"j/\\xe6\\x97\\xa5\\xe6\\x9c\\xac\\\"\\nj\\nj/\\xe6\\x97\\xa5\\xe6\\x9c\\xac\\n",
    ),
    (
        "-f cp437 -t utf8 -r --notest .h",
        ".h",
        0,
        "mv \\\".h/\\x82\\\"\\t\\\".h/\\xc3\\xa9\\\"\\n.h\\n.h/\\xc3\\xa9\\n",
    ),
    ("--bogus -f utf8 -t latin1 u", "r", 1, "r\\nr/\\xcf\\xd6\\n"),
];

/// A folder with the files, and `bin` with the programs.
fn folder() -> Directory {
    let d = Directory::new();
    for (name, bytes) in FILES {
        d.write(name, bytes);
    }
    symlink("ascii", d.path("link")).unwrap();
    std::fs::create_dir(d.path("bin")).unwrap();
    for name in NAMES {
        symlink(env!("CARGO_BIN_EXE_placemat"), d.path("bin").join(name)).unwrap();
    }
    d
}

/// Runs a line in a new folder. Returns its status, and its output with the changed files.
fn run(line: &str, real: Option<&Path>) -> (i32, String, Ran) {
    let d = folder();
    let path = real.map_or(d.path("bin"), Path::to_owned);
    let path = format!("{}:/usr/bin:/bin", path.display());
    let ran = Run::of(Path::new("/bin/sh")).arg("-c").arg(line).env("PATH", &path);
    let ran = ran.env("LC_ALL", "C.UTF-8").within(&d).run();
    let mut text = ran.stdout.escape_ascii().to_string();
    let mut names: Vec<_> =
        std::fs::read_dir(d.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    for name in names {
        let name = name.into_string().unwrap();
        let old = FILES.iter().find(|(known, _)| *known == name);
        if ["bin", "link"].contains(&name.as_str()) || old.is_some_and(|(_, bytes)| d.read(&name) == *bytes) {
            continue;
        }
        text += &format!("|{name}: {}", d.read(&name).escape_ascii());
    }
    (ran.status, text, ran)
}

/// Returns the program of the machine that a line runs, if there is one.
fn real(line: &str) -> Option<PathBuf> {
    let name = line.split_whitespace().find(|word| NAMES.contains(word)).unwrap();
    let path = PathBuf::from("/usr/bin");
    if path.join(name).exists() {
        return Some(path);
    }
    let _ =
        writeln!(std::io::stderr(), "\nWARNING: programs: NOT compared with {name}, which is not installed");
    None
}

#[test]
fn each_line_does_what_the_program_does() {
    let mut wrong = Vec::new();
    for Case(line, status, want) in CASES {
        let (got, text, ran) = run(line, None);
        if (got, text.as_str()) != (*status, *want) {
            wrong.push(format!("$ {line}\nwanted {status} {want}\ngot    {got} {text}\n{}", ran.stderr));
        }
        if let Some(real) = real(line) {
            let (theirs, text, _) = run(line, Some(&real));
            assert_eq!((theirs, text.as_str()), (*status, *want), "$ {line} by the program itself");
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), CASES.len(), wrong.join("\n"));
}

#[test]
fn names_change_as_convmv_changes_them() {
    let mut wrong = Vec::new();
    for (arguments, folder, status, want) in RENAMES {
        // The last message is enough: about single files, the program writes raw bytes, in the order of the disk.
        let line = format!(
            "{MAKE_NAMES}; {{ convmv {arguments}; s=$?; }} 2> bin/err; tail -n 1 bin/err >&2; \
             find {folder} | sort; rm -r d u r j .h; exit $s"
        );
        let (got, text, ran) = run(&line, None);
        if (got, text.as_str()) != (*status, *want) {
            wrong.push(format!(
                "$ convmv {arguments}\nwanted {status} {want}\ngot    {got} {text}\n{}",
                ran.stderr
            ));
        }
        if let Some(real) = real("convmv") {
            let (theirs, text, other) = run(&line, Some(&real));
            assert_eq!((theirs, text.as_str()), (*status, *want), "convmv {arguments} by the program itself");
            // About an unknown encoding or option, this program says more.
            if !["utf9", "bogus"].iter().any(|word| arguments.contains(word)) {
                // Both count whole seconds, and need not cross one at the same time.
                let untimed = |told: &str| told.replace("in 1 seconds", "in 0 seconds");
                assert_eq!(untimed(&ran.stderr), untimed(&other.stderr), "convmv {arguments}");
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), RENAMES.len(), wrong.join("\n"));
}

#[test]
fn here_the_answer_is_better() {
    for (line, want) in [
        ("uchardet latin1 utf8 binary", "latin1: WINDOWS-1252\nutf8: UTF-8\nbinary: unknown\n"),
        ("file --mime-encoding cp1251 sjis", "cp1251: windows-1251\nsjis:   shift_jis\n"),
        ("isutf8 latin1; true", "latin1: line 1, char 3, byte 2: lead byte 0xef at byte 2: needs 2 more"),
        ("isutf8 < utf16; true", "(standard input): line 1, char 1, byte 0: "),
    ] {
        let (status, text, ran) = run(line, None);
        assert!(
            status == 0 && text.starts_with(&want.as_bytes().escape_ascii().to_string()),
            "{line}: {text} {}",
            ran.stderr
        );
    }
}

#[test]
fn messages_are_the_programs_own() {
    for (line, status, want) in [
        ("dos2unix dos", 0, "dos2unix: converting file dos to Unix format...\n"),
        ("dos2unix -n dos new", 0, "dos2unix: converting file dos to file new in Unix format...\n"),
        ("dos2unix utf16", 0, "dos2unix: converting UTF-16LE file utf16 to UTF-8 Unix format...\n"),
        ("dos2unix -u utf16", 0, "dos2unix: converting UTF-16LE file utf16 to UTF-16LE Unix format...\n"),
        ("unix2dos ascii", 0, "unix2dos: converting file ascii to DOS format...\n"),
        (
            "dos2unix binary",
            0,
            "dos2unix: Binary symbol 0x00 found at line 1\ndos2unix: Skipping binary file binary\n",
        ),
        ("dos2unix bin", 0, "dos2unix: Skipping bin, not a regular file.\n"),
        ("dos2unix link", 0, "dos2unix: Skipping symbolic link link.\n"),
        (
            "dos2unix nope",
            2,
            "dos2unix: nope: No such file or directory\ndos2unix: Skipping nope, not a regular file.\n",
        ),
        ("dos2unix -n dos", 1, "dos2unix: target of file dos not specified in new-file mode\n"),
        ("dos2unix -q dos binary bin link", 0, ""),
        ("uchardet nope", 1, "nope: No such file or directory\n"),
    ] {
        for real in [None, real(line)].into_iter().take(1 + usize::from(real(line).is_some())) {
            let (got, _, ran) = run(line, real.as_deref());
            assert_eq!((got, ran.stderr.as_str()), (status, want), "$ {line} {real:?}");
        }
    }
    for (line, part) in [
        (
            "recode utf9..latin1 utf8",
            "recode: Request `utf9..latin1' is erroneous: unknown encoding \"utf9\" (did you mean utf-8?)\n",
        ),
        ("recode utf8..latin1 latin1", "recode: latin1 failed: Invalid input in step `UTF-8..ISO-8859-1'\n"),
        (
            "recode -d latin1..utf8 latin1",
            "recode: option -d is not supported here; `recode --help` lists those that are\n",
        ),
        ("file ascii", "file: only -i and --mime-encoding are supported here"),
        ("dos2unix -iso dos", "dos2unix: option -iso is not supported here"),
        ("isutf8 -z", "isutf8: option -z is not supported here"),
        ("convmv --lower -f utf8 -t utf8 ascii", "convmv: option --lower is not supported here"),
        ("convmv -rx ascii", "convmv: option -x is not supported here"),
        ("isutf8 nope", "isutf8: nope: No such file or directory\n"),
        ("uchardet --$(printf '\\033')[31m", "\\x1b[31m"),
    ] {
        let (status, text, ran) = run(line, None);
        assert_eq!((status, text.as_str()), (1, ""), "{line}");
        ran.mentions(&[part]);
    }
}

#[test]
fn help_and_version() {
    for name in NAMES {
        let ran = run(&format!("{name} --help"), None).2;
        ran.ends(0).says("");
        let text = String::from_utf8(ran.stdout).unwrap();
        assert!(text.starts_with(&format!("Usage: {name} ")), "{text}");
        assert!(text.ends_with(&format!("This is placemat under the name {name}: placemat --help\n")));
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    }
    let version = format!("dos2unix (placemat) {}\n", env!("CARGO_PKG_VERSION"));
    run("dos2unix -V", None).2.writes(version);
}

/// The file itself changes as a whole or not at all, and keeps its rights.
#[test]
fn files_are_safe() {
    use std::os::unix::fs::PermissionsExt as _;
    let d = folder();
    let recode = d.path("bin").join("recode");
    std::fs::set_permissions(d.path("latin1"), std::fs::Permissions::from_mode(0o640)).unwrap();
    let before = d.path("latin1").metadata().unwrap();
    Run::of(&recode).args("latin1..utf8 latin1").within(&d).run().writes("");
    let after = d.path("latin1").metadata().unwrap();
    assert_eq!(d.read("latin1"), d.read("utf8"));
    assert_eq!(
        (before.modified().unwrap(), 0o640),
        (after.modified().unwrap(), after.permissions().mode() & 0o777)
    );
    d.write("bad", b"caf\xC3\xA9 \xFF");
    Run::of(&recode).args("utf8..latin1 bad").within(&d).run().ends(1);
    assert_eq!(d.read("bad"), b"caf\xC3\xA9 \xFF");
}

/// No Debian has the program; the lines are from its manual, and what they write is what Java reads.
#[test]
fn escapes_of_java() {
    for (line, want) in [
        ("native2ascii < utf8", "na\\u00efve caf\\u00e9, d\\u00e9j\\u00e0 vu: \\u00e9l\\u00e8ve\n"),
        (
            "native2ascii -encoding 8859_1 latin1",
            "na\\u00efve caf\\u00e9, d\\u00e9j\\u00e0 vu: \\u00e9l\\u00e8ve\n",
        ),
        ("printf 'a\\\\tb=\\360\\237\\230\\200' | native2ascii", "a\\tb=\\ud83d\\ude00"),
        ("native2ascii utf8 new && native2ascii -reverse new && rm new", "naïve café, déjà vu: élève\n"),
        ("native2ascii utf8 | native2ascii -reverse -encoding ISO-8859-1 | cmp - latin1", ""),
    ] {
        let (status, text, ran) = run(line, None);
        assert_eq!((status, text), (0, want.as_bytes().escape_ascii().to_string()), "{line}: {}", ran.stderr);
    }
    for (line, part) in [
        ("native2ascii latin1", "latin1:1:3: "),
        ("native2ascii -encoding", "native2ascii: -encoding needs the name of an encoding\n"),
        ("native2ascii -encoding utf9 utf8", "did you mean utf-8?"),
        ("native2ascii -Jx", "native2ascii: option -Jx is not supported here"),
        ("native2ascii a b c", "native2ascii: there are an INPUT and an OUTPUT at most\n"),
    ] {
        let (status, _, ran) = run(line, None);
        assert_eq!(status, 1, "{line}");
        ran.mentions(&[part]);
    }
}
