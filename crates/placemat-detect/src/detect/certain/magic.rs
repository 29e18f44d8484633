//! Binary formats, by the bytes that their specifications put at the start.

/// The bytes at an offset, and the name of the format.
const MAGIC: &[(usize, &[u8], &str)] = &[
    // Programs and libraries.
    (0, b"\x7FELF", "ELF"),
    (0, b"\xCA\xFE\xBA\xBE", "Java class or Mach-O"),
    (0, b"\xCA\xFE\xD0\x0D", "Java pack"),
    (0, b"\xFE\xED\xFA\xCE", "Mach-O"),
    (0, b"\xFE\xED\xFA\xCF", "Mach-O"),
    (0, b"\xCE\xFA\xED\xFE", "Mach-O"),
    (0, b"\xCF\xFA\xED\xFE", "Mach-O"),
    (0, b"\0asm", "WebAssembly"),
    (0, b"dex\n03", "DEX"),
    (0, b"!<arch>\n", "ar"),
    (0, b"BC\xC0\xDE", "LLVM bitcode"),
    (0, b"\x1BLua", "Lua bytecode"),
    (0, b"\x1BLJ", "LuaJIT bytecode"),
    (0, b";ELC", "Emacs bytecode"),
    // Archives and compressed data.
    (0, b"PK\x03\x04", "ZIP"),
    (0, b"PK\x05\x06", "ZIP"),
    (0, b"\x1F\x8B\x08", "gzip"),
    (0, b"\x1F\x9D", "compress"),
    (0, b"\x1F\xA0", "compress"),
    (0, b"BZh", "bzip2"),
    (0, b"\xFD7zXZ\0", "xz"),
    (0, b"\x28\xB5\x2F\xFD", "Zstandard"),
    (0, b"\x04\x22\x4D\x18", "LZ4"),
    (0, b"\x02\x21\x4C\x18", "LZ4"),
    (0, b"LZIP", "lzip"),
    (0, b"]\0\0", "LZMA"),
    (0, b"7z\xBC\xAF\x27\x1C", "7-Zip"),
    (0, b"Rar!\x1A\x07", "RAR"),
    (0, b"\xED\xAB\xEE\xDB", "RPM"),
    (0, b"MSCF\0\0\0\0", "CAB"),
    (0, b"xar!\0", "XAR"),
    (0, b"\xCE\xB2\xCF\x81", "Brotli"),
    (0, b"hsqs", "SquashFS"),
    (0, b"070701", "cpio"),
    (0, b"070702", "cpio"),
    (0, b"070707", "cpio"),
    (0, b"\xC7\x71", "cpio"),
    (257, b"ustar", "tar"),
    (2, b"-lh", "LHA"),
    // Images, sound and film.
    (0, b"\x89PNG\r\n\x1A\n", "PNG"),
    (0, b"\x8AMNG", "MNG"),
    (0, b"GIF87a", "GIF"),
    (0, b"GIF89a", "GIF"),
    (0, b"\xFF\xD8\xFF", "JPEG"),
    (0, b"\0\0\0\x0CjP  ", "JPEG 2000"),
    (0, b"\xFF\x4F\xFF\x51", "JPEG 2000"),
    (0, b"II*\0", "TIFF"),
    (0, b"MM\0*", "TIFF"),
    (0, b"RIFF", "RIFF"),
    (0, b"RIFX", "RIFF"),
    (0, b"FORM", "IFF"),
    (0, b"8BPS", "Photoshop"),
    (0, b"\0\0\x01\0", "icon"),
    (0, b"\0\0\x02\0", "cursor"),
    (0, b"\x01fcp", "PCF font"),
    (0, b"qoif", "QOI"),
    (0, b"OggS", "Ogg"),
    (0, b"fLaC", "FLAC"),
    (0, b"ID3\x02", "MP3"),
    (0, b"ID3\x03", "MP3"),
    (0, b"ID3\x04", "MP3"),
    (0, b"\xFF\xFB", "MP3"),
    (0, b"\xFF\xF3", "MP3"),
    (0, b"\xFF\xF2", "MP3"),
    (0, b"MThd", "MIDI"),
    (0, b"\x1A\x45\xDF\xA3", "Matroska"),
    (4, b"ftyp", "MP4"),
    (4, b"moov", "QuickTime"),
    (4, b"mdat", "QuickTime"),
    (0, b"FLV\x01", "FLV"),
    (0, b"FWS", "Flash"),
    (0, b"CWS", "Flash"),
    (0, b"\0\0\x01\xBA", "MPEG"),
    (0, b"\0\0\x01\xB3", "MPEG"),
    (0, b"\x30\x26\xB2\x75\x8E\x66\xCF\x11", "ASF"),
    // Fonts.
    (0, b"\0\x01\0\0", "TrueType"),
    (0, b"OTTO\0", "OpenType"),
    (0, b"ttcf", "TrueType"),
    (0, b"wOFF", "WOFF"),
    (0, b"wOF2", "WOFF2"),
    (0, b"\x80\x01", "Type 1 font"),
    // Documents and data.
    (0, b"%PDF-", "PDF"),
    (0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "OLE document"),
    (0, b"SQLite format 3\0", "SQLite"),
    (0, b"\0\0\0\x02SIT!", "StuffIt"),
    (0, b"AT&TFORM", "DjVu"),
    (0, b"\xDE\x12\x04\x95", "gettext MO"),
    (0, b"\x95\x04\x12\xDE", "gettext MO"),
    (0, b"GVariant", "GVariant"),
    (0, b"TZif", "time zone"),
    (0, b"\x93NUMPY", "NumPy"),
    (0, b"\x89HDF\r\n\x1A\n", "HDF5"),
    (0, b"CDF\x01", "NetCDF"),
    (0, b"CDF\x02", "NetCDF"),
    (0, b"PAR1", "Parquet"),
    (0, b"Obj\x01", "Avro"),
    (0, b"DIRC\0\0", "git index"),
    (0, b"PACK\0\0", "git pack"),
    (0, b"\xFFtOc", "git pack index"),
    (0, b"\x1A\x01", "terminfo"),
    (0, b"\xD4\xC3\xB2\xA1", "pcap"),
    (0, b"\xA1\xB2\xC3\xD4", "pcap"),
    (0, b"\x0A\x0D\x0D\x0A", "pcapng"),
    (0, b"bplist00", "property list"),
    (0, b"\x85\x01\x0C", "PGP"),
];

/// No text begins with a signature of this many bytes by chance. Shorter ones count only if the
/// stream has controls that text does not have.
const MIN_SURE_BYTES: usize = 8;

/// Returns the name of the format in which a stream that is not clean text begins.
pub(in crate::detect) fn binary_format(head: &[u8], has_odd_controls: bool) -> Option<&'static str> {
    let mut known = MAGIC.iter().filter(|(_, magic, _)| has_odd_controls || magic.len() >= MIN_SURE_BYTES);
    let is_at = |at: usize, magic| head.get(at..).is_some_and(|rest| rest.starts_with(magic));
    known
        .find(|&&(at, magic, _)| is_at(at, magic))
        .map(|&(.., name)| name)
        .or_else(|| is_dos_program(head).then_some("DOS or Windows program"))
        .or_else(|| is_python(head).then_some("Python bytecode"))
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
