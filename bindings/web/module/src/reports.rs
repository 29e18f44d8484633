//! Reports as JSON, and the facts about each encoding.

use alloc::format;
use alloc::string::String;
use core::cell::RefCell;
use core::fmt::Write;
use placemat::{Encoding, label};

/// The last report that was asked for.
struct Report(RefCell<String>);

// SAFETY: a module has one thread.
unsafe impl Sync for Report {}

static REPORT: Report = Report(RefCell::new(String::new()));

/// Returns the address of the report.
#[unsafe(no_mangle)]
pub extern "C" fn report() -> *const u8 {
    REPORT.0.borrow().as_ptr()
}

/// Stores a report, and returns its length.
pub(crate) fn keep(report: String) -> usize {
    let length = report.len();
    *REPORT.0.borrow_mut() = report;
    length
}

/// Quotes a text for JSON.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\0'..='\u{1F}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

pub(crate) fn list(items: impl Iterator<Item = String>) -> String {
    let items: alloc::vec::Vec<_> = items.collect();
    format!("[{}]", items.join(","))
}

#[cfg(feature = "detect")]
pub(crate) fn name(encoding: Option<Encoding>) -> String {
    encoding.map_or_else(|| "null".into(), |encoding| quoted(encoding.name()))
}

/// Reports all encodings with their names and facts. Returns the length of the report.
#[unsafe(no_mangle)]
pub extern "C" fn facts() -> usize {
    keep(list(Encoding::ALL.iter().map(|encoding| {
        let names = encoding.names();
        let [about, documents] = [names.about, names.specified_in].map(quoted);
        format!(
            "[{},{},{},{about},{documents},{},{},{},{}]",
            quoted(names.name),
            list(names.labels.iter().map(quoted)),
            list(names.web_labels.iter().map(quoted)),
            quoted(encoding.repertoire().describe()),
            encoding.max_bytes(),
            encoding.is_ascii_compatible(),
            list(encoding.signature().iter().map(|byte| format!("{byte}"))),
        )
    })))
}

/// Reports names that are not encodings, each with its meaning. Returns the length of the report.
#[unsafe(no_mangle)]
pub extern "C" fn no_encodings() -> usize {
    keep(list(label::no_encodings().map(|(name, about)| format!("[{},{}]", quoted(name), quoted(about)))))
}
