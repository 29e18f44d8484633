//! The library's public interface: names, defaults, and promises that the documentation makes in
//! one sentence.

use crate::data::hex;
use crate::samples::samples;
use crate::subject::{form, in_oracle, in_parallel};
use core::error::Error;
use placemat::policy::{Action, ReplaceWith, Substitute, from_fn, from_fn_unmappable};
use placemat::stream::{FormTranscoder, Reader, Status, Transcoder, Writer};
use placemat::{
    ByteOrder, ConvertError, Encoding, ErrorPolicy, IllFormed, IllFormedKind, OnError, OnUnmappable,
    Replacement, Unmappable, UnmappablePolicy, forms, utf8, utf16, web,
};
use std::borrow::Cow;
use std::io::{self, Read, Write};

/// Samples up to this length are divided at every offset.
const CUT_MAX_BYTES: usize = 40;

/// Returns texts in an encoding, most of them damaged: samples of the oracle if it knows the
/// encoding, changed text, and noise.
fn texts(encoding: Encoding) -> Vec<Vec<u8>> {
    let mut all = if in_oracle().contains(&encoding) { samples(form(encoding)) } else { vec![Vec::new()] };
    let text = "Hello, wörld: 5 €, Привет, 日本語テスト, 한국어, 中文, 🦀";
    let bytes = encoding.encode(text, UnmappablePolicy::Skip).unwrap();
    let mut state = bytes.first().copied().map_or(7, u32::from) + 7;
    let mut below = |most: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % most
    };
    for round in 0..24 {
        let (start, end) = (below(bytes.len() + 1), below(bytes.len() + 1));
        let mut bytes = bytes[start.min(end)..start.max(end)].to_vec();
        for _ in 0..round % 4 {
            if !bytes.is_empty() {
                let at = below(bytes.len());
                bytes[at] = below(256) as u8;
            }
        }
        all.push(bytes);
        all.push((0..below(30)).map(|_| below(256) as u8).collect());
    }
    all
}

#[test]
fn decode_lossy_fails_for_no_encoding() {
    in_parallel(Encoding::ALL.len(), |i| {
        let encoding = Encoding::ALL[i];
        for src in texts(encoding) {
            let decoded = encoding.decode_lossy(&src);
            let about = || format!("{encoding}, {}", hex(&src));
            let genuine = |text: &str| text.matches('\u{FFFD}').count() as u64;
            // Each error is one U+FFFD.
            assert!(genuine(&decoded.text) >= decoded.errors, "{}", about());
            if decoded.encoding == encoding {
                let text = encoding.decode(&src, ErrorPolicy::Replace).unwrap();
                let is_same = text == decoded.text || text.strip_prefix('\u{FEFF}') == Some(&decoded.text);
                assert!(is_same, "{}: {text:?}, {:?}", about(), decoded.text);
                // Without errors, the strict decoder gives the same.
                match encoding.decode(&src, ErrorPolicy::Stop) {
                    Ok(text) => {
                        assert_eq!(decoded.errors, 0, "{}", about());
                        assert_eq!(text, encoding.decode(&src, ErrorPolicy::Replace).unwrap());
                    }
                    // Nothing replaces what follows a shift that the text leaves open.
                    Err(ConvertError::IllFormed(e)) if e.kind() == IllFormedKind::UnclosedShift => {
                        assert_eq!(decoded.errors, 0, "{}", about());
                    }
                    Err(_) => assert!(decoded.errors > 0, "{}", about()),
                }
                assert!(encoding.decode(&src, ErrorPolicy::Skip).is_ok(), "{}", about());
            }
        }
    });
}

#[test]
fn decode_lossy_reads_code_points_that_a_str_cannot_hold() {
    // A surrogate of WTF-8 and of UCS-2, and a value beyond U+10FFFF of UCS-4.
    for (encoding, src, text) in [
        (Encoding::WTF_8, &b"a\xED\xA0\x80b"[..], "a\u{FFFD}b"),
        (Encoding::UCS_2BE, b"\0a\xD8\x00\0b", "a\u{FFFD}b"),
        (Encoding::UCS_4BE, b"\0\0\0a\x00\x11\x00\x00", "a\u{FFFD}"),
    ] {
        let decoded = encoding.decode_lossy(src);
        assert_eq!((decoded.text.as_ref(), decoded.errors), (text, 1), "{encoding}");
        assert_eq!(encoding.decode(src, ErrorPolicy::Replace).unwrap(), text, "{encoding}");
        assert_eq!(encoding.decode(src, ErrorPolicy::Skip).unwrap(), text.replace('\u{FFFD}', ""));
        assert!(encoding.decode(src, ErrorPolicy::Stop).is_err(), "{encoding}");
    }
    let typed = placemat::convert::decode::<forms::Wtf8>(b"a\xED\xA0\x80b", ErrorPolicy::Replace);
    assert_eq!(typed.unwrap(), "a\u{FFFD}b");
}

#[test]
fn decode_lossy_obeys_signatures_and_takes_them_off() {
    for &encoding in Encoding::ALL {
        let signed = encoding.encode("\u{FEFF}id", UnmappablePolicy::Stop);
        let Ok(signed) = signed else { continue };
        let decoded = encoding.decode_lossy(&signed);
        // Encodings with a signature drop their own, and read the other one as text.
        let own = encoding.encode("", UnmappablePolicy::Stop).is_ok_and(|empty| !empty.is_empty());
        let expected = if own { "\u{FEFF}id" } else { "id" };
        assert_eq!((decoded.text.as_ref(), decoded.errors), (expected, 0), "{encoding}");
    }
    for (src, encoding) in [
        (&b"\xEF\xBB\xBFid"[..], Encoding::UTF_8),
        (b"\xFF\xFEi\0d\0", Encoding::UTF_16LE),
        (b"\xFE\xFF\0i\0d", Encoding::UTF_16BE),
    ] {
        for of in [Encoding::WINDOWS_1252, Encoding::UTF_8, Encoding::SHIFT_JIS, Encoding::GBK] {
            let decoded = of.decode_lossy(src);
            assert_eq!(
                (decoded.text.as_ref(), decoded.encoding, decoded.errors),
                ("id", encoding, 0),
                "{of}"
            );
        }
    }
    // The signature of UTF-32LE begins with that of UTF-16LE.
    let wide = Encoding::UTF_32LE.decode_lossy(b"\xFF\xFE\0\0i\0\0\0");
    assert_eq!((wide.text.as_ref(), wide.encoding), ("i", Encoding::UTF_32LE));
    let wide = Encoding::UTF_32.decode_lossy(b"\xFF\xFE\0\0i\0\0\0");
    assert_eq!((wide.text.as_ref(), wide.encoding), ("i", Encoding::UTF_32));
    // Only one signature is dropped, and half a signature is none.
    assert_eq!(Encoding::UTF_8.decode_lossy(b"\xEF\xBB\xBF\xEF\xBB\xBFid").text, "\u{FEFF}id");
    assert_eq!(Encoding::UTF_8.decode_lossy(b"\xEF\xBB").errors, 1);
    assert!(matches!(Encoding::UTF_8.decode_lossy(b"\xEF\xBB\xBFid").text, Cow::Borrowed("id")));
}

#[test]
fn web_reads_as_encoding_rs_does() {
    let labels = [
        "utf-8",
        "latin1",
        "shift_jis",
        "gbk",
        "gb18030",
        "big5",
        "euc-kr",
        "iso-2022-jp",
        "utf-16",
        "koi8-r",
    ];
    let starts: [&[u8]; 5] = [b"", b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF", b"\xEF\xBB"];
    for label in labels {
        let (fallback, peer) =
            (web::for_label(label).unwrap(), encoding_rs::Encoding::for_label(label.as_bytes()).unwrap());
        for start in starts {
            for src in texts(fallback) {
                let src = [start, &src].concat();
                let decoded = web::decode(&src, fallback);
                let (text, encoding, is_damaged) = peer.decode(&src);
                assert_eq!(decoded.text, text, "{label}, {}", hex(&src));
                assert_eq!(decoded.encoding, web::for_label(encoding.name()).unwrap());
                assert_eq!(decoded.errors > 0, is_damaged, "{label}, {}", hex(&src));
                // Readers get pieces of any size.
                for most in [1, 2, 3, 7] {
                    let mut reader = web::reader(Few { rest: &src, most }, fallback);
                    let mut read = String::new();
                    reader.read_to_string(&mut read).unwrap();
                    assert_eq!(
                        (read, reader.encoding()),
                        (text.to_string(), decoded.encoding),
                        "{label}, {}",
                        hex(&src)
                    );
                    assert_eq!(reader.tally().replaced.count, decoded.errors, "{label}, {}", hex(&src));
                }
            }
        }
    }
}

#[test]
fn web_knows_the_labels_of_the_standard_and_no_others() {
    let of_the_standard = |label: &str| encoding_rs::Encoding::for_label(label.as_bytes());
    let mut count = 0;
    for &encoding in Encoding::ALL {
        let names = encoding.names();
        for label in names.labels.iter().chain([names.name]) {
            assert_eq!(web::for_label(label).is_some(), of_the_standard(label).is_some(), "{label}");
        }
        for label in names.web_labels.iter() {
            assert!(of_the_standard(label).is_some(), "{label}");
            count += 1;
        }
    }
    assert_eq!(count, 228);
}

/// A source that yields at most `most` bytes at a time, each time after an interrupt.
struct Few<'a> {
    rest: &'a [u8],
    most: usize,
}

impl Read for Few<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = self.most.min(buf.len());
        self.rest.take(len as u64).read(&mut buf[..len]).inspect(|&len| self.rest = &self.rest[len..])
    }
}

/// The routes of a conversion: the same form, to and from UTF-8, through the hub, with states, with
/// owed code points.
const PAIRS: [(Encoding, Encoding); 12] = [
    (Encoding::UTF_8, Encoding::UTF_8),
    (Encoding::UTF_8, Encoding::UTF_16LE),
    (Encoding::UTF_8, Encoding::ISO_8859_1),
    (Encoding::UTF_16LE, Encoding::UTF_8),
    (Encoding::UTF_16BE, Encoding::ISO_2022_JP),
    (Encoding::SHIFT_JIS, Encoding::UTF_8),
    (Encoding::SHIFT_JIS, Encoding::UTF_16BE),
    (Encoding::WINDOWS_1252, Encoding::US_ASCII),
    (Encoding::BIG5, Encoding::WINDOWS_1252),
    (Encoding::GB18030, Encoding::US_ASCII),
    (Encoding::UTF_7, Encoding::ISO_8859_1),
    (Encoding::MARC_8, Encoding::UTF_7),
];

/// The questions that the caller's policies were asked, in order.
#[derive(Default)]
struct Asked {
    errors: Vec<u64>,
    unmappable: Vec<(u64, u32)>,
}

/// Converts pieces of `src` that end at `cuts`, with output buffers of `room` bytes, and records
/// all questions. The answers change from one error to the next, and some of them are unmappable
/// too.
fn converted(
    from: Encoding,
    to: Encoding,
    src: &[u8],
    cuts: &[usize],
    room: usize,
) -> (Vec<u8>, Asked, [u64; 2]) {
    let texts = ["?", "", "<…>", "\u{FFFD}", "(a longer text)"].map(|text| Replacement::new(text).unwrap());
    let mut asked = Asked::default();
    let on_error = from_fn(|error: &IllFormed| {
        asked.errors.push(error.offset());
        Action::Text(texts[asked.errors.len() % texts.len()])
    });
    let on_unmappable = from_fn_unmappable(|unmappable: &Unmappable| {
        asked.unmappable.push((unmappable.offset(), unmappable.code_point().value()));
        let ascii = ["?", "", "[none]"][asked.unmappable.len() % 3];
        Substitute::Text(Replacement::new(ascii).unwrap())
    });
    let mut t = Transcoder::new(from, to).on_error(on_error).on_unmappable(on_unmappable);
    let (mut out, mut start) = (Vec::new(), 0);
    let mut buffer = vec![0; room];
    for &end in cuts.iter().chain([&src.len()]) {
        let last = end == src.len();
        let mut piece = &src[start..end];
        start = end;
        loop {
            let p = t.convert(piece, &mut buffer, last);
            out.extend_from_slice(&buffer[..p.written]);
            piece = &piece[p.read..];
            match p.status {
                // The buffer was smaller than the promised minimum.
                Status::NeedOutput if p.read + p.written == 0 => buffer.resize(2 * buffer.len(), 0),
                Status::NeedOutput => {}
                Status::NeedInput if !last => break,
                Status::Done if last => break,
                status => panic!("{from} to {to}: {status:?}"),
            }
        }
        if last {
            break;
        }
    }
    let tally = t.tally();
    drop(t);
    (out, asked, [tally.replaced.count + tally.ignored.count, tally.unmappable.count])
}

#[test]
fn policies_are_asked_once_about_each_error() {
    in_parallel(PAIRS.len(), |i| {
        let (from, to) = PAIRS[i];
        for src in texts(from) {
            let about = || format!("{from} to {to}, {}", hex(&src));
            let (out, asked, counts) = converted(from, to, &src, &[], 4096);
            assert_eq!(asked.errors.len() as u64, counts[0], "{}", about());
            assert_eq!(asked.unmappable.len() as u64, counts[1], "{}", about());
            assert!(asked.errors.is_sorted_by(|a, b| a < b), "{}: {:?}", about(), asked.errors);
            let check = |cuts: &[usize], room| {
                let (again, also, _) = converted(from, to, &src, cuts, room);
                assert_eq!(again, out, "{}, cut at {cuts:?}, room for {room}", about());
                assert_eq!(also.errors, asked.errors, "{}, cut at {cuts:?}, room for {room}", about());
                assert_eq!(
                    also.unmappable,
                    asked.unmappable,
                    "{}, cut at {cuts:?}, room for {room}",
                    about()
                );
            };
            for room in [1, 5, 16, 33, 100] {
                check(&[], room);
            }
            if src.len() <= CUT_MAX_BYTES {
                for cut in 0..src.len() {
                    check(&[cut], 4096);
                    check(&[cut], 7);
                }
                let all: Vec<usize> = (0..src.len()).collect();
                check(&all, 4096);
                check(&all, 3);
            } else {
                check(&[src.len() / 3, src.len() / 2], 64);
            }
            // The same holds for whole texts and adapters.
            let mut count = 0;
            let counting = from_fn(|_: &IllFormed| {
                count += 1;
                Action::Text(Replacement::QUESTION)
            });
            let expected = from.decode_lossy(&src);
            if expected.encoding == from && from.decode(&src, counting).is_ok() {
                assert_eq!(count, asked.errors.len(), "{}", about());
            }
            let mut count = 0;
            let counting = from_fn(|_: &IllFormed| {
                count += 1;
                Action::Text(Replacement::QUESTION)
            });
            let t = Transcoder::new(from, to).on_error(counting).on_unmappable(UnmappablePolicy::Replace);
            let mut reader = Reader::with_capacity(5, Few { rest: &src, most: 3 }, t);
            reader.read_to_end(&mut Vec::new()).unwrap();
            drop(reader);
            assert_eq!(count, asked.errors.len(), "{}", about());
        }
    });
}

#[test]
fn long_texts_with_errors_ask_once_about_each() {
    // Texts are long enough for whole pieces of the hub, with errors near each other and far apart.
    for (from, bad, good) in [
        (Encoding::UTF_8, &b"\xFF"[..], "aé€"),
        (Encoding::UTF_16BE, b"\xDC\x00", "\0a\0\u{7f}"),
        (Encoding::SHIFT_JIS, b"\xFF", "ab"),
        (Encoding::US_ASCII, b"\x80", "ab"),
    ] {
        let mut src = Vec::new();
        for n in 0..600 {
            src.extend_from_slice(good.repeat([1, 3, 50, 1][n % 4] * [1, 40][n / 100 % 2]).as_bytes());
            src.extend_from_slice(bad);
        }
        for to in [
            Encoding::UTF_8,
            Encoding::UTF_16LE,
            Encoding::ISO_8859_1,
            Encoding::US_ASCII,
            Encoding::SHIFT_JIS,
        ] {
            let (out, asked, counts) = converted(from, to, &src, &[], 1 << 20);
            assert_eq!((asked.errors.len(), counts[0]), (600, 600), "{from} to {to}");
            assert_eq!(asked.unmappable.len() as u64, counts[1], "{from} to {to}");
            let (again, also, _) = converted(from, to, &src, &[1000, 1001, 9999], 777);
            assert!(
                again == out && also.errors == asked.errors && also.unmappable == asked.unmappable,
                "{from} to {to}"
            );
        }
    }
}

#[test]
fn max_errors_stops_at_the_next_one() {
    let src = b"a\xFFb\xFFc\xFFd\xFF".repeat(100);
    for max in [0, 1, 2, 10, 399] {
        for to in [Encoding::UTF_8, Encoding::UTF_16LE, Encoding::WINDOWS_1251] {
            let t = || Transcoder::new(Encoding::UTF_8, to).on_error(ErrorPolicy::Skip.max_errors(max));
            let e = t().transcode(&src).unwrap_err();
            assert_eq!(e.offset(), 2 * max + 1, "{to}");
            let mut reader = Reader::with_capacity(16, &src[..], t());
            let e = reader.read_to_end(&mut Vec::new()).unwrap_err().downcast::<ConvertError>().unwrap();
            assert_eq!((e.offset(), reader.tally().ignored.count), (2 * max + 1, max), "{to}");
        }
        assert_eq!(
            utf8::decode(&src, ErrorPolicy::Replace.max_errors(max)).unwrap_err().offset(),
            2 * max + 1
        );
    }
    assert!(utf8::decode(&src, ErrorPolicy::Replace.max_errors(400)).is_ok());
    // A policy that also decides about well-formed text continues to do so.
    let optu = |src: &[u8], max| utf8::decode(src, ErrorPolicy::Optu.max_errors(max)).map(Cow::into_owned);
    assert_eq!(
        optu("\u{EF80}\u{EF81}".as_bytes(), 9).unwrap(),
        utf8::decode("\u{EF80}\u{EF81}".as_bytes(), ErrorPolicy::Optu).unwrap()
    );
    assert!(optu("\u{EF80}\u{EF81}".as_bytes(), 5).is_err());
}

#[test]
fn policies_may_be_boxed_borrowed_and_owned() {
    let strict = false;
    let mut boxed: Box<dyn OnError> = if strict {
        Box::new(ErrorPolicy::Stop)
    } else {
        Box::new(from_fn(|_| Action::Text(Replacement::QUESTION)))
    };
    assert_eq!(utf8::decode(b"a\xFF", &mut boxed).unwrap(), "a?");
    assert_eq!(
        Transcoder::new(Encoding::UTF_8, Encoding::UTF_8).on_error(boxed).transcode(b"a\xFF").unwrap(),
        b"a?"
    );
    let boxed: Box<dyn OnUnmappable> = Box::new(UnmappablePolicy::XmlReference);
    assert_eq!(Encoding::US_ASCII.encode("é", boxed).unwrap(), &b"&#233;"[..]);
    // A policy that lives as long as the program can have a text from run time.
    fn policy(text: String) -> impl OnError + OnUnmappable + Send + 'static {
        ReplaceWith::new(text).unwrap()
    }
    assert_eq!(utf8::decode(b"a\xFF", policy("<?>".into())).unwrap(), "a<?>");
    assert_eq!(Encoding::US_ASCII.encode("é", policy("none".into())).unwrap(), &b"none"[..]);
    let long = "€".repeat(300);
    let t = Transcoder::new(Encoding::UTF_8, Encoding::UTF_8).on_error(policy(long.clone()));
    assert_eq!(t.transcode(b"\xFF").unwrap(), long.as_bytes());
}

#[test]
fn a_dropped_writer_closes_the_text() {
    let japanese = || Transcoder::new(Encoding::UTF_8, Encoding::ISO_2022_JP);
    let mut sink = Vec::new();
    let mut writer = Writer::new(&mut sink, japanese());
    writer.write_all("日".as_bytes()).unwrap();
    drop(writer);
    assert_eq!(sink, b"\x1B$BF|\x1B(B");
    // The policy decides about half a character.
    for (policy, end) in [
        (ErrorPolicy::Replace, &b"\xEF\xBF\xBD"[..]),
        (ErrorPolicy::HexEscape, b"\\xc3"),
        (ErrorPolicy::Stop, b""),
    ] {
        let mut sink = Vec::new();
        let mut writer =
            Writer::new(&mut sink, Transcoder::new(Encoding::UTF_8, Encoding::UTF_8).on_error(policy));
        writer.write_all(b"caf\xC3").unwrap();
        drop(writer);
        assert_eq!(sink, [b"caf", end].concat(), "{policy:?}");
    }
    // `finish` returns the error, and still closes the text.
    let mut sink = Vec::new();
    let mut writer = Writer::new(&mut sink, japanese());
    writer.write_all(b"\xE6\x97\xA5\xC3").unwrap();
    let e = writer.finish().unwrap_err();
    assert_eq!(e.downcast::<ConvertError>().unwrap().offset(), 3);
    assert_eq!(sink, b"\x1B$BF|\x1B(B");
    // `abandon` writes nothing more.
    let mut writer = Writer::new(Vec::new(), japanese());
    writer.write_all("日".as_bytes()).unwrap();
    assert_eq!(writer.abandon(), b"\x1B$BF|");
    // A failing sink is not tried for ever, and a drop during a panic of the sink does not write.
    let mut writer = Writer::new(Full, japanese());
    let _ = writer.write_all("日".as_bytes());
    drop(writer);
    let panicked = std::panic::catch_unwind(|| {
        let mut writer = Writer::new(Panicking, japanese());
        let _ = writer.write_all("日".as_bytes());
    });
    assert!(panicked.is_err());
}

struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Panicking;

impl Write for Panicking {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        panic!("a second panic would abort the test");
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn whole_texts_return_their_tally() {
    let t = || {
        Transcoder::new(Encoding::UTF_8, Encoding::US_ASCII)
            .on_error(ErrorPolicy::Replace)
            .on_unmappable(UnmappablePolicy::Replace)
    };
    let (out, tally) = t().counting().transcode_and_tally("a\u{E9}".as_bytes()).unwrap();
    assert_eq!((out.as_slice(), tally.decoded, tally.unmappable.count), (&b"a?"[..], Some(2), 1));
    let (_, tally) = t().transcode_and_tally(b"caf\xE9").unwrap();
    assert_eq!((tally.decoded, tally.replaced.count, tally.replaced.first), (None, 1, Some(3)));
    for len in [10, 100, 1000, 10_000] {
        let src = [&b"x".repeat(len)[..], b"\xFF\xFF"].concat();
        let (out, tally) = t().transcode_and_tally(&src).unwrap();
        assert_eq!((out.len(), tally.replaced.count, tally.replaced.first), (len + 2, 2, Some(len as u64)));
        assert_eq!(Encoding::UTF_8.decode_lossy(&src).errors, 2);
    }
}

#[test]
fn the_order_of_settings_does_not_matter() {
    let orders: [fn() -> Transcoder; 4] = [
        || Transcoder::new(Encoding::UTF_8, Encoding::UTF_16LE).counting().starting_at(100),
        || Transcoder::new(Encoding::UTF_8, Encoding::UTF_16LE).starting_at(100).counting(),
        || Transcoder::new(Encoding::UTF_8, Encoding::UTF_16LE).counting().starting_at(100),
        || {
            Transcoder::new(Encoding::UTF_8, Encoding::UTF_16LE)
                .starting_at(100)
                .counting()
                .on_error(ErrorPolicy::Stop)
        },
    ];
    for (n, t) in orders.into_iter().enumerate() {
        let mut t = t();
        let p = t.convert(b"abc\xFF", &mut [0; 64], true);
        let Status::IllFormed(e) = p.status else { panic!("{n}: {p:?}") };
        assert_eq!((e.offset(), t.tally().decoded), (103, Some(3)), "{n}");
    }
    let mut t = Transcoder::new(Encoding::UTF_8, Encoding::ISO_8859_1).leaving_rest();
    let p = t.convert(b"ab\xC3", &mut [0; 8], false);
    assert_eq!((p.read, p.status), (2, Status::NeedInput));
}

#[test]
fn a_byte_order_is_a_bound_that_suffices() {
    fn decoder<O: ByteOrder>() -> FormTranscoder<forms::Utf16<O>, forms::Utf8> {
        FormTranscoder::new()
    }
    fn text<O: ByteOrder>(units: &[O::Unit16]) -> Result<String, ConvertError> {
        placemat::convert::decode::<forms::Utf16<O>>(units, ErrorPolicy::Stop)
    }
    let mut out = [0; 8];
    let p = decoder::<placemat::Be>().convert(b"\x20\xAC", &mut out, true);
    assert_eq!(&out[..p.written], "€".as_bytes());
    assert_eq!(text::<placemat::Native>(&[0x20AC]).unwrap(), "€");
    assert!(text::<placemat::Le>(b"\x00\xD8").is_err());
}

#[test]
fn short_names_of_encodings() {
    assert_eq!(Encoding::UTF8, Encoding::UTF_8);
    assert_eq!(Encoding::LATIN1, Encoding::ISO_8859_1);
    assert_eq!(Encoding::ASCII, Encoding::US_ASCII);
}

/// Formats a chain of causes like `anyhow` does for `{:#}`.
fn chain(e: &dyn Error) -> String {
    let mut words = e.to_string();
    let mut next = e.source();
    while let Some(e) = next {
        words += &format!(": {e}");
        next = e.source();
    }
    words
}

#[test]
fn errors_say_each_thing_once_and_become_io_errors() {
    use placemat::edit::{Document, EditError};
    use placemat::repair::{Step, undo};
    use placemat::transfer::Transfer;

    fn check<E: Error + Copy + Into<io::Error> + Send + Sync + 'static>(e: E, kind: io::ErrorKind) {
        let words = e.to_string();
        assert_eq!(chain(&e), words);
        let e: io::Error = e.into();
        assert_eq!((e.kind(), e.to_string()), (kind, words.clone()));
        assert!(e.get_ref().is_some_and(|inner| inner.is::<E>()), "{words}");
    }
    let ill_formed = utf8::validate(b"caf\xE9!").unwrap_err();
    let unmappable = Encoding::US_ASCII.encode("é", UnmappablePolicy::Stop).unwrap_err();
    check(ill_formed, io::ErrorKind::InvalidData);
    check(unmappable, io::ErrorKind::InvalidData);
    check(ConvertError::from(ill_formed), io::ErrorKind::InvalidData);
    check(ConvertError::from(unmappable), io::ErrorKind::InvalidData);
    check("utf-9".parse::<Encoding>().unwrap_err(), io::ErrorKind::InvalidInput);
    check(Replacement::try_from(&*"x".repeat(2000)).unwrap_err(), io::ErrorKind::InvalidInput);
    check("nothing=such".parse::<placemat::policy::ByKind<'_>>().unwrap_err(), io::ErrorKind::InvalidInput);
    check(placemat::CodePoint::try_from(u32::MAX).unwrap_err(), io::ErrorKind::InvalidInput);
    check(Transfer::Percent.decode(b"%zz").unwrap_err(), io::ErrorKind::InvalidData);
    check("sideways".parse::<Step>().unwrap_err(), io::ErrorKind::InvalidInput);
    let mut document = Document::open(b"5", Encoding::US_ASCII).unwrap();
    check(document.replace(1..1, "€").unwrap_err(), io::ErrorKind::InvalidInput);
    check(EditError::Range, io::ErrorKind::InvalidInput);
    let change = placemat::repair::Change::new(Step::Bytes, (3, b"\xE9".to_vec()), (3, "é".into()));
    check(undo(b"cafe", Encoding::UTF_8, &[change]).unwrap_err(), io::ErrorKind::InvalidData);
}

#[test]
fn bytes_in_messages_look_like_bytes() {
    let e = utf8::validate(b"123456789\x98").unwrap_err();
    assert_eq!(e.to_string(), "unexpected continuation byte 0x98 at offset 9");
    assert_eq!(format!("{e:?}"), "IllFormed { UnexpectedContinuation, 0x98 at 9 }");
    let e = utf16::validate(&[0x41, 0xD83D, 0x41]).unwrap_err();
    assert_eq!(e.to_string(), "unpaired leading surrogate 0xd83d at offset 1");
    let e = placemat::transfer::Transfer::Percent.decode(b"100%2").unwrap_err();
    assert_eq!(e.to_string(), "incomplete sequence 0x25 0x32 at offset 3");
}

#[test]
fn a_validator_agrees_with_whole_texts() {
    use placemat::utf8::Validator;
    assert!(size_of::<Validator>() <= 32);
    for src in texts(Encoding::UTF_8) {
        // The errors of the whole text, in order.
        let mut expected = Vec::new();
        let mut at = 0;
        while let Err(e) = utf8::validate(&src[at..]) {
            expected.push((at as u64 + e.offset(), e.code(), e.len(), e.bytes().to_vec()));
            at += e.valid_up_to() + e.len();
        }
        for most in 1..=5 {
            let mut found = Vec::new();
            let mut validator = Validator::new();
            let mut note = |e: IllFormed| found.push((e.offset(), e.code(), e.len(), e.bytes().to_vec()));
            for mut piece in src.chunks(most) {
                loop {
                    let before = validator.offset();
                    let Err(e) = validator.push(piece) else { break };
                    note(e);
                    piece = &piece[(validator.offset() - before) as usize..];
                }
            }
            assert_eq!(validator.offset(), src.len() as u64);
            if let Err(e) = validator.finish() {
                note(e);
            }
            assert_eq!(found, expected, "{}, {most} at a time", hex(&src));
        }
    }
}

#[test]
fn columns_of_utf16_lead_back_to_bytes() {
    let line = "a😀é日\u{10FFFF}\u{FFFD}!";
    for (at, c) in line.char_indices().chain([(line.len(), '\0')]) {
        let column = line[..at].encode_utf16().count();
        assert_eq!(utf16::byte_to_column(line, at), column);
        assert_eq!(utf16::column_to_byte(line, column), at);
        for within in 1..c.len_utf8() {
            assert_eq!(utf16::byte_to_column(line, at + within), column);
        }
        if c.len_utf16() == 2 {
            assert_eq!(utf16::column_to_byte(line, column + 1), at);
        }
    }
    assert_eq!(utf16::column_to_byte(line, usize::MAX), line.len());
    assert_eq!(utf16::byte_to_column(line, usize::MAX), line.encode_utf16().count());
    let units: Vec<u16> = line.encode_utf16().collect();
    for max in 0..units.len() + 2 {
        let cut = utf16::truncate(&units, max);
        assert!(cut.len() <= max && utf16::validate(cut).is_ok());
        assert!(
            cut.len() == units.len().min(max)
                || units.get(max).is_some_and(|unit| (0xDC00..0xE000).contains(unit))
        );
    }
    assert_eq!(utf8::truncate_str(line, 3), "a");
    assert_eq!(utf8::floor_boundary(line.as_bytes(), 3), 1);
}

#[test]
fn detection_and_repair_are_functions_of_the_root() {
    let found: placemat::detect::Detection = placemat::detect("naïve".as_bytes());
    assert_eq!((found.encoding, found.is_prefix), (Some(Encoding::UTF_8), false));
    let repaired: placemat::repair::Repaired = placemat::repair("cafÃ©");
    assert_eq!(repaired.text, "café");
    let owned: Vec<u8> = b"caf\xE9s d\xE9j\xE0 vus".to_vec();
    assert_eq!(placemat::repair(owned).text, "cafés déjà vus");
}

#[test]
fn detection_of_a_prefix_says_so_and_trusts_it_no_further() {
    use placemat::detect::{Basis, Detector, Verdict};
    let of = |src: &[u8]| {
        let mut detector = Detector::new();
        detector.feed(src);
        detector.finish_prefix()
    };
    // The sample is ASCII so far: the text after it is read as UTF-8 and not lost.
    let table = "id;name\n1;Anna\n2;Rene\n3;\u{E9}mile\n";
    let found = of(&table.as_bytes()[..20]);
    assert_eq!((found.encoding, found.basis, found.is_prefix), (Some(Encoding::UTF_8), Basis::Ascii, true));
    assert!(found.same_text().eq([Encoding::US_ASCII]));
    assert!(found.to_string().contains("prefix"), "{found}");
    assert_eq!(found.encoding.unwrap().decode_lossy(table.as_bytes()).errors, 0);
    // A truncated character is not damage, wherever the text ends.
    for end in 27..=table.len() {
        let found = of(&table.as_bytes()[..end]);
        assert_eq!((found.encoding, found.damage), (Some(Encoding::UTF_8), None), "{end}");
    }
    let wide: Vec<u8> = "first line\nsecond line".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for end in 22..=wide.len() {
        assert_eq!(of(&wide[..end]).encoding, Some(Encoding::UTF_16LE), "{end}");
    }
    assert_eq!(of(b"").verdict, Verdict::Empty);
    assert!(!placemat::detect(b"id;name\n").is_prefix);
}

#[test]
fn detection_names_the_encodings_that_read_the_text_the_same() {
    let found = placemat::detect(b"Le caf\xE9 est \xE0 la fen\xEAtre, d\xE9j\xE0 tr\xE8s chaud");
    let same: Vec<Encoding> = found.same_text().collect();
    let text = |encoding: Encoding| encoding.decode_lossy(b"caf\xE9 \xE0 \xEA \xE8").text.into_owned();
    assert!(same.contains(&Encoding::ISO_8859_1), "{same:?}");
    for other in same {
        assert_eq!(text(other), text(found.encoding.unwrap()), "{other}");
    }
    assert!(found.to_string().contains("or reads the same"), "{found}");
    assert_eq!(placemat::detect("naïve".as_bytes()).to_string(), "UTF-8");
}
