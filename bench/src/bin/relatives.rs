//! The relatives of UTF-8 and the legacy encodings: to UTF-8 and back, against ICU, iconv(3),
//! `encoding_rs` and the crates `cesu8`, `simd_cesu8` and `wtf8`, on the same buffers, in turn, in
//! one process.
//!
//! `cargo run --release --manifest-path bench/Cargo.toml --bin relatives -- [--only ENCODING,…] [--keep]`.
//! ICU takes part if its library is installed. `--keep` writes `docs/speed/relatives.md`.

#[path = "../icu.rs"]
#[expect(dead_code, reason = "the other program uses the rest")]
mod icu;
#[path = "../texts.rs"]
#[expect(dead_code, reason = "the other program uses the rest")]
mod texts;

use icu::Icu;
use placemat::Encoding;
use placemat::stream::{Status, Transcoder};
use std::collections::BTreeMap;
use std::ffi::{CString, c_char};
use std::fmt::Write as _;
use std::path::Path;
use std::ptr;
use std::time::Instant;
use texts::{Group, Text};

/// The rounds of all engines; the median counts.
const ROUNDS: usize = 15;
/// A call is repeated until the calls take this many seconds.
const SLOT: f64 = 400e-6;

/// An encoding, and its names in ICU, iconv(3) and `encoding_rs`.
struct Row {
    encoding: &'static str,
    icu: Option<&'static str>,
    iconv: Option<&'static str>,
    web: Option<&'static str>,
    /// The target to UTF-8 and from it, as a multiple of the speed of the best peer.
    target: f64,
}

const fn row(
    encoding: &'static str,
    icu: &'static str,
    iconv: &'static str,
    web: &'static str,
    target: f64,
) -> Row {
    const fn some(name: &'static str) -> Option<&'static str> {
        if name.is_empty() { None } else { Some(name) }
    }
    Row { encoding, icu: some(icu), iconv: some(iconv), web: some(web), target }
}

const ROWS: &[Row] = &[
    row("CESU-8", "CESU-8", "", "", 1.5),
    row("Modified UTF-8", "", "", "", 1.5),
    row("WTF-8", "", "", "", 5.0),
    row("UTF-7", "UTF-7", "UTF-7", "", 2.0),
    row("UTF-7-IMAP", "IMAP-mailbox-name", "UTF-7-IMAP", "", 2.0),
    row("SCSU", "SCSU", "", "", 2.0),
    row("BOCU-1", "BOCU-1", "", "", 2.0),
    row("windows-1251", "windows-1251", "CP1251", "windows-1251", 3.0),
    row("windows-1252", "windows-1252", "CP1252", "windows-1252", 3.0),
    row("ISO-8859-7", "ISO-8859-7", "ISO-8859-7", "iso-8859-7", 3.0),
    row("KOI8-R", "KOI8-R", "KOI8-R", "koi8-r", 3.0),
    row("IBM866", "ibm-866", "CP866", "ibm866", 3.0),
    row("IBM037", "ibm-37", "IBM037", "", 3.0),
    row("TIS-620", "tis-620", "TIS-620", "", 3.0),
    row("VISCII", "", "VISCII", "", 3.0),
    row("Shift_JIS", "Shift_JIS", "CP932", "shift_jis", 1.0),
    row("EUC-JP", "EUC-JP", "EUC-JP", "euc-jp", 1.0),
    row("ISO-2022-JP", "ISO-2022-JP", "ISO-2022-JP", "iso-2022-jp", 1.0),
    row("GBK", "GBK", "GBK", "gbk", 1.0),
    row("GB18030", "gb18030", "GB18030", "gb18030", 1.0),
    row("Big5", "Big5", "BIG5", "big5", 1.0),
    row("EUC-KR", "EUC-KR", "UHC", "euc-kr", 1.0),
    row("ISO-2022-KR", "ISO-2022-KR", "ISO-2022-KR", "", 1.0),
    row("ISO-2022-CN", "ISO-2022-CN", "ISO-2022-CN", "", 1.0),
    row("HZ-GB-2312", "HZ-GB-2312", "", "", 1.0),
    row("Johab", "", "JOHAB", "", 1.0),
    row("Big5-HKSCS", "Big5-HKSCS", "BIG5-HKSCS", "", 1.0),
    row("EUC-TW", "EUC-TW", "EUC-TW", "", 1.0),
    row("Shift_JISX0213", "", "SHIFT_JISX0213", "", 1.0),
    row("EUC-JISX0213", "", "EUC-JISX0213", "", 1.0),
    row("IBM930", "ibm-930", "IBM930", "", 1.0),
    row("IBM933", "ibm-933", "IBM933", "", 1.0),
    row("IBM935", "ibm-935", "IBM935", "", 1.0),
    row("IBM937", "ibm-937", "IBM937", "", 1.0),
    row("IBM939", "ibm-939", "IBM939", "", 1.0),
];

/// Converts all of a text, and returns the length of the result in bytes.
type Engine<'a> = Box<dyn FnMut(&[u8], &mut [u8]) -> Option<usize> + 'a>;

fn ours<'a>(from: Encoding, to: Encoding) -> Engine<'a> {
    Box::new(move |src, dst| {
        let mut machine = Transcoder::new(from, to);
        let p = machine.convert(src, dst, true);
        (p.status == Status::Done).then_some(p.written)
    })
}

/// Makes an engine of the C library's converter.
fn iconv<'a>(to: &str, from: &str) -> Option<Engine<'a>> {
    let (to, from) = (CString::new(to).ok()?, CString::new(from).ok()?);
    // SAFETY: both names are a `CString` each, so they end in NUL.
    let descriptor = unsafe { libc::iconv_open(to.as_ptr(), from.as_ptr()) };
    if descriptor.addr() == usize::MAX {
        return None;
    }
    Some(Box::new(move |src, dst| {
        let (mut from, mut left) = (src.as_ptr().cast::<c_char>().cast_mut(), src.len());
        let (mut to, mut room) = (dst.as_mut_ptr().cast::<c_char>(), dst.len());
        // SAFETY: the descriptor is open, by the comparison after it was opened, and nothing closes it; with null
        // pointers the function puts it into its initial state.
        unsafe {
            libc::iconv(descriptor, ptr::null_mut(), ptr::null_mut(), ptr::null_mut(), ptr::null_mut())
        };
        // SAFETY: the descriptor is open, by the comparison after it was opened, and nothing closes it. Pointers and
        // lengths are those of the slices `src` and `dst`, and iconv does not write to its source.
        let result = unsafe { libc::iconv(descriptor, &mut from, &mut left, &mut to, &mut room) };
        if result == usize::MAX {
            return None;
        }
        // SAFETY: the descriptor is open, by the comparison after it was opened, and nothing closes it. `to` and `room`
        // are the rest of `dst` that the call before left; with a null source the function closes the text.
        unsafe { libc::iconv(descriptor, ptr::null_mut(), ptr::null_mut(), &mut to, &mut room) };
        Some(dst.len() - room)
    }))
}

/// Makes an engine of ICU's converters, used like `uconv` does.
fn icu<'a>(icu: Icu, to: &str, from: &str) -> Option<Engine<'a>> {
    let mut pair = icu.pair(to, from)?;
    Some(Box::new(move |src, dst| pair.convert(src, dst)))
}

fn decoder<'a>(encoding: &'static encoding_rs::Encoding) -> Engine<'a> {
    Box::new(move |src, dst| {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let (result, _, written) = decoder.decode_to_utf8_without_replacement(src, dst, true);
        (result == encoding_rs::DecoderResult::InputEmpty).then_some(written)
    })
}

fn encoder<'a>(encoding: &'static encoding_rs::Encoding) -> Engine<'a> {
    Box::new(move |src, dst| {
        let text = std::str::from_utf8(src).ok()?;
        let mut encoder = encoding.new_encoder();
        let (result, _, written) = encoder.encode_from_utf8_without_replacement(text, dst, true);
        (result == encoding_rs::EncoderResult::InputEmpty).then_some(written)
    })
}

/// Makes an engine of a crate that allocates its result.
fn owned<'a>(convert: impl Fn(&[u8]) -> Option<usize> + 'a) -> Engine<'a> {
    Box::new(move |src, _| convert(src))
}

fn text(src: &[u8]) -> Option<&str> {
    std::str::from_utf8(src).ok()
}

/// Returns the crates for one form: to UTF-8 and from it.
fn crates(encoding: &str) -> Vec<(&'static str, Engine<'static>, Engine<'static>)> {
    match encoding {
        "CESU-8" => vec![
            (
                "cesu8",
                owned(|src| cesu8::from_cesu8(src).ok().map(|text| text.len())),
                owned(|src| text(src).map(|text| cesu8::to_cesu8(text).len())),
            ),
            (
                "simd_cesu8",
                owned(|src| simd_cesu8::decode_strict(src).ok().map(|text| text.len())),
                owned(|src| text(src).map(|text| simd_cesu8::encode(text).len())),
            ),
        ],
        "Modified UTF-8" => vec![
            (
                "cesu8",
                owned(|src| cesu8::from_java_cesu8(src).ok().map(|text| text.len())),
                owned(|src| text(src).map(|text| cesu8::to_java_cesu8(text).len())),
            ),
            (
                "simd_cesu8",
                owned(|src| simd_cesu8::mutf8::decode_strict(src).ok().map(|text| text.len())),
                owned(|src| text(src).map(|text| simd_cesu8::mutf8::encode(text).len())),
            ),
        ],
        _ => Vec::new(),
    }
}

/// A measured engine: its name, and gigabytes of input per second.
type Speed = (String, f64);

/// The measurements of an encoding, a direction and a text.
struct Cell {
    encoding: &'static str,
    decoding: bool,
    text: String,
    ours: f64,
    peers: Vec<Speed>,
    target: f64,
}

impl Cell {
    fn best(&self) -> Option<&Speed> {
        self.peers.iter().max_by(|a, b| a.1.total_cmp(&b.1))
    }
    fn ratio(&self) -> Option<f64> {
        self.best().map(|(_, speed)| self.ours / speed)
    }
}

/// Measures all engines on the same buffers in turn, in an order that changes.
fn measure(engines: &mut [(String, Engine<'_>)], src: &[u8], dst: &mut [u8]) -> Vec<f64> {
    let mut times = vec![Vec::new(); engines.len()];
    let calls: Vec<usize> = engines
        .iter_mut()
        .map(|(_, engine)| {
            let start = Instant::now();
            engine(src, dst);
            (SLOT / start.elapsed().as_secs_f64()).clamp(1.0, 1e6) as usize
        })
        .collect();
    for round in 0..ROUNDS {
        for k in 0..engines.len() {
            let k = (k + round) % engines.len();
            let start = Instant::now();
            for _ in 0..calls[k] {
                std::hint::black_box((engines[k].1)(std::hint::black_box(src), dst));
            }
            times[k].push(start.elapsed().as_secs_f64() / calls[k] as f64);
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        src.len() as f64 / times[times.len() / 2] / 1e9
    };
    times.iter_mut().map(median).collect()
}

/// Measures one direction of one encoding on one text; leaves out engines whose result is not
/// `answer`.
fn cell(
    row: &Row,
    decoding: bool,
    text: &Text,
    mut engines: Vec<(String, Engine<'_>)>,
    src: &[u8],
    answer: usize,
) -> Cell {
    let mut dst = vec![0; 3 * src.len().max(answer) + 4096];
    engines.retain_mut(|(name, engine)| {
        let found = engine(src, &mut dst);
        assert!(name != "ours" || found == Some(answer), "{} {}: {found:?}", row.encoding, text.name);
        // ICU sometimes writes signatures and other escapes, so lengths may differ a little.
        found.is_some_and(|len| len.abs_diff(answer) * 50 <= answer + 200)
    });
    let mut speeds = measure(&mut engines, src, &mut dst).into_iter();
    let ours = speeds.next().expect("ours is first");
    let names = engines.into_iter().skip(1).map(|(name, _)| name);
    let peers = names.zip(speeds).collect();
    Cell { encoding: row.encoding, decoding, text: text.name.clone(), ours, peers, target: row.target }
}

/// Returns the text without the characters that the encoding lacks, and its bytes; `None` if too
/// much is missing.
fn held(text: &str, encoding: Encoding) -> Option<(String, Vec<u8>)> {
    let mut kept = String::new();
    let mut buffer = [0; 64];
    for c in text.chars() {
        let mut utf8 = [0; 4];
        let src = c.encode_utf8(&mut utf8).as_bytes();
        let mut one = Transcoder::new(Encoding::UTF_8, encoding);
        if one.convert(src, &mut buffer, true).status == Status::Done {
            kept.push(c);
        }
    }
    if kept.len() * 10 < text.len() * 9 {
        return None;
    }
    let mut dst = vec![0; 3 * kept.len() + 4096];
    let len = ours(Encoding::UTF_8, encoding)(kept.as_bytes(), &mut dst)?;
    dst.truncate(len);
    // A text that does not come back unchanged is not used.
    let mut back = vec![0; 3 * kept.len() + 4096];
    let len = ours(encoding, Encoding::UTF_8)(&dst, &mut back)?;
    (back[..len] == *kept.as_bytes()).then_some((kept, dst))
}

fn cells(row: &Row, texts: &[Text], icu: Option<Icu>) -> Vec<Cell> {
    let encoding = Encoding::for_label(row.encoding).unwrap_or_else(|| panic!("{} is unknown", row.encoding));
    let web = row.web.and_then(|label| encoding_rs::Encoding::for_label(label.as_bytes()));
    let mut all = Vec::new();
    for text in texts {
        let Some((kept, encoded)) = held(&text.utf8, encoding) else { continue };
        for decoding in [true, false] {
            let (from, to) = if decoding { (encoding, Encoding::UTF_8) } else { (Encoding::UTF_8, encoding) };
            let mut engines = vec![("ours".to_owned(), ours(from, to))];
            let names = |other: Option<&'static str>| {
                other.map(|other| if decoding { ("UTF-8", other) } else { (other, "UTF-8") })
            };
            engines.extend(
                names(row.iconv)
                    .and_then(|(to, from)| iconv(to, from))
                    .map(|engine| ("iconv".to_owned(), engine)),
            );
            if let (Some(icu), Some((to, from))) = (icu, names(row.icu)) {
                engines.extend(self::icu(icu, to, from).map(|engine| ("ICU".to_owned(), engine)));
            }
            if let Some(web) = web {
                engines.push(("encoding_rs".into(), if decoding { decoder(web) } else { encoder(web) }));
            }
            for (name, decode, encode) in crates(row.encoding) {
                engines.push((name.into(), if decoding { decode } else { encode }));
            }
            let (src, answer) =
                if decoding { (&encoded[..], kept.len()) } else { (kept.as_bytes(), encoded.len()) };
            all.push(cell(row, decoding, text, engines, src, answer));
        }
    }
    all
}

/// Measures WTF-8 against the crate `wtf8`: from 16-bit code units, and to a string.
fn wtf8_cells(row: &Row, texts: &[Text]) -> Vec<Cell> {
    let mut all = Vec::new();
    for text in texts {
        let units: Vec<u16> = text.utf8.encode_utf16().collect();
        let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let units = &units;
        let engines: Vec<(String, Engine<'_>)> = vec![
            ("ours".into(), owned(move |_| Some(placemat::wtf8::from_units(units).len()))),
            ("wtf8".into(), owned(move |_| Some(wtf8::Wtf8Buf::from_ill_formed_utf16(units).len()))),
        ];
        all.push(cell(row, false, text, engines, &bytes, text.utf8.len()));
    }
    all
}

fn geometric(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        sum += value.ln();
        count += 1;
    }
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

/// Writes one line for each encoding and direction.
fn summary(cells: &[Cell]) -> String {
    let mut groups: BTreeMap<(usize, bool), Vec<&Cell>> = BTreeMap::new();
    for cell in cells {
        let place = ROWS.iter().position(|row| row.encoding == cell.encoding).unwrap_or(0);
        groups.entry((place, !cell.decoding)).or_default().push(cell);
    }
    let mut table = String::from(
        "| encoding | | GB/s of input | times the best peer, mean | worst text | goal |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    for cells in groups.values() {
        let slowest = cells.iter().map(|cell| cell.ours).fold(f64::MAX, f64::min);
        let fastest = cells.iter().map(|cell| cell.ours).fold(0.0, f64::max);
        let ratio = geometric(cells.iter().filter_map(|cell| cell.ratio()));
        let worst = cells
            .iter()
            .filter_map(|cell| Some((cell.ratio()?, cell)))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(ratio, cell)| {
                format!("{ratio:.2} × {}, {}", cell.best().map_or("", |(name, _)| name), cell.text)
            });
        let _ = writeln!(
            table,
            "| {} | {} | {slowest:.2} to {fastest:.2} | {} | {} | {} × |",
            cells[0].encoding,
            if cells[0].decoding { "to UTF-8" } else { "from UTF-8" },
            ratio.map_or("no peer here".into(), |ratio| format!("{ratio:.2}")),
            worst.unwrap_or_default(),
            cells[0].target,
        );
    }
    table
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let only = arguments.iter().position(|argument| argument == "--only").map(|at| arguments[at + 1].clone());
    let keep = arguments.iter().any(|argument| argument == "--keep");
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/lipsum");
    let texts = texts::all(beside.is_dir().then_some(&*beside));
    let icu = Icu::load();
    if icu.is_none() {
        eprintln!("ICU is not on this machine");
    }
    let mut all = Vec::new();
    for row in ROWS {
        if only.as_ref().is_some_and(|only| !only.split(',').any(|name| name == row.encoding)) {
            continue;
        }
        eprintln!("{}", row.encoding);
        let wanted: Vec<Text> = texts
            .iter()
            .filter(|text| {
                text.group != Group::Mixed || text.name.starts_with("HTML") || text.name.ends_with("emoji")
            })
            .map(|text| Text { name: text.name.clone(), group: text.group, utf8: text.utf8.clone() })
            .collect();
        all.extend(if row.encoding == "WTF-8" { wtf8_cells(row, &wanted) } else { cells(row, &wanted, icu) });
    }
    for cell in &all {
        let peers: Vec<_> = cell.peers.iter().map(|(name, speed)| format!("{name} {speed:.2}")).collect();
        println!(
            "{:16} {:10} {:16} {:7.2} GB/s  {}  {}",
            cell.encoding,
            if cell.decoding { "to UTF-8" } else { "from UTF-8" },
            cell.text,
            cell.ours,
            cell.ratio().map_or("     ".into(), |ratio| format!("{ratio:5.2}")),
            peers.join(", ")
        );
    }
    let table = summary(&all);
    println!("\n{table}");
    if keep {
        let page = format!(
            "# The relatives and the legacy encodings: speed\n\n`cargo run --release --manifest-path bench/Cargo.toml --bin \
             relatives -- --keep` writes this page. It converts to UTF-8 and back, with all engines in turn on shared \
             buffers: medians of {ROUNDS} rounds, each text about 80 KB. The peer is the fastest of ICU (as `uconv` uses it), \
             iconv(3) and `encoding_rs`, and for CESU-8 and Modified UTF-8 also of the crates `cesu8` and `simd_cesu8`; WTF-8 \
             is made from 16-bit units, against the crate `wtf8`. Where a peer refuses a text, it is left out.\n\n{table}"
        );
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/speed/relatives.md"), page)
            .expect("to write");
    }
}
