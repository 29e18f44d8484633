//! Policies that decide about well-formed code points, as those of the converter and of iconv do. Kernels, tables and
//! the loops of single encodings must leave these code points to the policy, and all must be counted if the caller
//! wants a count.

use crate::subject::{in_parallel, is_single_byte};
use placemat::internals::{Engine, Hints, Patch, Substitutes, Watch};
use placemat::policy::{Action, Substitute};
use placemat::stream::Transcoder;
use placemat::{
    CodePoint, Encoding, ErrorPolicy, IllFormed, OnError, OnUnmappable, Replacement, Unmappable,
    UnmappablePolicy,
};

/// Stops at one character when it is read, and writes another text in its place when it is written.
#[derive(Clone, Copy)]
struct Instead {
    of: char,
    text: Replacement<'static>,
}

impl Watch for Instead {
    fn has(&self, c: CodePoint) -> bool {
        c.to_char() == Some(self.of)
    }
    fn may_be_in(&self, text: &[u8]) -> bool {
        let mut bytes = [0; 4];
        let bytes = self.of.encode_utf8(&mut bytes).as_bytes();
        text.windows(bytes.len()).any(|window| window == bytes)
    }
}

impl OnError for Instead {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        assert_eq!(error.code(), "undefined", "the text is well-formed");
        Action::Stop
    }
    fn hints(&self, _: Engine) -> Hints<'_, Patch> {
        Hints { watch: Some(self), repeats: true, ..Hints::NONE }
    }
}

impl OnUnmappable for Instead {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        assert!(self.has(unmappable.code_point()), "the target has all of the text");
        Substitute::Text(self.text)
    }
    fn hints(&self, _: Engine) -> Hints<'_, Substitutes> {
        Hints { watch: Some(self), repeats: true, ..Hints::NONE }
    }
}

/// Returns the first letters of several scripts that the encoding writes and reads, each by itself.
fn letters(encoding: Encoding) -> Vec<char> {
    let is_held = |c: &char| {
        let text = c.to_string();
        let bytes = encoding.encode(&text, UnmappablePolicy::Stop);
        bytes.is_ok_and(|bytes| encoding.decode(&bytes, ErrorPolicy::Stop).is_ok_and(|read| *read == text))
    };
    "a Ωж日가אبกé€😀".chars().filter(is_held).collect()
}

/// Pairs of each encoding with the Unicode forms, in both directions, with a text that is short and one for which the
/// engine makes tables. Calls `check` with the encodings, the text and its last letter.
fn with_each_pair(check: impl Fn(Encoding, Encoding, &str, Instead) + Sync) {
    let forms =
        [Encoding::UTF_16LE, Encoding::UTF_16BE, Encoding::UTF_32LE, Encoding::UTF_32BE, Encoding::UTF_8];
    let all = Encoding::ALL;
    in_parallel(all.len(), |i| {
        let letters = letters(all[i]);
        let (Some(&first), Some(&last)) = (letters.first(), letters.last()) else { return };
        let instead =
            Instead { of: last, text: Replacement::new(if first == ' ' { " " } else { "a" }).unwrap() };
        for (n, form) in forms.into_iter().enumerate() {
            // Encodings of one table each have the same code.
            if is_single_byte(all[i]) && n != i % forms.len() {
                continue;
            }
            for count in [3, 1300] {
                // The watched letter comes late, and then often.
                let mut text: String = letters[..letters.len() - 1].iter().cycle().take(count).collect();
                text.extend(letters.iter().cycle().take(count).chain([&last]));
                check(all[i], form, &text, instead);
                check(form, all[i], &text, instead);
            }
        }
    });
}

#[test]
fn a_watched_code_point_is_left_to_the_policy_by_every_pair() {
    with_each_pair(|from, to, text, instead| {
        let src = from.encode(text, UnmappablePolicy::Stop).unwrap();
        let other = text.replace(instead.of, instead.text.text());
        let expected = to.encode(&other, UnmappablePolicy::Stop).unwrap();
        let which = || format!("{from} to {to}: {:?} and more", text.chars().take(12).collect::<String>());
        let machine = || Transcoder::new(from, to);
        let stopped = machine().on_error(instead).transcode(&src).map(|out| out.len()).map_err(|e| e.code());
        assert_eq!(stopped, Err("undefined"), "{}", which());
        // For targets without ASCII bytes, a policy decides only about what they lack.
        if to.takes_escapes() {
            let written = machine().on_unmappable(instead).transcode(&src).unwrap();
            assert!(written == *expected, "{}", which());
        }
    });
}

#[test]
fn each_code_point_is_counted_by_every_pair() {
    with_each_pair(|from, to, text, _| {
        let src = from.encode(text, UnmappablePolicy::Stop).unwrap();
        let (out, tally) = Transcoder::new(from, to).counting().transcode_and_tally(&src).unwrap();
        assert!(out == *to.encode(text, UnmappablePolicy::Stop).unwrap(), "{from} to {to}");
        assert_eq!(tally.decoded, Some(text.chars().count() as u64), "{from} to {to}");
    });
}
