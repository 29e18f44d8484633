//! The variable `PLACEMAT_ICONV`: `off` passes every call to the next library, `only` passes none,
//! `exact` knows no names that glibc reads differently, `log` reports each `iconv_open` on standard
//! error; commas separate several words. It is read once, and not at all in programs with raised
//! rights.

use crate::system::{self, ENOMEM, Handle};
use alloc::vec::Vec;
use core::ffi::{CStr, c_int};
use core::sync::atomic::{AtomicU8, Ordering};

/// The options in the variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    /// Every call goes to the next library.
    pub(crate) off: bool,
    /// No call goes to the next library.
    pub(crate) only: bool,
    /// Names that glibc reads differently are unknown.
    pub(crate) exact: bool,
    /// Each opening is reported.
    pub(crate) log: bool,
}

/// This bit is set once the variable was read. The other bits are the options.
const READ: u8 = 1;
const OFF: u8 = 2;
const ONLY: u8 = 4;
const LOG: u8 = 8;
const EXACT: u8 = 16;

impl Mode {
    /// Returns the mode of this process.
    pub(crate) fn get() -> Self {
        static MODE: AtomicU8 = AtomicU8::new(0);
        let mut mode = MODE.load(Ordering::Relaxed);
        if mode == 0 {
            mode = READ | system::variable(c"PLACEMAT_ICONV").map_or(0, wishes);
            MODE.store(mode, Ordering::Relaxed);
        }
        let has = |wish| mode & wish != 0;
        Self { off: has(OFF), only: has(ONLY), exact: has(EXACT), log: has(LOG) }
    }
}

/// The result of an `iconv_open`, for a report.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    Here,
    Left,
    Unknown,
    NoMemory,
}

impl Answer {
    /// Classifies the result of our own `iconv_open`.
    pub(crate) fn of(opened: Result<Handle, c_int>) -> Self {
        match opened {
            Ok(_) => Self::Here,
            Err(ENOMEM) => Self::NoMemory,
            Err(_) => Self::Unknown,
        }
    }

    /// Reports the opening in one line: `placemat: iconv_open("UTF-8", "KOI8-R"): converted here`.
    /// The line is one write, so that the lines of several threads and processes stay whole.
    pub(crate) fn report(self, to: &[u8], from: &[u8]) {
        let mut line = Vec::with_capacity(2 * 4 * SHOWN + 64);
        line.extend_from_slice(b"placemat: iconv_open(");
        quote(to, &mut line);
        line.extend_from_slice(b", ");
        quote(from, &mut line);
        line.extend_from_slice(match self {
            Self::Here => b"): converted here\n",
            Self::Left => b"): left to the next library\n",
            Self::Unknown => b"): unknown\n",
            Self::NoMemory => b"): no memory\n",
        });
        system::say(&line);
    }
}

/// Returns the bits for a value of the variable. Unknown words are ignored.
fn wishes(value: &CStr) -> u8 {
    let words = value.to_bytes().split(|&byte| byte == b',').map(|word| match word.trim_ascii() {
        b"off" => OFF,
        b"only" => ONLY,
        b"exact" => EXACT,
        b"log" => LOG,
        _ => 0,
    });
    words.fold(0, |all, word| all | word)
}

/// The longest part of a name that a report shows, in bytes.
const SHOWN: usize = 64;

/// Appends a name in quotation marks. A name may come from a document, so everything but printable
/// ASCII is escaped.
fn quote(name: &[u8], line: &mut Vec<u8>) {
    line.push(b'"');
    for &byte in &name[..name.len().min(SHOWN)] {
        match byte {
            b'"' | b'\\' => line.extend_from_slice(&[b'\\', byte]),
            b' '..=b'~' => line.push(byte),
            _ => {
                let hex = |digit: u8| b"0123456789abcdef"[usize::from(digit)];
                line.extend_from_slice(&[b'\\', b'x', hex(byte >> 4), hex(byte & 15)]);
            }
        }
    }
    if name.len() > SHOWN {
        line.extend_from_slice(b"...");
    }
    line.push(b'"');
}
