//! Encoded words, written: at most 75 characters each, in lines of at most 76.

#![forbid(unsafe_code)]

use super::field::{Kind, Stayed};
use super::words::is_word;
use crate::transfer::{Transfer, TransferErrorKind};
use alloc::string::String;
use alloc::vec::Vec;

/// The longest line with an encoded word (RFC 2047, section 2).
const MAX_LINE: usize = 76;

/// The characters of an encoded word around its text.
const FRAME: usize = "=?UTF-8?Q?".len() + "?=".len();

/// A part of a field.
#[derive(Clone, Copy, Debug)]
struct Piece<'a> {
    text: &'a str,
    kind: PieceKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PieceKind {
    Space,
    /// Text that an encoded word may replace.
    Word,
    /// A quoted string, whose content an encoded word may replace.
    Quoted,
    /// Text that stays.
    Fixed,
}

/// Writes a field of text or of addresses.
pub(super) fn encode(kind: Kind, field: &str, value: usize, out: &mut Vec<u8>) -> Stayed {
    let mut stayed = Stayed::default();
    let line_end = if field.contains("\r\n") { "\r\n" } else { "\n" };
    let pieces = if kind == Kind::Addresses { addresses(&field[value..]) } else { text(&field[value..]) };
    let mut writer = Writer { out, column: 0, line_end, has_word: false };
    writer.put(&field[..value]);
    let mut at = 0;
    let mut offset = value;
    let is_encoded = |piece: &Piece<'_>| {
        matches!(piece.kind, PieceKind::Word | PieceKind::Quoted) && !piece.text.is_ascii()
    };
    while let Some(piece) = pieces.get(at) {
        if !is_encoded(piece) {
            if !piece.text.is_ascii() {
                stayed.add(offset, piece.text.len(), TransferErrorKind::NoEscape);
            }
            match (piece.kind, pieces.get(at + 1)) {
                (PieceKind::Space, Some(next)) if !is_encoded(next) => {
                    writer.space(piece.text, next.text.len());
                }
                (PieceKind::Space, Some(next)) => {
                    // At least one character must have room.
                    let width = next.text.chars().next().map_or(1, char::len_utf8);
                    writer.space(piece.text, FRAME + 3 * width.max(4));
                }
                _ => writer.put(piece.text),
            }
            offset += piece.text.len();
            at += 1;
            continue;
        }
        // White space between encoded words is dropped, so that it becomes part of them.
        let joins =
            |at: Option<usize>| at.and_then(|at| pieces.get(at)).is_some_and(|piece| is_word(piece.text));
        let mut content = String::new();
        if at >= 2 && pieces[at - 1].kind == PieceKind::Space && joins(at.checked_sub(2)) {
            content.push(' ');
        }
        let mut end = at;
        loop {
            push_content(&pieces[end], &mut content);
            let more = pieces.get(end + 1).is_some_and(|piece| piece.kind == PieceKind::Space)
                && pieces.get(end + 2).is_some_and(is_encoded);
            if !more {
                break;
            }
            content.extend(pieces[end + 1].text.chars().filter(|c| !matches!(c, '\r' | '\n')));
            end += 2;
        }
        if pieces.get(end + 1).is_some_and(|piece| piece.kind == PieceKind::Space) && joins(Some(end + 2)) {
            content.push(' ');
        }
        // Encoded words in a phrase have white space around them (RFC 2047, section 5, rule 3).
        let touches = |at: Option<usize>, bracket| {
            at.and_then(|at| pieces.get(at))
                .is_some_and(|piece| piece.kind != PieceKind::Space && piece.text != bracket)
        };
        if touches(at.checked_sub(1), "(") {
            writer.space(" ", FRAME + 12);
        }
        writer.words(&content);
        if touches(Some(end + 1), ")") {
            writer.put(" ");
        }
        offset += pieces[at..=end].iter().map(|piece| piece.text.len()).sum::<usize>();
        at = end + 1;
    }
    stayed
}

fn push_content(piece: &Piece<'_>, content: &mut String) {
    if piece.kind != PieceKind::Quoted {
        content.push_str(piece.text);
        return;
    }
    let inner = piece.text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(piece.text);
    let mut escaped = false;
    for c in inner.chars() {
        if c == '\\' && !escaped {
            escaped = true;
            continue;
        }
        escaped = false;
        if !matches!(c, '\r' | '\n') {
            content.push(c);
        }
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}

/// Divides text into words and white space.
fn text(mut src: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    while let Some(first) = src.chars().next() {
        let space = is_space(first);
        let len = src.find(|c| is_space(c) != space).unwrap_or(src.len());
        pieces
            .push(Piece { text: &src[..len], kind: if space { PieceKind::Space } else { PieceKind::Word } });
        src = &src[len..];
    }
    pieces
}

/// Divides a list of addresses.
fn addresses(mut src: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut depth, mut in_angles) = (0_u32, false);
    while let Some(first) = src.chars().next() {
        let is_special = |c: char| is_space(c) || "()<>,;:\"".contains(c);
        let (len, kind) = match first {
            c if is_space(c) => (src.find(|c| !is_space(c)).unwrap_or(src.len()), PieceKind::Space),
            '"' if depth == 0 => {
                let len = quoted_len(src);
                // A local part in quotes is no phrase.
                let is_address = src[len..].starts_with('@') || in_angles;
                (len, if is_address { PieceKind::Fixed } else { PieceKind::Quoted })
            }
            '(' | ')' | '<' | '>' | ',' | ';' | ':' | '"' => {
                match first {
                    '(' => depth += 1,
                    ')' => depth = depth.saturating_sub(1),
                    '<' if depth == 0 => in_angles = true,
                    '>' => in_angles = false,
                    _ => {}
                }
                (1, PieceKind::Fixed)
            }
            _ => {
                let len = src.find(is_special).unwrap_or(src.len());
                let is_address = depth == 0 && (in_angles || src[..len].contains('@'));
                (len, if is_address { PieceKind::Fixed } else { PieceKind::Word })
            }
        };
        pieces.push(Piece { text: &src[..len], kind });
        src = &src[len..];
    }
    pieces
}

/// Returns the length of a quoted string with its quotes.
pub(super) fn quoted_len(src: &str) -> usize {
    let mut escaped = false;
    for (at, c) in src.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' if !escaped => escaped = true,
            _ => escaped = false,
        }
    }
    src.len()
}

/// Writes a field and follows the length of its lines.
struct Writer<'a> {
    out: &'a mut Vec<u8>,
    column: usize,
    line_end: &'a str,
    /// The line has an encoded word.
    has_word: bool,
}

impl Writer<'_> {
    fn put(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
        match text.rfind('\n') {
            Some(at) => {
                self.column = text.len() - at - 1;
                self.has_word = false;
            }
            None => self.column += text.len(),
        }
    }

    /// Writes white space, in a new line if what follows it has no room in this one.
    fn space(&mut self, space: &str, following: usize) {
        let is_full = self.column + space.len() + following > MAX_LINE;
        let may_fold = !space.contains('\n') && self.column > 1;
        // A line of ASCII stays as it is.
        if is_full && may_fold && (self.has_word || following > FRAME) && !space.is_empty() {
            self.fold();
        }
        self.put(space);
    }

    fn fold(&mut self) {
        let line_end = self.line_end;
        self.put(line_end);
    }

    /// Writes text as encoded words.
    fn words(&mut self, text: &str) {
        let quoted_len = |c: char| match c {
            ' ' => 1,
            _ if is_plain(c) => 1,
            _ => 3 * c.len_utf8(),
        };
        let quoted: usize = text.chars().map(quoted_len).sum();
        let in_base64 = text.len().div_ceil(3) * 4 < quoted;
        let width = |bytes: usize, quoted: usize| if in_base64 { bytes.div_ceil(3) * 4 } else { quoted };
        let mut start = 0;
        let (mut bytes, mut columns) = (0, 0);
        let fits = |column: usize, bytes, columns| {
            FRAME + width(bytes, columns) <= 75 && column + FRAME + width(bytes, columns) <= MAX_LINE
        };
        for (at, c) in text.char_indices() {
            let more = (bytes + c.len_utf8(), columns + quoted_len(c));
            if at > start && !fits(self.column, more.0, more.1) {
                self.word(&text[start..at], in_base64);
                self.fold();
                self.put(" ");
                start = at;
                (bytes, columns) = (c.len_utf8(), quoted_len(c));
            } else {
                (bytes, columns) = more;
            }
        }
        self.word(&text[start..], in_base64);
    }

    fn word(&mut self, text: &str, in_base64: bool) {
        let mut word = String::from(if in_base64 { "=?UTF-8?B?" } else { "=?UTF-8?Q?" });
        if in_base64 {
            word.extend(Transfer::Base64.encode(text.as_bytes()).into_iter().map(char::from));
        } else {
            for c in text.chars() {
                match c {
                    ' ' => word.push('_'),
                    _ if is_plain(c) => word.push(c),
                    _ => {
                        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                            let digit = |value: u8| char::from(b"0123456789ABCDEF"[usize::from(value)]);
                            word.extend(['=', digit(byte >> 4), digit(byte & 15)]);
                        }
                    }
                }
            }
        }
        word.push_str("?=");
        self.put(&word);
        self.has_word = true;
    }
}

/// Returns `true` for a character that means itself in every encoded word of Q (RFC 2047, section 5, rule 3).
const fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '!' | '*' | '+' | '-' | '/')
}
