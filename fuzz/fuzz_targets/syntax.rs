//! Escapes of languages: any pieces give the result of the whole, escapes that are decoded and encoded again read the same,
//! and a document of JSON keeps its value.
#![no_main]

use libfuzzer_sys::fuzz_target;
use placemat::syntax::{Decoder, Encoder, Scope, Syntax};

fuzz_target!(|input: (u8, &[u8])| {
    let (size, src) = input;
    let size = usize::from(size).max(1);
    for &syntax in Syntax::ALL {
        for scope in [Scope::NonAscii, Scope::All] {
            let whole = syntax.decode(scope, src);
            let (mut decoder, mut out) = (Decoder::new(syntax, scope), Vec::new());
            src.chunks(size).for_each(|piece| decoder.push(piece, false, &mut out));
            decoder.push(&[], true, &mut out);
            assert_eq!(out, whole, "{syntax:?} {scope:?} decoded");

            let whole = syntax.encode(scope, src);
            let (mut encoder, mut out) = (Encoder::new(syntax, scope), Vec::new());
            src.chunks(size).for_each(|piece| encoder.push(piece, false, &mut out));
            encoder.push(&[], true, &mut out);
            assert_eq!(out, whole, "{syntax:?} {scope:?} encoded");
        }
        // ASCII has no escapes that are decoded, but those of other characters.
        if src.is_ascii() && !src.iter().any(|byte| b"\\&%=".contains(byte)) {
            assert_eq!(syntax.decode(Scope::NonAscii, src), src, "{syntax:?}");
        }
    }
    if let Ok(value) = serde_json::from_slice::<serde_json::Value>(src) {
        let decoded = Syntax::Json.decode(Scope::NonAscii, src);
        assert_eq!(serde_json::from_slice::<serde_json::Value>(&decoded).unwrap(), value);
        let encoded = Syntax::Json.encode(Scope::NonAscii, src);
        assert_eq!(serde_json::from_slice::<serde_json::Value>(&encoded).unwrap(), value);
    }
});
