//! Prints, for each encoding, checksums of the library's answers: decoding of every byte and every
//! pair of bytes, the first error of random bytes, and encoding of every code point of the first
//! three planes. `bindings/web/tests/oracle.test.mjs` computes the checksums of the package's
//! answers.

use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};

/// The hash of Fowler, Noll and Vo (FNV-1a, 32 bits).
struct Sum(u32);

impl Sum {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
}

const START: u32 = 0x811C_9DC5;

/// Decodes bytes to UTF-16LE with the contents of a JavaScript string: with surrogates, and U+FFFD
/// above U+10FFFF.
fn decode(encoding: Encoding, src: &[u8]) -> Vec<u8> {
    let wide = Transcoder::new(encoding, Encoding::UCS_4LE)
        .on_error(ErrorPolicy::Replace)
        .on_unmappable(UnmappablePolicy::SurrogatePass)
        .transcode(src)
        .expect("UCS-4 holds everything");
    let mut units = Vec::new();
    for unit in wide.as_chunks().0 {
        let value = u32::from_le_bytes(*unit);
        match char::from_u32(value) {
            Some(c) => units.extend(c.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_le_bytes())),
            None if value <= 0xFFFF => units.extend_from_slice(&unit[..2]),
            None => units.extend_from_slice(&0xFFFD_u16.to_le_bytes()),
        }
    }
    units
}

/// A generator of the numbers that `random` in `bindings/web/tests/common.mjs` yields.
struct Random(u32);

impl Random {
    fn next(&mut self, below: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        u32::try_from((u64::from(self.0) * u64::from(below)) >> 32).unwrap_or(0)
    }
}

fn main() {
    let text: String = (0..0x3_0000).filter_map(char::from_u32).collect();
    for &encoding in Encoding::ALL {
        let mut bytes = Sum(START);
        for byte in 0..=255 {
            bytes.add(&decode(encoding, &[byte]));
        }
        let mut pairs = Sum(START);
        // In a single-byte encoding, one byte of the pair covers all cases.
        let last: u16 = if encoding.max_bytes() > 1 { 0xFFFF } else { 0 };
        for pair in 0..=last {
            let [first, second] = pair.to_be_bytes();
            pairs.add(&decode(encoding, &[first, second, b'A']));
        }
        let mut errors = Sum(START);
        let mut random = Random(5);
        for _ in 0..300 {
            let src: Vec<u8> = (0..40).map(|_| random.next(256).to_le_bytes()[0]).collect();
            if let Status::IllFormed(e) = Transcoder::checker(encoding).convert(&src, &mut [], true).status {
                errors.add(format!("{} {} {};", e.offset(), e.len(), e.code()).as_bytes());
            }
        }
        let mut encoded = Sum(START);
        encoded.add(&encoding.encode(&text, UnmappablePolicy::Skip).expect("the policy never stops"));
        println!("{}\t{}\t{}\t{}\t{}", encoding.name(), bytes.0, pairs.0, errors.0, encoded.0);
    }
}
