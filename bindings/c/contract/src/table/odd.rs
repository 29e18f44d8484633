//! The probes that are more than steps of one conversion.

use super::steps::Step::{Close, In, Reset};
use super::steps::take;
use crate::answer::Null::Outer;
use crate::answer::{Handle, Memory, clear_errno, errno, errno_name};
use crate::library::{Iconv, Raw};
use std::ffi::CString;
use std::ptr;

type Odd = (&'static str, fn(&dyn Iconv, &mut Memory) -> Vec<String>);

pub(super) const ODD: &[Odd] = &[
    ("handles: iconv(-1)", iconv_of_minus_one),
    ("handles: iconv_close(-1)", close_minus_one),
    ("handles: many at a time", many),
    ("handles: do not share shifts", interleaved),
    ("names: 10 MB", long_name),
    ("names: every byte", every_byte),
    ("text: 60 000 bytes at once", long_text),
    ("locales: C", |library, memory| in_locale(c"C", library, memory)),
    ("locales: C.UTF-8", |library, memory| in_locale(c"C.UTF-8", library, memory)),
    ("locales: not installed", |library, memory| in_locale(c"tlh_XX.KOI8-R", library, memory)),
];

fn minus_one() -> Raw {
    ptr::without_provenance_mut(usize::MAX)
}

fn iconv_of_minus_one(library: &dyn Iconv, _: &mut Memory) -> Vec<String> {
    clear_errno();
    let (mut src_left, mut dst_left) = (0, 0);
    // SAFETY: the handle -1 is allowed, and all pointers are null.
    let returned = unsafe {
        library.iconv(minus_one(), ptr::null_mut(), &raw mut src_left, ptr::null_mut(), &raw mut dst_left)
    };
    vec![format!("{} {}", returned.cast_signed(), errno_name(errno()))]
}

fn close_minus_one(library: &dyn Iconv, _: &mut Memory) -> Vec<String> {
    clear_errno();
    // SAFETY: the handle -1 is allowed.
    let returned = unsafe { library.close(minus_one()) };
    vec![format!("{returned} {}", errno_name(errno()))]
}

fn many(library: &dyn Iconv, memory: &mut Memory) -> Vec<String> {
    let mut handles: Vec<_> =
        (0..1000).filter_map(|_| Handle::open(library, b"ISO-2022-JP", b"UTF-8").ok()).collect();
    let mut lines = vec![format!("{} opened", handles.len())];
    for handle in handles.iter_mut().step_by(111) {
        lines.push(handle.convert(memory, "日".as_bytes(), 64).to_string());
    }
    lines.extend(handles.into_iter().step_by(200).map(|handle| format!("{:?}", handle.close())));
    lines
}

fn interleaved(library: &dyn Iconv, memory: &mut Memory) -> Vec<String> {
    let open = || Handle::open(library, b"ISO-2022-JP", b"UTF-8");
    let (Ok(mut one), Ok(mut two)) = (open(), open()) else { return vec!["not opened".into()] };
    let texts = ["日", "a", "本", "¥"];
    let mut lines = Vec::new();
    for text in texts {
        lines.push(one.convert(memory, text.as_bytes(), 64).to_string());
        lines.push(two.convert(memory, texts[0].as_bytes(), 64).to_string());
    }
    lines.push(one.reset_into(memory, 64, Outer).to_string());
    lines.push(two.reset_into(memory, 64, Outer).to_string());
    lines
}

fn long_name(library: &dyn Iconv, memory: &mut Memory) -> Vec<String> {
    let name = vec![b'A'; 10_000_000];
    let slashes = [b"UTF-8", &vec![b'/'; 100_000][..]].concat();
    [&name[..], &slashes]
        .iter()
        .flat_map(|name| {
            [take(library, memory, name, b"UTF-8", &[]), take(library, memory, b"UTF-8", name, &[])]
        })
        .flatten()
        .collect()
}

fn every_byte(library: &dyn Iconv, _: &mut Memory) -> Vec<String> {
    let opens = |name: &[u8]| {
        let name = CString::new(name).unwrap_or_default();
        clear_errno();
        // SAFETY: both names end in a zero byte.
        let raw = unsafe { library.open(name.as_ptr(), c"UTF-8".as_ptr()) };
        if raw == minus_one() {
            return errno_name(errno());
        }
        // SAFETY: the handle is open.
        unsafe { library.close(raw) };
        "opened".to_owned()
    };
    (1..=0xFF_u8)
        .flat_map(|byte| [vec![byte], [b"UTF-8", &[byte][..]].concat(), [&[byte], &b"UTF-8"[..]].concat()])
        .map(|name| format!("{}: {}", name.escape_ascii(), opens(&name)))
        .collect()
}

fn long_text(library: &dyn Iconv, memory: &mut Memory) -> Vec<String> {
    let text = "Grüße, Καλημέρα, добрый день, 日本語\n".repeat(1000);
    let Ok(mut handle) = Handle::open(library, b"UTF-16LE", b"UTF-8") else {
        return vec!["not opened".into()];
    };
    let mut rest = text.as_bytes();
    let mut lines = Vec::new();
    for room in [60_000, 5, 100, 60_000] {
        let answer = handle.convert(memory, &rest[..rest.len().min(60_000)], room);
        rest = &rest[usize::try_from(answer.read).unwrap_or(0).min(rest.len())..];
        lines.push(answer.to_string());
    }
    lines
}

fn in_locale(locale: &std::ffi::CStr, library: &dyn Iconv, memory: &mut Memory) -> Vec<String> {
    // SAFETY: the table runs in one thread, and the name ends in a zero byte.
    let set = unsafe { libc::setlocale(libc::LC_ALL, locale.as_ptr()) };
    let mut lines = vec![format!("installed: {}", !set.is_null())];
    let names: [&[u8]; 5] = [b"", b"char", b"//TRANSLIT", b"US-ASCII//TRANSLIT", b"ISO-8859-1//TRANSLIT"];
    for name in names {
        let text = "aéß“”€ﬁ中".as_bytes();
        lines.extend(take(library, memory, name, b"UTF-8", &[In(text, 64), Close(64, Outer), Reset(Outer)]));
    }
    for name in [&b""[..], b"char"] {
        lines.extend(take(library, memory, b"UTF-16LE", name, &[In(b"a\xC3\xA9", 64)]));
    }
    // SAFETY: the table runs in one thread, and the name is a C string.
    unsafe { libc::setlocale(libc::LC_ALL, c"C".as_ptr()) };
    lines
}
