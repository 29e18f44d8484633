//! Character sets that hold a part of Unicode: ASCII, Latin-1, and table-driven sets.

pub(crate) mod ascii;
#[cfg(any(feature = "multi-byte", feature = "marc8"))]
pub(crate) mod grid;
#[cfg(feature = "multi-byte")]
pub(crate) mod gsm_03_38;
#[cfg(all(
    feature = "alloc",
    target_has_atomic = "ptr",
    any(feature = "multi-byte", feature = "marc8", feature = "legacy")
))]
pub(crate) mod index;
#[cfg(feature = "legacy")]
pub(crate) mod iso_2022_jp;
#[cfg(feature = "multi-byte")]
pub(crate) mod iso_6937;
pub(crate) mod latin1;
#[cfg(feature = "legacy")]
pub(crate) mod legacy;
#[cfg(feature = "marc8")]
pub(crate) mod marc8;
#[cfg(feature = "multi-byte")]
pub(crate) mod multi_byte;
#[cfg(feature = "single-byte")]
pub(crate) mod single_byte;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr", any(feature = "multi-byte", feature = "legacy")))]
pub(crate) mod two_bytes;
#[cfg(any(feature = "multi-byte", all(feature = "legacy", feature = "alloc", target_has_atomic = "ptr")))]
pub(crate) mod window;
