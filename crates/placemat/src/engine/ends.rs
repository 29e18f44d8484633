//! Encodings chosen at run time as the ends of a conversion by way of UTF-16: by their kernels, and otherwise by steps.

use super::any;
use super::units::{Source, Target};
use crate::forms::form::{EncodeStep, Form, Step};
use crate::ground::code_point::CodePoint;
use crate::ground::utf16::{Unit, first, put};

impl Source for any::From {
    #[inline]
    fn read(&mut self, src: &[u8], units: &mut [Unit]) -> (usize, usize) {
        let by_kernel = self.bulks().0.read(src, units);
        if by_kernel.0 > 0 { by_kernel } else { self.read_by_steps(src, units) }
    }

    #[inline]
    fn read_again(&mut self, src: &[u8], units: &mut [Unit]) -> usize {
        let by_kernel = self.bulks().0.read_again(src, units);
        if by_kernel > 0 { by_kernel } else { self.read_by_steps(src, units).0 }
    }
}

impl Target for any::To {
    #[inline]
    fn write(&mut self, units: &[Unit], dst: &mut [u8]) -> (usize, usize) {
        let by_kernel = self.bulks().1.write(units, dst);
        if by_kernel.0 > 0 { by_kernel } else { self.write_by_steps(units, dst) }
    }
}

/// Reads scalar values, as far as the text is well-formed, and each step is one. Returns the number of bytes, and of units.
#[inline(never)]
pub(super) fn read<F: Form<Unit = u8>>(
    state: &mut F::State,
    src: &[u8],
    units: &mut [Unit],
) -> (usize, usize) {
    let (mut read, mut count) = (0, 0);
    while count < units.len() && read < src.len() {
        let mut after = *state;
        let (len, written) = match F::decode_step(&mut after, &src[read..]) {
            Step::CodePoint { value, len } => {
                let Some(written) = value.to_char().and_then(|c| put(&mut units[count..], c)) else { break };
                (len, written)
            }
            Step::Shift { len } => (len, 0),
            Step::Several { .. } | Step::IllFormed { .. } | Step::Incomplete { .. } => break,
        };
        *state = after;
        (read, count) = (read + len, count + written);
    }
    (read, count)
}

/// Writes scalar values, as far as the form has them, and there is room. Returns the number of units, and of bytes.
#[inline(never)]
pub(super) fn write<F: Form<Unit = u8>>(
    state: &mut F::State,
    units: &[Unit],
    dst: &mut [u8],
) -> (usize, usize) {
    let (mut count, mut written) = (0, 0);
    while let Some((c, taken)) = first(&units[count..]) {
        let c = CodePoint::within_31_bits(c);
        if F::repertoire(state).check(c).is_err() {
            break;
        }
        let EncodeStep::Written(len) = F::encode_step(state, c, &mut dst[written..]) else { break };
        (count, written) = (count + taken, written + len);
    }
    (count, written)
}
