//! A first benchmark: the library against the standard library, in one run.
//!
//! For each operation and text the engines are measured in turn, round after round, on the same buffers; the table shows
//! the median of the rounds in GB/s of input and our ratio. Before anything is measured, the engines have to agree.
//!
//! `cargo run --release --manifest-path bench/Cargo.toml [ROUNDS] [FOLDER]`: texts are all files of FOLDER, by default
//! the lipsum texts beside the project where they are, and always the texts that are generated here. The means are given for
//! the texts of the folder and for the generated ones apart.

use placemat::forms::{Latin1, Utf8, Utf16, Utf32};
use placemat::{Encoding, ErrorPolicy, Le, Native, UnmappablePolicy, convert, length, utf8};
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const STOP: (ErrorPolicy<'static>, UnmappablePolicy<'static>) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);

/// An operation on one text: two ways to do it that must agree.
struct Row<'a> {
    operation: &'static str,
    peer: &'static str,
    input_bytes: usize,
    ours: Box<dyn FnMut() -> u64 + 'a>,
    theirs: Box<dyn FnMut() -> u64 + 'a>,
}

/// A text in every form that the operations start from.
struct Text {
    name: String,
    utf8: String,
    units: Vec<u16>,
    utf16le: Vec<u8>,
    utf32le: Vec<u8>,
    /// The same with a byte in a hundred, or in ten thousand, made ill-formed.
    dirty: [Vec<u8>; 2],
    latin1: Option<Vec<u8>>,
}

impl Text {
    fn new(name: impl Into<String>, utf8: String) -> Self {
        let units: Vec<u16> = utf8.encode_utf16().collect();
        let utf16le = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let utf32le = utf8.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        let latin1 = utf8.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
        let dirty = [100, 10_000].map(|every| {
            let mut bytes = utf8.clone().into_bytes();
            bytes.iter_mut().skip(every / 2).step_by(every).for_each(|byte| *byte = 0xFF);
            bytes
        });
        Self { name: name.into(), utf8, units, utf16le, utf32le, dirty, latin1 }
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let text = self.utf8.as_str();
        let bytes = text.as_bytes();
        let mut rows = vec![
            row(
                "validate",
                "core::str::from_utf8",
                bytes,
                |src| utf8::validate(src).is_ok().into(),
                |src| core::str::from_utf8(src).is_ok().into(),
            ),
            row(
                "UTF-8 to UTF-16 units",
                "encode_utf16().collect()",
                bytes,
                |src| sum16(&convert::transcode::<Utf8, Utf16<Native>>(src, STOP.0, STOP.1).unwrap()),
                move |_| sum16(&black_box(text).encode_utf16().collect::<Vec<u16>>()),
            ),
            row(
                "UTF-8 to UTF-16LE bytes",
                "from_utf8, encode_utf16, to_le_bytes",
                bytes,
                |src| sum8(&any(src, Encoding::Utf8, Encoding::Utf16Le)),
                |src| {
                    let text = core::str::from_utf8(src).unwrap();
                    sum8(&text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>())
                },
            ),
            row(
                "UTF-8 to UTF-32 units",
                "from_utf8, chars().collect()",
                bytes,
                |src| sum32(&convert::transcode::<Utf8, Utf32<Native>>(src, STOP.0, STOP.1).unwrap()),
                |src| {
                    let text = core::str::from_utf8(src).unwrap();
                    sum32(&text.chars().map(u32::from).collect::<Vec<u32>>())
                },
            ),
            row(
                "UTF-16 units to UTF-8",
                "String::from_utf16",
                &self.units,
                |src| sum8(convert::decode::<Utf16<Native>>(src, STOP.0).unwrap().as_bytes()),
                |src| sum8(String::from_utf16(src).unwrap().as_bytes()),
            ),
            row(
                "UTF-16LE bytes to UTF-8",
                "chunks, char::decode_utf16",
                &self.utf16le,
                |src| sum8(convert::decode::<Utf16<Le>>(src, STOP.0).unwrap().as_bytes()),
                |src| {
                    let units = src.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
                    sum8(char::decode_utf16(units).collect::<Result<String, _>>().unwrap().as_bytes())
                },
            ),
            row(
                "UTF-32LE bytes to UTF-8",
                "chunks, char::from_u32",
                &self.utf32le,
                |src| sum8(&any(src, Encoding::Utf32Le, Encoding::Utf8)),
                |src| {
                    let units = src.chunks_exact(4).map(|four| u32::from_le_bytes(four.try_into().unwrap()));
                    sum8(units.map(|unit| char::from_u32(unit).unwrap()).collect::<String>().as_bytes())
                },
            ),
            row(
                "count code points",
                "chars().count()",
                bytes,
                |src| utf8::count_code_points(src) as u64,
                move |_| black_box(text).chars().count() as u64,
            ),
            row(
                "UTF-16 length",
                "encode_utf16().count()",
                bytes,
                |src| length::utf16_from_utf8(src) as u64,
                move |_| black_box(text).encode_utf16().count() as u64,
            ),
        ];
        for (operation, src) in
            ["replace, 1 % ill-formed", "replace, 0.01 % ill-formed"].iter().zip(&self.dirty)
        {
            rows.push(row(
                operation,
                "String::from_utf8_lossy",
                src,
                |src| sum8(utf8::decode(src, ErrorPolicy::Replace).unwrap().as_bytes()),
                |src| sum8(String::from_utf8_lossy(src).as_bytes()),
            ));
        }
        if let Some(latin1) = &self.latin1 {
            rows.push(row(
                "Latin-1 to UTF-8",
                "char::from, collect()",
                latin1,
                |src| sum8(convert::decode::<Latin1>(src, STOP.0).unwrap().as_bytes()),
                |src| sum8(src.iter().map(|&byte| char::from(byte)).collect::<String>().as_bytes()),
            ));
        }
        rows
    }
}

fn any(src: &[u8], from: Encoding, to: Encoding) -> Vec<u8> {
    convert::transcode_bytes(src, from, to, STOP.0, STOP.1).unwrap()
}

fn row<'a, U>(
    operation: &'static str,
    peer: &'static str,
    src: &'a [U],
    ours: impl Fn(&[U]) -> u64 + 'a,
    theirs: impl Fn(&[U]) -> u64 + 'a,
) -> Row<'a> {
    Row {
        operation,
        peer,
        input_bytes: size_of_val(src),
        ours: Box::new(move || ours(black_box(src))),
        theirs: Box::new(move || theirs(black_box(src))),
    }
}

/// A cheap answer to compare and to keep the result alive: length, and a sample of the content.
fn sum8(out: &[u8]) -> u64 {
    black_box(out)
        .iter()
        .step_by(61)
        .fold(out.len() as u64, |sum, &unit| sum.wrapping_mul(31) + u64::from(unit))
}
fn sum16(out: &[u16]) -> u64 {
    black_box(out)
        .iter()
        .step_by(61)
        .fold(out.len() as u64, |sum, &unit| sum.wrapping_mul(31) + u64::from(unit))
}
fn sum32(out: &[u32]) -> u64 {
    black_box(out)
        .iter()
        .step_by(61)
        .fold(out.len() as u64, |sum, &unit| sum.wrapping_mul(31) + u64::from(unit))
}

/// Median seconds of one call for each engine, measured in turn.
fn measure(row: &mut Row<'_>, rounds: usize) -> (f64, f64) {
    assert_eq!((row.ours)(), (row.theirs)(), "the engines disagree: {}", row.operation);
    let once = |f: &mut dyn FnMut() -> u64, calls: u32| {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(f());
        }
        start.elapsed().as_secs_f64() / f64::from(calls)
    };
    // Enough calls that a round takes about a millisecond.
    let calls = (1e-3 / once(&mut *row.theirs, 3).max(1e-9)).clamp(1.0, 1e5) as u32;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        if round % 2 == 0 {
            ours.push(once(&mut *row.ours, calls));
            theirs.push(once(&mut *row.theirs, calls));
        } else {
            theirs.push(once(&mut *row.theirs, calls));
            ours.push(once(&mut *row.ours, calls));
        }
    }
    let median = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    (median(ours), median(theirs))
}

/// Words in an order that does not repeat, about so many bytes of them.
fn shuffled(words: &str, bytes: usize) -> String {
    let words: Vec<&str> = words.split(' ').collect();
    let mut text = String::with_capacity(bytes + 32);
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    while text.len() < bytes {
        // xorshift64, Marsaglia 2003.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        text.push_str(words[(random % words.len() as u64) as usize]);
        text.push(' ');
    }
    text
}

fn texts(folder: Option<&Path>) -> Vec<Text> {
    let mut texts = Vec::new();
    if let Some(folder) = folder {
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .expect("the folder of texts")
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap().to_string_lossy().replace("-Lipsum.utf8.txt", "");
            texts.push(Text::new(name, std::fs::read_to_string(&path).expect("a text in UTF-8")));
        }
    }
    // Processors learn the branches of a text of 80 kB by heart after a few rounds, which no text that is read once
    // gives them time for. These are longer, and no two stretches of them are alike.
    for (name, words) in [
        (
            "shuffled: markup",
            "<p class=\"x\"> </p>\n Prix : 12 € — déjà vu <b> à </b> l'été &amp; the of and",
        ),
        ("shuffled: Russian", "стол накрыт чай горячий и вот уже вечер на улице где никого нет"),
        ("shuffled: Hindi", "चाय तैयार है और मेज़ पर रोटी भी रखी गई है कल फिर आना"),
        ("shuffled: Korean", "차가 준비되었습니다 그리고 밥도 다 되었어요 내일 또 오세요 네"),
        ("shuffled: mixed", "Zürich Москва 北京 😀 and some ASCII in between שלום 東京 🥧☕ é"),
        ("shuffled: Latin-1", "Ça va très bien merci à bientôt déjà où être là naïf garçon et le"),
    ] {
        texts.push(Text::new(name, shuffled(words, 1_500_000)));
    }
    texts
}

fn main() {
    let mut args = std::env::args().skip(1);
    let rounds = args.next().map_or(31, |n| n.parse().expect("the number of rounds"));
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/lipsum");
    let folder = args.next().map(Into::into).or_else(|| beside.is_dir().then_some(beside));
    let texts = texts(folder.as_deref());

    // Operation, then text, as one reads it; measured text by text.
    let mut lines: Vec<(&str, &str, String, f64, f64)> = Vec::new();
    for text in &texts {
        for mut row in text.rows() {
            let (ours, theirs) = measure(&mut row, rounds);
            let gigabytes = row.input_bytes as f64 / 1e9;
            lines.push((row.operation, row.peer, text.name.clone(), gigabytes / ours, gigabytes / theirs));
        }
    }
    let mut operations: Vec<&str> = Vec::new();
    lines.iter().for_each(|line| {
        if !operations.contains(&line.0) {
            operations.push(line.0);
        }
    });
    let mut out = String::new();
    for operation in operations {
        let mut rows: Vec<_> = lines.iter().filter(|line| line.0 == operation).collect();
        rows.sort_by(|a, b| (a.3 / a.4).total_cmp(&(b.3 / b.4)));
        let mean = |generated: bool| {
            let ratios = rows.iter().filter(|line| line.2.starts_with("shuffled") == generated);
            let logs: Vec<f64> = ratios.map(|line| (line.3 / line.4).ln()).collect();
            (logs.iter().sum::<f64>() / logs.len() as f64).exp()
        };
        let (peer, lipsum, generated) = (rows[0].1, mean(false), mean(true));
        writeln!(out, "\n{operation}, against {peer}: means {lipsum:.2} x, shuffled {generated:.2} x")
            .unwrap();
        writeln!(out, "  {:<20} {:>8} {:>8} {:>7}", "text", "ours", "theirs", "ratio").unwrap();
        for (_, _, text, ours, theirs) in rows {
            writeln!(out, "  {text:<20} {ours:8.2} {theirs:8.2} {:6.2}x", ours / theirs).unwrap();
        }
    }
    println!(
        "GB/s of input, medians of {rounds} rounds, engines in turn on the same buffers; worst text first"
    );
    print!("{out}");
}
