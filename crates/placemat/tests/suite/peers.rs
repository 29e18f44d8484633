//! Long run: compares the library with ICU, `CPython`, Java and Perl on short strings in each form
//! that they have, and on every code point. The number of differences, and the reason, is known.

use crate::data::{hex, unhex};
use crate::subject::in_parallel;
use placemat::Encoding;
use placemat::stream::Transcoder;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A program that reads and writes a form.
struct Peer {
    encoding: Encoding,
    program: &'static [&'static str],
    /// The number of different answers, reading and writing.
    differ: [usize; 2],
    /// The reason for the differences.
    why: &'static str,
}

const fn peer(
    encoding: Encoding,
    program: &'static [&'static str],
    differ: [usize; 2],
    why: &'static str,
) -> Peer {
    Peer { encoding, program, differ, why }
}

/// The direction follows the first two words of each command.
const PEERS: &[Peer] = &[
    peer(Encoding::UTF_8, &["python3", "forms.py", "icu", "UTF-8"], [0, 0], ""),
    peer(Encoding::UTF_8, &["python3", "forms.py", "python", "utf-8"], [0, 0], ""),
    peer(Encoding::UTF_8, &["java", "Forms.java", "UTF-8"], [0, 0], ""),
    peer(Encoding::UTF_8, &["perl", "forms.pl", "UTF-8"], [3, 66], "Perl refuses noncharacters."),
    peer(Encoding::UTF_16BE, &["python3", "forms.py", "python", "utf-16-be"], [0, 0], ""),
    peer(Encoding::UTF_16LE, &["python3", "forms.py", "icu", "UTF-16LE"], [0, 0], ""),
    peer(Encoding::UTF_32BE, &["python3", "forms.py", "python", "utf-32-be"], [0, 0], ""),
    peer(
        Encoding::CESU_8,
        &["python3", "forms.py", "icu", "CESU-8"],
        [12, 0],
        "ICU lets a lone surrogate pass.",
    ),
    peer(Encoding::CESU_8, &["java", "Forms.java", "CESU-8"], [12, 0], "Java lets a lone surrogate pass."),
    peer(Encoding::JAVA_UTF, &["java", "Forms.java", "data"], [0, 0], ""),
    peer(Encoding::UTF_8_PERL, &["perl", "forms.pl", "utf8"], [0, 0], ""),
    peer(
        Encoding::UTF_7,
        &["python3", "forms.py", "icu", "UTF-7"],
        [1222, 0],
        "ICU refuses ~ and \\, and says nothing of a + at the end.",
    ),
    peer(
        Encoding::UTF_7,
        &["python3", "forms.py", "python", "utf-7"],
        [15283, 0],
        "Python reads controls, and lone surrogates.",
    ),
    peer(Encoding::UTF_7_IMAP, &["python3", "forms.py", "icu", "IMAP-mailbox-name"], [0, 0], ""),
    peer(
        Encoding::SCSU,
        &["python3", "forms.py", "icu", "SCSU"],
        [1904, 1_019_904],
        "ICU reads lone surrogates, and stops at a reserved window without a word; above U+FFFF it writes five bytes for four.",
    ),
    peer(Encoding::BOCU_1, &["python3", "forms.py", "icu", "BOCU-1"], [0, 0], ""),
];

/// One byte of each class of any of the forms.
const CLASSES: &[u8] = b"\x00\x01\x0A\x0E\x0F\x12\x1A\x1F !&+,-/19AKZa~\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xD8\xDC\xE0\xED\xEF\xF0\xF4\xF8\xFB\xFC\xFF";

/// Runs a command in a folder of `tests/`, and returns its answers, one for each line.
pub(crate) fn ask(folder: &str, command: &[&str], lines: &[Vec<u8>]) -> Vec<Option<Vec<u8>>> {
    let mut child = Command::new(command[0])
        .args(&command[1..])
        .current_dir(format!("{}/tests/{folder}", env!("CARGO_MANIFEST_DIR")))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let mut to = child.stdin.take().expect("a pipe");
    let given: String = lines.iter().map(|line| hex(line).replace(' ', "") + "\n").collect();
    let writer = std::thread::spawn(move || to.write_all(given.as_bytes()).expect("the program reads"));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("no panic");
    let answers: Vec<_> = str::from_utf8(&output.stdout).expect("hex").lines().map(unhex).collect();
    assert_eq!(answers.len(), lines.len(), "{command:?}");
    answers
}

/// Returns the answers that differ.
fn differences(peer: &Peer, direction: &str, lines: &[Vec<u8>]) -> Vec<String> {
    let convert = |given: &[u8]| {
        let (from, to) = match direction {
            "read" => (peer.encoding, Encoding::UCS_4BE),
            _ => (Encoding::UCS_4BE, peer.encoding),
        };
        Transcoder::new(from, to).transcode(given).ok()
    };
    let (program, name) = peer.program.split_at(2);
    let answers = ask("peers", &[program, &[direction], name].concat(), lines);
    let differs = |(given, theirs): (&Vec<u8>, Option<Vec<u8>>)| {
        let ours = convert(given);
        let show = |bytes: &Option<Vec<u8>>| bytes.as_deref().map_or("refused".into(), hex);
        (ours != theirs).then(|| format!("{}: {}, theirs {}", hex(given), show(&ours), show(&theirs)))
    };
    lines.iter().zip(answers).filter_map(differs).collect()
}

#[test]
fn other_programs_do_the_same() {
    if std::env::var_os("PLACEMAT_LONG").is_none() {
        return;
    }
    let mut strings: Vec<Vec<u8>> = (0..=0xFF).map(|one| vec![one]).collect();
    strings.extend((0..=0xFFFF_u16).map(|two| two.to_be_bytes().to_vec()));
    for a in CLASSES {
        for b in CLASSES {
            strings.extend(CLASSES.iter().map(|c| vec![*a, *b, *c]));
            strings.extend(CLASSES.iter().map(|c| vec![0xF0, *a, *b, *c]));
        }
    }
    let scalar_values = ('\0'..=char::MAX).map(|c| u32::from(c).to_be_bytes().to_vec()).collect::<Vec<_>>();
    let wrong = std::sync::Mutex::new(Vec::new());
    in_parallel(PEERS.len(), |i| {
        let peer = &PEERS[i];
        let found = [differences(peer, "read", &strings), differences(peer, "write", &scalar_values)];
        let some = |all: &[String]| all.iter().step_by(1 + all.len() / 12).cloned().collect::<Vec<_>>();
        println!(
            "{} {:?}: {} and {} differ. {}",
            peer.encoding,
            peer.program,
            found[0].len(),
            found[1].len(),
            peer.why
        );
        if [found[0].len(), found[1].len()] != peer.differ {
            wrong.lock().expect("no panic").push(format!(
                "{} {:?}: {} and {} differ, not {:?}\n{:#?}\n{:#?}",
                peer.encoding,
                peer.program,
                found[0].len(),
                found[1].len(),
                peer.differ,
                some(&found[0]),
                some(&found[1])
            ));
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
