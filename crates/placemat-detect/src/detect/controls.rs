//! Control characters, and the characters of ASCII with which encodings of seven bits begin.

/// The counts of the bytes below 20.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Controls([u64; 0x20]);

/// The forms that a block of ASCII may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marks {
    /// Controls other than white space.
    pub(super) controls: bool,
    /// A plus sign, of UTF-7.
    pub(super) plus: bool,
    /// A tilde, of HZ.
    pub(super) tilde: bool,
}

impl Controls {
    /// Takes a block.
    pub(super) fn block(&mut self, block: &[u8]) -> Marks {
        let mut any = 0;
        for &byte in block {
            any |= u8::from((byte < 0x20) & (byte.wrapping_sub(b'\t') > b'\r' - b'\t'));
            any |= u8::from(byte == b'+') << 1;
            any |= u8::from(byte == b'~') << 2;
        }
        if any & 1 != 0 {
            for &byte in block {
                if let Some(count) = self.0.get_mut(usize::from(byte)) {
                    *count += 1;
                }
            }
        }
        Marks { controls: any & 1 != 0, plus: any & 2 != 0, tilde: any & 4 != 0 }
    }

    /// How often a control other than white space occurs.
    pub(super) fn count(&self, control: u8) -> u64 {
        self.0.get(usize::from(control)).copied().unwrap_or(0)
    }

    /// Returns the number of controls that hardly occur in text of ASCII: all but white space, backspace, escape, shifts and
    /// the end of file of DOS.
    pub(super) fn odd(&self) -> u64 {
        let usual = |control: &u8| matches!(control, b'\t'..=b'\r' | 0x08 | 0x0E | 0x0F | 0x1A | 0x1B);
        (0..0x20).filter(|control| !usual(control)).map(|control| self.count(control)).sum()
    }
}

/// Returns `true` if bytes may be EBCDIC: letters are high bytes, 40 is the space, and of the bytes below only line ends,
/// tabs and shifts occur in text.
pub(super) fn may_be_ebcdic(head: &[u8]) -> bool {
    let count = |test: fn(u8) -> bool| head.iter().filter(|&&byte| test(byte)).count();
    let high = count(|byte| byte >= 0x80);
    let spaces = count(|byte| byte == 0x40);
    let ascii_spaces = count(|byte| byte == 0x20);
    let low = count(|byte| byte < 0x40 && !matches!(byte, 0x05 | 0x0A..=0x0F | 0x15 | 0x25 | 0x3F));
    (high * 4 > head.len() || spaces * 20 > head.len())
        && spaces * 2 >= ascii_spaces
        && low * 50 <= head.len()
}
