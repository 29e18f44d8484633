//! Arguments, help, `encodings`, `completions`, `man`, colors.

use crate::run::placemat;
use serde_json::Value;

#[test]
fn unknown_encodings_come_with_a_suggestion() {
    for (args, want) in [
        ("convert -f utf9", "placemat: unknown encoding \"utf9\" (did you mean utf-8?)\n"),
        ("convert -t utf16bee", "placemat: unknown encoding \"utf16bee\" (did you mean utf-16be?)\n"),
        ("convert -f lattin1", "placemat: unknown encoding \"lattin1\" (did you mean iso-8859-1?)\n"),
        ("encodings utf9", "placemat: unknown encoding \"utf9\" (did you mean utf-8?)\n"),
        ("convert -f qqqq", "placemat: unknown encoding \"qqqq\" (`placemat encodings` lists them)\n"),
        ("convert -f koi8-f", "placemat: encoding \"koi8-f\" is not supported\n"),
        ("check -f mulelao-1", "placemat: encoding \"mulelao-1\" is not supported\n"),
        ("convert -t CP9999", "placemat: encoding \"CP9999\" is not supported\n"),
    ] {
        placemat(args).run().ends(2).wrote("").says(want);
    }
}

#[test]
fn quiet_is_heeded_in_wrong_arguments() {
    for args in [
        "-q convert -f utf9",
        "check --no-such -q",
        "check -vq --no-such",
        "--quiet frobnicate",
        "-q",
        "convert -qe x",
    ] {
        placemat(args).run().ends(2).wrote("").says("");
    }
    placemat("check --no-such -- -q").run().ends(2).mentions(&["--no-such"]);
}

#[test]
fn the_last_of_repeated_options_wins() {
    placemat("convert -f utf-16le -f latin1 -e strict -e replace").reads(*b"\xE9").run().writes("é");
    placemat("--color never check -q -q -v -v --max 1 --max 2 --color auto")
        .reads(*b"\xFF")
        .run()
        .ends(1)
        .says("");
    placemat("convert --color always --color never --nonsense")
        .run()
        .ends(2)
        .mentions(&["placemat: unexpected"]);
}

#[test]
fn usage_errors_are_plain() {
    placemat("check --max x")
        .run()
        .ends(2)
        .says("placemat: --max takes a whole number, such as 10, and not \"x\"\n");
    placemat("inspect -n 1.5")
        .run()
        .ends(2)
        .says("placemat: --limit takes a whole number, such as 10, and not \"1.5\"\n");
    let ran = placemat("convert --no-such").run();
    assert!(ran.stderr.starts_with("placemat: unexpected argument '--no-such' found\n"), "{}", ran.stderr);
    let ran = placemat("").run();
    assert!(!ran.stderr.contains("error:"), "{}", ran.stderr);
}

#[test]
fn numbers_that_are_too_large_or_negative_are_refused() {
    for (args, option) in [
        ("check --max 99999999999999999999", "--max"),
        ("check -j 18446744073709551616", "--threads"),
        ("inspect -n 99999999999999999999", "--limit"),
    ] {
        let number = args.rsplit(' ').next().unwrap();
        placemat(args).run().ends(2).wrote("").says(&format!(
            "placemat: {option} takes a number up to 18446744073709551615, and not {number}\n"
        ));
    }
    placemat("check --max 18446744073709551615").reads("a").run().writes("");
    // A negative number is a value, not an unknown option.
    for (args, option) in
        [("check --max -1", "--max"), ("check -j -1", "--threads"), ("inspect -n -1", "--limit")]
    {
        placemat(args)
            .run()
            .ends(2)
            .wrote("")
            .says(&format!("placemat: {option} takes a whole number, such as 10, and not \"-1\"\n"));
    }
}

#[test]
fn words_to_choose_from_are_taken_in_any_case() {
    for (upper, lower) in [
        ("check --format JSONL", "check --format jsonl"),
        ("check --lint BIDI,Controls", "check --lint bidi,controls"),
        ("check --bom Forbid --span BYTE", "check --bom forbid --span byte"),
        ("convert --eol LF --bom KEEP -e Replace", "convert --eol lf --bom keep -e replace"),
        ("convert --normalize NFC --unmappable TRANSLIT", "convert --normalize nfc --unmappable translit"),
        ("convert -e replace --wrap BASE64", "convert -e replace --wrap base64"),
        ("count --format Jsonl", "count --format jsonl"),
        ("inspect --as HEX --color NEVER", "inspect --as hex --color never"),
        ("count --isa PORTABLE", "count --isa portable"),
        ("completions BASH", "completions bash"),
    ] {
        let text = b"\xEF\xBB\xBFa\r\n\xE2\x80\xAE\xFFe\xCC\x81";
        let ran = placemat(upper).reads(*text).run();
        let want = placemat(lower).reads(*text).run();
        assert_eq!((ran.status, &ran.stderr), (want.status, &want.stderr), "{upper}");
        ran.wrote(&want.stdout);
        assert!(want.status < 2, "{lower}: {}", want.stderr);
    }
    let ran = placemat("--COLOR=always --no-such").run();
    ran.ends(2);
    assert!(placemat("--color=ALWAYS --no-such").run().stderr.contains('\u{1B}'));
}

#[test]
fn labels_are_folded() {
    for label in ["UTF_16LE", "utf-16le", "utf16le", "CP1200"] {
        placemat(&format!("convert -f {label}")).reads("a\0").run().writes("a");
    }
}

#[test]
fn wrong_arguments() {
    for args in
        ["", "frobnicate", "convert --no-such", "convert -e nonsense", "convert --bom maybe", "completions"]
    {
        let ran = placemat(args).run();
        ran.ends(2).wrote("");
        assert!(
            ran.stderr.contains("Usage: ") || ran.stderr.contains("possible values"),
            "{args}: {}",
            ran.stderr
        );
    }
    // Options of later versions are refused.
    for args in ["convert -i x", "convert -t auto", "convert -r x"] {
        placemat(args).run().ends(2).wrote("");
    }
}

#[test]
fn every_level_of_instructions_gives_the_same_and_others_are_refused() {
    let text = "ASCII, Ünïcödé, 日本語, 😀 ".repeat(50);
    for isa in placemat::Isa::available() {
        for args in ["convert -t utf-16le", "count", "inspect -n 0"] {
            let plain = placemat(args).reads(&*text).run();
            let ran = placemat(args).arg("--isa").arg(isa.name()).reads(&*text).run();
            ran.writes(&plain.stdout);
        }
    }
    placemat("count --isa mmx").run().ends(2).wrote("").says(&format!(
        "placemat: --isa \"mmx\": no such level; this machine can run {}\n",
        placemat::Isa::available().map(placemat::Isa::name).collect::<Vec<_>>().join(" ")
    ));
    let foreign = if cfg!(target_arch = "aarch64") { "avx2" } else { "neon" };
    let ran = placemat("count --isa").arg(foreign).run();
    ran.ends(2).wrote("");
    assert!(ran.stderr.contains(&format!("this machine cannot run {foreign}; it can run portable")));
}

#[test]
fn the_documentation_states_the_version_of_unicode() {
    let (major, minor, update) = placemat::UNICODE_VERSION;
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (path, words) in [
        ("docs/trust/README.md", format!("All data is of Unicode {major}.{minor}.{update}.")),
        ("docs/guides/python.md", format!("'{major}.{minor}.{update}'")),
        ("CHANGELOG.md", format!("are of Unicode {major}.{minor};")),
    ] {
        assert!(std::fs::read_to_string(root.join(path)).unwrap().contains(&words), "{path}: {words}");
    }
}

#[test]
fn help_and_version() {
    let ran = placemat("-V").run();
    ran.writes(format!("placemat {}\n", env!("CARGO_PKG_VERSION")));
    let levels: Vec<_> = placemat::Isa::available().map(placemat::Isa::name).collect();
    let (major, minor, update) = placemat::UNICODE_VERSION;
    let ran = placemat("--version").run();
    ran.writes(format!(
        "placemat {}\nUnicode {major}.{minor}.{update}\nlevels: {} (the last is used)\n",
        env!("CARGO_PKG_VERSION"),
        levels.join(" ")
    ));
    let short = placemat("-h").run();
    let long = placemat("--help").run();
    let sub = placemat("convert --help").run();
    for (ran, words) in [
        (
            &short,
            &["check", "convert", "inspect", "count", "truncate", "encodings", "iconv", "completions", "man"]
                [..],
        ),
        (&long, &["Examples:", "Exit status:"]),
        (&sub, &["--unmappable", "xmlcharrefreplace", "Examples:", "surrogateescape", "--eol"]),
    ] {
        ran.ends(0).says("");
        let text = String::from_utf8_lossy(&ran.stdout);
        for word in words {
            assert!(text.contains(word), "{word}");
        }
        assert!(!text.contains('\u{1B}'));
    }
    placemat("help check").run().writes(&placemat("check --help").run().stdout);
    // Paragraphs are wrapped once, to 80 columns: all lines except the last are nearly full.
    for command in ["check", "inspect", "count", "truncate", "encodings"] {
        let text = String::from_utf8(placemat(command).arg("--help").run().stdout).unwrap();
        for paragraph in
            text.split("\n\n").filter(|text| ["A line", "Labels"].iter().any(|start| text.starts_with(start)))
        {
            let lines: Vec<_> = paragraph.lines().collect();
            for line in &lines[..lines.len() - 1] {
                assert!((60..=80).contains(&line.len()), "{command}: {line}");
            }
        }
    }
}

#[test]
fn encodings() {
    let table = placemat("encodings").run();
    table.ends(0).says("");
    let table = String::from_utf8(table.stdout).unwrap();
    let json = placemat("encodings --format jsonl").run();
    let json: Vec<Value> = json
        .stdout
        .split(|&b| b == b'\n')
        .filter(|l| !l.is_empty())
        .map(|l| serde_json::from_slice(l).unwrap())
        .collect();
    assert_eq!(json.len(), placemat::Encoding::ALL.len());
    assert_eq!(table.lines().count(), json.len() + 1);
    for encoding in &json {
        let name = encoding["name"].as_str().unwrap();
        assert!(table.lines().any(|line| line.starts_with(name)), "{name}");
    }
    // Starting the program takes longer than the work itself, so only some encodings are tried.
    for encoding in json.iter().step_by(9) {
        let name = encoding["name"].as_str().unwrap();
        // Each encoding is explained, under its name and each of its labels.
        let one = placemat("encodings").arg(name).run();
        one.ends(0).says("");
        let text = String::from_utf8_lossy(&one.stdout);
        // Sentences span several lines.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.starts_with(name) && text.contains(encoding["about"].as_str().unwrap()), "{text}");
        assert!(text.contains(encoding["specified_in"].as_str().unwrap()), "{text}");
        if let Some(label) = encoding["labels"].get(0) {
            let by_label = placemat("encodings").arg(label.as_str().unwrap()).run();
            by_label.ends(0);
            let by_label = String::from_utf8(by_label.stdout).unwrap();
            // The page of a label is the page of the encoding, with some lines about the label.
            let (before, after) = by_label.split_once("this label").unwrap();
            let (_, after) = after.split_once("labels of IANA").unwrap();
            assert_eq!(format!("{before}labels of IANA{after}").as_bytes(), one.stdout);
        }
    }
    let one = String::from_utf8(placemat("encodings latin1").run().stdout).unwrap();
    assert!(one.contains("1 byte for a code point"), "{one}");
    let one = String::from_utf8(placemat("encodings win1251").run().stdout).unwrap();
    for part in
        ["windows-1251\n", "x-cp1251", "Windows programs", "read, for old documents", "always and only"]
    {
        assert!(one.contains(part), "{one}");
    }
    let one = String::from_utf8(placemat("encodings UTF7").run().stdout).unwrap();
    let one = one.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(one.contains("2b 2f 76 38 2d") && one.contains("unsafe for markup"), "{one}");
    let one = placemat("encodings utf-8 --format jsonl").run();
    let one: Value = serde_json::from_slice(&one.stdout).unwrap();
    assert_eq!(one["signature"], "ef bb bf");
    assert_eq!(one["max_bytes"], 4);
    assert_eq!(one["ascii_compatible"], true);
}

#[test]
fn completions() {
    for (shell, words) in [
        ("bash", &["_placemat()", "complete -F"][..]),
        ("zsh", &["#compdef placemat"]),
        ("fish", &["complete -c placemat"]),
        ("powershell", &["Register-ArgumentCompleter"]),
        ("elvish", &["edit:completion:arg-completer[placemat]"]),
    ] {
        let ran = placemat(&format!("completions {shell}")).run();
        ran.ends(0).says("");
        let text = String::from_utf8(ran.stdout).unwrap();
        for word in words.iter().copied().chain(
            ["encodings", "surrogateescape", "utf-16le", "--unmappable", "--unicode-subst"]
                .into_iter()
                .skip(if matches!(shell, "powershell" | "elvish") { 5 } else { 0 }),
        ) {
            // fish writes options without their dashes.
            let word = if shell == "fish" { word.trim_start_matches("--") } else { word };
            assert!(text.contains(word), "{shell}: {word}");
        }
    }
    placemat("completions tcsh").run().ends(2);
}

#[test]
fn man_page() {
    let ran = placemat("man").run();
    ran.ends(0).says("");
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(text.starts_with(".ie"), "{}", &text[..60]);
    for command in
        ["CHECK", "CONVERT", "INSPECT", "COUNT", "TRUNCATE", "ENCODINGS", "ICONV", "COMPLETIONS", "MAN"]
    {
        assert!(text.contains(&format!(".SH \"PLACEMAT {command}\"")), "{command}");
    }
    for word in [
        ".SH NAME",
        ".SH SYNOPSIS",
        ".SH COMMANDS",
        "xmlcharrefreplace",
        ".SH \"EXIT STATUS\"",
        ".TH placemat 1",
    ] {
        assert!(text.contains(word), "{word}");
    }
    // The global options are listed once.
    assert_eq!(text.matches("NO_COLOR").count(), 1);
}

#[test]
fn colors() {
    let colored = |run: crate::run::Run| run.reads(*b"\xFF").run().stderr.contains("\u{1B}[");
    assert!(!colored(placemat("convert")), "a pipe takes none");
    assert!(colored(placemat("convert --color always")));
    assert!(colored(placemat("--color=always convert")));
    assert!(colored(placemat("convert").env("CLICOLOR_FORCE", "1")));
    assert!(!colored(placemat("convert --color never").env("CLICOLOR_FORCE", "1")));
    assert!(colored(placemat("convert --color always").env("NO_COLOR", "1")));
    // Colors that are off stay off, whichever variable asks; an empty variable does not count.
    assert!(!colored(placemat("convert").env("CLICOLOR_FORCE", "0")));
    assert!(!colored(placemat("convert").env("CLICOLOR_FORCE", "")));
    assert!(!colored(placemat("convert").env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1")));
    assert!(colored(placemat("convert").env("CLICOLOR_FORCE", "1").env("NO_COLOR", "")));
    let ran = placemat("--color always --no-such").run();
    assert!(ran.status == 2 && ran.stderr.contains("\u{1B}["), "{}", ran.stderr);
    let ran = placemat("--color always --help").run();
    assert!(ran.status == 0 && ran.stdout.contains(&0x1B));
    assert!(!placemat("--help").run().stdout.contains(&0x1B), "a pipe takes none");
    assert!(!placemat("--help").env("CLICOLOR_FORCE", "0").run().stdout.contains(&0x1B));
    assert!(placemat("--help").env("CLICOLOR_FORCE", "1").run().stdout.contains(&0x1B));
}

/// The colored help has the text of the plain one, and its headings share one style.
#[test]
fn colors_of_the_help() {
    for command in
        ["", "check", "convert", "inspect", "count", "truncate", "encodings", "iconv", "completions", "man"]
    {
        for flag in ["-h", "--help"] {
            let of = |color: &str| {
                let stdout = placemat(&format!("{command} {flag} --color {color}")).run().stdout;
                String::from_utf8(stdout).unwrap()
            };
            let (plain, colored) = (of("never"), of("always"));
            assert!(!plain.contains('\u{1B}') && colored.contains('\u{1B}'), "{command} {flag}");
            let mut stripped = String::new();
            let mut pieces = colored.split("\u{1B}[");
            stripped.push_str(pieces.next().unwrap());
            for piece in pieces {
                stripped.push_str(piece.split_once('m').unwrap().1);
            }
            assert_eq!(stripped, plain, "{command} {flag}");
            let headings = |line: &&str| {
                let end = line.trim_end_matches("\u{1B}[0m").ends_with(':');
                end && !line.starts_with(' ') && line.chars().any(char::is_uppercase)
            };
            let styled = colored.lines().filter(headings).filter(|line| !line.starts_with("\u{1B}[1m"));
            assert_eq!(styled.collect::<Vec<_>>(), [""; 0], "{command} {flag}");
        }
    }
}
