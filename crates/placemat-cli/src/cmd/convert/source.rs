//! One input on its way to UTF-8, through a decoder that can give the place of each code point.

use super::policies::{Decoding, Policies};
use core::cell::{Cell, RefCell};
use placemat::forms::Repertoire;
use placemat::internals::{Engine, Hints, Substitutes, Watch};
use placemat::policy::{CodePoints, Substitute};
use placemat::stream::{Status, Transcoder};
use placemat::{CodePoint, Encoding, IllFormed, OnUnmappable, Unmappable};
use std::rc::Rc;

/// Bytes that are decoded at a time if code points are traced, so that there is always room for the result.
const TRACED_PIECE_BYTES: usize = 32;

/// Returns the form of UTF-8 that holds the decoded source: with surrogates, and with values above U+10FFFF, only if
/// the source can yield them.
pub(super) fn between(from: Encoding, policies: &Policies<'_>) -> Encoding {
    let scalar = matches!(
        from.repertoire(),
        Repertoire::Ascii | Repertoire::Latin1 | Repertoire::Table | Repertoire::Tables | Repertoire::Scalar
    );
    if scalar && !policies.make_surrogates() { Encoding::UTF_8 } else { Encoding::UTF_8_31_BIT }
}

/// The places of code points: one for each that was written since the trace was switched on.
#[derive(Debug, Default)]
pub(super) struct Trace {
    pub(super) on: Cell<bool>,
    pub(super) offsets: RefCell<Vec<u64>>,
}

/// The policy that fills a [`Trace`]. The target holds every code point; the policy asks to see each of them.
#[derive(Clone, Debug)]
pub(super) struct Tracer(pub(super) Rc<Trace>);

impl OnUnmappable for Tracer {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        self.0.offsets.borrow_mut().push(unmappable.offset());
        CodePoints::new([unmappable.code_point()]).map_or(Substitute::Stop, Substitute::CodePoints)
    }
    fn longest(&self) -> usize {
        1
    }
    fn hints(&self, _: Engine) -> Hints<'_, Substitutes> {
        Hints { watch: self.0.on.get().then_some(self as &dyn Watch), repeats: true, ..Hints::NONE }
    }
}

impl Watch for Tracer {
    fn has(&self, _: CodePoint) -> bool {
        true
    }
}

/// One input, on its way to UTF-8.
#[derive(Debug)]
pub(super) struct Source<'a> {
    pub(super) decoder: Transcoder<Decoding<'a>, Tracer>,
    pub(super) trace: Rc<Trace>,
    /// A signature that is to be dropped may still come.
    pub(super) drops: bool,
    /// The start of the text that the normalizer holds back.
    pub(super) held_from: u64,
    /// The start of a row of marks that was too long for the normalizer.
    pub(super) cut_from: Option<u64>,
    /// The number of unmappable code points before this input, and the first one in it.
    pub(super) unmappable_before: u64,
    pub(super) first_unmappable: Option<u64>,
}

/// Removes U+FEFF from the start of a text, if it is to be dropped.
pub(super) fn drop_signature(drops: &mut bool, decoded: &mut Vec<u8>) -> bool {
    if !*drops || decoded.is_empty() {
        return false;
    }
    *drops = false;
    let signed = decoded.starts_with("\u{FEFF}".as_bytes());
    if signed {
        decoded.drain(..3);
    }
    signed
}

impl<'a> Source<'a> {
    /// Returns the start of an input; `drops`: U+FEFF there is dropped. `unmappable_before` counts the unmappable code
    /// points before it.
    pub(super) fn new(policies: &Policies<'a>, from: Encoding, drops: bool, unmappable_before: u64) -> Self {
        let trace = Rc::new(Trace::default());
        Self {
            decoder: policies.decoder(from, between(from, policies), Tracer(trace.clone())),
            trace,
            drops,
            held_from: 0,
            cut_from: None,
            unmappable_before,
            first_unmappable: None,
        }
    }

    /// Returns this source, and makes it count code points.
    pub(super) fn counting(mut self) -> Self {
        self.decoder = self.decoder.counting();
        self
    }

    /// Returns the start of the first row of marks that was too long to be normalized as a whole.
    pub(super) const fn cut_from(&self) -> Option<u64> {
        self.cut_from
    }

    /// Decodes `src`, in which errors may stop it; appends to `dst`.
    pub(super) fn decode(&mut self, src: &[u8], last: bool, dst: &mut Vec<u8>) -> Option<IllFormed> {
        let least = self.decoder.min_output();
        let mut read = 0;
        loop {
            let start = dst.len();
            dst.resize(start + least + 2 * (src.len() - read), 0);
            let p = self.decoder.convert(&src[read..], &mut dst[start..], last);
            read += p.read;
            dst.truncate(start + p.written);
            match p.status {
                Status::Done | Status::NeedInput => return None,
                Status::NeedOutput | Status::Unmappable(_) => {}
                Status::IllFormed(e) => return Some(e),
            }
        }
    }

    /// Decodes `src` and fills [`Trace::offsets`] with the place of each code point that was appended.
    pub(super) fn decode_traced(&mut self, src: &[u8], last: bool, dst: &mut Vec<u8>) -> Option<IllFormed> {
        self.trace.offsets.borrow_mut().clear();
        self.trace.on.set(true);
        let least = self.decoder.min_output();
        let mut pieces = src.chunks(TRACED_PIECE_BYTES).peekable();
        let mut stopped = None;
        loop {
            let piece = pieces.next().unwrap_or_default();
            let last = last && pieces.peek().is_none();
            let mut read = 0;
            while stopped.is_none() {
                let start = dst.len();
                // Every byte can be an error with a replacement of its own.
                dst.resize(start + (TRACED_PIECE_BYTES + 1) * least, 0);
                let p = self.decoder.convert(&piece[read..], &mut dst[start..], last);
                read += p.read;
                dst.truncate(start + p.written);
                match p.status {
                    Status::Done | Status::NeedInput => break,
                    Status::NeedOutput | Status::Unmappable(_) => {}
                    Status::IllFormed(e) => stopped = Some(e),
                }
            }
            if stopped.is_some() || pieces.peek().is_none() {
                break;
            }
        }
        self.trace.on.set(false);
        stopped
    }
}
