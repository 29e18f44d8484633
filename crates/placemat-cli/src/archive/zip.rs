//! The central directory of a ZIP archive (APPNOTE.TXT of PKWARE, with the extra field 0x7075 of Info-ZIP).

use super::entry::{Entry, Names, Says, Unicode, damaged, number};
use flate2::Crc;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// The length of the record at the end, and of the longest comment in it.
const END: usize = 22;
const MAX_COMMENT: usize = 0xFFFF;
/// The lengths of the fixed parts of other records.
const LOCATOR: usize = 20;
const END_64: usize = 56;
const HEADER: usize = 46;
/// Bit 11 of the flags: the name is UTF-8.
const UTF8: u64 = 1 << 11;
/// The extra field with the name in UTF-8.
const UNICODE_PATH: u64 = 0x7075;

/// The place of the central directory.
#[derive(Clone, Copy, Debug)]
struct Directory {
    start: u64,
    len: u64,
}

/// Returns the names in an archive; `None` if the file does not end as an archive does.
pub(super) fn names(file: &mut (impl Read + Seek)) -> io::Result<Option<Vec<Entry>>> {
    let Some(directory) = directory(file)? else { return Ok(None) };
    file.seek(SeekFrom::Start(directory.start))?;
    let mut records = BufReader::new(file).take(directory.len);
    let mut names = Names::default();
    while records.limit() > 0 {
        let mut header = [0; HEADER];
        if records.limit() < HEADER as u64 {
            break;
        }
        records.read_exact(&mut header)?;
        if !header.starts_with(b"PK\x01\x02") {
            // A signature may follow the last record.
            if header.starts_with(b"PK\x05\x05") && !names.entries.is_empty() {
                break;
            }
            return Err(damaged("the list of files in the archive is damaged"));
        }
        let mut part = |at: usize| -> io::Result<Vec<u8>> {
            let len = number::<2>(&header, at);
            let mut bytes = Vec::new();
            records.by_ref().take(len).read_to_end(&mut bytes)?;
            if bytes.len() as u64 == len { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
        };
        let (name, extra, _) = (part(28)?, part(30)?, part(32)?);
        let unicode = unicode(&extra, &name);
        let utf8 = number::<2>(&header, 8) & UTF8 != 0;
        names.push(Entry { name, says: Says::Zip { utf8, unicode } })?;
    }
    Ok(Some(names.entries))
}

/// Finds the central directory from the record at the end of the file.
fn directory(file: &mut (impl Read + Seek)) -> io::Result<Option<Directory>> {
    let size = file.seek(SeekFrom::End(0))?;
    let from = size.saturating_sub((END + MAX_COMMENT + LOCATOR) as u64);
    file.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    file.take(size - from).read_to_end(&mut tail)?;
    // The comment may contain anything, so that its length must fit.
    let fits = |at: usize| {
        tail[at..].starts_with(b"PK\x05\x06") && (tail.len() - at - END) as u64 == number::<2>(&tail, at + 20)
    };
    let Some(at) = (0..(tail.len() + 1).saturating_sub(END)).rev().find(|&at| fits(at)) else {
        return Ok(None);
    };
    let end = from + at as u64;
    let (mut len, mut offset) = (number::<4>(&tail, at + 12), number::<4>(&tail, at + 16));
    let mut after = end;
    let count = number::<2>(&tail, at + 10);
    if (len == 0xFFFF_FFFF || offset == 0xFFFF_FFFF || count == 0xFFFF)
        && let Some(locator) = at.checked_sub(LOCATOR)
        && tail[locator..].starts_with(b"PK\x06\x07")
    {
        let mut record = Vec::new();
        file.seek(SeekFrom::Start(number::<8>(&tail, locator + 8)))?;
        file.take(END_64 as u64).read_to_end(&mut record)?;
        if record.len() < END_64 || !record.starts_with(b"PK\x06\x06") {
            return Err(damaged("the end of the archive is damaged"));
        }
        (len, offset) = (number::<8>(&record, 40), number::<8>(&record, 48));
        after = number::<8>(&tail, locator + 8);
    }
    // A program may stand before the archive, and then the offsets do not count it.
    let start = after.checked_sub(len).filter(|start| *start >= offset);
    match start {
        Some(start) => Ok(Some(Directory { start, len })),
        None => Err(damaged("the end of the archive is damaged")),
    }
}

/// Returns the name in UTF-8 from the extra fields.
fn unicode(extra: &[u8], name: &[u8]) -> Option<Unicode> {
    let mut rest = extra;
    while rest.len() >= 4 {
        let id = number::<2>(rest, 0);
        let len = usize::from(u16::from_le_bytes([rest[2], rest[3]]));
        let field = rest.get(4..4 + len)?;
        rest = &rest[4 + len..];
        if id == UNICODE_PATH && field.len() >= 5 && field[0] == 1 {
            let mut crc = Crc::new();
            crc.update(name);
            let is_current = u64::from(crc.sum()) == number::<4>(field, 1);
            return Some(Unicode { name: field[5..].to_vec(), is_current });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn short(len: usize) -> u16 {
        u16::try_from(len).unwrap()
    }

    fn word(len: usize) -> u32 {
        u32::try_from(len).unwrap()
    }

    /// An archive of empty files: the flag, the name, and the extra fields of each.
    fn archive(files: &[(bool, &[u8], &[u8])], comment: &[u8]) -> Vec<u8> {
        let mut all = Vec::new();
        let mut list = Vec::new();
        for (utf8, name, extra) in files {
            let flags = if *utf8 { 0x0800_u16 } else { 0 };
            let lens = [short(name.len()), short(extra.len())];
            list.extend(b"PK\x01\x02\x14\x03\x14\x00");
            list.extend(flags.to_le_bytes());
            list.extend([0; 18]);
            list.extend(lens.iter().flat_map(|len| len.to_le_bytes()));
            list.extend([0; 10]);
            list.extend(word(all.len()).to_le_bytes());
            list.extend([*name, *extra].concat());
            all.extend(b"PK\x03\x04\x14\x00");
            all.extend(flags.to_le_bytes());
            all.extend([0; 18]);
            all.extend(short(name.len()).to_le_bytes());
            all.extend([0; 2]);
            all.extend(*name);
        }
        let start = word(all.len());
        all.extend(&list);
        all.extend(b"PK\x05\x06\0\0\0\0");
        all.extend(short(files.len()).to_le_bytes().repeat(2));
        all.extend(word(list.len()).to_le_bytes());
        all.extend(start.to_le_bytes());
        all.extend(short(comment.len()).to_le_bytes());
        all.extend(comment);
        all
    }

    fn read(bytes: &[u8]) -> io::Result<Option<Vec<Entry>>> {
        names(&mut Cursor::new(bytes))
    }

    fn path_field(crc_of: &[u8], name: &[u8]) -> Vec<u8> {
        let mut crc = Crc::new();
        crc.update(crc_of);
        let data = [&[1][..], &crc.sum().to_le_bytes(), name].concat();
        [&0x7075_u16.to_le_bytes()[..], &short(data.len()).to_le_bytes(), &data].concat()
    }

    #[test]
    fn names_flags_and_fields() {
        let field = path_field(b"\x82", "é".as_bytes());
        let stale = [b"\x55\x54\x01\x00\x07".to_vec(), path_field(b"x", "é".as_bytes())].concat();
        let files = [
            (false, &b"plain"[..], &b""[..]),
            (true, "é/ü".as_bytes(), b""),
            (false, b"\x82", &field),
            (false, b"\x82", &stale),
            (true, b"", b"\x01"),
        ];
        for (before, comment) in [(&b""[..], &b""[..]), (b"#!/bin/sh\n", b"a comment PK\x05\x06 in it")] {
            let bytes = [before, &archive(&files, comment)].concat();
            let found = read(&bytes).unwrap().unwrap();
            let names: Vec<_> = found.iter().map(|entry| &*entry.name).collect();
            assert_eq!(names, [&b"plain"[..], "é/ü".as_bytes(), b"\x82", b"\x82", b""]);
            let says = |utf8, field: Option<(&str, bool)>| Says::Zip {
                utf8,
                unicode: field.map(|(name, is_current)| Unicode { name: name.into(), is_current }),
            };
            let wanted = [
                says(false, None),
                says(true, None),
                says(false, Some(("é", true))),
                says(false, Some(("é", false))),
                says(true, None),
            ];
            assert!(found.iter().zip(&wanted).all(|(entry, says)| entry.says == *says), "{found:?}");
        }
        for bytes in [&b""[..], b"PK", b"PK\x05\x06", &[0; 100], b"PK\x03\x04 no end"] {
            assert_eq!(read(bytes).unwrap(), None);
        }
    }

    /// Whatever bytes there are, reading ends, without a panic and with few bytes.
    #[test]
    fn damage_is_an_error_or_other_names() {
        let field = path_field(b"\x82", "é".as_bytes());
        let whole =
            archive(&[(false, b"a", b""), (true, "é".as_bytes(), &field), (false, b"dir/", b"")], b"c");
        let mut state = 9_u32;
        let mut next = |n: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % n
        };
        for _ in 0..40_000 {
            let mut bytes = whole.clone();
            for _ in 0..=next(4) {
                let at = next(bytes.len());
                bytes[at] = [0, 1, 0x7F, 0x80, 0xFF, next(256).to_le_bytes()[0]][next(6)];
            }
            bytes.truncate(bytes.len() - if next(4) == 0 { next(bytes.len()) } else { 0 });
            if let Ok(Some(names)) = read(&bytes) {
                assert!(names.iter().map(|entry| entry.name.len()).sum::<usize>() <= bytes.len());
            }
        }
    }
}
