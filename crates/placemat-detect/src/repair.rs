//! Repairs damaged text: bytes in, well-formed UTF-8 out, with every change on record.
//!
//! Text is damaged when a program reads it in a wrong encoding, writes it in another than the rest of the file, or cuts
//! it inside a sequence. A [`Repairer`] undoes what the bytes prove, and leaves all else as it is: well-formed text
//! without such damage comes out unchanged. [`undo`](undo()) restores the source from the repaired text and the record, byte for
//! byte.
//!
//! ```
//! use placemat::{Encoding, repair::{Repairer, Step, undo}};
//! // UTF-8 that was read as windows-1252, once and twice; and a byte of windows-1252.
//! let source = b"na\xC3\x83\xC2\xAFve caf\xC3\x83\xC6\x92\xC3\x82\xC2\xA9s, d\xE9j\xE0 vu";
//! let repaired = Repairer::new().repair(source);
//! assert_eq!(repaired.text, "naïve cafés, déjà vu");
//! let steps: Vec<_> = repaired.changes.iter().map(|change| change.step).collect();
//! assert_eq!(steps, [Step::Mojibake, Step::Mojibake, Step::Bytes, Step::Bytes]);
//! assert_eq!(undo(repaired.text.as_bytes(), repaired.encoding, &repaired.changes)?, source);
//! // Nothing to repair.
//! assert!(Repairer::new().repair("naïve cafés".as_bytes()).changes.is_empty());
//! # Ok::<(), placemat::repair::UndoError>(())
//! ```
//!
//! The steps, and what each takes as proof, are in the guide `docs/explained/repair.md` of the repository.

mod bytes;
mod change;
mod controls;
mod edits;
mod legacy_bytes;
mod mojibake;
mod source;
mod steps;
mod undo;
mod whole;

pub use self::bytes::Lost;
pub use self::change::{Change, Step, UnknownStep};
#[cfg(feature = "std")]
pub use self::undo::Undo;
pub use self::undo::{UndoError, undo};

#[cfg(feature = "internals")]
#[doc(hidden)]
pub use self::mojibake::{readings, weights};

use self::bytes::{Mended, mend};
use self::edits::{Edit, join};
use self::legacy_bytes::Reader;
use self::mojibake::Mojibake;
use self::source::{Decoded, Source};
use self::steps::Steps;
use self::whole::Whole;
use crate::detect::lines::{Lines, end_of_lines};
use crate::detect::split::{Splitter, Units};
use crate::detect::{Detection, Detector, Verdict};
use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;
use placemat_charsets::Encoding;

/// Repairs a text, as a whole or piece by piece.
///
/// ```
/// use placemat::repair::{Change, Repairer, Step};
/// let mut repairer = Repairer::new().steps([Step::Pairs, Step::Bytes, Step::Lost]);
/// let (mut text, mut changes) = (String::new(), Vec::new());
/// // A lone windows-1252 byte, and a sequence that the end cuts off.
/// for piece in [&b"caf\xE9 "[..], b"\xE2\x82\xAC\xE2", b"\x82"] {
///     repairer.push(piece, &mut text, |change| changes.push(change));
/// }
/// repairer.finish(&mut text, |change| changes.push(change));
/// assert_eq!(text, "café €\u{FFFD}");
/// assert_eq!(changes.iter().map(|change| change.step).collect::<Vec<_>>(), [Step::Bytes, Step::Lost]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Repairer {
    steps: Steps,
    lost: Lost,
    least: f32,
    is_unrecorded: bool,
    /// The order of the caller.
    given: Option<Encoding>,
    reader: Reader,
    /// Looks at the whole text before any of it is repaired.
    detector: Option<Detector>,
    /// The ill-formed bytes that were learned.
    ill_formed: whole::IllFormed,
    /// The answer of the detector, and whether some bytes are UTF-8 beside those of the given encoding.
    found: Option<(Detection, bool)>,
    /// The end of the text that was learned, and its stretches.
    learning: Lines,
    learned_units: Units,
    mojibake: Mojibake,
    /// The first bytes of the source, until they show its encoding.
    head: Vec<u8>,
    is_begun: bool,
    /// The encoding of the source by its first bytes. Text in it that stays is in no change.
    main: Source,
    /// Finds stretches in other units, and the last of them.
    splitter: Option<Splitter>,
    source: Source,
    /// Something of the stretch was repaired.
    is_in_stretch: bool,
    lines: Lines,
    /// The one legacy encoding of all of the source, if it is in one.
    whole: Option<Whole>,
    /// `whole` is decided.
    is_decided: bool,
    /// The bytes of the source that were repaired, and those of the repaired text.
    read: u64,
    written: u64,
}

impl Repairer {
    /// Returns a repairer that takes all steps.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes only these steps. Without [`Step::Bytes`], ill-formed bytes are lost; the result is well-formed anyway.
    ///
    /// ```
    /// use placemat::repair::{Repairer, Step};
    /// let mut repairer = Repairer::new().steps([Step::Mojibake]);
    /// assert_eq!(repairer.repair(b"caf\xC3\x83\xC2\xA9s \xE9").text, "cafés \u{FFFD}");
    /// assert_eq!(repairer.repair("cafés é".as_bytes()).text, "cafés é");
    /// ```
    #[must_use]
    pub fn steps(mut self, steps: impl IntoIterator<Item = Step>) -> Self {
        self.steps = steps.into_iter().collect();
        self
    }

    /// Sets what to write for bytes that cannot be recovered. The default is U+FFFD.
    ///
    /// ```
    /// use placemat::repair::{Lost, Repairer};
    /// // An overlong slash never becomes a slash.
    /// let mut repairer = Repairer::new().lost(Lost::Escape);
    /// assert_eq!(repairer.repair(b"..\xC0\xAF").text, r"..\xc0\xaf");
    /// assert_eq!(repairer.repair(b"../").text, "../");
    /// ```
    #[must_use]
    pub fn lost(mut self, lost: Lost) -> Self {
        self.lost = lost;
        self
    }

    /// Sets the encoding of ill-formed bytes. By default, it is detected.
    ///
    /// ```
    /// use placemat::{Encoding, repair::Repairer};
    /// let mut repairer = Repairer::new().fallback(Encoding::KOI8_R);
    /// assert_eq!(repairer.repair(b"UTF-8: \xD0\x94\xD0\xB0; KOI8-R: \xE4\xC1").text, "UTF-8: Да; KOI8-R: Да");
    /// // A byte that the encoding does not define is lost.
    /// let mut repairer = Repairer::new().fallback(Encoding::US_ASCII);
    /// assert_eq!(repairer.repair(b"\xE4\xC1").text, "\u{FFFD}\u{FFFD}");
    /// ```
    #[must_use]
    pub fn fallback(mut self, encoding: Encoding) -> Self {
        self.given = Some(encoding);
        self.reader = Reader::given(encoding);
        self
    }

    /// Makes only changes that are at least this sure, from 0 to 1. What is ill-formed becomes well-formed in any case:
    /// a reading of bytes that is less sure counts as lost.
    ///
    /// ```
    /// use placemat::repair::Repairer;
    /// let one = "cafÃ©".as_bytes();
    /// assert_eq!(Repairer::new().repair(one).text, "café");
    /// assert_eq!(Repairer::new().min_confidence(0.9999).repair(one).text, "cafÃ©");
    /// ```
    #[must_use]
    pub fn min_confidence(mut self, least: f32) -> Self {
        self.least = least;
        self
    }

    /// Makes no record of changes, which is faster: lines with evident damage need no search, since nothing asks how sure
    /// the change is.
    ///
    /// ```
    /// use placemat::repair::Repairer;
    /// let repaired = Repairer::new().unrecorded().repair("Ð¿Ñ€Ð¸Ð²ÐµÑ‚".as_bytes());
    /// assert_eq!((&*repaired.text, repaired.changes.len()), ("привет", 0));
    /// ```
    #[must_use]
    pub fn unrecorded(mut self) -> Self {
        self.is_unrecorded = true;
        self.mojibake.assume();
        self
    }

    /// Repairs a whole text.
    ///
    /// ```
    /// use placemat::repair::Repairer;
    /// let mut repairer = Repairer::new();
    /// assert_eq!(repairer.repair("Ð¿Ñ€Ð¸Ð²ÐµÑ‚".as_bytes()).text, "привет");
    /// // UTF-16 with a lone surrogate.
    /// assert_eq!(repairer.repair(b"\xFF\xFEh\0i\0\x00\xD8").text, "hi\u{FFFD}");
    /// ```
    pub fn repair(&mut self, src: &[u8]) -> Repaired {
        let mut text = String::with_capacity(src.len());
        let mut changes = Vec::new();
        if let Some(good) = self.as_text(src) {
            self.utf8(src, good, &mut text, &mut |change| changes.push(change));
            self.mojibake.forget();
            (self.read, self.written) = (0, 0);
            return Repaired { text, encoding: Encoding::UTF_8, changes };
        }
        self.learn(src);
        self.push(src, &mut text, |change| changes.push(change));
        self.end(&mut text, &mut |change| changes.push(change));
        let encoding = self.shown_encoding();
        self.clear();
        Repaired { text, encoding, changes }
    }

    /// Returns a whole text if it is short, well-formed, and of no interest to the steps about its encoding: then there is
    /// nothing to learn, and no block of lines to wait for.
    fn as_text<'a>(&self, src: &'a [u8]) -> Option<&'a str> {
        let is_fresh = !self.is_begun && self.head.is_empty() && self.detector.is_none();
        if !is_fresh || src.len() >= source::HEAD || self.steps.has(Step::Wide) || self.steps.has(Step::Bytes)
        {
            return None;
        }
        let (good, rest) = placemat_core::checked::split_well_formed(src);
        rest.is_empty().then_some(good)
    }

    /// Returns the encoding of the source so far: UTF-8, also where bytes of other encodings stand inside it; one of UTF-16 and
    /// UTF-32; or the legacy encoding that all of the text is in.
    ///
    /// ```
    /// use placemat::{Encoding, repair::Repairer};
    /// let mut repairer = Repairer::new();
    /// repairer.push(b"\xFF\xFEh\0i\0", &mut String::new(), |_| {});
    /// assert_eq!(repairer.encoding(), Encoding::UTF_16LE);
    /// assert_eq!(Repairer::new().encoding(), Encoding::UTF_8);
    /// ```
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        if self.is_begun && (self.whole.is_some() || self.is_decided || self.main != Source::Utf8) {
            return self.shown_encoding();
        }
        let mut all = self.clone();
        all.units(&[], true, &mut String::new(), &mut |_| {});
        if all.source == Source::Utf8 {
            let held = all.lines.take(all.lines.held().len());
            all.decide(&held);
        }
        all.shown_encoding()
    }

    fn shown_encoding(&self) -> Encoding {
        let whole = self.whole.as_ref().filter(|_| self.main == Source::Utf8);
        whole.map_or_else(|| self.main.encoding(), Whole::encoding)
    }

    /// Looks at the next piece of a text that will be repaired. All ill-formed bytes of the text then decide about the
    /// encoding of each; without it, only those before it do. [`repair`](Self::repair) does so by itself.
    ///
    /// ```
    /// use placemat::repair::Repairer;
    /// // Ill-formed UTF-8: "Да, конечно" in windows-1251, after two letters that alone would be "Äà" of windows-1252.
    /// let text = b"\xC4\xE0\n\xC4\xE0, \xEA\xEE\xED\xE5\xF7\xED\xEE, \xFD\xF2\xEE \xF2\xE0\xEA";
    /// let mut repairer = Repairer::new();
    /// repairer.learn(text);
    /// let mut repaired = String::new();
    /// repairer.push(text, &mut repaired, |_| {});
    /// repairer.finish(&mut repaired, |_| {});
    /// assert_eq!(repaired, "Да\nДа, конечно, это так");
    /// ```
    pub fn learn(&mut self, src: &[u8]) {
        self.detector.get_or_insert_default().feed(src);
        self.learn_units(src, false);
    }

    fn learn_units(&mut self, src: &[u8], last: bool) {
        let mut units = core::mem::take(&mut self.learned_units);
        units.push(src, last, &mut |encoding, bytes| {
            let mut rest = if encoding.is_some() { &[] } else { bytes };
            while !rest.is_empty() {
                while let Some(block) = self.learning.direct(bytes, &mut rest, end_of_lines) {
                    self.ill_formed.count(block);
                    self.reader.learn(block);
                }
                rest = self.learning.fill(rest);
                self.learn_lines(false);
            }
            if encoding.is_some() {
                self.learn_lines(true);
            }
        });
        if last {
            self.learn_lines(true);
        } else {
            self.learned_units = units;
        }
    }

    fn learn_lines(&mut self, last: bool) {
        loop {
            let complete = self.learning.complete(last, end_of_lines);
            if complete == 0 {
                return;
            }
            self.learn_held(complete);
        }
    }

    /// Looks at lines that were held.
    fn learn_held(&mut self, len: usize) {
        let block = self.learning.take(len);
        self.ill_formed.count(&block);
        self.reader.learn(&block);
        self.learning.give_back(block);
    }

    /// Repairs the next piece of a text. Appends the lines that are complete to `text`, and calls `changed` with each
    /// change, in order. A line longer than 64 KiB is taken in several parts.
    pub fn push(&mut self, src: &[u8], text: &mut String, mut changed: impl FnMut(Change)) {
        if self.detector.is_some() && !self.is_begun {
            self.learn_units(&[], true);
        }
        self.units(src, false, text, &mut changed);
    }

    /// Repairs the rest of a text, and makes the repairer ready for another one.
    pub fn finish(&mut self, text: &mut String, mut changed: impl FnMut(Change)) {
        self.end(text, &mut changed);
        self.clear();
    }

    fn end(&mut self, text: &mut String, changed: &mut dyn FnMut(Change)) {
        self.units(&[], true, text, changed);
        self.end_stretch(text, changed);
    }

    fn clear(&mut self) {
        self.lines.clear();
        self.learning.clear();
        self.learned_units = Units::default();
        self.mojibake.forget();
        self.head.clear();
        (self.is_begun, self.splitter, self.found) = (false, None, None);
        (self.main, self.source, self.is_in_stretch) = (Source::Utf8, Source::Utf8, false);
        (self.whole, self.is_decided, self.detector) = (None, false, None);
        self.ill_formed = whole::IllFormed::default();
        (self.read, self.written) = (0, 0);
        self.reader.forget();
    }

    /// Takes the next bytes, stretch by stretch.
    fn units(&mut self, src: &[u8], last: bool, text: &mut String, changed: &mut dyn FnMut(Change)) {
        let mut rest = src;
        if !self.is_begun {
            let (now, after) = src.split_at(src.len().min(source::HEAD - self.head.len()));
            self.head.extend_from_slice(now);
            rest = after;
            if self.head.len() < source::HEAD && !last {
                return;
            }
            let head = core::mem::take(&mut self.head);
            let signature = self.begin(&head, last, changed);
            self.pieces(&head[signature..], last && rest.is_empty(), text, changed);
            if rest.is_empty() {
                return;
            }
        }
        self.pieces(rest, last, text, changed);
    }

    fn pieces(&mut self, src: &[u8], last: bool, text: &mut String, changed: &mut dyn FnMut(Change)) {
        let Some(mut splitter) = self.splitter.take() else {
            return self.stretch(self.main, src, text, changed);
        };
        splitter.push(src, last, &mut |encoding, bytes| {
            let source = encoding.map_or(Source::Utf8, Source::of);
            self.stretch(source, bytes, text, changed);
        });
        self.splitter = Some(splitter);
    }

    /// Repairs the next bytes of a stretch.
    fn stretch(&mut self, source: Source, src: &[u8], text: &mut String, changed: &mut dyn FnMut(Change)) {
        if source != self.source {
            self.end_stretch(text, changed);
            (self.source, self.is_in_stretch) = (source, false);
        }
        let mut rest = src;
        while !rest.is_empty() {
            while let Some(block) = self.lines.direct(src, &mut rest, |block| source.end_of_lines(block)) {
                self.block(source, block, text, changed);
            }
            rest = self.lines.fill(rest);
            self.blocks(false, text, changed);
        }
    }

    /// Repairs the rest of a stretch.
    fn end_stretch(&mut self, text: &mut String, changed: &mut dyn FnMut(Change)) {
        self.blocks(true, text, changed);
        if self.whole.is_some() && self.source == Source::Utf8 {
            self.legacy(&[], true, text, changed);
            self.whole = self.whole.take().map(Whole::begin_again);
        }
    }

    /// Repairs what is held, as far as it is complete.
    fn blocks(&mut self, last: bool, text: &mut String, changed: &mut dyn FnMut(Change)) {
        let source = self.source;
        loop {
            let complete = self.lines.complete(last, |block| source.end_of_lines(block));
            if complete == 0 {
                return;
            }
            let block = self.lines.take(complete);
            self.block(source, &block, text, changed);
            self.lines.give_back(block);
        }
    }

    /// Repairs whole lines.
    fn block(&mut self, source: Source, block: &[u8], text: &mut String, changed: &mut dyn FnMut(Change)) {
        let block = self.without_signature(source, block, text, changed);
        if source != Source::Utf8 {
            return self.wide(source, block, text, changed);
        }
        self.decide(block);
        if self.whole.is_some() {
            self.legacy(block, false, text, changed);
        } else {
            let (good, ill_formed) = placemat_core::checked::split_well_formed(block);
            if !ill_formed.is_empty() {
                self.reader.begin_block(block);
            }
            self.utf8(block, good, text, changed);
        }
    }

    /// Removes the signature of a stretch. One of UTF-8 at the start of the text stays.
    fn without_signature<'a>(
        &mut self,
        source: Source,
        block: &'a [u8],
        text: &mut String,
        changed: &mut dyn FnMut(Change),
    ) -> &'a [u8] {
        let is_start =
            !core::mem::replace(&mut self.is_in_stretch, true) && (source != Source::Utf8 || self.read > 0);
        let signature = source.signature();
        match block.strip_prefix(signature).filter(|_| is_start) {
            Some(rest) => {
                let why = edits::Why::certain(Step::Wide, &[source.encoding()]);
                let edit = Edit { before: 0..signature.len(), after: 0..0, why };
                self.put(signature, source, "", "", alloc::vec![edit], text, changed);
                rest
            }
            None => block,
        }
    }

    /// Decides whether all of the source is in one legacy encoding: by all of it if it was learned, and else by its first
    /// block, or the first that has a non-ASCII byte.
    fn decide(&mut self, block: &[u8]) {
        if self.is_decided || !self.steps.has(Step::Bytes) {
            return;
        }
        let (found, shows_utf8) = match self.found.take() {
            Some(found) => {
                self.is_decided = true;
                found
            }
            None if self.read > 0 && block.is_ascii() => return,
            None => {
                self.is_decided = !block.is_ascii();
                self.ill_formed = whole::IllFormed::default();
                self.ill_formed.count(block);
                let mut detector = Detector::new();
                detector.feed(block);
                detector.finish_beside(self.given)
            }
        };
        // Encodings of seven bits have escapes instead.
        let is_evident =
            self.ill_formed.are_legacy() || self.given.is_some() || found.first_non_ascii.is_none();
        let is_sure = |&(_, confidence): &(Encoding, f32)| is_evident && confidence >= self.least;
        let encoding = whole::encoding(&found, self.given, shows_utf8).filter(is_sure);
        self.whole = encoding.map(Whole::new);
        self.is_decided |= self.whole.is_some();
    }

    /// Reads a block of text that is in one legacy encoding.
    fn legacy(&mut self, block: &[u8], is_last: bool, text: &mut String, changed: &mut dyn FnMut(Change)) {
        let Some(mut whole) = self.whole.take() else { return };
        let Mended { text: decoded, edits } = whole.block(block, is_last, self.lost);
        self.put(block, Source::Utf8, &decoded, &decoded, edits, text, changed);
        self.whole = Some(whole);
    }

    /// Finds the encoding of the source by its first bytes. Returns the length of the signature, which is removed.
    fn begin(&mut self, head: &[u8], complete: bool, changed: &mut dyn FnMut(Change)) -> usize {
        self.is_begun = true;
        self.found = self.detector.take().map(|detector| detector.finish_beside(self.given));
        if !self.steps.has(Step::Wide) {
            return 0;
        }
        let (source, signature) = Source::at_start(head, complete);
        (self.main, self.source) = (source, source);
        if self.found.as_ref().is_none_or(|(found, _)| found.verdict != Verdict::Binary) {
            self.splitter = Some(Splitter::new(Some(source.encoding()).filter(|_| source != Source::Utf8)));
        }
        if source != Source::Utf8 {
            let mut change = Change::new(Step::Wide, (0, head[..signature].to_vec()), (0, String::new()));
            change.encodings = alloc::vec![source.encoding()];
            self.read = signature as u64;
            self.is_in_stretch = true;
            if !self.is_unrecorded {
                changed(change);
            }
        }
        signature
    }

    /// Repairs whole lines of UTF-8, whose longest well-formed start is `good`.
    fn utf8(&mut self, block: &[u8], good: &str, text: &mut String, changed: &mut dyn FnMut(Change)) {
        let (mut rest, mut good) = (block, good);
        while !rest.is_empty() {
            let mut suspects = Mojibake::suspects(good, self.steps);
            let mut from = 0;
            let is_line = good.len() == block.len() && good.find('\n').is_none_or(|at| at + 1 == good.len());
            if is_line && let Some((new, edits)) = self.mojibake.evident(&suspects, self.steps, self.least) {
                return self.put(rest, Source::Utf8, good, &new, edits, text, changed);
            }
            while from < good.len() {
                let suspect = suspects.next(from).unwrap_or(good.len());
                if suspect == rest.len() {
                    self.keep(&good[from..], text, changed);
                    return;
                }
                let start = good[from..suspect].rfind('\n').map_or(from, |at| from + at + 1);
                let end = rest[suspect..].iter().position(|&byte| byte == b'\n');
                let end = end.map_or(rest.len(), |at| suspect + at + 1);
                self.keep(&good[from..start], text, changed);
                if start == 0 && end == good.len() && end == rest.len() {
                    // The whole block is this line.
                    let (repaired, edits) =
                        self.mojibake.suspected_line(suspects, "", self.steps, self.least);
                    return self.put(rest, Source::Utf8, good, &repaired, edits, text, changed);
                }
                let before = last_line(&good[..start]);
                self.line(&rest[start..end], before, text, changed);
                from = end;
            }
            if good.is_empty() {
                let end = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |at| at + 1);
                self.line(&rest[..end], "", text, changed);
                from = end;
            }
            rest = &rest[from..];
            (good, _) = placemat_core::checked::split_well_formed(rest);
        }
    }

    /// Copies text that stays as it is.
    fn keep(&mut self, kept: &str, text: &mut String, changed: &mut dyn FnMut(Change)) {
        if self.main != Source::Utf8 {
            return self.put(kept.as_bytes(), Source::Utf8, kept, kept, Vec::new(), text, changed);
        }
        text.push_str(kept);
        self.read += kept.len() as u64;
        self.written += kept.len() as u64;
    }

    /// Repairs one line of UTF-8. `before` is the line before it, if it is at hand.
    fn line(&mut self, line: &[u8], before: &str, text: &mut String, changed: &mut dyn FnMut(Change)) {
        let (good, rest) = placemat_core::checked::split_well_formed(line);
        if rest.is_empty() {
            let (repaired, edits) = self.mojibake.line(good, before, self.steps, self.least);
            return self.put(line, Source::Utf8, good, &repaired, edits, text, changed);
        }
        let mended = mend(line, &mut self.reader, self.steps, self.lost);
        let (repaired, second) = self.mojibake.line(&mended.text, before, self.steps, self.least);
        let edits = join(mended.edits, second, |range| range.len());
        self.put(line, Source::Utf8, &mended.text, &repaired, edits, text, changed);
    }

    /// Repairs whole lines of UTF-16 or UTF-32.
    fn wide(&mut self, source: Source, block: &[u8], text: &mut String, changed: &mut dyn FnMut(Change)) {
        let Decoded { text: decoded, ill_formed } = Decoded::new(source, block);
        let first = ill_formed.iter().map(|&(at, len, after)| Edit {
            before: at..at + len,
            after: after..after + '\u{FFFD}'.len_utf8(),
            why: edits::Why::lost(),
        });
        let mut second = Vec::new();
        let mut repaired = String::with_capacity(decoded.len());
        let mut at = 0;
        for line in decoded.split_inclusive('\n') {
            let (new, edits) = self.mojibake.line(line, "", self.steps, self.least);
            second.extend(edits.into_iter().map(|edit| edit.moved(at, repaired.len())));
            at += line.len();
            repaired.push_str(&new);
        }
        // Lone surrogates have been measured with their edits; all other text is as long as its encoding makes it.
        let mut edits = first.collect::<Vec<_>>();
        if second.is_empty() {
            return self.put(block, source, &decoded, &repaired, edits, text, changed);
        }
        // The second step alone still counts its offsets in UTF-8.
        edits = join(edits, second, |range| source.measure(decoded.get(range).unwrap_or_default()));
        self.put(block, source, &decoded, &repaired, edits, text, changed);
    }

    /// Appends repaired lines, and reports their changes.
    #[expect(clippy::too_many_arguments, reason = "the line in its three states, and where the results go")]
    fn put(
        &mut self,
        before: &[u8],
        source: Source,
        middle: &str,
        after: &str,
        edits: Vec<Edit>,
        text: &mut String,
        changed: &mut dyn FnMut(Change),
    ) {
        debug_assert!(!edits.is_empty() || source.measure(middle) == before.len());
        let edits = if source == self.main {
            edits
        } else {
            // Text in other units than those of the main encoding is a change even where it stays.
            let why = edits::Why::certain(Step::Wide, &[source.encoding()]);
            edits::fill(edits, before.len(), after.len(), &why)
        };
        let recorded = if self.is_unrecorded { Vec::new() } else { edits };
        for Edit { before: old, after: new, why } in recorded {
            let mut change = Change::new(
                why.step,
                (self.read + old.start as u64, before.get(old).unwrap_or_default().to_vec()),
                (self.written + new.start as u64, after.get(new).unwrap_or_default().to_owned()),
            );
            change.encodings = why.encodings;
            (change.lossy, change.gain, change.confidence) = (why.lossy, why.gain, why.confidence);
            changed(change);
        }
        text.push_str(after);
        self.read += before.len() as u64;
        self.written += after.len() as u64;
    }
}

/// Returns `false` if a quick look shows that a [`Repairer`] leaves this well-formed text as it is, which is so for nearly all
/// text without damage. It looks for the damage of a string: the steps `mojibake`, `legacy` and `controls`.
///
/// ```
/// use placemat::repair::may_be_damaged;
/// assert!(!may_be_damaged("naïve cafés, съешь ещё, 日本語"));
/// assert!(may_be_damaged("cafÃ©"));
/// ```
#[must_use]
pub fn may_be_damaged(text: &str) -> bool {
    let steps = [Step::Mojibake, Step::Legacy, Step::Controls].into_iter().collect();
    Mojibake::suspects(text, steps).next(0).is_some()
}

/// Returns the last line of a text that ends with a line feed.
fn last_line(text: &str) -> &str {
    let lines = text.strip_suffix('\n').unwrap_or(text);
    lines.rfind('\n').map_or(lines, |at| &lines[at + 1..])
}

/// A repaired text, and how it came about.
///
/// ```
/// use placemat::{Encoding, repair::{Repaired, Repairer}};
/// let repaired: Repaired = Repairer::new().repair(b"\xFF\xFEh\0i\0");
/// assert_eq!((&*repaired.text, repaired.encoding), ("hi", Encoding::UTF_16LE));
/// // The signature went, which is a change.
/// assert_eq!((repaired.changes.len(), &*repaired.changes[0].before), (1, &b"\xFF\xFE"[..]));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Repaired {
    /// The text.
    pub text: String,
    /// The encoding of the source: see [`Repairer::encoding`].
    pub encoding: Encoding,
    /// The changes, in the order of their offsets.
    pub changes: Vec<Change>,
}
