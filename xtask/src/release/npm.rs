//! The npm packages: `placemat`, with all its WebAssembly modules, and `placemat-iconv-lite`, which needs it.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::place::{Place, Trouble, expect, has_program, run, said, write};

const PROGRAM: &str = r#"import * as placemat from "placemat";
import iconv from "iconv-lite";
const gbk = placemat.encode("5 €", "gbk");
console.log(placemat.decode(Uint8Array.of(0x63, 0x61, 0x66, 0xe9), "windows-1252"), gbk.length, iconv.decode(Buffer.from([0xe9]), "latin1"));
"#;

pub(super) fn make(place: &Place) -> Result<(), Trouble> {
    for (program, package) in [("npm", "npm"), ("node", "nodejs"), ("/usr/bin/rustc", "rustc-web")] {
        if !has_program(program) && !Path::new(program).is_file() {
            return Err(Trouble::Missing(format!("{program}; on Debian, `apt-get install {package}`")));
        }
    }
    run(Command::new(place.root.join("bindings/web/build")).env("SOURCE_DATE_EPOCH", &place.epoch))?;
    let pack = |folder: &str| -> Result<PathBuf, Trouble> {
        let mut npm = Command::new("npm");
        npm.current_dir(place.root.join("bindings/web").join(folder)).args([
            "pack",
            "--silent",
            "--pack-destination",
        ]);
        Ok(place.artefact(&said(npm.arg(&place.artefacts))?))
    };
    let (package, door) = (pack("package")?, pack("iconv-lite")?);

    let elsewhere = place.empty("npm-tried")?;
    write(&elsewhere.join("package.json"), "{ \"private\": true, \"type\": \"module\" }\n")?;
    let install = ["install", "--offline", "--no-audit", "--no-fund", "--silent"];
    let door = format!("iconv-lite@file:{}", door.display());
    run(Command::new("npm").current_dir(&elsewhere).args(install).arg(package).arg(door))?;
    write(&elsewhere.join("first.mjs"), PROGRAM)?;
    expect("Node", &said(Command::new("node").current_dir(&elsewhere).arg("first.mjs"))?, "café 3 é")?;
    Ok(())
}
