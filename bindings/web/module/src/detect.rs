//! The encoding and the language of bytes of unknown origin.

use crate::memory;
use crate::reports::{keep, list, name, quoted};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use placemat::detect::{Detector, Region, Regions};

/// Makes a detector, which [`detected`] frees.
#[unsafe(no_mangle)]
pub extern "C" fn new_detector() -> *mut Detector {
    Box::into_raw(Box::new(Detector::new()))
}

/// Passes a piece to a detector.
///
/// # Safety
/// The detector is alive; the bytes are in a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn detector_feed(detector: *mut Detector, src: *const u8, length: usize) {
    // SAFETY: the caller promises it; so with the next.
    let detector = unsafe { &mut *detector };
    // SAFETY: see above.
    detector.feed(unsafe { memory::text(src, length) });
}

/// Ends a detector and frees it; with `is_prefix`, the text goes on after what it read. Returns the length of the report.
///
/// # Safety
/// The detector is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn detected(detector: *mut Detector, is_prefix: u32) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let detector = unsafe { Box::from_raw(detector) };
    let found = if is_prefix == 0 { detector.finish() } else { detector.finish_prefix() };
    let verdict = found.verdict.name();
    let basis = found.basis.name();
    let candidates = list(found.candidates.iter().map(|candidate| {
        let language = candidate.language.map_or_else(|| "null".into(), |language| quoted(language.code()));
        let (encoding, confidence) = (quoted(candidate.encoding.name()), candidate.confidence);
        let same_text = candidate.same_text;
        format!(
            "{{\"encoding\":{encoding},\"confidence\":{confidence},\"language\":{language},\"sameText\":{same_text}}}"
        )
    }));
    let ruled_out = list(found.ruled_out.iter().map(|out| {
        let bytes = list(out.bytes.iter().map(|byte| format!("{byte}")));
        format!(
            "{{\"encoding\":{},\"offset\":{},\"bytes\":{bytes}}}",
            quoted(out.encoding.name()),
            out.offset
        )
    }));
    let declared = found.declared.as_ref().map_or_else(
        || "null".into(),
        |declared| {
            format!(
                "{{\"convention\":{},\"label\":{},\"encoding\":{},\"offset\":{},\"contradicted\":{}}}",
                quoted(declared.convention),
                quoted(&declared.label),
                name(declared.encoding),
                declared.offset,
                declared.contradicted
            )
        },
    );
    let damage = found.damage.map_or_else(
        || "null".into(),
        |damage| {
            format!(
                "{{\"illFormed\":{},\"wellFormed\":{},\"first\":{}}}",
                damage.ill_formed, damage.well_formed, damage.first
            )
        },
    );
    let signature = found.signature.as_ref().map_or_else(
        || "null".into(),
        |found| format!("{{\"name\":{},\"length\":{}}}", quoted(found.name), found.len),
    );
    let language = found.language.map_or_else(|| "null".into(), |language| quoted(language.code()));
    let first = found.first_non_ascii.map_or_else(|| "null".into(), |offset| format!("{offset}"));
    let mixed = list(found.mixed.iter().map(|encoding| quoted(encoding.name())));
    keep(format!(
        "{{\"verdict\":\"{verdict}\",\"encoding\":{},\"confidence\":{},\"language\":{language},\"basis\":\"{basis}\",\
         \"signature\":{signature},\"candidates\":{candidates},\"firstNonAscii\":{first},\"declared\":{declared},\
         \"ruledOut\":{ruled_out},\"damage\":{damage},\"mixed\":{mixed},\"length\":{},\
         \"isPrefix\":{}}}",
        name(found.encoding),
        found.confidence,
        found.len,
        found.is_prefix,
    ))
}

/// A search for regions under way.
#[derive(Debug, Default)]
pub struct RegionSearch {
    regions: Regions,
    found: Vec<Region>,
}

/// Makes a search for the regions of a text, which [`regions_found`] frees.
#[unsafe(no_mangle)]
pub extern "C" fn new_regions() -> *mut RegionSearch {
    Box::into_raw(Box::default())
}

/// Passes a piece to a search: first all pieces with `learns`, then all of them again without.
///
/// # Safety
/// The search is alive; the bytes are in a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn regions_feed(search: *mut RegionSearch, src: *const u8, length: usize, learns: u32) {
    // SAFETY: the caller keeps the contract of this function.
    let RegionSearch { regions, found } = unsafe { &mut *search };
    // SAFETY: as above.
    let src = unsafe { memory::text(src, length) };
    if learns == 0 {
        regions.feed(src, |region| found.push(region));
    } else {
        regions.learn(src);
    }
}

/// Ends a search and frees it. Returns the length of the report.
///
/// # Safety
/// The search is alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn regions_found(search: *mut RegionSearch) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    let RegionSearch { regions, mut found } = *unsafe { Box::from_raw(search) };
    regions.finish(|region| found.push(region));
    keep(list(found.iter().map(|region| {
        let Region { offset, len, line, lines, encoding, confidence, .. } = region;
        let encoding = quoted(encoding.name());
        format!(
            "{{\"offset\":{offset},\"length\":{len},\"line\":{line},\"lines\":{lines},\"encoding\":{encoding},\"confidence\":{confidence}}}"
        )
    })))
}
