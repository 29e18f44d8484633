//! The programs in `examples/`: each is a module here, and its test runs it on its own data. So they are compiled and
//! linked once, with the suite.

#![expect(dead_code, reason = "`main` reads arguments, and those of this program are not for it")]

#[path = "../../examples/convert_file.rs"]
mod convert_file;
#[path = "../../examples/count_errors.rs"]
mod count_errors;
#[path = "../../examples/detect_csv.rs"]
mod detect_csv;
#[path = "../../examples/edit_config.rs"]
mod edit_config;
#[path = "../../examples/frames_no_std.rs"]
mod frames_no_std;
#[path = "../../examples/from_encoding_rs.rs"]
mod from_encoding_rs;
#[path = "../../examples/http_body.rs"]
mod http_body;
#[path = "../../examples/lsp_columns.rs"]
mod lsp_columns;
#[path = "../../examples/repair_struct.rs"]
mod repair_struct;
#[path = "../../examples/runtime_encoding.rs"]
mod runtime_encoding;
#[path = "../../examples/tokio_lines.rs"]
mod tokio_lines;
#[path = "../../examples/truncate_column.rs"]
mod truncate_column;
