//! Transfer encodings: what is encoded decodes to the same bytes; any bytes decode in any pieces as they do whole.
#![no_main]

use libfuzzer_sys::fuzz_target;
use placemat::transfer::{Decoder, Encoder, LineEnd, Transfer};

fn encoded(mut encoder: Encoder, src: &[u8], size: usize) -> Vec<u8> {
    let mut out = Vec::new();
    src.chunks(size).for_each(|piece| encoder.push(piece, false, &mut out));
    encoder.push(&[], true, &mut out);
    out
}

fuzz_target!(|input: (u8, &[u8])| {
    let (size, src) = input;
    let size = usize::from(size).max(1);
    for &transfer in Transfer::ALL {
        let whole = transfer.encode(src);
        assert_eq!(encoded(Encoder::new(transfer), src, size), whole, "{transfer}");
        assert_eq!(transfer.decode(&whole).as_deref(), Ok(src), "{transfer}");
        let lines = encoded(Encoder::in_lines(transfer, LineEnd::CrLf), src, size);
        assert_eq!(transfer.decode(&lines).as_deref(), Ok(src), "{transfer} in lines");

        let decoded = transfer.decode(src);
        let mut pieces = Vec::new();
        let mut decoder = Decoder::new(transfer);
        let result = src
            .chunks(size)
            .try_for_each(|piece| decoder.push(piece, false, &mut pieces))
            .and_then(|()| decoder.push(&[], true, &mut pieces));
        assert_eq!(result.map(|()| pieces), decoded, "{transfer}");
        let mut lenient = Vec::new();
        Decoder::new(transfer).lenient().push(src, true, &mut lenient).unwrap();
        if let Ok(decoded) = decoded {
            assert_eq!(lenient, decoded, "{transfer}");
        }
    }
    let percent: Vec<u8> = percent_encoding::percent_decode(src).collect();
    let mut ours = Vec::new();
    Decoder::new(Transfer::Percent).lenient().push(src, true, &mut ours).unwrap();
    assert_eq!(ours, percent);
});
