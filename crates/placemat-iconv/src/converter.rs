//! A conversion with the contract of iconv(3).

use crate::charset::{Charset, Locale};
use crate::marked::{Dialect, Marked, Order, signed};
use crate::policies::{Decoding, Unmappables, is_tag};
use alloc::borrow::Cow;
use placemat::policy::{Action, Substitute};
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, IllFormed, OnError, OnUnmappable, Replacement, Unmappable};

/// The reason why a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Everything was read and written.
    Done,
    /// The input ends within a sequence, which stays unread: EINVAL.
    Incomplete,
    /// An ill-formed sequence comes next and stays unread: EILSEQ.
    IllFormed,
    /// Text comes next that the target cannot represent; it stays unread: EILSEQ.
    Unmappable,
    /// There is no room for the next character, which stays unread: E2BIG.
    NoRoom,
    /// Everything was read, and `//IGNORE` left something out: EILSEQ.
    Ignored,
}

/// The progress of a call, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read: whole characters.
    pub read: usize,
    /// Bytes written: whole characters.
    pub written: usize,
    /// Characters that became similar text or nothing.
    pub irreversible: usize,
    /// Why the call ended.
    pub stop: Stop,
}

/// The decision on an error: to stop, or to leave out the one at an offset. A policy may be asked several times about an error,
/// and about both code points of a sequence.
#[derive(Clone, Debug, Default)]
struct Omit {
    at: Option<u64>,
}

impl OnError for Omit {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        if self.at == Some(error.offset()) { Action::Text(Replacement::EMPTY) } else { Action::Stop }
    }

    fn longest(&self) -> usize {
        0
    }
}

impl OnUnmappable for Omit {
    fn handle(&mut self, error: &Unmappable) -> Substitute<'_> {
        if self.at == Some(error.offset()) { Substitute::Text(Replacement::EMPTY) } else { Substitute::Stop }
    }

    fn longest(&self) -> usize {
        0
    }
}

/// A conversion from one encoding to another, as `iconv_open` makes it.
#[derive(Clone, Debug)]
pub struct Converter {
    transcoder: Transcoder<Decoding<Omit>, Unmappables<Omit>>,
    /// Something was converted since the start of the text.
    begun: bool,
    /// The number of bytes that the transcoder has read of the text.
    offset: u64,
    /// The minimum room that glibc wants before it looks at a code point.
    unit: usize,
    /// The signature at the start of each text, before the first character.
    signature: &'static [u8],
    /// Whether the signature is written, or there is none.
    is_signed: bool,
    /// Whether a code point was left out.
    has_left_out: bool,
    /// `//IGNORE`: errors are left out.
    ignores: bool,
    /// The target, if tags of languages are left out.
    without_tags: Option<Encoding>,
    is_trivial: bool,
    longest: usize,
    /// The source, if the target represents all its code points, and no mark tells its byte order.
    sure_source: Option<Encoding>,
    is_exact: bool,
    /// The source, if a mark tells its byte order.
    marked: Option<Marked>,
    /// The target of the transcoder.
    target: Encoding,
    /// The byte order that the transcoder reads.
    order: Order,
    /// Whether the byte order of the text is not known yet.
    order_is_open: bool,
    libiconv: Option<Libiconv>,
}

/// The state for the behavior of GNU libiconv.
#[derive(Clone, Debug)]
struct Libiconv {
    /// The target, if it begins with a mark.
    to: Option<Marked>,
    /// Whether the mark is still to be written.
    mark_is_due: bool,
}

impl Converter {
    /// Returns a conversion at the start of a text, by the names of the encodings with their suffixes. `None` if a name is
    /// unknown, or is that of UTF-8-MAC.
    ///
    /// ```
    /// use placemat_iconv::{Converter, Dialect, Locale};
    /// assert!(Converter::open(b"UTF-16", b"KOI8-R", Dialect::Glibc, Locale::C).is_some());
    /// assert!(Converter::open(b"UTF-16", b"KOI9", Dialect::Glibc, Locale::C).is_none());
    /// ```
    #[must_use]
    pub fn open(to: &[u8], from: &[u8], dialect: Dialect, locale: Locale<'_>) -> Option<Self> {
        let charset = |name| match dialect {
            Dialect::Glibc => Charset::new(&legible(name), locale).ok(),
            Dialect::Libiconv => Charset::of_libiconv(core::str::from_utf8(name).ok()?, locale),
        };
        let (mut to, mut from) = (charset(to)?, charset(from)?);
        // Normalization needs the whole text: a converter would lose letters that it holds back for more marks between calls.
        if to.apple || from.apple {
            return None;
        }
        let is_exact = to.exact && from.exact && !has_own_table(from.encoding, to.encoding);
        let is_trivial = to.encoding == from.encoding;
        let marked = Marked::of(from.encoding, dialect);
        let order = marked.map_or(Order::Big, |marked| marked.without);
        let libiconv = (dialect == Dialect::Libiconv).then(|| {
            let mark = Marked::of(to.encoding, dialect);
            to.encoding = mark.map_or(to.encoding, |marked| marked.encoding(Order::Big));
            Libiconv { to: mark, mark_is_due: true }
        });
        from.encoding = marked.map_or(from.encoding, |marked| marked.encoding(order));
        let sure = marked.is_none() && is_unicode(from.encoding, false) && is_unicode(to.encoding, true);
        let sure_source = sure.then_some(from.encoding);
        let decoding = Decoding::new(&from, Omit::default());
        let unmappables = Unmappables::new(&to, locale, Omit::default());
        let (target, signature) =
            if libiconv.is_some() { (to.encoding, &b""[..]) } else { signed(to.encoding) };
        let transcoder = Transcoder::new(from.encoding, target)
            .on_error(decoding)
            .on_unmappable(match dialect {
                Dialect::Glibc => unmappables.exactly(unit(to.encoding)),
                Dialect::Libiconv => unmappables.without_question(),
            })
            .leaving_rest();
        let without_tags = (dialect == Dialect::Glibc).then_some(to.encoding);
        let (unit, ignores) = (unit(to.encoding), to.ignore);
        Some(Self {
            transcoder,
            begun: false,
            offset: 0,
            unit,
            signature,
            is_signed: signature.is_empty(),
            has_left_out: false,
            ignores,
            without_tags,
            is_trivial,
            longest: to.encoding.max_bytes() + to.encoding.signature().len(),
            sure_source,
            is_exact,
            marked,
            target,
            order,
            order_is_open: marked.is_some(),
            libiconv,
        })
    }

    /// Returns `true` if the library of the dialect converts alike between encodings of these names. If not, it has another
    /// edition of a table, say, or writes letters and marks apart.
    ///
    /// ```
    /// use placemat_iconv::{Converter, Dialect, Locale};
    /// let open = |name| Converter::open(b"UTF-8", name, Dialect::Glibc, Locale::C).unwrap();
    /// assert!(open(b"KOI8-R").is_exact());
    /// assert!(!open(b"MACINTOSH").is_exact());
    /// ```
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Converts as far as it can, and leaves the rest of `src` unread.
    ///
    /// ```
    /// use placemat_iconv::{Converter, Dialect, Locale, Stop};
    /// let mut converter = Converter::open(b"utf-16be", b"utf-8", Dialect::Glibc, Locale::C).unwrap();
    /// let mut out = [0; 4];
    /// let p = converter.convert(b"abc", &mut out);
    /// assert_eq!((p.read, p.written, p.stop), (2, 4, Stop::NoRoom));
    /// let p = converter.convert(b"c\xFF", &mut out);
    /// assert_eq!((p.read, p.written, p.stop), (1, 2, Stop::IllFormed));
    /// ```
    #[must_use]
    pub fn convert(&mut self, src: &[u8], dst: &mut [u8]) -> Progress {
        match &self.libiconv {
            Some(ways) if ways.mark_is_due => self.begin(src, dst),
            None if !self.is_signed => self.sign(src, dst),
            _ => self.read(src, dst),
        }
    }

    /// Converts the start of a text that begins with a signature. It comes with the first character, even if that does not
    /// fit or cannot be written.
    fn sign(&mut self, src: &[u8], dst: &mut [u8]) -> Progress {
        let head = self.signature;
        let Some((start, rest)) = dst.split_at_mut_checked(head.len()) else {
            return self.read(src, &mut []);
        };
        let mut progress = self.read(src, rest);
        let has_left_out = core::mem::take(&mut self.has_left_out);
        if progress.written > 0 || has_left_out || matches!(progress.stop, Stop::NoRoom | Stop::Unmappable) {
            start.copy_from_slice(head);
            progress.written += head.len();
            (self.begun, self.is_signed) = (true, true);
        }
        progress
    }

    /// Converts, after the start of a text.
    fn go_on(&mut self, src: &[u8], dst: &mut [u8]) -> Progress {
        let (mut read, mut written) = (0, 0);
        let mut left_out = LeftOut::default();
        // The transcoder before the ill-formed sequences that nothing follows yet: to leave one out may end a shift.
        let mut before = None;
        let stop = loop {
            let p = self.transcoder.convert(&src[read..], &mut dst[written..], false);
            read += p.read;
            self.offset += p.read as u64;
            written += p.written;
            if p.written > 0 {
                left_out.ill_formed_from = None;
            }
            match p.status {
                Status::Done | Status::NeedInput if read < src.len() => break Stop::Incomplete,
                Status::Done | Status::NeedInput => break Stop::Done,
                Status::NeedOutput => break Stop::NoRoom,
                Status::IllFormed(_) if !self.ignores => break Stop::IllFormed,
                Status::IllFormed(e) => {
                    if left_out.ill_formed_from.is_none() {
                        left_out.ill_formed_from = Some((read, left_out.ill_formed));
                        before = Some(self.transcoder.clone());
                    }
                    left_out.ill_formed += 1;
                    self.transcoder.policies().0.then.at = Some(e.offset());
                }
                // glibc wants room before it looks at a code point.
                Status::Unmappable(e)
                    if dst.len() - written < self.unit && e.code_point().to_char().is_some() =>
                {
                    break Stop::NoRoom;
                }
                Status::Unmappable(e) if self.wants_room_at(e.offset()) => {}
                Status::Unmappable(e) => {
                    let is_tag = self.without_tags.is_some_and(|to| is_tag(e.code_point(), to));
                    if !is_tag && !self.ignores {
                        break Stop::Unmappable;
                    }
                    left_out.unmappable += usize::from(!is_tag);
                    left_out.ill_formed_from = None;
                    self.has_left_out = true;
                    self.transcoder.policies().1.then.at = Some(e.offset());
                }
            }
        };
        if stop == Stop::NoRoom
            && let (Some((start, count)), Some(before)) = (left_out.ill_formed_from, before)
        {
            // The next character does not fit, so the ill-formed sequences before it wait for the next call too.
            self.offset -= (read - start) as u64;
            (read, left_out.ill_formed) = (start, count);
            self.transcoder = before;
        }
        if stop == Stop::NoRoom {
            self.transcoder.policies().1.uncount_from(self.offset);
        }
        let (decoding, unmappables) = self.transcoder.policies();
        (decoding.then.at, unmappables.then.at, unmappables.has_room) = (None, None, None);
        self.begun |= read > 0 || written > 0;
        let irreversible = self.take_similar();
        if self.libiconv.is_some() {
            // GNU libiconv does not count what was ill-formed, and reports nothing that it was told to leave out.
            return Progress { read, written, irreversible: left_out.unmappable + irreversible, stop };
        }
        // A transliteration hides that something was left out.
        let stop = match stop {
            Stop::Done if irreversible == 0 && left_out.unmappable + left_out.ill_formed > 0 => Stop::Ignored,
            Stop::Incomplete if irreversible == 0 && left_out.unmappable > 0 => Stop::Ignored,
            stop => stop,
        };
        Progress { read, written, irreversible, stop }
    }

    /// Returns `true` if the transliteration may have stopped for lack of room, which there is: it goes on.
    fn wants_room_at(&mut self, offset: u64) -> bool {
        let unmappables = self.transcoder.policies().1;
        unmappables.transliterates() && unmappables.has_room.replace(offset) != Some(offset)
    }

    /// Returns the number of transliterations since the last call.
    fn take_similar(&mut self) -> usize {
        let similar = core::mem::take(&mut self.transcoder.policies().1.similar);
        usize::try_from(similar).unwrap_or(usize::MAX)
    }

    /// Converts the start of a text as GNU libiconv does: writes the mark of the target before the first character.
    fn begin(&mut self, src: &[u8], dst: &mut [u8]) -> Progress {
        let mark = self.libiconv.as_ref().and_then(|ways| ways.to).map_or(&[][..], |marked| marked.mark);
        let (start, room) = dst.split_at_mut(mark.len().min(dst.len()));
        let mut p = self.read(src, room);
        if p.written > 0 {
            start.copy_from_slice(mark);
            p.written += mark.len();
            if let Some(ways) = &mut self.libiconv {
                ways.mark_is_due = false;
            }
        }
        p
    }

    /// Converts; at the start of a text that a mark may begin, finds out its byte order first.
    fn read(&mut self, src: &[u8], dst: &mut [u8]) -> Progress {
        let Some(marked) = self.marked.filter(|_| self.order_is_open && !src.is_empty()) else {
            return self.go_on(src, dst);
        };
        let Some((order, mark)) = marked.order(src) else {
            return Progress { read: 0, written: 0, irreversible: 0, stop: Stop::Incomplete };
        };
        self.order_is_open = false;
        self.begun = true;
        if order != self.order {
            self.order = order;
            let (decoding, unmappables) = self.transcoder.policies();
            let (decoding, unmappables) = (decoding.clone(), unmappables.clone());
            self.transcoder = Transcoder::new(marked.encoding(order), self.target)
                .on_error(decoding)
                .on_unmappable(unmappables)
                .leaving_rest();
        }
        let mut p = self.go_on(&src[mark..], dst);
        p.read += mark;
        p
    }

    /// Writes what closes the text, such as a shift back, and goes back to the start of a text. After
    /// [`Stop::NoRoom`] nothing has changed.
    ///
    /// ```
    /// use placemat_iconv::{Converter, Dialect, Locale, Stop};
    /// let mut converter = Converter::open(b"iso-2022-jp", b"utf-8", Dialect::Glibc, Locale::C).unwrap();
    /// let mut out = [0; 8];
    /// let p = converter.convert("あ".as_bytes(), &mut out);
    /// assert_eq!(&out[..p.written], b"\x1B$B$\"");
    /// assert_eq!(converter.finish(&mut []).stop, Stop::NoRoom);
    /// let p = converter.finish(&mut out);
    /// assert_eq!((&out[..p.written], p.stop), (&b"\x1B(B"[..], Stop::Done));
    /// ```
    #[must_use]
    pub fn finish(&mut self, dst: &mut [u8]) -> Progress {
        if !self.begun {
            self.reset();
            return Progress { read: 0, written: 0, irreversible: 0, stop: Stop::Done };
        }
        let p = self.transcoder.close(dst);
        let stop = if p.status == Status::NeedOutput { Stop::NoRoom } else { Stop::Done };
        if stop == Stop::Done {
            self.reset();
        }
        Progress { read: 0, written: p.written, irreversible: self.take_similar(), stop }
    }

    /// Goes back to the start of a text and writes nothing.
    pub fn reset(&mut self) {
        self.transcoder.reset();
        self.transcoder.policies().1.reset();
        (self.begun, self.offset) = (false, 0);
        (self.is_signed, self.has_left_out) = (self.signature.is_empty(), false);
        self.order_is_open = self.marked.is_some();
        if let Some(ways) = &mut self.libiconv {
            ways.mark_is_due = true;
        }
    }

    /// Returns the length of a prefix of `src` that surely converts, apart from a sequence that it may end within. Zero unless
    /// both encodings are UTF-8, UTF-16 or UTF-32, for which this takes much less time than the conversion.
    ///
    /// ```
    /// use placemat_iconv::{Converter, Dialect, Locale};
    /// let open = |to| Converter::open(to, b"utf-8", Dialect::Glibc, Locale::C).unwrap();
    /// assert_eq!(open(b"utf-16").surely_converts(b"abc\xFFd"), 3);
    /// assert_eq!(open(b"latin1").surely_converts(b"abc\xFFd"), 0);
    /// ```
    #[must_use]
    pub fn surely_converts(&self, src: &[u8]) -> usize {
        let Some(from) = self.sure_source else { return 0 };
        let p = Transcoder::checker(from).convert(src, &mut [], false);
        match p.status {
            Status::IllFormed(error) => usize::try_from(error.offset()).unwrap_or(0),
            _ => p.read,
        }
    }

    /// Returns the maximum number of bytes that a code point takes in the target, without a replacement.
    #[must_use]
    pub const fn longest(&self) -> usize {
        self.longest
    }

    /// Returns `true` if source and target are the same encoding.
    #[must_use]
    pub const fn is_trivial(&self) -> bool {
        self.is_trivial
    }

    /// Returns `true` if similar text replaces what the target cannot represent: `//TRANSLIT`.
    #[must_use]
    pub fn transliterates(&mut self) -> bool {
        self.transcoder.policies().1.transliterates()
    }

    /// Sets whether similar text replaces what the target cannot represent.
    ///
    /// ```
    /// use placemat_iconv::{Converter, Dialect, Locale, Stop};
    /// let mut converter = Converter::open(b"ascii", b"utf-8", Dialect::Libiconv, Locale::C).unwrap();
    /// let mut out = [0; 4];
    /// assert_eq!(converter.convert("½".as_bytes(), &mut out).stop, Stop::Unmappable);
    /// converter.set_transliterates(true);
    /// let p = converter.convert("½".as_bytes(), &mut out);
    /// assert_eq!((&out[1..p.written], p.irreversible, p.stop), (&b"1/2"[..], 1, Stop::Done));
    /// ```
    pub fn set_transliterates(&mut self, on: bool) {
        self.transcoder.policies().1.set_transliterates(on);
    }

    /// Returns `true` if errors are left out: `//IGNORE`.
    #[must_use]
    pub const fn ignores(&self) -> bool {
        self.ignores
    }

    /// Sets whether errors are left out.
    ///
    /// ```
    /// use placemat_iconv::{Converter, Dialect, Locale, Stop};
    /// let mut converter = Converter::open(b"utf-16be", b"utf-8", Dialect::Libiconv, Locale::C).unwrap();
    /// converter.set_ignores(true);
    /// let mut out = [0; 4];
    /// let p = converter.convert(b"a\xFFb", &mut out);
    /// assert_eq!((&out[..p.written], p.stop), (&b"\0a\0b"[..], Stop::Done));
    /// ```
    pub const fn set_ignores(&mut self, on: bool) {
        self.ignores = on;
    }
}

/// Counts what a call left out.
#[derive(Clone, Copy, Debug, Default)]
struct LeftOut {
    ill_formed: usize,
    unmappable: usize,
    /// The offset of ill-formed sequences that nothing follows yet, and the number of earlier ones.
    ill_formed_from: Option<(usize, usize)>,
}

/// Returns `true` if glibc converts the pair by a table of its own, which also changes traditional characters into simplified
/// ones.
fn has_own_table(from: Encoding, to: Encoding) -> bool {
    let others = [Encoding::GBK_STRICT, Encoding::BIG5_STRICT];
    let is = |a, b| a == Encoding::EUC_CN_STRICT && others.contains(&b);
    is(from, to) || is(to, from)
}

/// Returns the bytes of a name that count: as in glibc, others are skipped.
fn legible(name: &[u8]) -> Cow<'_, str> {
    let counts = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.,:/".contains(byte);
    match core::str::from_utf8(name) {
        Ok(name) if name.bytes().all(|byte| counts(&byte)) => Cow::Borrowed(name),
        _ => Cow::Owned(name.iter().filter(|byte| counts(byte)).copied().map(char::from).collect()),
    }
}

/// Returns the room in bytes without which glibc does not say that a code point is unmappable: that of a code unit, or of its
/// longest character where several sets are tried.
fn unit(encoding: Encoding) -> usize {
    if encoding == Encoding::EUC_JP_STRICT { 2 } else { encoding.facts().units_per_error }
}

/// Returns `true` if it is UTF-8, UTF-16 or UTF-32; `marked` ones, which begin with a mark, count too if asked.
fn is_unicode(encoding: Encoding, marked: bool) -> bool {
    let plain =
        [Encoding::UTF_8, Encoding::UTF_16LE, Encoding::UTF_16BE, Encoding::UTF_32LE, Encoding::UTF_32BE];
    plain.contains(&encoding) || (marked && [Encoding::UTF_16, Encoding::UTF_32].contains(&encoding))
}

#[cfg(test)]
mod program_tests;

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Converts a whole text, with so much room in each call, or one byte more after a call that wrote nothing.
    fn converted(from: &str, src: &[u8], room: usize) -> Vec<u8> {
        let mut converter =
            Converter::open(b"UTF-16LE//IGNORE", from.as_bytes(), Dialect::Glibc, Locale::C).unwrap();
        let (mut read, mut out, mut more) = (0, Vec::new(), 0);
        loop {
            let mut dst = [0; 200];
            let p = converter.convert(&src[read..], &mut dst[..room + more]);
            out.extend_from_slice(&dst[..p.written]);
            read += p.read;
            more = if p.written > 0 { 0 } else { more + 1 };
            if p.stop != Stop::NoRoom {
                return out;
            }
        }
    }

    #[test]
    fn what_is_left_out_does_not_depend_on_the_room() {
        for (from, src) in [
            ("UTF-7", &b"e+A\xB1E\xC7plain, +AMoDBA-"[..]),
            ("UTF-7", b"+MEs\xFFnjtLMJo-+"),
            ("UTF-7", b"a+I\x1Cw-e+AwEwSz=C"),
            ("ISO-2022-KR", b"\x1B$)C\x0E\xD5m\\b\x9F\ne\x0E,1,b\x0F e\x0E\"fb\xFFf\x0Fa"),
            ("ISO-2022-JP", b"a\x1B$B$\"\xFF\xFF$\"\x1B(Bb\x1B$\xFFBc"),
            ("IBM930", b"\x81\x0E\x43\x81\x00\x00\x43\xFF\x0F\x82\x0E\xFE\xFE\x0F"),
            ("UTF-8", b"a\xFF\xC3\xA9\xE2\x82z\xF0\x9F\x98\x80"),
        ] {
            let whole = converted(from, src, 190);
            for room in 0..12 {
                assert_eq!(
                    converted(from, src, room),
                    whole,
                    "{from}, {} in {room} bytes",
                    src.escape_ascii()
                );
            }
        }
    }
}
