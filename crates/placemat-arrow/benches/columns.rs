//! The speed of the kernels on columns of a million rows, one thread: `cargo bench`. The first argument that is a number
//! is the number of rows.
//!
//! The texts are made here, from words of several scripts, 187 bytes a row in the mean. Each line is the least and the
//! median time of nine rounds; the first round does not count.

use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, StringArray, cast::AsArray,
};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
use placemat_arrow::{Error, count, decode, encode, first_error, is_valid, make_valid};
use std::hint::black_box;
use std::time::Instant;

const ENGLISH: &str =
    "the of and to in is that it was for on are with as his they be at one have this from or had by";
const RUSSIAN: &str =
    "и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой её «год» № —";
const FRENCH: &str =
    "été où voilà garçon à la forêt l’œuvre dès même naïf maïs c’était déjà là-bas être très";
const JAPANESE: &str = "日本 の 言葉 は 漢字 と 仮名 で 書く これ を 読む 人 が いる 東京 の 天気";
const EMOJI: &str = "😀 ok 🎉 yes 🚲 no 🌍 all 🍎 one";

/// A generator of numbers, the same in each run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % end
    }
}

/// Rows of words from one of `scripts` each, of `mean` bytes in the mean.
fn texts(rows: usize, scripts: &[&str], mean: usize) -> Vec<String> {
    let scripts: Vec<Vec<&str>> = scripts.iter().map(|words| words.split(' ').collect()).collect();
    let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
    let row = |_| {
        let words = &scripts[numbers.below(scripts.len())];
        let len = mean / 4 + numbers.below(mean * 3 / 2) - 4;
        let mut text = String::with_capacity(len + 16);
        while text.len() < len {
            text.push_str(words[numbers.below(words.len())]);
            text.push(' ');
        }
        text
    };
    (0..rows).map(row).collect()
}

fn time(name: &str, bytes: usize, mut call: impl FnMut() -> Result<(), Error>) {
    let mut times = Vec::new();
    for _ in 0..10 {
        let start = Instant::now();
        if let Err(error) = call() {
            println!("{name}: {error}");
            return;
        }
        times.push(start.elapsed().as_secs_f64());
    }
    times.remove(0);
    times.sort_by(f64::total_cmp);
    #[expect(clippy::cast_precision_loss, reason = "a number to print")]
    let speed = bytes as f64 / times[0] / 1e9;
    println!("{name:<58} {:7.1} {:7.1} ms {speed:7.1} GB/s", times[0] * 1e3, times[times.len() / 2] * 1e3);
}

fn main() {
    let rows = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(1_000_000);
    let mixed = texts(rows, &[ENGLISH, ENGLISH, RUSSIAN, FRENCH, JAPANESE, EMOJI], 187);
    let bytes: usize = mixed.iter().map(String::len).sum();
    println!("{rows} rows, {} MB{:>42} {:>10}", bytes / 1_000_000, "least", "median");

    let text = StringArray::from_iter_values(&mixed);
    let clean = BinaryArray::from_iter_values(&mixed);
    let views = BinaryViewArray::from_iter_values(&mixed);
    let damaged = |every: usize| {
        let mut numbers = Numbers(7);
        mixed.iter().map(move |text| {
            let mut row = text.clone().into_bytes();
            if numbers.below(every) == 0 {
                let at = numbers.below(row.len());
                row[at] = 0xFF;
            }
            row
        })
    };
    let hundredth = BinaryArray::from_iter_values(damaged(100));
    let hundredth_large = LargeBinaryArray::from_iter_values(damaged(100));
    let hundredth_views = BinaryViewArray::from_iter_values(damaged(100));
    let all = BinaryArray::from_iter_values(damaged(1));

    let done = |_: ArrayRef| ();
    time("is_valid, well-formed", bytes, || is_valid(&clean, Encoding::UTF_8).map(|a| drop(black_box(a))));
    time("is_valid, 1 % of rows damaged", bytes, || {
        is_valid(&hundredth, Encoding::UTF_8).map(|a| drop(black_box(a)))
    });
    time("is_valid, all rows damaged", bytes, || is_valid(&all, Encoding::UTF_8).map(|a| drop(black_box(a))));
    time("is_valid, views, well-formed", bytes, || {
        is_valid(&views, Encoding::UTF_8).map(|a| drop(black_box(a)))
    });
    time("is_valid, views, 1 %", bytes, || {
        is_valid(&hundredth_views, Encoding::UTF_8).map(|a| drop(black_box(a)))
    });
    time("first_error, 1 %", bytes, || first_error(&hundredth, Encoding::UTF_8).map(|a| drop(black_box(a))));
    time("make_valid, well-formed: the same buffers", bytes, || {
        make_valid(&clean, ErrorPolicy::Replace).map(done)
    });
    time("make_valid, 1 %", bytes, || make_valid(&hundredth, ErrorPolicy::Replace).map(done));
    time("make_valid, 1 %, large", bytes, || make_valid(&hundredth_large, ErrorPolicy::Replace).map(done));
    time("make_valid, 1 %, views", bytes, || make_valid(&hundredth_views, ErrorPolicy::Replace).map(done));
    time("make_valid, all rows damaged", bytes, || make_valid(&all, ErrorPolicy::Replace).map(done));
    time("count", bytes, || count(&text, Encoding::UTF_8).map(|a| drop(black_box(a))));
    drop((clean, views, hundredth, hundredth_large, hundredth_views, all, text, mixed));

    for (encoding, words, mean, unit) in [
        (Encoding::WINDOWS_1251, RUSSIAN, 187, "187 MB of text"),
        (Encoding::WINDOWS_1251, RUSSIAN, 327, "187 MB of bytes"),
        (Encoding::WINDOWS_1252, FRENCH, 187, "187 MB of text"),
        (Encoding::WINDOWS_1252, ENGLISH, 187, "ASCII: the same buffers"),
        (Encoding::SHIFT_JIS, JAPANESE, 187, "187 MB of text"),
        (Encoding::UTF_16LE, JAPANESE, 187, "187 MB of text"),
    ] {
        let text = StringArray::from_iter_values(texts(rows, &[words], mean));
        let encoded = encode(&text, encoding, UnmappablePolicy::Replace).expect("a policy that answers all");
        let encoded = encoded.as_binary::<i32>();
        let (from, to) = (encoded.value_data().len(), text.value_data().len());
        let name =
            format!("decode {}, {unit} ({} -> {} MB)", encoding.name(), from / 1_000_000, to / 1_000_000);
        time(&name, from, || decode(encoded, encoding, ErrorPolicy::Replace).map(done));
        let views = BinaryViewArray::from_iter_values(encoded.iter().flatten());
        time(&format!("{name}, views"), from, || decode(&views, encoding, ErrorPolicy::Replace).map(done));
        let name = format!("encode {}, {unit}", encoding.name());
        time(&name, to, || encode(&text, encoding, UnmappablePolicy::Replace).map(done));
        assert_eq!(encoded.len(), rows);
    }
}
