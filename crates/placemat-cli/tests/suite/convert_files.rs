//! `convert`: files, standard input and output, and their errors.

use crate::run::{Directory, placemat};
use std::fs::{self, File};
use std::process::Stdio;

#[test]
fn several_files_are_joined_and_each_is_a_text() {
    let d = Directory::new();
    d.write("a", "A\n");
    d.write("b", b"B\xE2\x82");
    d.write("c", b"\xAC\n");
    d.write("empty", "");
    placemat("convert a empty a").within(&d).run().writes("A\nA\n");
    // A sequence does not go on in the next file; one failing file does not stop the others.
    placemat("convert a b a c a")
        .within(&d)
        .run()
        .ends(1)
        .wrote("A\nA\nBA\n"[..2].to_owned() + "BA\nA\n")
        .mentions(&["b:1:2: ", " at byte 1", "c:1:1: ", " 0xac at byte 0"]);
    // Standard input can be one of several inputs.
    placemat("convert a - a").within(&d).reads("in\n").run().writes("A\nin\nA\n");
    // The message has the offset and the name of the file.
    placemat("convert -e question --report a b c")
        .within(&d)
        .run()
        .ends(0)
        .wrote("A\nB??\n")
        .says("decoded 4, replaced 2 (first in b at byte 1), ignored 0, unmappable 0\n");
}

#[test]
fn verbose() {
    let d = Directory::new();
    d.write("a", b"\xFE\xFF\0a\0b");
    placemat("convert -v -f utf-16 -t utf-32le a")
        .within(&d)
        .run()
        .ends(0)
        .wrote("a\0\0\0b\0\0\0")
        .says("a: UTF-16BE to UTF-32LE, 6 bytes read, 8 written\n");
}

#[test]
fn missing_and_directory_and_empty() {
    let d = Directory::new();
    d.write("a", "A\n");
    fs::create_dir(d.path("dir")).unwrap();
    placemat("convert missing a dir a")
        .within(&d)
        .run()
        .ends(2)
        .wrote("A\nA\n")
        .says("placemat: missing: no such file or directory\nplacemat: dir: is a directory\n");
    placemat("convert -q missing").within(&d).run().ends(2).wrote("").says("");
    d.write("empty", "");
    placemat("convert empty").within(&d).run().writes("");
    placemat("convert").run().writes("");
    // Without input, no signature is written, and no file is made.
    placemat("convert -t utf-16 -o out missing").within(&d).run().ends(2);
    assert!(!d.path("out").exists());
}

#[cfg(unix)]
#[test]
fn unreadable() {
    use std::os::unix::fs::PermissionsExt;
    let d = Directory::new();
    let path = d.write("locked", "x");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if File::open(&path).is_ok() {
        // The superuser reads everything.
        return;
    }
    placemat("convert locked").within(&d).run().ends(2).says("placemat: locked: permission denied\n");
}

#[cfg(unix)]
#[test]
fn names_are_shown_escaped() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let d = Directory::new();
    let name = OsStr::from_bytes(b"a\x1B[31m\n\xE2\x80\xAE\xFFz");
    let shown = r"a\x1b[31m\x0a\u{202e}\xffz";
    placemat("convert")
        .arg(name)
        .within(&d)
        .run()
        .ends(2)
        .says(&format!("placemat: {shown}: no such file or directory\n"));
    d.write(name, b"\xFF");
    let ran = placemat("convert").arg(name).within(&d).run();
    ran.ends(1).mentions(&[&format!("{shown}:1:1: ")]);
    assert!(ran.stderr.bytes().all(|b| b == b'\n' || (b' '..0x7F).contains(&b)), "{:?}", ran.stderr);
    // Arguments in messages are escaped too.
    let ran = placemat("convert -f").arg("\u{1B}[31m").run();
    ran.ends(2).says("placemat: unknown encoding \"\\x1b[31m\" (`placemat encodings` lists them)\n");
    let ran = placemat("convert").arg("--\u{1B}[31m").run();
    assert!(!ran.stderr.contains('\u{1B}'), "{:?}", ran.stderr);
}

#[test]
fn into_a_file() {
    let d = Directory::new();
    d.write("in", b"caf\xE9\n");
    placemat("convert -f latin1 in -o out").within(&d).run().writes("");
    assert_eq!(d.read("out"), "café\n".as_bytes());
    // An existing output file is replaced.
    d.write("in", "x");
    placemat("convert in -o out").within(&d).run().writes("");
    assert_eq!(d.read("out"), b"x");
    // `-` is standard output.
    placemat("convert in -o -").within(&d).run().writes("x");
    // After any error, the existing file stays.
    d.write("in", b"good\xFF");
    placemat("convert in -o out")
        .within(&d)
        .run()
        .ends(1)
        .mentions(&["in:1:5: ", "placemat: out: left as it was\n"]);
    placemat("convert missing -o out").within(&d).run().ends(2);
    placemat("convert out missing in -o out2")
        .within(&d)
        .run()
        .ends(2)
        .mentions(&["placemat: out2: not written\n"]);
    d.write("loss", "€");
    placemat("convert -t latin1 -e replace --fail-on-loss loss -o out")
        .within(&d)
        .run()
        .ends(1)
        .mentions(&["placemat: out: left as it was\n"]);
    assert_eq!(d.read("out"), b"x");
    assert!(!d.path("out2").exists());
    fs::create_dir(d.path("dir")).unwrap();
    placemat("convert in -o dir").within(&d).run().ends(2).says("placemat: dir: is a directory\n");
    placemat("convert in -o no/out")
        .within(&d)
        .run()
        .ends(2)
        .says("placemat: no/out: no such file or directory\n");
}

#[test]
fn input_and_output_must_differ() {
    let d = Directory::new();
    d.write("f", "text");
    d.write("g", "more");
    fs::hard_link(d.path("f"), d.path("link")).unwrap();
    for args in ["f -o f", "f -o ./f", "f -o link", "g f -o link", "missing f -o f"] {
        let ran = placemat(&format!("convert {args}")).within(&d).run();
        ran.ends(2).says("placemat: f: input and output are the same file (-i changes a file in place)\n");
        assert_eq!(d.read("f"), b"text", "{args}");
    }
    // The shell redirects the output, as in `convert f >> f` and `convert < f >> f`.
    let append = || Stdio::from(File::options().append(true).open(d.path("f")).unwrap());
    let ran = placemat("convert g f").within(&d).run_to(append());
    ran.ends(2).says("placemat: f: input and output are the same file (-i changes a file in place)\n");
    let mut run = placemat("convert").within(&d);
    let output = run.command.stdin(File::open(d.path("f")).unwrap()).stdout(append()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        output.stderr,
        b"placemat: <stdin>: input and output are the same file (-i changes a file in place)\n"
    );
    assert_eq!(d.read("f"), b"text");
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_to_the_input_is_the_input() {
    let d = Directory::new();
    d.write("f", "text");
    std::os::unix::fs::symlink("f", d.path("link")).unwrap();
    placemat("convert f -o link").within(&d).run().ends(2);
    placemat("convert link -o f").within(&d).run().ends(2);
    assert_eq!(d.read("f"), b"text");
}

#[cfg(target_os = "linux")]
#[test]
fn devices() {
    let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    let ran = placemat("convert").reads("text").run_to(full());
    ran.ends(2).says("placemat: <stdout>: no space left on device\n");
    placemat("convert -o /dev/full").reads("text").run().ends(2).says(
        "placemat: /dev/full: no space left on device\nplacemat: /dev/full: incomplete, 0 bytes were written\n",
    );
    let ran = placemat("encodings").run_to(full());
    ran.ends(2).says("placemat: <stdout>: no space left on device\n");
    let ran = placemat("--help").run_to(full());
    ran.ends(2);
    // A device may be both input and output.
    placemat("convert /dev/null -o /dev/null").run().writes("");
}

#[test]
fn a_closed_pipe_ends_it_in_silence() {
    let closed = || {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        Stdio::from(writer)
    };
    for args in ["convert", "encodings", "completions bash", "man", "--help"] {
        let ran = placemat(args).reads("x".repeat(300_000)).run_to(closed());
        ran.ends(141).says("");
    }
}

#[cfg(unix)]
#[test]
fn what_comes_is_converted_as_it_comes() {
    use std::io::{Read as _, Write as _};
    // In a conversation, each line is answered before the next is sent.
    let mut run = placemat("convert -f latin1");
    let mut child = run.command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut to, mut from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for _ in 0..3 {
        to.write_all(b"caf\xE9\n").unwrap();
        let mut line = [0; 6];
        from.read_exact(&mut line).unwrap();
        assert_eq!(&line, "café\n".as_bytes());
    }
    drop(to);
    assert!(child.wait().unwrap().success());
}
