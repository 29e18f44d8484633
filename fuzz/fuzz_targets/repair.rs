//! Any bytes are repaired into well-formed text, which the record undoes, and any pieces give the
//! same result.
#![no_main]

use libfuzzer_sys::fuzz_target;
use placemat::repair::{Repairer, undo};

fuzz_target!(|source: &[u8]| {
    let mut repairer = Repairer::new();
    let done = repairer.repair(source);
    let back = undo(done.text.as_bytes(), done.encoding, &done.changes).expect("its own record");
    assert_eq!(back, source);
    // Repair in pieces gives the same result.
    let (mut text, mut changes) = (String::new(), Vec::new());
    source.chunks(7).for_each(|piece| repairer.learn(piece));
    for piece in source.chunks(5) {
        repairer.push(piece, &mut text, |change| changes.push(change));
    }
    repairer.finish(&mut text, |change| changes.push(change));
    assert_eq!((text, changes), (done.text, done.changes));
});
