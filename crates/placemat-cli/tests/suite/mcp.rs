//! `placemat mcp`: JSON-RPC on standard input and output, and files that stay in the directories given.

#![cfg(unix)]

use crate::run::{Directory, Ran, placemat};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::symlink;
use std::process::{Child, Command, Stdio};

const RUSSIAN: &[u8] =
    b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xD1\xEA\xEE\xF0\xEE \xE2\xE5\xF1\xED\xE0.\r\n\
    \xCC\xFB \xE6\xE8\xE2\xB8\xEC \xE2 \xE1\xEE\xEB\xFC\xF8\xEE\xEC \xE3\xEE\xF0\xEE\xE4\xE5.\r\n\
    \xD1\xEF\xE0\xF1\xE8\xE1\xEE \xE7\xE0 \xE2\xED\xE8\xEC\xE0\xED\xE8\xE5.\r\n";

/// A server that runs.
struct Server {
    child: Child,
    answers: BufReader<std::process::ChildStdout>,
    next: u64,
}

impl Server {
    fn start(d: &Directory, args: &str) -> Self {
        let mut command = placemat("mcp").args(args).within(d).command;
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, answers, next: 0 }
    }

    fn send(&mut self, line: &[u8]) {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(line).unwrap();
        stdin.write_all(b"\n").unwrap();
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line:?}"))
    }

    /// Returns the answer to a request.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params });
        self.send(request.to_string().as_bytes());
        let answer = self.answer();
        assert_eq!(answer["id"], self.next, "{answer}");
        answer
    }

    /// Calls a tool. Returns whether it failed, and its texts.
    fn call(&mut self, tool: &str, arguments: Value) -> (bool, String) {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        let content = answer["result"]["content"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let texts: Vec<_> = content.iter().map(|part| part["text"].as_str().unwrap()).collect();
        (answer["result"]["isError"].as_bool().unwrap(), texts.join("|"))
    }

    #[track_caller]
    fn done(&mut self, tool: &str, arguments: Value) -> String {
        let (is_error, text) = self.call(tool, arguments);
        assert!(!is_error, "{text}");
        text
    }

    #[track_caller]
    fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let (is_error, text) = self.call(tool, arguments.clone());
        assert!(is_error, "{arguments}: {text}");
        assert!(!text.is_empty() && !text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
        text
    }

    fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

/// Runs a server with all its input at once.
fn run(d: &Directory, input: impl Into<Vec<u8>>) -> Ran {
    placemat("mcp .").within(d).reads(input).run()
}

#[test]
fn the_protocol_of_both_eras() {
    let d = Directory::new();
    let mut server = Server::start(&d, ".");
    for (wanted, got) in
        [("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")]
    {
        let params = json!({
            "protocolVersion": wanted, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
        });
        let result = &server.ask("initialize", params)["result"];
        assert_eq!(result["protocolVersion"], got);
        assert_eq!(result["serverInfo"]["name"], "placemat");
        assert!(result["capabilities"]["tools"].is_object());
        assert!(
            result["instructions"]
                .as_str()
                .unwrap()
                .contains(d.path("").canonicalize().unwrap().to_str().unwrap())
        );
        assert!(result.get("resultType").is_none());
    }
    // A notification has no answer.
    server.send(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert_eq!(server.ask("ping", json!({}))["result"], json!({}));
    let tools = server.ask("tools/list", json!({}))["result"]["tools"].clone();
    let names: Vec<_> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["read_text", "edit_text", "write_text", "detect", "check", "repair"]);
    for tool in tools.as_array().unwrap() {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object");
        for name in schema["required"].as_array().unwrap() {
            assert!(schema["properties"].get(name.as_str().unwrap()).is_some(), "{tool}");
        }
        assert!(tool["description"].as_str().unwrap().len() > 20);
    }
    // The revision without `initialize`.
    let meta = |revision: &str| json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": revision } });
    let result = server.ask("server/discover", meta("2026-07-28"))["result"].clone();
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["supportedVersions"][0], "2026-07-28");
    assert_eq!(server.ask("tools/list", meta("2026-07-28"))["result"]["resultType"], "complete");
    let error = server.ask("tools/list", meta("2030-01-01"))["error"].clone();
    assert_eq!(error["code"], -32022);
    assert_eq!(error["data"]["requested"], "2030-01-01");
    server.end();
}

#[test]
fn wrong_messages_have_errors_and_the_server_goes_on() {
    let d = Directory::new();
    let deep = "[".repeat(100_000);
    let long = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{}\"}}", "x".repeat(33 << 20));
    for (line, code) in [
        ("{", -32700),
        ("nonsense", -32700),
        ("\u{1B}[2J", -32700),
        (deep.as_str(), -32700),
        ("[]", -32600),
        ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600),
        ("1", -32600),
        ("null", -32600),
        ("{}", -32600),
        (r#"{"id":{},"method":"ping"}"#, -32600),
        (r#"{"id":null,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}"#, -32602),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"detect","arguments":[]}}"#,
            -32602,
        ),
        (long.as_str(), -32600),
    ] {
        let ran = run(&d, format!("{line}\n{{\"jsonrpc\":\"2.0\",\"id\":\"next\",\"method\":\"ping\"}}\n"));
        ran.ends(0).says("");
        let text = String::from_utf8(ran.stdout).unwrap();
        let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let start: String = line.chars().take(80).collect();
        assert_eq!(answers.len(), 2, "{start}: {text}");
        assert_eq!(answers[0]["error"]["code"], code, "{start}: {text}");
        assert_eq!(answers[1]["id"], "next");
    }
    // Bytes that are not UTF-8, empty lines, answers of the client, a last line without its end.
    let ran = run(
        &d,
        b"\xFF\xFE\n\n \r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n{\"id\":7,\"method\":\"ping\"}"
            .to_vec(),
    );
    ran.ends(0).says("");
    assert_eq!(ran.stdout.iter().filter(|&&byte| byte == b'\n').count(), 2, "{}", ran.stdout.escape_ascii());
    placemat("mcp none").within(&d).run().ends(2).says("placemat: none: no such file or directory\n");
    d.write("file", "x");
    placemat("mcp file").within(&d).run().ends(2).says("placemat: file: is not a directory\n");
    placemat("mcp").within(&d).run().ends(2);
    placemat("mcp . --log -").within(&d).run().ends(2).mentions(&["--log"]);
}

#[test]
fn files_are_read_and_changed_in_their_own_encoding() {
    let d = Directory::new();
    d.write("a.txt", RUSSIAN);
    let mut server = Server::start(&d, ".");
    let text = server.done("read_text", json!({ "path": "a.txt" }));
    let path = d.path("a.txt").canonicalize().unwrap();
    let head = format!("{}: windows-1251, line ends CR LF, no signature, 3 lines", path.display());
    assert_eq!(
        text,
        format!("Привет, мир! Скоро весна.\nМы живём в большом городе.\nСпасибо за внимание.\n|{head}")
    );
    let text = server.done("read_text", json!({ "path": path, "lines": "2", "numbers": true }));
    assert!(
        text.starts_with("     2\tМы живём в большом городе.\n|") && text.ends_with("lines 2 to 2 are shown")
    );
    // An edit.
    let edit =
        json!({ "path": "a.txt", "old_text": "весна.\nМы", "new_text": "зима.\nВот\nмы", "dry_run": true });
    assert!(server.done("edit_text", edit.clone()).contains("would change"));
    assert_eq!(d.read("a.txt"), RUSSIAN);
    let mut edit = edit;
    edit["dry_run"] = false.into();
    let text = server.done("edit_text", edit);
    assert!(text.contains("; windows-1251|--- ") && text.contains("+Привет, мир! Скоро зима.\n"), "{text}");
    let changed = |old: &[u8], from: &[u8], to: &[u8]| {
        let at = old.windows(from.len()).position(|window| window == from).unwrap();
        [&old[..at], to, &old[at + from.len()..]].concat()
    };
    let want = changed(
        RUSSIAN,
        b"\xE2\xE5\xF1\xED\xE0.\r\n\xCC\xFB",
        b"\xE7\xE8\xEC\xE0.\r\n\xC2\xEE\xF2\r\n\xEC\xFB",
    );
    assert_eq!(d.read("a.txt"), want);
    server.done("edit_text", json!({ "path": "a.txt", "lines": "2", "new_text": "" }));
    assert_eq!(d.read("a.txt"), changed(&want, b"\xC2\xEE\xF2\r\n", b""));
    server.done("write_text", json!({
        "path": "a.txt", "text": "Привет, мир! Скоро весна.\nМы живём в большом городе.\nСпасибо за внимание.\n",
    }));
    assert_eq!(d.read("a.txt"), RUSSIAN);
    // A new file.
    let text = server.done("write_text", json!({ "path": "new.txt", "text": "é\n" }));
    assert!(text.ends_with("new.txt: created, 3 bytes of UTF-8"), "{text}");
    server.done("write_text", json!({ "path": "new2.txt", "text": "é\n", "encoding": "latin1" }));
    assert_eq!((d.read("new.txt"), d.read("new2.txt")), ("é\n".as_bytes().to_vec(), b"\xE9\n".to_vec()));
    // The other commands.
    assert!(server.done("detect", json!({ "path": "a.txt" })).contains("windows-1251"));
    assert!(server.done("check", json!({ "path": "a.txt" })).contains("a.txt:1:1: "));
    assert!(
        server
            .done("check", json!({ "path": "a.txt", "encoding": "cp1251" }))
            .ends_with("no findings in windows-1251")
    );
    d.write("bad.txt", "cafÃ© de la gare\n");
    assert!(server.done("repair", json!({ "path": "bad.txt", "dry_run": true })).contains("would change"));
    assert_eq!(d.read("bad.txt"), "cafÃ© de la gare\n".as_bytes());
    server.done("repair", json!({ "path": "bad.txt" }));
    assert_eq!(d.read("bad.txt"), "café de la gare\n".as_bytes());
    // Refusals say what to do, and change nothing.
    for (tool, arguments, said) in [
        ("edit_text", json!({ "path": "a.txt", "old_text": "о", "new_text": "x" }), "give `all`"),
        ("edit_text", json!({ "path": "a.txt", "old_text": "нет", "new_text": "x" }), "does not occur"),
        ("edit_text", json!({ "path": "a.txt", "old_text": "мир", "new_text": "日" }), "U+65E5"),
        ("edit_text", json!({ "path": "a.txt", "new_text": "x" }), "give either `old_text` or `lines`"),
        ("edit_text", json!({ "path": "a.txt", "lines": "9", "new_text": "x" }), "there is no line 9"),
        ("edit_text", json!({ "path": "a.txt", "lines": "x", "new_text": "x" }), "`lines` is a range"),
        ("edit_text", json!({ "path": "a.txt", "old_text": 1, "new_text": "x" }), "`old_text` is a string"),
        ("edit_text", json!({ "path": "a.txt", "old": "x", "new_text": "x" }), "there is no argument `old`"),
        ("write_text", json!({ "path": "a.txt", "text": "" }), "empties no file"),
        ("write_text", json!({ "path": "a.txt", "text": "č", "encoding": "cp1251" }), "U+010D"),
        ("write_text", json!({ "path": "x.txt", "text": "č", "encoding": "cp1251" }), "U+010D"),
        ("write_text", json!({ "path": "no/x.txt", "text": "x" }), "no such file or directory"),
        ("read_text", json!({ "path": "a.txt", "encoding": "utf9" }), "did you mean utf-8"),
        ("read_text", json!({ "path": "none" }), "no such file or directory"),
        ("read_text", json!({}), "`path` is missing"),
        ("repair", json!({ "path": "a.txt", "fallback": "utf9" }), "did you mean utf-8"),
        ("detect", json!({ "path": "none" }), "no such file or directory"),
    ] {
        let text = server.refused(tool, arguments.clone());
        assert!(text.contains(said), "{arguments}: {text}");
        assert_eq!(d.read("a.txt"), RUSSIAN);
    }
    assert!(!d.path("x.txt").exists());
    // Doubt, a long text, a long file.
    d.write("doubt", b"\x9Fe\n");
    let text = server.refused("edit_text", json!({ "path": "doubt", "old_text": "e", "new_text": "x" }));
    assert!(text.contains("not certain") && text.contains("give it as `encoding`"), "{text}");
    d.write("long", "some text\n".repeat(100_000));
    let text = server.refused("read_text", json!({ "path": "long" }));
    assert!(text.contains("ask for some with `lines`"), "{text}");
    server.done("read_text", json!({ "path": "long", "lines": "50000-60000" }));
    // A result that would not fit.
    d.write("many", "aa\n".repeat(1_000_000));
    let arguments = json!({ "path": "many", "old_text": "a", "new_text": "b", "all": true });
    assert!(server.refused("edit_text", arguments).contains("more than 1,000,000 times"));
    let new = "x".repeat(1 << 20);
    let arguments = json!({ "path": "many", "old_text": "aa\n", "new_text": new, "all": true });
    assert!(server.refused("edit_text", arguments).contains("would have more than 16,777,216 bytes"));
    server.done("edit_text", json!({ "path": "many", "old_text": "aa\n", "new_text": "b\n", "all": true }));
    assert_eq!(d.read("many"), "b\n".repeat(1_000_000).as_bytes());
    fs::File::create(d.path("large")).unwrap().set_len(17 << 20).unwrap();
    for tool in ["read_text", "detect", "check", "repair"] {
        assert!(server.refused(tool, json!({ "path": "large" })).contains("more than the"));
    }
    server.end();
}

#[test]
fn changes_are_on_record() {
    let d = Directory::new();
    fs::create_dir(d.path("in")).unwrap();
    d.write("in/a", RUSSIAN);
    d.write("in/b", "cafÃ© de la gare\n");
    d.write("edits.log", "an old log\n");
    let mut server = Server::start(&d, "in --log edits.log");
    server.done("read_text", json!({ "path": "a" }));
    server.done("edit_text", json!({ "path": "a", "old_text": "весна", "new_text": "x", "dry_run": true }));
    assert!(!d.path("edits.log.2").exists());
    server.done("edit_text", json!({ "path": "a", "old_text": "весна", "new_text": "зима" }));
    let first = d.read("in/a");
    server.refused("edit_text", json!({ "path": "a", "old_text": "зима", "new_text": "春" }));
    server.done("edit_text", json!({ "path": "a", "old_text": "зима", "new_text": "осень" }));
    server.done("repair", json!({ "path": "b" }));
    server.done("write_text", json!({ "path": "new", "text": "né\n", "encoding": "latin1" }));
    server.done("write_text", json!({ "path": "other", "text": "x\n" }));
    d.write("in/other", "y\n");
    // The server still runs: the record is on the disk.
    let undo = || placemat("repair -i --undo edits.log.2").within(&d).run();
    let dry = placemat("repair -i --undo edits.log.2 --dry-run").within(&d).run();
    assert!(String::from_utf8(dry.stdout).unwrap().contains("new: would be removed, 3 bytes\n"));
    assert_eq!(d.read("in/new"), b"n\xE9\n");
    // A file that was created is removed, unless it has changed.
    undo().ends(2).wrote("").mentions(&["other: has changed"]);
    assert!(!d.path("in/new").exists());
    assert_eq!(d.read("in/other"), b"y\n");
    fs::remove_file(d.path("in/other")).unwrap();
    assert_eq!((d.read("in/a"), d.read("in/b")), (first, "cafÃ© de la gare\n".as_bytes().to_vec()));
    undo().ends(0);
    assert_eq!(d.read("in/a"), RUSSIAN);
    assert_eq!(d.read("edits.log"), b"an old log\n");
    server.end();
}

/// The paths that lead out of the directory, or to what is no file: none is read or changed.
#[test]
fn nothing_outside_is_reached() {
    let d = Directory::new();
    for directory in ["in/sub", "in/other", "out/sub", "inside"] {
        fs::create_dir_all(d.path(directory)).unwrap();
    }
    d.write("out/secret", "secret\n");
    d.write("out/sub/secret", "secret\n");
    d.write("inside/secret", "secret\n");
    d.write("in/sub/a", "text\n");
    let outside = d.path("out/secret").canonicalize().unwrap();
    symlink(&outside, d.path("in/link")).unwrap();
    symlink("../out/secret", d.path("in/relative")).unwrap();
    symlink("../out", d.path("in/directory")).unwrap();
    symlink("../../out/sub", d.path("in/sub/directory")).unwrap();
    symlink("link", d.path("in/chain")).unwrap();
    symlink("loop", d.path("in/loop")).unwrap();
    symlink("../out/new", d.path("in/dangling")).unwrap();
    symlink("/dev/zero", d.path("in/zero")).unwrap();
    symlink("/proc/self/environ", d.path("in/proc")).unwrap();
    symlink("sub/a", d.path("in/good")).unwrap();
    assert!(Command::new("mkfifo").arg(d.path("in/fifo")).status().unwrap().success());
    let socket = std::os::unix::net::UnixListener::bind(d.path("in/socket"));
    let outside = outside.to_str().unwrap();
    let neighbor = d.path("inside/secret").canonicalize().unwrap();
    let dotted = format!("{}/../out/secret", d.path("in").canonicalize().unwrap().display());
    let attacks = [
        "../out/secret",
        "sub/../../out/secret",
        "./sub/../../out/secret",
        &dotted,
        outside,
        // A name that begins like that of the directory.
        neighbor.to_str().unwrap(),
        "/etc/passwd",
        "/proc/self/environ",
        "/dev/stdin",
        "/",
        "link",
        "relative",
        "directory/secret",
        "sub/directory/secret",
        "directory",
        "chain",
        "loop",
        "dangling",
        "zero",
        "proc",
        "fifo",
        "socket",
        "sub",
        ".",
        "",
        "sub/a/",
        "sub/a/..",
        "a\0b",
        "~/x",
        "\\..\\out\\secret",
        "%2e%2e/out/secret",
        "-",
    ];
    assert!(attacks.len() >= 20);
    let mut server = Server::start(&d, "in");
    for path in attacks {
        if path == "socket" && socket.is_err() {
            continue;
        }
        for (tool, arguments) in [
            ("read_text", json!({ "path": path })),
            ("edit_text", json!({ "path": path, "old_text": "secret", "new_text": "public" })),
            ("detect", json!({ "path": path })),
            ("check", json!({ "path": path })),
            ("repair", json!({ "path": path })),
            ("write_text", json!({ "path": path, "text": "public\n" })),
        ] {
            // New files within the directory are no attack.
            let is_new = ["~/x", "\\..\\out\\secret", "%2e%2e/out/secret", "-"].contains(&path);
            if is_new && tool == "write_text" {
                continue;
            }
            let text = server.refused(tool, arguments);
            assert!(!text.contains("secret\n") && !text.contains("PATH="), "{path}: {text}");
        }
        assert!(!d.path("out/new").exists(), "{path}");
    }
    for secret in ["out/secret", "out/sub/secret", "inside/secret"] {
        assert_eq!(d.read(secret), b"secret\n");
    }
    // A link within the directory is followed.
    server.done("edit_text", json!({ "path": "good", "old_text": "text", "new_text": "new" }));
    assert_eq!(d.read("in/sub/a"), b"new\n");
    assert!(fs::symlink_metadata(d.path("in/good")).unwrap().is_symlink());
    // The directory is held open: another in its place is not used.
    fs::rename(d.path("in"), d.path("moved")).unwrap();
    symlink("out", d.path("in")).unwrap();
    let text = server.refused("read_text", json!({ "path": "secret" }));
    assert!(!text.contains("secret\n"), "{text}");
    server.end();
}

/// A program puts links in the place of directories and files all the time: what is outside is never read or changed.
#[test]
fn files_that_are_swapped_do_no_harm() {
    let d = Directory::new();
    for directory in ["in/sub", "out"] {
        fs::create_dir_all(d.path(directory)).unwrap();
    }
    d.write("out/a", "secret\n");
    d.write("in/sub/a", "text\n");
    let (sub, spare, out) = (d.path("in/sub"), d.path("in/spare"), d.path("out").canonicalize().unwrap());
    let stop = core::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let swaps = scope.spawn(|| {
            while !stop.load(core::sync::atomic::Ordering::Relaxed) {
                fs::rename(&sub, &spare).unwrap();
                symlink(&out, &sub).unwrap();
                fs::remove_file(&sub).unwrap();
                fs::rename(&spare, &sub).unwrap();
            }
        });
        let mut server = Server::start(&d, "in");
        for number in 0..300 {
            let (_, text) = server.call("read_text", json!({ "path": "sub/a" }));
            assert!(!text.contains("secret"), "{text}");
            let lines = json!({ "path": "sub/a", "lines": "1", "new_text": format!("text {number}") });
            server.call("edit_text", lines);
            server.call("write_text", json!({ "path": "sub/b", "text": "text\n" }));
        }
        stop.store(true, core::sync::atomic::Ordering::Relaxed);
        swaps.join().unwrap();
        // How many calls met the right directory depends on the machine; now each one does.
        server.done("read_text", json!({ "path": "sub/a" }));
        server.end();
    });
    assert_eq!(d.read("out/a"), b"secret\n");
    assert_eq!(fs::read_dir(d.path("out")).unwrap().count(), 1);
}

/// Returns the memory of a process in KiB, and the number of its descriptors.
#[cfg(target_os = "linux")]
fn held(process: u32) -> (u64, usize) {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let descriptors = fs::read_dir(format!("/proc/{process}/fd")).unwrap().count();
    (memory.trim().trim_end_matches(" kB").parse().unwrap(), descriptors)
}

/// A server that works for long holds no more than one that began. A long run takes half an hour.
#[cfg(target_os = "linux")]
#[test]
fn memory_and_descriptors_stay() {
    use core::time::Duration;
    use std::time::Instant;
    let d = Directory::new();
    let damaged = "cafÃ© de la gare\n".repeat(2_000);
    d.write("a.txt", RUSSIAN.repeat(500));
    d.write("b.txt", &damaged);
    d.write("doubt", b"a\x80b\n");
    let mut server = Server::start(&d, ".");
    let (began, long) = (Instant::now(), std::env::var_os("PLACEMAT_LONG").is_some());
    let goes_on = |job: u64| if long { began.elapsed() < Duration::from_secs(30 * 60) } else { job < 800 };
    let (mut turn, mut jobs, mut first) = (1_u64, 0, (0, 0));
    while goes_on(jobs) {
        jobs += 1;
        turn = turn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let season =
            if jobs.is_multiple_of(2) { ("весна", "осень") } else { ("осень", "весна") };
        let (tool, arguments) = match (turn >> 33) % 9 {
            0 => ("read_text", json!({ "path": "a.txt", "lines": "1-900" })),
            1 => ("detect", json!({ "path": "a.txt" })),
            2 => ("check", json!({ "path": "a.txt", "encoding": "cp1251" })),
            3 => ("check", json!({ "path": "b.txt" })),
            4 => {
                let (old, new) = season;
                ("edit_text", json!({ "path": "a.txt", "old_text": old, "new_text": new, "all": true }))
            }
            5 => ("repair", json!({ "path": "b.txt" })),
            6 => ("write_text", json!({ "path": "b.txt", "text": damaged })),
            7 => ("edit_text", json!({ "path": "doubt", "old_text": "e", "new_text": "x" })),
            _ => ("read_text", json!({ "path": "../outside" })),
        };
        // Some are refused: the text is not there, or the path is outside.
        server.call(tool, arguments);
        if jobs == 200 {
            first = held(server.child.id());
        }
    }
    let last = held(server.child.id());
    println!("{jobs} jobs: {} KiB and {} descriptors, {} and {} after 200", last.0, last.1, first.0, first.1);
    assert_eq!(last.1, first.1, "descriptors");
    assert!(
        last.0 < first.0 + first.0 / 4 + 4_096,
        "{} KiB after {jobs} jobs, {} after 200",
        last.0,
        first.0
    );
    server.end();
}
