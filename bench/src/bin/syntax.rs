//! Escapes of languages, where a text has none: `Syntax::decode` and `Syntax::encode` of the library, and `convert --unwrap`
//! and `convert --wrap` of the command, in megabytes of input a second of processor time.
//!
//! `cargo run --release --manifest-path bench/Cargo.toml --bin syntax -- [--program PLACEMAT] [--only NAME,…] [SYNTAX=FILE]…`.
//! Without files, it makes a document of 12 MB for each language from the texts of this benchmark. Decoding reads them in
//! English, Russian and Japanese; encoding reads English, which is ASCII. The fastest of the rounds counts. The last column of
//! the table marks what is slower than the target.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use placemat::syntax::{Scope, Syntax};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const ROUNDS: usize = 9;
const DOCUMENT_BYTES: usize = 12_000_000;
/// The target in megabytes a second.
const TARGET_MB_PER_S: f64 = 500.0;

const TEXTS: [(&str, &str); 3] = [
    ("English", include_str!("../../texts/English.txt")),
    ("Russian", include_str!("../../texts/Russian.txt")),
    ("Japanese", include_str!("../../texts/Japanese.txt")),
];

/// Returns a few lines of a language around a paragraph of text, which is at each `§`.
const fn around(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::Properties => "# §\nmessage.text = §\nmessage.count: 17\n\n",
        Syntax::Json => "{\"id\": 4711, \"tags\": [\"a\", \"b\"], \"text\": \"§\"},\n",
        Syntax::Html => "<div class=\"text\">\n<p title='17'>§</p>\n<!-- § -->\n<hr>\n</div>\n",
        Syntax::Xml => "<entry id=\"17\">\n  <text lang=\"x\">§</text>\n  <!-- § -->\n</entry>\n",
        Syntax::Css => "/* § */\n.text::after { content: \"§\"; color: #333; margin: 0 auto }\n",
        Syntax::Python => "def text(self, count=17):\n    # §\n    return self.shown['text'] + \"§\"\n\n",
        Syntax::Shell => "# §\nif [ \"$count\" -gt 17 ]; then\n  echo '§' >&2\nfi\n",
        Syntax::Sql => "-- §\nINSERT INTO text (id, \"body\") VALUES (17, '§');\n",
        Syntax::Tex => "\\section{§}\n§ % $a = b$\n\n",
        Syntax::Url => "https://example.org/text?id=17&q=§\n",
        Syntax::MimeHeader => "Subject: §\nMessage-ID: <17@example.org>\nX-Note: §\n",
        _ => "// §\nstatic String text(int count) {\n  return count > 17 ? shown.text : \"§\";\n}\n",
    }
}

fn document(syntax: Syntax, text: &str) -> Vec<u8> {
    // No document has a quote, an escape or a character of its language's own in its text.
    let paragraphs: Vec<String> = text
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| line.replace(['\'', '"', '\\', '&', '%', '<', '$', '—', '’', '“', '”'], " "))
        .collect();
    let mut document = String::with_capacity(DOCUMENT_BYTES + 8192);
    for paragraph in paragraphs.iter().cycle() {
        document.push_str(&around(syntax).replace('§', paragraph));
        if document.len() >= DOCUMENT_BYTES {
            break;
        }
    }
    document.into_bytes()
}

/// Returns the processor time that this process or its children have used.
fn used(who: UsageWho) -> Duration {
    let usage = getrusage(who).expect("the system counts processor time");
    let micros = |time: nix::sys::time::TimeVal| time.num_microseconds().unsigned_abs();
    Duration::from_micros(micros(usage.user_time()) + micros(usage.system_time()))
}

/// Returns the shortest processor time of the rounds: the time of a clock would count other programs, too.
fn fastest(who: UsageWho, mut call: impl FnMut()) -> Duration {
    let round = |_| {
        let start = used(who);
        call();
        used(who).saturating_sub(start)
    };
    (0..ROUNDS).map(round).min().unwrap_or_default()
}

fn run(program: &Path, arguments: &[&str], file: &Path) {
    let input = File::open(file).expect("the document can be read");
    let status = Command::new(program)
        .args(["convert", "--quiet", "-e", "replace"])
        .args(arguments)
        .stdin(input)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("the command runs");
    // Status 1: something stayed as it was.
    assert!(status.code().is_some_and(|code| code < 2), "{arguments:?} fails: {status}");
}

struct Bench {
    program: Option<PathBuf>,
    only: Vec<String>,
    slow: usize,
}

impl Bench {
    fn row(&mut self, syntax: Syntax, name: &str, src: &[u8]) {
        let scopes = [(Scope::NonAscii, "outside ASCII"), (Scope::All, "all")];
        let file = std::env::temp_dir().join(format!("placemat-bench-{}", std::process::id()));
        if self.program.is_some() {
            fs::write(&file, src).expect("the folder for temporary files can be written");
        }
        for (decodes, direction) in [(true, "unwrap"), (false, "wrap")] {
            if !decodes && !src.is_ascii() {
                continue;
            }
            for (scope, scope_name) in scopes {
                let title = format!("{direction} {syntax} {scope_name} {name}");
                if !self.only.is_empty() && !self.only.iter().any(|only| title.contains(only.as_str())) {
                    continue;
                }
                let mut len = 0;
                let library = fastest(UsageWho::RUSAGE_SELF, || {
                    len = if decodes { syntax.decode(scope, src) } else { syntax.encode(scope, src) }.len();
                });
                let option = format!("--{direction}={syntax}");
                let mut arguments = vec![option.as_str()];
                if scope == Scope::All {
                    arguments.push("--all");
                }
                let command = self
                    .program
                    .as_ref()
                    .map(|program| fastest(UsageWho::RUSAGE_CHILDREN, || run(program, &arguments, &file)));
                let speed = |time: Duration| src.len() as f64 / 1e6 / time.as_secs_f64();
                let library = speed(library);
                let is_slow =
                    library < TARGET_MB_PER_S || command.is_some_and(|time| speed(time) < TARGET_MB_PER_S);
                self.slow += usize::from(is_slow);
                let command = command.map_or(String::from("-"), |time| format!("{:.0}", speed(time)));
                let mark = if is_slow { "slow" } else { "" };
                let changed = if len == src.len() { "same" } else { "changed" };
                println!(
                    "| {direction} | {syntax} | {scope_name} | {name} | {changed} | {library:.0} | {command} | {mark} |"
                );
            }
        }
        _ = fs::remove_file(&file);
    }
}

fn main() {
    let mut bench = Bench { program: None, only: Vec::new(), slow: 0 };
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--program" => bench.program = arguments.next().map(PathBuf::from),
            "--only" => {
                bench.only = arguments.next().unwrap_or_default().split(',').map(String::from).collect();
            }
            _ => {
                let (name, path) = argument.split_once('=').expect("SYNTAX=FILE");
                let syntax = Syntax::ALL.iter().find(|syntax| syntax.name() == name).expect("a syntax");
                files.push((*syntax, PathBuf::from(path)));
            }
        }
    }
    println!("| option | syntax | scope | text | output | library MB/s | command MB/s | |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (syntax, path) in &files {
        let src = fs::read(path).expect("the file can be read");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        bench.row(*syntax, &name, &src);
    }
    for &syntax in Syntax::ALL.iter().filter(|_| files.is_empty()) {
        for (name, text) in TEXTS {
            bench.row(syntax, name, &document(syntax, text));
        }
    }
    println!("\n{} rows are slower than {TARGET_MB_PER_S} MB/s", bench.slow);
}
