//! Text edited in its own encoding: all bytes outside of a change stay as they are.
//!
//! A [`Document`] holds the bytes of a file and shows them as text. An edit by a range of the text changes the bytes of that
//! range and no others, whatever the rest of the file is like: bytes that are not text, forms that no encoder would choose,
//! a signature, any line ends.
//!
//! ```
//! use placemat::{Encoding, edit::Document};
//! // Shift_JIS with a stray byte, and NEC's form of a symbol that encoders write in another way.
//! let file = b"\x93\xFA\x96\x7B \xFF colour \x81\xE6 \x87\x9A\r\n";
//! let mut document = Document::open(file, Encoding::SHIFT_JIS)?;
//! let text = document.text();
//! assert_eq!(text, "日本 \u{10FEFF} colour ∵ ∵\r\n");
//! let at = text.find("colour").unwrap();
//! document.replace(at..at + 6, "color")?;
//! assert_eq!(document.to_bytes(), b"\x93\xFA\x96\x7B \xFF color \x81\xE6 \x87\x9A\r\n");
//! // Text that the encoding cannot represent is refused, and changes nothing.
//! let e = document.replace(at..at, "5 € ").unwrap_err();
//! assert_eq!(e.to_string(), "the target encoding cannot represent U+20AC, at offset 2");
//! # Ok::<(), placemat::edit::EditError>(())
//! ```
//!
//! # Bytes without text
//!
//! A byte of an ill-formed sequence, or of a code point that is not a scalar value, is one code point in the text: its
//! stand-in. It is U+10FE00 plus the byte, unless the text of the file has such code points; see [`StandIns`]. An edit may
//! delete stand-ins, move them and copy them: each becomes its byte again. A file without such bytes has no stand-ins, and
//! all its code points are text.
//!
//! # The promise
//!
//! After each edit the bytes around it are decoded again and compared with the edited text. An edit that cannot be proven
//! so is refused. That happens where a stand-in comes next to text with which its byte forms a sequence.
//!
//! In encodings with states the bytes of an edit can depend on those before and the bytes after it
//! on the edit. The edit then also writes the shifts that it needs. It writes text after the change
//! again only where that must differ: the next code point but spaces in BOCU-1, the rest of a run
//! of base64 in UTF-7. A shift between a change and its neighbor belongs to both, and goes when
//! neither needs it.
//!
//! # Costs
//!
//! A document takes the memory of its file and about a tenth more; the text is not stored. An edit takes the time to read
//! some kilobytes, and its own length; so does the conversion of an offset. [`Document::replace_all`] makes many edits in time
//! linear in the text, and takes about six times the length of the longest edit while it works on it.

mod batch;
mod chunks;
mod document;
mod error;
mod offsets;
mod reader;
mod scene;
mod splice;
mod stand_ins;
mod sum;

pub use document::{Change, Document};
pub use error::EditError;
pub use offsets::Position;
pub use stand_ins::StandIns;
