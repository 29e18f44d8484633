//! Passes the version of CPython that the module is built for, and its `cfg`s.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
    let version = pyo3_build_config::get().version();
    println!("cargo:rustc-env=PLACEMAT_PYTHON={}.{}", version.major, version.minor);
}
