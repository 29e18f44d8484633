//! Other programs as judges, which `.ci/judges` installs: they read the same text, with the same
//! U+FFFD, accept the same bytes, and read what the library writes. The number of differences, and
//! the reason, is in the tables of `docs/trust/judges.md`. The judges are in `tests/judges/`.

use crate::data::{collection, say_without_collection};
use crate::peers::ask;
use crate::subject::in_parallel;
use placemat::repair::Repairer;
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy};

/// A row of the tables in the book, which are the record.
struct Judge {
    /// The command, in `tests/judges/`.
    command: String,
    /// The encoding, by the program's name for it.
    name: String,
    /// The label of the encoding here.
    label: String,
    /// The number of different answers.
    differ: usize,
}

/// Returns the rows of a table.
fn judges(table: &str) -> Vec<Judge> {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/trust/judges.md");
    let book = std::fs::read_to_string(book).expect("the record");
    let judge = |row: &str| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, kind, command, name, label, differ, why, _] = cells[..] else { return None };
        let differ = differ.replace(',', "").parse();
        if kind != table || differ.is_err() {
            return None;
        }
        let differ = differ.expect("a number");
        assert_eq!(differ == 0, why.is_empty(), "a reason for each difference: {row}");
        let command = command.trim_matches('`').into();
        Some(Judge { command, name: name.into(), label: label.into(), differ })
    };
    let judges: Vec<Judge> = book.lines().filter_map(judge).collect();
    assert!(!judges.is_empty(), "{table}");
    judges
}

/// Bytes at the borders of table 3-7, and one of each class.
const BORDERS: &[u8] = b"A\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xF7\xF8\xFB\xFC\xFD\xFE\xFF";

/// Returns short strings: all of up to three bytes of the borders, those of four that begin a
/// sequence of three or four, and random ones of up to 24 bytes, without controls.
fn strings() -> Vec<Vec<u8>> {
    let mut strings: Vec<Vec<u8>> = BORDERS.iter().map(|one| vec![*one]).collect();
    for a in BORDERS {
        for b in BORDERS {
            strings.push(vec![*a, *b]);
            for c in BORDERS {
                strings.push(vec![*a, *b, *c]);
                if (0xE0..=0xF4).contains(a) {
                    strings.extend(BORDERS.iter().map(|d| vec![*a, *b, *c, *d]));
                }
            }
        }
    }
    let mut state = 20_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for _ in 0..20_000 {
        let len = 1 + next() % 24;
        let byte = |number: usize| (0x20 + number % 0xE0) as u8;
        strings.push((0..len).map(|_| byte(next())).collect());
    }
    // Signatures, and the `?` of MariaDB's answers, have meanings of their own.
    strings.retain(|text| !text.starts_with(b"\xEF\xBB\xBF") && !text.contains(&b'?'));
    strings
}

fn encoding(label: &str) -> Encoding {
    Encoding::for_label(label).unwrap_or_else(|| panic!("{label} is a label"))
}

/// Asks each judge, and compares its answers with `expected`. Panics if another number of them
/// differs than is known.
fn hear(judges: &[Judge], task: &str, cases: impl Fn(&Judge) -> Vec<(Vec<u8>, Option<Vec<u8>>)> + Sync) {
    if std::env::var_os("PLACEMAT_JUDGES").is_none() {
        return;
    }
    let wrong = std::sync::Mutex::new(Vec::new());
    in_parallel(judges.len(), |i| {
        let judge = &judges[i];
        let (given, expected): (Vec<_>, Vec<_>) = cases(judge).into_iter().unzip();
        let command = judge.command.split(' ').chain([task]).chain(judge.name.split_whitespace());
        let answers = ask("judges", &command.collect::<Vec<_>>(), &given);
        let show = |text: &Option<Vec<u8>>| {
            text.as_deref()
                .map_or("refused".into(), |text| String::from_utf8_lossy(text).escape_debug().to_string())
        };
        let differ: Vec<String> = (given.iter().zip(&expected).zip(&answers))
            .filter(|((_, ours), theirs)| ours != theirs)
            .map(|((given, ours), theirs)| {
                format!("{}: {}, theirs {}", given.escape_ascii(), show(ours), show(theirs))
            })
            .collect();
        let name = format!("{} {task} {}", judge.command, judge.name);
        println!("{name}: {} of {} differ", differ.len(), given.len());
        if differ.len() != judge.differ {
            let some: Vec<_> = differ.iter().step_by(1 + differ.len() / 12).collect();
            let mut wrong = wrong.lock().expect("no panic");
            wrong.push(format!("{name}: {} differ, not {}: {some:#?}", differ.len(), judge.differ));
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn judges_read_ill_formed_text_the_same() {
    hear(&judges("lossy"), "lossy", |_| {
        let text = |given: Vec<u8>| {
            let text = Encoding::UTF_8.decode(&given, ErrorPolicy::Replace).expect("it cannot fail");
            let text = text.into_owned().into_bytes();
            (given, Some(text))
        };
        strings().into_iter().map(text).collect()
    });
}

#[test]
fn judges_accept_the_same() {
    hear(&judges("accept"), "read", |judge| {
        let reader = Transcoder::new(encoding(&judge.label), Encoding::UTF_8);
        let characters = ('\u{20}'..=char::MAX).filter(|c| *c != '?').map(|c| c.to_string().into_bytes());
        let text = |given: Vec<u8>| {
            let text = reader.clone().transcode(&given).ok();
            (given, text)
        };
        strings().into_iter().chain(characters).map(text).collect()
    });
}

#[test]
fn judges_read_what_is_written() {
    hear(&judges("read"), "read", |judge| {
        let writer = Transcoder::new(Encoding::UTF_8, encoding(&judge.label));
        let written = |c: char| {
            let text = c.to_string();
            Some((writer.clone().transcode(text.as_bytes()).ok()?, Some(text.into_bytes())))
        };
        ('\u{1}'..=char::MAX).filter_map(written).collect()
    });
}

#[test]
fn judges_read_documents() {
    hear(&judges("document"), "read", |judge| {
        let mut writer = Transcoder::new(Encoding::UTF_8, encoding(&judge.label));
        // XML and JSON have these for markup, and the others at most at the start of a text.
        let is_plain = |c: &char| !matches!(c, '<' | '&' | '"' | '\\' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}');
        let is_written = |c: &char| writer.clone().transcode(c.to_string().as_bytes()).is_ok();
        let characters: Vec<char> = (' '..=char::MAX).filter(is_plain).filter(is_written).collect();
        let (program, name) = judge.name.split_once(' ').expect("two words");
        if name == "UTF-16" {
            writer = Transcoder::new(Encoding::UTF_8, Encoding::UTF_16LE);
        }
        let document = |characters: &[char]| {
            let text: String = characters.iter().collect();
            let whole = match (program, name) {
                ("xmllint", "UTF-16") => {
                    format!("\u{FEFF}<?xml version=\"1.0\" encoding=\"{name}\"?><t>{text}</t>")
                }
                ("xmllint", _) => format!("<?xml version=\"1.0\" encoding=\"{name}\"?><t>{text}</t>"),
                _ => text.clone(),
            };
            (writer.clone().transcode(whole.as_bytes()).expect("it was tried"), Some(text.into_bytes()))
        };
        characters.chunks(2000).map(document).collect()
    });
}

#[test]
fn postgresql_loads_what_is_repaired() {
    let Some(collection) = collection() else {
        return say_without_collection("judges::postgresql_loads_what_is_repaired");
    };
    hear(&judges("accept")[..1], "read", |_| {
        let mut cases = Vec::new();
        let mut folders = vec![collection.join("wild")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("a file").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let repaired = Repairer::new().repair(&std::fs::read(&path).expect("a file"));
                // A database has no U+0000 in a text.
                let text = repaired.text.replace('\0', " ").into_bytes();
                cases.push((text.clone(), Some(text)));
            }
        }
        assert!(cases.len() > 400, "{} files", cases.len());
        cases
    });
}
