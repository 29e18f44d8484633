//! Files in which UTF-16 or UTF-32 stands beside single bytes.

use crate::families::is_wide;
use crate::input;
use placemat::Encoding;
use placemat::detect;
use placemat::detect::{Detector, Region, Regions, Verdict};
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// Bytes that are read at a time; the first of them say whether a file may be text at all.
const PIECE_BYTES: usize = 64 * 1024;
const HEAD_BYTES: usize = 8 * 1024;
/// The greatest number of stretches that are reported, and of bytes that are kept of each.
const MAX_STRETCHES: usize = 1000;
const SHOWN_BYTES: usize = 64;

/// A stretch in another unit than most of its file.
#[derive(Debug)]
pub(super) struct Stretch {
    pub(super) encoding: Encoding,
    /// The encoding of most of the file.
    pub(super) main: Encoding,
    /// The offsets of its first and last byte.
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) line: u64,
    /// The first bytes of the unit.
    pub(super) bytes: Vec<u8>,
}

/// Returns the stretches of a regular file that is mixed by unit; none if it is not, or cannot be
/// read.
pub(super) fn stretches(path: &Path) -> Vec<Stretch> {
    find(path).unwrap_or_default()
}

fn find(path: &Path) -> Option<Vec<Stretch>> {
    let mut file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|data| data.is_file()))?;
    let mut buffer = vec![0; PIECE_BYTES];
    let mut detector = Detector::new();
    let mut is_first = true;
    loop {
        let len = input::read(&mut file, &mut buffer).ok()?;
        if len == 0 {
            break;
        }
        let head = &buffer[..len.min(HEAD_BYTES)];
        if core::mem::take(&mut is_first) && head.contains(&0) && detect(head).verdict == Verdict::Binary {
            return None;
        }
        detector.feed(&buffer[..len]);
    }
    let answer = detector.finish();
    let main = answer.encoding.filter(|_| answer.verdict == Verdict::Text && !answer.mixed.is_empty())?;
    file.rewind().ok()?;
    let mut regions = Regions::new();
    let mut found: [Vec<Region>; 2] = [Vec::new(), Vec::new()];
    let mut take = |region: Region| {
        let all = &mut found[usize::from(is_wide(region.encoding))];
        // Single bytes in several encodings are one stretch.
        if let Some(last) = all.last_mut().filter(|last| last.offset + last.len == region.offset) {
            last.len += region.len;
        } else if all.len() < MAX_STRETCHES {
            all.push(region);
        }
    };
    loop {
        let len = input::read(&mut file, &mut buffer).ok()?;
        if len == 0 {
            break;
        }
        regions.feed(&buffer[..len], &mut take);
    }
    regions.finish(&mut take);
    let [single, wide] = found;
    if single.is_empty() || wide.is_empty() {
        return None;
    }
    let minor = if is_wide(main) { single } else { wide };
    minor
        .into_iter()
        .map(|region| {
            let mut bytes = vec![0; SHOWN_BYTES.min(usize::try_from(region.len).unwrap_or(SHOWN_BYTES))];
            file.seek(SeekFrom::Start(region.offset)).ok()?;
            file.read_exact(&mut bytes).ok()?;
            Some(Stretch {
                encoding: region.encoding,
                main,
                first: region.offset,
                last: region.offset + region.len - 1,
                line: region.line,
                bytes,
            })
        })
        .collect()
}
