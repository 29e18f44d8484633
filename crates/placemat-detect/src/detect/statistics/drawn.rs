//! Frames and pictures that are drawn with characters, as in the pages of DOS and in KOI8-R.
//!
//! The language model knows no text that is drawn. In a page that has such characters, they count as marks of ASCII, and
//! their neighbors tell whether they draw something: a line goes on where its character is open, blocks stand beside blocks.
//! Letters of another page that are read as such characters are open at random.

use super::grams::Gram;

/// How a character meets the one beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Side {
    Closed,
    Single,
    Double,
    Block,
}

/// The sides of a character that something is drawn with: left and right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    left: Side,
    right: Side,
}

/// The shapes of the bytes of a page from 80 on.
pub(super) type Shapes = [Option<Shape>; 128];

const fn shape(left: Side, right: Side) -> Option<Shape> {
    Some(Shape { left, right })
}

/// Returns the shape of a code point; `None` if nothing is drawn with it.
pub(super) const fn shape_of(c: u32) -> Option<Shape> {
    use Side::{Block, Closed, Double, Single};
    match c {
        0x2500 | 0x252C | 0x2534 | 0x253C | 0x2565 | 0x2568 | 0x256B => shape(Single, Single),
        0x2550 | 0x2566 | 0x2569 | 0x256C | 0x2564 | 0x2567 | 0x256A => shape(Double, Double),
        0x2502 | 0x2551 => shape(Closed, Closed),
        0x2510 | 0x2518 | 0x2524 | 0x2556 | 0x255C | 0x2562 => shape(Single, Closed),
        0x2555 | 0x2557 | 0x255B | 0x255D | 0x2561 | 0x2563 => shape(Double, Closed),
        0x250C | 0x2514 | 0x251C | 0x2553 | 0x2559 | 0x255F => shape(Closed, Single),
        0x2552 | 0x2554 | 0x2558 | 0x255A | 0x255E | 0x2560 => shape(Closed, Double),
        0x2580..=0x2593 => shape(Block, Block),
        _ => None,
    }
}

/// Nats for a character that follows itself.
const REPEATED_NATS: f32 = 1.5;
/// Nats against any other, since a page has forty of them.
const OTHER_NATS: f32 = 4.0;
/// Nats against a side that is open towards one that is closed, and against a letter beside it: of ASCII, which may be a
/// title in a frame, and beyond ASCII.
const MISMATCH_NATS: f32 = 8.0;
const BESIDE_ASCII_NATS: f32 = 4.0;
const BESIDE_HIGH_NATS: f32 = 9.0;

/// Returns the nats of a page with these shapes for its characters that something is drawn with.
pub(super) fn nats(shapes: &Shapes, grams: &[Gram<u8>]) -> f32 {
    if shapes.iter().all(Option::is_none) {
        return 0.0;
    }
    let shape = |byte: u8| if byte < 0x80 { None } else { shapes[usize::from(byte & 0x7F)] };
    let beside = |byte: u8| match byte {
        0x80.. => -BESIDE_HIGH_NATS,
        _ if byte.is_ascii_alphabetic() => -BESIDE_ASCII_NATS,
        _ => 0.0,
    };
    let each = grams.iter().filter_map(|gram| {
        let [before, own, after] = gram.units;
        let Shape { right, .. } = shape(own)?;
        let own_nats = if own == before { REPEATED_NATS } else { -OTHER_NATS };
        let left_nats = if shape(before).is_some() { 0.0 } else { beside(before) };
        let right_nats = match shape(after) {
            Some(Shape { left, .. }) if left == right => 0.0,
            Some(_) => -MISMATCH_NATS,
            None => beside(after),
        };
        Some(gram.count * (own_nats + left_nats + right_nats))
    });
    each.sum()
}
