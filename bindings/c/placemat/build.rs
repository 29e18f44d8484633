//! Names the shared library.

fn main() {
    let here = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo::rerun-if-changed=exports.map");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libplacemat.so.0");
    println!("cargo::rustc-cdylib-link-arg=-Wl,--version-script={here}/exports.map");
    // The tables made at first use live as long as the process, so the library does too: dlclose(3) leaves it in place.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    // Nothing runs when the library is loaded or unloaded.
    println!("cargo::rustc-cdylib-link-arg=-nostartfiles");
}
