//! Files mixed by unit: which bytes are UTF-16 or UTF-32, and which are text in single bytes.
//!
//! `>>` of PowerShell appends UTF-16 to a file in ASCII, and other programs append ASCII to one in UTF-16. The path with
//! the lowest cost through the bytes finds the borders: each byte costs what it is worth as text of single bytes, each code
//! unit what it is worth as text of UTF-16 or UTF-32, and each border has a price, which is lower between lines.
//!
//! Bytes without NUL pass at the speed of a search. The result depends on the bytes alone, not on their pieces.

mod costs;
mod path;

pub(crate) use self::path::is_wide;
use self::path::{CHUNK_BYTES, Scan};
use alloc::boxed::Box;
use alloc::vec::Vec;
use placemat_charsets::Encoding;

/// A region may begin at most this many bytes before its first NUL.
const LOOKBACK_BYTES: usize = 1024;

/// Splits a stream into stretches of UTF-16 and UTF-32, and stretches of single bytes.
#[derive(Clone, Debug)]
pub(crate) struct Splitter {
    /// Bytes that are in no stretch yet.
    held: Vec<u8>,
    /// The offset of `held` in the stream.
    offset: u64,
    /// The offset from which on a region may begin, while no scan is under way.
    quiet_since: u64,
    /// The search for regions around bytes with NUL.
    scan: Option<Box<Scan>>,
}

impl Splitter {
    /// Returns a splitter for a stream that begins in `encoding`: one of UTF-16 and UTF-32, or `None` for single bytes.
    pub(crate) fn new(encoding: Option<Encoding>) -> Self {
        let scan = encoding.and_then(Scan::in_encoding).map(Box::new);
        Self { held: Vec::new(), offset: 0, quiet_since: 0, scan }
    }

    /// Reads the next bytes. Calls `each` with stretches in order: the encoding of those in UTF-16 or UTF-32, `None` for
    /// single bytes, and some of their bytes. A stretch may come in several calls; `last` ends the stream.
    pub(crate) fn push(&mut self, src: &[u8], last: bool, each: &mut dyn FnMut(Option<Encoding>, &[u8])) {
        let mut rest = src;
        loop {
            if self.scan.is_some() {
                let room = (4 * CHUNK_BYTES).min(rest.len());
                let (now, after) = rest.split_at(room);
                self.held.extend_from_slice(now);
                rest = after;
                self.search(last && rest.is_empty(), each);
                if !rest.is_empty() || self.scan.is_none() && self.held.contains(&0) {
                    continue;
                }
                if self.scan.is_some() || !last {
                    return;
                }
            }
            rest = self.quiet(rest, last, each);
            if self.scan.is_none() {
                return;
            }
        }
    }

    /// Passes bytes on until a NUL begins a search. Returns the bytes after it.
    fn quiet<'a>(
        &mut self,
        src: &'a [u8],
        last: bool,
        each: &mut dyn FnMut(Option<Encoding>, &[u8]),
    ) -> &'a [u8] {
        let held_nul = memchr(&self.held);
        let nul = held_nul.or_else(|| memchr(src).map(|at| self.held.len() + at));
        let all = self.held.len() + src.len();
        let keep = match nul {
            Some(at) => {
                let since = usize::try_from(self.quiet_since.saturating_sub(self.offset)).unwrap_or(0);
                at.saturating_sub(LOOKBACK_BYTES).max(since)
            }
            None if last => all,
            None => all.saturating_sub(LOOKBACK_BYTES),
        };
        let from_held = keep.min(self.held.len());
        let from_src = keep - from_held;
        if from_held > 0 {
            each(None, &self.held[..from_held]);
            self.held.drain(..from_held);
        }
        if from_src > 0 {
            each(None, &src[..from_src]);
        }
        self.offset += keep as u64;
        let rest = &src[from_src..];
        if nul.is_some() {
            self.scan = Some(Box::new(Scan::at(self.offset)));
            return rest;
        }
        self.held.extend_from_slice(rest);
        &[]
    }

    /// Searches all chunks that are complete.
    fn search(&mut self, last: bool, each: &mut dyn FnMut(Option<Encoding>, &[u8])) {
        let mut done = 0;
        while let Some(scan) = &mut self.scan {
            let offset = self.offset;
            let is_quiet =
                scan.chunk(&self.held[done..], offset + done as u64, last, &mut |encoding, len| {
                    each(encoding, &self.held[done..done + len]);
                    done += len;
                });
            match is_quiet {
                None => break,
                Some(false) => {}
                Some(true) => {
                    self.quiet_since = offset + done as u64;
                    self.scan = None;
                }
            }
        }
        self.held.drain(..done);
        self.offset += done as u64;
    }
}

/// Returns the offset of the first NUL.
fn memchr(bytes: &[u8]) -> Option<usize> {
    // Blocks without a NUL are the rule: this form is compiled to vector code.
    let (blocks, rest) = bytes.as_chunks::<256>();
    let has_nul = |block: &[u8; 256]| block.iter().fold(false, |any, &byte| any | (byte == 0));
    let block = blocks.iter().position(has_nul);
    let (start, block) = match block {
        Some(number) => (256 * number, &blocks[number][..]),
        None => (256 * blocks.len(), rest),
    };
    if !block.contains(&0) {
        return None;
    }
    block.iter().position(|&byte| byte == 0).map(|inside| start + inside)
}

/// Returns the encoding of the signature or of the first bytes of a stream, if it is one of UTF-16 and UTF-32.
pub(crate) fn at_start(head: &[u8]) -> Option<Encoding> {
    if let Some(encoding) = placemat_charsets::bom::sniff(head)
        .and_then(|signature| signature.encoding)
        .filter(|encoding| is_wide(*encoding))
    {
        return Some(encoding);
    }
    super::certain::Wide::of(head).surest().filter(|&encoding| begins_in(head, encoding))
}

/// Returns `true` if the first stretch of `head` is in `encoding` if that is expected.
pub(crate) fn begins_in(head: &[u8], encoding: Encoding) -> bool {
    let mut first = None;
    Splitter::new(Some(encoding)).push(head, true, &mut |found, _| {
        first.get_or_insert(found);
    });
    first.is_none_or(|found| found == Some(encoding))
}

/// A splitter that waits for the first bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Units {
    head: Vec<u8>,
    splitter: Option<Splitter>,
}

/// The bytes that say whether a text begins in UTF-16 or UTF-32.
const HEAD_BYTES: usize = 4096;

impl Units {
    /// Reads the next bytes. Calls `each` with the stretches that are settled.
    pub(crate) fn push(&mut self, src: &[u8], last: bool, each: &mut dyn FnMut(Option<Encoding>, &[u8])) {
        if let Some(splitter) = &mut self.splitter {
            return splitter.push(src, last, each);
        }
        let (now, rest) = src.split_at(src.len().min(HEAD_BYTES - self.head.len()));
        self.head.extend_from_slice(now);
        if self.head.len() == HEAD_BYTES || last {
            let head = core::mem::take(&mut self.head);
            let mut splitter = Splitter::new(at_start(&head));
            splitter.push(&head, last && rest.is_empty(), each);
            if !rest.is_empty() {
                splitter.push(rest, last, each);
            }
            self.splitter = Some(splitter);
        }
    }
}
