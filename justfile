# What contributors run, by `just` (https://just.systems). Alone it lists the recipes; CONTRIBUTING.md
# says more about them.

set shell := ["bash", "-euo", "pipefail", "-c"]
set positional-arguments

_list:
    @{{ just_executable() }} --list --unsorted

# The checks of every change: format, lints, documentation, tests of everything (an hour on two cores)
[group('checks')]
check:
    .ci/run

# What takes longer: all cases, emulated machines, the sanitizer, the page
[group('checks')]
long:
    .ci/long

# One job of `check` or `long`, such as web, c, python, page, msrv or arm
[group('checks')]
job name:
    .ci/"$1"

# The tests of the workspace, or of what arguments for cargo choose, such as `-p placemat-cli`
[group('tests')]
test +arguments="--workspace":
    cargo test "$@"

# One part of the library's suite, such as `just suite kernels:: avx2`
[group('tests')]
suite filter level="":
    ${2:+env PLACEMAT_ISA="$2"} cargo test -p placemat --test suite --features full,internals "$1"

# The library's suite with all cases of every sweep (many minutes)
[group('tests')]
thorough:
    PLACEMAT_THOROUGH=1 cargo test -p placemat --features full,internals --test suite

# The long form of tests: kernels::, exhaustive, peers, faults, replaced, globs or sparse
[group('tests')]
soak +filters:
    PLACEMAT_LONG=1 cargo test --workspace -- --nocapture "$@"

# Random input for a number of seconds for each target of fuzz/fuzz_targets, or for those named
[group('tests')]
fuzz seconds="60" *targets:
    .ci/fuzz "$@"

# Format and lints of the workspace, and the documentation of the library
[group('quality')]
lint:
    cargo fmt --all --check
    cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --all-features --no-deps \
        -p placemat -p placemat-core -p placemat-charsets -p placemat-detect

# The structure: circles of imports, public items and their examples, generated tables
[group('quality')]
structure:
    cargo xtask imports --check
    cargo xtask api --check
    cargo xtask examples --check
    cargo xtask tables --check
    cargo xtask multi-byte --check

# The machine code: kernels that are not inlined, instructions of fixed cases, sizes of programs
[group('quality')]
machine-code:
    cargo xtask symbols
    cargo xtask instructions
    cargo xtask panics
    cargo xtask costs --all

# Writes again what the documentation quotes: outputs, tables, the list of public items
[group('quality')]
record:
    PLACEMAT_RECORD=1 cargo test -p placemat-cli --test suite
    cargo xtask api
    bindings/c/package/guide.py --record

# Speed beside all peers; `just bench relatives`, or `programs -- target/release/placemat`
[group('work')]
bench program="placemat-bench" *options:
    cargo run --release --manifest-path bench/Cargo.toml --bin "$@"

# The page that explains bytes, in bindings/web/page/dist
[group('work')]
page:
    bindings/web/page/build

# Every artefact of a release, made and tried; nothing is published
[group('work')]
release *options:
    cargo xtask release --dry-run "$@"
