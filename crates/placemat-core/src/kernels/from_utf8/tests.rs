//! Tests that the kernels that read UTF-8 share.

use super::Moved;
use crate::Isa;
use crate::kernels::dispatch::Kernels;
use crate::kernels::portable::samples::{CLASSES, MIXED, Numbers, border, mutations};

type Kernel = fn(&[u8], &mut [u8]) -> Moved;
type OfLevel = fn(Kernels, &[u8], &mut [u8]) -> Moved;

/// A kernel on each level and on the model, and how a code point is written, if it can be.
pub(in crate::kernels) struct Subject {
    pub(in crate::kernels) of_level: OfLevel,
    pub(in crate::kernels) on_model: Kernel,
    pub(in crate::kernels) write: fn(char, &mut Vec<u8>) -> bool,
    /// Number of bytes of the shortest code unit.
    pub(in crate::kernels) unit: usize,
}

impl Subject {
    /// Compares the kernels with plain code: the number of bytes that they read, and the bytes that
    /// they write into `room` bytes.
    fn check(&self, src: &[u8], room: usize, with_model: bool) {
        let good = src.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let (mut read, mut expected) = (0, Vec::new());
        for c in good.chars() {
            let before = expected.len();
            if !(self.write)(c, &mut expected) || expected.len() > room {
                expected.truncate(before);
                break;
            }
            read += c.len_utf8();
        }
        let mut dst = vec![0xEE; room];
        for isa in Isa::available() {
            let Some(kernels) = Kernels::of(isa) else { continue };
            dst.fill(0xEE);
            let moved = (self.of_level)(kernels, src, &mut dst);
            assert_eq!(moved, Moved { read, written: expected.len() }, "{isa}, room {room}: {src:02x?}");
            assert_eq!(&dst[..expected.len()], &expected, "{isa}, room {room}: {src:02x?}");
        }
        if with_model {
            dst.fill(0xEE);
            let moved = (self.on_model)(src, &mut dst);
            assert_eq!(moved, Moved { read, written: expected.len() }, "model, room {room}: {src:02x?}");
            assert_eq!(&dst[..expected.len()], &expected, "model, room {room}: {src:02x?}");
        }
    }

    fn enough(&self, src: &[u8]) -> usize {
        src.len() * self.unit
    }

    /// Runs every test of a kernel.
    pub(in crate::kernels) fn passes(&self) {
        self.mixed_text_cut_everywhere();
        self.every_room();
        self.long_texts_at_every_alignment();
        self.borders_at_every_place();
        self.damage();
    }

    fn mixed_text_cut_everywhere(&self) {
        let text = MIXED.repeat(2);
        let numbers = &mut Numbers::new(5);
        for from in 0..text.len() {
            for to in (from..from + 4).chain([from + numbers.below(70), from + numbers.below(300)]) {
                let Some(src) = text.as_bytes().get(border(&text, from)..to) else { continue };
                self.check(src, self.enough(src), from % 16 == 0);
            }
        }
    }

    fn every_room(&self) {
        let text = MIXED.repeat(2);
        for room in 0..=self.enough(text.as_bytes()) {
            // Starts somewhere in the middle each time, so that the position of the end varies too.
            let from = border(&text, room * 7 % 600);
            self.check(&text.as_bytes()[from..], room, room % 64 == 0);
        }
        for at in 0..=130 {
            let src = [&"a".repeat(at), "é日😀", "b"].concat();
            for room in self.enough(src.as_bytes()).saturating_sub(40)..=self.enough(src.as_bytes()) {
                self.check(src.as_bytes(), room, false);
            }
        }
    }

    fn long_texts_at_every_alignment(&self) {
        let mut text = String::new();
        let numbers = &mut Numbers::new(99);
        while text.len() < 6000 {
            let piece =
                ["ASCII, plain and long. ", "é", "日本", "😀", "x", "<b class=\"c\">Ж</b>"][numbers.below(6)];
            text.push_str(&piece.repeat(1 + numbers.below(40)));
        }
        for from in 0..=130 {
            let from = border(&text, from);
            let to = border(&text, text.len() - numbers.below(3000));
            let src = &text.as_bytes()[from..to];
            self.check(src, self.enough(src), false);
            self.check(src, self.enough(src).saturating_sub(numbers.below(4000)), false);
            let mut src = src.to_vec();
            let at = numbers.below(src.len());
            src[at] = CLASSES[numbers.below(CLASSES.len())];
            self.check(&src, self.enough(&src), false);
        }
    }

    fn borders_at_every_place(&self) {
        let bytes = |text: &str| text.as_bytes().to_vec();
        let mut cases: Vec<Vec<u8>> =
            ["\u{80}", "\u{FF}", "\u{100}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}"].map(bytes).into();
        cases.extend(["\u{FFFF}", "\u{10000}", "\u{10FFFF}", "\u{3FFFF}", "\u{40000}"].map(bytes));
        for bad in [
            "80",
            "bf",
            "c080",
            "c1bf",
            "c2",
            "c27f",
            "c2c0",
            "c3c3a9",
            "c3a9a9",
            "df",
            "e0a0",
            "e0",
            "e09fbf",
            "eda080",
            "edbfbf",
            "e18080bf",
            "efbf",
            "efbfc0",
            "f0",
            "f08fbfbf",
            "f09080",
            "f0908080bf",
            "f48fbf",
            "f4908080",
            "f5808080",
            "f7bfbfbf",
            "f8888080",
            "ff808080",
            "fe",
            "f09f98c3a9",
            "e697c3a9",
            "f09f9841",
            "c3c1",
            "e0c1",
        ] {
            cases.push(
                (0..bad.len())
                    .step_by(2)
                    .map(|i| u8::from_str_radix(&bad[i..i + 2], 16).unwrap_or(0))
                    .collect(),
            );
        }
        for case in &cases {
            for (padding, step) in [("a", 1), ("é", 2), ("日", 3), ("😀", 4)] {
                for at in 0..=130usize.div_ceil(step) {
                    for after in [
                        "",
                        "a",
                        "日本語",
                        "and then for longer than a block of plain and simple ASCII, on and on and on",
                    ] {
                        let src = [padding.repeat(at).as_bytes(), case, after.as_bytes()].concat();
                        self.check(&src, self.enough(&src), at % 16 == 5);
                    }
                }
            }
        }
    }

    fn damage(&self) {
        let mut odd = 0;
        mutations(6000, |src| {
            odd += 1;
            self.check(src, self.enough(src), odd % 32 == 0);
        });
    }
}
