//! Every pair of common names, with random texts and divisions; `PLACEMAT_LONG=1` takes many seeds.

use contract::library::{Glibc, ours};
use contract::pairs::{self, Extent};
use contract::scenario::Both;

#[test]
fn all_pairs_convert_as_in_glibc() {
    let report =
        pairs::compare(Both { glibc: &Glibc, ours: ours() }, &pairs::all(), Extent::of_environment());
    assert!(report.runs > 10_000, "{report}");
    assert!(report.is_empty(), "\n{report}");
}
