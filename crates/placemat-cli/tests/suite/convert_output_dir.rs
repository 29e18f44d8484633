//! `convert --output-dir`: each input has its own output, and no input is harmed.

use crate::run::{Directory, placemat, utf16le};
use std::fs;
use std::path::Path;

/// Returns all files below a directory, by their paths in it.
fn below(d: &Directory, directory: &str) -> Vec<(String, Vec<u8>)> {
    fn add(at: &Path, root: &Path, all: &mut Vec<(String, Vec<u8>)>) {
        for entry in fs::read_dir(at).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add(&path, root, all);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                all.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    let mut all = Vec::new();
    add(&d.path(directory), &d.path(directory), &mut all);
    all.sort();
    all
}

fn sources() -> Directory {
    let d = Directory::new();
    for sub in ["src", "src/sub", "src/empty", "other"] {
        fs::create_dir(d.path(sub)).unwrap();
    }
    for name in ["src/a", "src/sub/b", "other/a", "c"] {
        d.write(name, b"caf\xE9\n");
    }
    d.write("src/binary", b"\0\xE9");
    d.write("src/utf8", "café\n");
    d
}

const CAFE: &[u8] = "café\n".as_bytes();

#[test]
fn a_tree_into_another() {
    let d = sources();
    let before = below(&d, "src");
    let args = "convert -f latin1 -r --output-dir out/new src c other/a";
    let dry = placemat(args).args("--dry-run").within(&d).run();
    dry.ends(0).says("").wrote(
        "out/new/src/a: would be written, 6 bytes\n\
         out/new/src/sub/b: would be written, 6 bytes\n\
         src/utf8: skipped: it is UTF-8 already (--force converts it)\n\
         out/new/c: would be written, 6 bytes\n\
         out/new/other/a: would be written, 6 bytes\n",
    );
    assert!(!d.path("out").exists());
    // The second run replaces the outputs of the first, which are not inputs.
    for _ in 0..2 {
        placemat(args)
            .within(&d)
            .run()
            .ends(0)
            .wrote("")
            .says("src/utf8: skipped: it is UTF-8 already (--force converts it)\n");
        let want = ["c", "other/a", "src/a", "src/sub/b"].map(|name| (name.to_owned(), CAFE.to_vec()));
        assert_eq!(below(&d, "out/new"), want);
    }
    assert_eq!(below(&d, "src"), before);
    // The output directory may be in the tree that is converted.
    placemat("convert -f latin1 -r --force --output-dir src/out src").within(&d).run().writes("");
    placemat("convert -f latin1 -r --force --output-dir src/out src").within(&d).run().writes("");
    let names: Vec<_> = below(&d, "src/out").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["src/a", "src/sub/b", "src/utf8"]);
    // A named file is converted, because its input stays as it is.
    placemat("convert -f latin1 --output-dir named src/utf8").within(&d).run().writes("");
    assert_eq!(below(&d, "named"), [("src/utf8".to_owned(), "cafÃ©\n".into())]);
    // Each output is a separate text.
    d.write("e", "é");
    d.write("f", "f");
    placemat("convert -t utf-16 --output-dir wide e f").within(&d).run().writes("");
    assert_eq!(d.read("wide/e"), utf16le("\u{FEFF}é"));
    assert_eq!(d.read("wide/f"), utf16le("\u{FEFF}f"));
}

#[test]
fn nothing_is_written_outside() {
    let d = sources();
    fs::create_dir(d.path("work")).unwrap();
    let absolute = d.path("src/sub/b");
    let mut run = placemat("convert -f latin1 --output-dir out ../src/a").arg(&absolute);
    run.command.current_dir(d.path("work"));
    run.run().writes("");
    assert_eq!(below(&d, "work"), [("out/a".to_owned(), CAFE.to_vec()), ("out/b".to_owned(), CAFE.to_vec())]);
    let mut run = placemat("convert -f latin1 -r --force --output-dir up ../src/sub").arg(d.path("other"));
    run.command.current_dir(d.path("work"));
    run.run().writes("");
    assert_eq!(below(&d, "work/up").len(), 2);
    assert!(d.path("work/up/sub/b").is_file() && d.path("work/up/other/a").is_file());
    // A directory by nothing but dots: what is in it.
    let mut run = placemat("convert -f latin1 -r -g b --output-dir dots ..");
    run.command.current_dir(d.path("other"));
    run.run().ends(0);
    assert_eq!(below(&d, "other/dots"), [("src/sub/b".to_owned(), CAFE.to_vec())]);
}

#[test]
fn plans_that_would_lose_something() {
    let d = sources();
    fs::create_dir(d.path("src/x")).unwrap();
    d.write("src/x/c", "x");
    d.write("src/c", "c");
    let before = below(&d, ".");
    let within_src = |args: &str| {
        let mut run = placemat(&format!("convert -f latin1 {args}"));
        run.command.current_dir(d.path("src"));
        run.run()
    };
    for (args, says) in [
        (
            "--output-dir out c ../c",
            "placemat: out/c: both c and ../c would be written there; nothing was written\n",
        ),
        (
            "-r --output-dir out ../other/a ../src/a",
            "placemat: out/a: both ../other/a and ../src/a would be ",
        ),
        (
            "--output-dir . c",
            "placemat: ./c: is both an input and an output; nothing was written (-i changes a file in place)\n",
        ),
        ("-r --output-dir . sub", "placemat: ./sub/b: is both an input and an output; nothing was written"),
        ("-r --output-dir sub sub", "placemat: --output-dir sub: is also the input directory; nothing "),
        ("-r --output-dir . .", "placemat: --output-dir .: is also the input directory; nothing "),
        ("--output-dir out -", "placemat: --output-dir needs files, not standard input\n"),
        ("--output-dir out", "placemat: --output-dir needs files, not standard input\n"),
    ] {
        let ran = within_src(args);
        ran.ends(2).wrote("").mentions(&[says]);
        assert_eq!(below(&d, "."), before, "{args}");
    }
    // One output is a file where another output needs a directory.
    d.write("x", "x");
    let before = below(&d, ".");
    within_src("--output-dir out ../x x/c")
        .ends(2)
        .mentions(&["placemat: out/x/c: the output out/x would be a file where the output of x/c needs"]);
    assert_eq!(below(&d, "."), before);
    // A file named twice is one input.
    within_src("--output-dir out x/c x/../x/c ./x/c").writes("");
    assert_eq!(below(&d, "src/out"), [("x/c".to_owned(), b"x".to_vec())]);
    placemat("convert --output-dir out -i c").within(&d).run().ends(2).mentions(&["cannot be used with"]);
    placemat("convert --output-dir out -o o c").within(&d).run().ends(2).mentions(&["cannot be used with"]);
    placemat("convert --output-dir out src")
        .within(&d)
        .run()
        .ends(2)
        .mentions(&["-r converts all files in it"]);
}

#[test]
fn what_is_refused_is_not_written() {
    let d = Directory::new();
    d.write("good", "good");
    d.write("bad", b"bad\xFF");
    fs::create_dir(d.path("out")).unwrap();
    d.write("out/bad", "old");
    placemat("convert --output-dir out bad missing good")
        .within(&d)
        .run()
        .ends(2)
        .mentions(&["bad:1:4: byte 0xff", "placemat: missing: no such file or directory"]);
    assert_eq!((d.read("out/bad"), d.read("out/good")), (b"old".into(), b"good".into()));
    assert!(!d.path("out/missing").exists());
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_else() {
    use std::os::unix::fs::symlink;
    let d = sources();
    for sub in ["out", "away"] {
        fs::create_dir(d.path(sub)).unwrap();
    }
    d.write("away/file", "old");
    symlink("../away", d.path("out/src")).unwrap();
    symlink("../away/file", d.path("out/c")).unwrap();
    let ran = placemat("convert -f latin1 -r --output-dir out src c").within(&d).run();
    ran.ends(2).mentions(&[
        "placemat: out/src/a: would be written through a symbolic link; nothing was written\n",
        "placemat: out/c: would be written through a symbolic link; nothing was written\n",
    ]);
    assert_eq!(below(&d, "away"), [("file".to_owned(), b"old".to_vec())]);
    // The output directory itself may be a link.
    symlink("away", d.path("linked")).unwrap();
    placemat("convert -f latin1 --output-dir linked c").within(&d).run().writes("");
    assert_eq!(d.read("away/c"), CAFE);
}
