//! One module for each command. Each has
//!
//! ```text
//! #[derive(clap::Args)]
//! pub(crate) struct Args { … }
//! pub(crate) fn run(args: &Args, common: &Common) -> Outcome
//! ```
//!
//! * [`Outcome`](crate::outcome::Outcome) is the exit status; several are joined with `Ord::max`: the worst wins.
//! * [`Common`](crate::common::Common) holds the settings of all commands (`--color`, `-q`) and prints messages on standard error.
//!   Options that only some commands have are flattened into their `Args`: [`Verbose`](crate::options::Verbose) (`-v`),
//!   [`FormatArg`](crate::options::FormatArg) (`--format`).
//!   Structs that are flattened carry `#[group(skip)]`: clap takes their names for names of groups, which must differ.
//! * Data goes to [`Data`](crate::output::Data), a buffered standard output. Its errors go through
//!   [`Common::cannot_write`](crate::common::Common::cannot_write), which takes a closed pipe quietly.
//! * Text from a file, and the name of a file, goes through [`escaped`](crate::shown::escaped) before it becomes part
//!   of a message.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod count;
pub(crate) mod detect;
pub(crate) mod edit;
pub(crate) mod encodings;
pub(crate) mod iconv;
pub(crate) mod inspect;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod repair;
pub(crate) mod show;
pub(crate) mod truncate;
