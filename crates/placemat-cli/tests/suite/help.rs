//! The help of every command: `-h` fits a screen, and both forms begin with the job and an example.

use crate::run::placemat;
use unicode_width::UnicodeWidthStr as _;

/// The columns and rows of a terminal of the usual size.
const COLUMNS: usize = 80;
const ROWS: usize = 24;

fn help(args: &str) -> String {
    let ran = placemat(args).run();
    ran.ends(0).says("");
    String::from_utf8(ran.stdout).unwrap()
}

/// Returns the commands that a help text lists.
fn listed(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

/// Returns the arguments of every command: of the program alone first, and of subcommands too.
fn every_command() -> Vec<String> {
    let mut all = vec![String::new()];
    let mut next = 0;
    while next < all.len() {
        let command = all[next].clone();
        let within = listed(&help(&format!("{command} --help")));
        all.extend(within.iter().filter(|name| *name != "help").map(|name| format!("{command} {name}")));
        next += 1;
    }
    assert!(all.len() > 12, "{all:?}");
    all
}

#[test]
fn short_help_fits_a_screen() {
    for command in every_command() {
        let text = help(&format!("{command} -h"));
        assert!(text.lines().count() <= ROWS, "{command}: {} rows\n{text}", text.lines().count());
        assert!(text.contains("-h"), "{command}");
        for line in text.lines() {
            assert!(line.width() <= COLUMNS, "{command}: {line}");
        }
    }
}

#[test]
fn long_help_is_as_wide_as_a_screen() {
    for command in every_command() {
        for line in help(&format!("{command} --help")).lines() {
            assert!(line.width() <= COLUMNS, "{command}: {line}");
        }
    }
}

#[test]
fn help_begins_with_the_job_and_an_example() {
    for command in every_command() {
        let (short, long) = (help(&format!("{command} -h")), help(&format!("{command} --help")));
        let (short, long): (Vec<_>, Vec<_>) = (short.lines().collect(), long.lines().collect());
        let job = long[0];
        assert!(job.starts_with(char::is_uppercase) && !job.ends_with('.'), "{command}: {job}");
        assert_eq!((long[1], long[2]), ("", "Examples:"), "{command}");
        let example = long[3];
        let program = if command == " iconv" { "  iconv " } else { "  placemat " };
        assert!(example.starts_with(program), "{command}: {example}");
        // Each example is one line.
        for line in long[3..].iter().take_while(|line| !line.is_empty()) {
            assert!(line.starts_with("  ") && !line.starts_with("   "), "{command}: {line}");
        }
        assert_eq!(&short[..3], [job, "", example], "{command}");
        assert!(short[4].starts_with("Usage: "), "{command}: {}", short[4]);
    }
}

#[test]
fn the_help_of_the_program_lists_every_command() {
    let (short, long) = (listed(&help("-h")), listed(&help("--help")));
    assert_eq!(short, long);
    let page = String::from_utf8(placemat("man").run().stdout).unwrap();
    let sections = page.lines().filter_map(|line| line.strip_prefix(".SH \"PLACEMAT ")?.strip_suffix('"'));
    let sections: Vec<_> = sections.map(str::to_lowercase).collect();
    assert_eq!(long.split_last().unwrap(), (&"help".to_owned(), &sections[..]));
    assert_eq!(long[..5], ["check", "detect", "convert", "repair", "edit"]);
    let encodings = placemat::Encoding::ALL.len();
    assert!(help("-h").starts_with(&format!("Check, detect, convert, repair and edit text in {encodings} ")));
}

/// Each option and each value is in the long help; the short help has no list of values.
#[test]
fn long_help_has_what_the_short_help_leaves_out() {
    for command in every_command() {
        let (short, long) = (help(&format!("{command} -h")), help(&format!("{command} --help")));
        for option in short.split_whitespace().filter(|word| word.starts_with("--")) {
            assert!(long.contains(option), "{command}: {option}");
        }
        let lists = if command == " completions" { 1 } else { 0 };
        assert_eq!(short.to_lowercase().matches("possible values").count(), lists, "{command}: {short}");
    }
    let long = help("convert --help");
    for value in ["surrogateescape", "xmlcharrefreplace", "translit", "crlf", "nfkc", "structural", "base64"]
    {
        let meaning = long.lines().find_map(|line| line.trim_start().strip_prefix(&format!("- {value}:")));
        assert!(meaning.is_some_and(|meaning| !meaning.trim().is_empty()), "{value}");
    }
    assert!(long.contains("--translit-locale") && !help("convert -h").contains("--translit-locale"));
}

/// The last line of a description begins below its first one.
#[test]
fn meanings_of_values_are_indented() {
    let long = help("check --help");
    let lines: Vec<_> = long.lines().collect();
    let first = lines.iter().position(|line| line.contains("- sarif: ")).unwrap();
    let column = lines[first].find("SARIF").unwrap();
    let indent = lines[first + 1].len() - lines[first + 1].trim_start().len();
    assert_eq!(indent, column, "{}\n{}", lines[first], lines[first + 1]);
}

#[test]
fn the_program_alone_prints_ten_jobs() {
    let ran = placemat("").run();
    ran.ends(2).wrote("");
    assert!(ran.stderr.starts_with("Usage: placemat "), "{}", ran.stderr);
    assert!(ran.stderr.lines().all(|line| line.width() <= COLUMNS), "{}", ran.stderr);
    let jobs: Vec<_> = ran.stderr.lines().filter_map(|line| line.strip_prefix("  placemat ")).collect();
    assert_eq!(jobs.len(), 10);
    let names: Vec<_> = jobs.iter().map(|job| job.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(names, listed(&help("-h"))[..10]);
    for job in jobs {
        let (command, question) = job.split_once("  ").unwrap();
        assert!(!question.trim().is_empty(), "{job}");
        let own = command.split(" -- ").next().unwrap();
        placemat(own).arg("--help").run().ends(0).says("");
    }
    // Options without a command are not a command.
    for args in ["--color never", "--isa portable"] {
        placemat(args).run().ends(2).wrote("").says(&ran.stderr);
    }
    placemat("-q").run().ends(2).wrote("").says("");
    assert!(placemat("--color always").run().stderr.contains("\u{1B}["));
}
