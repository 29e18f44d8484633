//! Strings of Modified UTF-8 in their containers: Java class files, records of `DataOutput.writeUTF`, dex files.
//!
//! The Java Virtual Machine Specification, sections 4.1 and 4.4; `java.io.DataInput`; the Dalvik executable format. Only the
//! strings and what says where they are is read, each part once, and one string at a time is in memory.

use crate::failure::Failure;
use crate::input;
use placemat::mutf8::{Framing, FramingError};
use std::fs::File;
use std::io::{self, BufReader, Read};

/// A string in its container.
pub(super) struct Found<'a> {
    /// The number of the constant in a class file, of the string in a dex file, or of the record,
    /// from 1.
    pub(super) index: u64,
    /// The offset of its first byte in the file.
    pub(super) offset: u64,
    pub(super) bytes: &'a [u8],
}

/// The reason to stop.
pub(super) enum Stopped {
    Failed(Failure),
    /// The file contradicts its format: what was expected, and where.
    Malformed(String),
}

impl From<io::Error> for Stopped {
    fn from(e: io::Error) -> Self {
        Self::Failed(Failure::Reading(e))
    }
}

/// Takes a string. Returns whether more are wanted.
pub(super) type Each<'a> = dyn FnMut(&Found<'_>) -> Result<bool, Failure> + 'a;

fn take(each: &mut Each<'_>, index: u64, offset: u64, bytes: &[u8]) -> Result<bool, Stopped> {
    each(&Found { index, offset, bytes }).map_err(Stopped::Failed)
}

/// The first bytes of a class file.
const CLASS_MAGIC: &[u8] = b"\xCA\xFE\xBA\xBE";
/// The bytes that tell a class file from a Mach-O file for several processors, which begins with the same four bytes and the number
/// of its parts. The version of a class file is at least 45.
pub(super) const HEAD: usize = 8;
const FIRST_VERSION: u8 = 45;

/// Whether a file begins like a class file.
pub(super) fn is_class(head: &[u8]) -> bool {
    matches!(head.split_at_checked(4), Some((CLASS_MAGIC, &[_, _, high, low, ..])) if high > 0 || low >= FIRST_VERSION)
}

/// A stream of which parts are read one after the other.
struct Parts<R> {
    stream: BufReader<R>,
    offset: u64,
    string: Vec<u8>,
}

impl<R: Read> Parts<R> {
    fn new(stream: R) -> Self {
        Self { stream: BufReader::new(stream), offset: 0, string: Vec::new() }
    }

    /// Fills `to`, unless the stream ends before it. Returns the number of bytes.
    fn fill(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < to.len() {
            match input::read(&mut self.stream, &mut to[filled..])? {
                0 => break,
                read => filled += read,
            }
        }
        self.offset += filled as u64;
        Ok(filled)
    }

    /// The next `N` bytes; `what` names them.
    fn number<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Stopped> {
        let (start, mut bytes) = (self.offset, [0; N]);
        match self.fill(&mut bytes)? {
            filled if filled == N => Ok(bytes),
            _ => Err(self.ended(what, N, start)),
        }
    }

    /// Passes over `N` bytes.
    fn skip<const N: usize>(&mut self, what: &str) -> Result<(), Stopped> {
        self.number::<N>(what).map(|_| ())
    }

    /// The string of the next `len` bytes, which is kept.
    fn string(&mut self, len: usize, what: &str) -> Result<u64, Stopped> {
        let start = self.offset;
        let mut string = core::mem::take(&mut self.string);
        string.resize(len, 0);
        let filled = self.fill(&mut string)?;
        self.string = string;
        if filled == len { Ok(start) } else { Err(self.ended(what, len, start)) }
    }

    fn ended(&self, what: &str, len: usize, start: u64) -> Stopped {
        let plural = if len == 1 { "" } else { "s" };
        Stopped::Malformed(format!(
            "the file ends at byte {}: {what} takes {len} byte{plural} from byte {start} on",
            self.offset
        ))
    }
}

/// The strings of the constant pool of a class file.
pub(super) fn class(stream: impl Read, each: &mut Each<'_>) -> Result<(), Stopped> {
    let mut parts = Parts::new(stream);
    let magic: [u8; 4] = parts.number("the signature of a class file")?;
    if magic != CLASS_MAGIC {
        let [a, b, c, d] = magic;
        return Err(Stopped::Malformed(format!(
            "no class file: it begins with 0x{a:02x} 0x{b:02x} 0x{c:02x} 0x{d:02x} and not with 0xca 0xfe 0xba 0xbe"
        )));
    }
    parts.skip::<4>("the version")?;
    let count = u16::from_be_bytes(parts.number("the number of constants")?);
    if count == 0 {
        return Err(Stopped::Malformed(
            "the number of constants at byte 8 is 0, and must be at least 1".into(),
        ));
    }
    let mut index = 1;
    while index < count {
        let start = parts.offset;
        let [tag] = parts.number(&format!("the tag of constant {index} of {}", count - 1))?;
        let what = || format!("constant {index}");
        match tag {
            1 => {
                let len =
                    u16::from_be_bytes(parts.number(&format!("the length of the string of {}", what()))?);
                let offset = parts.string(len.into(), &format!("the string of {}", what()))?;
                if !take(each, index.into(), offset, &parts.string)? {
                    return Ok(());
                }
            }
            7 | 8 | 16 | 19 | 20 => parts.skip::<2>(&what())?,
            15 => parts.skip::<3>(&what())?,
            3 | 4 | 9..=12 | 17 | 18 => parts.skip::<4>(&what())?,
            5 | 6 => {
                parts.skip::<8>(&what())?;
                index += 1;
                if index == count {
                    return Err(Stopped::Malformed(format!(
                        "constant {} at byte {start} takes two numbers, and it is the last of {}",
                        index - 1,
                        count - 1
                    )));
                }
            }
            _ => {
                return Err(Stopped::Malformed(format!(
                    "constant {index} at byte {start} has the tag {tag}: tags are 1, 3 to 12 and 15 to 20"
                )));
            }
        }
        index += 1;
    }
    Ok(())
}

/// The records of `DataOutput.writeUTF`, up to the end of the stream.
pub(super) fn java(stream: impl Read, each: &mut Each<'_>) -> Result<(), Stopped> {
    let mut parts = Parts::new(stream);
    for index in 1.. {
        let (start, mut len) = (parts.offset, [0; 2]);
        match parts.fill(&mut len)? {
            0 => break,
            1 => return Err(parts.ended(&format!("the length of record {index}"), 2, start)),
            _ => {}
        }
        let len = u16::from_be_bytes(len);
        let offset = parts.string(len.into(), &format!("the string of record {index}"))?;
        if !take(each, index, offset, &parts.string)? {
            break;
        }
    }
    Ok(())
}

/// The maximum number of bytes of a string of a dex file: a source file of Java cannot have one
/// with as many.
const MAX_STRING: usize = 1 << 20;
/// Bytes of a string of a dex file that are read first.
const DEX_FIRST_READ_BYTES: usize = 256;
/// The length of the header of a dex file.
const DEX_HEADER_BYTES: usize = 112;

/// The strings of a dex file, in the order of their numbers. They can be anywhere in it, so it must be a file and no pipe.
pub(super) fn dex(file: &File, each: &mut Each<'_>) -> Result<(), Stopped> {
    let mut header = [0; DEX_HEADER_BYTES];
    let filled = read_at(file, &mut header, 0)?;
    if !header.starts_with(b"dex\n") {
        return Err(Stopped::Malformed("no dex file: it does not begin with \"dex\" and a line feed".into()));
    }
    if filled < DEX_HEADER_BYTES {
        return Err(Stopped::Malformed(format!(
            "the file ends at byte {filled}: the header of a dex file takes {DEX_HEADER_BYTES} bytes"
        )));
    }
    let number = |at: usize| header[at..].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    if number(40) != 0x1234_5678 {
        return Err(Stopped::Malformed("the byte order at byte 40 is not 0x78 0x56 0x34 0x12".into()));
    }
    let (count, table, end) = (number(56), number(60), file.metadata()?.len());
    let mut bytes = Vec::new();
    for index in 0..u64::from(count) {
        let place = u64::from(table) + 4 * index;
        let mut id = [0; 4];
        let filled = read_at(file, &mut id, place)?;
        if filled < id.len() {
            return Err(Stopped::Malformed(format!(
                "the file ends at byte {end}: string {index} of {count} has its place at byte {place}"
            )));
        }
        let start = u64::from(u32::from_le_bytes(id));
        let mut room = DEX_FIRST_READ_BYTES;
        let (offset, string) = loop {
            bytes.resize(room, 0);
            let filled = read_at(file, &mut bytes, start)?;
            match Framing::Dex.split(&bytes[..filled]) {
                Ok((string, rest)) => {
                    break (start + (filled - rest.len() - 1 - string.len()) as u64, string);
                }
                Err(FramingError::Incomplete) if filled == room && room < MAX_STRING => room *= 4,
                Err(FramingError::Incomplete) if filled == room => {
                    return Err(Stopped::Malformed(format!(
                        "string {index} at byte {start} does not end with a zero byte within {MAX_STRING} bytes"
                    )));
                }
                Err(FramingError::Incomplete) => {
                    return Err(Stopped::Malformed(format!(
                        "the file ends at byte {end}: string {index}, from byte {start} on, has no end before that"
                    )));
                }
                Err(e) => return Err(Stopped::Malformed(format!("string {index} at byte {start}: {e}"))),
            }
        };
        if !take(each, index, offset, string)? {
            break;
        }
    }
    Ok(())
}

/// Fills `to` from a place in a file, unless the file ends before it. Returns the number of bytes.
fn read_at(file: &File, to: &mut [u8], place: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < to.len() {
        match input::read_at(file, &mut to[filled..], place + filled as u64)? {
            0 => break,
            read => filled += read,
        }
    }
    Ok(filled)
}
