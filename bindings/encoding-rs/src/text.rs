//! Output of which the type says that it is UTF-8.

#[cfg(feature = "alloc")]
use alloc::string::String;

/// A place for text.
pub(crate) trait Text {
    /// Returns the number of bytes for which there is room.
    fn room(&self) -> usize;
    /// Appends `text`, for which there is room.
    fn put(&mut self, text: &str);
}

/// The part of a `str` after what was written.
pub(crate) struct Within<'a> {
    pub(crate) all: &'a mut str,
    pub(crate) written: usize,
}

impl Text for Within<'_> {
    fn room(&self) -> usize {
        self.all.len() - self.written
    }

    fn put(&mut self, text: &str) {
        assert!(self.all.is_char_boundary(self.written), "characters are written whole");
        let end = self.written + text.len();
        assert!(end <= self.all.len(), "there is room");
        #[expect(unsafe_code, reason = "a `str` gives its bytes in no other way")]
        // SAFETY: The bytes are UTF-8 again before the borrow ends: those before `written` are whole characters, because it is a
        // boundary; `text` is UTF-8; after it, the continuation bytes of a character whose start was overwritten become U+0000, up to
        // the next character, which is whole. Nothing can panic in between: `end` is within the text by the second assertion.
        let bytes = unsafe { self.all.as_bytes_mut() };
        bytes[self.written..end].copy_from_slice(text.as_bytes());
        bytes[end..].iter_mut().take_while(|byte| matches!(byte, 0x80..=0xBF)).for_each(|byte| *byte = 0);
        self.written = end;
    }
}

/// A string, which never grows beyond its capacity.
#[cfg(feature = "alloc")]
impl Text for String {
    fn room(&self) -> usize {
        self.capacity() - self.len()
    }

    fn put(&mut self, text: &str) {
        self.push_str(text);
    }
}
