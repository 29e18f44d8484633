//! Fast conversion under policies that inspect the text, over stretches that do not concern them.
//!
//! A policy that must see each code point rules out kernels. Some policies can decide for a whole
//! stretch that nothing in it concerns them ([`Hints::may_be_in`]); such a stretch is converted as
//! if the policy did not inspect.

use super::{Extent, Progress, Status, any};
use crate::ground::error::{IllFormed, Unmappable};
use crate::ground::hints::{Engine, Hints, Substitutes};
use crate::ground::policy::{Action, OnError, OnUnmappable, Span, Substitute};

/// Size of a stretch in bytes. A text that concerns the policy is converted twice, but at most one
/// stretch at a time.
const STRETCH_BYTES: usize = 4096;

/// Wraps a policy so that it does not inspect.
pub(crate) struct Calm<P>(pub(crate) P);

impl<P: OnError + ?Sized> OnError for Calm<&mut P> {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        self.0.handle(error)
    }
    fn span(&self) -> Span {
        self.0.span()
    }
    fn longest(&self) -> usize {
        self.0.longest()
    }
    fn ask_again(&mut self, engine: Engine) {
        self.0.ask_again(engine);
    }
}

impl<P: OnUnmappable + ?Sized> OnUnmappable for Calm<&mut P> {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        self.0.handle(unmappable)
    }
    fn longest(&self) -> usize {
        self.0.longest()
    }
    fn hints(&self, engine: Engine) -> Hints<'_, Substitutes> {
        Hints { calm: true, ..self.0.hints(engine) }
    }
    fn ask_again(&mut self, engine: Engine) {
        self.0.ask_again(engine);
    }
}

/// Converts to UTF-8.
#[inline]
pub fn to_utf8(
    core: &mut any::From,
    src: &[u8],
    dst: &mut [u8],
    last: bool,
    extent: Extent,
    on_error: &mut dyn OnError,
    on_unmappable: &mut dyn OnUnmappable,
) -> Progress {
    // The output shows the code points that were read, unless the other policy writes some of them
    // as other bytes.
    let hints = on_error.hints(Engine);
    if extent != Extent::All
        || !hints.tells()
        || !hints.repeats
        || on_unmappable.hints(Engine).watch.is_some()
    {
        return core.run(src, dst, last, extent, on_error, on_unmappable);
    }
    by_stretches(src, dst, last, |src, dst, last| {
        let before = *core;
        let mut p = core.run(src, dst, last, extent, &mut Calm(&mut *on_error), on_unmappable);
        if on_error.hints(Engine).may_be_in(&dst[..p.written]) {
            *core = before;
            p = Progress { read: 0, written: 0, status: p.status };
        } else if p.status != Status::NeedOutput {
            return p;
        }
        // Even if the output is full, the next code point may be one that the policy refuses.
        let (src, dst) = (&src[p.read..], &mut dst[p.written..]);
        let rest = core.run(src, dst, last, extent, on_error, on_unmappable);
        Progress { read: p.read + rest.read, written: p.written + rest.written, status: rest.status }
    })
}

/// Converts from UTF-8.
#[inline]
pub fn from_utf8(
    core: &mut any::To,
    src: &[u8],
    dst: &mut [u8],
    last: bool,
    extent: Extent,
    on_error: &mut dyn OnError,
    on_unmappable: &mut dyn OnUnmappable,
) -> Progress {
    if extent != Extent::All || !on_unmappable.hints(Engine).tells() {
        return core.run(src, dst, last, extent, on_error, on_unmappable);
    }
    by_stretches(src, dst, last, |src, dst, last| {
        if on_unmappable.hints(Engine).may_be_in(src) {
            core.run(src, dst, last, extent, on_error, on_unmappable)
        } else {
            core.run(src, dst, last, extent, on_error, &mut Calm(&mut *on_unmappable))
        }
    })
}

/// Runs over one stretch after the other, until something stops it.
fn by_stretches(
    src: &[u8],
    dst: &mut [u8],
    last: bool,
    mut run: impl FnMut(&[u8], &mut [u8], bool) -> Progress,
) -> Progress {
    let (mut read, mut written) = (0, 0);
    loop {
        let rest = &src[read..];
        let stretch = &rest[..rest.len().min(STRETCH_BYTES)];
        let is_rest = stretch.len() == rest.len();
        let p = run(stretch, &mut dst[written..], last && is_rest);
        read += p.read;
        written += p.written;
        // A stretch is longer than any sequence, so each run reads something.
        if is_rest || p.read == 0 || p.status != Status::NeedInput {
            return Progress { read, written, status: p.status };
        }
    }
}
