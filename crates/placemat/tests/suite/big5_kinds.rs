//! Big5-UAO and the Big5 of ETEN, against Ruby and Perl where they are installed. The library has both tables from moztw.org.

use crate::tables::{read, round_trip, streaming, write};
use placemat::{Encoding, ErrorPolicy};
use std::io::Write;
use std::process::{Command, Stdio};

/// Reads all codes of two bytes, and writes for each the code points and the bytes that it writes for them.
const RUBY: &str = "STDIN.binmode; while b = STDIN.read(2); begin; s = b.force_encoding('Big5-UAO').encode('UTF-8'); \
                    puts format('%x %s', s.ord, s.encode('Big5-UAO').unpack1('H*')); rescue; puts '-'; end; end";
const PERL: &str = "use Encode; binmode STDIN; while (read(STDIN, $b, 2) == 2) { my $x = $b; \
                    my $s = eval { decode('big5-eten', $x, Encode::FB_CROAK) }; if (!defined $s) { print \"-\\n\"; next } \
                    my $c = ord $s; printf \"%x %s\\n\", $c, unpack('H*', encode('big5-eten', $s, Encode::FB_CROAK)) }";

fn codes() -> Vec<[u8; 2]> {
    let trails = || (0x40..=0x7E).chain(0xA1..=0xFE);
    (0x81..=0xFE).flat_map(|lead| trails().map(move |trail| [lead, trail])).collect()
}

/// The code point that a program reads in a code, and the bytes that it writes for that; `None` if it reads nothing.
type Answer = Option<(char, Vec<u8>)>;

/// Returns the answers of a program for each code; `None` if it is not installed.
fn ask(program: &str, script: &str) -> Option<Vec<Answer>> {
    let child =
        Command::new(program).args(["-e", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        eprintln!("{program} is not installed");
        return None;
    };
    let mut to = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || to.write_all(codes().as_flattened()).expect("it reads all"));
    let output = child.wait_with_output().expect("an exit status");
    writer.join().expect("no panic");
    let answer = |line: &str| {
        let (c, bytes) = line.split_once(' ')?;
        let c = u32::from_str_radix(c, 16).ok().and_then(char::from_u32).expect("a scalar value");
        let bytes = bytes.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).expect("hex"));
        Some((c, bytes.map(|pair| u8::from_str_radix(pair, 16).expect("hex")).collect()))
    };
    Some(str::from_utf8(&output.stdout).expect("ASCII").lines().map(answer).collect())
}

/// Compares every code. Returns the numbers of codes that are read, that mean something else to the program, and that it
/// writes otherwise.
fn compare(encoding: Encoding, answers: &[Answer]) -> (usize, usize, usize) {
    let (mut known, mut other, mut written) = (0, 0, 0);
    for (code, answer) in codes().iter().zip(answers) {
        let ours = encoding.decode(code, ErrorPolicy::Stop).ok();
        known += usize::from(ours.is_some());
        match (ours, answer) {
            (None, None) => {}
            (Some(text), Some((c, bytes))) if text == c.to_string() => {
                written += usize::from(write(encoding, &text).as_ref() != Some(bytes));
            }
            _ => other += 1,
        }
    }
    (known, other, written)
}

/// Ruby has other circled digits in ten codes, and writes the lowest of several codes, also where an arrow of Big5 has a
/// second one.
#[test]
fn ruby_reads_big5_uao() {
    let Some(answers) = ask("ruby", RUBY) else { return };
    assert_eq!(compare(Encoding::BIG5_UAO, &answers), (19_782, 10, 650));
}

#[test]
fn perl_reads_and_writes_big5_eten() {
    let Some(answers) = ask("perl", PERL) else { return };
    assert_eq!(compare(Encoding::BIG5_ETEN, &answers), (13_908, 0, 0));
}

#[test]
fn what_is_written_reads_the_same_and_may_be_cut_anywhere() {
    for (encoding, count) in [(Encoding::BIG5_UAO, 0x80 + 19_316), (Encoding::BIG5_ETEN, 0x80 + 13_900)] {
        assert_eq!(round_trip(encoding), (count, Vec::new()), "{encoding}");
        streaming(encoding, &[b"\xA4", b"\xA4\xA4", b"\xC7\x55", b"\x80", b"\xFF"], 200);
    }
}

#[test]
fn bulletin_boards() {
    for (encoding, bytes, text) in [
        (
            Encoding::BIG5_UAO,
            &b"\xA4\x40\xA4\x70\xAC\x71\xA4\xA4\xA4\xE5\xB4\xFA\xB8\xD5\x9D\xDE\xA4\xA4\x83\xF6\xC7\x55"[..],
            "一小段中文測試♥中国の",
        ),
        (Encoding::BIG5_ETEN, b"\xC6\xE7\xC6\xE8 \xC6\xA1 \xC8\x74 \xA1\xF4", "ぁあ ① ю ↑"),
    ] {
        assert_eq!(read(encoding, bytes), text, "{encoding}");
        assert_eq!(write(encoding, text).as_deref(), Some(bytes), "{encoding}");
    }
    for (label, encoding) in [
        ("big5-uao", Encoding::BIG5_UAO),
        ("UAO", Encoding::BIG5_UAO),
        ("Big5-ETEN", Encoding::BIG5_ETEN),
        ("eten", Encoding::BIG5_ETEN),
    ] {
        assert_eq!(Encoding::for_label(label), Some(encoding), "{label}");
    }
}
