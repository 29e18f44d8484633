//! The steps of `fix_text`. Each returns the text that it changed, in code points, or `None` if
//! nothing changed.

use super::survey::{flag, flags, survey};
use crate::builder::{Builder, bound};
use crate::held::Held;
use crate::input::SIGNAL_STEP_BYTES;
use crate::raw::{self, alone};
use crate::repairing;
use crate::text::from_utf8;
use crate::view::View;
use core::cell::{Cell, OnceCell};
use placemat::convert::transcode_into;
use placemat::forms::{Latin1, Utf8, Utf16, Utf32};
use placemat::normalize::Normalization;
use placemat::repair::{self, Repairer};
use placemat::{Encoding, EncodingForm, ErrorPolicy, Native, UnmappablePolicy, utf8};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Fixes a text.
type Fix = fn(Python<'_>, &Text<'_>) -> PyResult<Fixed>;
/// The text that a step changed; `None` if nothing changed.
type Fixed = Option<Text<'static>>;

/// A step of `fix_text`.
pub(super) struct Step {
    pub(super) name: &'static str,
    /// Texts without any of these need no such step.
    pub(super) flags: u16,
    pub(super) fix: Fix,
}

/// The steps, in the order in which `fix_text` takes them.
pub(super) const STEPS: [Step; 10] = [
    Step { name: "unescape_html", flags: flag::AMPERSAND, fix: unescape_html },
    Step { name: "remove_terminal_escapes", flags: flag::ESCAPE, fix: remove_terminal_escapes },
    Step { name: "fix_encoding", flags: flag::NON_ASCII, fix: fix_encoding },
    Step { name: "fix_c1_controls", flags: flag::C1, fix: fix_c1_controls },
    Step { name: "fix_latin_ligatures", flags: flag::LIGATURE, fix: fix_latin_ligatures },
    Step { name: "fix_character_width", flags: flag::WIDTH, fix: fix_character_width },
    Step { name: "uncurl_quotes", flags: flag::QUOTE, fix: uncurl_quotes },
    Step { name: "fix_line_breaks", flags: flag::LINE_BREAK, fix: fix_line_breaks },
    Step { name: "fix_surrogates", flags: flag::SURROGATE, fix: fix_surrogates },
    Step { name: "remove_control_chars", flags: flag::CONTROL, fix: remove_control_chars },
];

/// A text between two steps.
pub(super) struct Text<'a> {
    units: Units<'a>,
    flags: u16,
    utf8: OnceCell<Vec<u8>>,
}

enum Units<'a> {
    /// The text of the caller.
    Given(Held<'a>),
    Changed(Vec<u32>),
}

impl<'a> Text<'a> {
    /// Returns the text of the caller.
    #[inline]
    pub(super) fn of(text: &'a Bound<'_, PyString>, only: &[Step]) -> PyResult<Self> {
        let held = Held::of(text)?;
        let view = held.view();
        let all = only.iter().fold(0, |all, step| all | step.flags);
        // ASCII has no other flag than those of a few steps.
        let may_have = !matches!(view, View::Ascii(_)) || all & !flag::BEYOND_ASCII != 0;
        let flags = if may_have { survey(view) } else { 0 };
        Ok(Self { units: Units::Given(held), flags, utf8: OnceCell::new() })
    }

    /// Returns a text that a step changed.
    pub(super) fn new(units: Vec<u32>) -> Self {
        let flags = survey(View::Full(&units));
        Self { units: Units::Changed(units), flags, utf8: OnceCell::new() }
    }

    /// Returns a text in UTF-8.
    fn of_utf8(text: String) -> Self {
        let this = Self::new(units_of(&text));
        Self { utf8: OnceCell::from(text.into_bytes()), ..this }
    }

    /// Makes a `str` of a text that a step changed.
    pub(super) fn made<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        if let Some(utf8) = self.utf8.get()
            && !self.has(flag::SURROGATE)
        {
            return match from_utf8(utf8) {
                Ok(new) => bound(py, Ok(new)),
                Err(_) => Err(PyErr::fetch(py)),
            };
        }
        let mut builder = Builder::default();
        match self.view() {
            View::Full(units) => builder.push_code_points(units),
            _ => builder.push_code_points(&self.code_points()),
        }
        builder.finish(py)
    }

    /// Returns `true` if both have the same code points.
    fn is_same(&self, other: &Text<'_>) -> bool {
        match (self.utf8.get(), other.utf8.get()) {
            (Some(own), Some(others)) if !self.has(flag::SURROGATE) && !other.has(flag::SURROGATE) => {
                own == others
            }
            _ => self.code_points() == other.code_points(),
        }
    }

    /// Returns `true` if the text has one of these.
    pub(super) fn has(&self, flags: u16) -> bool {
        self.flags & flags != 0
    }

    fn view(&self) -> View<'_> {
        match &self.units {
            Units::Given(held) => held.view(),
            Units::Changed(units) => View::Full(units),
        }
    }

    fn code_points(&self) -> Vec<u32> {
        let view = self.view();
        let mut units = Vec::new();
        view.code_points_into(0..view.len(), &mut units);
        units
    }

    /// Returns a text without surrogates in UTF-8.
    fn utf8(&self) -> &str {
        let bytes = self.utf8.get_or_init(|| match self.view() {
            View::Ascii(units) | View::Latin1(units) => converted::<Latin1>(units, 2),
            View::Bmp(units) => converted::<Utf16<Native>>(units, 3),
            View::Full(units) => converted::<Utf32<Native>>(units, 4),
        });
        utf8::validate(bytes).unwrap_or_default()
    }

    /// Returns the text in a normal form, if it differs.
    pub(super) fn normalized(&self, form: Normalization) -> Fixed {
        if !self.has(flag::NON_ASCII) {
            return None;
        }
        if !self.has(flag::SURROGATE) {
            let text = self.utf8();
            let normal = form.apply(text);
            return (*normal != *text).then(|| Text::of_utf8(normal.into_owned()));
        }
        // Surrogates interact with nothing.
        let units = self.code_points();
        let is_surrogate = |&unit: &u32| unit & 0xFFFF_F800 == 0xD800;
        let mut normal = Vec::with_capacity(units.len());
        for part in units.chunk_by(|a, b| is_surrogate(a) == is_surrogate(b)) {
            match is_surrogate(&part[0]) {
                true => normal.extend_from_slice(part),
                false => normal.extend(form.apply(&text_of(part)).chars().map(u32::from)),
            }
        }
        changed(&units, normal)
    }
}

/// Converts code units to UTF-8, of which each takes `most` bytes at most.
fn converted<F: EncodingForm>(units: &[F::Unit], most: usize) -> Vec<u8> {
    let mut text = vec![0; most * units.len()];
    let p = transcode_into::<F, Utf8>(units, &mut text, ErrorPolicy::Replace, UnmappablePolicy::Stop);
    text.truncate(p.written);
    text
}

/// Returns `new` if it differs.
fn changed(old: &[u32], new: Vec<u32>) -> Fixed {
    (old != new).then(|| Text::new(new))
}

fn units_of(text: &str) -> Vec<u32> {
    let mut units = vec![0; text.len()];
    let stop = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    let p = transcode_into::<Utf8, Utf32<Native>>(text.as_bytes(), &mut units, stop.0, stop.1);
    units.truncate(p.written);
    units
}

/// Returns code points without surrogates as text.
fn text_of(units: &[u32]) -> String {
    units.iter().filter_map(|&unit| char::from_u32(unit)).collect()
}

/// Replaces what `find` finds at the start of the rest of a text: it returns the length.
fn replaced(
    text: &Text<'_>,
    find: impl Fn(&[u32]) -> Option<usize>,
    mut put: impl FnMut(&[u32], &mut Vec<u32>) -> PyResult<()>,
) -> PyResult<Fixed> {
    let units = text.code_points();
    let mut new = Vec::with_capacity(units.len());
    let mut rest = &units[..];
    while let [first, ..] = rest {
        match find(rest) {
            Some(len) => {
                put(&rest[..len], &mut new)?;
                rest = &rest[len..];
            }
            None => {
                new.push(*first);
                rest = &rest[1..];
            }
        }
    }
    Ok(changed(&units, new))
}

/// Returns the number of code points at the start for which `is` is true.
fn run(units: &[u32], is: impl Fn(u32) -> bool) -> usize {
    units.iter().take_while(|&&unit| is(unit)).count()
}

fn is_ascii(unit: u32, is: impl Fn(&u8) -> bool) -> bool {
    u8::try_from(unit).is_ok_and(|byte| is(&byte))
}

/// Python's own `html.unescape` reads what looks like an entity.
fn unescape_html(py: Python<'_>, text: &Text<'_>) -> PyResult<Fixed> {
    const LONGEST: usize = 24;
    let entity = py.import("placemat.compat.ftfy")?.getattr("_entity")?;
    let find = |rest: &[u32]| {
        let after = rest.strip_prefix(&[u32::from(b'&')])?;
        let name = after.strip_prefix(&[u32::from(b'#')]).unwrap_or(after);
        let len = run(name, |unit| is_ascii(unit, u8::is_ascii_alphanumeric));
        let is_entity = (1..=LONGEST).contains(&len) && name.get(len) == Some(&u32::from(b';'));
        is_entity.then_some(rest.len() - name.len() + len + 1)
    };
    replaced(text, find, |found, new| {
        let put = entity.call1((text_of(found),))?;
        let put = put.cast::<PyString>()?;
        let held = Held::of(put)?;
        let view = held.view();
        let mut units = Vec::new();
        view.code_points_into(0..view.len(), &mut units);
        new.extend(units);
        Ok(())
    })
}

fn remove_terminal_escapes(_: Python<'_>, text: &Text<'_>) -> PyResult<Fixed> {
    let find = |rest: &[u32]| {
        let parameters = rest.strip_prefix(&[0x1B, u32::from(b'[')])?;
        let len = run(parameters, |unit| is_ascii(unit, |byte| matches!(byte, b'0'..=b'9' | b';')));
        let is_end = is_ascii(*parameters.get(len)?, u8::is_ascii_alphabetic);
        is_end.then_some(len + 3)
    };
    replaced(text, find, |_, _| Ok(()))
}

/// From this many bytes on, a text is searched for damage before a repairer copies it; it searches shorter ones itself.
const MIN_SEARCHED_BYTES: usize = 4096;

fn fix_encoding(py: Python<'_>, text: &Text<'_>) -> PyResult<Fixed> {
    let repaired = if text.has(flag::SURROGATE) {
        Some(repairing::repaired_units(py, text.view())?)
    } else {
        let src = text.utf8();
        let may_be = || alone(src.len(), || repair::may_be_damaged(src));
        let text = if src.len() < MIN_SEARCHED_BYTES || may_be() { Some(repaired(py, src)?) } else { None };
        text.filter(|text| *text != src)
    };
    let now = match repaired {
        Some(repaired) => Text::of_utf8(repaired),
        None if text.has(flag::C1) => Text::new(text.code_points()),
        None => return Ok(None),
    };
    let fixed = if now.has(flag::C1) { replaced(&now, sequence, put_sequence)? } else { None };
    let fixed = fixed.unwrap_or(now);
    Ok((!fixed.is_same(text)).then_some(fixed))
}

/// Reads a sequence of UTF-8 that has a C1 control as Latin-1.
fn put_sequence(found: &[u32], new: &mut Vec<u32>) -> PyResult<()> {
    let bytes: Vec<u8> = found.iter().filter_map(|&unit| u8::try_from(unit).ok()).collect();
    match core::str::from_utf8(&bytes) {
        Ok(text) if found.iter().any(|&unit| flags(unit) & flag::C1 != 0) => new.extend(units_of(text)),
        _ => new.extend_from_slice(found),
    }
    Ok(())
}

/// Returns the length of a sequence of UTF-8, read as Latin-1, at the start. One that has a C1 control,
/// which no text has, needs no other evidence.
fn sequence(rest: &[u32]) -> Option<usize> {
    let len = match rest.first()? {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return None,
    };
    rest.get(1..len)?.iter().all(|&unit| matches!(unit, 0x80..=0xBF)).then_some(len)
}

/// Repairs well-formed text, in pieces between which signals are handled.
fn repaired(py: Python<'_>, src: &str) -> PyResult<String> {
    use repair::Step::{Controls, Legacy, Mojibake};
    thread_local! {
        /// A repairer that is kept, since its memory is large.
        static REPAIRER: Cell<Option<Box<Repairer>>> = const { Cell::new(None) };
    }
    let new = || Box::new(Repairer::new().steps([Mojibake, Legacy, Controls]).unrecorded());
    let mut repairer = REPAIRER.take().unwrap_or_else(new);
    let text = if src.len() < MIN_SEARCHED_BYTES {
        repairer.repair(src.as_bytes()).text
    } else {
        let mut text = String::with_capacity(src.len());
        for piece in src.as_bytes().chunks(SIGNAL_STEP_BYTES) {
            alone(piece.len(), || repairer.push(piece, &mut text, |_| {}));
            raw::signals(py)?;
        }
        alone(src.len(), || repairer.finish(&mut text, |_| {}));
        text
    };
    REPAIRER.set(Some(repairer));
    Ok(text)
}

/// Replaces code points one by one.
fn mapped(text: &Text<'_>, map: impl Fn(u32) -> u32) -> PyResult<Fixed> {
    let units = text.code_points();
    let new = units.iter().map(|&unit| map(unit)).collect();
    Ok(changed(&units, new))
}

fn fix_c1_controls(_: Python<'_>, text: &Text<'_>) -> PyResult<Fixed> {
    mapped(text, |unit| match u8::try_from(unit) {
        Ok(byte @ 0x80..=0x9F) => {
            let bytes = [byte];
            let meant = Encoding::WINDOWS_1252.decode(&bytes, ErrorPolicy::Replace).ok();
            meant.and_then(|text| text.chars().next()).map_or(unit, u32::from)
        }
        _ => unit,
    })
}

/// Replaces code points with a flag, a run at a time, by their compatibility forms.
fn compatible(text: &Text<'_>, which: u16, longest: usize) -> PyResult<Fixed> {
    let find = |rest: &[u32]| {
        let len = run(rest, |unit| flags(unit) & which != 0).min(longest);
        (len > 0).then_some(len)
    };
    replaced(text, find, |found, new| {
        new.extend(units_of(&Normalization::Nfkc.apply(&text_of(found))));
        Ok(())
    })
}

fn fix_latin_ligatures(_: Python<'_>, text: &Text<'_>) -> PyResult<Fixed> {
    compatible(text, flag::LIGATURE, 1)
}

fn fix_character_width(_: Python<'_>, text: &Text<'_>) -> PyResult<Fixed> {
    compatible(text, flag::WIDTH, usize::MAX)
}

fn uncurl_quotes(_: Python<'_>, text: &Text<'_>) -> PyResult<Fixed> {
    mapped(text, |unit| match unit {
        0x02BC | 0x2018..=0x201B => u32::from(b'\''),
        0x201C..=0x201F => u32::from(b'"'),
        _ => unit,
    })
}

fn fix_line_breaks(_: Python<'_>, text: &Text<'_>) -> PyResult<Fixed> {
    let find = |rest: &[u32]| match rest {
        [0x0D, 0x0A, ..] => Some(2),
        [0x0D | 0x85 | 0x2028 | 0x2029, ..] => Some(1),
        _ => None,
    };
    replaced(text, find, |_, new| {
        new.push(0x0A);
        Ok(())
    })
}

/// Joins pairs, and replaces all other surrogates.
fn fix_surrogates(_: Python<'_>, text: &Text<'_>) -> PyResult<Fixed> {
    let find = |rest: &[u32]| match rest {
        [0xD800..=0xDBFF, 0xDC00..=0xDFFF, ..] => Some(2),
        [0xD800..=0xDFFF, ..] => Some(1),
        _ => None,
    };
    replaced(text, find, |found, new| {
        new.push(match found {
            [high, low] => 0x1_0000 + ((high & 0x3FF) << 10) + (low & 0x3FF),
            _ => 0xFFFD,
        });
        Ok(())
    })
}

fn remove_control_chars(_: Python<'_>, text: &Text<'_>) -> PyResult<Fixed> {
    let units = text.code_points();
    let kept = units.iter().copied().filter(|&unit| flags(unit) & flag::CONTROL == 0).collect();
    Ok(changed(&units, kept))
}
