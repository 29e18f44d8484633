//! The transfer encoding that a text needs in mail as it is.
//!
//! RFC 2045, section 2.7 to 2.9: 7bit and 8bit text have lines of at most 998 bytes, without the
//! line end; CR and LF stand only at line ends; there is no NUL. 7bit text has only bytes up to 7F;
//! 8bit text needs servers that take all bytes (8BITMIME, RFC 6152). All else is binary, which few
//! mail servers take (BINARYMIME, RFC 3030), and is otherwise sent as quoted-printable or base64.
//!
//! A file ends its lines with LF or CR LF; mail ends all with CR LF. So both are line ends here, and a CR without LF is none.

/// The longest line of 7bit and 8bit text, in bytes without the line end (RFC 5322, section 2.1.1).
const LONGEST: u64 = 998;

/// A value of `Content-Transfer-Encoding` for text as it is (RFC 2045, section 6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mail {
    SevenBit,
    EightBit,
    Binary,
}

impl Mail {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::SevenBit => "7bit",
            Self::EightBit => "8bit",
            Self::Binary => "binary",
        }
    }
}

/// Follows the lines of a text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    has_high: bool,
    /// A NUL, or a CR that ends no line.
    has_odd: bool,
    /// The line under way, and the longest so far.
    line: u64,
    longest: u64,
    /// Whether the last byte is a CR.
    after_cr: bool,
}

impl Lines {
    /// Takes the next bytes. `len` is the number of bytes that some of them have in mail.
    pub(super) fn push(&mut self, bytes: &[u8], len: impl Fn(&[u8]) -> u64) {
        if bytes.is_empty() {
            return;
        }
        self.has_high |= !bytes.is_ascii();
        let (first, last) = (bytes.first(), bytes.last());
        let bare_cr = |at: usize| bytes.get(at + 1).is_some_and(|&next| next != b'\n');
        self.has_odd |= self.after_cr && first != Some(&b'\n')
            || memchr::memchr(0, bytes).is_some()
            || memchr::memchr_iter(b'\r', bytes).any(bare_cr);
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', bytes) {
            let line = &bytes[start..end];
            let has_cr = line.last().map_or(start == 0 && self.after_cr, |&byte| byte == b'\r');
            self.line += len(line);
            self.longest = self.longest.max(self.line - u64::from(has_cr));
            self.line = 0;
            start = end + 1;
        }
        self.line += len(&bytes[start..]);
        self.after_cr = last == Some(&b'\r');
    }

    /// Returns these lines with the knowledge whether they have bytes above 7F.
    pub(super) const fn with_high(self, has_high: bool) -> Self {
        Self { has_high, ..self }
    }

    /// Returns a single line of `len` bytes; `has_odd` if a NUL, CR or LF is among them.
    pub(super) fn single(len: u64, has_odd: bool) -> Self {
        Self { line: len, has_odd, ..Self::default() }
    }

    /// Returns the kind of mail that the text needs if it ends here.
    pub(super) fn finish(&self) -> Mail {
        if self.has_odd || self.after_cr || self.longest.max(self.line) > LONGEST {
            Mail::Binary
        } else if self.has_high {
            Mail::EightBit
        } else {
            Mail::SevenBit
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail(text: &[u8], piece: usize) -> Mail {
        let mut lines = Lines::default();
        text.chunks(piece).for_each(|piece| lines.push(piece, |bytes| bytes.len() as u64));
        lines.finish()
    }

    /// Returns the kind of mail by a look at whole lines, as the RFCs define it.
    fn by_lines(text: &[u8]) -> Mail {
        let lines = text.split(|&byte| byte == b'\n').collect::<Vec<_>>();
        let (last, ended) = lines.split_last().expect("there is always one");
        let ended = ended.iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let mut all = ended.chain([*last]);
        if !all.all(|line| line.len() <= 998 && !line.contains(&0) && !line.contains(&b'\r')) {
            return Mail::Binary;
        }
        if text.is_ascii() { Mail::SevenBit } else { Mail::EightBit }
    }

    #[test]
    fn any_pieces_tell_the_same() {
        let mut state = 7_u32;
        let mut next = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as usize % below
        };
        let mut seen = [0; 3];
        for round in 0..4000 {
            let parts: [&[u8]; 8] =
                [b"a", b"\n", b"\r\n", b"\xC3\xA9", &[b'x'; 997], &[b'y'; 998], b"\r", b"\0"];
            let kinds = [8, 6, 4][round % 3];
            let text: Vec<u8> = (0..next(9)).flat_map(|_| parts[next(kinds)].iter().copied()).collect();
            let want = by_lines(&text);
            seen[want as usize] += 1;
            for piece in [1, 2, 3, 998, 100_000] {
                assert_eq!(mail(&text, piece), want, "{} in {piece}", text.escape_ascii());
            }
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }

    #[test]
    fn cases_of_the_rfcs() {
        let line = |len: usize, end: &str| "a".repeat(len) + end;
        for (text, want) in [
            (String::new(), Mail::SevenBit),
            ("\n".into(), Mail::SevenBit),
            (line(998, "\r\n"), Mail::SevenBit),
            (line(998, "\n"), Mail::SevenBit),
            (line(998, ""), Mail::SevenBit),
            (line(999, "\r\n"), Mail::Binary),
            (line(999, "\n"), Mail::Binary),
            (line(999, ""), Mail::Binary),
            // In bytes: 499 letters of two bytes, and one more.
            ("é".repeat(499), Mail::EightBit),
            ("é".repeat(500), Mail::Binary),
            ("a\0".into(), Mail::Binary),
            ("a\rb".into(), Mail::Binary),
            ("a\r".into(), Mail::Binary),
            ("a\r\r\n".into(), Mail::Binary),
            ("a\nb\r\nc".into(), Mail::SevenBit),
            ("\u{7F}".into(), Mail::SevenBit),
            ("\u{80}".into(), Mail::EightBit),
        ] {
            assert_eq!(mail(text.as_bytes(), 7), want, "{} bytes: {:.10?}", text.len(), text);
        }
    }
}
