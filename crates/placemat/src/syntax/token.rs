//! Tokens of a text with escapes, and helpers for the lexers that find them.

#![forbid(unsafe_code)]

use crate::transfer::TransferErrorKind;

/// Up to two characters in UTF-8: the meaning of one escape. No escape means more.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meaning {
    bytes: [u8; 8],
    len: u8,
}

impl Meaning {
    /// Appends a character. A third one is dropped.
    pub(super) fn push(&mut self, c: char) {
        let start = usize::from(self.len);
        let mut buffer = [0; 4];
        let text = c.encode_utf8(&mut buffer).as_bytes();
        if let Some(room) = self.bytes.get_mut(start..start + text.len()) {
            room.copy_from_slice(text);
            self.len += u8::try_from(text.len()).unwrap_or(0);
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    pub(super) fn chars(&self) -> impl Iterator<Item = char> {
        self.as_bytes().utf8_chunks().flat_map(|chunk| chunk.valid().chars())
    }
}

impl From<char> for Meaning {
    fn from(c: char) -> Self {
        let mut meaning = Self::default();
        meaning.push(c);
        meaning
    }
}

/// The result of a lexer at the start of its input.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token {
    /// More input is needed. After the last piece, the rest is incomplete.
    More,
    /// Bytes in which no escape may be written: delimiters, comments, raw strings.
    Syntax(usize),
    /// Characters that mean themselves, and that an escape may replace.
    Text(usize),
    /// An escape of `len` bytes.
    Escape { len: usize, meaning: Meaning },
    /// An escape without a meaning: an unpaired surrogate, bytes that are not UTF-8, a malformed one.
    Odd { len: usize, kind: TransferErrorKind },
}

impl Token {
    /// Returns an escape for a number, which may be no character.
    pub(super) fn of(value: u32, len: usize) -> Self {
        match char::from_u32(value) {
            Some(c) => Self::Escape { len, meaning: c.into() },
            None if value < 0xE000 => Self::Odd { len, kind: TransferErrorKind::Surrogate },
            None => Self::Odd { len, kind: TransferErrorKind::OutOfRange },
        }
    }

    /// Returns an escape that only names the character `c`.
    pub(super) fn meaning(len: usize, c: char) -> Self {
        Self::Escape { len, meaning: c.into() }
    }
}

/// The number of bytes after which [`run`] compares blocks rather than bytes: most runs in code are shorter.
const SHORT_RUN_BYTES: usize = 16;
/// The number of bytes that [`run`] compares at once, without a branch for each.
const BLOCK_BYTES: usize = 32;

/// Returns the number of bytes before the first one for which `stops` is true; it compares with few bytes.
#[inline]
pub(super) fn run(src: &[u8], stops: impl Fn(u8) -> bool) -> usize {
    let (head, rest) = src.split_at(src.len().min(SHORT_RUN_BYTES));
    if let Some(at) = head.iter().position(|byte| stops(*byte)) {
        return at;
    }
    let mut at = 0;
    // The compiler makes vector comparisons of this loop.
    while let Some(block) = rest[at..].first_chunk::<BLOCK_BYTES>() {
        if block.iter().fold(false, |any, byte| any | stops(*byte)) {
            break;
        }
        at += BLOCK_BYTES;
    }
    head.len() + at + rest[at..].iter().position(|byte| stops(*byte)).unwrap_or(rest.len() - at)
}

/// A set of bytes, of which one look-up finds whether a byte is in it.
#[derive(Clone, Debug)]
pub(super) struct Stops([bool; 256]);

impl Stops {
    pub(super) const fn of(bytes: &[u8]) -> Self {
        let mut all = [false; 256];
        let mut at = 0;
        while at < bytes.len() {
            all[bytes[at] as usize] = true;
            at += 1;
        }
        Self(all)
    }

    /// Returns the set of the bytes for which `is_in` is true.
    pub(super) fn where_true(mut is_in: impl FnMut(u8) -> bool) -> Self {
        Self(core::array::from_fn(|index| u8::try_from(index).is_ok_and(&mut is_in)))
    }

    /// Returns the set of what ends a run in a string between these quotes, in which a backslash begins an escape.
    pub(super) const fn of_string(quote: u8) -> &'static Self {
        static DOUBLE: Stops = Stops::of(b"\"\\\n");
        static SINGLE: Stops = Stops::of(b"'\\\n");
        if quote == b'"' { &DOUBLE } else { &SINGLE }
    }

    /// Returns the number of bytes before the first one in the set.
    #[inline]
    pub(super) fn run(&self, src: &[u8]) -> usize {
        src.iter().position(|byte| self.0[usize::from(*byte)]).unwrap_or(src.len())
    }
}

/// Passes text up to and including `end`; calls `ended` if that is found.
pub(super) fn raw(end: &[u8], src: &[u8], last: bool, ended: impl FnOnce()) -> Token {
    let Some(&first) = end.first() else { return Token::Syntax(src.len()) };
    let len = run(src, |byte| byte == first);
    if len > 0 {
        return Token::Syntax(len);
    }
    if src.starts_with(end) {
        ended();
        return Token::Syntax(end.len());
    }
    if end.starts_with(src) && !last { Token::More } else { Token::Syntax(1) }
}

/// Passes a comment up to and including the end of its line; calls `ended` if that is found.
pub(super) fn line(src: &[u8], ended: impl FnOnce()) -> Token {
    let len = run(src, |byte| byte == b'\n');
    if len == src.len() {
        return Token::Syntax(len);
    }
    ended();
    Token::Syntax(len + 1)
}

/// Digits at a place of the input.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    /// A value and the number of its digits. The value saturates.
    Is(u32, usize),
    /// The digits may continue in the next piece.
    More,
    /// The place of the byte that should be a digit.
    Bad(usize),
}

/// Reads at least `least` and at most `most` digits at `at`.
pub(super) fn number(src: &[u8], at: usize, radix: u32, least: usize, most: usize, last: bool) -> Number {
    let (mut value, mut len) = (0_u32, 0);
    while len < most {
        let Some(byte) = src.get(at + len) else { if last { break } else { return Number::More } };
        let Some(digit) = char::from(*byte).to_digit(radix) else { break };
        value = value.saturating_mul(radix).saturating_add(digit);
        len += 1;
    }
    if len < least { Number::Bad(at + len) } else { Number::Is(value, len) }
}

/// Returns the first character of `src` if it is well-formed, or `None` for [`Token::More`].
pub(super) fn first_char(src: &[u8], last: bool) -> Option<Result<char, usize>> {
    let head = &src[..src.len().min(4)];
    let Some(chunk) = head.utf8_chunks().next() else { return if last { Some(Err(0)) } else { None } };
    if let Some(c) = chunk.valid().chars().next() {
        return Some(Ok(c));
    }
    let incomplete = chunk.invalid().len() == src.len()
        && core::str::from_utf8(chunk.invalid()).is_err_and(|e| e.error_len().is_none());
    if incomplete && !last { None } else { Some(Err(chunk.invalid().len())) }
}

/// The last bytes of code, without all but one byte of the white space at its end, to recognize what is before a quote.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tail {
    bytes: [u8; 16],
}

impl Tail {
    pub(super) fn push(&mut self, src: &[u8]) {
        let len = src.iter().rposition(|byte| !byte.is_ascii_whitespace()).map_or(0, |at| at + 1);
        self.append(&src[..len]);
        if len < src.len() && self.bytes[15] != b' ' {
            self.append(b" ");
        }
    }

    fn append(&mut self, src: &[u8]) {
        match src.last_chunk() {
            Some(last) => self.bytes = *last,
            // Shifting takes less time than the calls of copies that are so short.
            None => {
                let tail = u128::from_be_bytes(self.bytes);
                let tail = src.iter().fold(tail, |tail, byte| tail << 8 | u128::from(*byte));
                self.bytes = tail.to_be_bytes();
            }
        }
    }

    /// Returns the word that ends here, without white space after it.
    pub(super) fn word(&self) -> &[u8] {
        word_at_end(&self.bytes)
    }

    /// Returns the last word, even if white space follows it.
    pub(super) fn word_before_space(&self) -> &[u8] {
        word_at_end(self.bytes.strip_suffix(b" ").unwrap_or(&self.bytes))
    }

    /// Returns the last byte that is not white space, or 0 at the start.
    pub(super) fn significant(&self) -> u8 {
        if self.bytes[15] == b' ' { self.bytes[14] } else { self.bytes[15] }
    }

    /// Drops the last byte.
    pub(super) fn drop_last(&mut self) {
        self.bytes.rotate_right(1);
        self.bytes[0] = 0;
    }

    /// Returns the last byte, or 0 at the start.
    pub(super) fn byte(&self) -> u8 {
        self.bytes[15]
    }
}

fn word_at_end(bytes: &[u8]) -> &[u8] {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
    let start = bytes.iter().rposition(|byte| !is_word(byte)).map_or(0, |at| at + 1);
    &bytes[start..]
}
