//! A run of base64: where a text is in one, and how one is written.

use super::variant::{NONE, Variant, class};
use crate::ground::code_point::CodePoint;

/// Where in a run of base64 a text is, if it is in one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Utf7State {
    /// Bits of an unfinished unit, and how many.
    pub(super) bits: u16,
    pub(super) count: u8,
    pub(super) run: bool,
    /// Reading: the next character is among the bits already; it completed the unit before.
    pub(super) ahead: bool,
    /// Reading: the last that was read ended a run.
    pub(super) after_run: bool,
    /// Reading: a lead surrogate that is not paired yet, or 0.
    pub(super) lead: u16,
    /// Reading: the unit that showed an error, where it is text.
    pub(super) owed: Option<u16>,
}

impl Utf7State {
    /// After the `-` or whatever else ended a run.
    pub(super) const fn closed() -> Self {
        Self { bits: 0, count: 0, run: false, ahead: false, after_run: true, lead: 0, owed: None }
    }

    pub(super) const fn opened() -> Self {
        Self { run: true, after_run: false, ..Self::closed() }
    }

    /// Outside of runs, after something else.
    pub(super) const fn direct() -> Self {
        Self { after_run: false, ..Self::closed() }
    }

    /// Adds a character of base64. The unit that it completes, if it does.
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

/// So much is enough for any code point, with what opens and closes a run.
pub(super) const MAX: usize = 8;

/// Writes what is in a run, or ends one, or is the byte that begins one.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "masked, or known to be of so many bits")]
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
    // The bits that wait, and those of one unit or two.
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

/// Ends a run: the bits that wait, filled up with zeros, and `-`.
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
