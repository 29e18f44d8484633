//! Random edits of random files change no foreign byte: all encodings, line ends, signatures, and bytes that do not decode.
//!
//! The oracle knows the bytes of each line and splices them itself. Where an encoding has a state, the bytes around a change
//! may depend on it: there, the text must be right, and the lines that are not next to the change must keep their bytes.
//! With `PLACEMAT_LONG` set, there are a million edits.

use super::text::{Edit, Lines, Rules, edited};
use crate::families::unit_bytes;
use crate::shown::Name;
use placemat::edit::Document;
use placemat::{Encoding, UnmappablePolicy};

/// A generator of pseudo-random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 16) % limit as u64).expect("a small number")
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// The bytes of a text without a signature, if the encoding can represent it.
fn bytes(encoding: Encoding, text: &str) -> Option<Vec<u8>> {
    let of = |text| encoding.encode(text, UnmappablePolicy::Stop).ok().map(|bytes| bytes.to_vec());
    let (signature, bytes) = (of("")?, of(text)?);
    Some(bytes.strip_prefix(&*signature).map(<[u8]>::to_vec).unwrap_or(bytes))
}

fn text(encoding: Encoding, bytes: &[u8]) -> String {
    Document::open(bytes, encoding).expect("any bytes will do").text()
}

/// A line of a file.
#[derive(Clone)]
struct Row {
    bytes: Vec<u8>,
    text: String,
    end: &'static str,
}

/// The words of random files and edits of an encoding.
struct Kit {
    encoding: Encoding,
    /// Without a signature of its own, for pieces of a text.
    piece: Encoding,
    words: Vec<&'static str>,
}

const WORDS: [&str; 14] =
    ["a", "one", "é", "naïve", "привет", "日本", "語", "한국", "שלום", "α", "€", "¥", "x = 1;", "ﾊﾟ"];

impl Kit {
    fn of(encoding: Encoding) -> Option<Self> {
        let known = [
            (Encoding::UTF_16, Encoding::UTF_16LE),
            (Encoding::UTF_32, Encoding::UTF_32LE),
            (Encoding::UTF_8_BOM, Encoding::UTF_8),
        ];
        let piece = known.iter().find(|(marked, _)| *marked == encoding).map_or(encoding, |known| known.1);
        for needed in ["mark0", "\n", "\r", "\r\n"] {
            bytes(piece, needed).filter(|bytes| text(piece, bytes) == needed)?;
        }
        let round_trips = |word: &&str| bytes(piece, word).is_some_and(|bytes| text(piece, &bytes) == **word);
        Some(Self { encoding, piece, words: WORDS.into_iter().filter(round_trips).collect() })
    }

    fn words(&self, random: &mut Random, count: usize) -> String {
        (0..count).map(|_| *random.pick(&self.words)).collect::<Vec<_>>().join("")
    }

    /// A line of words, or of any bytes.
    fn row(&self, random: &mut Random, end: &'static str) -> Row {
        let words = self.words(random, 3);
        if random.below(3) > 0 || !self.piece.facts().stateless {
            return Row { bytes: bytes(self.piece, &words).expect("words"), text: words, end };
        }
        let unit = unit_bytes(self.piece);
        let noise: Vec<u8> = (0..unit * (1 + random.below(4)))
            .map(|_| u8::try_from(random.below(256)).expect("a byte"))
            .collect();
        // The bytes must not end a line, nor take in the bytes after them.
        let all = [&noise[..], &bytes(self.piece, end).expect("a line end")].concat();
        let noise_text = text(self.piece, &noise);
        if noise_text.contains(['\n', '\r', '\u{FEFF}'])
            || text(self.piece, &all) != format!("{noise_text}{end}")
        {
            return Row { bytes: bytes(self.piece, &words).expect("words"), text: words, end };
        }
        Row { bytes: noise, text: noise_text, end }
    }

    /// The bytes of a file.
    fn file(&self, signature: &[u8], rows: &[Row]) -> Vec<u8> {
        let mut file = signature.to_vec();
        if self.piece.facts().stateless {
            for row in rows {
                file.extend_from_slice(&row.bytes);
                file.extend_from_slice(&bytes(self.piece, row.end).expect("a line end"));
            }
        } else {
            let whole: String = rows.iter().map(|row| format!("{}{}", row.text, row.end)).collect();
            file.extend(bytes(self.piece, &whole).expect("words"));
        }
        file
    }
}

/// One edit of a random file. Returns `false` if the file does not suit.
fn check(kit: &Kit, random: &mut Random) -> bool {
    const ENDS: [&[&str]; 5] = [&["\n"], &["\r\n"], &["\r"], &["\n", "\r\n"], &["\n", "\r\n", "\r\r\n"]];
    let ends = random.pick(&ENDS);
    let rows_count = 2 + random.below(6);
    let mut rows: Vec<Row> = (0..rows_count)
        .map(|_| {
            let end = *random.pick(ends);
            kit.row(random, end)
        })
        .collect();
    if random.below(3) == 0 {
        rows[rows_count - 1].end = "";
    }
    let target = random.below(rows_count);
    let (before, mark, after) = (kit.words(random, 2), "mark0", kit.words(random, 1));
    let marked = format!("{before}{mark}{after}");
    rows[target].bytes =
        [&*before, mark, &*after].map(|part| bytes(kit.piece, part).expect("words")).concat();
    rows[target].text.clone_from(&marked);
    let signature: &[u8] = match kit.encoding.signature() {
        [] if kit.encoding == Encoding::UTF_8 => b"\xEF\xBB\xBF",
        signature => signature,
    };
    let signature = if random.below(2) == 0 { signature } else { &[] };
    let file = kit.file(signature, &rows);
    let whole: String = rows.iter().map(|row| format!("{}{}", row.text, row.end)).collect();
    let encoding = kit.encoding;
    let document = Document::open(&file, encoding).expect("any bytes will do");
    if document.text() != whole || document.signature() != signature {
        return false;
    }
    let new = kit.words(random, 2);
    let changed = format!("{before}{new}{after}");
    let mut rows_after = rows.clone();
    rows_after[target].bytes =
        [&*before, &*new, &*after].map(|part| bytes(kit.piece, part).expect("words")).concat();
    rows_after[target].text.clone_from(&changed);
    let lines = Lines { first: target + 1, last: Some(target + 1) };
    let edit = match random.below(4) {
        0 => Edit::Replace { old: mark.into(), new, all: random.below(2) == 0 },
        1 => Edit::Lines(lines, changed.clone()),
        2 => {
            // One more line, whose line end is that of the line before it.
            let end = if rows[target].end.is_empty() { last_end(&rows[..target]) } else { rows[target].end };
            let more = Row { bytes: bytes(kit.piece, &new).expect("words"), text: new.clone(), end };
            rows_after.insert(target + 1, more);
            if rows[target].end.is_empty() {
                rows_after[target].end = end;
                rows_after[target + 1].end = "";
            }
            Edit::Lines(lines, format!("{changed}\n{new}"))
        }
        _ => {
            let lf = |row: &Row| format!("{}{}", row.text, if row.end.is_empty() { "" } else { "\n" });
            Edit::Write(rows_after.iter().map(lf).collect())
        }
    };
    let want = kit.file(signature, &rows_after);
    let rules = Rules { allow_empty: true, ..Rules::default() };
    let name = Name::new("file");
    let context =
        || format!("{encoding} {edit:?}\nfile {}\nwant {}", file.escape_ascii(), want.escape_ascii());
    let got = match edited(&file, encoding, &edit, rules, &name, None) {
        Ok(got) => got.bytes,
        // A new letter may not stand beside bytes without text.
        Err(why) if why.contains("read as another text") => return false,
        Err(why) => panic!("{why}\n{}", context()),
    };
    if kit.piece.facts().stateless && bytes(kit.piece, &changed).as_deref() == Some(&rows_after[target].bytes)
    {
        assert!(got == want, "{}\ngot  {}", context(), got.escape_ascii());
        return true;
    }
    let whole: String = rows_after.iter().map(|row| format!("{}{}", row.text, row.end)).collect();
    assert_eq!(text(encoding, &got), whole, "{}\ngot  {}", context(), got.escape_ascii());
    true
}

fn last_end(rows: &[Row]) -> &'static str {
    rows.iter().rev().map(|row| row.end).find(|end| !end.is_empty()).unwrap_or("\n")
}

#[test]
fn no_foreign_byte_changes() {
    let edits = if std::env::var_os("PLACEMAT_LONG").is_some() { 1_000_000 } else { 10_000 };
    let kits: Vec<Kit> = Encoding::ALL.iter().filter_map(|&encoding| Kit::of(encoding)).collect();
    assert!(kits.len() > 250, "{}", kits.len());
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut made = vec![0_usize; kits.len()];
    let mut tries = 0;
    while made.iter().sum::<usize>() < edits {
        let number = tries % kits.len();
        made[number] += usize::from(check(&kits[number], &mut random));
        tries += 1;
    }
    let few = kits.iter().zip(made).filter(|(_, made)| made * kits.len() * 3 < edits);
    let few: Vec<_> = few.map(|(kit, made)| format!("{}: {made}", kit.encoding)).collect();
    assert!(few.is_empty(), "{few:?} of {tries}");
}
