//! Calls of `encoding_rs` and calls of this crate, side by side: both run, and the answers are
//! compared.
//!
//! `cargo run -p placemat --features examples --example from_encoding_rs` prints each pair of calls
//! with the answer. The page `docs/guides/from-encoding-rs.md` has a table of functions, and the
//! differences.

use core::error::Error;
use encoding_rs::{CoderResult, GBK, SHIFT_JIS, UTF_8, WINDOWS_1252};
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, utf8, web};

fn main() -> Result<(), Box<dyn Error>> {
    // A whole text as a browser reads it: a byte order mark wins, U+FFFD replaces each error.
    let body = b"\xEF\xBB\xBFcaf\xE9";
    let (text, encoding, had_errors) = WINDOWS_1252.decode(body);
    let decoded = web::decode(body, Encoding::WINDOWS_1252);
    same("WINDOWS_1252.decode(body)", "web::decode(body, Encoding::WINDOWS_1252)", &text, &decoded.text);
    assert_eq!((encoding.name(), had_errors), (decoded.encoding.name(), decoded.errors > 0));

    // The same without a look for a byte order mark.
    let (text, _) = UTF_8.decode_without_bom_handling(body);
    let kept = Encoding::UTF_8.decode(body, ErrorPolicy::Replace)?;
    same("UTF_8.decode_without_bom_handling(body)", "UTF_8.decode(body, ErrorPolicy::Replace)", &text, &kept);

    // No replacements: there, no text; here, an error that says where and why.
    let none = UTF_8.decode_without_bom_handling_and_without_replacement(body);
    let error = Encoding::UTF_8.decode(body, ErrorPolicy::Stop).unwrap_err();
    assert!(none.is_none());
    same(
        "…_and_without_replacement(body)",
        "UTF_8.decode(body, ErrorPolicy::Stop)",
        error,
        "incomplete sequence 0xe9 at offset 6",
    );

    // Labels of the web. Each library knows the 228 of the Standard.
    let label = "  Latin1\n";
    let theirs = encoding_rs::Encoding::for_label(label.as_bytes()).ok_or("a label of the web")?;
    let ours = web::for_label(label).ok_or("a label of the web")?;
    same("Encoding::for_label(label)", "web::for_label(label)", theirs.name(), ours.name());

    // Text to bytes, with references for what the encoding lacks.
    let (bytes, _, had_unmappable) = GBK.encode("5 € 😀");
    let encoded = Encoding::GBK.encode("5 € 😀", UnmappablePolicy::XmlReference)?;
    same("GBK.encode(text)", "GBK.encode(text, XmlReference)", bytes.escape_ascii(), encoded.escape_ascii());
    assert!(had_unmappable && Encoding::GBK.encode("5 € 😀", UnmappablePolicy::Stop).is_err());

    // Is it ASCII, is it UTF-8?
    let valid = utf8::validate(b"na\xC3\xAFve\xFF").map_or_else(|e| e.valid_up_to(), str::len);
    same(
        "Encoding::utf8_valid_up_to",
        "utf8::validate",
        encoding_rs::Encoding::utf8_valid_up_to(b"na\xC3\xAFve\xFF"),
        valid,
    );

    pieces()?;
    Ok(())
}

/// A text in two pieces, which divide a character.
fn pieces() -> Result<(), Box<dyn Error>> {
    let pieces: [(&[u8], bool); 2] = [(b"\x93\xFA\x96", false), (b"\x7B\xFF", true)];
    let (mut theirs, mut ours) = (String::new(), Vec::new());
    let mut decoder = SHIFT_JIS.new_decoder_without_bom_handling();
    let mut transcoder = Transcoder::new(Encoding::SHIFT_JIS, Encoding::UTF_8).on_error(ErrorPolicy::Replace);
    for (piece, last) in pieces {
        theirs.reserve(decoder.max_utf8_buffer_length(piece.len()).ok_or("too long")?);
        let (result, read, _) = decoder.decode_to_string(piece, &mut theirs, last);
        assert_eq!((result, read), (CoderResult::InputEmpty, piece.len()));

        let mut out = [0; 64];
        let progress = transcoder.convert(piece, &mut out, last);
        let status = if last { Status::Done } else { Status::NeedInput };
        assert_eq!((progress.status, progress.read), (status, piece.len()));
        ours.extend_from_slice(&out[..progress.written]);
    }
    let ours = String::from_utf8(ours)?;
    same("decoder.decode_to_string(piece, …, last)", "transcoder.convert(piece, …, last)", &theirs, &ours);
    Ok(())
}

/// Prints two calls, whose answers are the same.
fn same(theirs: &str, ours: &str, their_answer: impl ToString, our_answer: impl ToString) {
    let answer = our_answer.to_string();
    println!("{theirs:<44} {ours:<44} {answer:?}");
    assert_eq!(their_answer.to_string(), answer, "{theirs}, {ours}");
}

#[test]
fn both_libraries_agree() -> Result<(), Box<dyn Error>> {
    main()
}
