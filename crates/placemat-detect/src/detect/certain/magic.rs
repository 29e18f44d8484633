//! Binary formats, by the bytes that their specifications put at the start.

/// The bytes at an offset, and the format.
const MAGIC: &[(usize, &[u8])] = &[
    // Programs and libraries.
    (0, b"\x7FELF"),
    (0, b"\xCA\xFE\xBA\xBE"),
    (0, b"\xCA\xFE\xD0\x0D"),
    (0, b"\xFE\xED\xFA\xCE"),
    (0, b"\xFE\xED\xFA\xCF"),
    (0, b"\xCE\xFA\xED\xFE"),
    (0, b"\xCF\xFA\xED\xFE"),
    (0, b"\0asm"),
    (0, b"dex\n03"),
    (0, b"!<arch>\n"),
    (0, b"BC\xC0\xDE"),
    (0, b"\x1BLua"),
    (0, b"\x1BLJ"),
    (0, b";ELC"),
    // Archives and compressed data.
    (0, b"PK\x03\x04"),
    (0, b"PK\x05\x06"),
    (0, b"\x1F\x8B\x08"),
    (0, b"\x1F\x9D"),
    (0, b"\x1F\xA0"),
    (0, b"BZh"),
    (0, b"\xFD7zXZ\0"),
    (0, b"\x28\xB5\x2F\xFD"),
    (0, b"\x04\x22\x4D\x18"),
    (0, b"\x02\x21\x4C\x18"),
    (0, b"LZIP"),
    (0, b"]\0\0"),
    (0, b"7z\xBC\xAF\x27\x1C"),
    (0, b"Rar!\x1A\x07"),
    (0, b"\xED\xAB\xEE\xDB"),
    (0, b"MSCF\0\0\0\0"),
    (0, b"xar!\0"),
    (0, b"\xCE\xB2\xCF\x81"),
    (0, b"hsqs"),
    (0, b"070701"),
    (0, b"070702"),
    (0, b"070707"),
    (0, b"\xC7\x71"),
    (257, b"ustar"),
    (2, b"-lh"),
    // Images, sound and film.
    (0, b"\x89PNG\r\n\x1A\n"),
    (0, b"\x8AMNG"),
    (0, b"GIF87a"),
    (0, b"GIF89a"),
    (0, b"\xFF\xD8\xFF"),
    (0, b"\0\0\0\x0CjP  "),
    (0, b"\xFF\x4F\xFF\x51"),
    (0, b"II*\0"),
    (0, b"MM\0*"),
    (0, b"RIFF"),
    (0, b"RIFX"),
    (0, b"FORM"),
    (0, b"8BPS"),
    (0, b"\0\0\x01\0"),
    (0, b"\0\0\x02\0"),
    (0, b"\x01fcp"),
    (0, b"qoif"),
    (0, b"OggS"),
    (0, b"fLaC"),
    (0, b"ID3\x02"),
    (0, b"ID3\x03"),
    (0, b"ID3\x04"),
    (0, b"\xFF\xFB"),
    (0, b"\xFF\xF3"),
    (0, b"\xFF\xF2"),
    (0, b"MThd"),
    (0, b"\x1A\x45\xDF\xA3"),
    (4, b"ftyp"),
    (4, b"moov"),
    (4, b"mdat"),
    (0, b"FLV\x01"),
    (0, b"FWS"),
    (0, b"CWS"),
    (0, b"\0\0\x01\xBA"),
    (0, b"\0\0\x01\xB3"),
    (0, b"\x30\x26\xB2\x75\x8E\x66\xCF\x11"),
    // Fonts.
    (0, b"\0\x01\0\0"),
    (0, b"OTTO\0"),
    (0, b"ttcf"),
    (0, b"wOFF"),
    (0, b"wOF2"),
    (0, b"\x80\x01"),
    // Documents and data.
    (0, b"%PDF-"),
    (0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"),
    (0, b"SQLite format 3\0"),
    (0, b"\0\0\0\x02SIT!"),
    (0, b"AT&TFORM"),
    (0, b"\xDE\x12\x04\x95"),
    (0, b"\x95\x04\x12\xDE"),
    (0, b"GVariant"),
    (0, b"TZif"),
    (0, b"\x93NUMPY"),
    (0, b"\x89HDF\r\n\x1A\n"),
    (0, b"CDF\x01"),
    (0, b"CDF\x02"),
    (0, b"PAR1"),
    (0, b"Obj\x01"),
    (0, b"DIRC\0\0"),
    (0, b"PACK\0\0"),
    (0, b"\xFFtOc"),
    (0, b"\x1A\x01"),
    (0, b"\xD4\xC3\xB2\xA1"),
    (0, b"\xA1\xB2\xC3\xD4"),
    (0, b"\x0A\x0D\x0D\x0A"),
    (0, b"bplist00"),
    (0, b"\x85\x01\x0C"),
];

/// No text begins with a signature of this many bytes by chance. Shorter ones count only if the
/// stream has controls that text does not have.
const MIN_SURE_BYTES: usize = 8;

/// Whether a stream that is not clean text begins as a binary format does.
pub(in crate::detect) fn is_binary_format(head: &[u8], has_odd_controls: bool) -> bool {
    let mut known = MAGIC.iter().filter(|(_, magic)| has_odd_controls || magic.len() >= MIN_SURE_BYTES);
    known.any(|&(at, magic)| head.get(at..).is_some_and(|rest| rest.starts_with(magic)))
        || is_dos_program(head)
        || is_python(head)
}

/// A program of DOS or Windows: `MZ`, and a header within the file.
fn is_dos_program(head: &[u8]) -> bool {
    head.starts_with(b"MZ") && head.get(..0x40).is_some_and(|header| header.contains(&0))
}

/// Compiled Python: a version, then CR LF, then small flags or, before 3.7, a time.
fn is_python(head: &[u8]) -> bool {
    match head {
        [_, 0x0D, b'\r', b'\n', _, 0, 0, 0, ..] => true,
        // 3.0 to 3.6; the time is followed by a length or by code.
        [_, 0x0C | 0x0D, b'\r', b'\n', rest @ ..] => {
            rest.iter().take(12).filter(|&&byte| byte == 0).count() >= 2
        }
        // 2.0 to 2.7.
        [_, 0xEB..=0xF3, b'\r', b'\n', rest @ ..] => {
            rest.get(4..).is_some_and(|code| code.starts_with(b"c\0\0\0\0"))
        }
        _ => false,
    }
}
