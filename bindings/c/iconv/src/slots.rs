//! The handles: slots of fixed size in chunks that are never freed, so that an address alone shows
//! whether a handle is ours. This module takes no lock.
//!
//! A free slot is taken from a list, or else the next unused one. The list is a stack of indices;
//! its head includes a number that changes with every turn, so that a thread which was delayed does
//! not put an old successor there (the ABA problem).

use crate::system::Handle;
use alloc::alloc::{alloc, dealloc};
use core::alloc::Layout;
use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use placemat_iconv::Converter;

struct Slot {
    is_open: AtomicBool,
    /// The address of the caller's memory that is a second handle, for `iconv_open_into`; or zero.
    lent: AtomicUsize,
    /// The number of the next free slot, if this one is free.
    next: AtomicU32,
    converter: UnsafeCell<MaybeUninit<Converter>>,
}

/// The number of slots in the first chunk; each chunk has twice as many as the one before.
const FIRST: u32 = 64;
/// All chunks together have more slots than a process has memory for.
const CHUNKS: usize = 22;
const MAX_SLOTS: u32 = FIRST * ((1 << CHUNKS) - 1);

static CHUNK: [AtomicPtr<Slot>; CHUNKS] = [const { AtomicPtr::new(core::ptr::null_mut()) }; CHUNKS];
/// The head of the free list: the number of a slot, counted from one, or zero; above it the number of the turn.
static FREE: AtomicU64 = AtomicU64::new(0);
/// The number of slots that were ever in use.
static USED: AtomicU32 = AtomicU32::new(0);
/// The number of handles that have a second address.
static LENT: AtomicUsize = AtomicUsize::new(0);

/// Returns the chunk of a slot, and its index there.
const fn place(index: u32) -> (usize, usize) {
    let chunk = (index / FIRST + 1).ilog2();
    (chunk as usize, (index - FIRST * ((1 << chunk) - 1)) as usize)
}

const fn len(chunk: usize) -> usize {
    (FIRST as usize) << chunk
}

fn layout(chunk: usize) -> Option<Layout> {
    Layout::array::<Slot>(len(chunk)).ok()
}

/// Returns a slot whose chunk exists.
fn slot(index: u32) -> Option<&'static Slot> {
    let (chunk, at) = place(index);
    let start = CHUNK.get(chunk)?.load(Ordering::Acquire);
    if start.is_null() {
        return None;
    }
    // SAFETY: an existing chunk has `len(chunk)` slots, and `at` is less than that.
    let slot = unsafe { start.add(at) };
    // SAFETY: all slots of an existing chunk are initialized, and stay.
    Some(unsafe { &*slot })
}

/// Makes the chunk, unless it exists. Returns whether it exists now.
fn make(chunk: usize) -> bool {
    let Some(place) = CHUNK.get(chunk) else { return false };
    if !place.load(Ordering::Acquire).is_null() {
        return true;
    }
    let Some(layout) = layout(chunk) else { return false };
    // SAFETY: a chunk has slots, so the size is not zero.
    let start: *mut Slot = unsafe { alloc(layout) }.cast();
    if start.is_null() {
        return false;
    }
    for at in 0..len(chunk) {
        let empty = Slot {
            is_open: AtomicBool::new(false),
            lent: AtomicUsize::new(0),
            next: AtomicU32::new(0),
            converter: UnsafeCell::new(MaybeUninit::uninit()),
        };
        // SAFETY: `at` is within the block.
        let slot = unsafe { start.add(at) };
        // SAFETY: the block is aligned for slots and not shared yet.
        unsafe { slot.write(empty) };
    }
    if place.compare_exchange(core::ptr::null_mut(), start, Ordering::AcqRel, Ordering::Acquire).is_err() {
        // Another thread was faster.
        // SAFETY: the block came from `alloc` with this layout, and nobody else knows it.
        unsafe { dealloc(start.cast(), layout) };
    }
    true
}

/// Takes a slot for a new handle and returns its index; `None` if there is no memory.
fn take() -> Option<u32> {
    let mut head = FREE.load(Ordering::Acquire);
    while let Some(index) = number(head).checked_sub(1) {
        let next = slot(index)?.next.load(Ordering::Relaxed);
        match FREE.compare_exchange_weak(head, after(head, next), Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return Some(index),
            Err(now) => head = now,
        }
    }
    // The chunk is made before its first slot is used, so a chunk exists only if those before it
    // do, where `find` would stop.
    let mut used = USED.load(Ordering::Acquire);
    while used < MAX_SLOTS && make(place(used).0) {
        match USED.compare_exchange_weak(used, used + 1, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return Some(used),
            Err(now) => used = now,
        }
    }
    None
}

/// Returns a slot to the free list.
fn give_back(index: u32, slot: &Slot) {
    let mut head = FREE.load(Ordering::Acquire);
    loop {
        slot.next.store(number(head), Ordering::Relaxed);
        match FREE.compare_exchange_weak(head, after(head, index + 1), Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return,
            Err(now) => head = now,
        }
    }
}

/// Returns the number of the slot at the head.
#[allow(clippy::cast_possible_truncation, reason = "it is the lower half")]
const fn number(head: u64) -> u32 {
    head as u32
}

/// Returns the head of the next turn.
const fn after(head: u64, number: u32) -> u64 {
    ((head >> 32).wrapping_add(1) << 32) | number as u64
}

/// Opens a handle for a conversion; returns `None` if there is no memory.
pub(crate) fn open(converter: Converter) -> Option<Handle> {
    let slot = slot(take()?)?;
    // SAFETY: only this thread has the slot: it took the slot from the list, and no other thread
    // gets it before this function returns.
    unsafe { (*slot.converter.get()).write(converter) };
    slot.is_open.store(true, Ordering::Release);
    Some(core::ptr::from_ref(slot).cast_mut().cast())
}

/// A handle by its address.
pub(crate) enum Found {
    /// The handle is ours, and open.
    Ours(Ours),
    /// The handle lies among our slots and is not open.
    Closed,
    /// The handle belongs to another library.
    Foreign,
}

/// An open handle of ours.
pub(crate) struct Ours {
    index: u32,
    slot: &'static Slot,
}

/// Classifies a handle by its address. The memory of a foreign handle is not read.
pub(crate) fn find(handle: Handle) -> Found {
    let mut before = 0;
    for (chunk, start) in CHUNK.iter().enumerate() {
        let start = start.load(Ordering::Acquire);
        if start.is_null() {
            break;
        }
        let distance = handle.addr().wrapping_sub(start.addr());
        if distance < len(chunk) * size_of::<Slot>() {
            if !distance.is_multiple_of(size_of::<Slot>()) {
                return Found::Closed;
            }
            let at = distance / size_of::<Slot>();
            // SAFETY: `at` is less than the number of slots of this chunk.
            let slot = unsafe { start.add(at) };
            // SAFETY: all slots of an existing chunk are initialized, and stay.
            let slot = unsafe { &*slot };
            #[allow(clippy::cast_possible_truncation, reason = "it is less than `MAX_SLOTS`")]
            let index = before + at as u32;
            return if slot.is_open.load(Ordering::Acquire) {
                Found::Ours(Ours { index, slot })
            } else {
                Found::Closed
            };
        }
        before += FIRST << chunk;
    }
    Found::Foreign
}

/// Makes the address of `memory` a second handle for an open one.
#[cfg(feature = "libiconv")]
pub(crate) fn lend(handle: Handle, memory: Handle) {
    if let Found::Ours(ours) = find(handle) {
        LENT.fetch_add(1, Ordering::Relaxed);
        ours.slot.lent.store(memory.addr(), Ordering::Release);
    }
}

/// Returns the open handle whose second handle is the address of `memory`. It searches all slots,
/// if there are such handles at all.
#[cfg(feature = "libiconv")]
pub(crate) fn find_lent(memory: Handle) -> Option<Ours> {
    if LENT.load(Ordering::Relaxed) == 0 || memory.is_null() {
        return None;
    }
    let all = 0..USED.load(Ordering::Acquire);
    let mut all = all.filter_map(|index| slot(index).map(|slot| Ours { index, slot }));
    all.find(|ours| {
        ours.slot.lent.load(Ordering::Acquire) == memory.addr() && ours.slot.is_open.load(Ordering::Acquire)
    })
}

impl Ours {
    /// Returns the handle of the slot.
    #[cfg(feature = "libiconv")]
    pub(crate) fn handle(&self) -> Handle {
        core::ptr::from_ref(self.slot).cast_mut().cast()
    }

    /// Returns the conversion.
    ///
    /// # Safety
    /// No other call uses or closes the handle meanwhile: iconv(3) requires of its caller that two
    /// threads do not share a handle.
    pub(crate) unsafe fn converter(&mut self) -> &mut Converter {
        // SAFETY: the caller promises that nobody else uses it.
        let converter = unsafe { &mut *self.slot.converter.get() };
        // SAFETY: the slot is open, so `open` has written it.
        unsafe { converter.assume_init_mut() }
    }

    /// Closes the handle. Returns `false` if another thread has done so meanwhile.
    ///
    /// # Safety
    /// The requirements of [`converter`](Self::converter).
    pub(crate) unsafe fn close(&self) -> bool {
        if !self.slot.is_open.swap(false, Ordering::AcqRel) {
            return false;
        }
        if self.slot.lent.swap(0, Ordering::Relaxed) != 0 {
            LENT.fetch_sub(1, Ordering::Relaxed);
        }
        // SAFETY: the caller promises that nobody else uses it.
        let converter = unsafe { &mut *self.slot.converter.get() };
        // SAFETY: the slot was open, so `open` has written it; nothing reads it before `open` writes it again.
        unsafe { converter.assume_init_drop() };
        give_back(self.index, self.slot);
        true
    }
}
