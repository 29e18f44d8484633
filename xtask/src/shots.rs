//! The pictures of the README in `docs/img`: the output of the command on a terminal, and a summary
//! of its speed.
//!
//! Each shot runs in an empty folder, on files that are made here. Its text contains no date, no
//! path and nothing specific to the machine, so the pictures are the same everywhere, and `--check`
//! compares them.

mod drawing;
mod speed;
mod terminal;

use drawing::Theme;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};
use terminal::Screen;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// The command that the tests of the workspace build.
const COMMAND: &str = "target/debug/placemat";
/// The width of the terminal, in columns, and the smallest width of a picture of it.
const COLUMNS: usize = 76;
const MIN_COLUMNS: usize = 60;

/// Commands for a shell, and their input files.
struct Shot {
    name: &'static str,
    files: Vec<(&'static str, Vec<u8>)>,
    commands: &'static [&'static str],
}

fn shots() -> Vec<Shot> {
    let order = windows_1251("Сегодня в меню: борщ, пельмени и чёрный хлеб с маслом.\n");
    vec![
        Shot {
            name: "check",
            files: vec![("access.log", b"GET /caf\xC3\xA9/..\xC0\xAFetc/passwd HTTP/1.1\n".to_vec())],
            commands: &["placemat check -v access.log"],
        },
        Shot {
            name: "detect",
            files: vec![
                ("order.txt", order.clone()),
                ("menu.txt", SHIFT_JIS.to_vec()),
                ("letter.txt", MAC_ROMAN.to_vec()),
            ],
            commands: &[
                "placemat detect order.txt menu.txt letter.txt",
                "placemat convert -f auto order.txt",
            ],
        },
        Shot {
            name: "repair",
            files: vec![("README.md", "# Menu\n\nâœ… cafÃ© au lait and crÃ¨me brÃ»lÃ©e\n".into())],
            commands: &[
                "placemat repair -i --diff --log repair.log README.md",
                "placemat repair -v -i --undo repair.log",
            ],
        },
        Shot {
            name: "edit",
            files: vec![("order.txt", order)],
            commands: &[
                "placemat edit -f cp1251 --diff order.txt -- sed s/борщ/щи/",
                "placemat detect order.txt",
            ],
        },
    ]
}

/// A menu in `Shift_JIS`: 今日のメニュー：カレーライス、味噌汁、緑茶。どうぞごゆっくりお楽しみください。
const SHIFT_JIS: &[u8] = b"\
\x8D\xA1\x93\xFA\x82\xCC\x83\x81\x83j\x83\x85\x81[\x81F\x83J\x83\x8C\x81[\x83\x89\x83C\x83X\x81A\
\x96\xA1\x91X\x8F`\x81A\x97\xCE\x92\x83\x81B\x82\xC7\x82\xA4\x82\xBC\x82\xB2\x82\xE4\x82\xC1\x82\xAD\x82\xE8\
\x82\xA8\x8Ay\x82\xB5\x82\xDD\x82\xAD\x82\xBE\x82\xB3\x82\xA2\x81B\n";

/// A sentence in the encoding of classic Mac OS: Heute gibt es bei uns Käsespätzle mit Röstzwiebeln und einen grünen Salat.
const MAC_ROMAN: &[u8] = b"\
Heute gibt es bei uns K\x8Asesp\x8Atzle mit R\x9Astzwiebeln und einen gr\x9Fnen Salat.\n";

/// Encodes Russian text as windows-1251.
fn windows_1251(text: &str) -> Vec<u8> {
    let byte = |c| match c {
        '\0'..='\x7F' => c as u8,
        // U+0410 is C0.
        'А'..='я' => (c as u32 - 0x350).to_le_bytes()[0],
        'ё' => 0xB8,
        _ => panic!("{c} has no byte here"),
    };
    text.chars().map(byte).collect()
}

/// Writes the pictures; with `check`, compares them with the existing ones.
pub(crate) fn run(check: bool, command: Option<&str>) -> Result<(), String> {
    let command = Path::new(ROOT).join(command.unwrap_or(COMMAND));
    let command = command.canonicalize().map_err(|e| {
        format!("{}: {e}; `cargo build --package placemat-cli` builds the command", command.display())
    })?;
    let mut pictures = vec![("speed-summary.svg".to_owned(), speed::picture(Path::new(ROOT))?)];
    for shot in shots() {
        let screen = taken(&shot, &command)?;
        for theme in [Theme::LIGHT, Theme::DARK] {
            pictures.push((format!("{}-{}.svg", shot.name, theme.name), drawing::svg(&screen, &theme)));
        }
    }
    let folder = Path::new(ROOT).join("docs/img");
    let mut stale = Vec::new();
    for (name, picture) in pictures {
        let path = folder.join(&name);
        if check {
            let stands = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            stale.extend((stands != picture).then_some(name));
        } else {
            fs::write(&path, picture).map_err(|e| format!("{}: {e}", path.display()))?;
            println!("docs/img/{name}");
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(format!("docs/img: {} would change; `cargo xtask shots` draws them again", stale.join(", ")))
}

/// Runs the commands of a shot one after the other, and shows them with their output.
fn taken(shot: &Shot, command: &Path) -> Result<Screen, String> {
    let folder = Folder::new(shot.name).map_err(|e| e.to_string())?;
    for (name, bytes) in &shot.files {
        fs::write(folder.0.join(name), bytes).map_err(|e| format!("{name}: {e}"))?;
    }
    let programs = command.parent().unwrap_or(Path::new("/"));
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let mut screen = Screen::new(COLUMNS);
    for line in shot.commands {
        let ran = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {line}")])
            .current_dir(&folder.0)
            .env("PATH", &path)
            .env("CLICOLOR_FORCE", "1")
            .env_remove("NO_COLOR")
            .envs(["LANG", "LC_ALL", "LC_CTYPE"].map(|name| (name, "C.UTF-8")))
            .output()
            .map_err(|e| format!("sh: {e}"))?;
        let printed = String::from_utf8(ran.stdout).map_err(|e| format!("{line}: {e}"))?;
        // Findings are status 1, and no failure here.
        if printed.is_empty() || ran.status.code().is_none_or(|status| status > 1) {
            return Err(format!("{line}: {}\n{printed}", ran.status));
        }
        screen.prompt(line);
        screen.print(printed.trim_end())?;
    }
    screen.columns = screen.longest().max(MIN_COLUMNS);
    Ok(screen)
}

/// A folder for the files of a shot, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("placemat-shot-{name}-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
