//! The functions that JavaScript calls. Bytes come in through [`input`], answers go out through
//! [`answer_at`].
//!
//! Offsets are `f64`, like all numbers in JavaScript. Encodings are indices in [`Encoding::ALL`]; a
//! number out of range means UTF-8.

#![allow(unsafe_code, reason = "the attributes export names for JavaScript; no code here is unsafe")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "offsets are whole numbers below 2^53"
)]

use crate::conversion::Conversion;
use crate::detection;
use crate::encodings::list;
use crate::fix::Fix;
use crate::json::Json;
use crate::scan::Scan;
use crate::trial::trial;
use crate::window::Extent;
use core::cell::RefCell;
use placemat::detect::Detector;
use placemat::{CodePoint, Encoding};
use placemat_diagnose::properties::Properties;

#[derive(Default)]
struct Engine {
    input: Vec<u8>,
    answer: Vec<u8>,
    scan: Option<Scan>,
    again: Option<Scan>,
    detector: Detector,
    conversion: Option<Conversion>,
    fix: Fix,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::default());
}

fn with<R>(work: impl FnOnce(&mut Engine) -> R) -> R {
    ENGINE.with_borrow_mut(work)
}

fn encoding(number: u32) -> Encoding {
    Encoding::ALL.get(number as usize).copied().unwrap_or(Encoding::UTF_8)
}

fn answer(work: impl FnOnce(&mut Engine) -> String) {
    with(|engine| engine.answer = work(engine).into_bytes());
}

/// Allocates `len` bytes for input; returns their address, which is valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn input(len: usize) -> usize {
    with(|engine| {
        engine.input.resize(len, 0);
        engine.input.as_ptr().addr()
    })
}

/// Returns the address of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_at() -> usize {
    with(|engine| engine.answer.as_ptr().addr())
}

/// Returns the length of the last answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_len() -> usize {
    with(|engine| engine.answer.len())
}

/// Answers with the list of encodings.
#[unsafe(no_mangle)]
pub extern "C" fn encodings() {
    answer(|_| list());
}

/// Returns the number of the encoding that the input names, or -1.
#[unsafe(no_mangle)]
pub extern "C" fn lookup() -> i32 {
    with(|engine| {
        let label = core::str::from_utf8(&engine.input).unwrap_or_default().trim();
        let found = Encoding::for_label(label).or_else(|| placemat::web::for_label(label));
        let place = found.and_then(|found| Encoding::ALL.iter().position(|&one| one == found));
        place.map_or(-1, |place| place as i32)
    })
}

/// Starts to read a text.
#[unsafe(no_mangle)]
pub extern "C" fn scan_begin(number: u32) {
    with(|engine| engine.scan = Some(Scan::new(encoding(number))));
}

/// Reads the input as the next bytes of the text; answers with the findings in them.
#[unsafe(no_mangle)]
pub extern "C" fn scan_feed(last: u32) {
    answer(|engine| {
        let Engine { scan, input, .. } = engine;
        scan.as_mut().map_or_else(|| "{}".into(), |scan| scan.feed(input, last > 0))
    });
}

/// Starts to read the text again, for the findings past `after`. The input is the text before the
/// mark of `after`.
#[unsafe(no_mangle)]
pub extern "C" fn again_begin(after: f64) {
    with(|engine| engine.again = engine.scan.as_ref().map(|scan| scan.again(after as u64, &engine.input)));
}

/// Reads the input as the next bytes after that mark; answers with the findings in them.
#[unsafe(no_mangle)]
pub extern "C" fn again_feed(last: u32) {
    answer(|engine| {
        let Engine { again, input, .. } = engine;
        again.as_mut().map_or_else(|| "{}".into(), |scan| scan.feed(input, last > 0))
    });
}

/// Returns the offset of the last mark at or before `offset`, from which the text can be read
/// again.
#[unsafe(no_mangle)]
pub extern "C" fn scan_mark(offset: f64) -> f64 {
    with(|engine| engine.scan.as_ref().map_or(0.0, |scan| scan.mark_before(offset as u64) as f64))
}

/// Runs a command of the book. The input is the command line, a NUL, and the bytes that the command reads.
#[unsafe(no_mangle)]
pub extern "C" fn command() {
    answer(|engine| {
        let end = engine.input.iter().position(|&byte| byte == 0).unwrap_or(engine.input.len());
        let line = String::from_utf8_lossy(&engine.input[..end]).into_owned();
        crate::command::run(&line, engine.input.get(end + 1..).unwrap_or_default())
    });
}

/// Answers with the tokens of the input, which begins `before` bytes before a mark.
#[unsafe(no_mangle)]
pub extern "C" fn window(mark: f64, before: u32, from: f64, to: f64, last: u32) {
    answer(|engine| {
        let Engine { scan, input, .. } = engine;
        let extent = Extent {
            mark: mark as u64,
            from: from as u64,
            to: to as u64,
            before: before as usize,
            last: last > 0,
        };
        scan.as_ref().map_or_else(|| "[]".into(), |scan| scan.window(&extent, input))
    });
}

/// Starts to detect the encoding of a text.
#[unsafe(no_mangle)]
pub extern "C" fn detect_begin() {
    with(|engine| engine.detector = Detector::new());
}

/// Passes the input to the detector as the next bytes.
#[unsafe(no_mangle)]
pub extern "C" fn detect_feed() {
    with(|engine| {
        let Engine { detector, input, .. } = engine;
        detector.feed(input);
    });
}

/// Answers with the detection.
#[unsafe(no_mangle)]
pub extern "C" fn detect_end() {
    answer(|engine| detection::detection(&core::mem::take(&mut engine.detector).finish()));
}

/// Starts to repair a text.
#[unsafe(no_mangle)]
pub extern "C" fn fix_begin() {
    with(|engine| engine.fix = Fix::default());
}

/// Reads the input as the next bytes of the text, before any of it is repaired.
#[unsafe(no_mangle)]
pub extern "C" fn fix_learn() {
    with(|engine| {
        let Engine { fix, input, .. } = engine;
        fix.learn(input);
    });
}

/// Repairs the input, the next bytes of the text; answers with the text in UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn fix_push(last: u32) {
    with(|engine| {
        let Engine { fix, input, answer, .. } = engine;
        *answer = fix.push(input, last > 0);
    });
}

/// Answers with the changes that were made.
#[unsafe(no_mangle)]
pub extern "C" fn fix_report() {
    answer(|engine| engine.fix.report());
}

/// Answers with the input in another encoding.
#[unsafe(no_mangle)]
pub extern "C" fn try_encoding(number: u32, whole: u32) {
    answer(|engine| trial(encoding(number), &engine.input, whole > 0));
}

/// Starts a conversion. The input contains the names of the two policies, separated by a space.
#[unsafe(no_mangle)]
pub extern "C" fn convert_begin(from: u32, to: u32) {
    with(|engine| {
        let words = core::str::from_utf8(&engine.input).unwrap_or_default();
        let (errors, unmappable) = words.split_once(' ').unwrap_or_default();
        engine.conversion = Some(Conversion::new(encoding(from), encoding(to), errors, unmappable));
    });
}

/// Converts the input; answers with bytes.
#[unsafe(no_mangle)]
pub extern "C" fn convert_feed(last: u32) {
    with(|engine| {
        let Engine { conversion, input, answer, .. } = engine;
        *answer = conversion.as_mut().map_or_else(Vec::new, |conversion| conversion.feed(input, last > 0));
    });
}

/// Answers with the counts of the conversion.
#[unsafe(no_mangle)]
pub extern "C" fn convert_report() {
    answer(|engine| engine.conversion.as_ref().map_or_else(|| "{}".into(), Conversion::report));
}

/// Answers with the properties of the code points in the input, which are 32-bit little-endian
/// numbers.
#[unsafe(no_mangle)]
pub extern "C" fn properties() {
    answer(|engine| {
        let (values, _) = engine.input.as_chunks();
        let mut all = Json::array();
        for &value in values {
            let value = u32::from_le_bytes(value);
            let of = Properties::of(CodePoint::new(value).unwrap_or_default());
            let mut one = Json::object();
            one.raw("value", value)
                .string("name", &of.name)
                .string("category", of.category)
                .string("script", of.script)
                .raw("width", of.width)
                .string("shown", &of.shown);
            all.element(one.end_object());
        }
        all.end_array()
    });
}
