//! Laws on random inputs. Conversions of mutated text and of noise, divided anywhere, with any
//! buffer size, between any two encodings, under any policies, equal those of the oracle; and
//! general laws hold for any text.

use crate::oracle::{self, Conversion, Form, Policy, Span, Unmappable};
use crate::samples::{BEYOND, BORDERS, SURROGATES};
use crate::subject::{
    Native, Plan, Ucs4, Utf8, Utf16, Utf32, any_machine, check, checker, drive, encodings, expected, form,
    in_oracle, policies, static_machine, thorough,
};
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy, OnError, UnmappablePolicy, convert, length, utf8, utf16};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Yields code points, difficult ones often.
fn code_point() -> impl Strategy<Value = u32> {
    prop_oneof![
        4 => 0x20..0x7F_u32,
        2 => select(&BORDERS[..]),
        1 => select(&SURROGATES[..]),
        1 => select(&BEYOND[..]),
        1 => 0x80..0x800_u32,
        1 => 0x800..0x1_0000_u32,
        1 => 0x1_0000..0x11_0000_u32,
    ]
}

/// Yields bytes of an encoding: text with a few bytes changed, lost or doubled; or noise.
fn bytes(encoding: Encoding) -> impl Strategy<Value = Vec<u8>> {
    let text = vec(code_point(), 0..120)
        .prop_map(move |text| oracle::encode(form(encoding), &text, Unmappable::Ignore).bytes);
    let mutated =
        (text, vec((any::<Index>(), any::<u8>(), 0..3_u8), 0..6)).prop_map(|(mut bytes, changes)| {
            for (at, byte, change) in changes {
                if bytes.is_empty() {
                    break;
                }
                let at = at.index(bytes.len());
                match change {
                    0 => bytes[at] = byte,
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, byte),
                }
            }
            bytes
        });
    let noise =
        vec(prop_oneof![any::<u8>(), 0x80..=0xFF_u8, select(vec![0, 0x41, 0xD8, 0xDC, 0xFF])], 0..200);
    prop_oneof![4 => mutated, 1 => noise]
}

fn encoding() -> impl Strategy<Value = Encoding> {
    // UTF-8 is as frequent as all other encodings together.
    prop_oneof![4 => Just(Encoding::UTF_8), 4 => select(encodings()), 1 => select(in_oracle())]
}

fn plan() -> impl Strategy<Value = (Vec<Index>, Option<usize>, bool)> {
    (vec(any::<Index>(), 0..8), prop_oneof![Just(None), (0..40_usize).prop_map(Some)], any::<bool>())
}

fn cut((cuts, room, empty_pieces): &(Vec<Index>, Option<usize>, bool), len: usize) -> Plan {
    let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(len + 1)).collect();
    cuts.sort_unstable();
    Plan { cuts, room: *room, empty_pieces: *empty_pieces }
}

fn cases(cases: u32) -> ProptestConfig {
    // Failures should become vectors, not files beside the tests.
    let cases = if thorough() { cases } else { cases / 16 };
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(40_000))]

    #[test]
    fn any_conversion(
        (from, src) in encoding().prop_flat_map(|from| (Just(from), bytes(from))),
        to in encoding(),
        which in any::<Index>(),
        plan in plan(),
        counting in any::<bool>(),
    ) {
        let all = policies(form(from), form(to));
        let policies = all[which.index(all.len())];
        let (policy, span, unmappable) = policies;
        let expected = Conversion { from: form(from), span, policy, to: form(to), unmappable }.run(&src);
        let mut machine = any_machine(from, to, policies);
        if counting {
            machine = machine.counting();
        }
        check(&|| format!("{from} to {to}, {policies:?}"), &machine, &src, &cut(&plan, src.len()), &expected);
    }

    #[test]
    fn any_utf8(src in bytes(Encoding::UTF_8), which in any::<Index>(), plan in plan()) {
        let all = policies(Form::Utf8, Form::Utf8);
        let policies = all[which.index(all.len())];
        let plan = cut(&plan, src.len());
        let (policy, span, unmappable) = policies;
        let what = || format!("UTF-8, {policies:?}");
        check(&what, &static_machine::<Utf8, Utf8>(policy, span, unmappable), &src, &plan,
            &expected::<Utf8, Utf8>(&src, policies));
        check(&what, &static_machine::<Utf8, Utf16<Native>>(policy, span, unmappable), &src, &plan,
            &expected::<Utf8, Utf16<Native>>(&src, policies));
        check(&what, &static_machine::<Utf8, Utf32<Native>>(policy, span, unmappable), &src, &plan,
            &expected::<Utf8, Utf32<Native>>(&src, policies));
    }

    #[test]
    fn any_units(src in vec(prop_oneof![any::<u16>(), 0xD7F0..0xE010_u16, 0x20..0x7F_u16], 0..150),
                 which in any::<Index>(), plan in plan()) {
        let all = policies(Form::Utf16(oracle::Order::Big), Form::Utf8);
        let policies = all[which.index(all.len())];
        let (policy, span, unmappable) = policies;
        let machine = static_machine::<Utf16<Native>, Utf8>(policy, span, unmappable);
        let expected = expected::<Utf16<Native>, Utf8>(&src, policies);
        check(&|| format!("UTF-16 units, {policies:?}"), &machine, &src, &cut(&plan, src.len()), &expected);
    }

    /// Text converts to any encoding that can represent it, and back.
    #[test]
    fn round_trip(text in any::<String>(), to in encoding()) {
        let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
        let there = Transcoder::new(Encoding::UTF_8, to).on_error(d).on_unmappable(u).transcode(text.as_bytes());
        match there {
            Ok(bytes) => {
                let back = Transcoder::new(to, Encoding::UTF_8).on_error(d).on_unmappable(u).transcode(&bytes);
                prop_assert_eq!(back.as_deref(), Ok(text.as_bytes()));
            }
            Err(e) => {
                let at = usize::try_from(e.offset()).expect("a short text");
                let c = text[at..].chars().next().expect("it is in the text");
                prop_assert!(oracle::holds(form(to), c.into()).is_err(), "{} in {}", c, to);
            }
        }
    }

    /// Bytes that are not text survive as escapes, in any division.
    #[test]
    fn escapes_survive(src in bytes(Encoding::UTF_8)) {
        for (there, back) in [
            (ErrorPolicy::SurrogateEscape, UnmappablePolicy::SurrogateEscape),
            (ErrorPolicy::Optu, UnmappablePolicy::Optu),
        ] {
            let text = convert::transcode::<Utf8, Ucs4<Native>>(&src, there, UnmappablePolicy::Stop);
            let text = text.expect("every byte has an escape");
            let again = convert::transcode::<Ucs4<Native>, Utf8>(&text, ErrorPolicy::Stop, back);
            prop_assert_eq!(again.as_deref(), Ok(&src[..]));
        }
    }

    /// The output of checked escapes reads back as the same text.
    #[test]
    fn checked_escapes_forge_nothing(text in vec(prop_oneof![0x20..0x7F_u32, 0xDC80..0xDD00_u32, 0xEF80..0xF000_u32,
                                                             0x80..0xD800_u32], 0..12)) {
        for (there, back) in [
            (ErrorPolicy::SurrogateEscape, UnmappablePolicy::SurrogateEscape),
            (ErrorPolicy::Optu, UnmappablePolicy::Optu),
        ] {
            let bytes = convert::transcode::<Ucs4<Native>, Utf8>(&text, ErrorPolicy::Stop, back);
            if let Ok(bytes) = bytes {
                let again = convert::transcode::<Utf8, Ucs4<Native>>(&bytes, there, UnmappablePolicy::Stop);
                prop_assert_eq!(again.as_deref(), Ok(&text[..]));
            }
        }
    }

    /// Checked escapes are also safe if the start of the text after them could complete an incomplete sequence.
    #[test]
    fn checked_escapes_forge_nothing_with_what_follows(text in vec(prop_oneof![0x20..0x7F_u32, 0xDC80..0xDD00_u32,
                                                                               0x3041..0x3094_u32], 0..12)) {
        let src: Vec<u8> = text.iter().flat_map(|c| c.to_le_bytes()).collect();
        for label in ["fss-utf-1992", "euc-jp", "euc-tw", "euc-jis-2004"] {
            let Some(to) = Encoding::for_label(label) else { continue };
            let (stop, back) = (ErrorPolicy::Stop, UnmappablePolicy::SurrogateEscape);
            if let Ok(bytes) = Transcoder::new(Encoding::UCS_4LE, to).on_error(stop).on_unmappable(back).transcode(&src) {
                let (there, stop) = (ErrorPolicy::SurrogateEscape, UnmappablePolicy::Stop);
                let again = Transcoder::new(to, Encoding::UCS_4LE).on_error(there).on_unmappable(stop).transcode(&bytes);
                prop_assert_eq!(again.as_deref(), Ok(&src[..]), "{}: {:02x?}", label, bytes);
            }
        }
    }

    /// The code points of two joined texts are those of the first text and then those of the
    /// second, if the first is complete.
    #[test]
    fn concatenation(a in any::<String>(), b in bytes(Encoding::UTF_8)) {
        let whole = [a.as_bytes(), &b].concat();
        for span in [placemat::Span::Maximal, placemat::Span::Unit, placemat::Span::Structural, placemat::Span::Lead] {
            let policy = || ErrorPolicy::Replace.spanning(span);
            let (tail, all) = (utf8::decode(&b, policy()), utf8::decode(&whole, policy()));
            let (tail, all) = (tail.expect("no policy stops"), all.expect("no policy stops"));
            prop_assert_eq!(all.strip_prefix(&a), Some(&*tail));
        }
    }

    /// The length functions give the lengths of the conversions.
    #[test]
    fn lengths_agree(text in any::<String>()) {
        let bytes = text.as_bytes();
        let units = convert::encode::<Utf16<Native>>(&text, UnmappablePolicy::Stop).expect("all is mappable");
        let values = convert::encode::<Utf32<Native>>(&text, UnmappablePolicy::Stop).expect("all is mappable");
        prop_assert_eq!(length::utf16_from_utf8(bytes), units.len());
        prop_assert_eq!(length::utf32_from_utf8(bytes), values.len());
        prop_assert_eq!(length::utf8_from_utf16(&units), bytes.len());
        prop_assert_eq!(length::utf32_from_utf16(&units), values.len());
        prop_assert_eq!(length::utf8_from_utf32(&values), bytes.len());
        prop_assert_eq!(length::utf16_from_utf32(&values), units.len());
        prop_assert_eq!(utf8::count_code_points(bytes), values.len());
        prop_assert_eq!(utf16::well_formed_up_to(&units), units.len());
    }

    /// Errors follow each other, lie within the text, and have only well-formed text between them.
    #[test]
    fn errors_are_in_order((from, src) in encoding().prop_flat_map(|from| (Just(from), bytes(from))),
                           span in select(&Span::ALL[..])) {
        let found = drive(&mut checker(from, Policy::Stop, span), &src, &Plan::room(0)).troubles;
        let mut end = 0;
        for (status, _) in found {
            let placemat::stream::Status::IllFormed(e) = status else { panic!("{status:?}") };
            prop_assert!(e.offset() >= end && !e.bytes().is_empty());
            prop_assert_eq!(e.bytes(), &src[e.valid_up_to()..][..e.bytes().len()]);
            end = e.offset() + e.len() as u64;
            prop_assert!(end <= src.len() as u64);
        }
    }

    /// Order without decoding equals order after decoding.
    #[test]
    fn order_agrees(a in any::<String>(), b in any::<String>(), common in any::<String>()) {
        let (a, b) = (format!("{common}{a}"), format!("{common}{b}"));
        let (a16, b16): (Vec<u16>, Vec<u16>) = (a.encode_utf16().collect(), b.encode_utf16().collect());
        prop_assert_eq!(utf8::compare_code_points(a.as_bytes(), b.as_bytes()), a.cmp(&b));
        prop_assert_eq!(utf8::compare_utf16_order(a.as_bytes(), b.as_bytes()), a16.cmp(&b16));
        prop_assert_eq!(utf16::compare_code_points(&a16, &b16), a.cmp(&b));
    }
}
