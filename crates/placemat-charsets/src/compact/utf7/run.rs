//! Runs of base64: the place of a text within one, and the writer.

use super::variant::{NONE, Variant, class};
use placemat_core::forms::descriptor::{Carried, Words};
use placemat_core::ground::code_point::CodePoint;

/// The place of a text within a run of base64, or outside of runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Utf7State {
    /// The bits of an unfinished unit, and their number.
    pub(super) bits: u16,
    pub(super) count: u8,
    pub(super) run: bool,
    /// Reading: the bits already include the next character, which completed the unit before.
    pub(super) ahead: bool,
    /// Reading: the last step ended a run.
    pub(super) after_run: bool,
    /// Reading: a lead surrogate that is not paired yet, or 0.
    pub(super) lead: u16,
    /// Reading: the unit that showed an error, if it is text.
    pub(super) owed: Option<u16>,
}

impl Carried for Utf7State {
    const START: Words = Words::new([]);

    #[inline]
    fn take(_: u16, words: &Words) -> Self {
        let [low, high, count, flags] = words.0[0].to_le_bytes();
        let [lead, owed] = [words.0[1], words.0[2]].map(u32::to_le_bytes);
        Self {
            bits: u16::from_le_bytes([low, high]),
            count,
            run: flags & 1 != 0,
            ahead: flags & 2 != 0,
            after_run: flags & 4 != 0,
            lead: u16::from_le_bytes([lead[0], lead[1]]),
            owed: (flags & 8 != 0).then(|| u16::from_le_bytes([owed[0], owed[1]])),
        }
    }

    #[inline]
    fn put(self, words: &mut Words) {
        let [low, high] = self.bits.to_le_bytes();
        let flags = [self.run, self.ahead, self.after_run, self.owed.is_some()];
        let flags = (0..).zip(flags).fold(0, |all, (bit, flag)| all | u8::from(flag) << bit);
        words.0[0] = u32::from_le_bytes([low, high, self.count, flags]);
        words.0[1] = self.lead.into();
        words.0[2] = self.owed.unwrap_or(0).into();
    }
}

impl Utf7State {
    /// After the `-` or another byte that ended a run.
    pub(super) const fn closed() -> Self {
        Self { bits: 0, count: 0, run: false, ahead: false, after_run: true, lead: 0, owed: None }
    }

    pub(super) const fn opened() -> Self {
        Self { run: true, after_run: false, ..Self::closed() }
    }

    /// Outside of runs, after a direct byte.
    pub(super) const fn direct() -> Self {
        Self { after_run: false, ..Self::closed() }
    }

    /// Adds a character of base64. Returns the unit that it completes, if any.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a unit has 16 bits, and fewer are left over")]
    pub(super) fn push(&mut self, sextet: u8) -> Option<u16> {
        let bits = u32::from(self.bits) << 6 | u32::from(sextet);
        self.count += 6;
        if self.count < 16 {
            self.bits = bits as u16;
            return None;
        }
        self.count -= 16;
        self.bits = (bits & ((1 << self.count) - 1)) as u16;
        Some((bits >> self.count) as u16)
    }
}

/// The maximum number of bytes that a code point takes, with the bytes that open and close a run.
pub(super) const MAX: usize = 8;

/// Writes a code point that is in a run, or ends one, or is the byte that begins one.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "masked, or known to fit")]
pub(super) fn encode_shifted<V: Variant>(
    state: &mut Utf7State,
    c: CodePoint,
    direct: bool,
    to: &mut [u8; MAX],
) -> usize {
    let value = c.value();
    let mut len = 0;
    let shift = value == u32::from(V::SHIFT);
    if direct || shift && (V::IMAP || !state.run) {
        let byte = value as u8;
        if state.run {
            let closes = V::IMAP || byte == b'-' || class::<V>(byte).sextet != NONE;
            len = close::<V>(*state, closes, to);
        }
        to[len] = byte;
        to[len + 1] = b'-';
        *state = Utf7State::direct();
        return len + 1 + usize::from(shift);
    }
    if !state.run {
        to[0] = V::SHIFT;
        len = 1;
        state.run = true;
    }
    // The pending bits, and those of one unit or two.
    let (mut bits, mut count) = (u64::from(state.bits), u32::from(state.count));
    match c.to_pair() {
        None => (bits, count) = (bits << 16 | u64::from(value), count + 16),
        Some((lead, trail)) => {
            (bits, count) = (bits << 32 | u64::from(lead) << 16 | u64::from(trail), count + 32);
        }
    }
    while count >= 6 {
        count -= 6;
        to[len] = V::BASE64[(bits >> count) as usize & 0x3F];
        len += 1;
    }
    state.bits = bits as u16 & ((1 << count) - 1);
    state.count = count as u8;
    len
}

/// Ends a run: writes the pending bits, padded with zeros, and `-`.
#[inline(always)]
pub(super) fn close<V: Variant>(state: Utf7State, minus: bool, to: &mut [u8; MAX]) -> usize {
    let mut len = 0;
    if state.count > 0 {
        to[0] = V::BASE64[usize::from(state.bits << (6 - state.count)) & 0x3F];
        len = 1;
    }
    to[len] = b'-';
    len + usize::from(minus)
}
