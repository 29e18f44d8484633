//! Any bytes between any two encodings, under any policies, divided anywhere, with output buffers of any size, give the
//! result of one call.
#![no_main]

use libfuzzer_sys::fuzz_target;
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, OnError, Replacement, Span, UnmappablePolicy};

const ERRORS: [ErrorPolicy<'static>; 11] = [
    ErrorPolicy::Stop,
    ErrorPolicy::Replace,
    ErrorPolicy::ReplaceWith(Replacement::QUESTION),
    ErrorPolicy::Skip,
    ErrorPolicy::Latin1,
    ErrorPolicy::Windows1252,
    ErrorPolicy::HexEscape,
    ErrorPolicy::SurrogateEscape,
    ErrorPolicy::SurrogatePass,
    ErrorPolicy::Optu,
    ErrorPolicy::Optu16,
];
const UNMAPPABLE: [UnmappablePolicy<'static>; 9] = [
    UnmappablePolicy::Stop,
    UnmappablePolicy::Replace,
    UnmappablePolicy::Skip,
    UnmappablePolicy::XmlReference,
    UnmappablePolicy::HexEscape,
    UnmappablePolicy::SurrogateEscape,
    UnmappablePolicy::SurrogatePass,
    UnmappablePolicy::Optu,
    UnmappablePolicy::Optu16,
];
const SPANS: [Span; 4] = [Span::Maximal, Span::Unit, Span::Structural, Span::Lead];

/// Returns everything that a conversion yields: the output, and each stop with its offset in the
/// output.
fn run(choice: &[u8; 4], src: &[u8], cuts: &[u8]) -> (Vec<u8>, Vec<(usize, Status)>) {
    let pick = |i: usize, n: usize| usize::from(choice[i]) % n;
    let from = Encoding::ALL[pick(0, Encoding::ALL.len())];
    let to = Encoding::ALL[pick(1, Encoding::ALL.len())];
    let on_error = ERRORS[pick(2, ERRORS.len())].spanning(SPANS[pick(2, 44) / 11]);
    let mut t =
        Transcoder::new(from, to).on_error(on_error).on_unmappable(UNMAPPABLE[pick(3, UNMAPPABLE.len())]);
    let (mut out, mut stops) = (Vec::new(), Vec::new());
    let mut cuts = cuts.iter().copied().cycle();
    let mut read = 0_usize;
    loop {
        let cut = cuts.next().map_or(usize::MAX, usize::from);
        let end = src.len().min(read.saturating_add(cut));
        let mut buffer = vec![0; t.min_output() + cut.min(src.len() * 16 + 16)];
        let p = t.convert(&src[read..end], &mut buffer, end == src.len());
        read += p.read;
        out.extend_from_slice(&buffer[..p.written]);
        match p.status {
            Status::Done => return (out, stops),
            Status::NeedInput | Status::NeedOutput => {}
            stop => stops.push((out.len(), stop)),
        }
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((choice, rest)) = input.split_first_chunk::<4>() else { return };
    let Some((cuts, src)) = rest.split_first_chunk::<4>() else { return };
    // An empty piece now and then, but not only empty pieces.
    let mut cuts = *cuts;
    cuts[0] |= 1;
    assert_eq!(run(choice, src, &cuts), run(choice, src, &[]));
});
