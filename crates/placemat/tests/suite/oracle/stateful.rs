//! Forms with states: read as a whole, written by a pen with memory.

use super::{Fault, Form, Item, Mode, bocu1, scsu, utf7};

/// Returns the items of `bytes`. A sequence that the policy forbids is an error as a whole.
pub(super) fn items(form: Form, bytes: &[u8], mode: Mode) -> Vec<Item> {
    let found = match form {
        Form::Scsu => scsu::items(bytes),
        Form::Bocu1 => bocu1::items(bytes),
        _ => utf7::items(form, bytes),
    };
    let forbidden = |item| match item {
        Item::CodePoint { value: 0xEF80..=0xEFFF, start, end } if mode == Mode::Optu && start < end => {
            Item::Error(Fault { start, end, kind: "undefined" })
        }
        item => item,
    };
    found.into_iter().map(forbidden).collect()
}

/// The state between one code point and the next.
#[derive(Clone, Debug)]
pub(super) enum Pen {
    None,
    Utf7(utf7::Pen),
    Scsu(scsu::Pen),
    Bocu1(bocu1::Pen),
}

impl Pen {
    pub(super) fn new(form: Form) -> Self {
        match form {
            Form::Utf7 | Form::Utf7Strict | Form::Imap => Self::Utf7(utf7::Pen::new(form)),
            Form::Scsu => Self::Scsu(scsu::Pen::default()),
            Form::Bocu1 => Self::Bocu1(bocu1::Pen::default()),
            _ => Self::None,
        }
    }

    /// Returns the bytes for this code point and those waiting before it; `None` for a form without
    /// states.
    pub(super) fn put(&mut self, code_point: u32) -> Option<Vec<u8>> {
        match self {
            Self::None => None,
            Self::Utf7(pen) => Some(pen.put(code_point)),
            Self::Scsu(pen) => Some(pen.put(code_point)),
            Self::Bocu1(pen) => Some(pen.put(code_point)),
        }
    }

    /// Returns the output that waits for the next code point, if there is no next one.
    pub(super) fn pause(&mut self) -> Vec<u8> {
        if let Self::Scsu(pen) = self { pen.finish() } else { Vec::new() }
    }

    /// Returns the bytes that close the text.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        match self {
            Self::None | Self::Bocu1(_) => Vec::new(),
            Self::Utf7(pen) => pen.finish(),
            Self::Scsu(pen) => pen.finish(),
        }
    }
}

/// Returns the bytes of one code point alone.
pub(super) fn alone(form: Form, code_point: u32) -> Vec<u8> {
    let mut pen = Pen::new(form);
    let mut bytes = pen.put(code_point).expect("a stateful form");
    bytes.extend(pen.finish());
    bytes
}
