//! The proofs about the kernels: `docs/trust/proofs.md` has what they say.

use std::process::{Command, Stdio};

/// The program that settles the claims, unless the variable names another.
const SOLVER: &str = "z3";
const VARIABLE: &str = "PLACEMAT_Z3";

/// Runs the proofs whose names contain `only`, or those of changed kernels.
pub(crate) fn run(mutants: bool, only: &str) -> Result<(), String> {
    let solver = std::env::var(VARIABLE).unwrap_or_else(|_| SOLVER.into());
    let version = Command::new(&solver).arg("--version").stderr(Stdio::null()).output();
    match version {
        Ok(output) if output.status.success() => print!("{}", String::from_utf8_lossy(&output.stdout)),
        _ => {
            return Err(format!(
                "the solver {solver} does not run: install Debian's package z3, or z3-solver from PyPI, or let \
                 {VARIABLE} name it"
            ));
        }
    }
    let which: &[&str] = if mutants { &[] } else { &["--skip", "kernels::proof::mutants"] };
    let tests = if mutants { "kernels::proof::mutants" } else { "kernels::proof" };
    let status = Command::new("cargo")
        .args(["test", "--quiet", "--locked", "--package", "placemat-core", "--lib", "--"])
        .args(["--ignored", "--nocapture", "--test-threads=2", tests])
        .args(which)
        .env(VARIABLE, solver)
        .env("PLACEMAT_PROVE", only)
        .status()
        .map_err(|e| format!("cargo does not run: {e}"))?;
    if status.success() { Ok(()) } else { Err("not everything is proved".into()) }
}
