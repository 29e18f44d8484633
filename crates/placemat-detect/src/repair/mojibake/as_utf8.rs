//! Whether the bytes that a page has for some characters are UTF-8.

use super::scorer;

/// Returns `true` if bytes are UTF-8, and of code points that some language writes.
pub(super) fn reads_as_text(bytes: impl Iterator<Item = u8>) -> bool {
    reads_as(bytes, |c| !scorer::is_unknown(c))
}

/// Whether bytes are UTF-8, and all code points are wanted.
pub(super) fn reads_as(bytes: impl Iterator<Item = u8>, is_wanted: impl Fn(u32) -> bool) -> bool {
    let (mut value, mut rest) = (0, 0_u32);
    for byte in bytes {
        match (byte, rest) {
            (0x80..=0xBF, 1..) => {
                value = value << 6 | u32::from(byte & 0x3F);
                rest -= 1;
                if rest == 0 && !is_wanted(value) {
                    return false;
                }
            }
            (0xC2..=0xF4, 0) => {
                rest = (byte.leading_ones() - 1).min(3);
                value = u32::from(byte) & (0x3F >> rest);
            }
            _ => return false,
        }
    }
    rest == 0
}
