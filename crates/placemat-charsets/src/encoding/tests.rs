//! The engine beside its single steps, for every encoding.

use super::Encoding;
use placemat_core::engine::at_once::{MAX_PLAIN_BYTES, at_once};
use placemat_core::engine::collect::collect_after;
use placemat_core::engine::hub::Mode;
use placemat_core::engine::{Extent, Status, any};
use placemat_core::kernels::Moved;
use placemat_core::kernels::portable::samples::Numbers;
use placemat_core::policy::{Action, Substitute};
use placemat_core::{ErrorPolicy, IllFormed, OnError, OnUnmappable, Unmappable, UnmappablePolicy};

/// A policy that always stops.
struct Stop;

impl OnError for Stop {
    fn handle(&mut self, _: &IllFormed) -> Action<'_> {
        Action::Stop
    }
}

impl OnUnmappable for Stop {
    fn handle(&mut self, _: &Unmappable) -> Substitute<'_> {
        Substitute::Stop
    }
}

/// Returns the text by single steps, if it is right and the target has all of it.
fn by_steps(from: Encoding, to: Encoding, src: &[u8]) -> Option<Vec<u8>> {
    let (mut reads, mut writes) =
        (any::From::new(from.descriptor(), Mode::Utf8), any::To::new(Mode::Utf8, to.descriptor()));
    // Counting makes the engine look at the whole text.
    reads.tally_mut().decoded = Some(0);
    writes.tally_mut().decoded = Some(0);
    let (mut text, mut out) = ([0; 100], [0; 200]);
    let p = reads.run(src, &mut text, true, Extent::All, &mut Stop, &mut Stop);
    let q = writes.run(&text[..p.written], &mut out, true, Extent::All, &mut Stop, &mut Stop);
    (p.status == Status::Done && q.status == Status::Done).then(|| out[..q.written].to_vec())
}

#[test]
fn a_few_bytes_are_converted_as_by_steps() {
    let mut numbers = Numbers::new(11);
    let letters: Vec<char> = "aZ \\~é߀д“ｱ日本漢字한😀\u{E5E5}\0".chars().collect();
    let mut check = |from: Encoding, to: Encoding, rounds: usize| {
        let mut whole = 0;
        for round in 0..rounds {
            let len = numbers.below(MAX_PLAIN_BYTES + 1);
            let mut src = Vec::new();
            while src.len() < len {
                if from != Encoding::UTF_8 {
                    let high = if numbers.below(3) > 0 { numbers.below(0x100) } else { numbers.below(0x80) };
                    src.push(high.to_le_bytes()[0]);
                } else if round % 9 == 8 && numbers.below(5) == 0 {
                    src.push(numbers.below(0x100).to_le_bytes()[0]);
                } else {
                    let c = letters[numbers.below(if round % 3 == 0 { 3 } else { letters.len() })];
                    src.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
            src.truncate(MAX_PLAIN_BYTES);
            let room = if round % 3 == 0 { numbers.below(40) } else { 80 };
            let mut dst = vec![0xEE; room];
            let Moved { read, written } = at_once(from.bulk(), to.bulk(), &src, &mut dst);
            if read == 0 {
                continue;
            }
            let expected = by_steps(from, to, &src[..read]);
            let name = (from.name(), to.name());
            assert_eq!(expected.as_deref(), Some(&dst[..written]), "{name:?} {src:X?} {read} {room}");
            whole += usize::from(read == src.len());
        }
        whole
    };
    for &encoding in Encoding::ALL {
        check(encoding, Encoding::UTF_8, 400);
        check(Encoding::UTF_8, encoding, 400);
    }
    // Smaller builds do not have all of these.
    if !cfg!(all(feature = "single-byte", feature = "cjk", feature = "cjk-extra")) {
        return;
    }
    for name in ["windows-1252", "KOI8-R", "IBM037", "Shift_JIS", "EUC-JP", "GB18030", "replacement", "JOHAB"]
    {
        let from = Encoding::for_label(name).expect("an encoding");
        for &to in Encoding::ALL {
            check(from, to, 40);
            check(to, from, 40);
        }
    }
    // Once the tables are there, text that is right is converted whole.
    for (from, to, least) in [("windows-1252", "utf-8", 40), ("utf-8", "gb18030", 40), ("gbk", "utf-8", 1)] {
        let of = |name| Encoding::for_label(name).expect("an encoding");
        assert!(check(of(from), of(to), 100) >= least, "{from} {to}");
    }
}

/// A policy without hints, so that the engine asks it about each code point.
struct Asked(UnmappablePolicy<'static>);

impl OnUnmappable for Asked {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        self.0.handle(unmappable)
    }
    fn longest(&self) -> usize {
        self.0.longest()
    }
}

#[test]
fn references_are_for_what_an_encoding_lacks_and_nothing_else() {
    let letters: Vec<char> = "aZ \\~é߀д“ｱ日本漢字한😀\u{E5E5}か\u{309A}Ê\u{304}".chars().collect();
    let mut numbers = Numbers::new(12);
    // In the first round some tables do not exist yet, and come to exist at any call.
    for _ in 0..20 {
        for &encoding in Encoding::ALL {
            let len = [3, 12, 40, 400][numbers.below(4)];
            let often = if numbers.below(2) == 0 { 3 } else { letters.len() };
            let text: String = (0..len)
                .map(|_| {
                    let some = if numbers.below(8) == 0 { letters.len() } else { often };
                    letters[numbers.below(some)]
                })
                .collect();
            let policy = UnmappablePolicy::XmlReference;
            let mut driver = any::To::new(Mode::Utf8, encoding.descriptor());
            driver.begin(0, false);
            let (mut replace, mut on_unmappable) = (ErrorPolicy::Replace, Asked(policy));
            let by_steps = collect_after(Vec::new(), text.as_bytes(), |src, dst| {
                driver.run(src, dst, true, Extent::All, &mut replace, &mut on_unmappable)
            });
            assert_eq!(
                encoding.encode(&text, policy).ok().as_deref(),
                by_steps.ok().as_deref(),
                "{encoding:?} {text}"
            );
        }
    }
}

#[test]
fn numbers_are_in_the_order_of_the_list() {
    assert!(Encoding::ALL.is_sorted_by(|a, b| a < b));
    assert_eq!(*Encoding::UTF_8.descriptor(), any::UTF_8);
}
