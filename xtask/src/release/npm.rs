//! The npm package, with all its WebAssembly modules.

use std::path::Path;
use std::process::Command;

use super::place::{Place, Trouble, expect, has_program, run, said, write};

const PROGRAM: &str = r#"import * as placemat from "placemat";
await placemat.init({ all: true });
const gbk = placemat.encode("5 €", "gbk");
console.log(placemat.decode(Uint8Array.of(0x63, 0x61, 0x66, 0xe9), "windows-1252"), gbk.length);
"#;

pub(super) fn make(place: &Place) -> Result<(), Trouble> {
    for (program, package) in [("npm", "npm"), ("node", "nodejs"), ("/usr/bin/rustc", "rustc-web")] {
        if !has_program(program) && !Path::new(program).is_file() {
            return Err(Trouble::Missing(format!("{program}; on Debian, `apt-get install {package}`")));
        }
    }
    run(Command::new(place.root.join("bindings/web/build")).env("SOURCE_DATE_EPOCH", &place.epoch))?;
    let package = place.root.join("bindings/web/package");
    let pack = ["pack", "--silent", "--pack-destination"];
    let name = said(Command::new("npm").current_dir(&package).args(pack).arg(&place.artefacts))?;

    let elsewhere = place.empty("npm-tried")?;
    write(&elsewhere.join("package.json"), "{ \"private\": true, \"type\": \"module\" }\n")?;
    let install = ["install", "--offline", "--no-audit", "--no-fund", "--silent"];
    run(Command::new("npm").current_dir(&elsewhere).args(install).arg(place.artefact(&name)))?;
    write(&elsewhere.join("first.mjs"), PROGRAM)?;
    expect("Node", &said(Command::new("node").current_dir(&elsewhere).arg("first.mjs"))?, "café 3")?;
    Ok(())
}
