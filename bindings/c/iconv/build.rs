//! Names the shared library, and hides everything except the functions of iconv(3); in `../libiconv`, which shares this script,
//! except those of libiconv too.

fn main() {
    let here = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    println!("cargo::rerun-if-changed=exports.map");
    let name = if cfg!(feature = "libiconv") { "libplacemat_libiconv" } else { "libplacemat_iconv" };
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,{name}.so.0");
    println!("cargo::rustc-cdylib-link-arg=-Wl,--version-script={here}/exports.map");
    // The tables made at first use live as long as the process, so the library does too: dlclose(3) leaves it in place.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    // The library has no code to run when it is loaded or unloaded.
    println!("cargo::rustc-cdylib-link-arg=-nostartfiles");
    // The C library has to be named, because without `std` nothing else names it. Then `RTLD_NEXT`
    // finds its iconv(3) even for a library that a program loads with dlopen(3).
    println!("cargo::rustc-cdylib-link-arg=-lc");
    // References between our own functions must not be bound to another library's.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-Bsymbolic-functions");
}
