//! The names of many charsets in one text, which `cargo xtask tables` writes.
//!
//! The text has for each charset a line with its name, one with its description and one with its specification, then its
//! labels, a line each and an empty line, and its labels of the web, likewise.

use placemat_core::forms::names::{Labels, Names};

/// The offsets at which the parts of the names of a charset start, and at which the last one ends.
// Numbers and no `str`: in a shared library a pointer to a text takes 40 bytes, and the loader has to change it.
pub(crate) type Parts = [u16; 6];

/// Finds the names of all charsets in a text.
pub(crate) const fn parts<const COUNT: usize>(text: &str) -> [Parts; COUNT] {
    let bytes = text.as_bytes();
    assert!(bytes.len() <= u16::MAX as usize, "16 bits are too few for the names");
    let mut parts = [[0; 6]; COUNT];
    let (mut at, mut charset) = (0, 0);
    while charset < COUNT {
        let mut part = 0;
        while part < 5 {
            let is_list = part >= 3;
            loop {
                let line = at;
                while bytes[at] != b'\n' {
                    at += 1;
                }
                at += 1;
                if !is_list || at == line + 1 {
                    break;
                }
            }
            part += 1;
            #[expect(clippy::cast_possible_truncation, reason = "compared above")]
            let end = at as u16;
            parts[charset][part] = end;
        }
        charset += 1;
        if charset < COUNT {
            parts[charset][0] = parts[charset - 1][5];
        }
    }
    assert!(at == bytes.len(), "names.txt is of another list of charsets");
    parts
}

/// Returns the names of the charset with these parts of a text.
pub(crate) const fn names(text: &'static str, parts: &Parts) -> Names {
    /// Returns a part without the line feed that ends it.
    const fn part(text: &'static str, parts: &Parts, index: usize) -> &'static str {
        let (start, end) = (parts[index] as usize, parts[index + 1] as usize - 1);
        text.split_at(end).0.split_at(start).1
    }
    Names {
        name: part(text, parts, 0),
        labels: Labels::of_lines(part(text, parts, 3)),
        web_labels: Labels::of_lines(part(text, parts, 4)),
        about: part(text, parts, 1),
        specified_in: part(text, parts, 2),
    }
}
