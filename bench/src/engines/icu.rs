//! ICU, for the legacy encodings.

use crate::icu::{Icu, Pair};
use crate::job::{Job, convert};
use crate::operations::Op;
use crate::pages::Page;
use std::cell::RefCell;
use std::collections::HashMap;

pub fn job(op: Op) -> Option<Job> {
    // Converters stay open. Each call resets them, as `ucnv_convert` does.
    let (to, from) = match op {
        Op::FromPage(page) => ("UTF-8", page.icu()?),
        Op::ToPage(page) => (page.icu()?, "UTF-8"),
        Op::Between(from, to) => (to.icu()?, from.icu()?),
        _ => return None,
    };
    let pair: &RefCell<Pair> = Box::leak(Box::new(RefCell::new(library()?.pair(to, from)?)));
    Some(convert(move |s, d| pair.borrow_mut().convert(s, d).expect("text of the encoding")))
}

thread_local! {
    static LIBRARY: Option<Icu> = Icu::load();
    /// The conversions from UTF-8 to the encoding and back.
    static OPEN: RefCell<HashMap<Page, Option<[Pair; 2]>>> = RefCell::default();
}

fn library() -> Option<Icu> {
    LIBRARY.with(|&library| library)
}

/// Returns the name of the engine with the version; `None` if ICU is not installed.
pub fn name() -> Option<String> {
    library().map(|icu| format!("ICU {}", icu.version))
}

/// Returns `true` if the bytes are the character for this library too, in both directions.
pub fn agrees(c: &str, bytes: &[u8], page: Page) -> bool {
    let open = || {
        let (icu, name) = (library()?, page.icu()?);
        Some([icu.pair(name, "UTF-8")?, icu.pair("UTF-8", name)?])
    };
    OPEN.with_borrow_mut(|pairs| {
        let Some([encoder, decoder]) = pairs.entry(page).or_insert_with(open) else { return true };
        let mut dst = [0; 16];
        let encoded = encoder.convert(c.as_bytes(), &mut dst).is_some_and(|len| dst[..len] == *bytes);
        encoded && decoder.convert(bytes, &mut dst).is_some_and(|len| dst[..len] == *c.as_bytes())
    })
}
