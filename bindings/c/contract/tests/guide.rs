//! `docs/guides/c.md` lists the known differences. With `PLACEMAT_RECORD` set, the test writes the
//! list.

use contract::guide;
use std::path::Path;

#[test]
fn the_guide_lists_the_differences() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/guides/c.md");
    let there = std::fs::read_to_string(&path).expect("the guide");
    let right = guide::with_differences(&there).expect("a place for the differences");
    if std::env::var_os("PLACEMAT_RECORD").is_some() {
        std::fs::write(path, right).expect("to write the guide");
        return;
    }
    assert!(there == right, "docs/guides/c.md is not up to date: run this with PLACEMAT_RECORD=1");
}
