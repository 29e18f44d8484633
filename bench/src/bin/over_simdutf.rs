//! The program that a user would write over simdutf to convert a file: it reads pieces that stay in
//! the nearest caches, converts and writes them, by the first build of simdutf. `programs` compares
//! with it.
//!
//! `over_simdutf utf-8|utf-16le INPUT [OUTPUT]` converts to the other of both, to standard output
//! by default.

use placemat_bench_simdutf::libraries;
use std::fs::File;
use std::io::{self, Read as _, Write};
use std::os::fd::AsFd as _;

/// Size of a piece in bytes.
const PIECE_BYTES: usize = 64 << 10;

/// Returns the number of bytes at the end that begin a character and do not finish it.
fn begun(bytes: &[u8], is_utf8: bool) -> usize {
    if !is_utf8 {
        let odd = bytes.len() % 2;
        let whole = &bytes[..bytes.len() - odd];
        let lead = whole.last().is_some_and(|high| high & 0xFC == 0xD8);
        return odd + if lead { 2 } else { 0 };
    }
    (1..=3.min(bytes.len()))
        .find(|&back| match bytes[bytes.len() - back] {
            0xF0.. => back < 4,
            0xE0.. => back < 3,
            0xC0.. => back < 2,
            _ => false,
        })
        .unwrap_or(0)
}

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [from, input, output @ ..] = &args[..] else {
        panic!("utf-8 or utf-16le, INPUT, and perhaps OUTPUT")
    };
    let is_utf8 = from == "utf-8";
    let (_, simdutf) = *libraries().first().expect("a C++ compiler was here when this was built");
    let mut input = File::open(input)?;
    let mut output = match output {
        [output, ..] => File::create(output)?,
        [] => File::from(io::stdout().as_fd().try_clone_to_owned()?),
    };
    // A vector of UTF-16 code units, for their alignment.
    let mut piece = vec![0_u16; PIECE_BYTES / 2];
    let mut result = vec![0_u16; 2 * PIECE_BYTES];
    let mut len = 0;
    loop {
        // SAFETY: both slices have the same length in bytes, and any bytes are values of either
        // type.
        let bytes = unsafe { std::slice::from_raw_parts_mut(piece.as_mut_ptr().cast::<u8>(), PIECE_BYTES) };
        let read = input.read(&mut bytes[len..])?;
        len += read;
        let rest = if read == 0 { 0 } else { begun(&bytes[..len], is_utf8) };
        let whole = len - rest;
        // SAFETY: the source has `len` code units. The result has space for two bytes of UTF-16 for
        // each byte of UTF-8, and three bytes of UTF-8 for each two of UTF-16.
        let written = unsafe {
            if is_utf8 {
                2 * (simdutf.utf8_to_utf16le)(bytes.as_ptr(), whole, result.as_mut_ptr())
            } else {
                (simdutf.utf16le_to_utf8)(bytes.as_ptr().cast(), whole / 2, result.as_mut_ptr().cast())
            }
        };
        if written == 0 && whole > 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "ill-formed input"));
        }
        // SAFETY: as above, and the function has written `written` bytes.
        output.write_all(unsafe { std::slice::from_raw_parts(result.as_ptr().cast::<u8>(), written) })?;
        if read == 0 {
            return Ok(());
        }
        bytes.copy_within(whole..len, 0);
        len = rest;
    }
}
