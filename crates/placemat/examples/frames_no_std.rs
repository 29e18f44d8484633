//! Reads one text in frames, each after two bytes with its length, and checks that it is UTF-8.
//! Frames may split characters, and pieces from the wire may split frames.
//!
//! The program is `no_std`: the module `frames` needs only `core`, and allocates nothing. `main`
//! uses `std` to print. `cargo run -p placemat --features examples --example frames_no_std` prints
//!
//! ```text
//! 5 € in 3 frames: 6 bytes of text
//! missing continuation byte after 0xe2 0x82 at offset 2
//! ```

#![cfg_attr(not(test), no_std)]

extern crate std;

use self::frames::{FrameError, Frames};
use std::{println, vec::Vec};

/// Length-delimited frames. This module uses `core` alone.
mod frames {
    use core::fmt;
    use placemat::IllFormed;
    use placemat::utf8::Validator;

    /// The state of a reader: in a length or in a frame, and perhaps within a character.
    #[derive(Clone, Debug, Default)]
    pub(super) struct Frames {
        text: Validator,
        /// The first byte of a length whose second byte has not come.
        half_length: Option<u8>,
        /// The number of bytes of the frame that have not come.
        left: u16,
        pub(super) complete: u32,
    }

    impl Frames {
        /// Takes the next bytes from the wire, and calls `text` with the bytes of the text in them.
        ///
        /// Fails at the first ill-formed sequence, before `text` gets the piece that shows it.
        pub(super) fn push(&mut self, wire: &[u8], mut text: impl FnMut(&[u8])) -> Result<(), FrameError> {
            let mut rest = wire;
            while let Some((&first, after)) = rest.split_first() {
                if self.left == 0 {
                    rest = after;
                    let Some(high) = self.half_length.take() else {
                        self.half_length = Some(first);
                        continue;
                    };
                    self.left = u16::from_be_bytes([high, first]);
                    self.complete += u32::from(self.left == 0);
                    continue;
                }
                let (piece, after) = rest.split_at(rest.len().min(usize::from(self.left)));
                self.text.push(piece).map_err(FrameError::IllFormed)?;
                text(piece);
                self.left -= u16::try_from(piece.len()).unwrap_or(self.left);
                self.complete += u32::from(self.left == 0);
                rest = after;
            }
            Ok(())
        }

        /// Ends the text. Fails if it ends within a frame or within a character.
        pub(super) fn finish(self) -> Result<u64, FrameError> {
            if self.left > 0 || self.half_length.is_some() {
                return Err(FrameError::WithinFrame);
            }
            self.text.finish().map_err(FrameError::IllFormed)?;
            Ok(self.text.offset())
        }
    }

    /// Why the frames are refused.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum FrameError {
        IllFormed(IllFormed),
        WithinFrame,
    }

    impl fmt::Display for FrameError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Self::IllFormed(error) => error.fmt(f),
                Self::WithinFrame => f.write_str("the connection ends within a frame"),
            }
        }
    }

    impl core::error::Error for FrameError {}
}

fn main() -> Result<(), FrameError> {
    // The euro sign is in three frames, and the wire brings one byte at a time.
    let (mut frames, mut text) = (Frames::default(), Vec::new());
    for byte in b"\0\x03 5 \0\x02\xE2\x82\0\x01\xAC".chunks(1) {
        frames.push(byte, |piece| text.extend_from_slice(piece))?;
    }
    assert_eq!(text, " 5 €".as_bytes());
    let (complete, len) = (frames.complete, frames.finish()?);
    println!("5 € in {complete} frames: {len} bytes of text");
    assert_eq!((complete, len), (3, 6));

    // The offset is that of the text, not of the wire.
    let error = Frames::default().push(b"\0\x04 5\xE2\x82\0\x01!", |_| {}).unwrap_err();
    println!("{error}");
    let FrameError::IllFormed(found) = error else { panic!("{error}") };
    assert_eq!((found.offset(), found.len()), (2, 2));

    let mut cut = Frames::default();
    cut.push(b"\0\x04 5", |_| {})?;
    assert_eq!(cut.finish(), Err(FrameError::WithinFrame));
    Ok(())
}

#[test]
fn reads_its_own_frames() -> Result<(), FrameError> {
    main()
}
