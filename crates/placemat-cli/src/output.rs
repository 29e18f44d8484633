//! Standard output for data: fast, and quiet about closed pipes.

use crate::progress;
use crate::streams::{self, Stream, stdout_file};
use std::fs::File;
use std::io::{self, IsTerminal as _, Write};

/// The size of the buffer of [`Data`].
const BUFFER: usize = 64 * 1024;

/// Standard output for data: always buffered in large pieces.
///
/// `std::io::Stdout` writes line by line, which costs a system call per line.
#[derive(Debug)]
pub(crate) struct Data(io::BufWriter<Out>);

/// Standard output, coordinated with the progress line.
#[derive(Debug)]
struct Out {
    /// `None` if it is closed, which matters only where there is something to write.
    file: Option<File>,
    terminal: bool,
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(file) = &mut self.file else { return streams::check(Stream::Output).map(|()| bytes.len()) };
        if self.terminal { progress::aside(|| file.write(bytes)) } else { file.write(bytes) }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Data {
    /// Writes to a file instead.
    pub(crate) fn to(file: File) -> Self {
        Self(io::BufWriter::with_capacity(BUFFER, Out { file: Some(file), terminal: false }))
    }

    /// Opens standard output.
    pub(crate) fn stdout() -> io::Result<Self> {
        let is_closed = streams::check(Stream::Output).is_err();
        let file = if is_closed { None } else { Some(stdout_file()?) };
        let terminal = file.as_ref().is_some_and(File::is_terminal);
        Ok(Self(io::BufWriter::with_capacity(BUFFER, Out { file, terminal })))
    }
}

impl Write for Data {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
