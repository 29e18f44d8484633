//! The command, run as a user runs it: arguments, files and standard input in; bytes, messages and a status out.

#![expect(clippy::unwrap_used, reason = "a failing test may panic")]

mod check;
mod check_config;
mod check_files;
mod check_formats;
mod check_hidden;
mod check_lints;
mod check_parallel;
mod check_pictures;
mod check_sarif;
mod check_security;
mod convert_by_kind;
mod convert_doubt;
mod convert_files;
mod convert_forms;
mod convert_in_place;
mod convert_long;
mod convert_output_dir;
mod convert_policies;
mod convert_text;
mod convert_transfer;
mod count;
mod declared;
mod detect;
mod edit;
mod encodings;
mod faults;
mod guide;
mod iconv;
mod in_place_table;
mod inspect;
mod messages;
mod names;
mod old_texts;
mod progress;
mod repair;
mod replaced;
mod run;
mod size;
mod special_files;
mod streams;
mod surface;
mod vectors;
