//! The law of streaming: any division of the input and any size of output buffer give the result of
//! one call, which equals that of the oracle: the output, the errors with their absolute offsets
//! and their positions in the output, and the counts. This is tested for transcoders chosen at
//! compile time, for those chosen at run time, and for the checker.

use crate::oracle::{Conversion, Form, Order, Unmappable};
use crate::samples::{samples, whole_units};
use crate::subject::{
    Native, Pair, Plan, Tested, Ucs4, Unit, Utf8, Utf16, any_machine, check_all, checker, each_form,
    encodings, form, in_parallel, in_turn, policies, thorough,
};
use placemat::Encoding;

/// Yields one cut at each offset, alternately with an empty piece between; and unit by unit.
fn cuts(len: usize) -> impl Iterator<Item = Plan> {
    let one = (0..=len).map(|at| Plan { cuts: vec![at], room: None, empty_pieces: at % 2 == 1 });
    let each = Plan { cuts: (1..len).collect(), room: None, empty_pieces: false };
    let each_and_empty = Plan { cuts: (1..len).collect(), room: None, empty_pieces: true };
    one.chain([each, each_and_empty])
}

/// Returns plans for the whole text, for one cut at every offset, and for small buffers; `least` is
/// always enough.
fn every_plan(least: usize, len: usize) -> Vec<Plan> {
    let mut plans = vec![Plan::whole()];
    plans.extend(cuts(len));
    plans.extend((least..=least + 8).map(Plan::room));
    // Buffers below the minimum are allowed.
    plans.extend([0, 1, 2, 3, 5].map(Plan::room));
    plans.push(Plan { cuts: (1..len).collect(), room: Some(1), empty_pieces: true });
    plans
}

/// Two cuts for every pair of places, alternately with empty pieces.
fn two_cuts(len: usize) -> impl Iterator<Item = Plan> {
    (0..=len).flat_map(move |first| {
        (first..=len).map(move |second| Plan {
            cuts: vec![first, second],
            room: None,
            empty_pieces: (first + second) % 2 == 1,
        })
    })
}

/// Every sample with every policy and every plan.
fn pair<S: Unit, D: Unit>(pair: &Pair<S, D>) {
    let texts: Vec<_> = whole_units(pair.from, S::WIDTH).iter().map(|bytes| S::from_bytes(bytes)).collect();
    in_parallel(texts.len(), |i| {
        let src = &texts[i];
        for (round, policies) in policies(pair.from, pair.to).into_iter().enumerate() {
            if !in_turn(round + i, 7) {
                continue;
            }
            let (policy, span, unmappable) = policies;
            let expected = pair.expected(src, policies);
            let machine = &*(pair.machine)(policy, span, unmappable, round % 2 == 1);
            let what = || format!("{}, {policies:?}", pair.name);
            // All plans for some pairs of policies, a few for the rest: each policy meets all plans on some sample.
            let plans = every_plan(machine.min_output(), src.len());
            let thorough = (round + i) % 8 == 0;
            let some = plans.into_iter().enumerate().filter(|(n, _)| thorough || (n + round) % 16 == 0);
            check_all(&what, machine, src, &mut some.map(|(_, plan)| plan), &expected);
            if src.len() <= 10 && thorough {
                check_all(&what, machine, src, &mut two_cuts(src.len()), &expected);
            }
        }
    });
}

fn to_utf8<F: Tested>() {
    pair(&Pair::of::<F, Utf8>());
}
fn from_utf8<T: Tested>() {
    pair(&Pair::of::<Utf8, T>());
}
fn to_utf16<F: Tested>() {
    pair(&Pair::of::<F, Utf16<Native>>());
}
fn from_ucs4<T: Tested>() {
    pair(&Pair::of::<Ucs4<Native>, T>());
}

#[test]
fn every_form_to_utf8() {
    each_form!(to_utf8);
}

#[test]
fn utf8_to_every_form() {
    each_form!(from_utf8);
}

#[test]
fn every_form_to_utf16_units() {
    each_form!(to_utf16);
}

#[test]
fn ucs4_units_to_every_form() {
    each_form!(from_ucs4);
}

/// All pairs of encodings chosen at run time; most go through the hub.
#[test]
fn every_encoding_to_every_encoding() {
    let all = encodings();
    let pairs: Vec<_> = all.iter().flat_map(|&from| all.iter().map(move |&to| (from, to))).collect();
    assert!(pairs.len() >= 35 * 35, "{} pairs", pairs.len());
    in_parallel(pairs.len(), |i| {
        let (from, to) = pairs[i];
        for (n, src) in samples(form(from)).iter().enumerate() {
            for (round, policies) in policies(form(from), form(to)).into_iter().enumerate() {
                if (round + n + i) % 3 != 0 || !in_turn(round + n + i, 56) {
                    continue;
                }
                let (policy, span, unmappable) = policies;
                let conversion = Conversion { from: form(from), span, policy, to: form(to), unmappable };
                let expected = conversion.run(src);
                let mut machine = any_machine(from, to, policies);
                if round % 2 == 1 {
                    machine = machine.counting();
                }
                let what = || format!("{from} to {to}, {policies:?}");
                let plans = every_plan(machine.min_output(), src.len());
                let thorough = (round + n + i) % 120 == 0;
                let some = plans.into_iter().enumerate().filter(|(k, _)| thorough || (k + n) % 24 == 0);
                check_all(&what, &machine, src, &mut some.map(|(_, plan)| plan), &expected);
            }
        }
    });
}

/// Texts longer than the pieces of the hub, with errors on both sides of the boundaries between
/// pieces.
#[test]
fn long_texts_by_way_of_the_hub() {
    let pairs = [
        (Encoding::UTF_16LE, Encoding::ISO_8859_1),
        (Encoding::UTF_16, Encoding::UTF_32BE),
        (Encoding::UTF_32BE, Encoding::UTF_16LE),
        (Encoding::UCS_4LE, Encoding::UTF_8_BOM),
        (Encoding::UTF_8_BOM, Encoding::UTF_16BE),
        (Encoding::ISO_8859_1, Encoding::US_ASCII),
        (Encoding::UTF_8, Encoding::UTF_16LE),
        (Encoding::UTF_16BE, Encoding::UTF_8),
        (Encoding::WINDOWS_874, Encoding::X_MAC_THAI),
        (Encoding::IBM1047, Encoding::UTF_16LE),
        (Encoding::UTF_32BE, Encoding::KOI8_R),
        (Encoding::UTF_16LE, Encoding::WTF_8),
        (Encoding::WTF_8, Encoding::UTF_16BE),
        (Encoding::CESU_8, Encoding::MODIFIED_UTF_8),
        (Encoding::MODIFIED_UTF_8, Encoding::CESU_8),
        (Encoding::UTF_1, Encoding::UTF_8_31_BIT),
    ];
    in_parallel(pairs.len(), |i| {
        let (from, to) = pairs[i];
        let nasty = samples(form(from)).concat();
        for shift in 0..4 {
            let mut src = Vec::new();
            for stretch in [60 + shift, 4_090, 100, 4_096 - shift, 9_000] {
                src.extend(b"plain ".iter().cycle().take(stretch));
                src.extend(&nasty);
            }
            for policies in policies(form(from), form(to))
                .into_iter()
                .skip(i % 3 + 3 * shift)
                .step_by(if thorough() { 12 } else { 84 })
            {
                let (policy, span, unmappable) = policies;
                let conversion = Conversion { from: form(from), span, policy, to: form(to), unmappable };
                let expected = conversion.run(&src);
                let machine = any_machine(from, to, policies).counting();
                let what = || format!("{from} to {to}, {policies:?}, long");
                let plans = [Plan::cut(&[4_095, 4_096, 9_001]), Plan::room(machine.min_output() + 100)];
                check_all(&what, &machine, &src, &mut plans.into_iter(), &expected);
            }
        }
    });
}

/// The checker finds the errors that a conversion into UCS-4 finds, and writes nothing.
#[test]
fn the_checker() {
    let all = encodings();
    in_parallel(all.len(), |i| {
        let from = all[i];
        for src in samples(form(from)) {
            for (policy, span, unmappable) in policies(form(from), Form::Ucs4(Order::Big)) {
                if unmappable != Unmappable::SurrogatePass {
                    continue;
                }
                let to = Form::Ucs4(Order::Big);
                let mut expected = Conversion { from: form(from), span, policy, to, unmappable }.run(&src);
                expected.bytes.clear();
                expected.troubles.iter_mut().for_each(|(_, written)| *written = 0);
                let machine = checker(from, policy, span);
                let what = || format!("checking {from}, {policy:?} {span:?}");
                let no_room = |plan| Plan { room: Some(0), ..plan };
                check_all(&what, &machine, &src, &mut cuts(src.len()).map(no_room), &expected);
            }
        }
    });
}
