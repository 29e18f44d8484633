//! `iconv`: the results of glibc's iconv for the same arguments.

mod table;

use crate::run::{Directory, Run, placemat, utf16le};
use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;

/// Every command does the same as glibc's `iconv`, or differs on purpose.
#[test]
fn commands_do_what_iconv_does() {
    let rows = table::rows();
    let mut wrong = Vec::new();
    // Several rows run at the same time.
    let done: Vec<_> = std::thread::scope(|scope| {
        let part = |rows| {
            scope.spawn(move || {
                <[table::Row]>::iter(rows).map(|row| table::run(row, None)).collect::<Vec<_>>()
            })
        };
        let parts: Vec<_> = rows.chunks(rows.len().div_ceil(4)).map(part).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    });
    for (row, done) in rows.iter().zip(done) {
        let wanted = row.ours.as_ref().map_or(&row.theirs, |(_, ours)| ours);
        if done != *wanted {
            wrong.push(format!("$ {}\nwanted:\n{wanted:?}got:\n{done:?}", row.command));
        }
        if let Some((why, ours)) = &row.ours {
            assert!(!why.is_empty() && *ours != row.theirs, "{}", row.command);
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    let differ = rows.iter().filter(|row| row.ours.is_some()).count();
    assert!(rows.len() - differ >= 400, "{} rows, of which {differ} differ", rows.len());
}

/// Compares the table with glibc's own `iconv`, with `PLACEMAT_LONG=1`. With `PLACEMAT_RECORD=1`
/// too, the table is rewritten:
/// `PLACEMAT_LONG=1 PLACEMAT_RECORD=1 cargo test -p placemat-cli --test suite iconv::the_table`.
#[test]
fn the_table_is_what_iconv_does() {
    let Some(iconv) = real_iconv() else { return };
    let mut rows = table::rows();
    let locales = locales(&table::locales(&rows));
    let iconv = table::Other { program: iconv, locales: &locales.path("") };
    let record = std::env::var_os("PLACEMAT_RECORD").is_some();
    for row in &mut rows {
        let done = table::run(row, Some(iconv));
        if record {
            row.theirs = done;
            if row.ours.as_ref().is_some_and(|(_, ours)| *ours == row.theirs) {
                row.ours = None;
            }
        } else {
            assert_eq!(done, row.theirs, "$ {}", row.command);
        }
    }
    if record {
        table::write(&rows);
    }
}

/// Returns glibc's program for long tests, if there is one.
fn real_iconv() -> Option<&'static Path> {
    std::env::var_os("PLACEMAT_LONG")?;
    let iconv = Path::new("/usr/bin/iconv");
    let version = Run::of(iconv).arg("--version").try_run()?;
    String::from_utf8_lossy(&version.stdout).to_lowercase().contains("libc").then_some(iconv)
}

/// Compiles locales of glibc from their definitions into a folder for its `LOCPATH`.
fn locales(names: &[String]) -> Directory {
    let d = Directory::new();
    // The locale C.UTF-8 exists without definitions.
    let done = std::process::Command::new("cp")
        .args(["-r", "/usr/lib/locale/C.utf8"])
        .arg(d.path("C.UTF-8"))
        .status()
        .unwrap();
    assert!(done.success());
    for name in names {
        let definition = name.strip_suffix(".UTF-8").unwrap();
        let done = Run::of(Path::new("localedef"))
            .args(&format!("-c --no-archive -f UTF-8 -i {definition}"))
            .arg(d.path(name))
            .run();
        assert!(done.status <= 1 && d.path(name).join("LC_CTYPE").exists(), "{name}: {}", done.stderr);
    }
    d
}

/// Every transliteration of glibc in a locale is the same here.
#[test]
fn what_is_similar_is_so_in_glibc() {
    let Some(iconv) = real_iconv() else { return };
    let named = "de_DE da_DK am_ET az_AZ eu_FR hr_HR hu_HU lb_LU mn_MN pa_PK ro_RO sr_RS tk_TM tr_TR uk_UA uz_UZ \
                 vi_VN wa_BE yi_US en_US sv_SE";
    let named: Vec<_> = named.split_whitespace().collect();
    let folder = locales(&named.iter().map(|name| format!("{name}.UTF-8")).collect::<Vec<_>>());
    // The first locale takes all code points; others leave out most Chinese characters and Hangul.
    let all: Vec<char> = ('\u{80}'..=char::MAX).collect();
    let most: Vec<char> =
        all.iter().copied().filter(|c| !matches!(c, '\u{3400}'..='\u{F8FF}' | '\u{20000}'..)).collect();
    let targets = ["ascii", "iso-8859-1", "iso-8859-2", "iso-8859-15", "iso-8859-7", "koi8-r", "cp1252"];
    let mut others = Vec::new();
    for name in ["C", "C.UTF-8"].into_iter().chain(named.iter().copied()) {
        let locale = if name.starts_with('C') { name.to_owned() } else { format!("{name}.UTF-8") };
        // In these locales, glibc stops at characters without a similar text, or with `-c` leaves
        // them out.
        let refuses = matches!(name, "az_AZ" | "tr_TR");
        for target in targets {
            let some = if (name, target) == ("C.UTF-8", "ascii") { &all } else { &most };
            let text: String = some.iter().flat_map(|&c| ['\u{1}', c, '\u{2}']).collect();
            let arguments = format!("-c -f utf-8 -t {target}//TRANSLIT");
            let of = |run: Run| {
                let ran = run.args(&arguments).env("LC_ALL", &locale).reads(&*text).run();
                ran.stdout.split(|&byte| byte == 2).map(<[u8]>::to_vec).collect::<Vec<_>>()
            };
            let theirs = of(Run::of(iconv).env("LOCPATH", folder.path("").to_str().unwrap()));
            let ours = of(placemat("iconv"));
            assert_eq!(theirs.len(), ours.len(), "{locale} {target}");
            for ((c, theirs), ours) in some.iter().zip(&theirs).zip(&ours) {
                let gives_up = theirs == b"\x01?" || refuses && theirs == b"\x01";
                if theirs != ours && !gives_up {
                    others.push(format!("{locale} {target} {c:?}: {theirs:?}, {ours:?}"));
                }
            }
        }
    }
    assert!(others.is_empty(), "{}: {:?}", others.len(), &others[..others.len().min(50)]);
}

#[test]
fn names() {
    let ran = placemat("iconv -l").run();
    ran.ends(0).says("");
    let text = String::from_utf8(ran.stdout).unwrap();
    let names: Vec<_> = text.lines().collect();
    assert!(names.len() > 1000 && names.iter().all(|name| name.ends_with("//") && !name.contains(' ')));
    assert!(names.is_sorted_by_key(|name| name.trim_end_matches('/')));
    for name in
        ["UTF-8//", "LATIN1//", "ISO-8859-1//", "CP1252//", "WCHAR_T//", "EUC-CN//", "ANSI_X3.4-1968//"]
    {
        assert!(names.contains(&name), "{name}");
    }
    placemat("iconv --list").run().writes(&text);
    // Each listed name works as an argument.
    for name in names.iter().step_by(97) {
        placemat("iconv -t utf-8 -f").arg(name).run().writes("");
    }
    // Compare the number with glibc's.
    let Some(iconv) = real_iconv() else { return };
    let theirs = String::from_utf8(Run::of(iconv).arg("-l").run().stdout).unwrap();
    let missing: Vec<_> = theirs
        .lines()
        .filter(|name| placemat("iconv -t utf-8 -f").arg(name.trim_end_matches('/')).run().status != 0)
        .collect();
    assert!(missing.len() <= 80, "{}: {missing:?}", missing.len());
}

#[test]
fn messages() {
    for (args, stdin, status, want) in [
        ("-f utf-8 -t utf-8", &b"a\xFFb"[..], 1, "iconv: illegal input sequence at position 1\n"),
        ("-f utf-8 -t latin1", "ab€".as_bytes(), 1, "iconv: illegal input sequence at position 2\n"),
        (
            "-f utf-8 -t utf-8",
            b"\xE2\x82",
            1,
            "iconv: incomplete character or shift sequence at end of buffer\n",
        ),
        (
            "-f utf-8 -t latin1//IGNORE",
            "a€\u{FF}".as_bytes(),
            1,
            "iconv: illegal input sequence at position 1\n",
        ),
        ("missing", b"", 1, "iconv: cannot open input file `missing': No such file or directory\n"),
    ] {
        let said = |more: &str| placemat("iconv").args(args).args(more).reads(stdin).run();
        said("-s").ends(status).says(want);
        // People get more lines, below.
        let ran = said("");
        assert!(ran.status == status && ran.stderr.starts_with(want), "{args}: {}", ran.stderr);
        said("-q").ends(status).says("");
    }
    placemat("iconv -f utf-8 -t latin1")
        .reads("ab€")
        .run()
        .mentions(&["<stdin>: ISO-8859-1 cannot represent U+20AC EURO SIGN"]);
    let hint = "Try `iconv --help' or `iconv --usage' for more information.\n";
    for (args, status, want) in [
        ("-z", 64, "iconv: invalid option -- 'z'\n".to_owned()),
        ("--foo", 64, "iconv: unrecognized option '--foo'\n".to_owned()),
        ("-f", 64, "iconv: option '--from-code' requires an argument\n".to_owned()),
        (
            "-t utf9 -f utf-8",
            1,
            "iconv: conversion to `utf9' is not supported\niconv: unknown encoding \"utf9\" (did you mean utf-8?)\n"
                .to_owned(),
        ),
    ] {
        placemat("iconv").args(args).run().ends(status).says(&format!("{want}{hint}"));
    }
    placemat("iconv -f qqqq -t zzzz")
        .run()
        .ends(1)
        .mentions(&["conversions from `qqqq' and to `zzzz' are not"]);
    placemat("iconv -f").arg("a\u{1B}[31m\u{202E}").run().ends(1).mentions(&["`a\\x1b[31m\\u{202e}'"]);
    placemat("iconv").arg("--\u{1B}[31m").run().ends(64).mentions(&["\\x1b[31m"]);
    let verbose = placemat("iconv --verbose -f latin1 -t utf-8 missing -").reads("a").run();
    verbose.ends(1).wrote("a").mentions(&["missing:\niconv: cannot open", "-:\n"]);
}

#[test]
fn help_usage_and_version() {
    for args in ["iconv --help", "iconv -?", "iconv --he", "help iconv"] {
        let ran = placemat(args).run();
        ran.ends(0).says("");
        let text = String::from_utf8(ran.stdout).unwrap();
        for word in [
            "Usage: iconv [OPTION]... [FILE]...",
            "drop-in replacement",
            "--from-code",
            "--unicode-subst",
            "Exit status:",
        ] {
            assert!(text.contains(word), "{args}: {word} in {text}");
        }
    }
    placemat("iconv --usage").run().writes("Usage: iconv [OPTION]... [FILE]...\n");
    for args in ["iconv --version", "iconv -V"] {
        placemat(args).run().writes(format!("iconv (placemat) {}\n", env!("CARGO_PKG_VERSION")));
    }
    // The global options may come before and after.
    placemat("-q iconv -f utf-8 -t latin1").reads("€").run().ends(1).says("");
    placemat("iconv -f latin1 -t utf-8 --isa portable").reads(*b"\xE9").run().writes("é");
}

#[test]
fn substitutes() {
    let text = "a€\u{1F600}é";
    placemat("iconv -f utf-8 -t ascii")
        .arg("--unicode-subst=<U+%04X>")
        .reads(text)
        .run()
        .writes("a<U+20AC><U+1F600><U+00E9>");
    placemat("iconv -f utf-8 -t latin1 --unicode-subst &#%d;")
        .reads(text)
        .run()
        .writes(b"a&#8364;&#128512;\xE9");
    placemat("iconv -f utf-8 -t utf-8 --byte-subst=<%02x>")
        .reads(*b"a\xFF\xE2\x82b")
        .run()
        .writes("a<ff><e2><82>b");
    placemat("iconv -f utf-8 -t ascii --byte-subst=? --unicode-subst=! -c")
        .reads("a\u{E9}")
        .run()
        .writes("a!");
    // Transliteration takes precedence; an incomplete sequence at the end is still reported.
    placemat("iconv -f utf-8 -t ascii//TRANSLIT --unicode-subst=!").reads("é").run().writes("e");
    placemat("iconv -f utf-8 -t ascii --byte-subst=?").reads(*b"a\xE2\x82").run().ends(1).wrote("a");
    placemat("iconv -f latin1 -t utf-8 --widechar-subst=%x").reads("a").run().writes("a");
    placemat("iconv --unicode-subst=%s").run().ends(64).wrote("").mentions(&["%d, %u, %o, %x, %X"]);
    let long = format!("--unicode-subst={}", "€".repeat(200));
    placemat("iconv -f utf-8 -t utf-8").arg(&long).reads("é").run().writes("é");
    placemat("iconv -f latin1 -t cp1252").arg("--byte-subst=x").reads(*b"\x81").run().ends(1);
    // A precision of 0 writes nothing for zero, as `printf` does in C and in shells.
    placemat("iconv -f utf-16be -t utf-8 --byte-subst=<%.0x>").reads(*b"\xD8\0\0a").run().writes("<d8><>a");
}

/// Both substitutes are as long as they may be: one byte becomes characters of which each becomes a text, in one call.
#[test]
fn a_substitute_of_substitutes_has_room() {
    placemat("iconv -f utf-8 -t ascii")
        .arg(format!("--byte-subst={}", "é".repeat(447)))
        .arg(format!("--unicode-subst={}", "x".repeat(894)))
        .reads(*b"a\xFFb")
        .run()
        .writes(format!("a{}b", "x".repeat(447 * 894)));
}

#[cfg(unix)]
#[test]
fn under_its_name() {
    use std::os::unix::fs::symlink;
    let d = Directory::new();
    let link = d.path("iconv");
    symlink(env!("CARGO_BIN_EXE_placemat"), &link).unwrap();
    Run::of(&link).args("-f latin1 -t utf-16le").reads(*b"\xE9").run().writes(utf16le("é"));
    let ran = Run::of(&link).arg("--help").run();
    ran.ends(0).says("");
    assert!(String::from_utf8(ran.stdout).unwrap().contains("Usage: iconv [OPTION]... [FILE]..."));
    Run::of(&link).arg("-z").run().ends(64).mentions(&["iconv: invalid option -- 'z'"]);
    // A file with the name of a command is a file.
    Run::of(&link).args("-f utf-8 -t utf-8 check").within(&d).run().ends(1).mentions(&["`check'"]);
    let hard = d.path("ICONV.exe");
    if fs::hard_link(env!("CARGO_BIN_EXE_placemat"), &hard).is_ok() {
        Run::of(&hard).args("-f latin1 -t utf-8").reads(*b"\xE9").run().writes("é");
    }
}

/// The input is read to its end before it is replaced.
#[test]
fn output_that_is_the_input() {
    let d = Directory::new();
    let old = b"caf\xE9\n".repeat(100_000);
    let new = "café\n".repeat(100_000);
    for (args, want) in [
        ("-o f f", new.clone()),
        ("f -o ./f", new.clone()),
        ("-o f g f", format!("gÿ\n{new}")),
        ("-o f f g", format!("{new}gÿ\n")),
    ] {
        d.write("f", &old);
        d.write("g", b"g\xFF\n");
        placemat("iconv -f latin1 -t utf-8").args(args).within(&d).run().writes("");
        assert!(d.read("f") == want.as_bytes(), "{args}");
    }
    // An error leaves the old text, even after much was converted.
    let bad = [new.as_bytes(), b"\xFF"].concat();
    d.write("f", &bad);
    let ran = placemat("iconv -f utf-8 -t latin1 -o f f").within(&d).run();
    ran.ends(1)
        .mentions(&["iconv: illegal input sequence at position 600000\n", "iconv: f: left as it was\n"]);
    assert!(d.read("f") == bad);
    placemat("iconv -s -f utf-8 -t latin1 -o f f missing").within(&d).run().ends(1);
    assert!(d.read("f") == bad);
    // Omissions on request are not an error.
    placemat("iconv -c -f utf-8 -t latin1 -o f f").within(&d).run();
    assert!(d.read("f") == old);
    // A new file contains the text before the error, as glibc's does.
    d.write("h", b"ab\xFF");
    placemat("iconv -f utf-8 -t latin1 -o new h").within(&d).run().ends(1);
    assert_eq!(d.read("new"), b"ab");
    // A file that is appended to would grow while it is read.
    let append = || fs::OpenOptions::new().append(true).open(d.path("h")).unwrap();
    let refusal = "iconv: h: input and output are the same file\n";
    placemat("iconv -f latin1 -t utf-8 h").within(&d).run_to(append().into()).ends(1).says(refusal);
    assert_eq!(d.read("h"), b"ab\xFF");
    assert_eq!(fs::read_dir(d.path("")).unwrap().count(), 4);
}

#[cfg(unix)]
#[test]
fn unreadable_and_unwritable() {
    use std::os::unix::fs::PermissionsExt;
    let d = Directory::new();
    let locked = d.write("locked", "x");
    d.write("a", "a");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    // Root can read every file.
    if File::open(&locked).is_err() {
        placemat("iconv -f latin1 -t utf-8 locked a")
            .within(&d)
            .run()
            .ends(1)
            .wrote("a")
            .says("iconv: cannot open input file `locked': Permission denied\n");
    }
    placemat("iconv -f latin1 -t utf-8 -o no/such a")
        .within(&d)
        .run()
        .ends(1)
        .says("iconv: cannot open output file: No such file or directory\n");
    placemat("iconv -f latin1 -t utf-8 .")
        .within(&d)
        .run()
        .ends(1)
        .mentions(&["error while reading the input"]);
    if let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") {
        let ran = placemat("iconv -f latin1 -t utf-8 a").within(&d).run_to(full.into());
        ran.ends(1).says("iconv: unable to write output: No space left on device\n");
    }
}

#[test]
fn a_closed_pipe_is_taken_quietly() {
    let mut command = placemat("iconv -f latin1 -t utf-8").command;
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    {
        use std::io::Write as _;
        let mut stdin = child.stdin.take().unwrap();
        let _ = stdin.write_all(&vec![b'a'; 1 << 20]);
    }
    let output = child.wait_with_output().unwrap();
    // SIGPIPE ends it, as it ends glibc's.
    assert!(!output.status.success());
    assert_eq!(output.stderr, b"");
}

/// A sequence may span two pieces, or be truncated at their boundary, at any offset.
#[test]
fn borders_of_buffers() {
    const PIECE_BYTES: usize = 128 * 1024;
    let d = Directory::new();
    for shift in 1..=4 {
        let text = "a".repeat(PIECE_BYTES - shift) + "😀€é";
        d.write("f", &text);
        placemat("iconv -f utf-8 -t utf-16le f").within(&d).run().writes(utf16le(&text));
        let cut = &text.as_bytes()[..PIECE_BYTES - shift + 3];
        d.write("f", cut);
        let ran = placemat("iconv -c -s -f utf-8 -t latin1 f").within(&d).run();
        ran.ends(1).wrote(&cut[..PIECE_BYTES - shift]);
        ran.says("iconv: incomplete character or shift sequence at end of buffer\n");
        let bad = [&cut[..PIECE_BYTES - shift], b"\xFF\xE2\x82\xACz"].concat();
        d.write("f", &bad);
        let ran = placemat("iconv -s -f utf-8 -t latin1 f").within(&d).run();
        ran.ends(1).wrote(&bad[..PIECE_BYTES - shift]);
        ran.says(&format!("iconv: illegal input sequence at position {}\n", PIECE_BYTES - shift));
        placemat("iconv -c -f utf-8 -t latin1 f")
            .within(&d)
            .run()
            .writes([&cut[..PIECE_BYTES - shift], b"z"].concat());
    }
}

#[test]
fn every_file_is_a_text() {
    let d = Directory::new();
    d.write("le", b"\xFF\xFEa\0");
    d.write("be", b"\xFE\xFF\0b");
    d.write("jis", b"\x1B$BF|");
    placemat("iconv -f utf-16 -t utf-8 le be le").within(&d).run().writes("aba");
    placemat("iconv -f utf-16 -t utf-16 be be").within(&d).run().writes(b"\xFF\xFEb\0\xFF\xFEb\0");
    placemat("iconv -f iso-2022-jp -t iso-2022-jp jis jis")
        .within(&d)
        .run()
        .writes(b"\x1B$BF|\x1B(B\x1B$BF|\x1B(B");
}

/// UTF-8-MAC, which GNU libiconv has on macOS, and the names that promise a text without signature.
#[test]
fn names_that_ask_for_more() {
    let iconv = |args: &str| placemat(&format!("iconv {args}"));
    iconv("-f utf-8 -t utf-8-mac").reads("é≠한").run().writes("e\u{301}≠\u{1112}\u{1161}\u{11AB}");
    iconv("-f latin1 -t UTF8-MAC").reads(*b"\xE9").run().writes("e\u{301}");
    iconv("-f utf-8-mac -t utf-8").reads("e\u{301}Ω").run().writes("éΩ");
    iconv("-f utf-8-mac -t latin1").reads("e\u{301}x").run().writes(b"\xE9x");
    iconv("-f utf-8-mac -t utf-8-mac").reads("é\u{316}").run().writes("e\u{316}\u{301}");
    iconv("-f utf-8-mac -t ascii//TRANSLIT").reads("a\u{308}").run().writes("a");
    // Offsets count bytes of the file.
    let ran = iconv("-f utf-8-mac -t latin1").reads("e\u{301}z€a").run();
    ran.ends(1).wrote(b"\xE9z").mentions(&["at position 4\n", "EURO SIGN"]);
    let ran = iconv("-f utf-8-mac -t latin1").reads(b"e\xCC\x81\xFFa".to_vec()).run();
    ran.ends(1).wrote(b"\xE9").mentions(&["at position 3\n"]);
    iconv("-c -f utf-8-mac -t latin1")
        .reads(b"e\xCC\x81\xFF\xE2\x82\xACa".to_vec())
        .run()
        .ends(0)
        .wrote(b"\xE9a");
    iconv("-f utf-8-mac -t utf-8").reads(b"a\xCC".to_vec()).run().ends(1).wrote("a");
    // A mark at the boundary of two pieces, and more marks than a piece has.
    let long = format!("{}e\u{301}", "a".repeat(128 * 1024 - 1));
    iconv("-f utf-8-mac -t latin1")
        .reads(long)
        .run()
        .ends(0)
        .wrote([&[b'a'; 128 * 1024 - 1][..], b"\xE9"].concat());
    let marks = "\u{301}".repeat(200_000);
    iconv("-f utf-8 -t utf-8-mac").reads(marks.as_str()).run().ends(0).wrote(marks.as_str());

    for to in ["utf-8n", "utf-8-nobom", "UTF8N//IGNORE"] {
        iconv(&format!("-f utf-8 -t {to}")).reads("\u{FEFF}\u{FEFF}a").run().writes("\u{FEFF}a");
        iconv(&format!("-f utf-16le -t {to}")).reads(*b"\xFF\xFEa\0").run().writes("a");
    }
    iconv("-f utf-8n -t utf-8").reads("\u{FEFF}a").run().writes("\u{FEFF}a");
    iconv("-f utf-8b -t utf-8").run().ends(1).mentions(&["surrogateescape"]);
    let names = iconv("-l").run().stdout;
    assert!(names.windows(11).any(|name| name == b"UTF-8-MAC//"));
}
