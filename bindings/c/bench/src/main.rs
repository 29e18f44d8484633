//! Measures the speed of libplacemat_iconv against glibc's iconv:
//! `cargo run --release -p bench [-- NAME...]`.
//!
//! Both run in this process on the same buffers, in turn; a figure is the best of the rounds. Both
//! must first write the same bytes. `PLACEMAT_ICONV_SO` names another library. Arguments select
//! rows by a part of their name.

use std::ffi::{CString, c_char, c_int, c_void};
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_void;
type Convert =
    unsafe extern "C" fn(*mut c_void, *mut *mut c_char, *mut usize, *mut *mut c_char, *mut usize) -> usize;
type Close = unsafe extern "C" fn(*mut c_void) -> c_int;

/// An implementation of iconv(3).
#[derive(Clone, Copy)]
struct Engine {
    open: Open,
    convert: Convert,
    close: Close,
}

/// Returns glibc's functions, by their version: this program may itself run under a preload.
fn glibc() -> Engine {
    load(c"libc.so.6")
}

fn load(path: &std::ffi::CStr) -> Engine {
    // SAFETY: the path is a C string.
    let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    assert!(
        !library.is_null(),
        "cannot load {path:?}: build it with `cargo build --release -p placemat-iconv-c`"
    );
    let symbol = |name: &std::ffi::CStr| {
        // SAFETY: the library is loaded and the name is a C string.
        let address = unsafe { libc::dlsym(library, name.as_ptr()) };
        assert!(!address.is_null(), "no {name:?}");
        address
    };
    let (open, convert, close) = (symbol(c"iconv_open"), symbol(c"iconv"), symbol(c"iconv_close"));
    Engine {
        // SAFETY: the function of this name has this type.
        open: unsafe { std::mem::transmute::<*mut c_void, Open>(open) },
        // SAFETY: the function of this name has this type.
        convert: unsafe { std::mem::transmute::<*mut c_void, Convert>(convert) },
        // SAFETY: the function of this name has this type.
        close: unsafe { std::mem::transmute::<*mut c_void, Close>(close) },
    }
}

/// An open conversion.
struct Handle {
    engine: Engine,
    handle: *mut c_void,
}

impl Handle {
    fn new(engine: Engine, to: &str, from: &str) -> Option<Self> {
        let (to, from) = (CString::new(to).ok()?, CString::new(from).ok()?);
        // SAFETY: both are C strings.
        let handle = unsafe { (engine.open)(to.as_ptr(), from.as_ptr()) };
        (handle.addr() != usize::MAX).then_some(Self { engine, handle })
    }

    /// Converts a whole text from the start. Returns the length of the result, or `None` after an
    /// error.
    fn convert(&self, src: &[u8], dst: &mut [u8]) -> Option<usize> {
        let (mut src_at, mut src_left) = (src.as_ptr().cast_mut().cast(), src.len());
        let (mut dst_at, mut dst_left) = (dst.as_mut_ptr().cast(), dst.len());
        let none = std::ptr::null_mut();
        // SAFETY: the handle is open, and all is null: the state is reset.
        unsafe {
            (self.engine.convert)(self.handle, none, none.cast(), none, none.cast());
        }
        // SAFETY: the handle is open, and the buffers are as long as the lengths that are passed.
        let result = unsafe {
            (self.engine.convert)(
                self.handle,
                &raw mut src_at,
                &raw mut src_left,
                &raw mut dst_at,
                &raw mut dst_left,
            )
        };
        (result != usize::MAX && src_left == 0).then_some(dst.len() - dst_left)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle is open and not used again.
        unsafe { (self.engine.close)(self.handle) };
    }
}

/// Returns the best time of one call of each, in turn.
fn race(mut calls: [&mut dyn FnMut(); 2]) -> [Duration; 2] {
    let mut best = [Duration::MAX; 2];
    let mut times = [1_u32; 2];
    for (call, times) in calls.iter_mut().zip(&mut times) {
        let start = Instant::now();
        let mut count = 0;
        while start.elapsed() < Duration::from_micros(300) {
            call();
            count += 1;
        }
        *times = count;
    }
    for round in 0..25 {
        for i in [round % 2, 1 - round % 2] {
            let start = Instant::now();
            for _ in 0..times[i] {
                calls[i]();
            }
            best[i] = best[i].min(start.elapsed() / times[i]);
        }
    }
    best
}

struct Bench {
    engines: [Engine; 2],
    only: Vec<String>,
    behind: usize,
}

impl Bench {
    fn wants(&self, row: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|part| row.contains(part))
    }

    /// Prints a row. `goal` is the smallest allowed ratio of glibc's time to ours.
    fn row(&mut self, name: &str, size: Option<usize>, [glibc, ours]: [Duration; 2], goal: f64) {
        let ratio = glibc.as_secs_f64() / ours.as_secs_f64();
        let shown = |time: Duration| match size {
            Some(bytes) => format!("{:.2} GB/s", bytes as f64 / time.as_secs_f64() / 1e9),
            None => format!("{} ns", time.as_nanos()),
        };
        self.behind += usize::from(ratio < goal);
        let mark = if ratio < goal { "**" } else { "" };
        println!("| {name} | {} | {} | {mark}{ratio:.2} ×{mark} | {goal} × |", shown(glibc), shown(ours));
    }

    /// Converts `text`, which is UTF-8, between two encodings, truncated to `len` bytes.
    fn pair(&mut self, name: &str, to: &str, from: &str, text: &str, len: usize, goal: f64) -> Option<()> {
        if !self.wants(name) {
            return None;
        }
        let mut src = vec![0; 8 * text.len()];
        let encoded = Handle::new(self.engines[0], from, "UTF-8")?.convert(text.as_bytes(), &mut src)?;
        src.truncate(encoded.min(len));
        let handles = [0, 1].map(|i| Handle::new(self.engines[i], to, from));
        let [Some(glibc), Some(ours)] = handles else { return None };
        let mut results = [vec![0; 8 * src.len() + 64], vec![0; 8 * src.len() + 64]];
        // The end may lie within a character.
        let mut whole = None;
        for _ in 0..8 {
            whole = glibc.convert(&src, &mut results[0]);
            if whole.is_some() {
                break;
            }
            src.pop();
        }
        let whole = whole?;
        let same =
            ours.convert(&src, &mut results[1]) == Some(whole) && results[0][..whole] == results[1][..whole];
        if !same {
            println!("| {name} | | | the results differ | |");
            self.behind += 1;
            return None;
        }
        let [mut a, mut b] = results;
        let times = race([&mut || _ = black_box(glibc.convert(black_box(&src), &mut a)), &mut || {
            _ = black_box(ours.convert(black_box(&src), &mut b));
        }]);
        self.row(name, (len > 1000).then_some(src.len()), times, goal);
        Some(())
    }
}

const LATIN: &str =
    "Plain text of a page, with a caf\u{e9} and na\u{ef}vet\u{e9}, numbers 12345 and <b>marks</b>. ";
const RUSSIAN: &str = "Съешь же ещё этих мягких французских булок, да выпей чаю. ";
const JAPANESE: &str = "日本語のテキスト、漢字とかな。カタカナも少し。";
const CHINESE: &str = "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心。";
const KOREAN: &str = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. ";

/// The names of the short calls, and a text for each.
const SHORT_CALLS: &[(&str, &str)] = &[
    ("UTF-8", ""),
    ("UTF-16", ""),
    ("UTF-16LE", ""),
    ("UTF-16BE", ""),
    ("UTF-32LE", ""),
    ("UCS-2LE", ""),
    ("UTF-7", ""),
    ("ASCII", "plain"),
    ("ISO-8859-1", LATIN),
    ("ISO-8859-15", LATIN),
    ("CP1252", LATIN),
    ("CP850", LATIN),
    ("MACINTOSH", LATIN),
    ("IBM037", LATIN),
    ("KOI8-R", RUSSIAN),
    ("KOI8-U", RUSSIAN),
    ("CP1251", RUSSIAN),
    ("ISO-8859-5", RUSSIAN),
    ("CP866", RUSSIAN),
    ("SHIFT_JIS", JAPANESE),
    ("CP932", JAPANESE),
    ("EUC-JP", JAPANESE),
    ("ISO-2022-JP", JAPANESE),
    ("GBK", CHINESE),
    ("GB18030", CHINESE),
    ("GB2312", CHINESE),
    ("BIG5", "人人生而自由"),
    ("EUC-KR", KOREAN),
    ("CP949", KOREAN),
    ("ISO-2022-KR", KOREAN),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let check = arguments.iter().any(|argument| argument == "--check");
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/libplacemat_iconv.so");
    let path = std::env::var_os("PLACEMAT_ICONV_SO").unwrap_or_else(|| default.into());
    let library = CString::new(path.to_str().expect("a path in UTF-8")).expect("a path without a zero byte");
    let only = arguments.into_iter().filter(|argument| argument != "--check").collect();
    let mut bench = Bench { engines: [glibc(), load(&library)], only, behind: 0 };
    if check {
        return agree(&bench);
    }
    println!("| conversion | glibc | placemat | times as fast | goal |\n| --- | --- | --- | --- | --- |");
    long(&mut bench);
    short(&mut bench);
    openings(&mut bench);
    starts(&mut bench, &path);
    println!("\n{} rows are below their goal", bench.behind);
}

fn long(bench: &mut Bench) {
    let unicode = ["UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-16"];
    for (text, script) in [(LATIN, "Latin"), (RUSSIAN, "Russian"), (JAPANESE, "Japanese")] {
        let text = text.repeat(80_000 / text.len());
        for from in unicode {
            for to in unicode {
                bench.pair(&format!("{from} to {to}, {script}"), to, from, &text, 80_000, 10.0);
            }
        }
    }
    for (names, text) in [
        (&["ISO-8859-1", "CP1252", "ISO-8859-15", "IBM037"], LATIN),
        (&["KOI8-R", "CP1251", "CP866", "ISO-8859-5"], RUSSIAN),
    ] {
        let text = text.repeat(80_000 / text.len());
        for from in names.iter().copied().chain(["UTF-8", "UTF-16LE"]) {
            for to in names.iter().copied().chain(["UTF-8", "UTF-16LE"]) {
                if !(from.starts_with("UTF") && to.starts_with("UTF")) {
                    bench.pair(&format!("{from} to {to}"), to, from, &text, 80_000, 10.0);
                }
            }
        }
    }
    for (name, text) in [
        ("SHIFT_JIS", JAPANESE),
        ("CP932", JAPANESE),
        ("EUC-JP", JAPANESE),
        ("GBK", CHINESE),
        ("GB18030", CHINESE),
        ("EUC-KR", KOREAN),
        ("BIG5", "人人生而自由"),
    ] {
        let text = text.repeat(80_000 / text.len());
        bench.pair(&format!("{name} to UTF-8"), "UTF-8", name, &text, 80_000, 2.5);
        bench.pair(&format!("UTF-8 to {name}"), name, "UTF-8", &text, 80_000, 1.5);
    }
}

fn short(bench: &mut Bench) {
    for &(from, text) in SHORT_CALLS {
        for &(to, other) in SHORT_CALLS {
            // Choose a text that both represent: that of the one, if the other represents all of
            // Unicode or the same language.
            let text = match (text, other) {
                ("", "") => RUSSIAN,
                ("", text) | (text, "") => text,
                (a, b) if a == b => a,
                _ => "A call with forty bytes of plain text...",
            };
            bench.pair(&format!("40 bytes: {from} to {to}"), to, from, &text.repeat(4), 40, 1.0);
        }
    }
}

fn openings(bench: &mut Bench) {
    for &(from, _) in SHORT_CALLS {
        for (to, from) in [("UTF-8", from), (from, "UTF-8"), ("EUC-JP", from), ("ASCII//TRANSLIT", from)] {
            let name = format!("open and close: {from} to {to}");
            if !bench.wants(&name) {
                continue;
            }
            // One handle stays open, so that glibc's module stays loaded.
            let kept = [0, 1].map(|i| Handle::new(bench.engines[i], to, from));
            if kept.iter().any(Option::is_none) {
                continue;
            }
            let [glibc, ours] = bench.engines;
            let times = race([&mut || drop(black_box(Handle::new(glibc, to, from))), &mut || {
                drop(black_box(Handle::new(ours, to, from)));
            }]);
            bench.row(&name, None, times, 1.0 / 1.5);
        }
    }
}

/// Measures the time from the start of a program to its end, with the preload and without.
fn starts(bench: &mut Bench, library: &std::ffi::OsStr) {
    let name = "start of a program with the preload, against without";
    if !bench.wants(name) {
        return;
    }
    let run = |preload: bool| {
        let mut command = Command::new("/bin/true");
        if preload {
            command.env("LD_PRELOAD", library);
        }
        let start = Instant::now();
        let status = command.status().expect("/bin/true runs");
        assert!(status.success());
        start.elapsed()
    };
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..400 {
        times[0].push(run(false));
        times[1].push(run(true));
    }
    let [without, with] = times.map(|mut all| {
        all.sort();
        all[all.len() / 2]
    });
    let more = with.saturating_sub(without);
    println!("| {name} | {without:?} | {with:?} | {more:?} more | 200 µs |");
    bench.behind += usize::from(more > Duration::from_micros(200));
}

/// Checks that both write the same bytes, and measures nothing.
fn agree(bench: &Bench) {
    let mut pairs = 0;
    for &(from, text) in SHORT_CALLS {
        for &(to, other) in SHORT_CALLS {
            let text = if other.is_empty() || other == text { text } else { "" };
            let text = if text.is_empty() { "plain text" } else { text };
            let handles = bench.engines.map(|engine| {
                let mut src = vec![0; 8 * text.len() + 64];
                let len = Handle::new(engine, from, "UTF-8")?.convert(text.as_bytes(), &mut src)?;
                let mut dst = vec![0; 8 * src.len() + 64];
                let len = Handle::new(engine, to, from)?.convert(&src[..len], &mut dst)?;
                Some(dst[..len].to_vec())
            });
            // The other charset lacks some of these texts.
            if handles[0].is_none() {
                continue;
            }
            assert!(handles[0] == handles[1], "{from} to {to}: {handles:02x?}");
            pairs += 1;
        }
    }
    println!("{pairs} pairs agree");
    assert!(pairs > 800, "only {pairs} pairs were compared");
}
