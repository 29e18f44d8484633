//! The recipes for editors in the book: each is taken from its page and used on a file.

#![cfg(unix)]

use crate::run::{Directory, Ran, Run, in_repository, placemat};
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// Two lines in windows-1251, and the same after an edit.
const OLD: &[u8] =
    b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xD1\xEA\xEE\xF0\xEE \xE2\xE5\xF1\xED\xE0.\r\na\xA0b\r\n";
const NEW: &[u8] =
    b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xD1\xEA\xEE\xF0\xEE \xE7\xE8\xEC\xE0.\r\na\xA0b\r\n";

/// Returns the code blocks of a kind in the page; `None` in the published package.
fn blocks(kind: &str) -> Option<Vec<String>> {
    let page = fs::read_to_string(in_repository("docs/how/editors-and-agents.md")?).unwrap();
    let start = format!("```{kind}\n");
    let found: Vec<_> =
        page.split(&start).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect();
    assert!(!found.is_empty());
    Some(found)
}

/// Runs a program that finds this build of the command; where it is not installed, a note says that the test did not run.
fn with_editor(program: &str, d: &Directory, args: &[&str]) -> Option<Ran> {
    let programs = Path::new(env!("CARGO_BIN_EXE_placemat")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    if Run::of(program.as_ref()).arg("--version").try_run().is_none() {
        _ = writeln!(std::io::stderr(), "\nWARNING: a recipe was NOT run: {program} is not installed");
        return None;
    }
    let run = args.iter().fold(Run::of(program.as_ref()), |run, arg| run.arg(arg));
    Some(
        run.env("PATH", &path)
            .env("HOME", d.path("").to_str().unwrap())
            .env("LC_ALL", "C.UTF-8")
            .within(d)
            .run(),
    )
}

#[test]
fn vim_reads_and_writes_a_file_in_its_own_encoding() {
    let Some(recipe) = blocks("vim") else { return };
    let d = Directory::new();
    d.write("rc.vim", format!("set encoding=utf-8\n{}", recipe[0]));
    d.write("a.1251", OLD);
    let edit = [
        "-c",
        "edit a.1251",
        "-c",
        "%s/весна/зима/",
        "-c",
        "write",
        "-c",
        "if &modified | cquit | endif",
        "-c",
        "qa!",
    ];
    let args = [&["-N", "-u", "rc.vim", "-es"][..], &edit].concat();
    let Some(ran) = with_editor("vim", &d, &args) else { return };
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(d.read("a.1251"), NEW);
    // Text that the encoding cannot represent stays in the editor, and the file stays as it was.
    let edit = [
        "-c",
        "edit a.1251",
        "-c",
        "%s/зима/春/",
        "-c",
        "write",
        "-c",
        "if &modified | cquit | endif",
        "-c",
        "qa!",
    ];
    let args = [&["-N", "-u", "rc.vim", "-es"][..], &edit].concat();
    assert_ne!(with_editor("vim", &d, &args).unwrap().status, 0);
    assert_eq!(d.read("a.1251"), NEW);
}

#[test]
fn emacs_reads_and_writes_a_file_in_its_own_encoding() {
    let Some(recipe) = blocks("elisp") else { return };
    let d = Directory::new();
    d.write("a.txt", OLD);
    let edits = "(placemat-find-file \"a.txt\")\n(search-forward \"весна\") (replace-match \"зима\") (save-buffer)\n\
                 (when (buffer-modified-p) (kill-emacs 3))\n\
                 (insert \"春\") (condition-case nil (save-buffer) (error (kill-emacs 4)))\n";
    d.write("init.el", format!("{}{edits}", recipe[0]));
    let Some(ran) = with_editor("emacs", &d, &["-Q", "--batch", "-l", "init.el"]) else { return };
    assert_eq!(ran.status, 4, "{ran:?}");
    assert_eq!(d.read("a.txt"), NEW);
}

#[test]
fn the_tasks_of_visual_studio_code_open_and_put_back() {
    let Some(recipes) = blocks("json") else { return };
    let tasks = recipes.iter().map(|recipe| serde_json::from_str::<serde_json::Value>(recipe).unwrap());
    let tasks: Vec<_> = tasks.filter_map(|recipe| recipe["tasks"].as_array().cloned()).flatten().collect();
    let d = Directory::new();
    let file = d.write("a.txt", OLD).to_str().unwrap().to_owned();
    let run = |task: usize, open: &str| {
        let command = tasks[task]["command"].as_str().unwrap();
        let name = Path::new(open).file_stem().unwrap().to_str().unwrap();
        let directory = Path::new(open).parent().unwrap().to_str().unwrap();
        let command = command
            .replace("${file}", open)
            .replace("${fileDirname}", directory)
            .replace("${fileBasenameNoExtension}", name)
            .replace("code -r", "test -s");
        assert!(!command.contains("${"), "{command}");
        with_editor("sh", &d, &["-c", &command]).unwrap().writes("");
    };
    run(0, &file);
    let text = String::from_utf8(d.read("a.txt.utf8")).unwrap();
    d.write("a.txt.utf8", text.replace("весна", "зима"));
    run(1, &format!("{file}.utf8"));
    assert_eq!(d.read("a.txt"), NEW);
}

#[test]
fn the_entry_for_agents_names_a_command_that_starts() {
    let Some(recipes) = blocks("json") else { return };
    let entry: serde_json::Value = serde_json::from_str(&recipes[0]).unwrap();
    let entry = &entry["mcpServers"]["placemat"];
    let args: Vec<_> = entry["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
    let d = Directory::new();
    let args = args[..args.len() - 1].join(" ");
    let answer = "{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":{}}\n";
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
    placemat(&args).arg(d.path("")).reads(ping).run().writes(answer);
}
