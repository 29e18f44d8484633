//! `convert --declaration fix`: a program reads the same text before and after, by the declaration.

use crate::check_declaration::{KINDS, TEXTS, findings, made, read_by_programs};
use crate::run::{Directory, placemat};
use std::fs;

/// Converts each text of each kind to each of its encodings, in place, and compares what programs read.
#[test]
fn programs_read_the_same_text_after_a_conversion() {
    let d = Directory::new();
    fs::create_dir(d.path("old")).unwrap();
    fs::create_dir(d.path("new")).unwrap();
    let (mut old, mut new, mut meant) = (Vec::new(), Vec::new(), Vec::new());
    for (i, (kind, extension, pattern)) in KINDS.into_iter().enumerate() {
        for (j, (words, encodings)) in TEXTS.into_iter().enumerate() {
            for from in encodings {
                let Some(bytes) = made(pattern, words, from, from) else { continue };
                for to in encodings.iter().filter(|to| *to != from) {
                    if made(pattern, words, to, to).is_none() {
                        continue;
                    }
                    let name = format!("{i}-{j}-{from}-{to}.{extension}");
                    d.write(format!("old/{name}"), &bytes);
                    d.write(format!("new/{name}"), &bytes);
                    let file = format!("new/{name}");
                    let ran =
                        placemat("convert -i -f").args(&format!("{from} -t {to} {file}")).within(&d).run();
                    ran.ends(0);
                    assert!(ran.stderr.contains("in the output"), "{name}: {}", ran.stderr);
                    // To standard output, and from a stream whose start tells its kind, it is the same.
                    let aside =
                        placemat("convert -f").args(&format!("{from} -t {to} old/{name}")).within(&d).run();
                    assert_eq!(aside.stdout, d.read(&file), "{name}");
                    if ["xml", "html", "css", "po"].contains(&kind) {
                        let piped = placemat("convert -f")
                            .args(&format!("{from} -t {to}"))
                            .reads(bytes.clone())
                            .run();
                        assert_eq!(piped.stdout, d.read(&file), "{name}");
                    }
                    old.push((kind, format!("old/{name}")));
                    new.push((kind, file));
                    meant.push(words);
                }
            }
        }
    }
    assert!(new.len() > 150, "{}", new.len());
    let (before, after) = (read_by_programs(&d, &old), read_by_programs(&d, &new));
    for (((before, after), (_, name)), words) in before.iter().zip(&after).zip(&new).zip(meant) {
        assert_eq!(before.as_deref(), Some(words), "{name}");
        assert_eq!(after, before, "{name}");
    }
    assert_eq!(findings(&d, "new"), [], "no declaration is wrong after a conversion");
}

#[test]
fn labels_have_the_names_of_their_formats() {
    for (name, text, to, want) in [
        ("a.py", "# coding: utf-8\nx = 'ä'\n", "windows-1252", "# coding: cp1252\nx = '\u{e4}'\n"),
        (
            "b.el",
            "; -*- coding: utf-8-dos; x: y -*-\nä\n",
            "macintosh",
            "; -*- coding: mac-roman-dos; x: y -*-\nä\n",
        ),
        (
            "c.tex",
            "% !TeX encoding = UTF-8\n\\usepackage[utf8]{inputenc}ä",
            "windows-1252",
            "% !TeX encoding = windows-1252\n\\usepackage[cp1252]{inputenc}ä",
        ),
        ("d.txt", "ä\n/* vim: set fenc=utf-8 : */\n", "iso-8859-1", "ä\n/* vim: set fenc=latin1 : */\n"),
        (
            "e.po",
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\nä",
            "windows-1250",
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CP1250\\n\"\nä",
        ),
        ("f.aff", "SET UTF-8\nTRY ä\n", "iso-8859-2", "SET ISO8859-2\nTRY ä\n"),
        ("g.vim", "scriptencoding utf-8\n\" ä\n", "windows-1252", "scriptencoding cp1252\n\" ä\n"),
        (
            "h.html",
            "<meta charset=utf-8><meta http-equiv=content-type content=\"a;charset=utf-8\">ä",
            "iso-8859-15",
            "<meta charset=iso-8859-15><meta http-equiv=content-type content=\"a;charset=iso-8859-15\">ä",
        ),
        (
            "i.txt",
            "ä\nLocal Variables:\ncoding: utf-8\nEnd:\n",
            "windows-1252",
            "ä\nLocal Variables:\ncoding: windows-1252\nEnd:\n",
        ),
        ("j.pl", "=encoding utf8\n\nä\n", "iso-8859-1", "=encoding ISO-8859-1\n\nä\n"),
        (
            "k.xml",
            "<?xml version='1.0'?><a>ä</a>",
            "iso-8859-1",
            "<?xml version='1.0' encoding=\"ISO-8859-1\"?><a>ä</a>",
        ),
        (
            "l.svg",
            "<a>ä</a>\r\n",
            "iso-8859-1",
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\r\n<a>ä</a>\r\n",
        ),
    ] {
        let d = Directory::new();
        d.write(name, text);
        let ran = placemat("convert -t").arg(to).arg(name).within(&d).run();
        ran.ends(0);
        let back = placemat("convert --declaration keep -f").arg(to).reads(ran.stdout.clone()).run();
        assert_eq!(String::from_utf8(back.stdout).unwrap(), want, "{name}");
        let kept = placemat("convert --declaration keep -t").arg(to).arg(name).within(&d).run();
        kept.ends(0).says("");
        let kept = placemat("convert --declaration keep -f").arg(to).reads(kept.stdout).run();
        assert_eq!(String::from_utf8(kept.stdout).unwrap(), text, "{name}");
    }
}

#[test]
fn wide_encodings_have_declarations_too() {
    let d = Directory::new();
    let text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>😀 ä</a>";
    d.write("a.xml", text);
    for (to, label) in
        [("utf-16", "UTF-16"), ("utf-16le", "UTF-16LE"), ("utf-16be", "UTF-16BE"), ("ibm037", "IBM037")]
    {
        let text = if to == "ibm037" { text.replace('😀', "") } else { text.to_owned() };
        d.write("b.xml", &text);
        placemat("convert -o c.xml -t").arg(to).arg("b.xml").within(&d).run().ends(0);
        let back = placemat("convert --declaration keep -f").arg(to).arg("c.xml").within(&d).run();
        back.writes(text.replace("UTF-8", label));
        // And back again, with the declaration.
        let back = placemat("convert -f").arg(to).arg("c.xml").within(&d).run();
        back.ends(0).wrote(&text);
    }
}

#[test]
fn what_is_uncertain_stays() {
    let d = Directory::new();
    for (name, text) in [
        ("a.py", "x = '<meta charset=utf-8>ä'\n"),
        ("b.php", "<?php $charset = 'utf-8'; // ä\n"),
        ("c.txt", "# coding: utf-8\nä\n"),
        ("d.html", "<p title='<meta charset=utf-8>'>ä"),
        (
            "e.eml",
            "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nw6Q=\n",
        ),
        ("f.md", "`\\usepackage[utf8]{inputenc}` ä\n"),
        ("g.xml", "text ä\n"),
    ] {
        d.write(name, text);
        let ran = placemat("convert -t iso-8859-1").arg(name).within(&d).run();
        ran.ends(0).says("");
        let back = placemat("convert --declaration keep -f iso-8859-1").reads(ran.stdout.clone()).run();
        back.writes(text);
        placemat("convert").arg(name).within(&d).run().writes(text);
    }
    // Nothing is made wrong where the encoding stays.
    d.write("h.xml", "<?xml version='1.0' encoding='latin1'?><a/>\r\n");
    placemat("convert --eol lf h.xml")
        .within(&d)
        .run()
        .writes("<?xml version='1.0' encoding='latin1'?><a/>\n");
}

#[test]
fn a_format_without_the_encoding_is_said() {
    let d = Directory::new();
    d.write("a.py", "# coding: utf-8\nx = 'ä'\n");
    let ran = placemat("convert -t utf-16le a.py").within(&d).run();
    ran.ends(0).says(
        "a.py:1:11: declaration \"utf-8\" (coding cookie) is wrong for the output, which is UTF-16LE: the format has no name \
         for that\n",
    );
    d.write("b.pl", "use utf8;\nprint 'ä';\n");
    let ran = placemat("convert -t iso-8859-1 b.pl").within(&d).run();
    ran.ends(0).mentions(&["b.pl:1:5: declaration \"utf8\" (Perl use utf8) is wrong for the output"]);
}

#[test]
fn parts_of_a_mail_change_each() {
    let mail = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\
        Content-Type: text/plain; charset=utf-8\n\nä\n--b\nContent-Type: text/html; charset=\"UTF-8\"\n\
        Content-Transfer-Encoding: quoted-printable\n\n=C3=A4\n--b\nContent-Type: text/plain; charset=UTF-8\n\nASCII\n--b--\n";
    let d = Directory::new();
    d.write("a.eml", mail);
    let ran = placemat("convert -t iso-8859-1 a.eml").within(&d).run();
    ran.ends(0).says("a.eml:5:35: declaration \"utf-8\" is \"ISO-8859-1\" in the output (Content-Type)\n");
    let text = placemat("convert --declaration keep -f iso-8859-1").reads(ran.stdout.clone()).run();
    text.writes(mail.replacen("utf-8", "ISO-8859-1", 1));
    // The mail is known by its headers in a stream, too.
    let piped = placemat("convert -t iso-8859-1").reads(mail).run();
    piped.ends(0).wrote(&ran.stdout);
}

#[test]
fn errors_and_long_texts_keep_their_places() {
    let d = Directory::new();
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>ä";
    d.write("a.xml", format!("{head}\n€</a>"));
    let ran = placemat("convert -t iso-8859-1 a.xml").within(&d).run();
    ran.ends(1).mentions(&["a.xml:3:1: "]);
    let offset = format!("at byte {}", head.len() + 1);
    ran.mentions(&[&offset]);
    let long = format!("{head}{}</a>\n<!-- vim: set fenc=utf-8 : -->\n", "ö text\n".repeat(300_000));
    d.write("b.xml", &long);
    for options in ["", "--normalize nfc", "--eol crlf", "-j 1"] {
        let ran = placemat("convert -t windows-1252").args(options).arg("b.xml").within(&d).run();
        ran.ends(0);
        let back = placemat("convert --declaration keep -f windows-1252 --eol lf").reads(ran.stdout).run();
        let want = long.replacen("UTF-8", "windows-1252", 1).replace("fenc=utf-8", "fenc=cp1252");
        assert!(back.stdout == want.as_bytes(), "{options}");
    }
}

#[test]
fn a_wrong_configuration_is_doubted_for_standard_output_too() {
    let d = Directory::new();
    d.write(".editorconfig", "root = true\n[*]\ncharset = latin1\n");
    d.write("a", "Tomáš\n");
    d.write("b", b"caf\xE9\n");
    let refused = "placemat: a: not converted: it is UTF-8 already (--force converts it)\n";
    placemat("convert a").within(&d).run().ends(1).wrote("").says(refused);
    placemat("convert -o new a").within(&d).run().ends(1).says(refused);
    assert!(!d.path("new").exists());
    placemat("convert --force a").within(&d).run().ends(0).wrote("TomÃ¡Å¡\n");
    placemat("convert -f latin1 a").within(&d).run().ends(0).wrote("TomÃ¡Å¡\n");
    placemat("convert b").within(&d).run().ends(0).wrote("café\n");
    placemat("convert --output-dir out a b").within(&d).run().ends(1);
    assert!(!d.path("out/a").exists());
    assert_eq!(d.read("out/b"), "café\n".as_bytes());
}
