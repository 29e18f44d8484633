//! The headers of a tar archive: v7, ustar, long names of GNU tar, and records of pax (POSIX.1-2001).

use super::entry::{Entry, Names, Says, damaged};
use std::io::{self, Read};

/// The size of a header, and the unit of all lengths.
pub(super) const BLOCK: usize = 512;
/// The maximum length of a long name or of the records about one file.
const MAX_RECORDS: u64 = 1 << 20;

/// Returns `true` if a block is a header: its checksum fits.
pub(super) fn is_header(block: &[u8]) -> bool {
    let Some(checksum) = block.get(148..156).and_then(octal) else { return false };
    if block.len() != BLOCK || block[0] == 0 {
        return false;
    }
    let byte = |at: usize| if (148..156).contains(&at) { b' ' } else { block[at] };
    let sum: u64 = (0..BLOCK).map(|at| u64::from(byte(at))).sum();
    // Some old programs summed signed bytes.
    let signed: i64 = (0..BLOCK).map(|at| i64::from(byte(at).cast_signed())).sum();
    checksum == sum || i64::try_from(checksum) == Ok(signed)
}

/// Returns a number in octal digits, between spaces and NULs.
fn octal(field: &[u8]) -> Option<u64> {
    let is_space = |byte: &u8| matches!(byte, b' ' | 0);
    let digits = field.iter().skip_while(|byte| is_space(byte)).take_while(|byte| !is_space(byte));
    digits.copied().try_fold(0_u64, |number, byte| match byte {
        b'0'..=b'7' => number.checked_mul(8)?.checked_add(u64::from(byte - b'0')),
        _ => None,
    })
}

/// Returns the length of a file: octal digits, or a binary number if its first bit is set.
fn length(field: &[u8]) -> Option<u64> {
    match field.split_first() {
        Some((&first, rest)) if first & 0x80 != 0 => {
            rest.iter().try_fold(u64::from(first & 0x7F), |number, byte| {
                Some(number.checked_mul(256)? + u64::from(*byte))
            })
        }
        _ => octal(field),
    }
}

/// Returns the bytes before the first NUL.
fn text(field: &[u8]) -> &[u8] {
    field.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// The records of pax that concern names.
#[derive(Clone, Debug, Default)]
struct Records {
    path: Option<Vec<u8>>,
    binary: Option<bool>,
}

impl Records {
    /// Reads records: `LENGTH KEY=VALUE\n`, where the length counts all of it.
    fn add(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let wrong = || damaged("a record of pax is damaged");
        while !bytes.is_empty() && bytes[0] != 0 {
            let space = bytes.iter().take(20).position(|&byte| byte == b' ').ok_or_else(wrong)?;
            let len: usize = core::str::from_utf8(&bytes[..space])
                .ok()
                .and_then(|len| len.parse().ok())
                .ok_or_else(wrong)?;
            let record =
                bytes.get(space + 1..len).and_then(|record| record.strip_suffix(b"\n")).ok_or_else(wrong)?;
            bytes = &bytes[len..];
            if let Some(path) = record.strip_prefix(b"path=") {
                self.path = Some(path.to_vec());
            } else if let Some(charset) = record.strip_prefix(b"hdrcharset=") {
                self.binary = Some(charset == b"BINARY");
            }
        }
        Ok(())
    }
}

/// Returns the names in an archive, up to the block of zeros at its end.
pub(super) fn names(archive: &mut impl Read) -> io::Result<Vec<Entry>> {
    let mut names = Names::default();
    let mut global = Records::default();
    let mut own = Records::default();
    let mut long: Option<Vec<u8>> = None;
    let mut header = [0; BLOCK];
    loop {
        match fill(archive, &mut header)? {
            0 => break,
            BLOCK if header == [0; BLOCK] => break,
            BLOCK if is_header(&header) => {}
            _ => return Err(damaged("a header of the archive is damaged")),
        }
        let len = length(&header[124..136]).ok_or_else(|| damaged("a header of the archive is damaged"))?;
        match header[156] {
            b'L' => long = Some(text(&records(archive, len)?).to_vec()),
            b'K' => drop(records(archive, len)?),
            b'x' | b'X' => own.add(&records(archive, len)?)?,
            b'g' => global.add(&records(archive, len)?)?,
            kind => {
                let binary = own.binary.or(global.binary).unwrap_or(false);
                let path = own.path.take().or_else(|| global.path.clone());
                let entry = match path {
                    Some(name) => Entry { name, says: Says::Pax { binary } },
                    None => Entry { name: long.take().unwrap_or_else(|| name(&header)), says: Says::Nothing },
                };
                names.push(entry)?;
                (own, long) = (Records::default(), None);
                // Links, devices, directories and pipes have no data.
                if !matches!(kind, b'1'..=b'6') {
                    skip(archive, len)?;
                }
            }
        }
    }
    Ok(names.entries)
}

/// Returns the name in a header.
fn name(header: &[u8; BLOCK]) -> Vec<u8> {
    let (name, prefix) = (text(&header[..100]), text(&header[345..500]));
    // GNU tar has other things in the place of the prefix.
    if &header[257..263] == b"ustar\0" && !prefix.is_empty() {
        [prefix, b"/", name].concat()
    } else {
        name.to_vec()
    }
}

/// Reads a block. Returns the number of its bytes, which is less at the end.
fn fill(archive: &mut impl Read, block: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < block.len() {
        match archive.read(&mut block[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}

/// Reads data, and the rest of its last block.
fn records(archive: &mut impl Read, len: u64) -> io::Result<Vec<u8>> {
    if len > MAX_RECORDS {
        return Err(damaged("the records about a file are longer than 1 MiB"));
    }
    let mut bytes = Vec::new();
    archive.take(len.next_multiple_of(BLOCK as u64)).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    bytes.truncate(usize::try_from(len).unwrap_or(usize::MAX));
    Ok(bytes)
}

/// Skips data, and the rest of its last block. The last data of an archive may lack that rest.
fn skip(archive: &mut impl Read, len: u64) -> io::Result<()> {
    let whole = len.checked_next_multiple_of(BLOCK as u64).ok_or_else(|| damaged("a file is too long"))?;
    let skipped = io::copy(&mut archive.take(whole), &mut io::sink())?;
    if skipped < len { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(name: &[u8], kind: u8, data: &[u8], magic: &[u8], prefix: &[u8]) -> Vec<u8> {
        let mut header = [0; BLOCK];
        header[..name.len()].copy_from_slice(name);
        header[100..108].copy_from_slice(b"0000644\0");
        header[124..136].copy_from_slice(format!("{:011o}\0", data.len()).as_bytes());
        header[148..156].copy_from_slice(b"        ");
        header[156] = kind;
        header[257..257 + magic.len()].copy_from_slice(magic);
        header[345..345 + prefix.len()].copy_from_slice(prefix);
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        let padding = data.len().next_multiple_of(BLOCK) - data.len();
        [&header[..], data, &vec![0; padding]].concat()
    }

    fn sample() -> Vec<u8> {
        let ustar = b"ustar\x0000";
        let long = [b'n'; 200];
        [
            block(b"v7\x82", 0, b"text", b"", b""),
            block(b"b", b'0', b"", ustar, b"a"),
            block(b"gnu", b'0', &[7; 513], b"ustar  \0", b"x"),
            block(b"././@LongLink", b'L', &[&long[..], b"\0"].concat(), b"ustar  \0", b""),
            block(b"nnn", b'0', b"", b"ustar  \0", b""),
            block(b"PaxHeader", b'x', "14 path=é/ü\n".as_bytes(), ustar, b""),
            block(b"short", b'5', b"", ustar, b""),
            block(b"PaxHeader", b'x', b"21 hdrcharset=BINARY\n10 path=\x82\n", ustar, b""),
            block(b"short", b'0', b"", ustar, b""),
            vec![0; 1024],
        ]
        .concat()
    }

    #[test]
    fn names_of_all_formats() {
        let found = names(&mut &*sample()).unwrap();
        let want = [
            (b"v7\x82".to_vec(), Says::Nothing),
            (b"a/b".to_vec(), Says::Nothing),
            (b"gnu".to_vec(), Says::Nothing),
            (vec![b'n'; 200], Says::Nothing),
            ("é/ü".into(), Says::Pax { binary: false }),
            (b"\x82".to_vec(), Says::Pax { binary: true }),
        ];
        let found: Vec<_> = found.into_iter().map(|entry| (entry.name, entry.says)).collect();
        assert_eq!(found, want);
    }

    #[test]
    fn lengths_are_octal_or_binary() {
        for (field, want) in [
            (&b"00000000010\0"[..], Some(8)),
            (b"     10 \0\0\0\0", Some(8)),
            (b"\x80\0\0\0\0\0\0\0\0\0\x01\x02", Some(258)),
            (b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", None),
            (b"0000000009\0\0", None),
            (b"\0\0\0\0\0\0\0\0\0\0\0\0", Some(0)),
        ] {
            assert_eq!(length(field), want, "{}", field.escape_ascii());
        }
    }

    /// Whatever bytes there are, reading ends, without a panic and with few bytes.
    #[test]
    fn damage_is_an_error_or_other_names() {
        let whole = sample();
        let mut state = 5_u32;
        let mut next = |n: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % n
        };
        for _ in 0..20_000 {
            let mut bytes = whole.clone();
            for _ in 0..=next(4) {
                let at = next(bytes.len());
                bytes[at] = b"\0\x01\x7F\x80\xFF 79=\n"[next(10)];
            }
            // The checksum of a damaged header may fit.
            for at in (0..bytes.len() - BLOCK).step_by(BLOCK) {
                if next(2) == 0 && bytes[at] != 0 {
                    bytes[at + 148..at + 156].copy_from_slice(b"        ");
                    let sum: u32 = bytes[at..at + BLOCK].iter().map(|&byte| u32::from(byte)).sum();
                    bytes[at + 148..at + 155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
                }
            }
            bytes.truncate(bytes.len() - if next(4) == 0 { next(bytes.len()) } else { 0 });
            if let Ok(names) = names(&mut &*bytes) {
                assert!(names.iter().map(|entry| entry.name.len()).sum::<usize>() <= bytes.len());
            }
        }
    }
}
