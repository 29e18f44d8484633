//! The programs in `examples/`: each is a module here, and its test runs it on its own data. So they
//! are compiled and linked once, with the suite.

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

#[test]
fn every_example_runs_here_and_needs_its_feature() {
    let package = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = std::fs::read_to_string(package.join("Cargo.toml")).unwrap();
    let files = std::fs::read_dir(package.join("examples")).unwrap().map(|file| file.unwrap().path());
    let names: Vec<String> = files.map(|file| file.file_stem().unwrap().display().to_string()).collect();
    assert!(!names.is_empty());
    for name in names {
        assert!(include_str!("examples.rs").contains(&format!("\nmod {name};\n")), "{name} is no module");
        let entry = format!("[[example]]\nname = \"{name}\"\nrequired-features = [\"examples\"]\n");
        assert!(manifest.contains(&entry), "{name} is not in Cargo.toml with its feature");
    }
}
