//! The speed of this crate beside `encoding_rs`, on texts of several lengths: `cargo bench --bench speed`.
//!
//! Each row has the time of both in nanoseconds a call, the least of several rounds that alternate, and their ratio: above 1, this
//! crate is faster. Both must give the same text first.

use core::hint::black_box;
use core::time::Duration;
use std::time::Instant;

const SENTENCES: [(&str, &str); 6] = [
    ("UTF-8", "Съешь же ещё этих мягких французских булок, да выпей чаю. "),
    ("windows-1251", "Съешь же ещё этих мягких французских булок, да выпей чаю. "),
    ("windows-1252", "Portez ce vieux whisky au juge blond qui fume à côté de l’alcôve. "),
    ("Shift_JIS", "いろはにほへと ちりぬるを わかよたれそ つねならむ 日本語の文章です。 "),
    ("GBK", "视野无限广，窗外有蓝天。这是一个简单的中文句子，用来测试编码。 "),
    ("UTF-16LE", "Съешь же ещё этих мягких французских булок, да выпей чаю. "),
];
const LENGTHS: [usize; 4] = [20, 300, 10_000, 1_000_000];
const ROUNDS: usize = 15;
const ROUND: Duration = Duration::from_millis(12);

fn main() {
    // Tests run benchmarks with this argument, to see that they compile.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    println!("| call | encoding | bytes | here, ns | encoding_rs, ns | ratio |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (name, sentence) in SENTENCES {
        let ours = encoding_rs::Encoding::for_label(name.as_bytes()).expect(name);
        let theirs = encoding_rs_peer::Encoding::for_label(name.as_bytes()).expect(name);
        for len in LENGTHS {
            let text = sentence.repeat(len / sentence.len() + 1);
            let src: Vec<u8> = match name {
                "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                _ => theirs.encode(&text).0.into_owned(),
            };
            let mut src = &src[..len.min(src.len()) & !1];
            // Whole characters.
            while let (true, Some((_, rest))) = (theirs.decode(src).2, src.split_last()) {
                src = rest;
            }
            assert_eq!(ours.decode(src).0, theirs.decode(src).0);
            row(
                "decode",
                name,
                src.len(),
                || drop(black_box(ours.decode(black_box(src)))),
                || {
                    drop(black_box(theirs.decode(black_box(src))));
                },
            );
            let most = ours.new_decoder().max_utf8_buffer_length(src.len()).expect("it fits");
            let (mut here, mut there) = (vec![0; most], vec![0; most]);
            row(
                "decode_to_utf8",
                name,
                src.len(),
                || _ = black_box(ours.new_decoder().decode_to_utf8(black_box(src), &mut here, true)),
                || _ = black_box(theirs.new_decoder().decode_to_utf8(black_box(src), &mut there, true)),
            );
            let (mut here, mut there) = (String::with_capacity(most), String::with_capacity(most));
            let ours_to_string = || {
                here.clear();
                _ = black_box(ours.new_decoder().decode_to_string(black_box(src), &mut here, true));
            };
            let theirs_to_string = || {
                there.clear();
                _ = black_box(theirs.new_decoder().decode_to_string(black_box(src), &mut there, true));
            };
            row("decode_to_string", name, src.len(), ours_to_string, theirs_to_string);
            if name != "UTF-16LE" {
                let text = theirs.decode(src).0;
                row(
                    "encode",
                    name,
                    src.len(),
                    || drop(black_box(ours.encode(black_box(&text)))),
                    || {
                        drop(black_box(theirs.encode(black_box(&text))));
                    },
                );
            }
        }
    }
}

fn row(call: &str, name: &str, len: usize, mut here: impl FnMut(), mut there: impl FnMut()) {
    let (mut best, mut best_there) = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        best = best.min(nanoseconds(&mut here));
        best_there = best_there.min(nanoseconds(&mut there));
    }
    println!("| {call} | {name} | {len} | {best:.0} | {best_there:.0} | {:.2} |", best_there / best);
}

/// Returns the time of a call, on average over a round.
fn nanoseconds(call: &mut impl FnMut()) -> f64 {
    let (start, mut calls, mut batch) = (Instant::now(), 0_u32, 1);
    while start.elapsed() < ROUND {
        (0..batch).for_each(|_| call());
        calls += batch;
        batch = (2 * batch).min(1024);
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(calls)
}
